package inspect

import (
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/prefs"
)

// nextXAxis shows curves against the next thing that the target has.
func (c *Inspect) nextXAxis() tea.Cmd {
	names := [...]string{pane.ByStep: "steps", pane.ByEpoch: "epochs", pane.ByGradient: "gradients", pane.ByClock: "seconds"}
	x := (c.Focus.XAxis + 1) % pane.XAxis(len(names))
	if x == pane.ByEpoch && !c.Feed.Shown.Problem.HasData() {
		x++
	}
	c.Focus.XAxis = x
	return c.SayKept("curves against "+names[x], func(s prefs.Settings) any { return s.XAxis })
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
	return c.SayKept("x "+word[f.LogX]+", y "+word[!f.LinearY], func(s prefs.Settings) any { return [2]bool{s.LogX, s.LogY} })
}
