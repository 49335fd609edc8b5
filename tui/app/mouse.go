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
	// held is the zone that is dragged; without an ID none is. dragged says that it has
	// been moved.
	held    plane.Zone
	dragged bool
	clicked time.Time // when a zone was clicked, and its ID
	on      string
}

// hoverMsg is the time to look where the mouse is.
type hoverMsg struct{}

// doubleClick is the longest time between the two clicks of one.
const doubleClick = 400 * time.Millisecond

// mouse does what the zone under the mouse says: of a click, of a drag that began in it,
// of the wheel. What is typed in its place ends with a click elsewhere.
func (m *model) mouse(msg tea.MouseMsg) tea.Cmd {
	e, p := msg.Mouse(), &m.pointer
	zone, on := m.screen.plane.ZoneAt(e.X, e.Y)
	zone = m.known(zone)
	left := e.Button == tea.MouseLeft
	switch msg.(type) {
	case tea.MouseClickMsg:
		if p.held = (plane.Zone{}); !left {
			return nil
		}
		if l := m.Layer; l != nil && l.Slot(0).At == control.Nowhere && control.ByName(l.Bindings(), zone.Click.Name) == nil {
			m.Close()
		}
		if m.Layer != nil && m.Layer.Slot(0).At == control.Over && !zone.Click.IsSet() {
			if !m.screen.stage().Rect().Contains(e.X, e.Y) { // beside the hints of what is open
				return nil
			}
			cmd, _ := m.Layer.Update(msg)
			return cmd
		}
		if zone.Drag.IsSet() {
			p.held, p.dragged = zone, false
		}
		id := zone.ID
		if q, ok := m.Panes.At(e.X, e.Y); ok && !zone.Click.IsSet() {
			id = q.Name
		}
		twice := p.on == id && time.Since(p.clicked) < doubleClick
		if p.on, p.clicked = id, time.Now(); twice {
			p.on, p.held = "", plane.Zone{}
		}
		if !on || !zone.Click.IsSet() {
			return tea.Batch(m.hover(e.X, e.Y), m.clickView(e.X, e.Y, twice))
		}
		return tea.Batch(m.hover(e.X, e.Y), m.doAt(zone.Click, zone, e, control.Hit{Twice: twice}))
	case tea.MouseMotionMsg:
		if p.held.ID == "" || !left {
			p.held = plane.Zone{}
			switch {
			case !left:
				m.over.held, m.over.shift = false, false
			case m.over.shift:
				return m.slideShift(e.X, e.Y)
			case m.over.held:
				m.pull(e.X, e.Y)
			}
			return m.hover(e.X, e.Y)
		}
		for _, z := range m.screen.plane.Zones() {
			if z.ID == p.held.ID {
				p.held = z // it may have moved
			}
		}
		first := !p.dragged
		p.dragged = true
		return tea.Batch(m.hover(e.X, e.Y), m.doAt(p.held.Drag, p.held, e, control.Hit{Drag: true, First: first}))
	case tea.MouseReleaseMsg:
		p.held, m.over.held, m.over.shift = plane.Zone{}, false, false
	case tea.MouseWheelMsg:
		if m.Layer != nil && m.Layer.Slot(0).At == control.Over {
			cmd, _ := m.Layer.Update(msg)
			return cmd
		}
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
		if !on || !zone.Wheel.IsSet() {
			return m.wheelView(e, at)
		}
		return m.doAt(zone.Wheel, zone, e, at)
	}
	return nil
}

// known is a zone without what nobody does.
func (m *model) known(z plane.Zone) plane.Zone {
	for _, do := range []*plane.Do{&z.Click, &z.Drag, &z.Wheel} {
		if control.ByName(m.Bindings, do.Name) == nil && (m.Layer == nil || control.ByName(m.Layer.Bindings(), do.Name) == nil) {
			*do = plane.Do{}
		}
	}
	return z
}

// doAt does what a zone says, where it was hit.
func (m *model) doAt(do plane.Do, zone plane.Zone, e tea.Mouse, at control.Hit) tea.Cmd {
	at.X, at.Y, at.W, at.H = e.X-zone.Rect.X, e.Y-zone.Rect.Y, zone.Rect.W, zone.Rect.H
	m.Dirty = true
	if m.Layer != nil || at.Drag || at.By != 0 {
		cmd, _ := m.On(do, at)
		return cmd
	}
	m.Press++
	m.Notices.Answer()
	cmd, _ := m.On(do, at)
	m.Notices.Answered(m.Feed.Snap, m.Feed.Sent)
	return cmd
}

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

// hovered tells of the zone under the mouse.
func (m *model) hovered() tea.Cmd {
	m.pointer.waiting = false
	zone, _ := m.screen.plane.ZoneAt(m.pointer.x, m.pointer.y)
	if zone.ID != m.Hot {
		m.Hot, m.Dirty = zone.ID, true
	}
	m.look()
	return m.tell(control.HoverMsg{X: m.pointer.x, Y: m.pointer.y, Zone: zone})
}
