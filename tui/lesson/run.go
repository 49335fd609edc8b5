package lesson

import (
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
)

// Phase is what a scene waits for.
type Phase uint8

// The phases.
const (
	Asking   Phase = iota // for the user's prediction
	Doing                 // for the goal
	Revealed              // for the next scene
)

// Run is the progress of a lesson as a value: its methods return the Run that comes next and change nothing. It knows
// no session. Whoever plays it does what Enters says where it comes to a scene, gives See the snapshots of the lesson's
// session alone, and pauses that in the phase Asking, so that the user thinks before the answer can be seen.
type Run struct {
	Lesson *Lesson
	At     int        // index of the scene at hand
	Live   int        // the session at hand is that of this scene or one before it, the last that At has come to
	scenes []progress // one a scene; never changed in place
}

// progress is how far a scene is.
type progress struct {
	picked  int // 1 is the first choice, 0 none
	passed  bool
	reached bool
	skipped bool
	hints   int // that are shown
	goals   []GoalLine
	// began is how many draws each lane had kept when the scene began, by its ID; 0
	// if the scene starts the session. A rewind lowers it.
	began    [state.MaxLanes]uint64
	counting bool // began is known
	// reveal is the scene's Reveal with the numbers of when the goal was reached. It is final once all of its numbers
	// are known and the scores know of the draws that each lane had kept by then.
	reveal string
	// numbers are the lanes' numbers in reveal, each with its name.
	numbers []string
	due     [state.MaxLanes]uint64
	final   bool
}

// Start begins a lesson with its first scene.
func Start(l *Lesson) Run { return Run{Lesson: l, scenes: make([]progress, len(l.Scenes))} }

// Scene returns the scene at hand.
func (r Run) Scene() *Scene { return &r.Lesson.Scenes[r.At] }

// Phase is what the scene at hand waits for.
func (r Run) Phase() Phase {
	s, p := r.Scene(), &r.scenes[r.At]
	switch {
	case p.skipped:
		return Revealed
	case s.Question != "" && p.picked == 0 && !p.passed:
		return Asking
	case !s.Goal.Empty() && !p.reached:
		return Doing
	}
	return Revealed
}

// Enters says what happens where a run comes to its scene on the session of another run, or of none (the zero Run): the
// preset whose session begins, nil to go on with the one at hand, and the presets to set then, in their order. There
// are none where the scene was come to before.
func (r Run) Enters(from Run) (open *Preset, set []Preset) {
	scenes, first := r.Lesson.Scenes, r.Lesson.Begins(r.At)
	switch {
	case from.Lesson != nil && r.At <= from.Live:
		return nil, nil
	case from.Lesson == nil || first > from.Live:
		if open = &scenes[first].Preset; first != r.At {
			set = []Preset{*open}
		}
	}
	return open, append(set, scenes[r.At].Preset)
}

// Reread reports whether the scene at hand is one that was left, and is read once more: nothing of it changes.
func (r Run) Reread() bool {
	return r.At != r.Live && (r.Phase() == Revealed || r.Lesson.Begins(r.At) != r.Lesson.Begins(r.Live))
}

// Last reports whether the scene at hand is the last one.
func (r Run) Last() bool { return r.At == len(r.Lesson.Scenes)-1 }

// Skipped reports whether the scene at hand was revealed without its goal.
func (r Run) Skipped() bool {
	p := &r.scenes[r.At]
	return p.skipped && !p.reached && !r.Scene().Goal.Empty()
}

// Done reports whether the last scene is revealed.
func (r Run) Done() bool { return r.Last() && r.Phase() == Revealed }

// Score is how many of the questions answered so far were answered right.
func (r Run) Score() (right, answered int) {
	for i, p := range r.scenes {
		if p.picked == 0 {
			continue
		}
		answered++
		if p.picked-1 == r.Lesson.Scenes[i].Answer {
			right++
		}
	}
	return right, answered
}

// See takes a snapshot of the session at hand into account; a nil one changes nothing, nor does any in a scene that is
// read once more.
// A goal that was reached stays reached. The numbers of the reveal are those of that
// moment, or of the next snapshot at which all are known: the session runs on, and what
// the texts say of the goal need not hold of later draws.
func (r Run) See(s *engine.Snapshot) Run {
	scene, p := r.Scene(), r.scenes[r.At]
	if s == nil || r.Phase() == Asking || p.final || r.Reread() {
		return r
	}
	if !scene.Preset.Starts() {
		p.count(s)
	}
	from := observation{s, p.began} // with this one counted
	t := scene.Goal.eval(from)
	if p.reached && t != True {
		return r
	}
	p.goals = goalLines(scene.Goal, from)
	if t == True {
		if !p.reached {
			p.reached, p.due = true, kept(s)
		}
		p.reveal, p.numbers = scene.Reveal.at(from), scene.Reveal.numbers(from)
		p.final = evaluated(s, p.due) && len(scene.Reveal.missing(from)) == 0
	}
	return r.with(func(now *progress) { *now = p })
}

// observed is a snapshot as the scene at hand sees it.
func (r Run) observed(s *engine.Snapshot) observation { return observation{s, r.scenes[r.At].began} }

// kept is how many draws each lane has kept, by its ID.
func kept(s *engine.Snapshot) (n [state.MaxLanes]uint64) {
	for i := range s.Lanes {
		n[s.Lanes[i].ID] = s.Lanes[i].Kept
	}
	return n
}

// evaluated reports whether the scores of all lanes that have not diverged know of so many draws, by the lanes' IDs.
func evaluated(s *engine.Snapshot, due [state.MaxLanes]uint64) bool {
	return !slices.ContainsFunc(s.Lanes, func(v engine.LaneView) bool {
		return v.Diverged == nil && v.Scored < due[v.ID]
	})
}

// count takes note of the fewest draws that a lane was seen to have kept.
func (p *progress) count(s *engine.Snapshot) {
	for i := range s.Lanes {
		if v := &s.Lanes[i]; !p.counting || p.began[v.ID] > v.Kept {
			p.began[v.ID] = v.Kept
		}
	}
	p.counting = p.counting || len(s.Lanes) > 0
}

// Skip reveals a scene that is not done, without what its numbers would tell. The goal may still be reached.
func (r Run) Skip() Run {
	if r.Phase() == Revealed {
		return r
	}
	return r.with(func(p *progress) { p.skipped = true })
}

// Answer is the user's prediction, by the index of the choice. The first one stays.
func (r Run) Answer(i int) Run {
	if r.Phase() != Asking || i < 0 || i >= len(r.Scene().Choices) {
		return r
	}
	return r.with(func(p *progress) { p.picked = i + 1 })
}

// Pass goes on without a prediction, which may no longer be made.
func (r Run) Pass() Run {
	if r.Phase() != Asking {
		return r
	}
	return r.with(func(p *progress) { p.passed = true })
}

// Hint shows the next hint of the scene, if there is one more.
func (r Run) Hint() Run {
	if r.Phase() != Doing || r.scenes[r.At].hints == len(r.Scene().Hints) {
		return r
	}
	return r.with(func(p *progress) { p.hints++ })
}

// with changes the progress of the scene at hand.
func (r Run) with(change func(p *progress)) Run {
	r.scenes = slices.Clone(r.scenes)
	change(&r.scenes[r.At])
	return r
}

// To goes to a scene, by its index.
func (r Run) To(at int) Run {
	r.At = min(max(at, 0), len(r.Lesson.Scenes)-1)
	r.Live = max(r.Live, r.At)
	return r
}

// Next goes on to the next scene, whether or not the goal was reached. It is false at the last scene.
func (r Run) Next() (Run, bool) {
	return r.To(r.At + 1), !r.Last()
}

// Back shows the scene before as it was left, to be read. It is false at the first scene.
func (r Run) Back() (Run, bool) {
	return r.To(r.At - 1), r.At > 0
}

// Again goes back to the scene that started the session at hand, and forgets what was done from there on.
func (r Run) Again() Run {
	r.At = r.Lesson.Begins(r.At)
	r.Live = r.At
	r.scenes = append(slices.Clone(r.scenes[:r.At]), make([]progress, len(r.scenes)-r.At)...)
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
	Numbers   []string // those of the lanes in Reveal, each with its name, once they are known
}

// Card is the scene at hand as it is shown.
func (r Run) Card() Card {
	s, p := r.Scene(), &r.scenes[r.At]
	c := Card{
		Lesson: r.Lesson.Title, Title: s.Title, At: r.At, Of: len(r.Lesson.Scenes), Phase: r.Phase(),
		Caption: s.Caption, Question: s.Question, Choices: s.Choices, Picked: p.picked - 1, Answer: s.Answer,
	}
	if c.Phase != Asking {
		if c.Do, c.Goals = s.Do, p.goals; c.Goals == nil {
			c.Goals = goalLines(s.Goal, observation{})
		}
	}
	c.Numbers = p.numbers
	switch {
	case c.Phase == Doing:
		c.Hints, c.MoreHints = s.Hints[:p.hints], len(s.Hints)-p.hints
	case c.Phase == Asking:
	case r.Skipped():
		c.Reveal = strings.TrimSpace("Skipped: sentences with measured numbers are left out. " + s.Reveal.Plain())
	case p.reveal == "":
		c.Reveal = s.Reveal.with(observation{})
	default:
		c.Reveal = p.reveal
	}
	return c
}

// Open lists the goals that are not met where no hint helps, and whether waiting is all that is left to do: all that
// are not met come by waiting, or the scene was skipped. It is empty elsewhere.
func (c *Card) Open() (goals string, waiting bool) {
	var open []string
	waiting = true
	for i := range c.Goals {
		g := &c.Goals[i]
		if g.State == True {
			continue
		}
		what := g.Label + " " + g.Demand
		if g.Known() {
			what = g.Label + " " + g.Value + " " + g.Aim()
		}
		open, waiting = append(open, strings.TrimSpace(what)), waiting && g.Counts
	}
	if len(open) == 0 || c.Phase == Doing && !(waiting && (len(open) < len(c.Goals) || c.MoreHints == 0)) {
		return "", false
	}
	return strings.Join(open, " and "), waiting
}

// A GoalLine is one part of a goal, with its live value.
type GoalLine struct {
	Label  string // "A τ", or the whole condition where that is no plain comparison
	Value  string // "6.90", "too short"; empty where Label is a whole condition
	Demand string // "< 8"
	Least  string // "50,000", of a count that must be that at least; empty for any other
	Off    string // "too large: want < 0.62", of a setting that is beyond a bound of its goal; else empty
	State  Truth
	Counts bool // it is met by waiting alone
}

// Waits reports whether the line is a count that does not run before the settings are right.
func (g *GoalLine) Waits() bool { return g.Counts && g.Value == notYet }

// Known reports whether the line has a live value.
func (g *GoalLine) Known() bool { return g.Value != "" && g.Value != notYet }

// Aim is the demand after the value: "of 50,000" for a count with a least one, the way back of a
// setting that is beyond a bound, else "want < 8".
func (g *GoalLine) Aim() string {
	switch {
	case g.Off != "":
		return g.Off
	case g.Demand == "":
		return ""
	case g.Least != "":
		return "of " + g.Least
	}
	return "want " + g.Demand
}

// goalLines are the parts of a goal that must all hold. Counts wait until the settings
// are right, since draws with other settings do not count.
func goalLines(c Condition, s observation) []GoalLine {
	parts := c.ands()
	wait := slices.ContainsFunc(parts, func(p Condition) bool {
		return p.about(func(q *measure) bool { return q.param != nil }) && p.eval(s) != True
	})
	var all []GoalLine
	for _, part := range parts {
		g := part.line(s)
		g.State = Unknown
		g.Counts = part.about(func(q *measure) bool { return q.counts })
		switch {
		case wait && g.Counts && g.Demand != "":
			g.Value = notYet
		case wait && g.Counts:
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
func (c Condition) line(s observation) GoalLine {
	inner, negated := c, c.join == "not"
	if negated {
		inner = c.parts[0]
	}
	if inner.join == "" && len(inner.sides) == 1 {
		q := inner.sides[0]
		return GoalLine{Label: q.label(), Value: q.live(s), Demand: map[bool]string{true: "no", false: "yes"}[negated]}
	}
	plain := func(s side) bool { return s.q != nil && s.number == 1 }
	at := slices.IndexFunc(c.sides, plain)
	if negated || at < 0 || len(c.sides) == 3 && at != 1 {
		return GoalLine{Label: c.String()} // rare enough to be left as it was written
	}
	// The quantity asked about is held to its neighbours.
	q := c.sides[at]
	g := GoalLine{Label: q.label(), Value: q.live(s)}
	var demands []string
	hold := func(op string, to side) {
		text := to.demanded(q.q, s)
		demands = append(demands, shown[op]+text)
		if op == ">=" && q.q.counts && len(c.ops) == 1 {
			g.Least = text
		}
		alone := Condition{sides: []side{q, to}, ops: []string{op}}
		if off := beyond[op]; off != "" && q.q.param != nil && s.Snapshot != nil && alone.eval(s) == False {
			g.Off = off + ": want " + shown[op] + text
		}
	}
	if at > 0 {
		hold(mirrored.Replace(c.ops[at-1]), c.sides[at-1])
	}
	if at < len(c.ops) {
		hold(c.ops[at], c.sides[at+1])
	}
	g.Demand = strings.Join(demands, ", ")
	return g
}

// beyond is what a setting is that does not hold to a comparison.
var beyond = map[string]string{"<": "too large", "<=": "too large", ">": "too small", ">=": "too small"}

func (s side) label() string {
	if s.q.session != nil {
		return s.q.symbol
	}
	return state.LaneLetter(s.lane) + " " + s.q.symbol
}

// live is the value of a quantity now.
func (s side) live(snap observation) string {
	if snap.Snapshot == nil {
		return notYet
	}
	return s.text(snap)
}

// demanded writes what a quantity is held to, in that quantity's form.
func (s side) demanded(like *measure, snap observation) string {
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

// mirrored reads a comparison from the right, and shown writes one for people.
var (
	mirrored = strings.NewReplacer("<", ">", ">", "<")
	shown    = map[string]string{"<": "< ", ">": "> ", "=": "", "<=": "≤ ", ">=": "≥ ", "!=": "not "}
)
