package engine

import (
	"errors"
	"slices"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/targets"
)

// Load puts another session in the place of the present one: a Config on its
// opened target and, of a recording, its Script. Return puts back what there was.
type Load struct {
	Config  Config
	Problem *targets.Problem // opened, and with its reference if the Config wants a truth
	Script  []Event          // Recording.Script, or nil
	Paused  bool             // it stands before its first step
	Passing bool             // what it replaces is not kept for Return; what was kept stays
	// Speed limits its steps a second from the first on; nil for the limit there is.
	Speed *float64
}

// Seek goes to a place of the tape, which is the session's own past and, of a
// recording, its future, and pauses there. It runs there, from where it stands or
// from a place before that was kept, at the worst from the start, which the keyed
// noise makes exact. With a command that changes numbers the session goes on as a
// branch of its own; Return puts back what was still to come there.
type Seek struct{ To uint64 }

func (Load) kind() string { return "" }
func (Seek) kind() string { return "" }

// Tape is where a session stands in its past and future. Places are counted in
// steps that the furthest lane has executed; unlike a lane's step they never go
// back at a rewind or a restart.
type Tape struct {
	At, End uint64
	Events  []Turn // the commands that changed numbers, or will
	Seeking bool   // on the way to To
	To      uint64
}

// A Turn is a command on a tape, at its place. Lane is the ID of the lane that it
// is for, or AllLanes.
type Turn struct {
	At      uint64
	Lane    int
	Command Command
}

// Changes reports whether a command changes numbers, and so makes a branch where
// some of the tape is still to come.
func Changes(c Command) bool { return c.kind() != "" }

// tape is a session's place on it.
type tape struct {
	begin *targets.Problem // the target of Session.start
	base  uint64           // place of the newest event
	from  []uint64         // the lanes' odometers after it
	past  []Turn           // the events applied
	whole *Recording       // of the session as it was when it first went back

	seeking bool
	to      uint64
}

// furthest is the most that an odometer has moved.
func furthest(from, to []uint64) uint64 {
	most := uint64(0)
	for i := range min(len(from), len(to)) {
		most = max(most, to[i]-min(from[i], to[i]))
	}
	return most
}

func (s *Session) odometers() []uint64 {
	var odo []uint64
	for _, r := range s.lanes {
		odo = append(odo, r.odo())
	}
	return odo
}

// place is where the session stands.
func (s *Session) place() uint64 {
	most := uint64(0)
	for i, r := range s.lanes {
		if odo := r.odo(); i < len(s.tape.from) {
			most = max(most, odo-min(odo, s.tape.from[i]))
		}
	}
	return s.tape.base + most
}

// passed notes that an event was applied.
func (s *Session) passed(t Turn) {
	s.tape.past = append(s.tape.past, t)
	s.tape.base, s.tape.from = t.At, s.odometers()
}

// laneOf is the ID of the lane that a command is for, where the lanes have ids.
func laneOf(c Command, ids []int) int {
	i := AllLanes
	switch c := c.(type) {
	case SetParam:
		i = c.Lane
	case SetSampler:
		i = c.Lane
	case SetSchedule:
		i = c.Lane
	case RemoveLane:
		i = c.Lane
	case Rewind:
		i = c.Lane
	case AddLane:
		return freeID(ids)
	}
	if i < 0 || i >= len(ids) {
		return AllLanes
	}
	return ids[i]
}

// freeID is the ID of the next lane.
func freeID(ids []int) int {
	id := 0
	for slices.Contains(ids, id) {
		id++
	}
	return id
}

// ahead lists the events that are still to come, and the end.
func (s *Session) ahead() (events []Turn, end uint64) {
	at, from, ids := s.tape.base, s.tape.from, s.ids
	for k, e := range s.script {
		at += furthest(from, e.At)
		if k < len(s.script)-1 || e.Command.kind() != "" {
			t := Turn{At: at, Lane: laneOf(e.Command, ids), Command: e.Command}
			events = append(events, t)
			switch c := e.Command.(type) {
			case AddLane:
				ids = append(slices.Clone(ids), t.Lane)
			case RemoveLane:
				if c.Lane >= 0 && c.Lane < len(ids) {
					ids = slices.Delete(slices.Clone(ids), c.Lane, c.Lane+1)
				}
			}
		}
		from = after(e)
	}
	return events, max(at, s.place())
}

// after is where the odometers stand after an event.
func after(e Event) []uint64 {
	switch c := e.Command.(type) {
	case Restart, SetTarget:
		return make([]uint64, len(e.At))
	case AddLane:
		return append(slices.Clone(e.At), 0)
	case RemoveLane:
		if c.Lane >= 0 && c.Lane < len(e.At) {
			return slices.Delete(slices.Clone(e.At), c.Lane, c.Lane+1)
		}
	}
	return e.At
}

// tapeView is the tape as a snapshot shows it.
func (s *Session) tapeView() Tape {
	t := Tape{At: s.place(), Seeking: s.tape.seeking, To: s.tape.to}
	ahead, end := s.ahead()
	t.End = end
	t.Events = append(s.tape.past[:len(s.tape.past):len(s.tape.past)], ahead...)
	return t
}

func (s *Session) load(c Load) error {
	if c.Problem == nil {
		return errors.New("there is no target to load")
	}
	if err := c.Config.Validate(c.Problem); err != nil {
		return err
	}
	var was left
	if !c.Passing {
		was = s.replaced()
	}
	if err := s.begin(c.Config, c.Problem, c.Script); err != nil {
		return err
	}
	s.kept.drop()
	s.paused = c.Paused
	if c.Speed != nil {
		s.pace(*c.Speed)
	}
	if !c.Passing {
		s.keepBefore(was)
	}
	s.say(Loaded{Title: c.Problem.Title, Seed: c.Config.Seed})
	return nil
}

// begin starts from a config with a script. After an error the session is as it was.
func (s *Session) begin(cfg Config, p *targets.Problem, script []Event) error {
	all, err := s.planAll(cfg, p, nil)
	if err != nil {
		return err
	}
	s.start, s.cfg, s.prob, s.script = cfg, cfg, p, script
	s.cfg.Lanes = slices.Clone(cfg.Lanes)
	s.images = predict.Images{}
	s.watchFirst()
	s.events, s.stepBy = nil, 0
	s.fresh()
	s.makeLanes(all)
	s.tape = tape{begin: p, from: s.odometers()}
	return nil
}

func (s *Session) seek(c Seek) error {
	at := s.place()
	_, end := s.ahead()
	to := min(c.To, end)
	switch p := s.nearest(to); {
	case p != nil:
		if err := s.revive(p); err != nil {
			return err
		}
	case to < at:
		if err := s.again(s.leave()); err != nil {
			return err
		}
	}
	s.closely = 0
	if max(to, at)-min(to, at) <= follows {
		s.closely = 1 // a step of the tape, or a few
	}
	s.stepBy = 0
	s.tape.seeking, s.tape.to = true, to
	return nil
}

// sought ends a seek that has come to its place.
func (s *Session) sought() {
	if s.tape.seeking && (s.place() >= s.tape.to || s.remaining() == 0) {
		s.tape.seeking, s.paused = false, true
	}
}
