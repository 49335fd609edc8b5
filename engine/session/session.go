// Package session runs samplers on a target, a lane each.
//
// How it works. A [Session] is one goroutine, [Session.Run], which owns all state. It
// goes round a loop: it applies the commands that have come, does what a recording has
// ahead, and lets the lanes run for about 2 ms. A lane is a sampler's chain with the
// statistics of its draws. Goroutines run the lanes, each on a core, for one chunk of
// steps. The loop waits for all of them, so that a command applies between two steps.
// Now and then it publishes a snapshot through an atomic pointer: only the newest
// counts, and neither side waits for the other. Noise and minibatches are keyed by
// step, so the config and the log of commands play the same session again, to the bit.
// The log is a timeline (package timeline). It holds keyframes too, which are copies of
// laneState. To go back is to restore one and to run on from there.
//
// A command's way: [Session.Send] queues it, obey takes it between two chunks and logs it,
// do and dispatch find its function. A new value goes through change and putInForce, which
// marks it, to lane.change, which opens a new window of statistics and lets the step use it.
package session

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/beside"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/targets/list"
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
	Sink func(at engine.Place, p *targets.Problem, set engine.Lane) (Sink, error)
	// Replay is the events of a recording, which are applied at their places.
	Replay []engine.Event
	// Parts has the predictions of consecutive parts of each lane's chain kept, for
	// Predicted. It must not be set with Interactive: keyframes do not have them.
	Parts bool
	// KeyframeBytes is what the keyframes of an interactive session may take; 0 for
	// 256 MB.
	KeyframeBytes int
}

// Session runs the lanes of a Config. Run owns all state. Any goroutine may call the
// other methods.
type Session struct {
	sessionState
	course
	rt    Runtime
	lanes []runner

	inbox   inbox
	snap    atomic.Pointer[engine.Snapshot]
	wanted  atomic.Bool
	changed chan struct{}

	phase    engine.Phase
	speed    float64
	budget   float64 // steps allowed by the speed limit
	charged  time.Time
	stepBy   uint64
	single   uint64                   // so many of the last counted steps are run one by one
	chunk    [engine.MaxLanes]float64 // steps of a lane that take chunkTime
	paused   bool
	watched  engine.Watch
	seen     bool // there is a screen, or a Watch was sent
	images   predict.Images
	shift    *predict.Shifts // of the target shiftsOf; see shifts
	shiftsOf *targets.Problem
	stein    *stein.Watcher // of the target steinOf; nil unless it is watched
	steinOf  *targets.Problem
	rank     *beside.Worker // of comparisons of chains
	ended    bool           // Run has returned

	base    uint64   // place of the newest command done
	from    []uint64 // the lanes' odometers after it
	before  []left   // the sessions that a Load or a branch replaced, the newest last
	gesture gesture  // the newest
	notice  engine.Notice
	applied uint64
	version uint64
	failed  error
	lastPub time.Time
	shown   uint64 // steps executed at the newest snapshot
	waits   bool   // some of its draws waited for their evaluation
	meter   meter
	held    chan struct{} // is full while lanes run, and by Hold
	gone    chan struct{} // closed when Run returns
}

// chunkTime is how long lanes run before commands are looked at.
const chunkTime = 2 * time.Millisecond

// publishEvery bounds the rate of snapshots.
const publishEvery = 12 * time.Millisecond

// New makes a session of a Config on its opened target. It has a Snapshot, and runs
// once Run is called. The error is that of Config.Validate or of a sink.
func New(cfg engine.Config, p *targets.Problem, rt Runtime) (*Session, error) {
	if err := cfg.Validate(p); err != nil {
		return nil, err
	}
	if rt.Threads <= 0 {
		rt.Threads = runtime.GOMAXPROCS(0)
	}
	s := &Session{rt: rt, changed: make(chan struct{}, 1), gone: make(chan struct{}), held: make(chan struct{}, 1), seen: rt.Interactive}
	s.inbox.wake = make(chan struct{}, 1)
	if err := s.begin(rt.course(cfg, p, rt.Replay)); err != nil {
		return nil, err
	}
	s.publish()
	return s, nil
}

// Send asks for a command and returns its serial: it has been applied, or refused,
// once Snapshot.Applied is as large. It never blocks.
func (s *Session) Send(c engine.Command) (serial uint64) { return s.inbox.put(c) }

// holdPatience is how long Hold waits for a step to end.
const holdPatience = 250 * time.Millisecond

// Hold calls f between two steps. No lane runs before f returns, and the time that f
// takes does not count as sampling. In a step that takes longer than holdPatience it calls f
// all the same.
func (s *Session) Hold(f func()) {
	s.inbox.poke() // lanes may wait for gradients
	select {
	case s.held <- struct{}{}:
		defer func() { <-s.held }()
	case <-time.After(holdPatience):
	}
	f()
}

// Snapshot returns the newest snapshot and asks for a newer one.
func (s *Session) Snapshot() *engine.Snapshot {
	s.wanted.Store(true)
	return s.snap.Load()
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

// firstWatch shows a target's first two coordinates. Of a network it shows two of the
// last matrix of weights, since the first weights may belong to pixels that are always
// blank.
func firstWatch(c *engine.Config, p *targets.Problem) engine.Watch {
	w := engine.Watch{Y: 1}
	t, ok := p.Impl().(targets.Layered)
	if !ok {
		return w
	}
	for _, y := range t.Layers() {
		if y.Rows > 1 {
			d := p.Dim()
			n := c.Tracked(d)
			w.X = min((y.From*n+d-1)/d, n-2)
			w.Y = w.X + 1
		}
	}
	return w
}

// watchFirst turns to the first coordinates of a new target, and leaves the rest of the
// Watch as it is.
func (s *Session) watchFirst() {
	w := firstWatch(&s.cfg, s.prob)
	w.Weights, w.Predictions, w.Discrepancy, w.Rows = s.watched.Weights, s.watched.Predictions, s.watched.Discrepancy, s.watched.Rows
	s.watched = w
}

// Run runs the session until ctx ends or, if it is not interactive, until a
// limit is reached or every lane has diverged. It returns ctx's error, or that
// of a sink. After it returns, Result, Recording and Snapshot hold the end.
func (s *Session) Run(ctx context.Context) error {
	defer func() {
		defer close(s.gone)
		for _, r := range s.lanes {
			r.finish()
			r.settle()
			r.close()
		}
		s.shift.Rest()
		s.rank.Close()
		s.rank = nil
		s.ended = true
		s.publish()
	}()
	s.charged = time.Now()
	for ctx.Err() == nil {
		s.obey()
		s.workOutPhase()
		if s.failed != nil {
			return s.failed
		}
		if !s.rt.Interactive && s.over() {
			return nil
		}
		if n := s.allowance(); n > 0 {
			if s.outside() {
				s.publishIf(false) // the chunk may take long
			}
			s.held <- struct{}{}
			s.advance(ctx, n)
			<-s.held
			if s.due() {
				s.publish()
			}
			continue
		}
		s.wait(ctx, s.publishIf(s.phase != engine.Running))
	}
	return ctx.Err()
}

// over reports whether a session without a screen has come to its end.
func (s *Session) over() bool {
	return len(s.line.Ahead()) == 0 && (s.phase == engine.Done || s.phase == engine.AllDiverged || s.rt.Replay != nil)
}

// workOutPhase works out the phase.
func (s *Session) workOutPhase() {
	s.replayDue()
	if s.line.Seeking && (s.place() >= s.line.To && s.behind() == 0 || s.remaining() == 0) {
		s.line.Seeking, s.paused = false, true // it has come to its place
	}
	switch {
	case !slices.ContainsFunc(s.lanes, func(r runner) bool { return r.diverged() == nil }):
		s.phase = engine.AllDiverged
	case len(s.line.Ahead()) == 0 && (s.enough() || s.lost() || s.remaining() == 0 || s.cfg.Seconds > 0 && s.seconds() >= s.cfg.Seconds):
		s.phase = engine.Done
	case s.paused && !s.line.Seeking:
		s.phase = engine.Paused
	default:
		s.phase = engine.Running
	}
}

// seconds is the longest sampling time of a lane.
func (s *Session) seconds() float64 { return slices.Max(ofLanes(s, runner.seconds)) }

// limit is the step at which a lane ends.
func (s *Session) limit(r runner) uint64 {
	end := uint64(math.MaxUint64)
	if s.cfg.Steps > 0 {
		end = s.cfg.Steps
	}
	if s.cfg.Epochs > 0 {
		end = min(end, uint64(math.Ceil(float64(s.cfg.Epochs*r.stepsPerEpoch())-1e-9)))
	}
	return end
}

// left is how many steps lane i may run before its limit or the next event ahead.
func (s *Session) left(i int) uint64 {
	r := s.lanes[i]
	if r.diverged() != nil {
		return 0
	}
	end := s.limit(r)
	n := end - min(end, r.step())
	if ahead := s.line.Ahead(); len(ahead) > 0 && i < len(ahead[0].Event.At) {
		at := ahead[0].Event.At[i]
		n = at - min(at, r.odo())
	} else if s.cfg.Race && s.looking() && s.met[s.ids[i]] {
		return 0
	}
	return n
}

// remaining is the most steps that a lane has left.
func (s *Session) remaining() uint64 {
	most := uint64(0)
	for i := range s.lanes {
		most = max(most, s.left(i))
	}
	return most
}

// allowance is how many steps each lane may run now.
func (s *Session) allowance() uint64 {
	switch {
	case s.phase == engine.Done || s.phase == engine.AllDiverged:
		s.stepBy = 0
		return 0
	case s.line.Seeking:
		return max(s.line.To-s.place(), s.behind())
	case s.stepBy > 0:
		return s.stepBy
	case s.phase != engine.Running:
		return 0
	case s.speed <= 0:
		return math.MaxUint64
	}
	now := time.Now()
	s.budget = min(s.budget+float64(s.speed*now.Sub(s.charged).Seconds()), max(1, s.speed/10))
	s.charged = now
	return uint64(s.budget)
}

// advance runs a chunk of at most n steps in every lane. Lanes race only while their
// steps are not counted.
func (s *Session) advance(ctx context.Context, n uint64) {
	race, slow := s.cfg.Race && n == math.MaxUint64, n <= follows
	if s.stepBy > 0 || s.line.Seeking {
		// Chunks of counted steps may be short by chance. The single steps are the
		// last ones, so that the view can take them apart.
		if slow = n <= s.single; !slow {
			n -= s.single
		}
	}
	if !race {
		for i, id := range s.ids {
			if s.left(i) > 0 {
				n = min(n, uint64(s.chunk[id]), s.untilLook(s.lanes[i]))
			}
		}
	}
	step := ctx
	if s.outside() {
		var done func()
		step, done = s.leaving(ctx)
		defer done()
	}
	start := time.Now()
	var jobs [engine.MaxLanes]job
	behind := s.behind() > 0 && !race
	for i, r := range s.lanes {
		r.follow(slow)
		m := min(n, s.left(i))
		switch {
		case race:
			m = min(m, uint64(s.chunk[s.ids[i]]), s.untilLook(r))
		case behind:
			m = min(s.owed[s.ids[i]], s.left(i))
		}
		r.under(step, ctx)
		jobs[i] = job{lane: r, steps: m, had: r.perChain(), from: r.odo()}
	}
	runJobs(jobs[:len(s.lanes)], s.rt.Threads)
	took := time.Since(start)
	if !race {
		n = s.counted(jobs[:len(s.lanes)], n, behind)
	}
	for i, id := range s.ids {
		if j := jobs[i]; j.steps > 0 && j.took > 0 {
			// The next chunk is halfway between this one and the size that would have
			// taken chunkTime, which counts as four times this size at most. Each lane
			// is measured by itself.
			want := float64(s.lanes[i].odo()-j.from) * chunkTime.Seconds() / j.took.Seconds()
			s.chunk[id] = min(max((s.chunk[id]+min(want, 4*s.chunk[id]))/2, 1), 1e7)
		}
		if err := s.lanes[i].err(); err != nil && s.failed == nil {
			s.failed = err
		}
		if p := jobs[i].panic; p != nil {
			s.failed = p
		}
	}
	if s.stepBy > 0 {
		s.stepBy -= min(n, s.stepBy)
	}
	if s.speed > 0 {
		s.budget -= float64(n)
	}
	s.lookAt(jobs[:len(s.lanes)])
	s.meter.add(s.executed(), took)
	s.keepFrame(took)
}

func (s *Session) executed() uint64 {
	sum := uint64(0)
	for _, r := range s.lanes {
		sum += r.odo()
	}
	return sum
}

// wait sleeps until a command comes, the speed limit allows a step, news that were not
// published may be due, or ctx ends.
func (s *Session) wait(ctx context.Context, news bool) {
	var timer <-chan time.Time
	if s.phase == engine.Running && s.speed > 0 {
		d := time.Duration((1 - s.budget) / s.speed * float64(time.Second))
		if news {
			d = min(d, publishEvery)
		}
		timer = time.After(max(d, time.Millisecond))
	}
	select {
	case <-ctx.Done():
	case <-s.inbox.wake:
	case <-timer:
	}
}

// due reports whether somebody wants a snapshot and the last one is old enough.
func (s *Session) due() bool {
	return s.wanted.Load() && time.Since(s.lastPub) >= publishEvery
}

// publishIf publishes a snapshot if anything has changed since the last one: at once
// with now or after a command, else when it is due. It reports whether news are left.
func (s *Session) publishIf(now bool) (left bool) {
	old := s.snap.Load()
	if old.Phase == s.phase && old.Applied == s.applied && s.shown == s.executed() && !s.shift.News() && !s.stein.Worker().News() && !s.rank.News() && (!s.waits || s.evaluating()) {
		return false
	}
	if now || old.Applied != s.applied || s.due() {
		s.publish()
		return false
	}
	return true
}

func (s *Session) publish() {
	s.wanted.Store(false)
	s.lastPub = time.Now()
	s.version++
	s.shown, s.waits = s.executed(), s.evaluating()
	snap := &engine.Snapshot{
		Version: s.version, Applied: s.applied, Config: s.config(), Problem: s.prob, Phase: s.phase,
		Speed: s.speed, Rate: s.meter.rate() * float64(s.cfg.ChainCount()), Marks: s.marks[:len(s.marks):len(s.marks)], Notice: s.notice,
		CanUndo: s.undo.CanUndo(), CanRedo: s.undo.CanRedo(), CanReturn: len(s.before) > 0, Replaying: len(s.line.Ahead()), Tape: s.tape(),
	}
	snap.Predictions = s.predictions()
	snap.Shift = s.shiftView(snap.Predictions)
	s.watchDiscrepancy()
	ranker := s.ranker()
	if s.stepBy > 0 || s.line.Seeking {
		ranker = nil // what is shown of counted steps follows from them alone
	}
	var discrepancies []stein.Lane
	var tasks []*stein.Task
	for _, r := range s.lanes {
		v := r.view(s.moves(), ranker)
		if s.watched.Discrepancy {
			d, more := r.discrepancyView(v.Trust[quantity.Chain], s.moves())
			discrepancies, tasks = append(discrepancies, d), append(tasks, more...)
		}
		if end, rate := s.limit(r), s.rate(&v); end < math.MaxUint64 && rate > 0 {
			v.Left = float64(end-min(end, v.Step)) * float64(s.cfg.ChainCount()) / rate
		}
		snap.Lanes = append(snap.Lanes, v)
	}
	s.needs(snap.Lanes)
	if s.watched.Discrepancy {
		snap.Discrepancy = s.stein.View(discrepancies, tasks, s.moves())
	}
	s.snap.Store(snap)
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// rate is how many steps a second the chains of a lane make together, at the speed allowed.
func (s *Session) rate(v *engine.LaneView) float64 {
	rate := v.Values[quantity.StepsPerSecond].Value
	if s.speed > 0 {
		rate = min(rate, s.speed*float64(s.cfg.ChainCount()))
	}
	return rate
}

// evaluating reports whether draws wait for their evaluation.
func (s *Session) evaluating() bool { return slices.ContainsFunc(s.lanes, runner.evaluating) }

// config is the session's Config with the settings in force.
func (s *Session) config() engine.Config {
	c := s.cfg
	c.Lanes = s.settings()
	if len(s.prob.Params) > 0 {
		c.Target = s.prob.Spec
		for i := range c.Lanes {
			c.Lanes[i].Problem = nil // the snapshot has it
		}
	}
	return c
}

func (s *Session) settings() []engine.Lane { return ofLanes(s, runner.setting) }

// ofLanes is what f says of each lane.
func ofLanes[T any](s *Session, f func(r runner) T) []T {
	return list.Map(s.lanes, f)
}
