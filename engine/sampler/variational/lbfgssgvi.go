package variational

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of lbfgs-sgvi.
const (
	lbfgsMemory = numNormal + iota
	lbfgsEvery
	lbfgsDamping
	lbfgsTrust
)

// The vectors of State.Own of lbfgs-sgvi.
const (
	lbfgsOwnCounts = numNormalOwn + iota
	lbfgsOwnSum    // Σ ψ over the steps of the block
	lbfgsOwnLast   // the mean ψ of the block before
	lbfgsOwnS      // the ring of pairs
	lbfgsOwnY
	numLBFGSOwn
)

// The numbers of lbfgsOwnCounts.
const (
	countSteps  = iota // of the block
	countBlocks        // done
	countPairs
	numCounts
)

// lbfgsLeast is the least curvature sᵀy of a pair, as a share of sᵀFs.
const lbfgsLeast = 0.2

// LBFGSSGVI is stochastic Gaussian variational inference with L-BFGS (Fan, Wang,
// Beck, Kwok and Heller 2015): stochastic gradient ascent of the bound
// by ψ = (μ, log σ), or (μ, C) with a full C whose diagonal is held by logarithms,
//
//	ψ' = ψ + h H ∇L,  h = ε_t N/2,
//
// with ∇L at one draw of q and one minibatch (see normalFamily), and H the L-BFGS approximation of the inverse of minus
// the bound's Hessian. h = 1 is a full quasi-Newton step, and h the learning rate of the mean objective, whose inverse
// Hessian is N times that of L.
//
// Gradients of two steps differ more by their draws and minibatches than by curvature. A pair is therefore taken every
// M steps, as Byrd, Hansen, Nocedal and Singer (2016, section 2) do. s is the difference of the mean ψ of the newest M
// steps and of the M before. y is the difference of the gradients at these two means, on one draw z and minibatch, plus
// λFs. F is the diagonal of q's Fisher information or, for a full C, the reciprocals of the diagonal of its inverse; H₀
// is γ/F. λ keeps H below 1/λ in units of F, where a minibatch sees no curvature (Mokhtari and Ribeiro 2014). Powell's
// damping of y keeps sᵀy ≥ 0.2 sᵀFs where the bound is not concave (Nocedal and Wright 2006, procedure 18.2). A step is
// clipped to "trust", since the gradient of a minibatch has noise of √(N/n) standard deviations of q. C moves less than
// μ, by κ. Blocks, damping and bounds are additions to the paper.
//
// gonum's optimize.LBFGS runs a full minimisation of one function, line search
// included, and hides its pairs, so that a lane could not rewind them.
var LBFGSSGVI = sampler.Method{
	Name:     "lbfgs-sgvi",
	Title:    "L-BFGS-SGVI",
	Doc:      "Gaussian variational inference: quasi-Newton steps of the ELBO by L-BFGS",
	Equation: "θ = μ + C z, (μ, C)' = (μ, C) + εN/2 H ∇L, H by L-BFGS",
	Source: "Fan, Wang, Beck, Kwok & Heller 2015, Fast second-order stochastic backpropagation for variational " +
		"inference",
	Kind: sampler.Variational,
	Params: append(normalParams(),
		param.Param{Key: "memory", Symbol: "m", Doc: "pairs of steps and gradient differences that H is made of",
			Scale: param.Integer, Min: 1, Max: 100, Lo: 1, Hi: 100, Default: 10, AtStart: true},
		param.Param{Key: "every", Symbol: "M",
			Doc: "steps from one pair to the next, over which the parameters are averaged", Scale: param.Integer,
			Min: 1, Max: param.MaxInteger, Lo: 1, Hi: 1000, Default: 20},
		param.Param{Key: "damping", Symbol: "λ",
			Doc: "curvature added to each pair's, in units of q's Fisher information", ByTarget: true, Scale: param.Log,
			Min: 0, Max: 1e6, Lo: 1e-3, Hi: 1e3, Default: 10},
		trustParam(),
	),
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] {
		return &quasiNewton{normalFamily: newNormalFamily(t.Dim(), true)}
	},
	Unfit: unfitNormal,
	Suit: func(p *targets.Problem, values map[string]float64) {
		suitNewton(p, values)
		if !p.HasData() {
			values["damping"] = 1 // there is no minibatch that could lack curvature
		}
	},
}

// quasiNewton is the kernel of lbfgs-sgvi.
type quasiNewton struct {
	normalFamily
	h       lbfgs
	d, y    []float64 // in the shape of ψ, as is
	inverse []float64 // 1/F
}

func (k *quasiNewton) Begin(s *sampler.State[float64], p *sampler.Params) {
	k.begin(s, p, numLBFGSOwn)
	n, m := len(s.Own[normalPsi]), int(p.Own[lbfgsMemory])
	s.Own[lbfgsOwnCounts] = make([]float64, numCounts)
	s.Own[lbfgsOwnSum], s.Own[lbfgsOwnLast] = sampler.Vector[float64](n), sampler.Vector[float64](n)
	s.Own[lbfgsOwnS], s.Own[lbfgsOwnY] = sampler.Vector[float64](m*n), sampler.Vector[float64](m*n)
}

// room allocates scratch in the shape of ψ and reads the pairs of s.
func (k *quasiNewton) room(s *sampler.State[float64], p *sampler.Params) {
	n := len(s.Own[normalPsi])
	if m := len(s.Own[lbfgsOwnS]) / n; len(k.d) != n || len(k.h.alpha) != m {
		k.d, k.y, k.inverse = sampler.Vector[float64](n), sampler.Vector[float64](n), sampler.Vector[float64](n)
		k.h.alpha = make([]float64, m)
	}
	k.h.s, k.h.y = s.Own[lbfgsOwnS], s.Own[lbfgsOwnY]
	k.h.count = int(s.Own[lbfgsOwnCounts][countPairs])
	k.h.first = 1 / (1 + p.Own[lbfgsDamping])
}

// metric sets 1/F: Σ_ii of μ_i, ½ of log C_ii, and of C_ij below the diagonal, as
// C moves by C·A with A_ij of information 1 and A_jj of 2,
//
//	C_ij²/2 + Σ_{j<k≤i} C_ik².
func (k *quasiNewton) metric(psi []float64) {
	for i := range k.dim {
		sd := k.scale(psi, i)
		sum := float64(sd * sd)
		row, to := k.below(psi, i), k.below(k.inverse, i)
		for j := len(row) - 1; j >= 0; j-- {
			c := float64(row[j] * row[j])
			to[j] = sum + float64(c/2)
			sum += c
		}
		k.inverse[i], k.inverse[k.diagonal(psi, i)] = sum, 0.5
	}
}

func (k *quasiNewton) Step(s *sampler.State[float64], grad sampler.Gradient[float64], p *sampler.Params,
	zs *noise.Normals[float64], i *sampler.Info) {
	k.room(s, p)
	k.start(s, grad, p, zs, i)
	psi := s.Own[normalPsi]
	k.gradient(k.d, psi, p)
	k.metric(psi)
	k.h.apply(k.d, k.inverse)
	k.scaleStep(k.d, p.Own[normalRatio])
	h := k.clip(i.Eps*p.N/2, p)
	drift := 0.0
	for j, x := range k.d {
		psi[j] += float64(h * x)
		if j < k.dim {
			drift += float64(h * x * h * x)
		}
	}
	k.collect(s, grad, p)
	k.end(s, drift, i)
}

// clip returns h, or less where h times the step is longer than "trust" allows. It
// clips the entries that would change a log C_ii by more than that.
func (k *quasiNewton) clip(h float64, p *sampler.Params) float64 {
	size, trust := 0.0, p.Own[lbfgsTrust]
	for j, x := range k.d {
		size += x * x / k.inverse[j]
	}
	if size = math.Sqrt(size / float64(k.dim)); h*size > trust {
		h = trust / size
	}
	for j := range k.dim {
		c := &k.d[k.diagonal(k.d, j)]
		*c = max(-trust/h, min(trust/h, *c))
	}
	return h
}

// collect adds the step to its block, and at the end of a block adds a pair.
func (k *quasiNewton) collect(s *sampler.State[float64], grad sampler.Gradient[float64], p *sampler.Params) {
	sum, last, counts := s.Own[lbfgsOwnSum], s.Own[lbfgsOwnLast], s.Own[lbfgsOwnCounts]
	for j, x := range s.Own[normalPsi] {
		sum[j] += x
	}
	if counts[countSteps]++; counts[countSteps] < p.Own[lbfgsEvery] {
		return
	}
	for j := range sum {
		sum[j] /= counts[countSteps]
	}
	if counts[countBlocks] > 0 && k.makePair(last, sum, grad, p) {
		k.h.count++
		counts[countPairs]++
		ds, dy := k.h.pair(0, len(sum))
		copy(ds, k.d)
		copy(dy, k.y)
	}
	copy(last, sum)
	clear(sum)
	counts[countSteps] = 0
	counts[countBlocks]++
}

// makePair sets (d, y) to the pair of a step from one ψ to another, and reports whether there is one.
func (k *quasiNewton) makePair(from, to []float64, grad sampler.Gradient[float64], p *sampler.Params) bool {
	k.evaluate(from, grad, p)
	k.gradient(k.y, from, p)
	k.evaluate(to, grad, p)
	k.gradient(k.d, to, p)
	sy, sfs := 0.0, 0.0
	for j, g := range k.d {
		d := to[j] - from[j]
		k.y[j] += p.Own[lbfgsDamping]*d/k.inverse[j] - g
		k.d[j] = d
		sy += float64(d * k.y[j])
		sfs += d * d / k.inverse[j]
	}
	if !(sfs > 0) || math.IsInf(sfs, 0) || math.IsNaN(sy) || math.IsInf(sy, 0) {
		return false
	}
	if sy < lbfgsLeast*sfs {
		share := (1 - lbfgsLeast) * sfs / (sfs - sy)
		for j, d := range k.d {
			k.y[j] = float64(share*k.y[j]) + (1-share)*d/k.inverse[j]
		}
	}
	return true
}
