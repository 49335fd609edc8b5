package lane

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
)

// traceView is the path of all chains in the watched coordinates. The bins of the chains
// are at the same steps.
func (l *lane[F]) traceView() (t engine.Trace) {
	t.Last, t.Every, t.Even = l.ring.Newest()
	t.Steps = slices.Clone(l.envelope.Bins())
	for k, i := range [2]int{l.x, l.y} {
		at := &t.Coords[k]
		lo, hi, mean := l.envelope.Of(i)
		at.Lo, at.Hi, at.Mean = slices.Clone(lo), slices.Clone(hi), slices.Clone(mean)
		for _, c := range l.chains[1:] {
			lo, hi, mean = c.envelope.Of(i)
			for j := range at.Lo {
				at.Lo[j], at.Hi[j] = min(at.Lo[j], lo[j]), max(at.Hi[j], hi[j])
				at.Mean[j] += mean[j]
			}
		}
		for j := range at.Mean {
			at.Mean[j] /= float64(len(l.chains))
		}
	}
	return t
}
