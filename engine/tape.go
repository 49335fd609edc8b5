package engine

import (
	"errors"
	"slices"

	"github.com/psgld/psgld-tui/targets"
)

// Load puts another session in the place of the present one: a Config on its
// opened target and, of a recording, its Script. What there was is gone, the
// recording with it.
type Load struct {
	Config  Config
	Problem *targets.Problem // opened, and with its reference if the Config wants a truth
	Script  []Event          // Recording.Script, or nil
}

// Seek goes to a place of the tape, which is the session's own past and, of a
// recording, its future, and pauses there. Forward it runs; back it begins again
// and runs there, which the keyed noise makes exact, and which takes as long as it
// took. A command that changes numbers drops what of the tape is still to come:
// the session goes on as a branch of its own.
type Seek struct{ To uint64 }

func (Load) kind() string { return "" }
func (Seek) kind() string { return "" }

// Tape is where a session stands in its past and future. Places are counted in
// steps that the furthest lane has executed; unlike a lane's step they never go
// back at a rewind or a restart.
type Tape struct {
	At, End uint64
	Events  []uint64 // places of the commands that changed numbers
	Seeking bool     // on the way to To
	To      uint64
}

// tape is a session's place on it.
type tape struct {
	begin *targets.Problem // the target of Session.start
	base  uint64           // place of the newest event
	from  []uint64         // the lanes' odometers after it
	past  []uint64         // places of the events applied

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

// passed notes that an event was applied at a place.
func (s *Session) passed(at uint64) {
	s.tape.past = append(s.tape.past, at)
	s.tape.base, s.tape.from = at, s.odometers()
}

// ahead lists the places of the events that are still to come, and the end.
func (s *Session) ahead() (events []uint64, end uint64) {
	at, from := s.tape.base, s.tape.from
	for k, e := range s.script {
		at += furthest(from, e.At)
		if k < len(s.script)-1 || e.Command.kind() != "" {
			events = append(events, at)
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
	s.paused = false
	if err := s.begin(c.Config, c.Problem, c.Script); err != nil {
		return err
	}
	s.say(false, "%s, seed %d", c.Problem.Title, c.Config.Seed)
	return nil
}

// begin starts from a config with a script.
func (s *Session) begin(cfg Config, p *targets.Problem, script []Event) error {
	s.start, s.cfg, s.prob, s.script = cfg, cfg, p, script
	s.cfg.Lanes = slices.Clone(cfg.Lanes)
	w := firstWatch(p)
	w.Weights, w.Predictions = s.watched.Weights, s.watched.Predictions
	s.watched, s.shown = w, nil
	s.events, s.ids, s.stepBy = nil, nil, 0
	s.fresh()
	if err := s.makeLanes(); err != nil {
		return err
	}
	s.tape = tape{begin: p, from: s.odometers()}
	return nil
}

func (s *Session) seek(c Seek) error {
	at := s.place()
	_, end := s.ahead()
	to := min(c.To, end)
	if to < at {
		script := s.script
		if len(script) == 0 {
			script = []Event{{At: s.odometers(), Command: Pause{}}}
		}
		watched, same := s.watched, s.prob == s.tape.begin
		if err := s.begin(s.start, s.tape.begin, slices.Concat(s.events, script)); err != nil {
			return err
		}
		if same {
			if err := s.dispatch(watched); err != nil {
				return err
			}
		}
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
