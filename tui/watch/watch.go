// Package watch shows on a terminal how the figures of many sessions grow while these run.
//
// A Watch draws what it is told by Options.Look, four times a second. The sessions run
// elsewhere. Whoever chooses one that is done ends the watch, opens it, and begins another
// watch afterwards.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/report"
	"github.com/psgld/psgld-tui/tui/theme"
)

// State is how far the sessions are.
type State struct {
	Done   float64 // from 0 to 1
	Label  string  // how many are done, and the time left
	Over   bool    // all are done, or have failed
	Points []Point // those that are done, in the order in which they were
}

// A Point is a session that is done.
type Point struct {
	ID    string
	Score string // what came of it, in a few words
}

// Options are what a watch shows.
type Options struct {
	Title string
	Theme theme.Theme
	// Look says how far the sessions are. It is called in the screen's goroutine.
	Look func() State
	// Figures makes the figures of the sessions that are done, and a text for what has none. It
	// may take its time.
	Figures       func() ([]figure.Figure, string)
	Input, Output any // the terminal
}

// lookEvery is how often a watch looks how far the sessions are.
const lookEvery = 250 * time.Millisecond

// Watch is the model of the screen.
type Watch struct {
	o       Options
	w, h    int
	state   State
	figures []figure.Figure
	rest    string    // the text below them
	drawn   []string  // the lines of both
	of      int       // the points of which figures is
	making  bool      // figures are being made
	rested  time.Time // when they may be made again
	top     int       // first line in sight
	id      string    // of the selected point; "" for the newest
	opened  bool      // it was chosen
}

type (
	lookMsg    struct{}
	figuresMsg struct {
		figures []figure.Figure
		rest    string
		of      int
		took    time.Duration
	}
)

// New makes a watch.
func New(o Options) *Watch { return &Watch{o: o, of: -1} }

// Run shows a watch until the user quits it, which open is "" for, or chooses the session of
// an ID, or ctx ends.
func Run(ctx context.Context, w *Watch) (open string, err error) {
	opts := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler()}
	if in, ok := w.o.Input.(io.Reader); ok {
		opts = append(opts, tea.WithInput(in))
	}
	if out, ok := w.o.Output.(io.Writer); ok {
		opts = append(opts, tea.WithOutput(out))
	}
	w.opened, w.making = false, false
	_, err = tea.NewProgram(w, opts...).Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil && !errors.Is(err, tea.ErrProgramKilled):
		return "", fmt.Errorf("the screen: %w", err)
	case w.opened:
		return w.state.Points[w.at()].ID, nil
	}
	return "", nil
}

// Init implements tea.Model.
func (w *Watch) Init() tea.Cmd { return func() tea.Msg { return lookMsg{} } }

// Update implements tea.Model.
func (w *Watch) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		w.w, w.h = msg.Width, msg.Height
		w.draw()
	case lookMsg:
		w.state = w.o.Look()
		return w, tea.Batch(w.make(), tea.Tick(lookEvery, func(time.Time) tea.Msg { return lookMsg{} }))
	case figuresMsg:
		w.making, w.figures, w.rest, w.of = false, msg.figures, msg.rest, msg.of
		w.rested = time.Now().Add(restsFor * msg.took)
		w.draw()
	case tea.KeyPressMsg:
		return w, w.key(msg.String())
	}
	return w, nil
}

// restsFor is how many times as long as figures took to make they are not made again, so that
// the sessions have the processor. When all sessions are done there is no rest.
const restsFor = 9

// make has the figures made anew if sessions were done since. One at a time.
func (w *Watch) make() tea.Cmd {
	n := len(w.state.Points)
	if w.making || n == w.of || !w.state.Over && time.Now().Before(w.rested) {
		return nil
	}
	w.making = true
	return func() tea.Msg {
		start := time.Now()
		all, rest := w.o.Figures()
		return figuresMsg{all, rest, n, time.Since(start)}
	}
}

// draw draws the figures' lines.
func (w *Watch) draw() {
	w.drawn = nil
	if w.w < 1 {
		return
	}
	for _, f := range w.figures {
		text := strings.TrimRight(report.Figure(f, w.w, w.o.Theme), "\n ")
		w.drawn = append(append(w.drawn, strings.Split(text, "\n")...), "")
	}
	if w.rest != "" {
		rest := w.rest
		if w.o.Theme.ASCII {
			rest = plane.ASCII(rest)
		}
		for line := range strings.SplitSeq(strings.TrimRight(rest, "\n"), "\n") {
			if lines := plane.Wrap(line, w.w); len(lines) > 1 && !strings.Contains(line, "  ") { // rows of tables stay
				w.drawn = append(w.drawn, lines...)
			} else {
				w.drawn = append(w.drawn, line)
			}
		}
	}
	w.scroll(0)
}

// room is the lines that there are for figures.
func (w *Watch) room() int { return max(w.h-4, 1) }

func (w *Watch) scroll(by int) { w.top = max(0, min(w.top+by, len(w.drawn)-w.room())) }

// at is the place of the selected point.
func (w *Watch) at() int {
	for i, p := range w.state.Points {
		if p.ID == w.id {
			return i
		}
	}
	return len(w.state.Points) - 1
}

// keys are what the footer says.
const keys = "←→ select a session · enter opens it · ↑↓ scroll · q quit"

func (w *Watch) key(k string) tea.Cmd {
	n := len(w.state.Points)
	choose := func(i int) {
		if n > 0 {
			w.id = w.state.Points[max(0, min(i, n-1))].ID
		}
	}
	switch k {
	case "q", "ctrl+c", "esc":
		return tea.Quit
	case "enter":
		if n > 0 {
			w.opened = true
			w.id = w.state.Points[w.at()].ID
			return tea.Quit
		}
	case "left":
		choose(w.at() - 1)
	case "right":
		choose(w.at() + 1)
	case "home":
		choose(0)
	case "end":
		choose(n - 1)
	case "up":
		w.scroll(-1)
	case "down":
		w.scroll(1)
	case "pgup":
		w.scroll(-w.room())
	case "pgdown":
		w.scroll(w.room())
	}
	return nil
}

// View implements tea.Model.
func (w *Watch) View() tea.View {
	return tea.View{Content: w.text(), AltScreen: true}
}

// text is the screen.
func (w *Watch) text() string {
	if w.w < 1 || w.h < 1 {
		return ""
	}
	th := w.o.Theme
	head, foot := plane.NewPlane(w.w, min(2, w.h)), plane.NewPlane(w.w, 2)
	head.ASCII, foot.ASCII = th.ASCII, th.ASCII
	g := head.Region()
	label := w.state.Label
	if w.state.Over {
		label = "all is done: q writes the report"
	}
	g.TextFit(0, 0, max(w.w-plane.Width(label)-2, 0), th, w.o.Title, th.Title)
	g.TextRight(w.w, 0, label, th.Text)
	full := int(w.state.Done * float64(w.w))
	g.HLine(0, 1, w.w, th.Glyphs.Horizontal, th.Faint)
	g.HLine(0, 1, full, th.Glyphs.Horizontal, th.Accent)

	g = foot.Region()
	switch at := w.at(); {
	case at < 0:
		g.TextFit(0, 0, w.w, th, "no session is done yet", th.Dim)
	default:
		p := w.state.Points[at]
		text := fmt.Sprintf("session %d of %d: %s", at+1, len(w.state.Points), p.ID)
		if p.Score != "" {
			text += ", " + p.Score
		}
		g.Set(0, 0, th.Glyphs.Pointer, th.Accent)
		g.TextFit(2, 0, w.w-2, th, text, th.Text)
	}
	g.TextFit(0, 1, w.w, th, keys, th.Dim)

	render := func(p *plane.Plane) []string {
		if th.NoColor {
			return strings.Split(p.RenderPlain(), "\n")
		}
		return strings.Split(p.Render(), "\n")
	}
	lines := render(head)
	body := w.drawn[min(w.top, len(w.drawn)):]
	body = body[:min(len(body), w.room())]
	lines = append(lines, body...)
	for len(lines) < 2+w.room() {
		lines = append(lines, "")
	}
	lines = append(lines, render(foot)...)
	return strings.Join(lines[:min(len(lines), w.h)], "\n")
}
