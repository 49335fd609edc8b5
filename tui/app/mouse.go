package app

import (
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/panel"
)

// drag is a slider that the mouse holds.
type drag struct {
	held bool
	key  string // the parameter's
}

// mouse routes a mouse message. A click on the footer is for what its hints name;
// on the main screen a click focuses a pane or selects a parameter, on a slider it
// takes the knob; the wheel over the strip turns a parameter.
func (m *model) mouse(msg tea.MouseMsg) tea.Cmd {
	e := msg.Mouse()
	if _, ok := msg.(tea.MouseClickMsg); ok && e.Button == tea.MouseLeft {
		if cmd, ok := m.clickFoot(e.X, e.Y); ok {
			return cmd
		}
	}
	if m.Layer != nil {
		if _, ok := msg.(tea.MouseMotionMsg); ok {
			m.hoverHint(e.X, e.Y)
		}
		if cmd, took := m.Layer.Update(msg); took {
			return cmd
		}
	}
	if cmd, ok := m.tapeMouse(msg); ok {
		return cmd
	}
	switch msg.(type) {
	case tea.MouseClickMsg:
		if e.Button == tea.MouseLeft {
			return m.click(e.X, e.Y)
		}
	case tea.MouseMotionMsg:
		if m.drag.held && e.Button == tea.MouseLeft {
			return m.slide(e.X, e.Y)
		}
		m.drag = drag{}
		if m.pointer.held = m.pointer.held && e.Button == tea.MouseLeft; m.pointer.held {
			m.pull(e.X, e.Y)
		}
		return m.hover(e.X, e.Y)
	case tea.MouseReleaseMsg:
		m.drag, m.pointer.held = drag{}, false
	case tea.MouseWheelMsg:
		return m.wheel(e)
	}
	return nil
}

// hit is the place on the strip under a cell of the screen.
func (m *model) hit(x, y int) (param int, frac float64, slider, ok bool) {
	w, h := m.Width, m.Height
	f := m.looked()
	s := panel.Arrange(w, h, f).Strip
	if !s.Contains(x, y) {
		return 0, 0, false, false
	}
	return panel.StripHit(s.W, s.H, f, x-s.X, y-s.Y)
}

func (m *model) click(x, y int) tea.Cmd {
	if cmd, ok := m.clickCard(x, y); ok {
		return cmd
	}
	if cmd, ok := m.clickAction(x, y); ok {
		return cmd
	}
	if i, _, slider, ok := m.hit(x, y); ok {
		m.Dirty = true
		if all := m.Params(); i < len(all) {
			if !slider && m.Focus.Param == all[i].Key {
				return m.typeValue()
			}
			m.Focus.Param = all[i].Key
			m.drag = drag{held: slider, key: all[i].Key}
			return m.slide(x, y)
		}
		return nil
	}
	if cmd, ok := m.grabShift(x, y); ok {
		return cmd
	}
	w, h := m.Width, m.Height
	f := m.looked()
	if !panel.Arrange(w, h, f).Compact {
		if cmd, ok := m.clickCell(x, y); ok {
			return cmd
		}
		return m.clickPane(x, y)
	}
	if i, ok := panel.LaneHit(w, h, f, x, y); ok && i < len(f.Snap.Lanes) {
		m.Focus.Lane = f.Snap.Lanes[i].ID
		m.Dirty = true
	}
	return nil
}

// slide sets the held parameter to the place under the mouse.
func (m *model) slide(x, y int) tea.Cmd {
	if m.drag.held && m.drag.key == shiftKey {
		return m.slideShift(x, y)
	}
	i, frac, slider, ok := m.hit(x, y)
	all := m.Params()
	if !ok || !slider || i >= len(all) || !m.drag.held || all[i].Key != m.drag.key {
		return nil
	}
	p := all[i]
	v := p.At(frac)
	if v == m.Lane().Setting.Value(p.Key) || p.Check(v) != nil {
		return nil
	}
	m.Dirty = true
	return m.setParam(p, v)
}

func (m *model) wheel(e tea.Mouse) tea.Cmd {
	if m.wheelCard(e) {
		return nil
	}
	i, _, _, ok := m.hit(e.X, e.Y)
	all := m.Params()
	if !ok || i >= len(all) {
		if cmd, ok := m.wheelImages(e); ok {
			return cmd
		}
		return m.wheelPane(e)
	}
	m.Dirty = true
	m.Focus.Param = all[i].Key
	switch e.Button {
	case tea.MouseWheelUp:
		return m.turn(1)
	case tea.MouseWheelDown:
		return m.turn(-1)
	}
	return nil
}
