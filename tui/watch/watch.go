// Package watch shows on a terminal how the figures of many sessions grow while these run.
//
// A Watch draws what it is told by Options.Look, four times a second. The sessions run elsewhere. Whoever chooses one
// that is done ends the watch, opens it, and begins another watch afterwards.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/targets/tool/list"
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
	// Figures makes the figures of the sessions that are done, and a text for what has none. It may take its time.
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
	stops   []stop    // the points of figures, in reading order
	of      int       // the sessions of which figures is
	making  bool      // figures are being made
	rested  time.Time // when they may be made again
	top     int       // first line in sight
	at      *mark     // the chosen point of a figure, nil for that of the newest session
	id      string    // of the chosen session; "" for the newest, or the point's first
	opened  bool      // it was chosen
	helps   bool      // the keys are shown
}

// A stop is a point of a figure of which sessions are done.
type stop struct {
	report.Spot // in the lines of all figures
	figure      int
	sessions    []int // places in State.Points
}

// A mark is a point by what stays the same while figures grow.
type mark struct {
	figure, panel int
	series        string
	x             float64
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

// Run shows a watch until the user quits it, which open is "" for, or chooses the session of an ID, or ctx ends.
func Run(ctx context.Context, w *Watch) (open string, err error) {
	opts := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler()}
	if in, ok := w.o.Input.(io.Reader); ok {
		opts = append(opts, tea.WithInput(in))
	}
	if out, ok := w.o.Output.(io.Writer); ok {
		opts = append(opts, tea.WithOutput(out))
	}
	w.opened, w.making, w.helps = false, false, false
	_, err = tea.NewProgram(w, opts...).Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil && !errors.Is(err, tea.ErrProgramKilled):
		return "", fmt.Errorf("the screen: %w", err)
	case w.opened:
		return w.id, nil
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
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			w.scroll(-wheelRows)
		} else {
			w.scroll(wheelRows)
		}
	case tea.MouseClickMsg:
		w.point(msg.X, msg.Y-headRows+w.top)
	}
	return w, nil
}

// wheelRows is how far a notch of the wheel scrolls.
const wheelRows = 3

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

// draw draws the figures' lines, with a cross at the selected point.
func (w *Watch) draw() {
	w.drawn, w.stops = nil, nil
	if w.w < 1 {
		return
	}
	done := map[string]int{}
	for i, p := range w.state.Points {
		done[p.ID] = i
	}
	from := make([]int, len(w.figures)) // the figures' first lines
	for i, f := range w.figures {
		from[i] = len(w.drawn)
		text, spots := report.Marked(f, w.w, w.o.Theme, nil)
		w.drawn = append(w.drawn, lines(text)...)
		for _, s := range spots {
			x := stop{Spot: s, figure: i}
			for _, id := range w.series(x).SessionsOf(s.Point) {
				if k, ok := done[id]; ok {
					x.sessions = append(x.sessions, k)
				}
			}
			if x.Y += from[i]; x.sessions != nil {
				w.stops = append(w.stops, x)
			}
		}
	}
	if k := w.stop(); k >= 0 {
		i := w.stops[k].figure
		text, _ := report.Marked(w.figures[i], w.w, w.o.Theme, &w.stops[k].Spot)
		copy(w.drawn[from[i]:], lines(text))
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

// lines are a figure's, with a blank one below.
func lines(text string) []string {
	return append(strings.Split(strings.TrimRight(text, "\n "), "\n"), "")
}

// Rows above the figures and below them.
const (
	headRows = 2
	footRows = 2
)

// room is the lines that there are for figures.
func (w *Watch) room() int { return max(w.h-headRows-footRows, 1) }

func (w *Watch) scroll(by int) { w.top = max(0, min(w.top+by, len(w.drawn)-w.room())) }

// series is that of a point.
func (w *Watch) series(s stop) *figure.Series {
	return &w.figures[s.figure].Panels[s.Panel].Series[s.Series]
}

// mark says which point a stop is.
func (w *Watch) mark(s stop) mark {
	of := w.series(s)
	return mark{s.figure, s.Panel, of.Name, of.X[s.Point]}
}

// stop is the place of the selected point among the stops, -1 without any. A chosen one that is
// gone leaves the nearest of its series. Without a choice it is the first of the newest session.
func (w *Watch) stop() int {
	best, off := -1, math.Inf(1)
	for k, s := range w.stops {
		m := w.mark(s)
		switch {
		case w.at == nil:
			if age := float64(len(w.state.Points) - slices.Max(s.sessions)); age < off {
				best, off = k, age
			}
		case m.figure == w.at.figure && m.panel == w.at.panel && m.series == w.at.series:
			if d := math.Abs(m.x - w.at.x); d < off {
				best, off = k, d
			}
		}
	}
	return best
}

// choose selects a point, with the first of its sessions, and brings it into sight.
func (w *Watch) choose(k int) {
	if k < 0 || k >= len(w.stops) {
		return
	}
	s := w.stops[k]
	m := w.mark(s)
	w.at, w.id = &m, ""
	w.draw()
	const around = 3
	w.scroll(min(s.Y-around-w.top, 0))
	w.scroll(max(s.Y+around+1-w.room()-w.top, 0))
}

// along selects the point so many further along the series.
func (w *Watch) along(by int) {
	k := w.stop()
	to := max(0, min(k+by, len(w.stops)-1))
	for k >= 0 && w.group(w.stops[to]) != w.group(w.stops[k]) {
		to -= by / max(by, -by)
	}
	w.choose(to)
}

// group is the figure, panel and series of a point.
func (w *Watch) group(s stop) [3]int { return [3]int{s.figure, s.Panel, s.Series} }

// across selects a point of the next series, or the one before: the one of the same number in
// another panel, the one in the nearest column in the same.
func (w *Watch) across(by int) {
	k := w.stop()
	if k < 0 {
		return
	}
	here, to := w.stops[k], k
	for to >= 0 && to < len(w.stops) && w.group(w.stops[to]) == w.group(here) {
		to += by
	}
	if to < 0 || to >= len(w.stops) {
		return
	}
	next, best := w.group(w.stops[to]), to
	off := func(k int) int {
		if s := w.stops[k]; s.figure != here.figure || s.Panel != here.Panel {
			return abs(s.Point - here.Point)
		}
		return abs(w.stops[k].X - here.X)
	}
	for ; to >= 0 && to < len(w.stops) && w.group(w.stops[to]) == next; to += by {
		if off(to) < off(best) {
			best = to
		}
	}
	w.choose(best)
}

// point selects the point that is nearest to a cell of the lines. A row is as far as two columns.
func (w *Watch) point(x, y int) {
	best, off := -1, 2*wheelRows
	for k, s := range w.stops {
		if d := abs(s.X-x) + 2*abs(s.Y-y); d < off {
			best, off = k, d
		}
	}
	w.choose(best)
}

func abs(n int) int { return max(n, -n) }

// sessions are those to choose from, by their places: the selected point's, or all where figures have no points.
func (w *Watch) sessions() []int {
	if k := w.stop(); k >= 0 {
		return w.stops[k].sessions
	}
	all := list.Upto(len(w.state.Points))
	return all
}

// session is the place of the selected session among those to choose from, -1 without any.
func (w *Watch) session() (at int, of []int) {
	of = w.sessions()
	for i, k := range of {
		if w.state.Points[k].ID == w.id {
			return i, of
		}
	}
	if len(w.stops) > 0 {
		return 0, of
	}
	return len(of) - 1, of
}

// another selects the session so many further.
func (w *Watch) another(by int) {
	if at, of := w.session(); at >= 0 {
		w.id = w.state.Points[of[max(0, min(at+by, len(of)-1))]].ID
	}
}

// A binding is keys that do something. Its label and help are in the list of keys, and its hint,
// if it has one, in the last row.
type binding struct {
	label, help, hint string
	keys              map[string]func() tea.Cmd
}

// bindings are all keys.
func (w *Watch) bindings() (all []binding) {
	const far = 1 << 20
	do := func(f func(int), by int) func() tea.Cmd {
		return func() tea.Cmd { w.helps = false; f(by); return nil }
	}
	scrolls := binding{"pgup pgdown, the wheel", "scroll", "pgdn scroll", map[string]func() tea.Cmd{
		"pgup": do(w.scroll, -w.room()), "pgdown": do(w.scroll, w.room()),
	}}
	if len(w.stops) == 0 {
		scrolls.keys["up"], scrolls.keys["down"] = do(w.scroll, -1), do(w.scroll, 1)
		scrolls.label, scrolls.hint = "↑ ↓ "+scrolls.label, "↑↓ scroll"
		all = []binding{{"← → home end", "select a session", "←→ select a session", map[string]func() tea.Cmd{
			"left":  do(w.another, -1),
			"right": do(w.another, 1),
			"home":  do(w.another, -far),
			"end":   do(w.another, far),
		}}}
	} else {
		all = []binding{
			{"← →, a click", "select the next point of the series, the one before", "←→ select a point",
				map[string]func() tea.Cmd{"left": do(w.along, -1), "right": do(w.along, 1)}},
			{"home end", "select the first point of the series, the last", "",
				map[string]func() tea.Cmd{"home": do(w.along, -far), "end": do(w.along, far)}},
			{"↑ ↓", "select a point of the series before, of the next", "↑↓ series",
				map[string]func() tea.Cmd{"up": do(w.across, -1), "down": do(w.across, 1)}},
			{"tab shift+tab", "select another session of the point: points are means over seeds", "tab session",
				map[string]func() tea.Cmd{
					"tab": do(w.another, 1), "shift+tab": do(w.another, -1),
				}},
		}
	}
	return append(all, scrolls,
		binding{"enter", "open the session on the screen, from its start, while the others go on", "enter opens it",
			map[string]func() tea.Cmd{"enter": w.open}},
		binding{"?", "these keys, or the figures again", "? keys",
			map[string]func() tea.Cmd{"?": func() tea.Cmd { w.helps = !w.helps; return nil }}},
		binding{"q esc ctrl+c", "quit: what runs is interrupted, and the same command goes on from there", "q quit",
			map[string]func() tea.Cmd{
				"q": w.back, "esc": w.back, "ctrl+c": func() tea.Cmd { return tea.Quit },
			}})
}

// open ends the watch with the selected session, if there is one.
func (w *Watch) open() tea.Cmd {
	at, of := w.session()
	if at < 0 {
		return nil
	}
	w.id, w.opened = w.state.Points[of[at]].ID, true
	return tea.Quit
}

// back puts the list of keys away, or else ends the watch.
func (w *Watch) back() tea.Cmd {
	if !w.helps {
		return tea.Quit
	}
	w.helps = false
	return nil
}

// hints is the last row.
func (w *Watch) hints() string {
	hints := list.Map(w.bindings(), func(b binding) string { return b.hint })
	return strings.Join(list.Filter(hints, func(hint string) bool { return hint != "" }), " · ")
}

// help lists the keys.
func (w *Watch) help() (lines []string) {
	for _, b := range w.bindings() {
		line := fmt.Sprintf("  %-24s%s", b.label, b.help)
		if w.o.Theme.ASCII {
			line = plane.ASCII(line)
		}
		lines = append(lines, line)
	}
	return lines
}

func (w *Watch) key(k string) tea.Cmd {
	for _, b := range w.bindings() {
		if do := b.keys[k]; do != nil {
			return do()
		}
	}
	w.helps = false
	return nil
}

// View implements tea.Model.
func (w *Watch) View() tea.View {
	return tea.View{Content: w.text(), AltScreen: true, MouseMode: tea.MouseModeCellMotion}
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
	switch at, of := w.session(); {
	case at < 0:
		g.TextFit(0, 0, w.w, th, "no session is done yet", th.Dim)
	default:
		p := w.state.Points[of[at]]
		text := fmt.Sprintf("session %d of %d: %s", at+1, len(of), p.ID)
		if k := w.stop(); k >= 0 {
			s := w.stops[k]
			series := w.series(s)
			text = fmt.Sprintf("%s at %.4g, %.4g, %s", series.Name, series.X[s.Point], series.Y[s.Point], text)
		}
		if p.Score != "" {
			text += ", " + p.Score
		}
		g.Set(0, 0, th.Glyphs.Pointer, th.Accent)
		g.TextFit(2, 0, w.w-2, th, text, th.Text)
	}
	g.TextFit(0, 1, w.w, th, w.hints(), th.Dim)

	render := func(p *plane.Plane) []string {
		if th.NoColor {
			return strings.Split(p.RenderPlain(), "\n")
		}
		return strings.Split(p.Render(), "\n")
	}
	lines := render(head)
	body := w.drawn[min(w.top, len(w.drawn)):]
	if w.helps {
		body = w.help()
	}
	body = body[:min(len(body), w.room())]
	lines = append(lines, body...)
	for len(lines) < headRows+w.room() {
		lines = append(lines, "")
	}
	lines = append(lines, render(foot)...)
	return strings.Join(lines[:min(len(lines), w.h)], "\n")
}
