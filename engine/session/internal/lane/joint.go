package lane

import (
	"github.com/psgld/psgld-tui/engine/gradient"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/list"
)

// sideBySide makes most of the steps of a lane whose kernel is a sampler.Joint: those of all
// chains side by side, many at a time, on a copy of their states. The last step of every
// stretch is left to the chains themselves, whose kernels report it. So is a stretch in which
// a chain diverges.
type sideBySide[F sampler.Float] struct {
	inTurn[F]
	joined sampler.State[F]
	kernel sampler.Joint[F]
	z      *noise.Normals[F]
	grad   gradient.Gradient[F]
	path   []F       // of a stretch: θ after each step
	line   []float64 // is path
	even   []float64 // blockCap weights of draws, all alike
}

// newJoint prepares the chains to go side by side. It is nil where more belongs to a step or
// a draw than kernel, density and statistics.
func (l *lane[F]) newJoint() *sideBySide[F] {
	if l.outside != nil || l.prob.HasData() || l.evaluator != nil || l.first.companions != nil || l.draw != nil {
		return nil
	}
	kernel, ok := newKernel[F](l.method, l.target).(sampler.Joint[F])
	if !ok {
		return nil
	}
	n := len(l.chains) * l.target.Dim()
	j := &sideBySide[F]{inTurn: inTurn[F]{l}, kernel: kernel, line: sampler.Vector[float64](n * blockCap), even: make([]float64, blockCap)}
	if j.path, ok = any(j.line).([]F); !ok {
		return nil
	}
	j.joined = sampler.State[F]{Theta: sampler.Vector[F](n), V: sampler.Vector[F](n)}
	j.z = noise.Join(list.Map(l.chains, func(c *chain[F]) *noise.Normals[F] { return c.z }))
	j.grad = gradient.Join(list.Map(l.chains, func(c *chain[F]) *gradient.Gradient[F] { return &c.grad }), &j.joined)
	return j
}

func (j *sideBySide[F]) steps(n uint64) (done uint64, bad *chain[F]) {
	if !j.set.Schedule.Constant() {
		return j.inTurn.steps(n)
	}
	done = j.together(n)
	one, bad := j.inTurn.steps(1)
	return done + one, bad
}

// together makes at most n-1 steps of all chains and takes their draws, and returns how many.
// There is at least one more step to the next point of the curves and to full blocks.
func (j *sideBySide[F]) together(n uint64) uint64 {
	l := j.lane
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
	for k, c := range l.chains {
		d := len(c.state.Theta)
		copy(j.joined.Theta[k*d:], c.state.Theta)
		copy(j.joined.V[k*d:], c.state.V)
	}
	j.joined.Step = l.Step()
	j.kernel.Steps(&j.joined, &j.grad, &l.params, j.z, j.path, int(n))
	line := j.line[:int(n)*len(j.joined.Theta)]
	if least, most, sum := metrics.Extent(line); !sampler.Usable(least, most, sum/float64(len(line))) { // the sum alone sees NaN
		return 0
	}
	for k, c := range l.chains {
		d := len(c.state.Theta)
		copy(c.state.Theta, j.joined.Theta[k*d:])
		copy(c.state.V, j.joined.V[k*d:])
		c.state.Step += n
		c.gradEvals += n
	}
	if first <= n {
		j.keepPath(first, n)
	}
	return n
}

// keepPath takes draws from the path of the newest n steps, the first of them after step first.
func (j *sideBySide[F]) keepPath(first, n uint64) {
	l, dim := j.lane, j.target.Dim()
	row := len(l.chains) * dim
	draws := (n-first)/l.thin + 1
	last := l.nextKeep + (draws-1)*l.thin
	every := int(l.thin) * row
	w := l.weight()
	if j.even[0] != w {
		for t := range j.even {
			j.even[t] = w
		}
	}
	for k, c := range l.chains {
		b := c.block
		for i, at := range l.tracked {
			column(b.X[i*b.Cap+b.N:][:draws], j.line[int(first-1)*row+k*dim+at:], every)
		}
		copy(b.W[b.N:][:draws], j.even)
		b.N += int(draws)
		b.Last, b.Every = last, l.thin
	}
	l.passage.End()
	l.nextKeep = last + l.thin
	l.draws += draws * uint64(len(l.chains))
	l.kept += draws * uint64(len(l.chains))
	if l.method.Kind == sampler.Sampling {
		for t := first; t <= n; {
			next := n + 1
			for k, c := range l.chains {
				evals := c.gradEvals - n + t
				if l.probeDue(c, evals) {
					l.probeAt(c, c.state.Step-n+t, evals, j.path[int(t-1)*row+k*dim:][:dim], w)
				}
				wait := c.probed + probeEvery - evals
				if l.thin > 1 { // a division takes as long as a gradient
					wait = (wait + l.thin - 1) / l.thin * l.thin
				}
				next = min(next, t+wait)
			}
			t = next
		}
	}
}

// column copies one of every so many numbers to dst, from the first on.
func column(dst, from []float64, every int) {
	t, at := 0, 0
	for ; t+4 <= len(dst); t += 4 {
		to := (*[4]float64)(dst[t:])
		to[0], to[1], to[2], to[3] = from[at], from[at+every], from[at+2*every], from[at+3*every]
		at += 4 * every
	}
	for ; t < len(dst); t++ {
		dst[t] = from[at]
		at += every
	}
}
