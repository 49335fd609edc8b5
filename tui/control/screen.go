package control

import (
	"io"

	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Screen is where the newest frame stands, and how the next one is drawn.
type Screen struct {
	Width, Height int
	Panes         pane.Panes // of the newest frame
	ViewRect      plane.Rect // where the view is drawn
	Plane         *plane.Plane
	Hot           string // the ID of the zone under the mouse, empty for none
	Dirty         bool   // the frame no longer shows how things are
	Redraw        func() // draws the frame at once, so that Panes and Plane are those of now
	// DrawAs draws the frame as other terminals would show it, each into a plane of its own. The last row is theirs.
	DrawAs func(terminals []Terminal) []*plane.Plane
	// Table is how the numbers of the view are written, nil where they are the session's.
	Table    func() func(io.Writer) error
	Filming  bool // the screen is being recorded
	Sweeping bool // a sweep or a search runs, which stands while the session is paused
	Starting bool // the session begins slowly
}

// A Terminal is what of a terminal decides how a frame looks.
type Terminal struct {
	Width, Height int
	Look          theme.Look
}

// Compact reports whether the screen is too small for a pane.
func (s *Screen) Compact() bool { return s.Width < pane.PaneW || s.Height < pane.PaneH }

// PaneTitle is the title of a pane on the screen as it is now.
func (s *Screen) PaneTitle(name string) string {
	s.Redraw()
	if p, ok := s.Panes.Find(name); ok {
		return s.TitleOf(p)
	}
	return name
}

// TitleOf is the title of a pane in the newest frame, or else its name.
func (s *Screen) TitleOf(p pane.Shown) string {
	if title := s.Plane.TitleOf(p.Rect); title != "" && !p.Rect.Empty() {
		return title
	}
	return p.Name
}

// PaneToStart is the pane from which keys begin: the focused one, else that of the focused lane, else the first.
func (s *Screen) PaneToStart(f *Focus) (pane.Shown, bool) {
	if p, ok := s.Panes.Find(f.Pane); ok {
		return p, true
	}
	return s.PaneOfLane(f, func(pane.Shown) bool { return true })
}

// PaneOfLane is the pane of the focused lane, if it is one of some panes, else the first of them.
func (s *Screen) PaneOfLane(f *Focus, some func(pane.Shown) bool) (pane.Shown, bool) {
	if p, ok := s.Panes.Find(pane.LanePane(f.Lane)); ok && some(p) {
		return p, true
	}
	for _, p := range s.Panes.All() {
		if some(p) {
			return p, true
		}
	}
	return pane.Shown{}, false
}
