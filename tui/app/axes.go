package app

import (
	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/prefs"
)

// nextXAxis shows curves against the next thing that the target has.
func (m *model) nextXAxis() tea.Cmd {
	names := [...]string{pane.ByStep: "steps", pane.ByEpoch: "epochs", pane.ByGradient: "gradients", pane.ByClock: "seconds"}
	x := (m.Focus.X + 1) % pane.XAxis(len(names))
	if x == pane.ByEpoch && !m.Feed.Shown.Problem.HasData() {
		x++
	}
	m.Focus.X = x
	return m.sayKept("curves against "+names[x], func(s prefs.Settings) any { return s.XAxis })
}

// nextLogAxes goes through the four pairs of axes.
func (m *model) nextLogAxes() tea.Cmd {
	f := &m.Focus
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
	return m.sayKept("x "+word[f.LogX]+", y "+word[!f.LinearY], func(s prefs.Settings) any { return [2]bool{s.LogX, s.LogY} })
}
