package control

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Desk is what the controllers share: the session, what there is to tell, where the
// attention is, and what the screen looks like.
type Desk struct {
	Feed     Feed
	Notices  Notices
	Focus    Focus
	Settings Settings
	Theme    theme.Theme
	Screen   Screen
	Keys     Keys
	Outside  Outside
	// Now is the clock by which a person's time is told.
	Now    func() time.Time
	Losses Losses
	// InLesson reports whether a scene of a lesson is at hand, and where in it the user is.
	InLesson func() (phase lesson.Phase, plays bool)
	// Fetches counts what was to be opened beside the screen: the newest counts.
	Fetches int
	// Behind are the ends of saved sessions, which are shown behind this one on the same target.
	Behind []*engine.Snapshot
	// Loading is what is being opened; nil for nothing.
	Loading *Loading
}

// Losses are functions that say each what ending the session would lose, and what saves it. Both may be empty.
type Losses []func() (lost, saved string)

// All are what would be lost, and what saves it.
func (l Losses) All() (lost, saved []string) {
	for _, loss := range l {
		what, by := loss()
		if what != "" {
			lost = append(lost, what)
		}
		if by != "" {
			saved = append(saved, by)
		}
	}
	return lost, saved
}

// Open makes c the layer over the screen.
func (d *Desk) Open(c Controller) tea.Cmd {
	d.Keys.Layer, d.Screen.Dirty = c, true
	return nil
}

// Close closes the layer.
func (d *Desk) Close() { d.Keys.Layer, d.Screen.Dirty = nil, true }

// Frame is what panes see of the screen as it is.
func (d *Desk) Frame() pane.Frame {
	s, f := d.Feed.Displayed(), &d.Focus
	if d.Settings.Draws != "newest" && !pane.Slow(s) {
		s = pane.Thin(s)
	}
	out := pane.Frame{
		Attention: f.Attention, Snap: s, Lane: f.Index(s), Linked: !f.Separate, Params: f.List(s), LogY: !f.LinearY,
		Theme: d.Theme, Keys: d.Keys.First, Panes: &d.Screen.Panes,
	}
	if len(d.Behind) > 0 && d.Behind[0].Problem.Spec == s.Problem.Spec {
		out.Behind = d.Behind
	}
	out.Browse = f.Browse && s.Shift != nil
	return out
}

// Show shows a view. Some views are work for the session, so it is told when they are looked at.
func (d *Desk) Show(at int) tea.Cmd {
	l, f := d.Lane(), &d.Focus
	before := f.Watching(l.Watch, l.Principal)
	f.View = at
	if w := f.Watching(l.Watch, l.Principal); w != before {
		return d.Feed.Send(w)
	}
	return nil
}

// Say shows a notice.
func (d *Desk) Say(bad bool, text string) tea.Cmd {
	d.Screen.Dirty = true
	return d.Notices.Say(bad, text, d.Feed.Sent)
}

// Lane is the focused lane as shown.
func (d *Desk) Lane() *engine.LaneView {
	s := d.Feed.Foreseen
	return &s.Lanes[d.Focus.Index(s)]
}

// Selected is the selected parameter.
func (d *Desk) Selected() (param.Param, bool) {
	all := d.Focus.List(d.Feed.Foreseen)
	if len(all) == 0 {
		return param.Param{}, false
	}
	return all[d.Focus.Place(d.Feed.Foreseen)], true
}

// FocusPane gives a pane the attention, and its lane too.
func (d *Desk) FocusPane(p pane.Shown) {
	f, s := &d.Focus, d.Feed.Foreseen
	f.Pane, d.Screen.Dirty = p.Name, true
	if p.Lane >= 0 && p.Lane < len(s.Lanes) {
		f.Lane = s.Lanes[p.Lane].ID
		f.of.lane = f.Lane
	}
}

// Restyle changes what the theme is made of.
func (d *Desk) Restyle(change func(*theme.Look)) {
	l := d.Theme.Look
	change(&l)
	if l == d.Theme.Look {
		return
	}
	d.Theme, d.Screen.Dirty = theme.Of(l), true
}

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
	return list.Find(s.Panes.All(), some)
}

// Outside is what the program around the screen does for it. What is nil cannot be done.
type Outside struct {
	// Closed is why nothing outside of the screen can be reached: no file, no command, no
	// other program; empty where that can. The other fields but OfFiles and CommandLine are then nil.
	Closed string
	// OfFiles names what takes a file on the command line. A closed screen says of those names why it is closed.
	OfFiles []string
	// CommandLine writes the command that makes the session that a snapshot shows. Where one line cannot say what was
	// turned in it, the line has the present values from the start on, and the error says why.
	CommandLine func(*engine.Snapshot) (string, error)
	// Write saves the session and its draws into a folder, "" for the usual one, and says
	// what it has written. It is called outside the screen's goroutine.
	Write func(dir string) (Written, error)
	// Recorded says that the session is written at its end, so that quitting need not ask.
	Recorded bool
	// Open reads a recording, or the one in a folder that Write has made. It is called
	// outside the screen's goroutine, and tells how far it is.
	Open func(path string, at *Loading) (state.Load, error)
	// Truth finds the truth that a Config asks for on its target, and what is to be said of it. It is called outside
	// the screen's goroutine, tells how far it is, and ends with ctx.
	Truth func(ctx context.Context, c state.Config, p *targets.Problem,
		at *Loading) (ref *targets.Reference, notes []string, err error)
	// Replay plays what Open reads beside the session, or draws of its target in a file, on one thread and for a
	// bounded time, and returns its end.
	Replay func(ctx context.Context, path string, of *targets.Problem, at *Loading) (*engine.Snapshot, error)
	// Sessions lists what there is to open where Write writes, the newest first.
	Sessions func() []Saved
	// Files are where pictures, casts and tables go.
	Files Files
	// Commands are those that targets may start, and those that somebody at the screen has allowed.
	Commands *child.Commands
	// Cast is the file to which the screen is recorded from the start; empty for none.
	Cast string
}

// TargetOptions is how targets are opened from the screen, with the data of a folder.
func (o *Outside) TargetOptions(dataDir string) targets.Options {
	return targets.Options{DataDir: dataDir, Commands: o.Commands, Closed: o.Closed}
}

// Written is what was written of a session.
type Written struct {
	Where string
	// Draws is how many draws of each chain were written, of so many. Rest is the command
	// that writes the others; empty if there are none.
	Draws, Of uint64
	Rest      string
}

// Saved is a session on the disk, for the list of those that can be opened.
type Saved struct {
	Path  string // for Outside.Open
	About string // its target, samplers and length
	When  time.Time
}

// Files are where the screen's pictures, casts and tables go. A name may lack its
// extension; an empty one is chosen by the date.
type Files interface {
	// Whole writes a file that appears whole or not at all, and returns its name.
	Whole(name, ext string, write func(io.Writer) error) (string, error)
	// Stream begins a file that is written line by line, and returns its name.
	Stream(name, ext string) (io.WriteCloser, string, error)
}
