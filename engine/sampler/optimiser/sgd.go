// Package optimiser holds the methods that follow a path to a point.
package optimiser

import (
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
	"github.com/psgld/psgld-tui/engine/sampler/langevin"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of sgd.
const sgdMomentum = 0

// SGD is stochastic gradient descent (Robbins and Monro 1951), which is SGLD at T = 0: with the learning rate h = εN/2,
//
//	θ' = θ + h (ḡ - θ/(Nσ²)),
//
// or with the momentum of heavyBall.
var SGD = sampler.Method{
	Name:     "sgd",
	Plain:    true,
	Title:    "SGD",
	Doc:      "stochastic gradient descent: SGLD at T = 0, or with momentum",
	Equation: "v' = μ v + h (ḡ - θ/(Nσ²)), θ' = θ + v', h = εN/2",
	Source:   "Robbins & Monro 1951, A stochastic approximation method; momentum: Sutskever, Martens, Dahl & Hinton 2013, equations 1 and 2",
	Kind:     sampler.Optimising,
	Params:   []param.Param{sgdMomentum: momentumParam()},
	Trail:    newHeavyTrail(nil, sgdMomentum),
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] {
		return newSGD(t.Dim(), sampler.NewLangevin64(nil))
	},
	New32: func(t targets.Target[float32]) sampler.Kernel[float32] {
		return newSGD(t.Dim(), sampler.NewLangevin32(t.Dim(), nil))
	},
	MaxStep: func(target any, p *sampler.Params, i *sampler.Info) sampler.Bound {
		if p.Own[sgdMomentum] != 0 {
			return sampler.Bound{}
		}
		return langevin.SGLD.MaxStep(target, p, i)
	},
}

// heavyTrail says of draws that their last displacement is v.
type heavyTrail struct {
	sampler.Trail
	at int // where μ is in Params.Own
}

func newHeavyTrail(pre sampler.SecondMoment, at int) func(dim int) sampler.Trail {
	still := sampler.NewLangevinTrail(pre)
	return func(dim int) sampler.Trail { return heavyTrail{still(dim), at} }
}

func (h heavyTrail) At(t uint64, p *sampler.Params, mean, second, hess []float64, to *sampler.Parts) {
	h.Trail.At(t, p, mean, second, hess, to)
	sampler.Fill(to.Keep, p.Own[h.at])
}

func momentumParam() param.Param {
	return param.Param{Key: "momentum", Symbol: "μ", Doc: "how much of a step the next one keeps",
		Scale: param.OneMinusLog, Min: 0, Max: 1, OpenMax: true, Lo: 0, Hi: 0.999}
}

func newSGD[F sampler.Float](dim int, still sampler.Kernel[F]) *heavyBall[F] {
	return newHeavyBall(dim, sgdMomentum, still, sgdRule[F]{at: sgdMomentum}, noLambda, step32.HeavyBall)
}

// sgdRule is the displacer of SGD with momentum. Its numbers are μ and ε/2.
type sgdRule[F sampler.Float] struct {
	at int // where μ is in Params.Own
}

func (r sgdRule[F]) begin(q *numbers[F], _ *sampler.State[F], _ *sampler.Eval[F], p *sampler.Params) (scale F) {
	q[0], q[1] = F(p.Own[r.at]), F(p.Eps/2)
	return 1
}

func (sgdRule[F]) displace(q *numbers[F], u []F, c *step32.Block[F], gains *gainRange[F]) {
	v, mu, half := c.Own[:len(u)], q[0], q[1]
	for i, x := range u {
		d := F(mu*v[i]) + F(half*x)
		u[i], v[i] = d, d
	}
	gains.count(1)
}
