package lesson

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
)

// Phase is what a scene waits for.
type Phase uint8

// The phases.
const (
	Asking Phase = iota // for the user's prediction
	Doing               // for the goal
	Told                // for the next scene: all is shown
)

// Run is a lesson that is being played, the state behind its card. It is a value:
// its methods return the Run that comes next and change nothing. It never sees the
// session itself: whoever plays it starts the session that a scene's Preset names
// whenever At changes to a scene that starts one, sends Look the snapshots of that
// session alone, and lets it stand while Hold says so.
type Run struct {
	lesson *Lesson
	at     int
	scenes []progress // one a scene; never changed in place
	card   Card
}

// progress is how far a scene is.
type progress struct {
	picked  int // 1 is the first choice, 0 none
	reached bool
	skipped bool
	// began is how many draws each lane had kept when the scene began, by its ID; 0
	// where the scene starts the session. A lane that goes back takes it along.
	began    [engine.MaxLanes]uint64
	counting bool // from began on
	hints    int
	told     string // Reveal, with the numbers of when the goal was reached
	goals    []GoalLine
	// due is how many draws each lane had kept when the goal was reached, by its ID.
	// Once the scores know of them all and each of Reveal's numbers is known, they
	// stand.
	due   [engine.MaxLanes]uint64
	final bool
}

// Start begins a lesson with its first scene.
func Start(l *Lesson) Run {
	r := Run{lesson: l, scenes: make([]progress, len(l.Scenes))}
	return r.entered()
}

// Lesson returns the lesson.
func (r Run) Lesson() *Lesson { return r.lesson }

// At is the index of the scene at hand.
func (r Run) At() int { return r.at }

// Scene returns the scene at hand.
func (r Run) Scene() *Scene { return &r.lesson.Scenes[r.at] }

// Phase is what the scene at hand waits for.
func (r Run) Phase() Phase {
	s, p := r.Scene(), &r.scenes[r.at]
	switch {
	case p.skipped:
		return Told
	case s.Question != "" && p.picked == 0:
		return Asking
	case !s.Goal.Empty() && !p.reached:
		return Doing
	}
	return Told
}

// Hold reports whether the session should stand still: a question is open, and
// what would answer it must not be seen before the user has thought.
func (r Run) Hold() bool { return r.Phase() == Asking }

// Last reports whether the scene at hand is the last one.
func (r Run) Last() bool { return r.at == len(r.lesson.Scenes)-1 }

// Skipped reports whether the scene at hand was told without its goal.
func (r Run) Skipped() bool {
	p := &r.scenes[r.at]
	return p.skipped && !p.reached && !r.Scene().Goal.Empty()
}

// Done reports whether the last scene is told.
func (r Run) Done() bool { return r.Last() && r.Phase() == Told }

// Score is how many of the questions answered so far were answered right.
func (r Run) Score() (right, answered int) {
	for i, p := range r.scenes {
		if p.picked == 0 {
			continue
		}
		answered++
		if p.picked-1 == r.lesson.Scenes[i].Answer {
			right++
		}
	}
	return right, answered
}

// Card is what is to be drawn.
func (r Run) Card() Card { return r.card }

// Look takes a snapshot of the session at hand into account. A goal that was
// reached stays reached, and what is told of it are the numbers of that moment, or
// of the next one at which all are known: the session plays on, and what the texts
// say of the goal would not hold of what comes later.
func (r Run) Look(s *engine.Snapshot) Run {
	if s == nil || r.Phase() == Asking {
		return r
	}
	scene, p := r.Scene(), r.scenes[r.at]
	if p.final {
		return r
	}
	if !scene.Preset.Starts() {
		p.count(s)
	}
	from := sight{s, p.began} // with this one counted
	t := scene.Goal.eval(from)
	if p.reached && t != True {
		return r
	}
	p.goals = goalLines(scene.Goal, from)
	if t == True {
		if !p.reached {
			p.reached, p.due = true, kept(s)
		}
		p.told = scene.Reveal.at(from)
		p.final = evaluated(s, p.due) && len(scene.Reveal.missing(from)) == 0
	}
	return r.with(p)
}

// kept is how many draws each lane has kept, by its ID.
func kept(s *engine.Snapshot) (n [engine.MaxLanes]uint64) {
	for i := range s.Lanes {
		n[s.Lanes[i].ID] = s.Lanes[i].Kept
	}
	return n
}

// evaluated reports whether the scores of all lanes that have not diverged know of so
// many draws, by the lanes' IDs.
func evaluated(s *engine.Snapshot, due [engine.MaxLanes]uint64) bool {
	return !slices.ContainsFunc(s.Lanes, func(v engine.LaneView) bool { return v.Diverged == nil && v.Scored < due[v.ID] })
}

// count takes note of the fewest draws that a lane was seen to have kept.
func (p *progress) count(s *engine.Snapshot) {
	for i := range s.Lanes {
		id := s.Lanes[i].ID
		if !p.counting || p.began[id] > s.Lanes[i].Kept {
			p.began[id] = s.Lanes[i].Kept
		}
	}
	p.counting = p.counting || len(s.Lanes) > 0
}

// sees is a snapshot as the scene at hand sees it.
func (r Run) sees(s *engine.Snapshot) sight { return sight{s, r.scenes[r.at].began} }

// Skip tells a scene that is not done, with gaps for the numbers that its goal
// would have brought. The goal may still be reached.
func (r Run) Skip() Run {
	if r.Phase() == Told {
		return r
	}
	p := r.scenes[r.at]
	p.skipped = true
	return r.with(p)
}

// Answer is the user's prediction, by the index of the choice. One that is made
// stays.
func (r Run) Answer(i int) Run {
	if r.Phase() != Asking || i < 0 || i >= len(r.Scene().Choices) {
		return r
	}
	p := r.scenes[r.at]
	p.picked = i + 1
	return r.with(p)
}

// Hint shows the next hint of the scene, if there is one more.
func (r Run) Hint() Run {
	p := r.scenes[r.at]
	if r.Phase() != Doing || p.hints == len(r.Scene().Hints) {
		return r
	}
	p.hints++
	return r.with(p)
}

// Next goes on to the next scene, also past a goal that was not reached; false at
// the last one.
func (r Run) Next() (Run, bool) {
	if r.Last() {
		return r, false
	}
	r.at++
	return r.entered(), true
}

// Back shows the scene before again, as it was left. It is for reading: the
// session stays as it is. It is false at the first one.
func (r Run) Back() (Run, bool) {
	if r.at == 0 {
		return r, false
	}
	r.at--
	return r.entered(), true
}

// Again goes back to the scene with which the session at hand starts, and forgets
// all that was done from there on.
func (r Run) Again() Run {
	r.at = r.lesson.Begins(r.at)
	scenes := make([]progress, len(r.scenes))
	copy(scenes, r.scenes[:r.at])
	r.scenes = scenes
	return r.entered()
}

// with puts the progress of the scene at hand.
func (r Run) with(p progress) Run {
	scenes := make([]progress, len(r.scenes))
	copy(scenes, r.scenes)
	scenes[r.at] = p
	r.scenes = scenes
	return r.entered()
}

// entered makes the card of the scene at hand.
func (r Run) entered() Run {
	s, p := r.Scene(), &r.scenes[r.at]
	c := Card{
		Lesson: r.lesson.Title, Title: s.Title, At: r.at, Of: len(r.lesson.Scenes), Phase: r.Phase(),
		Caption: s.Caption, Question: s.Question, Choices: s.Choices, Picked: p.picked - 1, Answer: s.Answer,
	}
	if c.Phase != Asking {
		c.Do, c.Goals = s.Do, p.goals
		if c.Goals == nil {
			c.Goals = goalLines(s.Goal, sight{})
		}
	}
	if c.Phase == Doing {
		c.Hints, c.MoreHints = s.Hints[:p.hints], len(s.Hints)-p.hints
	}
	if c.Phase == Told {
		switch {
		case r.Skipped():
			c.Reveal = "Not done, so its numbers stay open. " + s.Reveal.Open()
		case p.told == "":
			c.Reveal = s.Reveal.With(nil)
		default:
			c.Reveal = p.told
		}
	}
	r.card = c
	return r
}

// A Card is a scene as it is shown.
type Card struct {
	Lesson, Title string
	At, Of        int // the scene, from 0, and how many there are
	Phase         Phase

	Caption  string
	Question string
	Choices  []string
	Picked   int // the user's choice, -1 for none
	Answer   int // the right one

	Do        string
	Goals     []GoalLine
	Hints     []string // those that are shown
	MoreHints int      // those that are not
	Reveal    string
}

// A GoalLine is one part of a goal, with its live value.
type GoalLine struct {
	Label  string // "A τ", or the whole condition where that is no plain comparison
	Value  string // "6.90", "too short"; empty where Label is a whole condition
	Demand string // "< 8"
	State  Truth
}

// goalLines are the parts of a goal that must all hold.
// What is counted waits for the settings: draws of others are none of the goal's.
func goalLines(c Condition, s sight) []GoalLine {
	parts := c.ands()
	wait := slices.ContainsFunc(parts, func(p Condition) bool {
		return p.about(func(q *measure) bool { return q.form == asSetting }) && p.eval(s) != True
	})
	var all []GoalLine
	for _, part := range parts {
		g := part.line(s)
		g.State = Unknown
		switch counts := part.about(func(q *measure) bool { return q.counts }); {
		case wait && counts && g.Demand != "":
			g.Value = notYet
		case wait && counts:
		case s.Snapshot != nil:
			g.State = part.eval(s)
		}
		all = append(all, g)
	}
	return all
}

// notYet stands for a value that there is not yet.
const notYet = "–"

// line words one part.
func (c Condition) line(s sight) GoalLine {
	inner, negated := c, false
	if c.join == "not" {
		inner, negated = c.parts[0], true
	}
	switch {
	case inner.join == "" && len(inner.sides) == 1:
		q := inner.sides[0]
		demand := "should be yes"
		if negated {
			demand = "should be no"
		}
		return GoalLine{Label: q.label(), Value: q.live(s), Demand: demand}
	case negated || c.join != "":
		return GoalLine{Label: c.String()}
	}
	// The quantity asked about is the first that stands alone; what it is held to
	// are its neighbours.
	at := 0
	for at < len(c.sides)-1 && (c.sides[at].q == nil || c.sides[at].number != 1) {
		at++
	}
	if c.sides[at].q == nil {
		at = 0
		for c.sides[at].q == nil {
			at++
		}
	}
	q := c.sides[at]
	g := GoalLine{Label: q.label(), Value: q.live(s)}
	and := func(text string) {
		if g.Demand != "" {
			g.Demand += ", "
		}
		g.Demand += text
	}
	for i := range c.sides {
		switch i {
		case at - 1:
			and(mirrored(c.ops[i]) + " " + c.sides[i].demanded(q.q, s))
		case at + 1:
			and(shown(c.ops[at]) + " " + c.sides[i].demanded(q.q, s))
		case at:
		default: // the far end of a chain
			return GoalLine{Label: c.String()}
		}
	}
	if q.number != 1 { // rare enough to be left as it was written
		return GoalLine{Label: c.String()}
	}
	return g
}

func (s side) label() string {
	if s.q.session != nil {
		return s.q.symbol
	}
	return engine.LaneLetter(s.lane) + " " + s.q.symbol
}

// live is the value of a quantity now.
func (s side) live(snap sight) string {
	if snap.Snapshot == nil {
		return notYet
	}
	return s.text(snap)
}

// demanded writes what a quantity is held to, in that quantity's form.
func (s side) demanded(like *measure, snap sight) string {
	switch {
	case s.word != "":
		return s.word
	case s.q == nil:
		return like.format(s.number)
	}
	text := s.label()
	if s.number != 1 {
		text = (&measure{}).format(s.number) + " × " + text
	}
	if snap.Snapshot != nil {
		text += " (" + s.text(snap) + ")"
	}
	return text
}

// mirrored is the comparison read from the right.
func mirrored(op string) string {
	switch op[0] {
	case '<':
		return shown(">" + op[1:])
	case '>':
		return shown("<" + op[1:])
	}
	return shown(op)
}

func shown(op string) string {
	switch op {
	case "<=":
		return "≤"
	case ">=":
		return "≥"
	case "!=":
		return "not"
	}
	return op
}
