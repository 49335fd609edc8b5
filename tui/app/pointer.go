package app

import (
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"

	tea "charm.land/bubbletea/v2"
)

// over is the mouse over the view.
type over struct {
	told  bool // it is on a chart whose values are told
	held  bool // the button is down on a chart
	shift bool // or on the slider of view 5
	from  pane.Plot
	fromX int
	fromY int
}

// look puts the cross under the mouse, if that is on a chart.
func (m *model) look() {
	before, told := m.Focus.Cross, m.over.told
	m.under()
	if m.Focus.Cross != before || m.over.told != told {
		m.Dirty = true
	}
}

// under puts the cross at the place of the newest frame that is under the mouse.
func (m *model) under() {
	p, ok := m.Panes.At(m.pointer.x, m.pointer.y)
	at := &p.Plot
	if !ok || !at.Rect.Contains(m.pointer.x, m.pointer.y) {
		if m.over.told {
			m.Focus.Cross = pane.Cross{}
		}
		m.over.told = false
		return
	}
	m.over.told, m.Focus.Read = true, false
	m.Focus.Cross = at.Under(m.pointer.x, m.pointer.y)
}

// clickView does what a click on the view does.
func (m *model) clickView(x, y int, twice bool) tea.Cmd {
	if cmd, ok := m.grabShift(x, y); ok {
		return cmd
	}
	if cmd, ok := m.clickCell(x, y, twice); ok {
		return cmd
	}
	p, ok := m.Panes.At(x, y)
	if !ok {
		return nil
	}
	m.FocusPane(p)
	if at := p.Plot; at.Rect.Contains(x, y) {
		m.over.held, m.over.from, m.over.fromX, m.over.fromY = true, at, x, y
	}
	if twice {
		m.over.held = false
		return m.maximise()
	}
	return nil
}

// pull moves the part of a chart that is shown along with the mouse.
func (m *model) pull(x, y int) {
	l := &m.over
	at := &l.from
	if x == l.fromX && y == l.fromY {
		return
	}
	if at.Pan(&m.Focus.Zoom, float64(l.fromX-x)/float64(at.Rect.W), float64(y-l.fromY)/float64(at.Rect.H)) {
		m.Dirty = true
	}
}

// wheelView zooms about the mouse, or moves along.
func (m *model) wheelView(e tea.Mouse, hit control.Hit) tea.Cmd {
	if cmd, ok := m.wheelImages(e); ok {
		return cmd
	}
	p, ok := m.Panes.At(e.X, e.Y)
	at := &p.Plot
	if !ok || !at.Rect.Contains(e.X, e.Y) {
		return nil
	}
	m.Dirty = true
	if hit.Along {
		at.Pan(&m.Focus.Zoom, float64(hit.By)*panStep, 0)
	} else {
		at.Zoom(&m.Focus.Zoom, at.Under(e.X, e.Y), float64(hit.By))
	}
	return m.hover(e.X, e.Y)
}
