package session

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/beside"
	"github.com/psgld/psgld-tui/engine/caught"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/metrics"
)

// takeDiscrepant takes draws for the Stein discrepancy of the window if that is due.
func (l *lane[F]) takeDiscrepant() {
	if !l.discrepancy.Due(l.draws) {
		return
	}
	why := l.discrepant(quantity.ChainTrust(l))
	if why == metrics.OK {
		why = l.discrepancy.Take(stein.Window{
			Keepers: l.compared.Keepers, Dim: len(l.tracked), Most: stein.Draws(l.prob.F64), ACT: l.Slowest().ACT.Value, Prec: l.params.PriorPrec,
			Now: stein.Point{Step: l.state.Step, Seconds: l.busy.Seconds(), Epoch: l.epoch()},
		})
	}
	l.discrepancy.Status = why
}

// discrepant says why the lane has no discrepancy, given what can be trusted of its chain,
// or that it has one if there are enough draws.
func (l *lane[F]) discrepant(chain metrics.Status) metrics.Status {
	switch {
	case l.method.Kind != sampler.Sampling:
		return metrics.NotSampled
	case !l.converges() || len(l.tracked) < l.target.Dim():
		return metrics.TooDear
	case l.div != nil:
		return metrics.Diverged
	case l.params.Temp != 1 && l.set.Has(sampler.KeyTemp):
		return metrics.Tempered
	case !l.set.Schedule.Constant():
		return metrics.Uneven
	}
	return chain
}

// discrepancyView is the lane's discrepancy, given what can be trusted of its chain. It also
// returns what is to be worked out since the last view.
func (l *lane[F]) discrepancyView(chain metrics.Status, running bool) (v stein.Lane, tasks []*stein.Task) {
	if !running {
		l.takeDiscrepant()
	}
	v, tasks = l.discrepancy.View()
	if why := l.discrepant(chain); why != metrics.OK {
		v.Status = why
	}
	return v, tasks
}

// ranker works out comparisons of the chains for a screen; nil where there is none to show
// them, or no chains to compare.
func (s *Session) ranker() *beside.Worker {
	if s.rank == nil && s.rt.Interactive && !s.ended && s.prob.F64 != nil && s.cfg.ChainCount() > 1 {
		s.rank = beside.New("the comparison of chains", 0, s.inbox.Poke)
	}
	s.look(s.rank)
	s.rank.Ask(nil, s.moves())
	return s.rank
}

// moves reports whether lanes run, or are about to.
func (s *Session) moves() bool {
	return s.phase == engine.Running || s.stepBy > 0 && s.remaining() > 0 || s.line.Seeking
}

// look marks what a worker has done as seen. If that has panicked, so has the session.
func (s *Session) look(w *beside.Worker) {
	if p, ok := w.Look().(*caught.Panic); ok {
		s.failed = p
		s.inbox.Poke() // a paused session looks no more before it waits
	}
}

// watchDiscrepancy has the discrepancy worked out while it is watched.
func (s *Session) watchDiscrepancy() {
	on := s.watched.Discrepancy && !s.ended
	if s.stein != nil && (!on || s.steinOf != s.prob) {
		s.stein.Close()
		s.stein = nil
	}
	if on && s.stein == nil && s.prob.F64 != nil && !s.outside() {
		s.stein, s.steinOf = stein.New(s.prob.F64, s.inbox.Poke), s.prob
	}
	s.look(s.stein.Worker())
}
