package session

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/session/internal/queue"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/caught"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// worthWaking is the part of queue.ChunkTime from which lanes run on threads of their own: to wake
// one costs as much as some microseconds of steps.
const worthWaking = 0.1

// follows is the most steps at a time that count as slow, so that the newest of them is taken apart.
const follows = 256

// Run runs the session until ctx ends or, if it is not interactive, until a limit is reached or every lane has
// diverged. It returns ctx's error, or that of a sink. After it returns, Result, Recording and Snapshot hold the end.
func (s *Session) Run(ctx context.Context) error {
	defer func() {
		defer close(s.gone)
		for _, r := range s.lanes {
			r.Measures().Finish()
			r.Measures().Settle()
			r.Close()
		}
		if s.shelf.part != nil {
			s.shelf.part.Leave()
			s.shelf.fit(&s.course, s.place)
		}
		s.side.End()
		s.publish()
	}()
	if s.rt.Memory != nil && s.rt.keyframes() {
		s.shelf.part = s.rt.Memory.Join(s.inbox.Poke)
	}
	s.clock.Restart(time.Now())
	for ctx.Err() == nil {
		s.shelf.fit(&s.course, s.place)
		s.obey()
		s.workOutPhase()
		if s.failed != nil {
			return s.failed
		}
		if !s.rt.Interactive && s.over() {
			return nil
		}
		if n := s.allowance(); n > 0 {
			if s.now.Problem.Outside() {
				s.publishIf(false) // the chunk may take long
			}
			s.held <- struct{}{}
			s.advance(ctx, n)
			<-s.held
			s.clock.Govern(s.gait())
			if s.clock.FrameDue() && !s.clock.Busy(time.Now(), queue.FrameTime) {
				s.publish()
			}
			continue
		}
		news := s.publishIf(s.now.Mode.Phase != state.Running && !s.clock.Resting(s.gait()))
		from := time.Now()
		s.clock.Wait(ctx, s.inbox.Wake(), s.gait(), news)
		if s.now.Mode.Phase == state.Running && s.waits() {
			s.clock.Meter.Add(0, time.Since(from)) // the rate is how fast another program draws
		}
	}
	return ctx.Err()
}

// over reports whether a session without a screen has come to its end.
func (s *Session) over() bool {
	n := len(s.rt.Replay)
	recorded := s.rt.Replay != nil && (n == 0 || s.rt.Replay[n-1].Move == "")
	return !s.bound() && (s.now.Mode.Phase == state.Done || s.now.Mode.Phase == state.AllDiverged) ||
		recorded && len(s.line.Ahead()) == 0
}

// bound reports whether what is ahead was recorded, so that it is done whatever the limits say.
func (s *Session) bound() bool {
	ahead := s.line.Ahead()
	return len(ahead) > 0 && ahead[0].Move == ""
}

func (s *Session) workOutPhase() {
	s.replayDue()
	if s.line.Seeking && (s.place() >= s.line.To && s.behind() == 0 || s.remaining() == 0) {
		s.line.Seeking, s.now.Mode.Paused = false, true // it has come to its place
	}
	switch {
	case !slices.ContainsFunc(s.lanes, func(r lane.Runner) bool { return r.Standing().Diverged == nil }):
		s.now.Mode.Phase = state.AllDiverged
	case len(s.line.Ahead()) == 0 &&
		(s.met.enough(&s.now.Config, s.lanes) || !s.rt.Interactive && s.met.lost(&s.now.Config, s.lanes)):
		s.now.Mode.Phase = state.Done
	case !s.bound() && (s.remaining() == 0 && !s.waits() ||
		s.now.Config.Seconds > 0 && s.lanes.seconds() >= s.now.Config.Seconds):
		s.now.Mode.Phase = state.Done
	case s.now.Mode.Paused && !s.line.Seeking:
		s.now.Mode.Phase = state.Paused
	default:
		s.now.Mode.Phase = state.Running
	}
}

// limit is the step at which a lane ends.
func (s *Session) limit(r lane.Runner) uint64 {
	end := uint64(math.MaxUint64)
	if s.now.Config.Steps > 0 {
		end = s.now.Config.Steps
	}
	if s.now.Config.Epochs > 0 {
		end = min(end, uint64(math.Ceil(float64(s.now.Config.Epochs*r.Standing().StepsPerEpoch)-1e-9)))
	}
	if src := s.now.Problem.Source; src != nil {
		end = min(end, src.Rows())
	}
	return end
}

// waits reports whether more draws of another program are to come.
func (s *Session) waits() bool {
	src, c := s.now.Problem.Source, &s.now.Config
	return src != nil && !src.Ended() && !(c.Steps > 0 && src.Rows() >= c.Steps)
}

// left is how many steps lane i may run before its limit or the next event ahead.
func (s *Session) left(i int) uint64 {
	r := s.lanes[i]
	if r.Standing().Diverged != nil {
		return 0
	}
	end := s.limit(r)
	n := end - min(end, r.Standing().Step)
	if ahead := s.line.Ahead(); len(ahead) > 0 && i < len(ahead[0].Event.At) {
		at := ahead[0].Event.At[i]
		to := at - min(at, r.Standing().Odometer)
		if s.bound() {
			n = to
		} else {
			n = min(n, to)
		}
	} else if s.now.Config.Race && s.now.Config.Until.Wanted() && s.met[i] {
		return 0
	}
	return n
}

// remaining is the most steps that a lane has left.
func (s *Session) remaining() uint64 {
	return list.Max(list.Upto(len(s.lanes)), s.left)
}

// allowance is how many steps each lane may run now.
func (s *Session) allowance() uint64 {
	switch {
	case s.now.Mode.Phase == state.Done || s.now.Mode.Phase == state.AllDiverged:
		s.now.Mode.StepBy = 0
		return 0
	case s.clock.Resting(s.gait()) || s.now.Problem.Source != nil && s.remaining() == 0:
		return 0
	case s.line.Seeking:
		return max(s.line.To-s.place(), s.behind())
	case s.now.Mode.StepBy > 0:
		return s.now.Mode.StepBy
	case s.now.Mode.Phase != state.Running:
		return 0
	case !s.clock.Limited():
		return math.MaxUint64
	}
	return s.clock.Due(time.Now())
}

// advance runs a chunk of at most n steps in every lane. Lanes race only while their steps are not counted.
func (s *Session) advance(ctx context.Context, n uint64) {
	race, slow := s.now.Config.Race && n == math.MaxUint64, n <= follows || s.clock.Limited()
	if s.gait() == queue.Counted {
		// Chunks of counted steps may be short by chance. The single steps are the
		// last ones, so that the view can take them apart.
		if slow = n <= s.clock.Single; !slow {
			n -= s.clock.Single
		}
	}
	if !race {
		n = min(n, s.remaining()) // those behind an event that is ahead are of another chunk
		for i, r := range s.lanes {
			if s.left(i) > 0 {
				n = min(n, uint64(s.clock.Chunk[s.now.Lanes[i].ID]), untilLook(&s.now.Config, r))
			}
		}
	}
	step := ctx
	if s.now.Problem.Outside() {
		var done func()
		step, done = s.inbox.Leaving(ctx)
		defer done()
	}
	start := time.Now()
	var jobs [state.MaxLanes]job
	behind := s.behind() > 0 && !race
	whole := 0.0 // chunks
	for i, r := range s.lanes {
		r.Measures().Follow(slow)
		m := min(n, s.left(i))
		switch {
		case race:
			m = min(m, uint64(s.clock.Chunk[s.now.Lanes[i].ID]), untilLook(&s.now.Config, r))
			if s.clock.Lead[s.now.Lanes[i].ID] > queue.ChunkTime.Seconds() {
				m = 0
			}
		case behind:
			m = min(s.owed[s.now.Lanes[i].ID], s.left(i))
		}
		r.Under(step, ctx)
		jobs[i] = job{lane: r, steps: m, had: r.Standing().PerChain, from: r.Standing().Odometer,
			busy: r.Standing().Busy}
		whole += float64(m) / s.clock.Chunk[s.now.Lanes[i].ID]
	}
	threads := s.rt.Threads
	if whole < worthWaking {
		threads = 1
	}
	before := s.lanes.executed()
	runJobs(jobs[:len(s.lanes)], threads)
	took := time.Since(start)
	if race {
		raced(&s.clock.Lead, jobs[:len(s.lanes)], s.now.Lanes, s.left)
	} else {
		n = s.counted(jobs[:len(s.lanes)], n, behind)
	}
	for i, l := range s.now.Lanes {
		if j, id := jobs[i], l.ID; j.steps > 0 && j.took > 0 {
			s.clock.Took(id, s.lanes[i].Standing().Odometer-j.from, j.took)
		}
		if err := s.lanes[i].Standing().Err; err != nil && s.failed == nil {
			s.failed = err
		}
		if p := jobs[i].panic; p != nil {
			s.failed = p
		}
	}
	if s.now.Mode.StepBy > 0 {
		s.now.Mode.StepBy -= min(n, s.now.Mode.StepBy)
	}
	s.clock.Made(n)
	c := &s.now.Config
	looks := c.Until.Wanted() && s.behind() == 0 // lanes that were interrupted come to the place of the look first
	if looks && s.met.ran(c, jobs[:len(s.lanes)]) && !s.line.Seeking && len(s.line.Ahead()) == 0 {
		s.sayEnough()
	}
	s.clock.Meter.Add(s.lanes.executed()-before, took)
	s.keepKeyframe(took)
	s.clock.Rest(took)
}

// raced adds to what each lane leads, in seconds that it was busy, the last one of those that have steps left. A lane
// that comes late starts beside the last.
func raced(lead *[state.MaxLanes]float64, jobs []job, lanes []state.Lane, left func(i int) uint64) {
	last := math.Inf(1)
	for i, l := range lanes {
		if lead[l.ID] += jobs[i].lane.Standing().Busy - jobs[i].busy; left(i) > 0 {
			last = min(last, lead[l.ID])
		}
	}
	for i := range lead {
		lead[i] = max(0, lead[i]-last)
	}
}

// sayEnough tells that enough is drawn, if it is.
func (s *Session) sayEnough() {
	if c := &s.now.Config; s.met.enough(c, s.lanes) {
		s.pub.say(state.Enough{Until: c.Until, Step: s.lanes.step(), Seconds: s.lanes.seconds()})
	}
}

// gait is how the session goes on.
func (s *Session) gait() queue.Gait {
	switch {
	case s.now.Mode.StepBy > 0 || s.line.Seeking:
		return queue.Counted
	case s.now.Mode.Phase == state.Running:
		return queue.Free
	}
	return queue.Still
}

// moves reports whether lanes run, or are about to.
func (s *Session) moves() bool {
	return s.now.Mode.Phase == state.Running || s.now.Mode.StepBy > 0 && s.remaining() > 0 || s.line.Seeking
}

// heard takes note of what ended work beside the lanes, nil for nothing. If that has panicked, so has the session.
func (s *Session) heard(err error) {
	if p, ok := err.(*caught.Panic); ok {
		s.failed = p
		s.inbox.Poke() // a paused session looks no more before it waits
	} else if err != nil {
		s.pub.say(state.Refused{Err: err})
	}
}

// job is a lane's share of a chunk.
type job struct {
	lane  lane.Runner
	steps uint64
	had   uint64  // draws of each chain in the window, before it runs
	from  uint64  // the lane's odometer before
	busy  float64 // seconds that it was busy before
	took  time.Duration
	panic *caught.Panic
}

// runJobs runs every job that has steps, as many at a time as there are threads. No number
// depends on which goroutine runs a lane.
func runJobs(all []job, threads int) {
	each(len(all), threads, func(i int) {
		if j := &all[i]; j.steps > 0 {
			start := time.Now()
			j.panic = caught.In("a lane", func() { j.lane.Advance(j.steps) })
			j.took = time.Since(start)
		}
	})
}

// each calls f with the numbers below n, as many at a time as there are threads, and returns when all are done.
func each(n, threads int, f func(i int)) {
	var taken atomic.Int32
	take := func() {
		for i := int(taken.Add(1)); i <= n; i = int(taken.Add(1)) {
			f(i - 1)
		}
	}
	var others sync.WaitGroup
	for range min(threads, n) - 1 {
		others.Go(take)
	}
	take() // the caller helps
	others.Wait()
}
