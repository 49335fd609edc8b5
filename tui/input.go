package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/cmdline"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// typing is a mode in which a line is typed that the panels show.
type typing struct{ line line }

func (v *typing) paste(_ *model, text string) { v.line.insert(text) }

// mouse lets a click elsewhere end the typing.
func (v *typing) mouse(m *model, msg tea.MouseMsg) tea.Cmd {
	if _, ok := msg.(tea.MouseClickMsg); ok {
		m.mode = nil
		return m.mouse(msg)
	}
	return nil
}

// draw draws nothing: the panels do.
func (v *typing) draw(plane.Region, theme.Theme) {}

// valueInput is the mode in which a parameter's value is typed on the strip.
type valueInput struct {
	param param.Param
	typing
}

func (v *valueInput) key(m *model, k tea.KeyPressMsg) tea.Cmd {
	switch a := m.keys.Action(k.String(), keymap.Edit); {
	case a == keymap.Take:
		if v.line.String() == "" {
			m.mode = nil
			m.Notices.Clear()
			return nil
		}
		x, err := parseParam(m, v.param, v.line.String())
		if err != nil {
			return m.Say(true, fmt.Sprintf("%s %v", v.param.Symbol, err))
		}
		m.mode = nil
		return m.setParam(v.param, x)
	case a == keymap.Cancel:
		m.mode = nil
		m.Notices.Clear()
	case strange(k, v.characters()):
		return m.Say(false, fmt.Sprintf("%s is %s; %s leaves it", v.param.Symbol, v.param.Allowed(), m.keys.Key(keymap.Cancel)))
	default:
		v.line.key(k)
	}
	return nil
}

// characters are those that a value is written with.
func (v *valueInput) characters() string {
	all := v.param.Zero + strings.Join(v.param.Choices, "")
	if v.param.Scale != param.Choice {
		all += "0123456789.e+- "
	}
	if v.param.Key == sampler.KeyTemp {
		all += "/n" // 1/N
	}
	return all + strings.ToUpper(all)
}

// hint says what the parameter is and what is allowed, as far as there is room.
func (v *valueInput) hint(m *model, width int) string {
	keys := m.keys.Hint(keymap.Edit, width)
	for _, about := range []string{v.param.Symbol + " " + v.param.Doc + ", " + v.param.Allowed(), v.param.Symbol + " " + v.param.Allowed()} {
		if h := about + " · " + keys; plane.Width(h) <= width {
			return h
		}
	}
	return keys
}

// parseParam reads a parameter's value as the command line does: 1/N is one for
// the temperature.
func parseParam(m *model, p param.Param, text string) (float64, error) {
	return cmdline.ParseParam(p, text, m.Feed.Shown.Problem)
}
