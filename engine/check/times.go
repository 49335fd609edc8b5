package check

import (
	"math"

	"github.com/psgld/psgld-tui/metrics"
)

// times takes the autocorrelation times (½ + Σ) of a chain's series, in draws.
type times struct {
	x     []float64 // one draw's numbers, to be set before add
	stats *metrics.Chain
	block *metrics.Block
}

func newTimes(count int) *times {
	return &times{x: make([]float64, count), stats: metrics.NewChain(count), block: metrics.NewBlock(count, 256)}
}

func (t *times) add() {
	if t.block.Push(t.x) {
		t.flush()
	}
}

func (t *times) flush() {
	if t.block.N > 0 {
		t.stats.Add(t.block)
		t.block.Reset()
	}
}

// of is the time of a series, NaN for one that stands still.
func (t *times) of(i int) float64 {
	t.flush()
	if a := t.stats.ACTLoose(i); a.OK() {
		return a.Value
	}
	return math.NaN()
}

// times are the means over chains of those of the first coordinates.
func (d Draws) times() []float64 {
	tau := make([]float64, min(d.Dim, tracked))
	for _, c := range d.Chains {
		of := newTimes(len(tau))
		for t := 0; t < len(c); t += d.Dim {
			copy(of.x, c[t:])
			of.add()
		}
		for i := range tau {
			tau[i] += float64(d.share(c) * of.of(i))
		}
	}
	return tau
}

// share is that of a chain of all draws.
func (d Draws) share(c []float64) float64 { return float64(len(c)/d.Dim) / float64(d.Count()) }
