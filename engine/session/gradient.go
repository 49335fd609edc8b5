package session

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/list"
)

// gradient is a chain's sampler.Gradient: the target's gradient on the step's
// minibatch, with the gradient noise that the target asks for.
type gradient[F sampler.Float] struct {
	target  targets.Target[F]
	of      *chainState[F] // of which it reads the step and counts the gradients
	batches *noise.Batches // nil without data
	side    *side[F]       // nil for a single chain
	n       int            // of the minibatch; 0 for all data

	mean, hess []F
	eval       sampler.Eval[F]
	// Gradient noise: V and the drift see different draws, as in the authors'
	// released demo.
	sd                 F
	drawMean, drawForV *noise.Normals[F]

	random targets.Stochastic[F] // target, if it is a network
	mask   noise.Stream          // of random, at the step of the newest call
	draws  bool                  // random draws without dropout too
}

func newGradient[F sampler.Float](c engine.Config, p *targets.Problem, t targets.Target[F], s *chainState[F], lane, number int) gradient[F] {
	dim := t.Dim()
	g := gradient[F]{of: s, mean: sampler.Vector[F](dim), mask: noise.New(c.Seed, lane, noise.Mask).Chain(number)}
	g.eval.Mean, g.eval.Second = g.mean, g.mean
	if _, ok := t.(targets.HessianDiag[F]); ok {
		g.hess = sampler.Vector[F](dim)
	}
	g.use(t)
	if p.HasData() {
		g.batches = noise.NewBatches(noise.New(c.Seed, 0, noise.Minibatch).Chain(number), p.N(), c.Draw)
	}
	if t, ok := t.(targets.NoisyGradient); ok && t.GradNoise() > 0 {
		g.sd, g.eval.Second = F(t.GradNoise()), sampler.Vector[F](dim)
		g.drawMean = noise.NewNormals[F](noise.New(c.Seed, lane, noise.DriftGradient).Chain(number), dim)
		g.drawForV = noise.NewNormals[F](noise.New(c.Seed, lane, noise.SecondGradient).Chain(number), dim)
	}
	return g
}

// use makes t, of the same problem, the target.
func (g *gradient[F]) use(t targets.Target[F]) {
	g.target = t
	g.random, _ = t.(targets.Stochastic[F])
	g.draws = g.random != nil && g.random.Stochastic()
}

// Target implements sampler.Gradient.
func (g *gradient[F]) Target() targets.Target[F] { return g.target }

// Batch implements sampler.Gradient.
func (g *gradient[F]) Batch() []int32 {
	if g.batches == nil {
		return nil
	}
	return g.batches.At(g.of.state.Step, g.n)
}

// Eval implements sampler.Gradient.
func (g *gradient[F]) Eval(theta []F, ask sampler.Ask) *sampler.Eval[F] {
	g.of.gradEvals++
	if g.random != nil {
		g.network(theta, ask)
		return &g.eval
	}
	var batch []int32
	if g.batches != nil && ask&sampler.AskFull == 0 {
		batch = g.batches.At(g.of.state.Step, g.n)
	}
	switch {
	case g.side != nil:
		g.evalSide(theta, ask)
	case ask&sampler.AskHess != 0:
		g.target.(targets.HessianDiag[F]).GradHessian(g.mean, g.hess, theta, batch)
		g.eval.Hess = g.hess
	case ask&sampler.AskLogLik != 0:
		g.eval.LogLik = g.target.(targets.LikelihoodGradient[F]).GradLogLik(g.mean, theta, batch)
	default:
		g.target.Grad(g.mean, theta, batch)
	}
	if g.sd > 0 {
		g.addNoise()
	}
	return &g.eval
}

// network evaluates a network, whose loss comes with the gradient at no cost.
func (g *gradient[F]) network(theta []F, ask sampler.Ask) {
	batch := g.Batch()
	if ask&sampler.AskFull != 0 {
		batch = nil
	}
	if g.draws {
		g.mask = g.mask.At(g.of.state.Step)
		g.eval.LogLik = g.random.GradRandom(g.mean, theta, batch, &g.mask, targets.KeepAll)
		return
	}
	g.eval.LogLik = g.target.(targets.LikelihoodGradient[F]).GradLogLik(g.mean, theta, batch)
}

// Dropout implements sampler.Gradient.
func (g *gradient[F]) Dropout(theta []F, keep targets.Keep) *sampler.Eval[F] {
	g.of.gradEvals++
	g.mask = g.mask.At(g.of.state.Step)
	g.eval.LogLik = g.random.GradRandom(g.mean, theta, g.Batch(), &g.mask, keep)
	return &g.eval
}

// side is what evaluates the gradient of a density for several chains side by side, in the
// order of a sampler.Joint.
type side[F sampler.Float] struct {
	chains            int
	all               targets.Several[F] // the target; nil if it is none
	theta, mean, hess []F                // of one
}

// joinGradients returns the gradient for chains side by side. s is the state of all.
func joinGradients[F sampler.Float](chains []*chain[F], s *chainState[F]) gradient[F] {
	g := chains[0].grad
	g.of = s
	if len(chains) == 1 {
		return g
	}
	n := len(chains) * len(g.mean)
	g.side = &side[F]{chains: len(chains), theta: sampler.Vector[F](len(g.mean)), mean: g.mean, hess: g.hess}
	g.side.all, _ = g.target.(targets.Several[F])
	g.mean = sampler.Vector[F](n)
	g.eval = sampler.Eval[F]{Mean: g.mean, Second: g.mean}
	if g.hess != nil {
		g.hess = sampler.Vector[F](n)
	}
	if g.sd > 0 {
		g.eval.Second = sampler.Vector[F](n)
		g.drawMean = noise.Join(list.Map(chains, func(c *chain[F]) *noise.Normals[F] { return c.grad.drawMean }))
		g.drawForV = noise.Join(list.Map(chains, func(c *chain[F]) *noise.Normals[F] { return c.grad.drawForV }))
	}
	return g
}

// evalSide evaluates the gradient of all chains at once, if the target can, or else one after
// the other.
func (g *gradient[F]) evalSide(theta []F, ask sampler.Ask) {
	s := g.side
	if s.all != nil && ask == 0 {
		s.all.GradEach(g.mean, theta, s.chains)
		return
	}
	for k := range s.chains {
		gather(s.theta, theta, k, s.chains)
		if ask&sampler.AskHess == 0 {
			g.target.Grad(s.mean, s.theta, nil)
		} else {
			g.target.(targets.HessianDiag[F]).GradHessian(s.mean, s.hess, s.theta, nil)
			spread(g.hess, s.hess, k, s.chains)
			g.eval.Hess = g.hess
		}
		spread(g.mean, s.mean, k, s.chains)
	}
}

func (g *gradient[F]) addNoise() {
	zm, zv := g.drawMean.At(g.of.state.Step), g.drawForV.At(g.of.state.Step)
	for i, m := range g.mean {
		g.mean[i], g.eval.Second[i] = m+F(g.sd*zm[i]), m+F(g.sd*zv[i])
	}
}
