package lane

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
)

// laneCopy is the Copy of a lane.
type laneCopy[F sampler.Float] struct{ *record.Copy[F] }

func (k laneCopy[F]) Setting() engine.Setting { return k.Copy.Setting }

func (k laneCopy[F]) BytesBeyond(other Copy) int {
	o, _ := other.(laneCopy[F])
	return k.Copy.BytesBeyond(o.Copy)
}

func (k laneCopy[F]) Fits(r Runner) bool {
	l, ok := r.(*lane[F])
	return ok && l.records.Fits(k.Copy)
}

func (l *lane[F]) Copy() Copy { return laneCopy[F]{l.records.Copy()} }

func (l *lane[F]) Restore(from Copy) {
	k := from.(laneCopy[F])
	l.records.Restore(k.Copy, func() { l.apply(k.Setting()) })
	if k.Diverged != nil && l.outside == nil {
		l.travel(l.Step()) // so that the kernels stand as they did at the last step
		l.apply(k.Setting())
	}
	for i, c := range l.Chains {
		c.Info, c.Observed = k.Chains[i].Info, k.Chains[i].Observed // which a new kernel has begun anew
	}
}
