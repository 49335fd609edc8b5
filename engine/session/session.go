// Package session runs samplers on a target, a lane each.
//
// How it works. A [Session] is one goroutine, [Session.Run], which owns all state. It goes round a loop: it applies
// the commands that have come, does what a recording has ahead, and lets the lanes run for about 2 ms. A lane
// (internal/lane) steps a sampler's chains. internal/record keeps what is measured of their draws, and
// internal/measure reads it. Goroutines run the lanes, each on a core, for one chunk of steps. The loop waits for all
// of them, so that a command applies between two steps. Now and then it publishes a snapshot through an atomic
// pointer: only the newest counts, and neither side waits for the other. At a limit of steps a second it sleeps until
// a frame is asked for, and makes the steps that are due then (queue.Pace). Noise and minibatches are keyed by step,
// so the config and the log of commands play the same session again, to the bit. The log is a timeline (package
// timeline). It holds keyframes too, which hold a [lane.Copy] of each lane. To go back is to restore one and to run
// on from there.
//
// A command's way: [Session.Send] queues it, and obey takes it between two chunks. do asks [state.Apply] what it
// makes of the state, and logs it. become has the lanes follow that state: it makes new lanes, closes those that are
// gone, and has the others go back or turn to a new setting. That is [lane.Runner].Change, which opens a new window
// of statistics.
package session

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/session/internal/measure"
	"github.com/psgld/psgld-tui/engine/session/internal/queue"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/engine/tool/beside"
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
	// Interactive has the session pause at its limits, and where every lane has
	// diverged. Without it the session ends there.
	Interactive bool
	// Sink makes the sink of a chain of a new lane. Sink and what it returns may be nil.
	Sink engine.SinkFor
	// Replay is the events of a recording, or of moves that are planned, which are applied at
	// their places.
	Replay []state.Event
	// Parts has the predictions of consecutive parts of each lane's chain kept, for
	// Predicted. It must not be set with Interactive: keyframes do not have them.
	Parts bool
	// Closed is why SetTarget reaches no file and starts no command, as targets.Options has it.
	Closed string
	// Budget is what the session may take of the machine.
	Budget Budget
	// Memory, unless it is nil, has the keyframes of all sessions in one budget. Without it those of
	// an interactive session may take 128 MB, and those of each that it replaced an eighth of that.
	Memory *share.Memory
	// Governor, unless it is nil, slows all sessions that it is given to down where the machine
	// cannot keep up, but for those that are Favoured. A session without a limit of steps a
	// second is not slowed down.
	Governor *share.Governor
	Favoured bool
}

// Session runs the lanes of a Config. Run owns all state. Any goroutine may call the
// other methods.
type Session struct {
	sessionState
	course
	rt    Runtime
	part  *share.Part // of rt.Memory; nil without, and before Run
	lanes []lane.Runner

	inbox   *queue.Inbox
	snap    atomic.Pointer[engine.Snapshot]
	wanted  atomic.Bool
	dozes   atomic.Bool  // it wakes when a snapshot is wanted
	asked   atomic.Int64 // when it was woken for one, from born on; 0 if it was not
	born    time.Time
	changed chan struct{}

	pace     queue.Pace
	fell     time.Time               // when the steps that are made fell due; zero if that is when they were counted
	rested   time.Time               // until then the lanes rest, to keep to their share
	single   uint64                  // so many of the last counted steps are run one by one
	chunk    [state.MaxLanes]float64 // steps of a lane that take chunkTime
	images   predict.Images
	shift    *predict.Shifts // of the target shiftsOf; see shifts
	shiftsOf *targets.Problem
	stein    *stein.Watcher // of the target steinOf; nil unless it is watched
	steinOf  *targets.Problem
	rank     *beside.Worker // of comparisons of chains
	ended    bool           // Run has returned

	shelf   []shelved // what a Load or a branch replaced, the newest last
	fitted  int       // bytes of keyframes, of a part of the shared memory
	notice  engine.Notice
	applied uint64
	version uint64
	failed  error
	lastPub time.Time
	shown   uint64 // steps executed at the newest snapshot
	waits   bool   // some of its draws waited for their evaluation
	meter   queue.Meter
	held    chan struct{} // is full while lanes run, and by Hold
	gone    chan struct{} // closed when Run returns
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
	s := &Session{rt: rt, born: time.Now(), inbox: queue.NewInbox(), changed: make(chan struct{}, 1), gone: make(chan struct{}), held: make(chan struct{}, 1)}
	s.now.Bounds, s.now.Mode.Seen = rt.Budget.Bounds, rt.Interactive
	s.setSpeed(0)
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

// Hold calls f between two steps. No lane runs before f returns, and the time that f
// takes does not count as sampling. In a step that takes longer than holdPatience it calls f
// all the same.
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
	newest := s.snap.Load() // not the one that is asked for here: frames would jump
	if !s.wanted.Swap(true) && s.dozes.Load() {
		s.asked.Store(int64(time.Since(s.born)))
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
func (s *Session) Changed() <-chan struct{} { return s.changed }

// config is the session's Config with the settings in force.
func (s *Session) config() state.Config {
	c := s.now.Whole()
	if len(s.now.Problem.Params) > 0 {
		c.Target = s.now.Problem.Spec
		for i := range c.Lanes {
			c.Lanes[i].Problem = nil // the snapshot has it
		}
	}
	return c
}

// ofLanes is what f says of each lane.
func ofLanes[T any](s *Session, f func(r lane.Runner) T) []T {
	return list.Map(s.lanes, f)
}

// standings is what f says of where each lane stands.
func standings[T any](s *Session, f func(n lane.Standing) T) []T {
	return ofLanes(s, func(r lane.Runner) T { return f(r.Standing()) })
}

// ofMeasures is what f says of the measures of each lane.
func ofMeasures[T any](s *Session, f func(r measure.Reader) T) []T {
	return ofLanes(s, func(r lane.Runner) T { return f(r.Measures()) })
}
