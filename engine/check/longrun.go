package check

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

const (
	// batches is how many batch means the draws, and as many those of a simulation, have.
	batches = 32
	// perBatch is how many autocorrelation times a batch needs: below, standard errors are too small.
	perBatch = 20
	// simulated is how many chains a simulation has.
	simulated = 8
)

// A longRun is for draws that do not show what a step hangs on: averages over all of them are held to those of a
// simulation. They are told of draws of an equilibrium alone.
type longRun struct {
	draws    Draws
	centre   []float64 // of the coordinates that are followed
	tau      float64   // the longest of theirs, in draws
	mean, se []float64
}

func newLongRun(s *setup, d Draws) *longRun {
	l := &longRun{draws: Draws{Dim: d.Dim}}
	skip := int(s.config.Lanes[0].Or(sampler.KeyBurnIn, 0)) / s.thin
	for _, c := range d.Chains {
		n := len(c) / d.Dim
		from := skip
		if skip == 0 {
			from = n / 10
		}
		l.draws.Chains = append(l.draws.Chains, c[min(from, n)*d.Dim:])
	}
	l.tau = l.draws.longest()
	l.centre = make([]float64, min(d.Dim, followed))
	n := 0.0
	for x := range l.draws.steps(1) {
		n++
		for i := range l.centre {
			l.centre[i] += (x[i] - l.centre[i]) / n
		}
	}
	l.mean, l.se = l.means(l.draws)
	return l
}

// longest is the longest autocorrelation time of the coordinates that are followed, in draws, a mean over chains.
func (d Draws) longest() float64 {
	tau := make([]float64, min(d.Dim, followed))
	for _, c := range d.Chains {
		stats, block := metrics.NewChain(len(tau)), metrics.NewBlock(len(tau), 256)
		for x := range slices.Chunk(c, d.Dim) {
			if block.Push(x[:len(tau)]) {
				stats.Add(block)
				block.Reset()
			}
		}
		if block.N > 0 {
			stats.Add(block)
		}
		for i := range tau {
			if a := stats.ACTLoose(i); a.OK() {
				tau[i] += a.Value * float64(len(c)/d.Dim) / float64(d.Count())
			}
		}
	}
	return list.Max(tau, func(x float64) float64 { return x })
}

// needed is how many draws the batches need, 0 where they have them.
func (l *longRun) needed() int {
	if n := max(batches*perBatch*l.tau, 10*batches); float64(l.draws.Count()) < n || l.tau == 0 {
		return l.draws.about(n / 0.9)
	}
	return 0
}

// means are those of each coordinate, of its square from the centre, and of the square move, with standard errors by
// batches.
func (l *longRun) means(d Draws) (mean, se []float64) {
	k, each := len(l.centre), max(1, batches/len(d.Chains))
	columns := make([][]float64, 2*k+1) // of each, the means of batches
	for _, c := range d.Chains {
		for b, n := 0, len(c)/d.Dim; b < each; b++ {
			from, to := max(1, (b*n+each-1)/each), ((b+1)*n+each-1)/each
			if from >= to {
				continue
			}
			sums := make([]float64, 2*k+1)
			for t := from; t < to; t++ {
				x, was := c[t*d.Dim:], c[(t-1)*d.Dim:]
				for i, m := range l.centre {
					sums[2*i] += x[i]
					sums[2*i+1] += float64((x[i] - m) * (x[i] - m))
					sums[2*k] += float64((x[i] - was[i]) * (x[i] - was[i]))
				}
			}
			for f, sum := range sums {
				columns[f] = append(columns[f], sum/float64(to-from))
			}
		}
	}
	for _, of := range columns {
		m, v := stat.MeanVariance(of, nil)
		mean, se = append(mean, m), append(se, math.Sqrt(v/float64(len(of))))
	}
	return mean, se
}

// facts are those of the draws beside a simulation of a hypothesis, nil where that leaves all bounds.
func (l *longRun) facts(ctx context.Context, s *setup, stream int) ([]Fact, error) {
	d := l.draws.Dim
	target, end := s.fork()
	defer end()
	rows := cmp.Or(s.batch, s.problem.N())
	burn := max(50, int(20*l.tau))
	if alpha, ok := s.own("alpha"); ok {
		burn = max(burn, int(7/(1-alpha))/s.thin)
	}
	n := max(2*l.draws.Count()/simulated, 2*batches)
	if share := simulatedReads / (float64(rows*d+20) * float64(s.thin*simulated) * float64(burn+n)); share < 1 {
		burn, n = int(float64(burn)*share), max(2*batches, int(float64(n)*share))
	}
	out, v := Draws{Dim: d}, l.draws.meanSquares(target)
	for k := range simulated {
		c := l.draws.Chains[k%len(l.draws.Chains)]
		m := newMachine(s, target, stream, k, v)
		m.start(c[k*(len(c)/d-1)/simulated*d:][:d])
		var chain []float64
		for t := range burn + n {
			if t%256 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for range s.thin {
				if !m.step() {
					return nil, nil
				}
			}
			if t >= burn {
				chain = append(chain, m.state.Theta...)
			}
		}
		out.Chains = append(out.Chains, chain)
	}
	mean, se := l.means(out)
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: batches - 1}
	var facts []Fact
	for f := range mean {
		name := "mean square move"
		if i := f / 2; i < len(l.centre) {
			name = [2]string{"mean of ", "mean square, from the draws' mean, of "}[f%2] + s.problem.Name(i)
		}
		both := libm.Hypot(se[f], l.se[f])
		if !(both > 0) {
			continue
		}
		z := (l.mean[f] - mean[f]) / both
		if p := student.CDF(-math.Abs(z)); p > 1e-300 {
			z = math.Copysign(-mathext.NormalQuantile(p), z)
		}
		facts = append(facts, Fact{Name: name, Expected: mean[f], Found: l.mean[f], SE: both, Z: z})
	}
	return facts, nil
}
