package session

import (
	"errors"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/session/internal/queue"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/timeline"
	"github.com/psgld/psgld-tui/engine/tool/share"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// place is where the session stands, counted from the newest command done.
func (s *Session) place() uint64 {
	base, from := uint64(0), make([]uint64, len(s.start.Lanes))
	if done := s.line.Done(); len(done) > 0 {
		t := done[len(done)-1]
		base = t.At
		_, from = t.After(nil)
	}
	return base + state.Furthest(from, s.lanes.odometers())
}

// tape is the timeline as a snapshot shows it.
func (s *Session) tape() engine.Tape {
	at := s.place()
	ahead := s.line.Ahead()
	if n := len(ahead); n > 0 && !state.Changes(ahead[n-1].Command) {
		ahead = ahead[:n-1] // where the tape ends
	}
	return engine.Tape{At: at, End: s.line.End(at), Events: append(s.line.Done(), ahead...), Done: len(s.line.Done()),
		Seeking: s.line.Seeking, To: s.line.To}
}

// shelved is the session as it stands, before another takes its place.
func (s *Session) shelved() shelved {
	l := shelved{s.stopped(), s.place(), s.now}
	l.line = l.line.Shelved(l.at)
	return l
}

// stopped is the session's course with an end, so that the session can go back along it. The end
// is where the session stands, unless it has gone back before.
func (s *Session) stopped() course {
	c := s.course
	if len(c.line.Ahead()) == 0 {
		c.end = new(s.Recording(""))
		c.line.Stop(engine.LoggedCommand{At: s.place(), Lane: state.AllLanes,
			Event: state.Event{At: s.lanes.odometers(), Command: state.Pause{}}})
	}
	return c
}

// begin starts a course with a state. After an error the session is as it was.
func (s *Session) begin(c course, to state.State) error {
	if err := s.replace(c, to, make([]lane.Runner, len(to.Lanes))); err != nil {
		return err
	}
	s.met, s.side.Images = met{}, predict.Images{}
	s.clock.Restart(time.Now())
	return nil
}

// again begins a course that was played, or a first one, in the place of a session in a state.
func (s *Session) again(c course, was state.State) error {
	to, err := state.Start(c.start, c.begun, was)
	if err != nil {
		return err
	}
	return s.begin(c, to)
}

func (s *Session) load(c state.Load, to state.State, loaded state.Fact) error {
	var was shelved
	if !c.Passing {
		was = s.shelved()
	}
	if err := s.begin(s.newCourse(c.Config, c.Problem, c.Script), to); err != nil {
		return err
	}
	if !c.Passing {
		s.shelf.put(was)
	}
	s.pub.say(loaded)
	return nil
}

// putBack does a Return.
func (s *Session) putBack() error {
	n := len(s.shelf.held)
	if n == 0 {
		return errors.New("no session was replaced by this one")
	}
	was, now := s.shelf.held[n-1], s.shelved()
	if err := s.again(was.course, was.was); err != nil {
		return err
	}
	s.shelf.swap(now)
	if k := s.line.Nearest(0, was.at, s.warmUp()); k != nil {
		if err := s.restore(k); err != nil {
			return err
		}
	}
	s.clock.Single, s.now.Mode.StepBy = 0, 0
	s.line.Seek(was.at)
	s.pub.say(state.Loaded{Title: s.now.Problem.Title, Seed: s.now.Config.Seed, Back: true})
	return nil
}

func (s *Session) seek(c state.Seek) error {
	at := s.place()
	to := min(c.To, s.line.End(at))
	if k := s.line.Nearest(at, to, s.warmUp()); k != nil {
		if err := s.restore(k); err != nil {
			return err
		}
	} else if to < at {
		c := s.stopped()
		c.line.Back(0)
		if err := s.again(c, s.now); err != nil {
			return err
		}
	}
	s.clock.Single = 0
	if max(to, at)-min(to, at) <= follows {
		s.clock.Single = 1 // a step of the tape, or a few
	}
	s.now.Mode.StepBy = 0
	s.line.Seek(to)
	return nil
}

// sessionState is all of a session that a keyframe holds beside its lanes. A copy of it
// is not changed by what is done to the session: nothing in it is changed in place.
type sessionState struct {
	now  state.State
	met  met
	owed [state.MaxLanes]uint64 // steps of a lane that was interrupted in a chunk, by its ID
}

// A sessionCopy is a session between two steps: what a keyframe holds.
type sessionCopy struct {
	sessionState
	lanes []lane.Copy
}

func (k *sessionCopy) Bytes() int { return list.Sum(k.lanes, lane.Copy.Bytes) }

// BytesBeyond implements timeline.State: what keyframes share are the lanes' checkpoints.
func (k *sessionCopy) BytesBeyond(other *sessionCopy) int {
	sum := 0
	for i, l := range k.lanes {
		var o lane.Copy
		if other != nil && i < len(other.lanes) {
			o = other.lanes[i]
		}
		sum += l.BytesBeyond(o)
	}
	return sum
}

// keepKeyframe makes a keyframe of the session as it stands, if that is due.
func (s *Session) keepKeyframe(ran time.Duration) {
	if !s.rt.keyframes() || s.failed != nil {
		return
	}
	if at := s.place(); s.line.Due(at, ran, s.lanes.evaluating) {
		s.line.Keep(at, func() *sessionCopy {
			return &sessionCopy{sessionState: s.sessionState, lanes: list.Map(s.lanes, lane.Runner.Copy)}
		})
	}
}

// warmUp is how many steps a lane runs until it holds as many recent draws as it does at most, where they are shown.
func (s *Session) warmUp() uint64 {
	if !s.side.Shifted(&s.now) {
		return 0
	}
	return slices.Max(standings(s.lanes, func(n lane.Standing) uint64 { return n.RecentSteps }))
}

// restore makes the session what a keyframe holds. What it has done since is ahead
// again. After an error it is as it was.
func (s *Session) restore(f *timeline.Keyframe[*sessionCopy]) error {
	k := f.State
	to, kept := k.now.From(s.now), make([]lane.Runner, len(k.lanes))
	for i, c := range k.lanes {
		at := slices.Index(s.now.IDs(), to.Lanes[i].ID)
		if at >= 0 && s.now.Problem.Opened() == to.Problem.Opened() && c.Fits(s.lanes[at]) {
			kept[i] = s.lanes[at]
		}
	}
	if err := s.replace(s.stopped(), to, kept); err != nil {
		return err
	}
	s.met, s.owed = k.met, k.owed
	for i, r := range s.lanes {
		r.Restore(k.lanes[i])
	}
	s.side.Images, s.clock.Meter = predict.Images{}, queue.Meter{}
	s.line.Back(f.Done)
	return nil
}

// course is what it takes to play a session: how it began, and what was done in it.
type course struct {
	start state.Config
	begun *targets.Problem // the target of start
	line  timeline.Timeline[engine.LoggedCommand, *sessionCopy]
	end   *engine.Recording // up to where it first went back; nil if it never did
	// unrepeatable says that a target's gradients need not be the same when they are asked for again.
	unrepeatable bool
}

// shelved is a session whose place another has taken.
type shelved struct {
	course
	at  uint64      // where it stood
	was state.State // what it was there
}

// mostShelved is how many sessions are held beside the one at hand.
const mostShelved = 3

// shelf holds what a Load or a branch replaced, and the memory for keyframes of that and of the session at hand.
type shelf struct {
	held  []shelved   // the newest last
	part  *share.Part // of Runtime.Memory; nil without, and before Run
	bytes int         // of part, for the keyframes of each
}

// put makes a session the one to return to.
func (f *shelf) put(l shelved) {
	all := append(slices.Clone(f.held), l)
	f.held = all[max(0, len(all)-mostShelved):]
}

// swap takes the session to return to, and puts another behind all.
func (f *shelf) swap(now shelved) {
	f.held = slices.Insert(slices.Clone(f.held[:len(f.held)-1]), 0, now)
}

// newCourse begins a course with a script ahead.
func (s *Session) newCourse(cfg state.Config, p *targets.Problem, script []state.Event) course {
	b := timeline.DefaultBudget
	if s.rt.Memory != nil {
		b.Bytes, b.Least = s.shelf.bytes, 1 // where many share, one is better than none
	}
	cfg.Lanes = slices.Clone(cfg.Lanes)
	events := engine.Logged(len(cfg.Lanes), script)
	return course{start: cfg, begun: p, line: timeline.New[engine.LoggedCommand, *sessionCopy](events, b)}
}

// fit keeps the keyframes of the session at hand and of the shelved ones within the part of the shared memory.
func (f *shelf) fit(now *course, at func() uint64) {
	if f.part == nil {
		return
	}
	bytes := timeline.Portion(f.part.Bytes(), mostShelved)
	if bytes == f.bytes {
		return
	}
	f.bytes = bytes
	now.line.Resize(at(), bytes)
	for i := range f.held {
		l := &f.held[i]
		l.line.Resize(l.at, bytes)
		l.line = l.line.Shelved(l.at)
	}
}
