// Package session runs samplers on a target, a lane each.
//
// How it works. A [Session] is one goroutine, [Session.Run], which owns all state. It goes round a loop: it applies
// the commands that have come, does what a recording has ahead, and lets the lanes run for about 2 ms. A lane
// (internal/lane) steps a sampler's chains. internal/record keeps what is measured of their draws, and
// internal/measure reads it. internal/sideline works beside them. Goroutines run the lanes, each on a core, for one
// chunk of steps. The loop waits for all of them, so that a command applies between two steps. Now and then it
// publishes a snapshot through an atomic pointer: only the newest counts, and neither side waits for the other. At a
// limit of steps a second it sleeps until a frame is asked for, and makes the steps that are due then (queue.Clock).
// Noise and minibatches are keyed by step, so the config and the log of commands play the same session again, to the
// bit. The log is a timeline (package timeline). It holds keyframes too, which hold a [lane.Copy] of each lane. To go
// back is to restore one and to run on from there.
//
// A command's way: [Session.Send] queues it, and obey takes it between two chunks. do asks [state.Apply] what it
// makes of the state, and logs it. become has the lanes follow that state: it makes new lanes, closes those that are
// gone, and has the others go back or turn to a new setting. That is [lane.Runner].Change, which opens a new window
// of statistics.
package session

import (
	"runtime"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/session/internal/measure"
	"github.com/psgld/psgld-tui/engine/session/internal/queue"
	"github.com/psgld/psgld-tui/engine/session/internal/sideline"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/share"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Runtime is what surrounds a session. None of the session's numbers depends on it.
type Runtime struct {
	Threads int    // lanes that run at a time; 0 for all cores
	DataDir string // for SetTarget
	// Commands are those that targets of SetTarget may start; nil for none.
	Commands *child.Commands
	// Truth finds the truth of a SetTruth that has none, as on replay, while the session waits. Without it, errors
	// against that are not known.
	Truth func(state.Config, *targets.Problem) (*targets.Reference, error)
	// Interactive has the session pause at its limits, and where every lane has
	// diverged. Without it the session ends there.
	Interactive bool
	// Sink makes the sink of a chain of a new lane. Sink and what it returns may be nil.
	Sink engine.SinkFor
	// Replay is the events of a recording, or of moves that are planned, which are applied at their places.
	Replay []state.Event
	// Parts has the predictions of consecutive parts of each lane's chain kept, for
	// Predicted. It must not be set with Interactive: keyframes do not have them.
	Parts bool
	// Unseen is a session of whose snapshots only the first is read. It makes no others, which take longer than its
	// steps where the statistics of many draws are in them, and no curves, functions or predictions of its draws.
	Unseen bool
	// Closed is why SetTarget reaches no file and starts no command, as targets.Options has it.
	Closed string
	// Budget is what the session may take of the machine.
	Budget Budget
	// Memory, unless it is nil, has the keyframes of all sessions in one budget. Without it those of
	// an interactive session may take 128 MB, and those of each that it replaced an eighth of that.
	Memory *share.Memory
	// Governor, unless it is nil, slows all sessions that it is given to down where the machine cannot keep up, but for
	// those that are Favoured. A session without a limit of steps a second is not slowed down.
	Governor *share.Governor
	Favoured bool
}

// A Budget is what a session may take of a machine that it shares. What is 0 is not bounded. No number of the session
// depends on it: it decides when steps are made, and which commands are refused.
type Budget struct {
	state.Bounds
	// Share is the share of one processor's time that the lanes may take, above 0 and at most 1, of each thread.
	Share float64
}

// keyframes reports whether a session has keyframes. One that writes its draws has none:
// they are written again when it goes back, from the first one on.
func (rt *Runtime) keyframes() bool { return rt.Interactive && rt.Sink == nil }

// Session runs the lanes of a Config. Run owns all state. Any goroutine may call the other methods.
type Session struct {
	sessionState
	course
	rt    Runtime
	lanes fleet
	inbox *queue.Inbox
	clock *queue.Clock
	pub   publisher
	side  sideline.Sideline
	shelf shelf

	failed error
	held   chan struct{} // is full while lanes run, and by Hold
	gone   chan struct{} // closed when Run returns
}

// cores is how many lanes run at a time by default: as many as Go's scheduler had processors when the program began.
// A screen adds some that it keeps for itself.
var cores = runtime.GOMAXPROCS(0)

// New makes a session of a Config on its opened target. It has a Snapshot, and runs
// once Run is called. The error is that of Config.Validate or of a sink.
func New(cfg state.Config, p *targets.Problem, rt Runtime) (*Session, error) {
	if rt.Threads <= 0 {
		rt.Threads = cores
	}
	s := &Session{rt: rt, inbox: queue.NewInbox(), gone: make(chan struct{}), held: make(chan struct{}, 1)}
	s.clock = queue.NewClock(rt.Budget.Share, rt.Governor, rt.Favoured)
	s.pub.changed = make(chan struct{}, 1)
	s.side = sideline.Sideline{Interactive: rt.Interactive, DataDir: rt.DataDir, Poke: s.inbox.Poke, Heard: s.heard}
	s.now.Bounds, s.now.Mode.Seen = rt.Budget.Bounds, rt.Interactive
	s.now.Mode.Speed = s.now.Bounds.Speed(0)
	s.clock.Set(s.now.Mode.Speed, time.Now())
	if err := s.again(s.newCourse(cfg, p, rt.Replay), s.now); err != nil {
		return nil, err
	}
	s.publish()
	return s, nil
}

// Send asks for a command and returns its serial: it has been applied, or refused,
// once Snapshot.Applied is as large. It never blocks.
func (s *Session) Send(c state.Command) (serial uint64) { return s.inbox.Put(c) }

// holdPatience is how long Hold waits for a step to end.
const holdPatience = 250 * time.Millisecond

// Hold calls f between two steps. No lane runs before f returns, and the time that f takes does not count as sampling.
// In a step that takes longer than holdPatience it calls f all the same.
func (s *Session) Hold(f func()) {
	select {
	case s.held <- struct{}{}:
		defer func() { <-s.held }()
	case <-time.After(holdPatience):
	}
	f()
}

// Snapshot returns the newest snapshot and asks for a newer one.
func (s *Session) Snapshot() *engine.Snapshot {
	newest := s.pub.snap.Load() // not the one that is asked for here: frames would jump
	if s.clock.Ask() {
		s.inbox.Poke()
	}
	return newest
}

// Ended reports whether Run has returned.
func (s *Session) Ended() bool {
	select {
	case <-s.gone:
		return true
	default:
		return false
	}
}

// Changed returns a channel that receives a value after a snapshot was published.
func (s *Session) Changed() <-chan struct{} { return s.pub.changed }

// config is the session's Config with the settings in force.
func (s *Session) config() state.Config {
	c := s.now.Whole()
	if s.now.Problem.Turns() {
		c.Target = s.now.Problem.Spec
		for i := range c.Lanes {
			c.Lanes[i].Problem = nil // the snapshot has it
		}
	}
	return c
}

// A fleet is the lanes of a session.
type fleet []lane.Runner

// standings is what f says of where each lane stands.
func standings[T any](all fleet, f func(n lane.Standing) T) []T {
	return list.Map(all, func(r lane.Runner) T { return f(r.Standing()) })
}

// measured is what f says of the measures of each lane.
func measured[T any](all fleet, f func(m measure.Reader) T) []T {
	return list.Map(all, func(r lane.Runner) T { return f(r.Measures()) })
}

func (all fleet) odometers() []uint64 {
	return standings(all, func(n lane.Standing) uint64 { return n.Odometer })
}

// executed is how many steps all lanes together have executed.
func (all fleet) executed() uint64 {
	return list.Sum(all, func(r lane.Runner) uint64 { return r.Standing().Odometer })
}

// step is the step of the furthest lane.
func (all fleet) step() uint64 {
	return slices.Max(standings(all, func(n lane.Standing) uint64 { return n.Step }))
}

// seconds is the longest sampling time of a lane.
func (all fleet) seconds() float64 {
	return slices.Max(standings(all, func(n lane.Standing) float64 { return n.Seconds }))
}

// evaluating reports whether draws wait for their evaluation.
func (all fleet) evaluating() bool {
	return slices.ContainsFunc(all, func(r lane.Runner) bool { return r.Standing().Evaluating })
}

// Saved returns what can be written of a session whose Run has returned. The command Save asks one that runs.
func (s *Session) Saved(version string) engine.Saved {
	return engine.Saved{Recording: s.Recording(version), Result: s.Result(version),
		Draws: slices.Concat(measured(s.lanes, measure.Reader.Newest)...)}
}

// Result returns the end of a session whose Run has returned.
func (s *Session) Result(version string) engine.Result {
	c := s.config()
	c.Lanes = list.Map(c.Lanes, state.Setting.Off)
	by := s.endedBy()
	var found *engine.CheckResult
	if c := s.Snapshot().Check; c != nil {
		found = engine.CheckOf(c.Report)
	}
	return engine.Result{
		Version: version, Run: s.Recording(version).Run, Config: c, EndedBy: by,
		Lanes: measured(s.lanes, func(m measure.Reader) engine.LaneResult {
			return m.Result(by == engine.Interrupted)
		}),
		Truth: engine.TruthOf(s.now.Problem), Check: found,
	}
}

// Predicted returns what the lanes of a session with Runtime.Parts predict on the test set,
// after Run has returned; nil for a lane that predicts nothing there.
func (s *Session) Predicted() []*predict.Kept { return measured(s.lanes, measure.Reader.Predicted) }

// NewestThetas returns the lanes' θ of a session whose Run has returned. The caller does not change them.
func (s *Session) NewestThetas() []engine.NewestTheta {
	return measured(s.lanes, measure.Reader.NewestTheta)
}
