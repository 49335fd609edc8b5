package session

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/session/internal/queue"
	"github.com/psgld/psgld-tui/engine/state"
)

// chunkTime is how long lanes run before commands are looked at.
const chunkTime = 2 * time.Millisecond

// worthWaking is the part of chunkTime from which lanes run on threads of their own: to wake
// one costs as much as some microseconds of steps.
const worthWaking = 0.1

// publishEvery bounds the rate of snapshots.
const publishEvery = 12 * time.Millisecond

// follows is the most steps at a time that count as slow, so that the newest of them is
// taken apart.
const follows = 256

// Run runs the session until ctx ends or, if it is not interactive, until a
// limit is reached or every lane has diverged. It returns ctx's error, or that
// of a sink. After it returns, Result, Recording and Snapshot hold the end.
func (s *Session) Run(ctx context.Context) error {
	defer func() {
		defer close(s.gone)
		for _, r := range s.lanes {
			r.Measures().Finish()
			r.Measures().Settle()
			r.Close()
		}
		if s.part != nil {
			s.part.Leave()
			s.fit()
		}
		s.shift.Rest()
		s.rank.Close()
		s.rank = nil
		s.ended = true
		s.publish()
	}()
	if s.rt.Memory != nil && s.keepsKeyframes() {
		s.part = s.rt.Memory.Join(s.inbox.Poke)
	}
	s.pace.Restart(time.Now())
	for ctx.Err() == nil {
		s.fit()
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
			s.govern()
			if s.due() && !s.pace.Busy(time.Now(), publishEvery) {
				s.publish()
			}
			continue
		}
		s.wait(ctx, s.publishIf(s.now.Mode.Phase != state.Running && !s.resting()))
	}
	return ctx.Err()
}

// over reports whether a session without a screen has come to its end.
func (s *Session) over() bool {
	n := len(s.rt.Replay)
	recorded := s.rt.Replay != nil && (n == 0 || s.rt.Replay[n-1].Move == "")
	return !s.bound() && (s.now.Mode.Phase == state.Done || s.now.Mode.Phase == state.AllDiverged) || recorded && len(s.line.Ahead()) == 0
}

// bound reports whether what is ahead was recorded, so that it is done whatever the limits say.
func (s *Session) bound() bool {
	ahead := s.line.Ahead()
	return len(ahead) > 0 && ahead[0].Move == ""
}

// workOutPhase works out the phase.
func (s *Session) workOutPhase() {
	s.replayDue()
	if s.line.Seeking && (s.place() >= s.line.To && s.behind() == 0 || s.remaining() == 0) {
		s.line.Seeking, s.now.Mode.Paused = false, true // it has come to its place
	}
	switch {
	case !slices.ContainsFunc(s.lanes, func(r lane.Runner) bool { return r.Standing().Diverged == nil }):
		s.now.Mode.Phase = state.AllDiverged
	case len(s.line.Ahead()) == 0 && (s.enough() || s.lost()):
		s.now.Mode.Phase = state.Done
	case !s.bound() && (s.remaining() == 0 || s.now.Config.Seconds > 0 && s.seconds() >= s.now.Config.Seconds):
		s.now.Mode.Phase = state.Done
	case s.now.Mode.Paused && !s.line.Seeking:
		s.now.Mode.Phase = state.Paused
	default:
		s.now.Mode.Phase = state.Running
	}
}

// seconds is the longest sampling time of a lane.
func (s *Session) seconds() float64 {
	return slices.Max(standings(s, func(n lane.Standing) float64 { return n.Seconds }))
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
	return end
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
	} else if s.now.Config.Race && s.looking() && s.met[s.now.Lanes[i].ID] {
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
	case s.now.Mode.Phase == state.Done || s.now.Mode.Phase == state.AllDiverged:
		s.now.Mode.StepBy = 0
		return 0
	case s.resting():
		return 0
	case s.line.Seeking:
		return max(s.line.To-s.place(), s.behind())
	case s.now.Mode.StepBy > 0:
		return s.now.Mode.StepBy
	case s.now.Mode.Phase != state.Running:
		return 0
	case !s.pace.Limited():
		return math.MaxUint64
	}
	return s.pace.Due(time.Now())
}

// advance runs a chunk of at most n steps in every lane. Lanes race only while their
// steps are not counted.
func (s *Session) advance(ctx context.Context, n uint64) {
	race, slow := s.now.Config.Race && n == math.MaxUint64, n <= follows || s.pace.Limited()
	if s.now.Mode.StepBy > 0 || s.line.Seeking {
		// Chunks of counted steps may be short by chance. The single steps are the
		// last ones, so that the view can take them apart.
		if slow = n <= s.single; !slow {
			n -= s.single
		}
	}
	if !race {
		n = min(n, s.remaining()) // those behind an event that is ahead are of another chunk
		for i, r := range s.lanes {
			if s.left(i) > 0 {
				n = min(n, uint64(s.chunk[s.now.Lanes[i].ID]), s.untilLook(r))
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
	var jobs [state.MaxLanes]job
	behind := s.behind() > 0 && !race
	whole := 0.0 // chunks
	for i, r := range s.lanes {
		r.Measures().Follow(slow)
		m := min(n, s.left(i))
		switch {
		case race:
			m = min(m, uint64(s.chunk[s.now.Lanes[i].ID]), s.untilLook(r))
			if s.lead[s.now.Lanes[i].ID] > chunkTime.Seconds() {
				m = 0
			}
		case behind:
			m = min(s.owed[s.now.Lanes[i].ID], s.left(i))
		}
		r.Under(step, ctx)
		jobs[i] = job{lane: r, steps: m, had: r.Standing().PerChain, from: r.Standing().Odometer, busy: r.Standing().Busy}
		whole += float64(m) / s.chunk[s.now.Lanes[i].ID]
	}
	threads := s.rt.Threads
	if whole < worthWaking {
		threads = 1
	}
	before := s.executed()
	runJobs(jobs[:len(s.lanes)], threads)
	took := time.Since(start)
	if race {
		s.raced(jobs[:len(s.lanes)])
	} else {
		n = s.counted(jobs[:len(s.lanes)], n, behind)
	}
	for i, l := range s.now.Lanes {
		if j, id := jobs[i], l.ID; j.steps > 0 && j.took > 0 {
			// The next chunk is halfway between this one and the size that would have
			// taken chunkTime, which counts as four times this size at most. Each lane
			// is measured by itself.
			want := float64(s.lanes[i].Standing().Odometer-j.from) * chunkTime.Seconds() / j.took.Seconds()
			s.chunk[id] = min(max((s.chunk[id]+min(want, 4*s.chunk[id]))/2, 1), 1e7)
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
	s.pace.Made(n)
	s.lookAt(jobs[:len(s.lanes)])
	s.meter.Add(s.executed()-before, took)
	s.keepKeyframe(took)
	s.rested = time.Now().Add(s.rt.Budget.rest(took))
}

// raced adds up by how many seconds that it was busy each lane leads the last one of those that go on, in a race. A lane
// that comes late starts beside the last.
func (s *Session) raced(jobs []job) {
	last := math.Inf(1)
	for i, l := range s.now.Lanes {
		if s.lead[l.ID] += s.lanes[i].Standing().Busy - jobs[i].busy; s.left(i) > 0 {
			last = min(last, s.lead[l.ID])
		}
	}
	for i := range s.lead {
		s.lead[i] = max(0, s.lead[i]-last)
	}
}

// rests reports whether the lanes rest between chunks.
func (s *Session) rests() bool {
	return s.rt.Budget.Share > 0 && (s.now.Mode.Phase == state.Running || s.now.Mode.StepBy > 0 || s.line.Seeking)
}

// resting reports whether steps that are due wait until the lanes have rested.
func (s *Session) resting() bool { return s.rests() && time.Now().Before(s.rested) }

func (s *Session) executed() uint64 {
	sum := uint64(0)
	for _, r := range s.lanes {
		sum += r.Standing().Odometer
	}
	return sum
}

// govern tells the governor how late the steps are that were due, once they are made, and
// does as that says.
func (s *Session) govern() {
	g := s.rt.Governor
	if g == nil || s.now.Mode.Phase != state.Running || s.line.Seeking || !s.pace.Limited() {
		return
	}
	now := time.Now()
	if s.pace.Busy(now, math.MaxInt64) {
		return
	}
	if s.rested.Sub(now) > queue.Beat { // it is late by its own budget
		s.fell = time.Time{}
		return
	}
	g.Late(now, s.pace.Late(s.fell, now))
	s.fell = time.Time{}
	if !s.rt.Favoured {
		s.pace.Scale(g.Factor(), now)
	}
}

// wait sleeps until a command comes, steps are due at the speed limit, a snapshot is wanted
// for which there are steps to make or news that were not published, or ctx ends.
func (s *Session) wait(ctx context.Context, news bool) {
	var due <-chan time.Time
	var end time.Time
	s.fell = time.Time{}
	paced := s.now.Mode.Phase == state.Running && s.pace.Limited() && s.now.Mode.StepBy == 0 && !s.line.Seeking
	if rest := time.Until(s.rested); s.rests() && (rest > 0 || !paced) {
		// Where no pace says when to go on, the rest may have ended since it was asked for.
		timer := time.NewTimer(max(rest, 0))
		defer timer.Stop()
		due = timer.C
	} else if paced {
		now := time.Now()
		d := s.pace.Sleep(now)
		s.dozes.Store(news || s.pace.Fast())
		defer s.dozes.Store(false)
		if s.wanted.Load() && (news || s.pace.Fast()) {
			soon := publishEvery - now.Sub(s.lastPub)
			if !news {
				soon = max(soon, s.pace.Next(now))
			}
			d = min(d, soon)
		}
		d = max(d, time.Millisecond)
		end = now.Add(d)
		timer := time.NewTimer(d)
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-ctx.Done():
	case <-s.inbox.Wake():
		if at := s.asked.Swap(0); at > 0 {
			s.fell = s.born.Add(time.Duration(at))
		}
	case <-due:
		s.asked.Store(0)
		s.fell = end
	}
}

// due reports whether somebody wants a snapshot and the last one is old enough.
func (s *Session) due() bool {
	return s.wanted.Load() && time.Since(s.lastPub) >= publishEvery
}
