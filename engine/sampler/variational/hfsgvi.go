package variational

import (
	"math"
	"math/bits"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of hfsgvi.
const (
	hfIterations = numNormal + iota
	hfDamping
	hfTrust
	hfCurvature
	hfSample
)

// The damping λ's place in State.Own.
const (
	hfOwnLambda = numNormalOwn + iota
	numHFOwn
)

const (
	hfTolerance = 1e-3 // of a residual, as a share of the gradient
	hfAdapt     = 0.95 // the factor by which a step changes λ
	hfMaxLambda = 1e6
)

// HFSGVI is Hessian-free stochastic Gaussian variational inference (Fan, Wang, Beck, Kwok and Heller 2015). With the
// bound L at one draw θ = μ + Cz of q and one minibatch, a few iterations of conjugate gradients find δ,
//
//	(B + λI) δ = ∇L,  ψ' = ψ + h δ,  h = ε_t N/2,
//
// in whitened coordinates of q (see whitened). Products with B are products with the target's Hessian, chained through
// the reparameterisation. h = 1 is a full Newton step, and h the learning rate of the mean objective, whose inverse
// Hessian is N times that of L.
//
// λ follows Levenberg and Marquardt's heuristic (Martens 2010, section 4.1). It falls by 5% where the bound on the same
// draw and minibatch grows by more than three quarters of what the quadratic model promises for δ, and rises by as much
// where the bound grows by less than one quarter. It never falls below "damping".
//
// The following is not in the paper. With "sample own", B is that of another draw of q and of another minibatch of the
// same size. With "shared" it is that of ∇L's, and E[B⁻¹∇L] is not zero where E[∇L] is zero: the method then ends
// beside the optimum, on N(0, σ²) with a variance of 1.5σ² or more. C moves less than μ, by κ. A step is clipped to
// "trust", since the gradient of a minibatch has noise of √(N/n) standard deviations of q. The diagonal of a full C is
// held by logarithms too.
//
// gonum's optimize has no such solver: its CG is the nonlinear method, and its methods
// run a full minimisation of one function, with a state that a lane could not rewind.
var HFSGVI = sampler.Method{
	Name:     "hfsgvi",
	Title:    "HFSGVI",
	Doc:      "Hessian-free Gaussian variational inference: Newton steps of the ELBO by conjugate gradients",
	Equation: "θ = μ + C z, (B + λI) δ = ∇L by conjugate gradients, (μ, C)' = (μ, C) + εN/2 δ",
	Source: "Fan, Wang, Beck, Kwok & Heller 2015, Fast second-order stochastic backpropagation for variational " +
		"inference",
	Kind: sampler.Variational,
	Params: append(normalParams(),
		param.Param{Key: "iterations", Symbol: "CG", Doc: "iterations of conjugate gradients a step",
			Scale: param.Integer, Min: 1, Max: 1000, Lo: 1, Hi: 100, Default: 5},
		param.Param{Key: "damping", Symbol: "λ", Doc: "least damping, in units of q's Fisher information",
			Scale: param.Log, Min: 1e-6, Max: hfMaxLambda, Lo: 1e-3, Hi: 1e3, Default: 5},
		trustParam(),
		param.Param{Key: "curvature", Symbol: "B", Doc: "the Gauss–Newton matrix or the Hessian of the bound",
			Scale: param.Choice, Choices: []string{"gauss-newton", "exact"}},
		param.Param{Key: "sample", Symbol: "of", Doc: "B's draw and minibatch: its own, or shared with the gradient",
			Scale: param.Choice, Choices: []string{"own", "shared"}},
	),
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] {
		f := newNormalFamily(t.Dim(), true)
		k := &hessianFree{normalFamily: &f, whitened: newWhitened(&f)}
		k.multiply = k.whitened.multiply
		return k
	},
	Unfit: func(p *targets.Problem) string {
		if why := unfitNormal(p); why != "" {
			return why
		}
		if _, ok := p.F64.(targets.HessianVec[float64]); !ok {
			return "needs a target that multiplies by its Hessian"
		}
		return ""
	},
	Suit: suitNewton,
}

// hessianFree is the kernel of hfsgvi.
type hessianFree struct {
	*normalFamily
	whitened    whitened
	cg          *conjugate
	multiply    func(dst, v []float64) // made once: a method value is allocated
	grad, delta []float64
	trial       []float64 // in the shape of ψ
	y           []float64
	rows        []int32
}

func (k *hessianFree) Begin(s *sampler.State[float64], p *sampler.Params) {
	k.begin(s, p, numHFOwn)
	s.Own[hfOwnLambda] = []float64{p.Own[hfDamping]}
}

// room allocates scratch in the shape of ψ.
func (k *hessianFree) room(psi []float64) {
	if len(k.trial) == len(psi) {
		return
	}
	n := k.whitened.size(psi)
	k.cg = newConjugate(n)
	k.grad, k.delta = sampler.Vector[float64](n), sampler.Vector[float64](n)
	k.trial, k.y = sampler.Vector[float64](len(psi)), sampler.Vector[float64](k.dim)
}

func (k *hessianFree) Step(s *sampler.State[float64], grad sampler.Gradient[float64], p *sampler.Params,
	zs *noise.Normals[float64], i *sampler.Info) {
	psi, w := s.Own[normalPsi], &k.whitened
	k.room(psi)
	k.start(s, grad, p, zs, i)
	w.center(k.grad, psi, p)
	y, rows := k.sample(s, grad, p, zs)
	w.curveAt(grad.Target().(targets.HessianVec[float64]), y, rows, p.Own[hfCurvature] != 0)
	lambda := &s.Own[hfOwnLambda][0]
	*lambda = max(*lambda, p.Own[hfDamping])
	promised := k.cg.solve(k.delta, k.grad, *lambda, int(p.Own[hfIterations]), hfTolerance, k.multiply)

	w.move(k.trial, k.delta, 1)
	joint := k.evaluate(k.trial, grad, p)
	switch ratio := (k.bound(k.trial, joint, p) - i.Objective) / promised; {
	case ratio > 0.75:
		*lambda = max(*lambda*hfAdapt, p.Own[hfDamping])
	case !(ratio >= 0.25): // also for NaN
		*lambda = min(*lambda/hfAdapt, hfMaxLambda)
	}

	h := k.clip(i.Eps*p.N/2, p)
	w.move(k.trial, k.delta, h)
	drift := 0.0
	for j, x := range k.trial[:k.dim] {
		drift += float64((x - psi[j]) * (x - psi[j]))
	}
	copy(psi, k.trial)
	k.end(s, drift, i)
}

// clip returns h, or less where hδ is longer than "trust" allows. It clips the entries
// of δ that would change a log C_ii by more than that.
func (k *hessianFree) clip(h float64, p *sampler.Params) float64 {
	trust := p.Own[hfTrust]
	if size := math.Sqrt(k.whitened.length2(k.delta) / float64(k.dim)); h*size > trust {
		h = trust / size
	}
	most := trust / (h * k.whitened.sb)
	beta := k.delta[k.dim : 2*k.dim]
	for j, x := range beta {
		beta[j] = max(-most, min(most, x))
	}
	return h
}

// sample returns B's draw and minibatch.
func (k *hessianFree) sample(s *sampler.State[float64], grad sampler.Gradient[float64], p *sampler.Params,
	zs *noise.Normals[float64]) ([]float64, []int32) {
	rows := grad.Batch()
	if p.Own[hfSample] != 0 {
		return k.z, rows
	}
	own := zs.Stream().Of(noise.Accept).At(s.Step)
	noise.Fill(own, k.y)
	if rows == nil {
		return k.y, nil
	}
	if cap(k.rows) < len(rows) {
		k.rows = make([]int32, len(rows))
	}
	k.rows = k.rows[:len(rows)]
	for j := range k.rows {
		// The blocks after those of the normals; even to N/2⁶⁴.
		word, _ := own.Block(uint32(k.dim + j))
		high, _ := bits.Mul64(word, uint64(p.N))
		k.rows[j] = int32(high)
	}
	return k.y, k.rows
}

// conjugate is the conjugate gradient method for (B + λI) d = g with B symmetric
// and known only by its products (Hestenes and Stiefel 1952; Nocedal and Wright 2006,
// algorithms 5.2 and 7.1). It starts from zero and costs one product an iteration.
type conjugate struct {
	r, p, bp []float64
}

func newConjugate(dim int) *conjugate {
	return &conjugate{r: sampler.Vector[float64](dim), p: sampler.Vector[float64](dim),
		bp: sampler.Vector[float64](dim)}
}

// solve writes to d the first iterate whose residual is at most tol‖g‖, or the n-th. multiply writes Bv to dst. At a
// direction whose curvature is not positive it stops with the iterate before; in the first iteration d is then g/λ, the
// solution without B.
//
// It returns gᵀd - ½ dᵀBd, the gain by the quadratic model without λ, or NaN for the d without B.
func (c *conjugate) solve(d, g []float64, lambda float64, n int, tol float64, multiply func(dst, v []float64)) float64 {
	clear(d)
	copy(c.r, g)
	copy(c.p, g)
	rr := dot(g, g)
	enough := tol * tol * rr
	for k := range n {
		if !(rr > enough) {
			break
		}
		multiply(c.bp, c.p)
		curvature := dot(c.p, c.bp) + float64(lambda*dot(c.p, c.p))
		if !(curvature > 0) {
			if k == 0 {
				for i, x := range g {
					d[i] = x / lambda
				}
				return math.NaN()
			}
			break
		}
		alpha := rr / curvature
		for i, x := range c.p {
			d[i] += float64(alpha * x)
			c.r[i] -= float64(alpha * (c.bp[i] + float64(lambda*x)))
		}
		was := rr
		rr = dot(c.r, c.r)
		beta := rr / was
		for i, x := range c.r {
			c.p[i] = x + float64(beta*c.p[i])
		}
	}
	// Bd = g - r - λd.
	gd, rd, dd := dot(g, d), dot(c.r, d), dot(d, d)
	return gd - float64((gd-rd-float64(lambda*dd))/2)
}
