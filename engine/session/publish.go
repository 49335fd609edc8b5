package session

import (
	"math"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/stein"
)

// publishIf publishes a snapshot if anything has changed since the last one: at once
// with now or after a command, else when it is due. It reports whether there are news that it did not publish.
func (s *Session) publishIf(now bool) (news bool) {
	old := s.snap.Load()
	if old.Phase == s.now.Mode.Phase && old.StepsLeft == s.now.Mode.StepBy && old.Applied == s.applied && s.shown == s.executed() && !s.shift.News() && !s.stein.Worker().News() && !s.rank.News() && (!s.waits || s.evaluating()) {
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
		Version: s.version, Applied: s.applied, Config: s.config(), Problem: s.now.Problem, Phase: s.now.Mode.Phase, StepsLeft: s.now.Mode.StepBy,
		Speed: s.pace.PerSecond(), Cut: s.pace.Cut(), Rate: s.meter.Rate() * float64(s.now.Config.ChainCount()), Marks: s.now.Marks[:len(s.now.Marks):len(s.now.Marks)],
		CanUndo: s.now.Undo.CanUndo(), CanRedo: s.now.Undo.CanRedo(), CanReturn: len(s.shelf) > 0, Replaying: len(s.line.Ahead()), Tape: s.tape(),
	}
	snap.Predictions = s.predictions()
	snap.Shift = s.shiftView(snap.Predictions)
	s.watchDiscrepancy()
	ranker := s.ranker()
	if s.now.Mode.StepBy > 0 || s.line.Seeking {
		ranker = nil // what is shown of counted steps follows from them alone
	}
	snap.Ranking = ranker
	var discrepancies []stein.LaneCurve
	var tasks []*stein.Task
	for _, r := range s.lanes {
		v := r.Measures().View(s.moves(), ranker)
		if s.now.Mode.Watch.Discrepancy {
			d, more := r.Measures().Discrepancy(v.Trust[quantity.Chain], s.moves())
			discrepancies, tasks = append(discrepancies, d), append(tasks, more...)
		}
		if end, rate := s.limit(r), s.rate(&v); end < math.MaxUint64 && rate > 0 {
			v.Left = float64(end-min(end, v.Step)) * float64(s.now.Config.ChainCount()) / rate
		}
		s.sayUnlearnt(&v)
		snap.Lanes = append(snap.Lanes, v)
	}
	snap.Notice = s.notice
	s.needs(snap.Lanes)
	if s.now.Mode.Watch.Discrepancy {
		snap.Discrepancy = s.stein.View(discrepancies, tasks, s.moves())
	}
	s.snap.Store(snap)
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// sayUnlearnt tells once that a lane's loss is no better than a constant's, until it is.
func (s *Session) sayUnlearnt(v *engine.LaneView) {
	now := v.ConstantLoss > 0
	if now && !s.unlearnt[v.ID] && !s.line.Seeking {
		s.say(state.Unlearnt{Lane: v.ID, Loss: v.Values[quantity.Loss].Value, Constant: v.ConstantLoss})
	}
	s.unlearnt[v.ID] = now
}

// rate is how many steps a second the chains of a lane make together, at the speed allowed.
func (s *Session) rate(v *engine.LaneView) float64 {
	rate := v.Values[quantity.StepsPerSecond].Value
	if s.pace.Limited() {
		rate = min(rate, s.pace.Rate()*float64(s.now.Config.ChainCount()))
	}
	return rate
}

// evaluating reports whether draws wait for their evaluation.
func (s *Session) evaluating() bool {
	return slices.ContainsFunc(s.lanes, func(r lane.Runner) bool { return r.Standing().Evaluating })
}
