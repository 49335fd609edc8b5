package lane

import (
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
			Now: stein.Point{Step: l.Step(), Seconds: l.busy.Seconds(), Epoch: l.epoch()},
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

func (l *lane[F]) Discrepancy(chain metrics.Status, running bool) (v stein.LaneCurve, tasks []*stein.Task) {
	if !running {
		l.takeDiscrepant()
	}
	v, tasks = l.discrepancy.View()
	if why := l.discrepant(chain); why != metrics.OK {
		v.Status = why
	}
	return v, tasks
}
