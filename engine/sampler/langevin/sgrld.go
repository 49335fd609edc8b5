package langevin

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of sgrld.
const (
	sgrldGamma = iota
	sgrldFisher
)

// maxRiemann is the largest D of sgrld, whose D×D matrices then take 100 MB.
const maxRiemann = 2000

// SGRLD is stochastic gradient Riemannian Langevin dynamics (Patterson and Teh
// 2013) with the metric of Girolami and Calderhead (2011): the expected Fisher
// information and the prior's precision,
//
//	M = N F(θ) + I/σ², G = M⁻¹, Γ_i = Σ_j ∂G_ij/∂θ_j = -N (G c)_i, c_a = Σ_bj ∂F_ab/∂θ_j G_bj,
//	θ' = θ + (ε/2) [G (N ḡ - θ/σ²) + T Γ] + N(0, T ε G).
//
// ε has no unit: G is near the posterior's covariance, so that a step forgets about ε/2 of the state in every
// direction. Without "gamma" Γ is dropped. As ε → 0 the stationary distribution is then p^(1/T) det M in one dimension,
// and no such simple one in more. At temperatures other than 1 Γ is scaled with T, as in SGLD.
//
// F is that of the minibatch, or of all data. The minibatch's costs less, and the prior makes it as well-posed. But G
// then depends on the same data as ḡ, so that the mean of G ḡ is not the product of their means, and G is the prior's
// variance in directions that the batch has not seen. The stationary distribution differs from the posterior at any ε.
var SGRLD = sampler.Method{
	Name:     "sgrld",
	Title:    "SGRLD",
	Doc:      "Riemannian Langevin dynamics with the full Fisher information",
	Equation: "M = N F(θ) + I/σ², G = M⁻¹, θ' = θ + ε/2 [G (∇log p(θ) + N ḡ) + TΓ] + N(0, T ε G)",
	Source: "Patterson & Teh 2013, Stochastic gradient Riemannian Langevin dynamics on the probability simplex; " +
		"metric of Girolami & Calderhead 2011",
	Params: []param.Param{
		sgrldGamma: {Key: "gamma", Symbol: "Γ", Doc: "the drift correction Γ", Scale: param.Choice,
			Choices: []string{"off", "on"}, Default: 1},
		sgrldFisher: {Key: "fisher", Symbol: "F", Doc: "the data from which the Fisher information is computed",
			ByTarget: true, Scale: param.Choice, Choices: []string{"batch", "full"}, NeedsData: true},
	},
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] { return newRiemann(t.Dim()) },
	Alone: true,
	Unfit: func(p *targets.Problem) string {
		if _, ok := p.Impl().(targets.Fisher[float64]); !ok {
			return "needs the expected Fisher information, which is known of the Gaussian and of logistic regression"
		}
		if p.Dim() > maxRiemann {
			return "has matrices of the size of θ squared, and takes at most 2,000 coordinates"
		}
		return ""
	},
	Suit: func(p *targets.Problem, values map[string]float64) {
		n, d := float64(p.N()), float64(p.Dim())
		values[sampler.KeyEps] = 0.3
		switch {
		case !p.HasData():
		case n*d*d <= 1e6:
			// The Fisher information of all data takes less than a millisecond, the gradient much less.
			values["fisher"], values[sampler.KeyBatch] = 1, 0
		default:
			// The batch has rows enough to see every direction. At this step their noise
			// adds some 40% to the injected variance, εN/(4n).
			batch := min(n, max(values[sampler.KeyBatch], math.Ceil(8*d)))
			values[sampler.KeyBatch] = batch
			values[sampler.KeyEps] = min(0.3, param.Round(1.6*batch/n, 1))
		}
	},
	StationaryCov: func(dst []float64, target any, p *sampler.Params) bool {
		t, ok := target.(targets.Truth)
		if _, normal := target.(targets.Stationary); !ok || !normal || !(p.Eps < 4) {
			return false
		}
		// θ' = (1 - ε/2) θ + (ε/2) Σ s z₁ + √(TεΣ) z₂ with s the gradient noise.
		cov, d, s := t.Truth().Cov, len(t.Truth().Mean), gradNoise(target)
		for i := range d {
			for j := range d {
				square := 0.0
				for k := range d {
					square += float64(cov[i*d+k] * cov[k*d+j])
				}
				dst[i*d+j] = (float64(p.Temp*cov[i*d+j]) + float64(p.Eps/4*s*s*square)) / (1 - float64(p.Eps/4))
			}
		}
		return true
	},
	MaxStep: func(target any, _ *sampler.Params, _ *sampler.Info) sampler.Bound {
		if _, ok := target.(targets.Stationary); !ok {
			return sampler.Bound{}
		}
		return sampler.Bound{Kind: sampler.MetricBound, Eps: 4}
	},
}

// riemann is the kernel of sgrld. All is scratch.
type riemann struct {
	dim    int
	m      []float64 // M and then its factor L
	w      []float64 // W = L⁻¹ by columns, so that G = WᵀW
	g      []float64 // G, where Γ is asked for
	diag   []float64 // of G
	c      []float64
	u, mid []float64 // -∇U - TNc, and W times that
}

func newRiemann(dim int) *riemann {
	r := &riemann{dim: dim, m: sampler.Vector[float64](dim * dim), w: sampler.Vector[float64](dim * dim)}
	for _, v := range []*[]float64{&r.diag, &r.c, &r.u, &r.mid} {
		*v = sampler.Vector[float64](dim)
	}
	for i := range r.diag {
		r.diag[i] = 1
	}
	return r
}

func (r *riemann) GainAt(i int) float64 { return r.diag[i] }

func (r *riemann) Step(s *sampler.State[float64], grad sampler.Gradient[float64], p *sampler.Params,
	zs *noise.Normals[float64], i *sampler.Info) {
	var (
		theta  = s.Theta
		mean   = grad.Eval(theta, 0).Mean
		fisher = grad.Target().(targets.Fisher[float64])
		batch  []int32
		z      []float64
	)
	if p.Own[sgrldFisher] == 0 {
		batch = grad.Batch()
	}
	if p.Temp != 0 {
		z = zs.At(s.Step)
	}
	r.metric(fisher, theta, batch, p)
	*i = sampler.Info{GMin: math.Inf(1), OK: true}
	for k, x := range theta {
		u := float64(p.N*mean[k]) - float64(p.PriorPrec*x) // -∇U
		if p.Own[sgrldGamma] != 0 {
			u -= float64(p.Temp * p.N * r.c[k])
		}
		r.u[k] = u
		i.GMin, i.GMax = min(i.GMin, r.diag[k]), max(i.GMax, r.diag[k])
	}
	r.forward()
	half, spread := p.Eps/2, math.Sqrt(p.Temp*p.Eps)
	for k := range theta {
		w := r.w[k*r.dim+k : (k+1)*r.dim]
		d := float64(half * inner(w, r.mid[k:]))
		i.Drift2 += float64(d * d)
		if z != nil {
			n := float64(spread * inner(w, z[k:]))
			i.Noise2 += float64(n * n)
			d += n
		}
		theta[k] += d
		if !(math.Abs(theta[k]) < sampler.Limit) {
			i.OK = false
		}
	}
	s.Step++
}

// metric makes W and the diagonal of G, and for Γ also G and c.
func (r *riemann) metric(fisher targets.Fisher[float64], theta []float64, batch []int32, p *sampler.Params) {
	n := r.dim
	fisher.Fisher(r.m, theta, batch)
	for k := range r.m {
		r.m[k] *= p.N
	}
	for k := range n {
		r.m[k*n+k] += p.PriorPrec
	}
	cholesky(r.m, n)
	invertLower(r.w, r.m, n)
	for k := range n {
		w := r.w[k*n+k : (k+1)*n]
		r.diag[k] = inner(w, w)
	}
	if p.Own[sgrldGamma] == 0 {
		return
	}
	if r.g == nil {
		r.g = sampler.Vector[float64](n * n)
	}
	outerUpper(r.g, r.w, n)
	fisher.FisherSlope(r.c, theta, r.g, batch)
}

// forward makes mid = W u, by solving L mid = u.
func (r *riemann) forward() {
	for k := range r.mid {
		row := r.m[k*r.dim:][:k+1]
		r.mid[k] = (r.u[k] - inner(row[:k], r.mid[:k])) / row[k]
	}
}
