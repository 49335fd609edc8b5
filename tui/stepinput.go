package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/plane"
)

// stepInput is the mode in which a step is typed on the tape, to which to go.
type stepInput struct{ typing }

func (v *stepInput) key(m *model, k tea.KeyPressMsg) tea.Cmd {
	switch m.keys.Action(k.String(), keymap.Edit) {
	case keymap.Take:
		m.mode = nil
		if v.line.String() == "" {
			return nil
		}
		to, err := whole(strings.ReplaceAll(strings.TrimSpace(v.line.String()), ",", ""))
		if end := m.Feed.Shown.Tape.End; err == nil && to > end {
			err = fmt.Errorf("must be at most %s, the end of the tape", plane.Count(end))
		}
		if err != nil {
			m.mode = v
			return m.Say(true, "the step "+err.Error())
		}
		m.tape.on = true
		return m.seek(to)
	case keymap.Cancel:
		m.mode = nil
		m.Notices.Clear()
	default:
		if strange(k, "0123456789, ") {
			return m.Say(false, "a step is a whole number; "+m.keys.Key(keymap.Cancel)+" leaves it")
		}
		v.line.key(k)
	}
	return nil
}

func (v *stepInput) hint(m *model, width int) string {
	about := fmt.Sprintf("a step up to %s, the end of the tape · ", plane.Count(m.Feed.Shown.Tape.End))
	keys := m.keys.Hint(keymap.Edit, width)
	if plane.Width(about+keys) > width {
		return keys
	}
	return about + keys
}
