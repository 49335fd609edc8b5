package tui

import (
	"fmt"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/panel"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/sweep"
)

// screen is what is drawn: one plane that is used again for every frame, and
// the newest frame as text, which stands until something makes it dirty.
type screen struct {
	plane *plane.Plane
	views []pane.View
	grid  *sweep.Shown // what the last of them shows
	frame string
	hint  hint

	filming filming
}

// hint is the line of keys for a width, kept since every frame needs it.
type hint struct {
	width        int
	lost, paused bool
	text         string
}

func newScreen(o Options) (theme.Theme, screen) {
	term := o.getenv("TERM")
	noColor := o.NoColor || term == "dumb" || monochrome(term) || o.getenv("NO_COLOR") != ""
	ascii := o.ASCII || o.asciiOnly() != "" && !o.unicode
	dark := o.Dark == nil || *o.Dark
	s := screen{plane: plane.NewPlane(0, 0), grid: new(sweep.Shown)}
	s.views = panel.Views(s.grid)
	s.plane.ASCII = ascii
	return theme.New(dark, noColor, ascii), s
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
	w, _ := m.Width, m.Height
	m.Focus.Settle(m.Feed.Shown)
	if m.pointer.over {
		m.under()
	}
	f := m.looked()
	f.Hint, f.Hot = m.hint(w-2), m.pointer.hint
	f.BrowseHint = m.browseHint()
	if f.Theme.ASCII {
		f.Hint, f.BrowseHint = arrowWords.Replace(m.hint(w-2-arrowRoom)), arrowWords.Replace(f.BrowseHint)
	}
	v, typing := m.mode.(*valueInput)
	if typing {
		text := v.line.show(m.Cursor())
		f.Input = &text
	}
	f.Covered = f.Covered || m.mode != nil && !typing
	if f.Note, _ = m.Notices.Text(f.Snap); !m.Notices.AsIs {
		f.Note.Text = pane.ShortNames(&f.Theme, f.Note.Text)
	}
	return f
}

// arrowWords names the arrow keys where there are no arrows to draw: in ASCII
// they would look like < and >, which are keys of their own.
var arrowWords = strings.NewReplacer("shift+← shift+→", "shift+arrows", "←→", "arrows", "↑↓", "up/down",
	"←", "left", "→", "right", "↑", "up", "↓", "down")

// arrowRoom is what the words need more than the arrows, in a line of keys.
const arrowRoom = 10

// hint is the footer's line of keys. What to do about a diverged lane comes
// first.
func (m *model) hint(width int) string {
	if m.mode != nil {
		return m.mode.hint(m, width)
	}
	if m.Focus.Read {
		return m.keys.Hint(keymap.Reading, width)
	}
	if m.tape.on {
		return m.keys.Hint(keymap.Scrub, width)
	}
	if s := m.lessonFoot(width); s != "" {
		return s
	}
	if m.browsing() {
		return m.keys.Hint(keymap.Images, width)
	}
	if m.onGrid() {
		return m.cellsHint(width)
	}
	h := &m.screen.hint
	if lost, paused := control.Diverged(m.Feed.Shown), m.Feed.Shown.Phase == engine.Paused; h.width != width || h.lost != lost || h.paused != paused || h.text == "" {
		*h = hint{width, lost, paused, m.mainHint(width)}
		rescue := m.keys.Key(keymap.RewindHalf) + fmt.Sprintf(" back %d steps, half the ε · ", rewindSteps) + m.keys.Key(keymap.Restart) + " restart · "
		if rest := width - plane.Width(rescue); lost && rest > 0 {
			h.text = rescue + m.mainHint(rest)
		}
	}
	return h.text
}

// mainHint names the keys of the main screen, the one that pauses by what it does.
func (m *model) mainHint(width int) string {
	text := m.keys.Hint(keymap.Main, width)
	if m.Feed.Shown.Phase != engine.Paused {
		return text
	}
	key := m.keys.Key(keymap.Pause)
	return strings.Replace(text, key+" pause", key+" go on", 1) // which is as wide
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
	m.Dirty = false
	if w, h := s.plane.Size(); w == 0 || h == 0 {
		s.frame = ""
		return
	}
	f := m.frame()
	panel.Screen(s.plane, s.views[m.Focus.View], f)
	m.drawLesson(f)
	if m.mode != nil {
		m.mode.draw(s.stage(), m.Theme)
	}
	s.frame = s.plane.Render()
}
