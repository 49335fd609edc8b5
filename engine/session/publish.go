package session

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/session/internal/queue"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// publisher is what a session has told: its newest snapshot and notice, and on what they rest.
type publisher struct {
	snap    atomic.Pointer[engine.Snapshot]
	changed chan struct{} // receives a value after a snapshot
	version uint64
	applied uint64 // commands done or refused
	notice  engine.Notice
	shown   uint64    // steps executed at the newest snapshot
	since   time.Time // when a snapshot had as many first
	awaits  bool      // it is as of lanes that run, and all draws of another program so far are in it
	waits   bool      // some of its draws waited for their evaluation
	unread  error     // as it was told
}

// say makes a fact the newest notice.
func (p *publisher) say(f state.Fact) {
	p.notice = engine.Notice{Serial: p.notice.Serial + 1, Applied: p.applied, Fact: f}
}

func (p *publisher) put(snap *engine.Snapshot) {
	p.snap.Store(snap)
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// stale reports whether anything was said, or steps were made, since the newest snapshot.
func (p *publisher) stale(all fleet) bool {
	return p.snap.Load().Applied != p.applied || p.shown != all.executed() || p.waits && !all.evaluating()
}

// settles is for how long another program has to be quiet until its draws are measured as those of lanes that stand
// still, and not by what a moment ago has said.
const settles = time.Second / 2

// publishIf publishes a snapshot if anything has changed since the last one: at once
// with now or after a command, else when it is due. It reports whether there are news that it did not publish.
func (s *Session) publishIf(now bool) (news bool) {
	old, m := s.pub.snap.Load(), &s.now.Mode
	if old.Phase == m.Phase && old.StepsLeft == m.StepBy && !s.side.News() && !s.pub.stale(s.lanes) &&
		s.unread() == s.pub.unread && !(s.pub.awaits && time.Since(s.pub.since) >= settles) {
		return false
	}
	if now || old.Applied != s.pub.applied || s.clock.FrameDue() {
		s.publish()
		return false
	}
	return true
}

// unread is why no more is read of the program that draws, nil for nothing.
func (s *Session) unread() error {
	if src := s.now.Problem.Source; src != nil {
		return src.Failed()
	}
	return nil
}

func (s *Session) publish() {
	if s.rt.Unseen && s.pub.version > 0 {
		return
	}
	s.clock.Publishes()
	p, now := &s.pub, &s.now
	if err := s.unread(); err != p.unread {
		if p.unread = err; err != nil {
			p.say(state.Refused{Err: err})
		}
	}
	p.version++
	if shown := s.lanes.executed(); shown != p.shown || p.version == 1 {
		p.shown, p.since = shown, time.Now()
	}
	p.waits = s.lanes.evaluating()
	chains := float64(now.Config.ChainCount())
	snap := &engine.Snapshot{
		Version: p.version, Applied: p.applied,
		Config: s.config(), Problem: now.Problem, Phase: now.Mode.Phase, StepsLeft: now.Mode.StepBy,
		Speed: s.clock.PerSecond(), Cut: s.clock.Cut(), Rate: s.clock.Meter.Rate() * chains,
		Marks: now.Marks[:len(now.Marks):len(now.Marks)], CanUndo: now.Undo.CanUndo(), CanRedo: now.Undo.CanRedo(),
		CanReturn: len(s.shelf.held) > 0, Replaying: len(s.line.Ahead()), Tape: s.tape(),
	}
	idle := s.waits() && s.remaining() == 0
	running, readers := s.moves() && !(idle && time.Since(p.since) >= settles), list.Map(s.lanes, lane.Runner.Measures)
	if p.awaits = running && idle; p.awaits {
		time.AfterFunc(settles, s.inbox.Poke)
	}
	snap.Predictions, snap.Shift = s.side.Predict(now, readers)
	ranker := s.side.Ranker(now, running)
	if s.gait() == queue.Counted {
		ranker = nil // what is shown of counted steps follows from them alone
	}
	for i, r := range readers {
		v := r.View(running, ranker)
		if end, rate := s.limit(s.lanes[i]), s.rate(&v); end < math.MaxUint64 && rate > 0 {
			v.Left = float64(end-min(end, v.Step)) * chains / rate
		}
		snap.Lanes = append(snap.Lanes, v)
	}
	snap.Notice = p.notice
	needs(&now.Config, s.lanes, snap.Lanes, s.rate)
	snap.Comparing = ranker.News() || !ranker.Settled()
	snap.Discrepancy = s.side.Discrepancy(now, readers, snap.Lanes, running)
	snap.Check = s.side.Check(now, s.drawn(), running)
	p.put(snap)
}

// drawn is how many of its source's draws the session shows of each chain, 0 where it has none.
func (s *Session) drawn() uint64 {
	for i, l := range s.now.Lanes {
		if l.Setting.Sampler == catalog.Source.Name {
			return s.lanes[i].Standing().Step
		}
	}
	return 0
}

// rate is how many steps a second the chains of a lane make together, at the speed allowed.
func (s *Session) rate(v *engine.LaneView) float64 {
	rate := v.Values[quantity.StepsPerSecond].Value
	if s.clock.Limited() {
		rate = min(rate, s.clock.Rate()*float64(s.now.Config.ChainCount()))
	}
	return rate
}
