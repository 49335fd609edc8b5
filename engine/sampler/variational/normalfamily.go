package variational

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The first own parameters of the methods that fit a normal distribution.
const (
	normalCov = iota
	normalSD0
	normalDecay
	normalSamples
	normalRatio
	numNormal
)

// maxFull is the largest D with a full covariance. ψ then has 31,625 numbers, and
// lbfgs-sgvi's ten pairs of them take 5 MB of every keyframe of a lane.
const maxFull = 250

// normalParams declares the first own parameters of those methods.
func normalParams() []param.Param {
	return []param.Param{
		normalCov: {Key: "cov", Symbol: "Σ",
			Doc: "q's covariance: diagonal, or full, which beyond 250 parameters is diagonal too", ByTarget: true,
			Scale: param.Choice, Choices: []string{"diag", "full"}, AtStart: true},
		normalSD0: {Key: "sd0", Symbol: "σ₀", Doc: "standard deviation of q at the start, around the start point",
			Scale: param.Log, Min: 1e-6, Max: 1e6, Lo: 1e-4, Hi: 10, Default: 0.1, AtStart: true},
		normalDecay: {Key: "decay", Symbol: "t½",
			Doc: "steps after which the step size is half of ε, as in ε/(1+t/t½), or never", ByTarget: true,
			Scale: param.Integer, Zero: "never", Min: 0, Max: param.MaxInteger, Lo: 10, Hi: 1e6},
		normalSamples: {Key: "samples", Symbol: "K", Doc: "draws of q that a prediction averages over",
			Scale: param.Integer, Min: 1, Max: 1000, Lo: 1, Hi: 100, Default: 10},
		normalRatio: {Key: "ratio", Symbol: "κ", Doc: "step size of C as a share of μ's", Scale: param.Log, Min: 0,
			Max: math.Inf(1), Lo: 1e-3, Hi: 10, Default: 1},
	}
}

// suitNormal sets the covariance that suits a problem's dimension.
func suitNormal(p *targets.Problem, values map[string]float64) {
	if p.Dim() <= 50 {
		values["cov"] = 1
	}
}

// trustParam declares the bound of a step, of the methods of second order.
func trustParam() param.Param {
	return param.Param{Key: "trust", Symbol: "Δ",
		Doc:   "largest step, root mean square in units of q's standard deviations, and of any log standard deviation",
		Scale: param.Log, Min: 0, OpenMin: true, Max: math.Inf(1), Lo: 0.01, Hi: 10, Default: 0.1}
}

// suitNewton is Suit of the methods of second order: a twentieth of a Newton step at the start.
func suitNewton(p *targets.Problem, values map[string]float64) {
	suitNormal(p, values)
	values[sampler.KeyEps], values["decay"] = 2*0.05/float64(p.N()), 1000
}

// unfitNormal is Unfit of those methods.
func unfitNormal(p *targets.Problem) string {
	switch {
	case p.F64 == nil:
		return "is for densities and logistic regression"
	case !hasLogLik(p.F64):
		return "needs a target that evaluates its log-likelihood with its gradient"
	}
	return ""
}

func hasLogLik(t targets.Target[float64]) bool {
	_, ok := t.(targets.LikelihoodGradient[float64])
	return ok
}

// The vectors of State.Own that those methods begin with.
const (
	normalPsi   = iota // ψ = (μ, C)
	normalBegun        // one number: the step at which the method began
	numNormalOwn
)

// normalFamily is shared by the methods that fit q = N(μ, CCᵀ): the family, its draws θ = μ + Cz with z ~ N(0, I), and
// the gradient, by its parameters ψ, of the bound at one draw,
//
//	L(ψ; z) = N l(θ) + log p(θ) - T log q(θ),  l = (1/n) Σ log p(d_i | θ),
//	-log q(θ) = Σ log C_ii + (D/2) log 2π + ‖z‖²/2,
//
// whose mean over z is the ELBO at T = 1. With g = N ḡ - θ/σ², the gradient of the log joint density at θ,
//
//	∂L/∂μ_i = g_i,  ∂L/∂C_ij = g_i z_j (j < i),  ∂L/∂C_ii = g_i z_i + T/C_ii.
//
// ψ is μ and then C: its diagonal, D numbers, or its lower triangle, row by row, D(D+1)/2 numbers. With logs the
// diagonal is held by its logarithms, ∂L/∂log C_ii = g_i z_i C_ii + T, and no step makes it negative.
//
// The step size falls with the schedule and with "decay": ε_t = ε f(t)/(1 + t/t½), t counted from where the method
// began. Σε_t = ∞ and Σε_t² < ∞, as Robbins and Monro (1951) ask for. h_t = ε_t N/2 is the step per mean gradient.
type normalFamily struct {
	dim  int
	logs bool
	// Of the newest evaluation.
	g, sd []float64 // the log joint's gradient, and C_ii
	z     []float64
	theta []float64
}

func newNormalFamily(dim int, logs bool) normalFamily {
	v := func() []float64 { return sampler.Vector[float64](dim) }
	return normalFamily{dim: dim, logs: logs, g: v(), sd: v(), z: v(), theta: v()}
}

func (*normalFamily) GainAt(int) float64            { return 1 }
func (*normalFamily) Proxies(p *sampler.Params) int { return int(p.Own[normalSamples]) }

// Proxy implements Proxy: a draw of q.
func (f *normalFamily) Proxy(dst []float64, s *sampler.State[float64], _ int, z []float64) {
	f.draw(dst, s.Own[normalPsi], z)
}

// begin sets s.Own to N(θ, σ₀²I), with room for n vectors in all.
func (f *normalFamily) begin(s *sampler.State[float64], p *sampler.Params, n int) {
	scales := f.dim
	if p.Own[normalCov] != 0 && f.dim <= maxFull {
		scales = f.dim * (f.dim + 1) / 2
	}
	psi := sampler.Vector[float64](f.dim + scales)
	copy(psi, s.Theta)
	sd := p.Own[normalSD0]
	if f.logs {
		sd = libm.Log(sd)
	}
	for i := range f.dim {
		psi[f.diagonal(psi, i)] = sd
	}
	s.Own = make([][]float64, n)
	s.Own[normalPsi], s.Own[normalBegun] = psi, []float64{float64(s.Step)}
}

// isFull is whether ψ has a full C. Of one dimension both are the same.
func (f *normalFamily) isFull(psi []float64) bool { return len(psi) > 2*f.dim }

// diagonal is the place of C_ii in ψ.
func (f *normalFamily) diagonal(psi []float64, i int) int {
	if f.isFull(psi) {
		return f.dim + i*(i+3)/2
	}
	return f.dim + i
}

// below is the part of row i of C that is left of the diagonal, nothing of a diagonal C.
func (f *normalFamily) below(psi []float64, i int) []float64 {
	if !f.isFull(psi) {
		return nil
	}
	from := f.dim + i*(i+1)/2
	return psi[from : from+i]
}

// scale is C_ii.
func (f *normalFamily) scale(psi []float64, i int) float64 {
	c := psi[f.diagonal(psi, i)]
	if f.logs {
		return libm.Exp(c)
	}
	return c
}

// scaleStep scales the part of a step d in the shape of ψ that moves C: the diagonal by κ, and the entries below it by
// κ/D, since the noise of up to D of them adds up in a row.
func (f *normalFamily) scaleStep(d []float64, ratio float64) {
	for i := range f.dim {
		d[f.diagonal(d, i)] *= ratio
		row := f.below(d, i)
		for j := range row {
			row[j] *= ratio / float64(f.dim)
		}
	}
}

// draw writes μ + Cz to dst.
func (f *normalFamily) draw(dst, psi, z []float64) {
	for i := range dst {
		x := psi[i] + float64(f.scale(psi, i)*z[i])
		dst[i] = x + dot(f.below(psi, i), z)
	}
}

// eps is ε_t.
func (f *normalFamily) eps(s *sampler.State[float64], p *sampler.Params) float64 {
	half := p.Own[normalDecay]
	if half == 0 {
		return p.Eps
	}
	return p.Eps / (1 + (float64(s.Step)-s.Own[normalBegun][0])/half)
}

// evaluate draws θ of ψ with z and sets f.g. It returns the log joint density,
// up to the constant of a density that has none.
func (f *normalFamily) evaluate(psi []float64, grad sampler.Gradient[float64], p *sampler.Params) float64 {
	f.draw(f.theta, psi, f.z)
	e := grad.Eval(f.theta, sampler.AskLogLik)
	sum := 0.0
	for i, x := range f.theta {
		sum += float64(x * x)
		f.g[i] = float64(p.N*e.Mean[i]) - float64(p.PriorPrec*x)
	}
	joint := float64(p.N*e.LogLik) - float64(p.PriorPrec*sum/2)
	if p.PriorPrec > 0 {
		joint += float64(float64(f.dim) / 2 * libm.Log(p.PriorPrec/(2*math.Pi)))
	}
	return joint
}

// bound is L at an evaluation's ψ and log joint density.
func (f *normalFamily) bound(psi []float64, joint float64, p *sampler.Params) float64 {
	entropy := float64(float64(f.dim) / 2 * libm.Log(2*math.Pi))
	for i, z := range f.z {
		c := psi[f.diagonal(psi, i)]
		if !f.logs {
			c = libm.Log(c)
		}
		entropy += c + float64(z*z/2)
	}
	return joint + float64(p.Temp*entropy)
}

// gradient writes ∇L by ψ at the newest evaluation to dst.
func (f *normalFamily) gradient(dst, psi []float64, p *sampler.Params) {
	copy(dst, f.g)
	for i, g := range f.g {
		row := f.below(dst, i)
		for j := range row {
			row[j] = g * f.z[j]
		}
		at := f.diagonal(psi, i)
		switch {
		case f.logs:
			dst[at] = float64(g*f.z[i]*libm.Exp(psi[at])) + p.Temp
		case p.Temp != 0:
			dst[at] = float64(g*f.z[i]) + p.Temp/psi[at]
		default:
			dst[at] = g * f.z[i]
		}
	}
}

// start begins a step: it draws z, sets the step's θ to that draw of q, evaluates there, and fills in i.
func (f *normalFamily) start(s *sampler.State[float64], grad sampler.Gradient[float64], p *sampler.Params,
	zs *noise.Normals[float64], i *sampler.Info) {
	psi := s.Own[normalPsi]
	copy(f.z, zs.At(s.Step))
	joint := f.evaluate(psi, grad, p)
	copy(s.Theta, f.theta)
	*i = sampler.Info{GMin: 1, GMax: 1, Eps: f.eps(s, p), Objective: f.bound(psi, joint, p)}
	for k, x := range f.theta {
		d := x - psi[k]
		i.Noise2 += float64(d * d)
	}
}

// end ends a step that has moved μ by drift, squared.
func (f *normalFamily) end(s *sampler.State[float64], drift float64, i *sampler.Info) {
	psi := s.Own[normalPsi]
	i.Drift2, i.OK = drift, sampler.Usable(psi...) && sampler.Usable(s.Theta...)
	for k, x := range psi[:f.dim] {
		if !sampler.Usable(x) {
			s.Theta[k] = x // the lane reports what went wrong from θ
		}
	}
	s.Step++
}

// dot is Σ x_i y_i over the length of x.
func dot(x, y []float64) float64 {
	sum := 0.0
	y = y[:len(x)]
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}
