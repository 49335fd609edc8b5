package inspect

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
)

// chart is the pane whose values the keys tell, if it has any: the focused one,
// without one that of the focused lane, else the first that has values.
func (c *Inspect) chart() (pane.Shown, bool) {
	if p, ok := c.Screen.Panes.Find(c.Focus.Pane); ok {
		return p, hasPlot(p)
	}
	return c.Screen.PaneOfLane(&c.Focus, hasPlot)
}

func hasPlot(p pane.Shown) bool { return !p.Plot.Rect.Empty() }

func (c *Inspect) inspect() tea.Cmd {
	l := &c.Focus
	if l.Read {
		l.Read, l.Cross = false, pane.Cross{}
		return nil
	}
	p, ok := c.chart()
	if other, has := c.Screen.PaneOfLane(&c.Focus, hasPlot); has && !ok { // the focused one has no chart
		p, ok = other, true
	}
	if !ok {
		why := c.noChart(p, "values to show")
		if q, ok := c.Selected(); ok { // as who awaits a cross may not expect
			why += "; " + c.Keys.First("turn down") + c.Keys.First("turn up") + " still turn " + q.Symbol
		}
		return c.Say(false, why)
	}
	c.FocusPane(p)
	l.Read = true
	l.Cross = pane.Move(c.Frame(), p, 0, 0)
	return c.Say(false, "values of "+c.Screen.PaneTitle(p.Name)+": "+strings.Join([]string{
		c.Keys.First("values: left") + c.Keys.First("values: right") + " move",
		c.Keys.First("values: zoom in") + c.Keys.First("values: zoom out") + " zoom",
		c.Keys.First("values: show all") + " shows all",
		"esc back"}, ", "))
}

// noChart says what is missing in the focused pane, or in all of the view.
func (c *Inspect) noChart(focused pane.Shown, what string) string {
	if focused.Name == "" {
		return "no chart of this view has " + what + " yet"
	}
	return c.Screen.PaneTitle(focused.Name) + ": no " + what + "; " + c.Keys.First("next pane") +
		" goes to another pane"
}

func (c *Inspect) moveCross(dx, dy int) tea.Cmd {
	p, ok := c.chart()
	if !ok {
		return c.Say(false, c.noChart(p, "values to show"))
	}
	before := c.Focus.Cross
	if c.Focus.Cross = pane.Move(c.Frame(), p, dx, dy); c.Focus.Cross == before {
		return c.Say(false, "no values beyond")
	}
	return nil
}

// How far keys move a cross: far, and beyond every end.
const (
	farCross = 10
	allCross = 1 << 20
)

// panStep is the part of what is shown by which a key moves it.
const panStep = 0.2

// zoomBy zooms the chart by keys: in for a positive number of notches.
func (c *Inspect) zoomBy(notches float64) tea.Cmd {
	p, ok := c.chart()
	if !ok {
		return c.Say(false, c.noChart(p, "axes to zoom"))
	}
	at := &p.Plot
	about := at.Middle()
	if x := c.Focus.Cross; c.Focus.Read && x.AxisX == at.AxisX {
		about = x
	}
	if !at.Zoom(&c.Focus.Zoom, about, notches) {
		return c.Say(false, c.Screen.PaneTitle(p.Name)+" cannot be zoomed further")
	}
	return nil
}

func (c *Inspect) zoomAll() tea.Cmd {
	c.Focus.Zoom = pane.Zoom{}
	return c.Say(false, "shows all of each axis")
}

func (c *Inspect) pan(by float64) tea.Cmd {
	p, ok := c.chart()
	if !ok || !p.Plot.Pan(&c.Focus.Zoom, by*panStep, 0) {
		return c.Say(false, "zoom in (:zoom in) to have a part to move")
	}
	return nil
}

// plotZone begins the IDs of the zones of plots, which go on with the pane's name.
const plotZone = "plot:"

// under puts the cross at the place of the newest frame that is under the mouse.
func (c *Inspect) under() {
	before, told := c.Focus.Cross, c.told
	defer func() { c.Screen.Dirty = c.Screen.Dirty || c.Focus.Cross != before || c.told != told }()
	name, over := strings.CutPrefix(c.Screen.Plane.ZoneAt(c.x, c.y).ID, plotZone)
	p, ok := c.Screen.Panes.Find(name)
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
	if p, ok := c.Screen.Panes.Find(at.Args[0]); ok && at.First {
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
	p, ok := c.Screen.Panes.Find(at.Args[0])
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
