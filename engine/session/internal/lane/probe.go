package lane

import (
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/trace"
)

const (
	// probeEvery is how many gradients the sampling evaluates for one that the temperature
	// has of its own: a share of a sixteenth.
	probeEvery = 16
	// maxProbed is how many coordinates the temperature is of: all, or so many of those
	// tracked, spread evenly.
	maxProbed = 64
)

// probe evaluates ∇U at draws, for the temperature: the gradient by which a step is made
// will not do. With batches that come once an epoch it is not independent of θ, as what is
// left of the epoch is what θ has not seen. θ·∇U is then too large by what one batch moves
// the chain, which grows as batches get smaller. A probe has a batch of its own, drawn
// independently, and no gradient noise of the target's.
type probe[F sampler.Float] struct {
	batches     *noise.Batches // nil without data
	mask        noise.Stream   // of networks that draw in their gradient
	mean        []F            // made when first needed
	at          []int          // coordinates
	theta, grad []float64      // there
}

// newProbe makes the probe of the chain of a number.
func (l *lane[F]) newProbe(number int) probe[F] {
	p := probe[F]{mask: noise.New(l.cfg.Seed, l.id, noise.Probe).Chain(number)}
	if l.prob.HasData() {
		p.batches = noise.NewBatches(p.mask, l.prob.N(), noise.Replace)
	}
	for _, k := range trace.Tracked(len(l.tracked), maxProbed) {
		p.at = append(p.at, l.tracked[k])
	}
	p.theta, p.grad = make([]float64, len(p.at)), make([]float64, len(p.at))
	return p
}

// probeDue reports whether a draw of a chain, after so many of its gradients, is one for the
// temperature.
func (l *lane[F]) probeDue(c *chain[F], evals uint64) bool {
	return evals >= c.probed+probeEvery || l.virial.Draws() == 0
}

// probeAt adds a chain's draw θ, of a step and after so many gradients, to the temperature
// with weight w.
func (l *lane[F]) probeAt(c *chain[F], step, evals uint64, theta []F, w float64) {
	c.probed = evals
	p, g := &c.probe, &c.grad
	if p.mean == nil {
		p.mean = sampler.Vector[F](len(theta))
	}
	var batch []int32
	if p.batches != nil {
		batch = p.batches.At(step, g.N)
	}
	p.mask = p.mask.At(step)
	g.Plain(p.mean, theta, batch, &p.mask)
	if l.outside != nil && l.outside.Err() != nil {
		return
	}
	for i, k := range p.at {
		x := float64(theta[k])
		p.theta[i], p.grad[i] = x, float64(l.params.PriorPrec*x)-float64(l.params.N*float64(p.mean[k]))
	}
	l.virial.Add(w, p.theta, p.grad)
}
