package app

import (
	"strings"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/control/steer"
	"github.com/psgld/psgld-tui/tui/control/tape"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/panel"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view"
	"github.com/psgld/psgld-tui/tui/view/sweep"
)

// screen is what is drawn: one plane that is used again for every frame, and
// the newest frame as text, which stands until something makes it dirty.
type screen struct {
	plane *plane.Plane
	views []pane.View
	grid  *sweep.Shown // what the last of them shows
	frame string
	room  int // rows that the newest frame has for the view and what is below it
}

func newScreen(o Options) (theme.Theme, screen) {
	term := o.getenv("TERM")
	noColor := o.NoColor || term == "dumb" || monochrome(term) || o.getenv("NO_COLOR") != ""
	ascii := o.ASCII || o.asciiOnly() != "" && !o.unicode
	dark := o.Dark == nil || *o.Dark
	s := screen{plane: plane.NewPlane(0, 0), grid: new(sweep.Shown)}
	s.views = view.All(s.grid)
	s.plane.ASCII = ascii
	return theme.New(dark, noColor, ascii), s
}

// openSettings reads the settings and puts them where the options leave it to
// the user. The error says why they were not read.
func openSettings(o *Options) (s control.Settings, broken error) {
	s.Kept = prefs.Default()
	if o.Settings != "" {
		s.Kept, broken = prefs.Read(o.Settings, viewNames())
		s.File = broken == nil // else it is left as it is
		if o.FPS <= 0 {
			o.FPS = s.Kept.FPS
		}
	}
	if o.Dark == nil && s.Kept.Theme != "auto" {
		dark := s.Kept.Theme == "dark"
		o.Dark = &dark
	}
	o.ASCII = o.ASCII || s.Kept.ASCII
	o.unicode = s.Kept.Unicode
	s.Dark, s.ASCII = o.Dark, o.asciiOnly()
	return s, broken
}

func viewNames() (names []string) {
	for _, v := range view.All(nil) {
		names = append(names, v.Name)
	}
	return names
}

// monochrome reports whether a terminal is one of DEC's without colours, such as
// vt100, or is said to be without them.
func monochrome(term string) bool {
	return strings.HasPrefix(term, "vt1") || strings.HasPrefix(term, "vt2") || strings.HasSuffix(term, "-mono") || strings.HasSuffix(term, "-m")
}

// ASCIIOnly reports whether the process's terminal is taken to draw ASCII alone.
func ASCIIOnly() bool { return Options{}.asciiOnly() != "" }

// asciiOnly says why the terminal is taken to draw ASCII alone, empty where it is
// not: Linux's console has no braille, and a locale may have another charset.
// Without a locale a terminal is one of today, with UTF-8.
func (o Options) asciiOnly() string {
	switch term := o.getenv("TERM"); term {
	case "dumb", "linux":
		return "TERM=" + term
	}
	for _, key := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := o.getenv(key); v != "" {
			if name := strings.ToUpper(v); strings.Contains(name, "UTF-8") || strings.Contains(name, "UTF8") {
				return ""
			}
			return key + "=" + v
		}
	}
	return ""
}

func (m *model) resize(w, h int) {
	if m.Width == w && m.Height == h {
		return
	}
	m.Width, m.Height = max(0, w), max(0, h)
	m.screen.plane.Resize(m.Width, m.Height)
	m.Dirty = true
}

// frame is what the panels see.
func (m *model) frame() pane.Frame {
	m.Focus.Settle(m.Feed.Shown)
	f := m.looked()
	f.Hot = m.Hot
	f.Covered = f.Covered || m.Layer != nil && m.Layer.Slot(0).At == control.Over
	if f.Note, _ = m.Notices.Text(f.Snap); !m.Notices.AsIs {
		f.Note.Text = pane.ShortNames(&f.Theme, f.Note.Text)
	}
	return f
}

// looked is the frame that the keys and the mouse go by.
func (m *model) looked() pane.Frame {
	f := m.Frame()
	for _, c := range m.controllers {
		if s, ok := c.(*tape.Tape); ok {
			f.Tape = s.Bar()
		}
	}
	m.makeRoom(&f)
	return f
}

// hints is the footer's line of keys for a width.
func (m *model) hints(width int) []control.Hint {
	if m.Layer != nil {
		return control.Fit(control.Hints(m.Layer.Bindings()), width, m.Theme.ASCII)
	}
	return control.Footer(m.Bindings, width, m.Theme.ASCII)
}

// makeRoom leaves the rows below the view in a frame that controllers take: of those
// that it has without them, on a screen without panes of all but the footer.
func (m *model) makeRoom(f *pane.Frame) {
	f.Below = 0
	at := panel.Arrange(m.Width, m.Height, *f)
	if m.screen.room = at.View.H; at.Compact {
		m.screen.room = m.screen.stage().H()
	}
	for _, c := range m.controllers {
		switch slot := c.Slot(m.screen.room); slot.At {
		case control.Below:
			f.Below += slot.Rows
		case control.Over:
			f.Covered = true
		}
	}
	m.Below = f.Below
}

// stage is where overlays are drawn: all but the footer, which has their keys,
// if there is room for both.
func (s *screen) stage() plane.Region {
	g := s.plane.Region()
	if g.H() > 6 {
		g = g.Sub(plane.Rect{W: g.W(), H: g.H() - 1})
	}
	return g
}

// draw composes the frame.
func (m *model) draw() {
	s := &m.screen
	m.tell(control.FrameMsg{})
	m.Dirty = false
	if w, h := s.plane.Size(); w == 0 || h == 0 {
		s.frame = ""
		return
	}
	f := m.frame()
	for _, c := range m.controllers {
		if s, ok := c.(*steer.Steer); ok {
			s.Type(&f)
		}
	}
	m.Below, m.ViewRect = f.Below, panel.Arrange(m.Width, m.Height, f).View
	panel.Screen(s.plane, s.views[m.Focus.View], f, m.hints(m.Width-2))
	below := panel.Arrange(m.Width, m.Height, f).Below
	for _, c := range m.controllers {
		switch slot := c.Slot(m.screen.room); slot.At {
		case control.Below:
			var at plane.Rect
			at, below = below.CutTop(slot.Rows)
			c.Draw(s.plane.Sub(at), &f)
		case control.Over:
			c.Draw(s.stage(), &f)
		}
	}
	if m.Layer != nil {
		m.Layer.Draw(s.stage(), &f)
	}
	s.frame = s.plane.Render()
}
