package theory

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// An autoregression is SGLD at a constant step along an axis of N(0, Σ) with the variance σ²: x' = a x + √ε z with a =
// 1 - ε/(2σ²), an AR(1) process whose stationary variance is v = σ²/(1 - ε/(4σ²)) (PAPER §4). So is pSGLD with a
// constant preconditioner G, at the step εG.
type autoregression struct{ a, v float64 }

// sgldOn is SGLD with the step ε on the variance σ². It exists for 0 < ε < 4σ².
func sgldOn(sigma2, eps float64) autoregression {
	return autoregression{a: 1 - eps/(2*sigma2), v: sigma2 / (1 - eps/(4*sigma2))}
}

// averagedOn is pSGLD on the variance σ² in the limit α → 1 (and λ = 0), where V is E ḡ² = v/σ⁴ of its own stationary
// variance v, and G = σ²/√v. With v = σ²s² that is SGLD at the step εσ/s, so that s² = 1/(1 - ε/(4σs)), or
//
//	s² - (ε/4σ) s - 1 = 0.
//
// It exists for every ε > 0. It holds for a V that is frozen there as well.
func averagedOn(sigma2, eps float64) autoregression {
	sigma := math.Sqrt(sigma2)
	c := eps / (4 * sigma)
	s := (c + math.Sqrt(c*c+4)) / 2
	return autoregression{a: 1 - eps/(2*sigma*s), v: sigma2 * s * s}
}

// thinned is the process of every k-th draw.
func (p autoregression) thinned(k int) autoregression {
	return autoregression{a: libm.Pow(p.a, float64(k)), v: p.v}
}

// act is the integrated autocorrelation time of x in draws, τ = ½ + Σ a^t = ½ (1 + a)/(1 - a).
func (p autoregression) act() float64 { return (1 + p.a) / (1 - p.a) / 2 }

// squareVar is the variance of the average of x² over n successive draws. As x is
// Gaussian, x² has the variance 2v² and the autocorrelation a^(2t).
func (p autoregression) squareVar(n int) float64 { return 2 * p.v * p.v * averaged(p.a*p.a, n) }

// averaged is the variance of the average of n numbers of variance 1 with the autocorrelation r^t,
//
//	[(1+r)/(1-r) - 2r(1-rⁿ)/(n(1-r)²)]/n.
func averaged(r float64, n int) float64 {
	m := float64(n)
	return ((1+r)/(1-r) - 2*r*(1-libm.Pow(r, m))/(m*(1-r)*(1-r))) / m
}

// memoryBias is what the finite memory of V adds to E θ²/σ² of pSGLD without Γ, to
// first order in 1-α at any stable step. In units of σ let y = E x² = v̄ = E V, V = v̄ (1 + η),
// h = ε/(4σ√y) and a = 1 - 2h. That E x² stays as it is over a step is
//
//	E[√(v̄/V) (1 - x²) + h (v̄/V) x²] = 0,
//
// in which, with √(v̄/V) = 1 - η/2 + 3η²/8 and averages over the past of an AR(1),
//
//	E[η x²] = C = 2(1-α) y/(1 - αa²),  E[η²] = A = (1-α)/(1+α) (1 + αa²)/(1 - αa²),
//
// so that (1-y)(1 + 3A/8) + C/2 + h (y - C + yA) = 0. The bias is y less its value at α = 1
// (averagedOn). For small steps it is κ (memoryRatio). It holds only where it is small.
func memoryBias(alpha, sigma2, eps float64) float64 {
	c := eps / (4 * math.Sqrt(sigma2))
	rest := func(y float64) float64 {
		h := c / math.Sqrt(y)
		r := alpha * (1 - 2*h) * (1 - 2*h)
		C := 2 * (1 - alpha) * y / (1 - r)
		A := (1 - alpha) / (1 + alpha) * (1 + r) / (1 - r)
		return (1-y)*(1+3*A/8) + C/2 + h*(y-C+y*A)
	}
	limit := averagedOn(sigma2, eps).v / sigma2
	lo, hi := limit/2, 8*limit // rest falls
	for range 100 {
		if m := (lo + hi) / 2; rest(m) > 0 {
			lo = m
		} else {
			hi = m
		}
	}
	return lo - limit
}

// A weightedSquare is the mean and variance of φ̂ = Σ w_t x_t² / Σ w_t for SGLD with varying steps on N(0, σ²) from a
// fixed start, followed step by step. x_t is Gaussian with mean μ_t and variance P_t,
//
//	μ' = a μ,  P' = a² P + ε,  a = 1 - ε/(2σ²),
//
// and Cov(S, x'²) = a² Cov(S, x²) for any sum S over earlier steps, since E[x'² | x] = a² x² + ε. No term is dropped.
type weightedSquare struct {
	sigma2    float64
	mean, p   float64 // of x
	w         float64 // Σ w
	sum       float64 // E Σ w x²
	vari, cov float64 // Var Σ w x², Cov(Σ w x², x²)
}

func newWeightedSquare(sigma2, start float64) *weightedSquare {
	return &weightedSquare{sigma2: sigma2, mean: start}
}

// step advances x by a step ε and adds w x² of the new x.
func (e *weightedSquare) step(eps, w float64) {
	a := 1 - eps/(2*e.sigma2)
	e.cov *= a * a
	e.mean *= a
	e.p = a*a*e.p + eps
	if w == 0 {
		return
	}
	own := 2*e.p*e.p + 4*e.mean*e.mean*e.p // Var x²
	e.vari += 2*w*e.cov + w*w*own
	e.cov += w * own
	e.sum += w * (e.p + e.mean*e.mean)
	e.w += w
}

// bias is E φ̂ - σ².
func (e *weightedSquare) bias() float64 { return e.sum/e.w - e.sigma2 }

// variance is that of φ̂.
func (e *weightedSquare) variance() float64 { return e.vari / (e.w * e.w) }

// mse is E (φ̂ - σ²)².
func (e *weightedSquare) mse() float64 { return e.bias()*e.bias() + e.variance() }
