package app

import (
	"strconv"

	"github.com/psgld/psgld-tui/engine"
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
		over.Y, over.H = all.Y, over.H-all.Y
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

// sizeHint is the size that a small screen should have: paneW×paneH.
const sizeHint = "a chart needs 28×11"

// leastNumbers is the width from which on a small screen has numbers and words.
const leastNumbers = 6

// compactLayout is what a small screen has room for: rows of the lanes, then of
// the rest, in the order in which they are given up.
type compactLayout struct {
	header, lanes, strip, footer, hint int // rows
	gap                                int // blank rows after the header and after the lanes
}

func compactRows(h, lanes int) (at compactLayout) {
	take := func(n int) int {
		n = min(n, h)
		h -= n
		return n
	}
	at.lanes = take(max(lanes, 0))
	at.header = take(1)
	at.strip = take(1)
	at.footer = take(1)
	at.hint = take(1)
	if h >= 2 {
		at.gap = 1
		h -= 2
	}
	if h > 0 {
		at.strip += take(2)
	}
	return at
}

// compact draws the screen that is too small for charts: each lane is a line with the numbers that matter most.
func compact(g plane.Region, f *frame) {
	th := &f.Theme
	if g.Empty() {
		return
	}
	lanes := f.Lanes()
	if g.W() < leastNumbers {
		// Too narrow for any number: the phase, and each lane's mark.
		if f.Snap != nil {
			glyph, style, _ := f.Phase()
			g.Set(0, 0, glyph, style)
		}
		for i, v := range f.EachLane() {
			look := f.LaneStyle(v)
			style := look.Style
			if v.Diverged != nil {
				style = th.Bad
			}
			g.Set(0, 1+i, look.Glyph, style)
		}
		return
	}
	at := compactRows(g.H(), len(lanes))
	y := 0
	if at.header > 0 {
		header(g.Row(0), f)
		y = 1 + at.gap
	}
	for i := range at.lanes {
		compactLane(g.Row(y), &f.Frame, &lanes[i], i == f.FocusAt() && len(lanes) > 1)
		g.Row(y).Zone(plane.Zone{ID: pane.LanePane(lanes[i].ID),
			Click: plane.Call("lane.focus", strconv.Itoa(lanes[i].ID))})
		y++
	}
	y += at.gap
	f.bottom(g.Sub(plane.Rect{Y: y, W: g.W(), H: at.strip}))
	if at.hint > 0 {
		row := g.Row(g.H() - 1 - at.footer)
		row.TextFit(1, 0, g.W()-1, f.Theme, sizeHint, th.Faint)
	}
	if at.footer > 0 {
		row := plane.Rect{Y: g.H() - 1, W: g.W(), H: 1}
		note, _ := plane.Rect{W: g.W(), H: g.H() - 1}.CutBottom(lifted(f, row, g.H()-1))
		foot(g, f, row, note)
	}
}

func compactLane(g plane.Region, f *pane.Frame, v *engine.LaneView, focused bool) {
	th, look := &f.Theme, f.LaneStyle(v)
	style := look.Style
	if focused {
		style = style.With(theme.Bold)
	}
	g.Set(0, 0, look.Glyph, style)
	x := 2
	if g.W() >= 24 {
		// Titles of one width, so that the numbers stand in columns.
		width := min(pane.Most(f, func(v *engine.LaneView) int { return plane.Width(f.LaneTitle(v)) }), g.W()/4)
		if title := f.LaneTitle(v); plane.Width(title) <= width {
			g.Text(x, 0, title, style)
		} else {
			g.TextFit(x, 0, width, f.Theme, v.Title, style)
		}
		x += width + 1
	}
	var l, stats pane.Line
	if v.Diverged == nil && !v.Burning {
		l.Add(1, "", th.Dim, th.Text, plane.Count(v.Step))
	}
	pane.Statistics(&stats, f, v)
	for _, p := range stats.Parts {
		p.Rank += 2
		l.Parts = append(l.Parts, p)
	}
	l.Draw(g.Sub(plane.Rect{X: x, W: g.W() - x, H: 1}), 1)
}
