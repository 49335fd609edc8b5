package predict

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// maxProbes is how many images are probes.
const maxProbes = 10

// probes read what each draw of a network says of a few images, since θ itself does not converge and need not: with
// permuted units the function is the same. They are the mean negative log-likelihood of the set, and the probabilities
// of the true classes of ten images spread evenly over it (Izmailov, Vikram, Hoffman and Wilson 2021, What are Bayesian
// neural network posteriors really like?, §5.1). The zero value has none.
type probes struct {
	labels  []int32
	classes int
	rows    []int
	block   *metrics.Block // of one draw
}

func newProbes(labels []int32, classes int) probes {
	n := min(maxProbes, len(labels))
	p := probes{labels: labels, classes: classes, block: metrics.NewBlock(1+n, 1)}
	for i := range n {
		p.rows = append(p.rows, i*len(labels)/n)
	}
	return p
}

// keepers are those of so many chains.
func (p *probes) keepers(chains int) (all []*metrics.Keeper) {
	for range chains {
		all = append(all, metrics.NewKeeper(1+len(p.rows), 1<<16/chains))
	}
	return all
}

// read is the block of one draw's predictions.
func (p *probes) read(probs []float64) *metrics.Block {
	loss := 0.0
	for r, y := range p.labels {
		loss -= libm.Log(max(probs[r*p.classes+int(y)], math.SmallestNonzeroFloat64))
	}
	b := p.block
	b.N = 1
	b.Col(0)[0] = loss / float64(len(p.labels))
	for i, r := range p.rows {
		b.Col(1 + i)[0] = probs[r*p.classes+int(p.labels[r])]
	}
	return b
}

// ProbeNames say what the probes are; nil where there are none.
func (e *Evaluator[F]) ProbeNames() []string {
	if e == nil || e.probes.rows == nil {
		return nil
	}
	return append([]string{"loss"}, list.Map(e.probes.rows, func(r int) string {
		return fmt.Sprintf("p(%d | image %d)", e.probes.labels[r], r+1)
	})...)
}

// Probe sets columns to the kept values of a probe, a chain each and of at most so many draws
// each, oldest first; all of them if most is 0. It reports whether all chains have as many:
// while a draw waits for its evaluation some may have one more.
func (e *Evaluator[F]) Probe(i, most int, columns [][]float64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	same := e.opening == 0
	for k, keeper := range e.averages.probed {
		columns[k], _ = keeper.Append(columns[k][:0], i, most)
		same = same && len(columns[k]) == len(columns[0])
	}
	return same
}
