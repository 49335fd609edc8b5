package app

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/plane"
)

// pointer is the mouse.
type pointer struct {
	x, y    int
	waiting bool // a message is under way that will look where it is
	// held is the zone that is dragged; without an ID none is. dragged says that it has been moved.
	held         plane.Zone
	dragged      bool
	fromX, fromY int       // where that began
	clicked      time.Time // when a zone was clicked, and its ID
	on           string
}

// doubleClick is the longest time between the two clicks of one.
const doubleClick = 400 * time.Millisecond

// mouse does what the zone under the mouse says: of a click, of a drag that began in it,
// of the wheel. A click elsewhere ends what is typed on the screen.
func (m *model) mouse(msg tea.MouseMsg) tea.Cmd {
	e, p := msg.Mouse(), &m.pointer
	zone := m.Screen.Plane.ZoneAt(e.X, e.Y)
	switch msg.(type) {
	case tea.MouseClickMsg:
		if p.held = (plane.Zone{}); e.Button != tea.MouseLeft {
			return nil
		}
		l := m.Keys.Layer
		if l != nil && l.Slot(0).At != control.Over && l.Slot(0).At != control.Whole &&
			control.ByName(l.Bindings(), zone.Click.Name) == nil {
			m.Close()
		}
		now := m.Now()
		twice := p.on == zone.ID && !zone.Tap.IsSet() && now.Sub(p.clicked) < doubleClick
		if p.on, p.clicked = zone.ID, now; twice {
			p.on = ""
		} else if zone.Drag.IsSet() {
			p.held, p.dragged, p.fromX, p.fromY = zone, false, e.X, e.Y
		}
		return tea.Batch(m.hover(e.X, e.Y), m.doAt(zone.Click, zone, e, control.Hit{Twice: twice}))
	case tea.MouseMotionMsg:
		if p.held.ID == "" || e.Button != tea.MouseLeft {
			p.held = plane.Zone{}
			return m.hover(e.X, e.Y)
		}
		for _, z := range m.Screen.Plane.Zones() {
			if z.ID == p.held.ID {
				p.held = z // it may have moved
			}
		}
		at := control.Hit{Drag: true, First: !p.dragged, FromX: p.fromX - p.held.Rect.X, FromY: p.fromY - p.held.Rect.Y}
		p.dragged = true
		return tea.Batch(m.hover(e.X, e.Y), m.doAt(p.held.Drag, p.held, e, at))
	case tea.MouseReleaseMsg:
		held := p.held
		if p.held = (plane.Zone{}); !p.dragged {
			return m.doAt(held.Tap, held, e, control.Hit{})
		}
	case tea.MouseWheelMsg:
		at := control.Hit{}
		switch e.Button {
		case tea.MouseWheelUp:
			at.By = 1
		case tea.MouseWheelDown:
			at.By = -1
		case tea.MouseWheelLeft:
			at.By, at.Along = -1, true
		case tea.MouseWheelRight:
			at.By, at.Along = 1, true
		}
		if e.Mod.Contains(tea.ModShift) && !at.Along {
			at.By, at.Along = -at.By, true
		}
		return tea.Batch(m.doAt(zone.Wheel, zone, e, at), m.hover(e.X, e.Y))
	}
	return nil
}

// doAt does what a zone says, where it was hit. A click is answered as a key is.
func (m *model) doAt(do plane.Do, zone plane.Zone, e tea.Mouse, at control.Hit) tea.Cmd {
	if !do.IsSet() {
		return nil
	}
	at.X, at.Y, at.W, at.H = e.X-zone.Rect.X, e.Y-zone.Rect.Y, zone.Rect.W, zone.Rect.H
	m.Screen.Dirty = true
	click := m.Keys.Layer == nil && !at.Drag && at.By == 0
	if click {
		m.Keys.Press++
		m.Notices.Answer()
	}
	cmd, _ := m.Keys.On(do, at)
	if click {
		m.Notices.Answered(m.Feed.Newest, m.Feed.Sent)
	}
	return cmd
}

// hover takes note of where the mouse is. However often it moves, the screen follows at its own rate.
func (m *model) hover(x, y int) tea.Cmd {
	p := &m.pointer
	p.x, p.y = x, y
	if p.waiting {
		return nil
	}
	p.waiting = true
	return control.After(m.Feed.Interval, m.hovered)
}

// hovered tells of the zone under the mouse.
func (m *model) hovered() tea.Cmd {
	m.pointer.waiting = false
	if id := m.Screen.Plane.ZoneAt(m.pointer.x, m.pointer.y).ID; id != m.Screen.Hot {
		m.Screen.Hot, m.Screen.Dirty = id, true
	}
	return m.tell(control.HoverMsg{X: m.pointer.x, Y: m.pointer.y})
}
