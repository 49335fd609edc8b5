package class

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/mdp/qrterminal/v3"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Board is the lecturer's view of a room, over the screen: how to join, who is there, and
// everyone's ε against their error.
type Board struct {
	control.Unseen
	desk *control.Desk
	room *Room
	join Join
	tag  int // of the chain of ticks that counts
}

// A Join is how a room is joined.
type Join struct {
	Line string // the command
	Web  string // the address for a browser, empty for none
	URL  string // one of them for a QR code
}

// Board makes the controller of a room's lecturer.
func (r *Room) Board(j Join) app.More {
	return func(d *control.Desk) control.Controller { return &Board{desk: d, room: r, join: j} }
}

// boardEvery is how often the board looks at the students.
const boardEvery = 250 * time.Millisecond

// boardMsg is the time to look.
type boardMsg struct{ tag int }

// Bindings implements control.Controller.
func (b *Board) Bindings() []control.Binding {
	return control.In(control.General, nil, []control.Binding{
		{Name: "class", Keys: "R", Help: "the room: how to join, who is there, everyone's ε", Hint: "room", Rank: 1, Do: b.open},
	})
}

// Update implements control.Controller.
func (b *Board) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case control.BeginMsg:
		return b.open(), true
	case boardMsg:
		if _, shown := b.desk.Layer.(*sheet); shown && msg.tag == b.tag {
			b.desk.Dirty = true
			return b.tick(), true
		}
		return nil, true
	}
	return nil, false
}

func (b *Board) tick() tea.Cmd {
	tag := b.tag
	return tea.Tick(boardEvery, func(time.Time) tea.Msg { return boardMsg{tag} })
}

func (b *Board) open() tea.Cmd {
	b.tag++
	return tea.Batch(b.desk.Open(&sheet{b: b}), b.tick())
}

// sheet is the board while it is open.
type sheet struct{ b *Board }

// Bindings implements control.Controller.
func (s *sheet) Bindings() []control.Binding {
	return []control.Binding{{Name: "class: close", Keys: "esc enter R", Help: "the screen", Hint: "your own screen", Rank: 1, Do: func() tea.Cmd { s.b.desk.Close(); return nil }}}
}

// Update implements control.Controller.
func (s *sheet) Update(msg tea.Msg) (tea.Cmd, bool) {
	_, key := msg.(tea.KeyPressMsg)
	return nil, key // what lies below is not turned unseen
}

// Slot implements control.Controller.
func (s *sheet) Slot(int) control.Slot { return control.Slot{At: control.Over} }

// A standing is where a student stands.
type standing struct {
	number   int
	eps      float64
	err      metrics.Estimate // of the covariance
	diverged *engine.Divergence
	off      bool // on another target than the lecturer's
}

// standings are those of the students, in the lane of a sampler, else in their first.
func (b *Board) standings(sampler string) (all []standing) {
	target := b.desk.Feed.Newest.Problem.Spec
	for _, seat := range b.room.Seats() {
		at := standing{number: seat.Number, off: true}
		if s := seat.Snapshot(); s != nil {
			l := &s.Lanes[0]
			for i := range s.Lanes {
				if s.Lanes[i].Setting.Sampler == sampler {
					l = &s.Lanes[i]
					break
				}
			}
			at.eps, at.err, at.diverged, at.off = l.Setting.Eps(), l.Values[quantity.CovError], l.Diverged, s.Problem.Spec != target
		}
		all = append(all, at)
	}
	return all
}

// lane is the lecturer's lane whose exact bias is known, else the first.
func (b *Board) lane() *engine.LaneView {
	s := b.desk.Feed.Newest
	for i := range s.Lanes {
		l := &s.Lanes[i]
		if v := l.Values[quantity.CovBias]; v.OK() {
			return l
		}
	}
	return &s.Lanes[0]
}

// exact is the error of the covariance that a lane's discretisation has at a step size, NaN where
// that is not known.
func exact(s *engine.Snapshot, set engine.Lane, eps float64) float64 {
	m, ok := catalog.Find(set.Sampler)
	truth, d := engine.Exactly(s.Problem), s.Problem.Dim()
	if !ok || m.StationaryCov == nil || truth == nil || truth.Cov == nil || d > metrics.MaxCovDim || !set.Schedule.Constant() {
		return math.NaN()
	}
	q := engine.ParamsOf(s.Problem, m, set.With("eps", eps))
	cov := make([]float64, d*d)
	if !m.StationaryCov(cov, s.Problem.Impl(), &q) {
		return math.NaN()
	}
	return metrics.CovError(cov, truth.Cov)
}

// bound is the step size from which on a lane is unstable, 0 where none is known for all of its
// steps.
func bound(s *engine.Snapshot, set engine.Lane) float64 {
	m, ok := catalog.Find(set.Sampler)
	if !ok || m.MaxStep == nil || m.StationaryCov == nil {
		return 0
	}
	q := engine.ParamsOf(s.Problem, m, set)
	return m.MaxStep(s.Problem.Impl(), &q, new(sampler.Info)).Eps
}

// The least of the board's parts.
const (
	listWidth  = 34
	leastChart = 30
)

// Draw implements control.Controller.
func (s *sheet) Draw(g plane.Region, f *pane.Frame) {
	b, th := s.b, &f.Theme
	g.Fill(' ', plane.Style{})
	lane := b.lane()
	all := b.standings(lane.Setting.Sampler)
	top, rest := g.Bounds().CutTop(2)
	b.head(g.Sub(top), th, len(all))
	if rest.W < listWidth+leastChart {
		b.list(g.Sub(rest), th, all)
		return
	}
	right, left := rest, rest
	right.X, right.W, left.W = rest.X+rest.W-listWidth, listWidth, rest.W-listWidth-1
	b.chart(g.Sub(left), th, lane, all)
	if code := b.code(th.ASCII); len(code) > 0 && right.H >= len(code)+7 {
		var at plane.Rect
		at, right = right.CutTop(len(code) + 1)
		b.qr(g.Sub(at), code)
	}
	b.list(g.Sub(right), th, all)
}

// slowed is the factor of the speed below which the board says so.
const slowed = 0.95

// head says how to join.
func (b *Board) head(g plane.Region, th *theme.Theme, here int) {
	told := b.room.Told()
	x, y := 1, 0
	say := func(label, text string, style plane.Style) {
		if x > 1 && x+plane.Width(label+" "+text) > g.W() {
			x, y = 1, y+1
		}
		if label != "" {
			x = g.Text(x, y, label+" ", th.Dim)
		}
		x = g.Text(x, y, text, style) + 3
	}
	say("join:", b.join.Line, th.Title)
	if b.join.Web != "" {
		say("or", b.join.Web, th.Title)
	}
	say("code", b.room.Code, th.Accent)
	say("", fmt.Sprintf("%d of %d here", here, b.room.Students), th.Text)
	if told.Wrong > 0 {
		text := "1 wrong code"
		if told.Wrong > 1 {
			text = fmt.Sprintf("%d wrong codes", told.Wrong)
		}
		say("", text, th.Warn)
	}
	if b.room.Governor != nil {
		if f := b.room.Governor.Factor(); f < slowed {
			say("", fmt.Sprintf("all at %.0f%% of their speed: the machine does not keep up", 100*f), th.Warn)
		}
	}
	if told.Full > 0 {
		say("", fmt.Sprintf("no seat for %d", told.Full), th.Warn)
	}
}

// code is the QR code of the address, in rows; nil where it cannot be drawn.
func (b *Board) code(ascii bool) []string {
	if ascii || b.join.URL == "" || len(b.join.URL) > 60 {
		return nil
	}
	var text strings.Builder
	qrterminal.GenerateWithConfig(b.join.URL, qrterminal.Config{Level: qrterminal.L, Writer: io.Writer(&text), HalfBlocks: true, QuietZone: 2})
	rows := strings.Split(strings.TrimRight(text.String(), "\n"), "\n")
	if len(rows) == 0 || plane.Width(rows[0]) > listWidth {
		return nil
	}
	return rows
}

// qr draws a code, light on dark whatever the terminal's colours are.
func (b *Board) qr(g plane.Region, rows []string) {
	style := plane.Style{FG: theme.RGB(255, 255, 255), BG: theme.RGB(0, 0, 0)}
	for y, row := range rows {
		g.Text((g.W()-plane.Width(row))/2, y, row, style)
	}
}

// list lists who is there.
func (b *Board) list(g plane.Region, th *theme.Theme, all []standing) {
	g = g.Box(*th, plane.Box{Title: "here", Right: fmt.Sprint(len(all))})
	if len(all) == 0 {
		g.TextFit(1, 0, g.W()-1, *th, "nobody yet", th.Dim)
	}
	rows := g.H()
	for i, at := range all {
		if i == rows-1 && len(all) > rows {
			g.TextFit(1, i, g.W()-1, *th, fmt.Sprintf("%c and %d more", th.Glyphs.Ellipsis, len(all)-i), th.Dim)
			break
		}
		mark, style := th.Lane[1].Glyph, th.Lane[1].Style
		text := "error " + plane.Number(at.err.Value, 6)
		switch {
		case at.off:
			text = "on another target"
		case at.diverged != nil:
			mark, style = th.Glyphs.Cross, th.Bad
			text = "diverged at " + plane.Count(at.diverged.Step)
		case !at.err.OK():
			text = "too few draws"
		}
		g.Set(1, i, mark, style)
		g.Text(3, i, fmt.Sprintf("%02d", at.number), th.Text)
		x := g.Text(7, i, g.Spell("ε")+" ", th.Dim)
		g.Text(x, i, plane.Number(at.eps, 7), th.Text)
		g.TextFit(17, i, g.W()-17, *th, text, th.Dim)
	}
}
