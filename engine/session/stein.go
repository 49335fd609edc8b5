package session

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/beside"
	"github.com/psgld/psgld-tui/engine/caught"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/metrics"
)

// discrepancy is a lane's part in following the Stein discrepancy of its window: it takes
// the draws of which that is worked out. It does so at points of the curves, and where the
// lane stands still, whenever its draws have grown by a quarter, so that which points there
// are follows from the draws alone.
type discrepancy struct {
	on    bool
	curve *stein.Curve
	tried uint64 // draws of the window at the newest try
	// status is why the newest try took none.
	status metrics.Status
	tasks  []*stein.Task
}

// restart begins a new window.
func (d *discrepancy) restart() {
	if d.curve != nil {
		d.curve.Close()
	}
	d.curve, d.tried, d.tasks = new(stein.Curve), 0, nil
	d.status = metrics.TooShort
}

// watch begins or ends to follow it.
func (d *discrepancy) watch(on bool) {
	if d.on = on; !on {
		d.tasks = nil
	}
}

// takeDiscrepant takes draws if that is due.
func (l *lane[F]) takeDiscrepant() {
	d := &l.discrepancy
	if !d.on || l.draws <= d.tried+d.tried/4 {
		return
	}
	d.tried = l.draws
	if d.status = l.discrepant(quantity.ChainTrust(l)); d.status != metrics.OK {
		return
	}
	k, all := len(l.chains), stein.Draws(l.prob.F64)
	stride := stein.Spacing * l.Slowest().ACT.Value / float64(l.keeper.Every())
	for ; ; stride *= 2 {
		t := &stein.Task{Curve: d.curve, Prec: l.params.PriorPrec, Chains: k}
		t.Point = stein.Point{Step: l.state.Step, Seconds: l.busy.Seconds(), Epoch: l.epoch()}
		for i := range l.tracked {
			var x []float64
			for _, c := range l.chains {
				x = c.keeper.Newest(x, i, (all+k-1)/k, max(int(math.Ceil(stride)), 1))
			}
			t.Draws = append(t.Draws, x)
		}
		if len(t.Draws[0]) < stein.Least {
			d.status = metrics.TooShort
			return
		}
		if t.Independent() {
			d.tasks = append(d.tasks, t)
			return
		}
	}
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
	d := &l.discrepancy
	if !running {
		l.takeDiscrepant()
	}
	tasks, d.tasks = d.tasks, nil
	v.Points = d.curve.Points()
	if v.Status = l.discrepant(chain); v.Status == metrics.OK {
		v.Status = d.status
	}
	return v, tasks
}

// ranker works out comparisons of the chains for a screen; nil where there is none to show
// them, or no chains to compare.
func (s *Session) ranker() *beside.Worker {
	if s.rank == nil && s.rt.Interactive && !s.ended && s.prob.F64 != nil && s.cfg.ChainCount() > 1 {
		s.rank = beside.New("the comparison of chains", math.MaxInt, s.inbox.poke)
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
		s.inbox.poke() // a paused session looks no more before it waits
	}
}

// watchDiscrepancy has the discrepancy worked out while it is watched.
func (s *Session) watchDiscrepancy() {
	on := s.watched.Discrepancy && !s.ended
	if s.stein != nil && (!on || s.steinOf != s.prob) {
		s.stein.Close()
		s.stein = nil
	}
	if on && s.stein == nil && s.prob.F64 != nil {
		s.stein, s.steinOf = stein.New(s.prob.F64, s.inbox.poke), s.prob
	}
	s.look(s.stein.Worker())
}
