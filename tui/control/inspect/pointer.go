package inspect

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
)

// plotZone begins the IDs of the zones of plots, which go on with the pane's name.
const plotZone = "plot:"

// under puts the cross at the place of the newest frame that is under the mouse.
func (c *Inspect) under() {
	before, told := c.Focus.Cross, c.told
	defer func() { c.Dirty = c.Dirty || c.Focus.Cross != before || c.told != told }()
	name, over := strings.CutPrefix(c.Plane.ZoneAt(c.x, c.y).ID, plotZone)
	p, ok := c.Panes.Find(name)
	if !over || !ok {
		if c.told {
			c.Focus.Cross = pane.Cross{}
		}
		c.told = false
		return
	}
	c.told, c.Focus.Read = true, false
	c.Focus.Cross = p.Plot.Under(c.x, c.y)
}

// panAt moves the part of a chart that is shown along with the mouse.
func (c *Inspect) panAt(at control.Hit) tea.Cmd {
	if p, ok := c.Panes.Find(at.Args[0]); ok && at.First {
		c.from, c.fromX, c.fromY = p.Plot, at.FromX, at.FromY
	}
	dx, dy := float64(c.fromX-at.X)/float64(at.W), float64(at.Y-c.fromY)/float64(at.H)
	if dx != 0 || dy != 0 {
		c.from.Pan(&c.Focus.Zoom, dx, dy)
	}
	return nil
}

// zoomAt zooms about the mouse, or moves along.
func (c *Inspect) zoomAt(at control.Hit) tea.Cmd {
	p, ok := c.Panes.Find(at.Args[0])
	switch {
	case !ok:
	case at.Along:
		p.Plot.Pan(&c.Focus.Zoom, float64(at.By)*panStep, 0)
	default:
		p.Plot.Zoom(&c.Focus.Zoom, p.Plot.Under(p.Plot.Rect.X+at.X, p.Plot.Rect.Y+at.Y), float64(at.By))
	}
	return nil
}

// leave ends the reading of values by keys.
func (c *Inspect) leave() tea.Cmd {
	c.Focus.Read, c.Focus.Cross = false, pane.Cross{}
	c.Notices.Clear()
	return nil
}
