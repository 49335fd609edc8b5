package app

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/cmdline"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/prefs"
)

// typeValue begins to type a value for the selected parameter.
func (m *model) typeValue() tea.Cmd {
	p, ok := m.Selected()
	if !ok {
		return nil
	}
	v := dialog.NewInput(m.Desk)
	v.Characters, v.Otherwise = valueCharacters(p), p.Symbol+" is "+p.Allowed()
	v.About = []string{p.Symbol + " " + p.Doc + ", " + p.Allowed(), p.Symbol + " " + p.Allowed()}
	v.Take = func(text string) (func() tea.Cmd, error) {
		x, err := m.parseParam(p, text)
		if err != nil {
			return nil, fmt.Errorf("%s %w", p.Symbol, err)
		}
		return func() tea.Cmd { return m.setParam(p, x) }, nil
	}
	m.typed = v
	return m.Open(v)
}

func (m *model) link() tea.Cmd {
	m.Focus.Separate = !m.Focus.Separate
	if m.Focus.Separate {
		return m.Say(false, "turns apply to lane "+engine.LaneLetter(m.Lane().ID)+" alone")
	}
	return m.Say(false, "turns apply to all lanes")
}

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

// valueCharacters are those that a parameter's value is written with.
func valueCharacters(p param.Param) string {
	all := p.Zero + strings.Join(p.Choices, "")
	if p.Scale != param.Choice {
		all += "0123456789.e+- "
	}
	if p.Key == sampler.KeyTemp {
		all += "/n" // 1/N
	}
	return all + strings.ToUpper(all)
}

// parseParam reads a parameter's value as the command line does: 1/N is one for
// the temperature.
func (m *model) parseParam(p param.Param, text string) (float64, error) {
	return cmdline.ParseParam(p, text, m.Feed.Shown.Problem)
}
