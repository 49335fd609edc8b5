package measure

import (
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/metrics"
)

// discrepancy reads the Stein discrepancy of the window.
type discrepancy[F sampler.Float] struct {
	kept *kept[F]
	stein.Follower
	source quantity.Source
}

func (d *discrepancy[F]) forget() { d.Restart() }

// take takes draws for the discrepancy if that is due.
func (d *discrepancy[F]) take() {
	if !d.Due(d.kept.Window.Draws) {
		return
	}
	why := d.why(quantity.ChainTrust(d.source))
	if why == metrics.OK {
		why = d.Take(stein.Window{
			Keepers: d.kept.keepers,
			Dim:     len(d.kept.Tracked),
			Most:    stein.Draws(d.kept.Problem.F64),
			ACT:     d.source.Slowest().ACT.Value,
			Prec:    d.kept.Params.PriorPrec,
			Now:     stein.Point{Step: d.kept.Step(), Seconds: d.kept.Took.Busy.Seconds(), Epoch: d.kept.Epoch()},
		})
	}
	d.Status = why
}

// why says why the lane has no discrepancy, given what can be trusted of its chain. It is OK where there is one as
// soon as there are enough draws.
func (d *discrepancy[F]) why(chain metrics.Status) metrics.Status {
	switch {
	case d.kept.Method.Kind != sampler.Sampling:
		return metrics.NotSampled
	case d.kept.Problem.Draws() || !d.kept.Converges() || len(d.kept.Tracked) < d.kept.Target.Dim():
		return metrics.TooDear
	case d.kept.Diverged != nil:
		return d.kept.Diverged.Status()
	case d.kept.Params.Temp != 1 && d.kept.Setting.Has(sampler.KeyTemp):
		return metrics.Tempered
	case !d.kept.Setting.Schedule.Constant():
		return metrics.Uneven
	}
	return chain
}

func (m *Measures[F]) Discrepancy(chain metrics.Status, running bool) (v stein.LaneCurve, tasks []*stein.Task) {
	d := m.discrepancy
	if !running {
		d.take()
	}
	v, tasks = d.View()
	if why := d.why(chain); why != metrics.OK {
		v.Status = why
	}
	return v, tasks
}
