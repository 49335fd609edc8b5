package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/tui/panel"
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
	from    panel.Plot
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
	p := &m.look.pointer
	p.x, p.y = x, y
	if p.waiting {
		return nil
	}
	p.waiting = true
	return tea.Tick(m.feed.interval, func(time.Time) tea.Msg { return hoverMsg{} })
}

// hovered puts the cross under the mouse, if that is on a chart.
func (m *model) hovered() {
	l := &m.look
	l.pointer.waiting = false
	before, over := l.cross, l.pointer.over
	l.under()
	if l.cross != before || l.pointer.over != over {
		m.screen.dirty = true
	}
	m.hoverCard(l.pointer.x, l.pointer.y)
	m.hoverHint(l.pointer.x, l.pointer.y)
}

// under puts the cross at the place of the newest frame that is under the mouse.
func (l *looking) under() {
	p, ok := l.panes.At(l.pointer.x, l.pointer.y)
	at := &p.Plot
	if !ok || !at.Rect.Contains(l.pointer.x, l.pointer.y) {
		if l.pointer.over {
			l.cross = panel.Cross{}
		}
		l.pointer.over = false
		return
	}
	l.pointer.over, l.inspect = true, false
	l.cross = at.Under(l.pointer.x, l.pointer.y)
}

// clickPane focuses the pane under a click, and maximises it at the second of
// two.
func (m *model) clickPane(x, y int) tea.Cmd {
	l := &m.look
	p, ok := l.panes.At(x, y)
	if !ok {
		return nil
	}
	twice := l.pointer.on == p.Name && time.Since(l.pointer.clicked) < doubleClick
	l.pointer.on, l.pointer.clicked = p.Name, time.Now()
	m.focusPane(p)
	if at := p.Plot; at.Rect.Contains(x, y) {
		l.pointer.held, l.pointer.from, l.pointer.fromX, l.pointer.fromY = true, at, x, y
	}
	look := m.hover(x, y)
	if twice {
		l.pointer.on, l.pointer.held = "", false
		return tea.Batch(look, m.maximise())
	}
	return look
}

// pull moves the part of a chart that is shown along with the mouse.
func (m *model) pull(x, y int) {
	l := &m.look
	at := &l.pointer.from
	if !l.pointer.held || x == l.pointer.fromX && y == l.pointer.fromY {
		return
	}
	if at.Pan(&l.zoom, float64(l.pointer.fromX-x)/float64(at.Rect.W), float64(y-l.pointer.fromY)/float64(at.Rect.H)) {
		m.screen.dirty = true
	}
}

// wheelPane zooms about the mouse, or moves along with a wheel that is turned
// sideways or with shift.
func (m *model) wheelPane(e tea.Mouse) tea.Cmd {
	p, ok := m.look.panes.At(e.X, e.Y)
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
	m.screen.dirty = true
	if pan != 0 {
		at.Pan(&m.look.zoom, pan*panStep, 0)
	} else {
		at.Zoom(&m.look.zoom, at.Under(e.X, e.Y), step)
	}
	return m.hover(e.X, e.Y)
}
