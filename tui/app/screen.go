package app

import (
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// parts is where the parts of the screen stand, in cells of the plane.
type parts struct {
	// compact says that there is no room for a pane. The view's place is then all but the rows at the top.
	compact              bool
	header, view, footer plane.Rect
	slots                []slot // the controllers', in their order
	covered              bool   // something lies over the view
}

// slot is where a controller draws.
type slot struct {
	place control.Place
	plane.Rect
}

// loadingCells is the width of the bar of what is opened beside a session.
const loadingCells = 20

// frame is what the screen is drawn from: what panes see, and what stands around them.
type frame struct {
	pane.Frame
	note     control.Note
	hints    []control.Hint
	hot      string // the ID of the zone under the mouse
	filming  bool
	starting bool
	taped    bool               // the session's tape is on the screen
	bottom   func(plane.Region) // draws the rows above the footer
}

// arrange lays the screen out in two passes: of the rows beside the header and the footer the controllers at the top
// and the bottom take theirs, and of what is left those below the view and over it.
func (m *model) arrange() parts {
	at := parts{compact: m.Screen.Compact(), slots: make([]slot, len(m.controllers))}
	all, over := plane.Rect{W: m.Screen.Width, H: m.Screen.Height}, m.stage().Bounds()
	if !at.compact {
		at.header, all = all.CutTop(1)
		at.footer, all = all.CutBottom(1)
	}
	room := all.H
	for i, c := range m.controllers {
		s, want := &at.slots[i], c.Slot(room)
		switch s.place = want.At; {
		case s.place == control.Top:
			s.Rect, all = all.CutTop(want.Rows)
		case s.place == control.Bottom && !at.compact:
			s.Rect, all = all.CutBottom(want.Rows)
		}
	}
	if room = all.H; at.compact {
		at.view, room = all, over.H
	}
	for i, c := range m.controllers {
		s := &at.slots[i]
		if s.place != control.Below && s.place != control.Over {
			continue
		}
		switch want := c.Slot(room); {
		case want.At == control.Over:
			s.Rect, at.covered = over, true
		case !at.compact:
			s.Rect, all = all.CutBottom(want.Rows)
		}
	}
	if !at.compact {
		at.view = all
	}
	at.covered = at.covered || m.Keys.Layer != nil && m.Keys.Layer.Slot(room).At == control.Over
	return at
}

// stage is where overlays are drawn: all but the footer, which has their keys, if there is room for both.
func (m *model) stage() plane.Region {
	g := m.Screen.Plane.Region()
	if g.H() > 6 {
		g = g.Sub(plane.Rect{W: g.W(), H: g.H() - 1})
	}
	return g
}

// seen is what a screen of such parts is drawn from.
func (m *model) seen(at parts) *frame {
	s := &m.Screen
	f := &frame{Frame: m.Frame(), hints: m.hints(s.Width - 2), hot: s.Hot, filming: s.Filming, starting: s.Starting}
	f.Covered = at.covered
	switch f.note = m.Notices.Text(f.Snap); {
	case m.Loading != nil && (f.note.Text == "" || m.Loading.Stop == nil):
		f.note = control.Note{Text: control.Opening(m.Loading, &m.Theme, loadingCells)}
	case !m.Notices.AsIs:
		f.note.Text = plane.Exponents(f.note.Text)
		_, turned := f.Snap.Notice.Fact.(state.Changed)
		if turned && m.Notices.Own.Text == "" && f.note.Text != "" && m.Lane().Previous != nil && !m.Focus.Card {
			f.note.Text += "; " + m.Keys.First("before and after") + " compares before with after"
		}
	}
	for _, s := range at.slots {
		f.taped = f.taped || s.place == control.Top && !s.Empty()
	}
	f.bottom = func(g plane.Region) {
		for i, c := range m.controllers {
			if at.slots[i].place == control.Bottom {
				c.Draw(g, &f.Frame)
			}
		}
	}
	return f
}

// hints is the footer's line of keys for a width.
func (m *model) hints(width int) []control.Hint {
	if m.Keys.Layer != nil {
		return control.Fit(control.Hints(m.Keys.Layer.Bindings()), width, m.Theme.ASCII)
	}
	return control.Footer(m.Keys.Bindings, width, m.Theme.ASCII)
}

func (m *model) draw() {
	m.tell(control.FrameMsg{})
	m.compose(true)
}

// compose composes the frame of what the controllers have made ready for it. One that is not for
// the screen's own user has no notice and no keys at the foot, which are of no use to others.
func (m *model) compose(own bool) {
	m.Screen.Dirty = false
	p := m.Screen.Plane
	if w, h := p.Size(); w == 0 || h == 0 {
		m.drawn = ""
		return
	}
	m.Focus.Settle(m.Feed.Foreseen)
	if m.Keys.Layer != nil && m.Keys.Layer.Slot(m.Screen.Height).At == control.Whole {
		m.Screen.Panes.Reset()
		p.Clear()
		f := m.Frame()
		m.Keys.Layer.Draw(p.Region(), &f)
		m.drawn = p.Render()
		return
	}
	at := m.arrange()
	f := m.seen(at)
	if !own {
		f.note, f.hints = control.Note{}, nil
	}
	var note plane.Rect
	if !at.compact {
		note, at.view = at.view.CutBottom(lifted(f, at.footer, at.view.H))
	}
	m.Screen.ViewRect = at.view
	p.Clear()
	if at.compact {
		m.Screen.Panes.Reset()
		compact(p.Sub(at.view), f)
	} else {
		m.views[m.Focus.View].Draw(p.Sub(at.view), &f.Frame)
		header(p.Sub(at.header), f) // after the view, which knows whether it is zoomed
		foot(p.Region(), f, at.footer, note)
	}
	for i, c := range m.controllers {
		if !at.slots[i].Empty() {
			c.Draw(p.Sub(at.slots[i].Rect), &f.Frame)
		}
	}
	if m.Keys.Layer != nil {
		m.Keys.Layer.Draw(m.stage(), &f.Frame)
	}
	m.drawn = p.Render()
}

// drawAs draws the frame as other terminals would show it, with an empty foot, and then its own again, so that
// what stands where is as on its own.
func (m *model) drawAs(terminals []control.Terminal) []*plane.Plane {
	own, look, w, h := m.Screen.Plane, m.Theme, m.Screen.Width, m.Screen.Height
	var all []*plane.Plane
	for _, t := range terminals {
		p := plane.NewPlane(t.Width, t.Height)
		p.ASCII, p.NoImages = t.Look.ASCII, true
		m.Screen.Plane, m.Theme, m.Screen.Width, m.Screen.Height = p, theme.Of(t.Look), t.Width, t.Height
		m.compose(false)
		all = append(all, p)
	}
	m.Screen.Plane, m.Theme, m.Screen.Width, m.Screen.Height = own, look, w, h
	m.compose(true)
	return all
}
