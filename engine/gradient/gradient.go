// Package gradient evaluates the gradients of a chain's steps: on minibatches that are keyed by step, with the noise
// that the target asks for.
package gradient

import (
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Gradient is a chain's sampler.Gradient: the target's gradient on the step's
// minibatch, with the gradient noise that the target asks for.
type Gradient[F sampler.Float] struct {
	N      int             // of the minibatch; 0 for all data
	Newest sampler.Eval[F] // what Eval or Dropout returned last

	target  targets.Target[F]
	at      *sampler.State[F] // of which it reads the step
	count   *uint64           // of gradients
	batches *noise.Batches    // nil without data
	// Of several chains side by side:
	all    targets.Several[F] // the target; nil if it is none, and of a chain by itself
	points int                // how many there are

	mean, hess []F
	// Gradient noise: V and the drift see different draws, as in the authors' released demo.
	sd                 F
	drawMean, drawForV *noise.Normals[F]
	normals            func(p noise.Purpose) *noise.Normals[F] // makes them

	random targets.Stochastic[F] // target, if units of it can be dropped
	always bool                  // every gradient is random's, with the loss: a network's that has no cheap likelihood
	mask   noise.Stream          // of random, at the step of the newest call
}

// New makes the gradient of a chain of a lane, which stands at a state and counts its gradients.
func New[F sampler.Float](c state.Config, p *targets.Problem, t targets.Target[F], at *sampler.State[F], count *uint64,
	lane, number int) Gradient[F] {
	dim := t.Dim()
	g := Gradient[F]{at: at, count: count, mean: sampler.Vector[F](dim),
		mask: noise.New(c.Seed, lane, noise.Mask).Chain(number)}
	g.Newest.Mean, g.Newest.Second = g.mean, g.mean
	if _, ok := t.(targets.HessianDiag[F]); ok {
		g.hess = sampler.Vector[F](dim)
	}
	g.Use(t)
	if p.HasData() {
		g.batches = noise.NewBatches(noise.New(c.Seed, 0, noise.Minibatch).Chain(number), p.N(), c.Draw)
	}
	g.normals = func(p noise.Purpose) *noise.Normals[F] {
		return noise.NewNormals[F](noise.New(c.Seed, lane, p).Chain(number), dim)
	}
	g.addNoiseOf(t)
	return g
}

// addNoiseOf observes the gradient with the noise that the target asks for.
func (g *Gradient[F]) addNoiseOf(t targets.Target[F]) {
	g.sd, g.Newest.Second = 0, g.mean
	if t, ok := t.(targets.NoisyGradient); ok && t.GradNoise() > 0 {
		g.sd, g.Newest.Second = F(t.GradNoise()), sampler.Vector[F](len(g.mean))
		g.drawMean, g.drawForV = g.normals(noise.DriftGradient), g.normals(noise.SecondGradient)
	}
}

// Turn makes t, the same target with other values of its parameters or more data, the target.
func (g *Gradient[F]) Turn(t targets.Target[F]) {
	if g.Use(t); g.batches != nil {
		g.batches.Of(t.N())
	}
	g.addNoiseOf(t)
}

// Use makes t, of the same problem, the target.
func (g *Gradient[F]) Use(t targets.Target[F]) {
	g.target = t
	g.random, _ = t.(targets.Stochastic[F])
	_, cheap := t.(targets.LogDensity[F])
	g.always = g.random != nil && !cheap
}

// Target implements sampler.Gradient.
func (g *Gradient[F]) Target() targets.Target[F] { return g.target }

// Plain sets dst to the mean gradient at θ on a batch, without noise but the mask by which a network may draw.
func (g *Gradient[F]) Plain(dst, theta []F, batch []int32, mask *noise.Stream) {
	if g.always {
		g.random.GradRandom(dst, theta, batch, mask, targets.KeepAll)
	} else {
		g.target.Grad(dst, theta, batch)
	}
}

// IsNetwork reports whether the loss comes with every gradient.
func (g *Gradient[F]) IsNetwork() bool { return g.always }

// Batch implements sampler.Gradient.
func (g *Gradient[F]) Batch() []int32 {
	if g.batches == nil {
		return nil
	}
	return g.batches.At(g.at.Step, g.N)
}

// Eval implements sampler.Gradient.
func (g *Gradient[F]) Eval(theta []F, ask sampler.Ask) *sampler.Eval[F] {
	var batch []int32
	if ask&sampler.AskFull == 0 {
		batch = g.Batch()
	}
	if g.always {
		return g.network(theta, batch, targets.KeepAll)
	}
	*g.count++
	switch {
	case g.points > 1:
		g.evalEach(theta, ask)
	case ask&sampler.AskHess != 0:
		g.target.(targets.HessianDiag[F]).GradHessian(g.mean, g.hess, theta, batch)
		g.Newest.Hess = g.hess
	case ask&sampler.AskLogLik != 0:
		g.Newest.LogLik = g.target.(targets.LikelihoodGradient[F]).GradLogLik(g.mean, theta, batch)
	default:
		g.target.Grad(g.mean, theta, batch)
	}
	if g.sd > 0 {
		g.addNoise()
	}
	return &g.Newest
}

// Dropout implements sampler.Gradient.
func (g *Gradient[F]) Dropout(theta []F, keep targets.Keep) *sampler.Eval[F] {
	return g.network(theta, g.Batch(), keep)
}

// network evaluates a network, whose loss comes with the gradient at no cost.
func (g *Gradient[F]) network(theta []F, batch []int32, keep targets.Keep) *sampler.Eval[F] {
	*g.count++
	g.mask = g.mask.At(g.at.Step)
	g.Newest.LogLik = g.random.GradRandom(g.mean, theta, batch, &g.mask, keep)
	return &g.Newest
}

// Join returns the gradient for chains side by side, whose θ lie one after the other. at is the state of all.
func Join[F sampler.Float](chains []*Gradient[F], at *sampler.State[F]) Gradient[F] {
	g := *chains[0]
	g.at, g.count, g.points = at, new(uint64), len(chains)
	g.all, _ = g.target.(targets.Several[F])
	if len(chains) == 1 {
		return g
	}
	n := len(chains) * len(g.mean)
	g.mean = sampler.Vector[F](n)
	g.Newest = sampler.Eval[F]{Mean: g.mean, Second: g.mean}
	if g.hess != nil {
		g.hess = sampler.Vector[F](n)
	}
	if g.sd > 0 {
		g.Newest.Second = sampler.Vector[F](n)
		g.drawMean = noise.Join(list.Map(chains, func(c *Gradient[F]) *noise.Normals[F] { return c.drawMean }))
		g.drawForV = noise.Join(list.Map(chains, func(c *Gradient[F]) *noise.Normals[F] { return c.drawForV }))
	}
	return g
}

// Bare implements sampler.Bare.
func (g *Gradient[F]) Bare() (targets.Several[F], *sampler.Eval[F]) {
	if g.sd > 0 {
		return nil, nil
	}
	return g.all, &g.Newest
}

// evalEach evaluates the gradients of all chains at once, if the target can, or else one after the other.
func (g *Gradient[F]) evalEach(theta []F, ask sampler.Ask) {
	if g.all != nil && ask == 0 {
		g.all.GradEach(g.mean, theta)
		return
	}
	d := len(theta) / g.points
	for o := 0; o < len(theta); o += d {
		mean, theta := g.mean[o:][:d], theta[o:][:d]
		if ask&sampler.AskHess == 0 {
			g.target.Grad(mean, theta, nil)
		} else {
			g.target.(targets.HessianDiag[F]).GradHessian(mean, g.hess[o:][:d], theta, nil)
			g.Newest.Hess = g.hess
		}
	}
}

func (g *Gradient[F]) addNoise() {
	zm, zv := g.drawMean.At(g.at.Step), g.drawForV.At(g.at.Step)
	for i, m := range g.mean {
		g.mean[i], g.Newest.Second[i] = m+F(g.sd*zm[i]), m+F(g.sd*zv[i])
	}
}
