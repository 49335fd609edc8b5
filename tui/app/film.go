package app

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/record"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Files are where the screen's pictures, casts and tables go. A name may lack its
// extension; an empty one is chosen by the date.
type Files interface {
	// Whole writes a file that appears whole or not at all, and returns its name.
	Whole(name, ext string, write func(io.Writer) error) (string, error)
	// Stream begins a file that is written line by line, and returns its name.
	Stream(name, ext string) (io.WriteCloser, string, error)
}

// errNoFiles says that there is nowhere to write to.
var errNoFiles = errors.New("nothing can be written here")

// filming is the cast that is being recorded, if any.
type filming struct {
	cast *record.Cast
	name string
	end  func() error // ends the cast and closes its file, once
}

// running reports whether the screen is being recorded.
func (f *filming) running() bool { return f.cast != nil }

// filmEndedMsg says that a cast has ended, by itself or because it was told to.
type filmEndedMsg struct {
	cast *record.Cast
	err  error
}

// film begins a cast, or ends it.
func (m *model) film(name string) tea.Cmd {
	if m.screen.filming.running() {
		return m.cut()
	}
	if m.opts.Files == nil {
		return m.Say(true, errNoFiles.Error())
	}
	out, name, err := m.opts.Files.Stream(strings.TrimSpace(name), ".cast")
	if err != nil {
		return m.Say(true, err.Error())
	}
	w, h := m.Width, m.Height
	look := record.Like(m.Theme)
	c := record.NewCast(out, w, h, record.CastOptions{
		Title: m.Feed.Shown.Problem.Title, Ink: look.Ink, Ground: look.Ground, Env: map[string]string{"TERM": m.opts.getenv("TERM")},
	})
	m.Filming = true
	m.screen.filming = filming{cast: c, name: name, end: sync.OnceValue(func() error { return errors.Join(c.Close(), out.Close()) })}
	m.Dirty = true
	return tea.Batch(m.Say(false, "recording the screen to "+name), func() tea.Msg {
		<-c.Done()
		return filmEndedMsg{c, c.Err()}
	})
}

// filmFromStart begins the cast that the options ask for, as soon as the screen
// has a size.
func (m *model) filmFromStart() tea.Cmd {
	name := m.opts.Cast
	if w, h := m.Width, m.Height; name == "" || w == 0 || h == 0 {
		return nil
	}
	m.opts.Cast = ""
	return m.film(name)
}

// cut ends the cast beside the screen.
func (m *model) cut() tea.Cmd {
	f := m.screen.filming
	return func() tea.Msg { return filmEndedMsg{f.cast, f.end()} }
}

// filmed handles the end of a cast.
func (m *model) filmed(msg filmEndedMsg) tea.Cmd {
	f := m.screen.filming
	if f.cast != msg.cast {
		return nil // told already
	}
	m.screen.filming, m.Filming = filming{}, false
	if err := errors.Join(msg.err, f.end()); err != nil {
		return m.Say(true, "the recording ended: "+firstLine(err))
	}
	return m.Say(false, "recorded "+f.name)
}

// close ends the cast, whatever has ended the screen.
func (f *filming) close() error {
	if !f.running() {
		return nil
	}
	if err := f.end(); err != nil {
		return fmt.Errorf("%s: %s", f.name, firstLine(err))
	}
	return nil
}

// firstLine is the first of joined errors, which the others follow from.
func firstLine(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// shoot offers the newest frame to the cast.
func (f *filming) shoot(frame string, w, h int) {
	if f.running() {
		f.cast.Frame(frame, w, h)
	}
}

// mark puts what was turned since a snapshot into the cast.
func (f *filming) mark(before, now *engine.Snapshot) {
	if !f.running() {
		return
	}
	for _, k := range now.Marks {
		if !slices.Contains(before.Marks, k) {
			f.cast.Mark(engine.LaneLetter(k.Lane) + " " + wording.Change(k.Change))
		}
	}
}

// picture writes the screen, or the focused pane, as an SVG, or as a PNG if the
// name says so.
func (m *model) picture(name string, pane bool) tea.Cmd {
	if m.opts.Files == nil {
		return m.Say(true, errNoFiles.Error())
	}
	m.Notices.Clear()
	m.Dirty = true
	m.View()
	w, h := m.Width, m.Height
	g := record.Parse(m.screen.frame, w, h)
	look := record.Like(m.Theme)
	look.Title, look.Window = m.Feed.Shown.Problem.Title, !pane
	if pane {
		p, ok := m.PaneToStart()
		if !ok || p.Rect.Empty() {
			return m.Say(true, "this screen has no panes")
		}
		g = g.Crop(p.Rect)
	}
	files := m.opts.Files
	return func() tea.Msg {
		name = strings.TrimSpace(name)
		ext, write := ".svg", g.SVG
		if strings.HasSuffix(strings.ToLower(name), ".png") {
			ext, write = ".png", g.PNG
		}
		where, err := files.Whole(name, ext, func(w io.Writer) error { return write(w, look) })
		return wroteMsg{where, err}
	}
}

// tables writes the numbers of the charts, of the focused lane or of all: the
// points of the curves, and the newest draws beside them.
func (m *model) tables(name string, all bool) tea.Cmd {
	files := m.opts.Files
	if files == nil {
		return m.Say(true, errNoFiles.Error())
	}
	s := m.Feed.Snap
	var ids []int
	if !all {
		ids = []int{m.Lane().ID}
	}
	return func() tea.Msg {
		curves, err := files.Whole(strings.TrimSpace(name), ".csv", func(w io.Writer) error { return record.Curves(w, s, ids...) })
		if err != nil {
			return wroteMsg{"", err}
		}
		draws, err := files.Whole(strings.TrimSuffix(curves, ".csv")+"-draws", ".csv", func(w io.Writer) error { return record.Trace(w, s, ids...) })
		return wroteMsg{curves + " and " + draws, err}
	}
}

// filmVerbs are the palette's commands that write what is on the screen.
func (m *model) filmVerbs() []control.Binding {
	file := func(do func(name string) tea.Cmd) func(string) (func() tea.Cmd, error) {
		return func(arg string) (func() tea.Cmd, error) { return func() tea.Cmd { return do(arg) }, nil }
	}
	return []control.Binding{
		{Name: "record", Help: "the screen, as an asciinema cast, to a file", With: file(m.film)},
		{Name: "picture", Help: "the screen, to a file .svg or .png", With: file(func(name string) tea.Cmd { return m.picture(name, false) })},
		{Name: "pane-picture", Help: "the focused pane, to a file .svg or .png", With: file(func(name string) tea.Cmd { return m.picture(name, true) })},
		{Name: "table", Help: "all lanes' curves and draws, to files .csv", With: file(func(name string) tea.Cmd { return m.tables(name, true) })},
		{Name: "lane-table", Help: "the focused lane's curves and draws, to files .csv", With: file(func(name string) tea.Cmd { return m.tables(name, false) })},
	}
}
