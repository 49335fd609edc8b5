package engine

import (
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// gradient is a lane's sampler.Gradient: the target's gradient on the step's
// minibatch, with the gradient noise that the target asks for.
type gradient[F sampler.Float] struct {
	target  targets.Target[F]
	hessian targets.HessianDiag[F] // nil if the target is none
	state   *sampler.State[F]      // of which only Step is read
	batches *noise.Batches         // nil without data
	n       int

	mean, hess []F
	eval       sampler.Eval[F]
	// Gradient noise: V and the drift see different draws, as in the authors'
	// released demo.
	sd                 F
	drawMean, drawForV *noise.Normals[F]
}

func newGradient[F sampler.Float](c Config, p *targets.Problem, t targets.Target[F], s *sampler.State[F], lane int) gradient[F] {
	dim := t.Dim()
	g := gradient[F]{state: s, mean: sampler.Vector[F](dim)}
	g.eval.Mean, g.eval.Second = g.mean, g.mean
	if _, ok := t.(targets.HessianDiag[F]); ok {
		g.hess = sampler.Vector[F](dim)
	}
	g.use(t)
	if p.HasData() {
		g.batches = noise.NewBatches(c.Seed, p.N(), c.Draw)
	}
	if t, ok := t.(targets.NoisyGradient); ok && t.GradNoise() > 0 {
		g.sd, g.eval.Second = F(t.GradNoise()), sampler.Vector[F](dim)
		g.drawMean = noise.NewNormals[F](noise.New(c.Seed, lane, noise.DriftGradient), dim)
		g.drawForV = noise.NewNormals[F](noise.New(c.Seed, lane, noise.SecondGradient), dim)
	}
	return g
}

// use makes t, of the same problem, the target.
func (g *gradient[F]) use(t targets.Target[F]) {
	g.target = t
	g.hessian, _ = t.(targets.HessianDiag[F])
}

// Eval implements sampler.Gradient.
func (g *gradient[F]) Eval(theta []F, hess bool) *sampler.Eval[F] {
	var batch []int32
	if g.batches != nil {
		batch = g.batches.At(g.state.Step, g.n)
	}
	if hess {
		g.hessian.GradHessian(g.mean, g.hess, theta, batch)
		g.eval.Hess = g.hess
	} else {
		g.target.Grad(g.mean, theta, batch)
	}
	if g.sd > 0 {
		g.addNoise()
	}
	return &g.eval
}

func (g *gradient[F]) addNoise() {
	zm, zv := g.drawMean.At(g.state.Step), g.drawForV.At(g.state.Step)
	for i, m := range g.mean {
		g.mean[i], g.eval.Second[i] = m+g.sd*zm[i], m+g.sd*zv[i]
	}
}
