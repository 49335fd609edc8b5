package app

import (
	"time"

	"github.com/psgld/psgld-tui/tui/pane"

	tea "charm.land/bubbletea/v2"
)

// pointer is the mouse over the view.
type pointer struct {
	x, y    int
	over    bool // it is on a chart whose values are told
	waiting bool // a message is under way that will look where it is
	hint    int  // the column of the footer's hint that it is on, 0 for none
	clicked time.Time
	on      string // the pane of the newest click
	held    bool   // the button is down on a chart
	from    pane.Plot
	fromX   int
	fromY   int
}

// hoverMsg is the time to look where the mouse is.
type hoverMsg struct{}

// doubleClick is the longest time between the two clicks of one.
const doubleClick = 400 * time.Millisecond

// hover takes note of where the mouse is. However often it moves, the screen
// follows at its own rate.
func (m *model) hover(x, y int) tea.Cmd {
	p := &m.pointer
	p.x, p.y = x, y
	if p.waiting {
		return nil
	}
	p.waiting = true
	return tea.Tick(m.Feed.Interval, func(time.Time) tea.Msg { return hoverMsg{} })
}

// hovered puts the cross under the mouse, if that is on a chart.
func (m *model) hovered() {
	m.pointer.waiting = false
	before, over := m.Focus.Cross, m.pointer.over
	m.under()
	if m.Focus.Cross != before || m.pointer.over != over {
		m.Dirty = true
	}
	m.hoverCard(m.pointer.x, m.pointer.y)
	m.hoverHint(m.pointer.x, m.pointer.y)
}

// under puts the cross at the place of the newest frame that is under the mouse.
func (m *model) under() {
	p, ok := m.Panes.At(m.pointer.x, m.pointer.y)
	at := &p.Plot
	if !ok || !at.Rect.Contains(m.pointer.x, m.pointer.y) {
		if m.pointer.over {
			m.Focus.Cross = pane.Cross{}
		}
		m.pointer.over = false
		return
	}
	m.pointer.over, m.Focus.Read = true, false
	m.Focus.Cross = at.Under(m.pointer.x, m.pointer.y)
}

// clickPane focuses the pane under a click, and maximises it at the second of
// two.
func (m *model) clickPane(x, y int) tea.Cmd {
	l := &m.pointer
	p, ok := m.Panes.At(x, y)
	if !ok {
		return nil
	}
	twice := l.on == p.Name && time.Since(l.clicked) < doubleClick
	l.on, l.clicked = p.Name, time.Now()
	m.FocusPane(p)
	if at := p.Plot; at.Rect.Contains(x, y) {
		l.held, l.from, l.fromX, l.fromY = true, at, x, y
	}
	look := m.hover(x, y)
	if twice {
		l.on, l.held = "", false
		return tea.Batch(look, m.maximise())
	}
	return look
}

// pull moves the part of a chart that is shown along with the mouse.
func (m *model) pull(x, y int) {
	l := &m.pointer
	at := &l.from
	if !l.held || x == l.fromX && y == l.fromY {
		return
	}
	if at.Pan(&m.Focus.Zoom, float64(l.fromX-x)/float64(at.Rect.W), float64(y-l.fromY)/float64(at.Rect.H)) {
		m.Dirty = true
	}
}

// wheelPane zooms about the mouse, or moves along with a wheel that is turned
// sideways or with shift.
func (m *model) wheelPane(e tea.Mouse) tea.Cmd {
	p, ok := m.Panes.At(e.X, e.Y)
	at := &p.Plot
	if !ok || !at.Rect.Contains(e.X, e.Y) {
		return nil
	}
	step, pan := 0.0, 0.0
	switch e.Button {
	case tea.MouseWheelUp:
		step = 1
	case tea.MouseWheelDown:
		step = -1
	case tea.MouseWheelLeft:
		pan = -1
	case tea.MouseWheelRight:
		pan = 1
	}
	if e.Mod.Contains(tea.ModShift) {
		step, pan = 0, -step
	}
	m.Dirty = true
	if pan != 0 {
		at.Pan(&m.Focus.Zoom, pan*panStep, 0)
	} else {
		at.Zoom(&m.Focus.Zoom, at.Under(e.X, e.Y), step)
	}
	return m.hover(e.X, e.Y)
}
