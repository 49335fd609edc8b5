package inspect

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
)

// nextXAxis shows curves against the next thing that the target has.
func (c *Inspect) nextXAxis() tea.Cmd {
	names := [...]string{pane.ByStep: "steps", pane.ByEpoch: "epochs", pane.ByGradient: "gradients", pane.ByClock: "seconds"}
	x := (c.Focus.XAxis + 1) % pane.XAxis(len(names))
	if x == pane.ByEpoch && !c.Feed.Foreseen.Problem.HasData() {
		x++
	}
	c.Focus.XAxis = x
	return c.Say(false, "curves against "+names[x])
}

// nextLogAxes goes through the four pairs of axes.
func (c *Inspect) nextLogAxes() tea.Cmd {
	f := &c.Focus
	switch {
	case !f.LinearY && !f.LogX:
		f.LogX = true
	case !f.LinearY:
		f.LinearY = true
	case f.LogX:
		f.LogX = false
	default:
		f.LinearY = false
	}
	word := map[bool]string{false: "linear", true: "log"}
	return c.Say(false, "x "+word[f.LogX]+", y "+word[!f.LinearY])
}

// watchNext shows the next coordinate on an axis, 0 for x and 1 for y.
func (c *Inspect) watchNext(axis int) tea.Cmd {
	dim := c.Feed.Foreseen.Config.Tracked(c.Feed.Foreseen.Problem.Dim())
	if dim <= 2 {
		return c.bothShown()
	}
	at := c.Lane().Watch
	at[axis] = (at[axis] + 1) % dim
	if at[axis] == at[1-axis] {
		at[axis] = (at[axis] + 1) % dim
	}
	return c.watchAt(at)
}

func (c *Inspect) watchAt(at [2]int) tea.Cmd {
	return c.Feed.Send(c.Watching(at, false))
}

// watchRow watches the coordinate of a row, and as the second one that which was the first.
func (c *Inspect) watchRow(hit control.Hit) tea.Cmd {
	at := c.Lane().Watch
	if i, err := strconv.Atoi(hit.Args[0]); err == nil && i != at[0] {
		return c.watchAt([2]int{i, at[0]})
	}
	return nil
}

// watchPrincipal shows the draws' principal directions, or the coordinates
// again.
func (c *Inspect) watchPrincipal() tea.Cmd {
	if c.Feed.Foreseen.Problem.Dim() <= 2 {
		return c.bothShown()
	}
	l := c.Lane()
	return c.Feed.Send(c.Watching(l.Watch, !l.Principal))
}

func (c *Inspect) bothShown() tea.Cmd {
	p := c.Feed.Foreseen.Problem
	return c.Say(false, fmt.Sprintf("%s has %d coordinates, and both are shown", p.Spec, p.Dim()))
}

func (c *Inspect) parseWatch(arg string) (func() tea.Cmd, error) {
	f := strings.Fields(arg)
	dim := c.Feed.Foreseen.Problem.Dim()
	var at [2]int
	for i := range at {
		if len(f) != 2 {
			return nil, fmt.Errorf("must be two coordinates from 1 to %d, got %q", dim, arg)
		}
		n, err := strconv.Atoi(f[i])
		if err != nil || n < 1 || n > dim {
			return nil, fmt.Errorf("must be two coordinates from 1 to %d, got %q", dim, f[i])
		}
		at[i] = n - 1
	}
	return func() tea.Cmd { return c.watchAt(at) }, nil
}

// many reports whether there are coordinates to choose from.
func (c *Inspect) many() bool { return c.Feed.Foreseen.Problem.Dim() > 2 }
