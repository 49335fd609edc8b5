package app

import (
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	xterm "github.com/charmbracelet/x/term"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pixels"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/theme"
)

// newTheme is how the screen looks on the terminal of the options.
func newTheme(o Options) theme.Theme {
	term := o.getenv("TERM")
	noColor := o.NoColor || term == "dumb" || monochrome(term) || o.getenv("NO_COLOR") != ""
	ascii := o.ASCII || theme.ASCIIOnly(o.getenv) != "" && !o.unicode
	dark := o.Dark == nil || *o.Dark
	return theme.New(dark, noColor, ascii)
}

// openSettings reads the settings and puts them where the options leave it to the user.
func openSettings(o *Options) control.Settings {
	s := control.Settings{Kept: prefs.Default(), Path: o.Settings}
	if o.Settings != "" {
		s.Kept, s.Unread = prefs.Read(o.Settings)
		if o.FPS <= 0 {
			o.FPS = s.Kept.FPS
		}
	}
	s.Formulas, s.Models = s.Kept.Formulas, s.Kept.Models
	if o.Dark == nil && s.Kept.Theme != "auto" {
		dark := s.Kept.Theme == "dark"
		o.Dark = &dark
	}
	o.ASCII = o.ASCII || s.Kept.ASCII
	o.unicode = s.Kept.Unicode
	s.Dark, s.ASCII = o.Dark, theme.ASCIIOnly(o.getenv)
	return s
}

// monochrome reports whether a terminal is one of DEC's without colours, such as vt100, or is said to be without them.
func monochrome(term string) bool {
	return strings.HasPrefix(term, "vt1") || strings.HasPrefix(term, "vt2") || strings.HasSuffix(term, "-mono") ||
		strings.HasSuffix(term, "-m")
}

// watched is a terminal that tells when it is gone. A raw one has no end of input but that: a terminal that is closed
// while it does not control the program sends no signal.
type watched struct {
	*os.File
	gone func()
}

// input is where keys come from: unless it is said, from standard input or, where that
// is no terminal, from the one that controls the process.
func (o Options) input() (io.Reader, error) {
	switch {
	case o.Input != nil:
		return o.Input, nil
	case xterm.IsTerminal(os.Stdin.Fd()):
		return os.Stdin, nil
	}
	in, _, err := tea.OpenTTY() // it stays open until the process ends
	return in, err
}

func (w watched) Read(b []byte) (int, error) {
	n, err := w.File.Read(b)
	if n == 0 && err != nil {
		w.gone()
	}
	return n, err
}

// counted is a terminal that counts the bytes written to it.
type counted struct {
	io.Writer
	written *atomic.Int64
}

func (c counted) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.written.Add(int64(n))
	return n, err
}

// filtered is a terminal's file to which write writes. Bubble Tea asks for the size of a file.
type filtered struct {
	*os.File
	write func([]byte) (int, error)
}

func (f filtered) Write(b []byte) (int, error)       { return f.write(b) }
func (f filtered) WriteString(s string) (int, error) { return f.write([]byte(s)) }

// terminal is what the screen writes to, with its bytes counted in written, and the images that
// it holds beside that, nil where there are none.
func (o Options) terminal(written *atomic.Int64) (io.Writer, *pixels.Terminal) {
	out := o.Output
	if out == nil {
		out = os.Stdout
	}
	c := counted{out, written}
	f, ok := out.(*os.File)
	switch {
	case !ok:
		return c, nil
	case !xterm.IsTerminal(f.Fd()):
		return filtered{f, c.Write}, nil
	}
	images := pixels.New(c, func() (int, int) { return pixels.CellSize(f) }, o.getenv)
	return filtered{f, images.Pass}, images
}

// lastWord is how long the end of the program waits for what the terminal was asked, and
// longAgo is how old a question is whose answer is not expected.
const (
	lastWord = 100 * time.Millisecond
	longAgo  = 2 * time.Second
)

// awaited are the questions that the terminal has not answered. An answer that comes when the
// program has ended is typed into the shell.
type awaited struct {
	answers int
	asked   time.Time // the last one
	leaving bool
}

// ask is a question, which has one answer.
func (a *awaited) ask(question tea.Cmd) tea.Cmd {
	a.answers, a.asked = a.answers+1, time.Now()
	return question
}

// filter lets the program end when the answers have come, or after a while in which quit is called.
func (a *awaited) filter(msg tea.Msg, quit func()) tea.Msg {
	switch msg.(type) {
	case tea.QuitMsg:
		if !a.leaving && a.answers > 0 && time.Since(a.asked) < longAgo {
			a.leaving = true
			time.AfterFunc(lastWord, quit)
			return nil
		}
	case tea.TerminalVersionMsg, tea.BackgroundColorMsg:
		if a.answers = max(a.answers-1, 0); a.leaving && a.answers == 0 {
			return tea.QuitMsg{}
		}
	}
	return msg
}

// lineRate is how many bytes a second the frames of a running session are given on a screen of so many cells: 90 kB/s
// at 80×24, 180 kB/s at 120×36, which a line over SSH can take.
func lineRate(width, height int) float64 { return 18e3 + 37.5*float64(width*height) }

// asksVersion reports whether the terminal may be one that draws block octants or images, which say their version. A
// multiplexer between draws what it knows.
func (o Options) asksVersion() bool {
	if o.getenv("TMUX") != "" || o.getenv("STY") != "" {
		return false
	}
	term := o.getenv("TERM") + " " + o.getenv("TERM_PROGRAM")
	return o.getenv("VTE_VERSION") != "" || strings.Contains(term, "kitty") || strings.Contains(term, "foot") ||
		strings.Contains(term, "ghostty")
}
