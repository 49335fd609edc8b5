package record

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/gradient"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

const (
	// probeEvery is how many gradients the sampling evaluates for one that the temperature has of its own: a share of a
	// sixteenth.
	probeEvery = 16
	// maxProbed is how many coordinates the temperature is of: all, or so many of those tracked, spread evenly.
	maxProbed = 64
)

// Temperature is the witness of the temperature. It evaluates ∇U at one draw in so many.
//
// The gradient by which a step is made will not do. With batches that come once an epoch it is not independent of θ,
// which has not seen the rest of the epoch. θ·∇U is then too large by what one batch moves the chain, which grows as
// batches get smaller. A probe has a batch of its own, drawn independently, and no gradient noise of the target's.
type Temperature[F sampler.Float] struct {
	Plain
	run *Run[F]
	probed
	at          []int // coordinates
	probes      []probe[F]
	theta, grad []float64          // at the coordinates
	process     targets.Outside[F] // the target, if it is outside of this process; else nil
}

// probed is what a keyframe holds of a Temperature.
type probed struct {
	Virial *metrics.Virial
	newest []uint64 // gradients that each chain had evaluated at its newest probe
}

// probe is what a chain's gradients of its own take.
type probe[F sampler.Float] struct {
	batches *noise.Batches // nil without data
	mask    noise.Stream   // of networks that draw in their gradient
	mean    []F            // made when first needed
}

func newTemperature[F sampler.Float](r *Run[F]) *Temperature[F] {
	h := &Temperature[F]{run: r, at: spread(r.Tracked)}
	h.process, _ = r.Target.(targets.Outside[F])
	for k := range r.Chains {
		p := probe[F]{mask: noise.New(r.Config.Seed, r.ID, noise.Probe).Chain(k)}
		if r.Problem.HasData() {
			p.batches = noise.NewBatches(p.mask, r.Problem.N(), noise.Replace)
		}
		h.probes = append(h.probes, p)
	}
	h.theta, h.grad = make([]float64, len(h.at)), make([]float64, len(h.at))
	h.Virial, h.newest = metrics.NewVirial(len(h.at)), make([]uint64, len(r.Chains))
	return h
}

// spread is at most maxProbed of the tracked coordinates.
func spread(tracked []int) []int {
	at := trace.Tracked(len(tracked), maxProbed)
	for i, k := range at {
		at[i] = tracked[k]
	}
	return at
}

// Take implements [Witness].
func (h *Temperature[F]) Take(d *Draws[F]) {
	if h.run.Method.Kind != sampler.Sampling || h.run.Problem.Draws() {
		return
	}
	for t, end := uint64(0), (d.N-1)*d.Every; t <= end; {
		next := end + 1
		for k, c := range d.Chains {
			evals, newest := c.Gradients-d.Ahead+t, &h.newest[d.First+k]
			if evals >= *newest+probeEvery || h.Virial.Draws() == 0 {
				*newest = evals
				h.probe(&h.probes[d.First+k], &c.Grad, d.Step+t, d.Theta(k, t), d.Weight)
			}
			if end == 0 {
				continue
			}
			wait := *newest + probeEvery - evals
			if d.Every > 1 { // a division takes as long as a gradient
				wait = (wait + d.Every - 1) / d.Every * d.Every
			}
			next = min(next, t+wait)
		}
		t = next
	}
}

// probe adds a chain's draw θ, of a step, with weight w.
func (h *Temperature[F]) probe(p *probe[F], g *gradient.Gradient[F], step uint64, theta []F, w float64) {
	if p.mean == nil {
		p.mean = sampler.Vector[F](len(theta))
	}
	var batch []int32
	if p.batches != nil {
		p.batches.Of(h.run.Problem.N())
		batch = p.batches.At(step, g.N)
	}
	p.mask = p.mask.At(step)
	g.Plain(p.mean, theta, batch, &p.mask)
	if h.process != nil && h.process.Err() != nil {
		return
	}
	for i, k := range h.at {
		x := float64(theta[k])
		h.theta[i], h.grad[i] = x, float64(h.run.Params.PriorPrec*x)-float64(h.run.Params.N*float64(p.mean[k]))
	}
	h.Virial.Add(w, h.theta, h.grad)
}

// Waits implements [Patient].
func (h *Temperature[F]) Waits(chain int) (gradients, kept uint64) {
	switch {
	case h.run.Method.Kind != sampler.Sampling || h.run.Problem.Draws():
		return math.MaxUint64, math.MaxUint64
	case h.Virial.Draws() == 0:
		return 0, 0
	}
	return h.newest[chain] + probeEvery, math.MaxUint64
}

func (h *Temperature[F]) NewWindow() { h.Virial.Reset() }
func (h *Temperature[F]) Copy() any  { return &probed{h.Virial.Clone(), slices.Clone(h.newest)} }

func (h *Temperature[F]) Set(from any) {
	k := from.(*probed)
	h.Virial.Set(k.Virial)
	copy(h.newest, k.newest)
}

func (k *probed) Bytes() int { return k.Virial.Bytes() }
