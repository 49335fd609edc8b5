package state

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/timeline"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A State is all of a session that commands change, beside the chains. Nothing in it is changed in place, so that a
// copy of it stays as it is.
type State struct {
	Config  Config // but for its Lanes
	Problem *targets.Problem
	Lanes   []Lane
	Marks   []Mark
	Undo    timeline.Undo[Turned]
	Gesture Gesture
	Mode    Mode
	Bounds  Bounds
}

// A Lane is what commands change of one lane, and where it stands.
type Lane struct {
	ID      int
	Setting Setting
	Born    int // another number is another lane: each time that lanes are made, theirs is a greater one
	Returns int // counts its rewinds
	Place   Place
}

// A Place is where a lane stands, which the sampling alone knows. Who applies a command fills it in.
type Place struct {
	Step     uint64
	Seconds  float64     // that it was busy with sampling
	Diverged *Divergence // nil for a lane that goes on
}

// Mode is how a session goes on. Keyframes leave it out.
type Mode struct {
	Phase   Phase
	Met     bool // Config.Until holds, which has ended the session
	Paused  bool
	StepBy  uint64 // steps to go, while it is paused
	Speed   float64
	Seeking bool // on the way To a place of the tape
	To      uint64
	Watch   Watch
	Seen    bool // somebody looks
	Shift   targets.Shift
}

// Bounds are what a session may take of a machine that it shares. What is 0 is not bounded.
type Bounds struct {
	Lanes  int // of the session
	Chains int // of each lane
	Dim    int // of the target
	// StepsPerSecond bounds the speed, but for counted steps and for seeks.
	StepsPerSecond float64
	Ranked         uint64 // of a Config that is loaded and does not say it
}

// check refuses a Config that is beyond the bounds. The error is a *Refusal.
func (b *Bounds) check(c Config, p *targets.Problem) error {
	for _, of := range []struct {
		field     string
		got, most int
	}{{"lanes", len(c.Lanes), b.Lanes}, {KeyChains, c.ChainCount(), b.Chains}, {"dimensions", p.Dim(), b.Dim}} {
		if of.most > 0 && of.got > of.most {
			return outside(of.field, strconv.Itoa(of.got), fmt.Sprintf("at most %d here", of.most))
		}
	}
	return nil
}

// An Opener has what commands need of what is outside of a session.
type Opener struct {
	Target func(Config) (*targets.Problem, error) // opens the target of a Config
	// Truth finds the truth that a Config asks for on its opened target. Without it none is looked for.
	Truth func(Config, *targets.Problem) (*targets.Reference, error)
}

// Turned is what can be undone: the lanes' settings, and with what they are compared.
type Turned struct {
	Lanes []Setting
	Comparison
}

func (s *State) turned() Turned { return Turned{s.Settings(), s.comparison()} }

// Resolve is a command with all that Apply does not find by itself, and as it is logged: a target is opened, which may
// take long, and the steps are counted that FromNow stands for.
func Resolve(s State, c Command, with Opener) (resolved, logged Command, err error) {
	plain, inGesture := cut(c)
	o, ok := plain.(opening)
	if !ok {
		return c, plain, nil
	}
	if resolved, logged, err = o.resolve(&s, with); inGesture {
		resolved = InGesture{resolved}
	}
	return resolved, logged, err
}

// Apply is what a command makes of a state, and what there is to tell of it, nil for nothing. After an error the state
// is as it was. A target that Resolve has not opened is not set; of one that is turned the number alone is another.
func Apply(s State, c Command) (State, Fact, error) {
	to := s
	c, inGesture := cut(c)
	if Changes(c) {
		to.Gesture = s.Gesture.next(c, inGesture)
	}
	f, err := c.apply(&to)
	if err != nil {
		return s, nil, err
	}
	return to, f, nil
}

// Start is the state with which a session begins by a Config on its target, in the place of another, whose mode and
// bounds stay. The error is that of Config.Validate or of the bounds.
func Start(c Config, p *targets.Problem, was State) (State, error) {
	was.Undo, was.Gesture = timeline.Undo[Turned]{}, Gesture{}
	was.Mode.StepBy, was.Mode.Seeking = 0, false
	err := was.begin(c, p, nil)
	return was, err
}

// begin has all lanes made anew by a Config on its target, with the ids given if there are as many.
func (s *State) begin(c Config, p *targets.Problem, ids []int) error {
	if err := c.Validate(p); err != nil {
		return err
	}
	if err := s.Bounds.check(c, p); err != nil {
		return err
	}
	lanes := make([]Lane, len(c.Lanes))
	for i, set := range c.Lanes {
		lanes[i] = Lane{ID: i, Setting: set.on(p), Born: s.born()}
		if len(ids) == len(lanes) {
			lanes[i].ID = ids[i]
		}
	}
	c.Lanes = nil
	was := *s
	s.Config, s.Problem, s.Lanes, s.Marks = c, p, lanes, nil
	s.watchFrom(was.Problem, was.Config)
	return nil
}

// born is the number of lanes that are made now.
func (s *State) born() int { return 1 + list.Max(s.Lanes, func(l Lane) int { return l.Born }) }

// Settings are the lanes' settings, in their order.
func (s *State) Settings() []Setting {
	return list.Map(s.Lanes, func(l Lane) Setting { return l.Setting })
}

// IDs are the lanes' IDs, in their order.
func (s *State) IDs() []int { return list.Map(s.Lanes, func(l Lane) int { return l.ID }) }

// Whole is the Config with the settings in force.
func (s *State) Whole() Config {
	c := s.Config
	c.Lanes = s.Settings()
	return c
}

// pick lists the indices of the lanes that a command is for.
func (s *State) pick(lane int) ([]int, error) {
	if lane == AllLanes {
		return list.Upto(len(s.Lanes)), nil
	}
	return []int{lane}, s.has(lane)
}

// runs refuses a sampler that there is not, or that does not run on the target.
func (s *State) runs(name string) error {
	m, ok := catalog.Find(name)
	if !ok {
		return UnknownSampler(name)
	}
	return Misfit("sampler", m, s.Problem)
}

// has refuses a lane that there is not.
func (s *State) has(lane int) error {
	if lane < 0 || lane >= len(s.Lanes) {
		return fmt.Errorf("there is no lane %d", lane)
	}
	return nil
}

// change puts new settings in force in a lane or in all of them. f returns the setting
// of a lane. If it returns an error for one lane, none is changed.
func (s *State) change(lane int, f func(i int, set Setting) (Setting, error)) (Fact, error) {
	picked, err := s.pick(lane)
	if err != nil {
		return nil, err
	}
	before := s.turned()
	after := slices.Clone(before.Lanes)
	for _, i := range picked {
		if after[i], err = f(i, before.Lanes[i]); err != nil {
			return nil, err
		}
	}
	_, marked := s.put(after)
	if len(marked) == 0 {
		return nil, nil
	}
	if !s.Gesture.On {
		s.Undo.Change(before)
	}
	s.Gesture.turned = true
	first := s.Lanes[slices.Index(s.IDs(), marked[0].Lane)]
	return Changed{
		Step: first.Place.Step, Lanes: marked, Of: len(s.Lanes), Locked: EpochLock(s.Config.Draw, first.Setting, s.Problem),
	}, nil
}

// put puts settings in force in the lanes where they differ. It returns the changes made, and the changes as their
// marks show them. Where another program's draws are watched a lane begins with the first of them again, since it ends
// with the last.
func (s *State) put(after []Setting) (made, marked []LaneChange) {
	s.Lanes = slices.Clone(s.Lanes)
	for i := range s.Lanes {
		l := &s.Lanes[i]
		c := Difference(s.Problem, l.Setting, after[i])
		if c == nil {
			continue
		}
		if l.Setting = after[i]; s.Problem.Source != nil {
			l.Place.Step, l.Returns = 0, l.Returns+1
		}
		s.Gesture.touch(l.ID)
		made, marked = append(made, LaneChange{l.ID, c}), append(marked, LaneChange{l.ID, s.mark(l, c)})
	}
	if p := s.Lanes[0].Setting.Problem; p != nil {
		s.Problem = p
	}
	return made, marked
}

// reverse does an Undo or a Redo. move returns what to put in force, given what is.
func (s *State) reverse(by Reversal, move func(now Turned) (Turned, bool)) (Fact, error) {
	then, ok := move(s.turned())
	if !ok {
		return nil, fmt.Errorf("nothing to %s", by)
	}
	made, _ := s.put(then.Lanes)
	if fact := s.hold(then.Comparison, by); fact != nil {
		return fact, nil
	}
	return Changed{By: by, Lanes: made, Of: len(s.Lanes)}, nil
}

// From is the state of a keyframe as a session goes on with it that was in another.
func (s State) From(was State) State {
	s.Mode, s.Bounds = was.Mode, was.Bounds
	s.watchFrom(was.Problem, was.Config)
	return s
}

// watchFrom turns to the first coordinates where those of another target, or others of it, were shown.
func (s *State) watchFrom(p *targets.Problem, c Config) {
	if d := s.Problem.Dim(); p == nil || p.Opened() != s.Problem.Opened() || c.Tracked(d) != s.Config.Tracked(d) {
		s.Mode.Watch.first(s.Config, s.Problem)
	}
}
