package class

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/mdp/qrterminal/v3"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/printable"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Board is the lecturer's view of a room, over the screen: how to join, who is there, what the
// room predicts, and everyone's ε against their error.
type Board struct {
	*control.Desk
	slowness
	room      *Room
	join      Join
	projector projector
	tag       int // of the chain of ticks that counts
	picked    int // the student who is selected, by number; 0 for none
	of        int // what is drawn against ε, of shownQuantities
	cost      cost
	asked     uint64 // the press after which the next takes everyone along
	keys      bool   // the keys are listed
	write     func(Summary) (where string, err error)

	stood   []standing // what standings found last, of a lane and a quantity and at a time
	stoodOf stoodOf
	stoodAt time.Time
}

// A Join is how a room is joined.
type Join struct {
	Line string // the command
	Web  string // the address for a browser, empty for none
	URL  string // one of them for a QR code
}

// Board makes the controller of a room's lecturer, which has no screen before it is given one.
// Write writes a summary, and says where; nil where none is written.
func (r *Room) Board(j Join, write func(Summary) (where string, err error)) *Board {
	return &Board{room: r, join: j, write: write}
}

// At gives the controller its screen. It is an app.More.
func (b *Board) At(d *control.Desk) control.Controller {
	b.Desk, b.slowness.desk, b.projector = d, d, projector{desk: d, to: b.room.screen, ended: b.room.ctx.Done()}
	d.Losses = append(d.Losses, func() (lost, saved string) {
		if n := len(b.room.Seats()); n > 0 {
			return fmt.Sprintf("the class ends for %d %s", n, pane.Plural(n, "student", "students")), ""
		}
		return "", ""
	})
	return b
}

// boardEvery is how often the board looks at the students.
const boardEvery = 250 * time.Millisecond

type (
	// boardMsg is the time to look.
	boardMsg struct{ tag int }
	// summaryMsg says that a summary was written.
	summaryMsg struct {
		where string
		err   error
	}
)

// Bindings implements control.Controller.
func (b *Board) Bindings() []control.Binding {
	return control.In(control.General, nil, []control.Binding{
		{Name: "class", Page: control.TenKeys, Keys: "j", Help: "the room: how to join, who is there, everyone's ε", Hint: "room", Rank: 1, Do: b.open},
	})
}

// Update implements control.Controller.
func (b *Board) Update(msg tea.Msg) (tea.Cmd, bool) {
	if cmd, took := b.projector.update(msg); took {
		return cmd, true
	} else if cmd != nil {
		if b.room.Lesson == nil { // which sets a speed
			b.Feed.Order(engine.SetSpeed{PerSecond: studentSpeed})
		}
		return tea.Batch(cmd, b.open()), true
	}
	switch msg := msg.(type) {
	case boardMsg:
		if _, shown := b.Layer.(*sheet); shown && msg.tag == b.tag {
			b.Dirty = true
			return b.tick(), true
		}
		return nil, true
	case watchMsg:
		return msg.looked(), true
	case summaryMsg:
		if msg.err != nil {
			return b.Say(true, msg.err.Error()), true
		}
		return b.Say(false, "wrote the summary: "+msg.where), true
	}
	return nil, false
}

func (b *Board) tick() tea.Cmd {
	tag := b.tag
	return tea.Tick(boardEvery, func(time.Time) tea.Msg { return boardMsg{tag} })
}

func (b *Board) open() tea.Cmd {
	b.tag++
	return tea.Batch(b.Open(&sheet{b: b}), b.tick())
}

// Shows implements control.Class.
func (b *Board) Shows(at *control.Scene) { b.room.lectures(at) }

// Predicts implements control.Class.
func (b *Board) Predicts(*control.Scene, int) {}

// Holds implements control.Class.
func (b *Board) Holds(at *control.Scene) string {
	if b.room.open(at) {
		return "you close the question for all: enter on the board (" + b.Key("class") + ")"
	}
	return ""
}

// Outcome implements control.Class.
func (b *Board) Outcome(at *control.Scene) string { return b.room.outcome(at, false) }

// sheet is the board while it is open.
type sheet struct{ b *Board }

// Bindings implements control.Controller.
func (s *sheet) Bindings() []control.Binding {
	b := s.b
	hint := func(on bool, yes, no string, rank int) func() (string, int) {
		return func() (string, int) {
			if on {
				return yes, rank
			}
			return no, rank
		}
	}
	p := b.question()
	return control.In(control.General, nil, []control.Binding{
		{Name: "class: close the question", Keys: "enter", Help: "close the question", HintNow: hint(p != nil && p.Open, "close the question", "", 1), Do: b.shut},
		{Name: "class: back", Keys: "esc j", Help: "your own screen", Hint: "your screen", Rank: 2, Do: func() tea.Cmd { b.Close(); return nil }},
		{Name: "class: all here", Keys: "a", Help: "everyone to your target, view and scene", Hint: "all here", Rank: 4, Do: b.allHere},
		{Name: "class: all to this view", Keys: "v", Help: "everyone to your view", Hint: "all to my view", Rank: 8, Do: b.allToView},
		{Name: "class: freeze", Keys: "f", Help: "stop everyone and show your screen, or let go", HintNow: hint(b.room.Frozen(), "let go", "freeze all", 5), Do: b.freeze},
		{Name: "class: look", Keys: "l", Help: "look over the selected student's shoulder", Hint: "look over a shoulder", Rank: 6, Do: b.look},
		{Name: "class: up", Keys: "up", Help: "select a student", Hint: "student", Rank: 7, Do: control.By(b.pick, -1)},
		{Name: "class: down", Keys: "down", Help: "select a student", Hint: "student", Rank: 7, Do: control.By(b.pick, 1)},
		{Name: "class: quantity", Keys: "tab", Help: "error, τ or bias against ε", Hint: "error, τ, bias", Rank: 9, Do: b.turn},
		{Name: "class: keys", Keys: "?", Help: "these keys, or who is here", Hint: "keys", Rank: 3, Do: func() tea.Cmd { b.keys = !b.keys; return nil }},
		{Name: "class: summary", Keys: "s", Help: "write the summary", Hint: "summary", Rank: 10, Do: b.summarise},
	})
}

// Update implements control.Controller.
func (s *sheet) Update(msg tea.Msg) (tea.Cmd, bool) {
	k, key := msg.(tea.KeyPressMsg)
	return nil, key && k.String() != "q" // what lies below is not turned unseen
}

// Slot implements control.Controller.
func (s *sheet) Slot(int) control.Slot { return control.Slot{At: control.Over} }

// question is the poll that the board shows: the one that is open, else that of the lecturer's
// scene; nil for none.
func (b *Board) question() *Poll {
	r := b.room
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.poll(r.lecture)
	if p == nil {
		return nil
	}
	c := p.copy()
	return &c
}

// shut closes the question, on the lecturer's screen too.
func (b *Board) shut() tea.Cmd {
	p := b.question()
	if p == nil || !p.Open {
		return b.Say(false, "no question is open")
	}
	return func() tea.Msg { return control.CloseMsg{At: p.At} } // which closes it for all, see lectures
}

// allHere takes everyone to where the lecturer is, at the second press.
func (b *Board) allHere() tea.Cmd {
	r, s := b.room, b.Feed.Newest
	r.mu.Lock()
	at := r.lecture
	r.mu.Unlock()
	if b.asked == 0 || b.asked+1 != b.Press {
		b.asked = b.Press
		return b.Say(false, "a again takes everyone to where you are, with a new session where theirs is another")
	}
	b.asked = 0
	what := "your session"
	if at != nil {
		r.tell(control.JoinMsg{At: at})
		what = fmt.Sprintf("scene %d of %s", at.At+1, at.Lesson.Title)
	} else {
		if err := admits(s.Problem); err != nil {
			return b.Say(true, err.Error())
		}
		cfg := s.Config
		cfg.Lanes = slices.Clone(cfg.Lanes)
		r.tell(targetMsg{cfg, s.Problem})
	}
	r.tell(viewMsg{b.Focus.View})
	return b.Say(false, "everyone goes to "+what)
}

func (b *Board) allToView() tea.Cmd {
	b.room.tell(viewMsg{b.Focus.View})
	return b.Say(false, "everyone sees the view "+b.Views[b.Focus.View])
}

func (b *Board) freeze() tea.Cmd {
	on := !b.room.Frozen()
	b.room.freeze(on)
	if on {
		return b.Say(false, "every session stands, and everyone sees your screen")
	}
	return b.Say(false, "everyone goes on")
}

// pick selects the student that is so many places away.
func (b *Board) pick(by int) tea.Cmd {
	all := b.room.Seats()
	if len(all) == 0 {
		return b.Say(false, "nobody is here yet")
	}
	i := slices.IndexFunc(all, func(s *Seat) bool { return s.Number == b.picked })
	if i < 0 && by < 0 {
		i = len(all)
	}
	b.picked = all[min(max(i+by, 0), len(all)-1)].Number
	return nil
}

// look looks over the shoulder of the selected student.
func (b *Board) look() tea.Cmd {
	all := b.room.Seats()
	i := slices.IndexFunc(all, func(s *Seat) bool { return s.Number == b.picked })
	if i < 0 {
		return b.Say(false, "select a student first: up and down")
	}
	s := all[i]
	back := func() tea.Cmd { b.Close(); return b.open() }
	_, cmd := watch(b.Desk, s.screen, func() (what, hint string) {
		return "the screen of " + b.room.called(s), "esc back to the room"
	}, []control.Binding{{Name: "class: back to the room", Keys: "esc q j l", Help: "back to the room", Do: back}})
	return cmd
}

// turn draws the next quantity against ε.
func (b *Board) turn() tea.Cmd {
	b.of = (b.of + 1) % len(shownQuantities)
	return nil
}

// summarise writes the summary, beside the screen.
func (b *Board) summarise() tea.Cmd {
	if b.write == nil {
		return b.Say(true, "no summary is written here")
	}
	return tea.Batch(b.Say(false, "writing the summary"), func() tea.Msg {
		where, err := b.write(b.room.Summary())
		return summaryMsg{where, err}
	})
}

// quantity is what is drawn against ε.
func (b *Board) quantity() *quantity.Quantity { return &quantity.All[shownQuantities[b.of]] }

// A standing is where a student stands.
type standing struct {
	number   int
	name     string
	eps      float64
	y        metrics.Estimate // what is drawn
	diverged *engine.Divergence
	off      bool // on another target than the lecturer's, or without that sampler
	follows  bool // the lecturer's screen
	lost     bool // the line
}

// stoodOf is what standings are of: the lane of a sampler, and a place in shownQuantities.
type stoodOf struct {
	sampler string
	of      int
}

// standings are those of the students in the lane of a sampler. They are at most boardEvery old,
// because each look makes the session publish a snapshot.
func (b *Board) standings(sampler string) (all []standing) {
	of := stoodOf{sampler, b.of}
	if b.stoodOf == of && time.Since(b.stoodAt) < boardEvery*3/4 && len(b.stood) == len(b.room.Seats()) {
		return b.stood
	}
	defer func() { b.stood, b.stoodOf, b.stoodAt = all, of, time.Now() }()
	target := b.Feed.Newest.Problem.Spec
	for _, seat := range b.room.Seats() {
		at := standing{number: seat.Number, off: true, lost: seat.Lost()}
		b.room.mu.Lock()
		at.name, at.follows = seat.name, seat.follows
		b.room.mu.Unlock()
		if s := seat.Snapshot(); s != nil {
			if i := slices.IndexFunc(s.Lanes, func(l engine.LaneView) bool { return l.Setting.Sampler == sampler }); i >= 0 {
				l := &s.Lanes[i]
				at.eps, at.y, at.diverged, at.off = l.Setting.Eps(), l.Values[shownQuantities[b.of]], l.Diverged, s.Problem.Spec != target
			}
		}
		all = append(all, at)
	}
	return all
}

// lane is the lecturer's lane whose exact bias is known, else the first.
func (b *Board) lane() *engine.LaneView {
	s := b.Feed.Newest
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

// The widths of the board's parts, and the least height of the list.
const (
	leastSide, mostSide = 34, 46
	leastChart          = 30
	leastList           = 6
)

// Draw implements control.Controller.
func (s *sheet) Draw(g plane.Region, f *pane.Frame) {
	b, th := s.b, &f.Theme
	g.Fill(' ', plane.Style{})
	lane := b.lane()
	all := b.standings(lane.Setting.Sampler)
	top, rest := g.Bounds().CutTop(headRows(g.W()))
	b.head(g.Sub(top), th, len(all))
	foot, rest := rest.CutBottom(1)
	g.Sub(foot).TextFit(1, 0, foot.W-2, *th, b.found(all), th.Text)
	if rest.W < leastSide+leastChart {
		b.side(g.Sub(rest), th, all)
		return
	}
	right, left := rest, rest
	right.W = min(max(rest.W/3, leastSide), mostSide)
	right.X = rest.X + rest.W - right.W
	left.W = rest.W - right.W - 1
	b.chart(g.Sub(left), th, lane, all)
	b.side(g.Sub(right), th, all)
}

// side draws what stands beside the chart: the question or how to join, and who is here.
func (b *Board) side(g plane.Region, th *theme.Theme, all []standing) {
	rest := g.Bounds()
	var at plane.Rect
	if p := b.question(); p != nil {
		rows := min(questionRows(p, rest.W-4)+2, rest.H-leastList)
		if rows > 4 {
			at, rest = rest.CutTop(rows)
			b.ask(g.Sub(at), th, p, len(all))
		}
	}
	if b.keys {
		b.listKeys(g.Sub(rest), th)
		return
	}
	if code := b.code(th.ASCII); len(code) > 0 && rest.H >= len(code)+1+leastList {
		at, rest = rest.CutTop(len(code) + 1)
		b.qr(g.Sub(at), code)
	}
	b.list(g.Sub(rest), th, all)
}

// questionRows is how many rows a question takes, with its bars.
func questionRows(p *Poll, width int) int {
	n := len(plane.Wrap(p.At.Question, width)) + 1
	for _, c := range p.At.Choices {
		n += len(plane.Wrap(c, width-2)) + 1
	}
	return n
}

// ask draws a question with what the room has predicted so far.
func (b *Board) ask(g plane.Region, th *theme.Theme, p *Poll, here int) {
	state := "closed"
	if p.Open {
		state = "open"
	}
	g = g.Box(*th, plane.Box{Title: fmt.Sprintf("scene %d: %s", p.At.At+1, state), Right: fmt.Sprintf("%d predicted, %d here", len(p.Choice), here)}).Pad(0, 1, 0, 1)
	y := g.TextWrapped(g.Spell(p.At.Question), th.Title) + 1
	counts := p.Counts()
	most := max(slices.Max(append(counts, 0)), 1)
	for i, c := range p.At.Choices {
		style := th.Dim
		if !p.Open && i == p.At.Answer {
			style = th.Good
		}
		g.Text(0, y, fmt.Sprint(i+1), th.Key)
		y += g.Sub(plane.Rect{X: 2, Y: y, W: g.W() - 2, H: g.H() - y}).TextWrapped(g.Spell(c), style)
		room := max(g.W()-7, 1)
		chart.Bars(g.Sub(plane.Rect{X: 2, Y: y, W: 2 + (room*counts[i]+most-1)/most, H: 1}), *th, []chart.Bar{{Value: float64(counts[i]), Text: " ", Style: th.Lane[1].Style}})
		g.Text(5+(room*counts[i]+most-1)/most, y, fmt.Sprint(counts[i]), th.Text)
		y++
	}
}

// found says what the room has found.
func (b *Board) found(all []standing) string {
	var best *standing
	from, diverged := math.Inf(1), 0
	for i := range all {
		switch at := &all[i]; {
		case at.off:
		case at.diverged != nil:
			diverged++
			from = min(from, at.eps)
		case at.y.OK() && (best == nil || at.y.Value < best.y.Value):
			best = at
		}
	}
	q, says := b.quantity(), ""
	if best != nil {
		says = fmt.Sprintf("lowest %s of the room: %s, at ε = %s", q.Name, plane.Number(best.y.Value, 6), plane.Number(best.eps, 6))
	}
	if diverged > 0 {
		if says != "" {
			says += ". "
		}
		says += fmt.Sprintf("%d diverged, from ε = %s on", diverged, plane.Number(from, 6))
	}
	return says
}

// slowed is the factor of the speed below which the board says so.
const slowed = 0.95

// headRows is how many rows the head has at a width.
func headRows(w int) int {
	if w < 100 {
		return 3
	}
	return 2
}

// head says how to join, and in its last row what the room costs.
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
	if len(b.room.Keys) > 0 {
		say("with one of", fmt.Sprintf("%d keys", len(b.room.Keys)), th.Accent)
	} else {
		say("code", b.room.Code, th.Accent)
	}
	say("", fmt.Sprintf("%d of %d here", here, b.room.Students), th.Text)
	x, y = 1, g.H()-1
	say("room:", b.cost.now(&b.room.keys), th.Dim)
	if b.room.Governor != nil {
		if f := b.room.Governor.Factor(); f < slowed {
			say("", fmt.Sprintf("all at %.0f%% of their speed: the machine does not keep up", 100*f), th.Warn)
		}
	}
	if told.Web != nil {
		say("", printable.Line("no page in the browser: "+told.Web.Error()), th.Bad)
	}
	for _, c := range []struct {
		n         int
		one, many string
	}{{told.Wrong, "wrong code", "wrong codes"}, {told.Full, "found no seat", "found no seat"}} {
		if c.n > 0 {
			say("", fmt.Sprintf("%d %s", c.n, pane.Plural(c.n, c.one, c.many)), th.Warn)
		}
	}
}

// code is the QR code of the address, in rows; nil where it cannot be drawn.
func (b *Board) code(ascii bool) []string {
	if ascii || b.join.URL == "" || len(b.join.URL) > 60 {
		return nil
	}
	var text strings.Builder
	qrterminal.GenerateWithConfig(b.join.URL, qrterminal.Config{Level: qrterminal.L, Writer: &text, HalfBlocks: true, QuietZone: 2})
	rows := strings.Split(strings.TrimRight(text.String(), "\n"), "\n")
	if len(rows) == 0 || plane.Width(rows[0]) > leastSide {
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

// listKeys lists what the keys do.
func (b *Board) listKeys(g plane.Region, th *theme.Theme) {
	g = g.Box(*th, plane.Box{Title: "keys"})
	y := 0
	for _, k := range (&sheet{b}).Bindings() {
		g.Text(1, y, k.First(), th.Key)
		y += max(g.Sub(plane.Rect{X: 8, Y: y, W: g.W() - 9, H: g.H() - y}).TextWrapped(g.Spell(k.Help), th.Text), 1)
	}
}

// list lists who is there, with the selected student in sight.
func (b *Board) list(g plane.Region, th *theme.Theme, all []standing) {
	follow := 0
	for _, at := range all {
		if at.follows {
			follow++
		}
	}
	g = g.Box(*th, plane.Box{Title: "here", Right: fmt.Sprintf("%d follow, %d steer", follow, len(all)-follow)})
	if len(all) == 0 {
		g.TextFit(1, 0, g.W()-1, *th, "nobody yet", th.Dim)
		return
	}
	rows := g.H()
	picked := slices.IndexFunc(all, func(at standing) bool { return at.number == b.picked })
	from := min(max(picked-rows/2, 0), max(len(all)-rows, 0))
	for y, at := range all[from:] {
		if y >= rows {
			break
		}
		if left := len(all) - from - y; y == rows-1 && left > 1 {
			g.TextFit(1, y, g.W()-1, *th, fmt.Sprintf("%c and %d more", th.Glyphs.Ellipsis, left), th.Dim)
			break
		}
		b.row(g.Row(y), th, &at)
	}
}

// row draws a student.
func (b *Board) row(g plane.Region, th *theme.Theme, at *standing) {
	mark, style, ink, dim := th.Lane[1].Glyph, th.Lane[1].Style, th.Text, th.Dim
	if at.number == b.picked {
		ink, dim = th.Highlight, th.Highlight
		g.Fill(' ', th.Highlight)
	}
	text := plane.Number(at.y.Value, 6)
	if g.W() > 36 {
		text = b.quantity().Symbol + " " + text
	}
	switch {
	case at.lost:
		text = "line lost"
	case at.follows:
		text = "follows"
	case at.off:
		text = "samples something else"
	case at.diverged != nil:
		mark, style = th.Glyphs.Cross, th.Bad
		text = "diverged at " + plane.Count(at.diverged.Step)
	case !at.y.OK():
		text = "too few draws"
	}
	g.Set(1, 0, mark, style)
	x := max(g.Text(3, 0, fmt.Sprintf("%02d %s", at.number, at.name), ink)+1, 6)
	x = g.Text(x, 0, g.Spell("ε")+" ", dim)
	x = max(g.Text(x, 0, plane.Number(at.eps, 7), ink)+2, 17)
	g.TextFit(x, 0, g.W()-x, *th, g.Spell(text), dim)
}
