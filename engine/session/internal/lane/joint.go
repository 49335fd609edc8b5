package lane

import (
	"github.com/psgld/psgld-tui/engine/gradient"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/list"
)

// joint makes most of the steps of a lane whose kernel is a sampler.Joint: those of all
// chains side by side, many at a time, on a copy of their states. The last step of every
// stretch is left to the chains themselves, whose kernels report it. So is a stretch in which
// a chain diverges.
type joint[F sampler.Float] struct {
	state  sampler.State[F]
	kernel sampler.Joint[F]
	z      *noise.Normals[F]
	grad   gradient.Gradient[F]
	path   []float64 // of a stretch: blockCap values of each number in θ
	at     []F       // a chain's θ on it
	even   []float64 // blockCap weights of draws, all alike
}

// newJoint prepares the chains to go side by side. It is nil where more belongs to a step or
// a draw than kernel, density and statistics.
func (l *lane[F]) newJoint() *joint[F] {
	if l.outside != nil || l.prob.HasData() || l.evaluator != nil || l.first.companions != nil || l.draw != nil {
		return nil
	}
	kernel, ok := newKernel[F](l.method, l.target).(sampler.Joint[F])
	if !ok {
		return nil
	}
	n := len(l.chains) * l.target.Dim()
	j := &joint[F]{kernel: kernel, path: make([]float64, n*blockCap), at: make([]F, l.target.Dim()), even: make([]float64, blockCap)}
	j.state = sampler.State[F]{Theta: sampler.Vector[F](n), V: sampler.Vector[F](n)}
	j.z = noise.Join(list.Map(l.chains, func(c *chain[F]) *noise.Normals[F] { return c.z }))
	j.grad = gradient.Join(list.Map(l.chains, func(c *chain[F]) *gradient.Gradient[F] { return &c.grad }), &j.state)
	return j
}

// together makes at most n-1 steps of all chains and takes their draws, and returns how many.
// There is at least one more step to the next point of the curves and to full blocks.
func (l *lane[F]) together(n uint64) uint64 {
	j := l.joint
	first := l.nextKeep - l.Step() // to a draw
	if l.nextKeep <= l.passage.Until() {
		n = min(n, first)
	} else {
		draws := min(l.history.Until(l.rounds()), uint64(blockCap-l.first.block.N))
		n = min(n, first+(draws-1)*l.thin)
	}
	n = min(n-1, blockCap)
	if n == 0 {
		return 0
	}
	count := len(l.chains)
	for k, c := range l.chains {
		sampler.Spread(j.state.Theta, c.state.Theta, k, count)
		sampler.Spread(j.state.V, c.state.V, k, count)
	}
	j.state.Step = l.Step()
	j.kernel.Steps(&j.state, &j.grad, &l.params, j.z, j.path, int(n))
	for e := range j.state.Theta {
		least, most, sum := metrics.Extent(j.path[e*blockCap:][:n])
		if !sampler.Usable(least, most, sum/float64(n)) { // the sum alone sees NaN
			return 0
		}
	}
	for k, c := range l.chains {
		sampler.Gather(c.state.Theta, j.state.Theta, k, count)
		sampler.Gather(c.state.V, j.state.V, k, count)
		c.state.Step += n
		c.gradEvals += n
	}
	l.odometer += n
	if first <= n {
		l.keepPath(first, n)
	}
	return n
}

// keepPath takes draws from the path of the newest n steps, the first of them after step first.
func (l *lane[F]) keepPath(first, n uint64) {
	j, count := l.joint, len(l.chains)
	draws := (n-first)/l.thin + 1
	last := l.nextKeep + (draws-1)*l.thin
	w := l.weight()
	if j.even[0] != w {
		for t := range j.even {
			j.even[t] = w
		}
	}
	for k, c := range l.chains {
		b := c.block
		for i, at := range l.tracked {
			to, from := b.X[i*b.Cap+b.N:][:draws], j.path[(at*count+k)*blockCap:][first-1:n]
			if l.thin == 1 {
				copy(to, from)
				continue
			}
			for t := range to {
				to[t] = from[uint64(t)*l.thin]
			}
		}
		copy(b.W[b.N:][:draws], j.even)
		b.N += int(draws)
		c.drawn = last
	}
	l.passage.End()
	l.nextKeep = last + l.thin
	l.draws += draws * uint64(count)
	l.kept += draws * uint64(count)
	if l.method.Kind == sampler.Sampling {
		for t := first; t <= n; {
			next := n + 1
			for k, c := range l.chains {
				evals := c.gradEvals - n + t
				if l.probeDue(c, evals) {
					for i := range c.state.Theta {
						j.at[i] = F(j.path[(i*count+k)*blockCap+int(t)-1])
					}
					l.probeAt(c, c.state.Step-n+t, evals, j.at, w)
				}
				wait := c.probed + probeEvery - evals
				next = min(next, t+(wait+l.thin-1)/l.thin*l.thin)
			}
			t = next
		}
	}
}
