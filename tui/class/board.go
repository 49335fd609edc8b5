package class

import (
	"fmt"
	"math"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view"
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
	of        int // how often what is drawn against ε was turned
	cost      cost
	asked     string // the key that is to be pressed twice
	askedAt   uint64 // its press
	keys      bool   // the keys are listed
	code      bool   // the QR code is shown rather than the question
	hides     bool   // the tally of an open question is not shown

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
func (r *Room) Board(j Join) *Board { return &Board{room: r, join: j} }

// At gives the controller its screen. It is an app.More.
func (b *Board) At(d *control.Desk) control.Controller {
	b.Desk, b.slowness = d, slowness{d, b.room.Frozen}
	b.projector = projector{desk: d, to: b.room.screen, ended: b.room.ctx.Done()}
	d.Losses = append(d.Losses, func() (lost, saved string) {
		if n := len(b.room.Seats()); n > 0 {
			return fmt.Sprintf("the class ends for %d %s", n, plane.Plural(n, "student", "students")), ""
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

func (b *Board) Bindings() []control.Binding {
	return control.In(control.General, nil, []control.Binding{
		{Name: "class", Page: control.TenKeys, Keys: "j", Help: "the room: how to join, who is there, everyone's ε",
			Hint: "room", Rank: 1, Do: b.open},
	})
}

func (b *Board) Update(msg tea.Msg) (tea.Cmd, bool) {
	if cmd, took := b.projector.update(msg); took {
		return cmd, true
	} else if cmd != nil {
		if b.room.Lesson == nil { // which sets a speed
			b.Feed.Order(state.SetSpeed{PerSecond: studentSpeed})
		}
		return tea.Batch(cmd, b.open()), true
	}
	switch msg := msg.(type) {
	case boardMsg:
		if _, shown := b.Keys.Layer.(*sheet); shown && msg.tag == b.tag {
			b.Screen.Dirty = true
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
		return "you close the question for all: enter on the board (" + b.Keys.First("class") + ")"
	}
	return ""
}

// Outcome implements control.Class.
func (b *Board) Outcome(at *control.Scene) string { return b.room.outcome(at, false) }

// sheet is the board while it is open.
type sheet struct{ b *Board }

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
		{Name: "class: close the question", Keys: "enter", Help: "close the question",
			HintNow: hint(p != nil && p.Open, "close the question", "", 1), Do: b.shut},
		{Name: "class: back", Keys: "esc j", Help: "your own screen", Hint: "your screen", Rank: 2,
			Do: func() tea.Cmd { b.Close(); return nil }},
		{Name: "class: all here", Keys: "a", Help: "everyone to your target, view and scene", Hint: "all here", Rank: 4,
			Do: b.allHere},
		{Name: "class: all to this view", Keys: "v", Help: "everyone to your view", Hint: "all to my view", Rank: 8,
			Do: b.allToView},
		{Name: "class: freeze", Keys: freezeKey, Help: "stop everyone and show your screen, or let go",
			HintNow: hint(b.room.Frozen(), "let go", "freeze all", 5), Do: b.freeze},
		{Name: "class: look", Keys: "l", Help: "look over the selected student's shoulder",
			Hint: "look over a shoulder", Rank: 6, Do: b.look},
		{Name: "class: put out", Keys: "x", Help: "put the selected student out of their seat", Do: b.putOut},
		{Name: "class: code", Keys: "c", Help: "the QR code, or the question", Hint: "QR code", Rank: 11,
			Do: func() tea.Cmd { b.code = !b.code; return nil }},
		{Name: "class: tally", Keys: "h", Help: "hide what an open question's predictions are, or show it",
			HintNow: hint(b.hides, "show the tally", "hide the tally", 12),
			Do:      func() tea.Cmd { b.hides = !b.hides; return nil }},
		{Name: "class: up", Keys: "up", Help: "select a student", Hint: "student", Rank: 7, Do: control.By(b.pick, -1)},
		{Name: "class: down", Keys: "down", Help: "select a student", Hint: "student", Rank: 7,
			Do: control.By(b.pick, 1)},
		{Name: "class: quantity", Keys: "tab", Help: "error, τ or bias against ε", Hint: "error, τ, bias", Rank: 9,
			Do: b.turn},
		{Name: "class: keys", Keys: "?", Help: "these keys, or who is here", Hint: "keys", Rank: 3,
			Do: func() tea.Cmd { b.keys = !b.keys; return nil }},
		{Name: "class: summary", Keys: "s", Help: "write the summary", Hint: "summary", Rank: 10, Do: b.summarise},
	})
}

func (s *sheet) Update(msg tea.Msg) (tea.Cmd, bool) {
	k, key := msg.(tea.KeyPressMsg)
	return nil, key && k.String() != "q" // what lies below is not turned unseen
}

func (s *sheet) Slot(int) control.Slot { return control.Slot{At: control.Over} }

// question is the poll that the board shows: the one that is open, else that of the lecturer's scene; nil for none.
func (b *Board) question() *Poll {
	r := b.room
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.poll(r.lecture)
	if p == nil {
		return nil
	}
	return new(p.copy())
}

// shut closes the question, on the lecturer's screen too.
func (b *Board) shut() tea.Cmd {
	p := b.question()
	if p == nil || !p.Open {
		return b.Say(false, "no question is open")
	}
	return func() tea.Msg { return control.CloseMsg{At: p.At} } // which closes it for all, see lectures
}

// freezeKey stops everyone, as it pauses one's own session elsewhere.
const freezeKey = "space"

// twice reports whether a key was pressed a second time.
func (b *Board) twice(key string) bool {
	again := b.asked == key && b.askedAt+1 == b.Keys.Press
	if b.asked, b.askedAt = key, b.Keys.Press; again {
		b.asked = ""
	}
	return again
}

// selected is the selected student's seat, nil without one.
func (b *Board) selected() *Seat {
	s, _ := list.Find(b.room.Seats(), func(s *Seat) bool { return s.Number == b.picked })
	return s
}

// putOut ends the seat of the selected student, at the second press.
func (b *Board) putOut() tea.Cmd {
	s := b.selected()
	switch {
	case s == nil:
		return b.Say(false, unselected)
	case !b.twice("x"):
		return b.Say(false, "x again ends the seat of "+b.room.called(s)+", who needs the code for another")
	}
	s.end(errOut)
	return b.Say(false, b.room.called(s)+" was put out")
}

// unselected is said where a student is to be selected first.
const unselected = "select a student first: up and down"

// allHere takes everyone to where the lecturer is, at the second press.
func (b *Board) allHere() tea.Cmd {
	r, s := b.room, b.Feed.Newest
	var at *control.Scene
	r.locked(func() { at = r.lecture })
	if !b.twice("a") {
		return b.Say(false, "a again takes everyone to where you are, with a new session where theirs is another")
	}
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
	return b.Say(false, "everyone sees the view "+view.Names()[b.Focus.View])
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
	s := b.selected()
	if s == nil {
		return b.Say(false, unselected)
	}
	back := func() tea.Cmd { b.Close(); return b.open() }
	_, cmd := watch(b.Desk, s.screen, func() (what, hint string) {
		return "the screen of " + b.room.called(s), "esc back to the room"
	}, []control.Binding{{Name: "class: back to the room", Keys: "esc q j l", Help: "back to the room", Do: back}})
	return cmd
}

// turn draws the next quantity against ε.
func (b *Board) turn() tea.Cmd {
	b.of++
	return nil
}

// summarise writes the summary, beside the screen.
func (b *Board) summarise() tea.Cmd {
	return tea.Batch(b.Say(false, "writing the summary"), func() tea.Msg {
		where, err := b.room.WriteSummary()
		return summaryMsg{where, err}
	})
}

// quantity is what is drawn against ε.
func (b *Board) quantity() quantity.ID {
	shown := list.Filter(shownQuantities, func(id quantity.ID) bool {
		return slices.ContainsFunc(b.Feed.Newest.Lanes,
			func(l engine.LaneView) bool { return l.Facts.Has(quantity.All[id].Needs) })
	})
	if len(shown) == 0 {
		shown = shownQuantities
	}
	return shown[b.of%len(shown)]
}

// A standing is where a student stands.
type standing struct {
	number   int
	name     string
	eps      float64
	y        metrics.Estimate // what is drawn
	diverged *state.Divergence
	off      bool // on another target than the lecturer's, or without that sampler
	follows  bool // the lecturer's screen
	lost     bool // the line
}

// stands puts in where a lane stands. One that has diverged stands at the ε at which it did, whatever was turned since.
func (at *standing) stands(l *engine.LaneView, of quantity.ID) {
	at.eps, at.y, at.diverged = l.Setting.Eps(), l.Values[of], l.Diverged
	if l.Diverged != nil {
		at.eps = l.Diverged.Eps
	}
}

// stoodOf is what standings are of: the lane of a sampler, and a quantity.
type stoodOf struct {
	sampler string
	of      quantity.ID
}

// standings are those of the students in the lane of a sampler. They are at most boardEvery old,
// because each look makes the session publish a snapshot.
func (b *Board) standings(sampler string) (all []standing) {
	of := stoodOf{sampler, b.quantity()}
	if b.stoodOf == of && time.Since(b.stoodAt) < boardEvery*3/4 && len(b.stood) == len(b.room.Seats()) {
		return b.stood
	}
	defer func() { b.stood, b.stoodOf, b.stoodAt = all, of, time.Now() }()
	target := b.Feed.Newest.Problem.Spec
	for _, seat := range b.room.Seats() {
		at := standing{number: seat.Number, off: true, lost: seat.Lost()}
		b.room.locked(func() { at.name, at.follows = seat.name, seat.follows })
		if s := seat.Snapshot(); s != nil {
			i := slices.IndexFunc(s.Lanes, func(l engine.LaneView) bool { return l.Setting.Sampler == sampler })
			if i >= 0 {
				at.stands(&s.Lanes[i], of.of)
				at.off = s.Problem.Spec != target
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

// exact is the error of the covariance that a lane's discretisation has at a step size, NaN where that is not known.
func exact(s *engine.Snapshot, set state.Setting, eps float64) float64 {
	truth := s.Problem.Exact()
	if truth == nil || s.Problem.Dim() > metrics.MaxCovDim {
		return math.NaN()
	}
	return state.CovBias(s.Problem, set, eps, truth.Cov)
}

// bound is the step size from which on a lane is unstable, 0 where none is known for all of its steps.
func bound(s *engine.Snapshot, set state.Setting) float64 {
	m, ok := catalog.Find(set.Sampler)
	if !ok || m.MaxStep == nil || m.StationaryCov == nil {
		return 0
	}
	q := state.ValuesInForce(s.Problem, m, set)
	return m.MaxStep(s.Problem.Impl(), &q, new(sampler.Info)).Eps
}
