package targets

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// Funnel is Neal's funnel (Slice sampling, 2003, §8) with one narrow coordinate, of a height that can be drawn:
//
//	θ₂ = v ~ N(0, s²),  θ₁ = x | v ~ N(0, eᵛ).
//
// N = 1 and there is no prior. Neal's s is 3; then x spans four orders of
// magnitude, and no constant step suits both ends.
type Funnel struct {
	planar
	s, p float64 // p = 1/s²
}

// Grad writes (-xe⁻ᵛ, -v/s² - ½ + ½x²e⁻ᵛ).
func (t *Funnel) Grad(dst, theta []float64, _ []int32) {
	v, x := theta[1], theta[0]
	_ = dst[1]
	dst[0], dst[1] = t.slope(x, v)
}

// slope is the gradient.
func (t *Funnel) slope(x, v float64) (dx, dv float64) {
	u := x * libm.Exp(-v)
	return -u, float64(0.5*(float64(x*u)-1)) - float64(t.p*v)
}

// GradEach implements Several.
func (t *Funnel) GradEach(dst, theta []float64) {
	dst = dst[:len(theta)]
	for k := 1; k < len(theta); k += 2 {
		dst[k-1], dst[k] = t.slope(theta[k-1], theta[k])
	}
}

// GradLogLik is Grad, and returns LogLik.
func (t *Funnel) GradLogLik(dst, theta []float64, batch []int32) float64 {
	x, v := theta[0], theta[1]
	t.Grad(dst, theta, batch)
	return -0.5 * (float64(t.p*v*v) + v - float64(x*dst[0]))
}

// HessianVec writes the Hessian's product with a vector to dst. Its diagonal is
// that of GradHessian, and beside it stands xe⁻ᵛ.
func (t *Funnel) HessianVec(dst, theta, vec []float64, _ []int32) {
	x, v, v0, v1 := theta[0], theta[1], vec[0], vec[1]
	e := libm.Exp(-v)
	_ = dst[1]
	dst[0] = e * (float64(x*v1) - v0)
	dst[1] = float64(x*e*(v0-float64(0.5*x*v1))) - float64(t.p*v1)
}

// GradHessian also writes (-e⁻ᵛ, -1/s² - ½x²e⁻ᵛ) to hess.
func (t *Funnel) GradHessian(dst, hess, theta []float64, _ []int32) {
	x, v := theta[0], theta[1]
	e := libm.Exp(-v)
	dst[0] = -x * e
	dst[1] = float64(0.5*(float64(x*x*e)-1)) - float64(t.p*v)
	hess[0] = -e
	hess[1] = -t.p - float64(0.5*x*x*e)
}

// LogLik is -v²/(2s²) - v/2 - x²e⁻ᵛ/2.
func (t *Funnel) LogLik(theta []float64) float64 {
	x, v := theta[0], theta[1]
	return -0.5 * (float64(t.p*v*v) + v + float64(x*x*libm.Exp(-v)))
}

// Truth is mean 0 and covariance diag(E eᵛ, s²) with E eᵛ = exp(s²/2).
func (t *Funnel) Truth() Moments {
	return Moments{
		Mean: []float64{0, 0},
		Cov:  []float64{libm.Exp(t.s * t.s / 2), 0, 0, t.s * t.s},
	}
}

// start is in the funnel's wide half, with |x| between half and nine tenths of its standard deviation: there both
// coordinates of the gradient are away from zero, where pSGLD's first step with V₀ = 0 would be enormous (PAPER §4).
// For |x| below one standard deviation both terms of the gradient's second coordinate are negative.
func (t *Funnel) start(dst, z []float64) {
	v := t.s * min(max(math.Abs(z[1]), 0.5), 2)
	dst[0] = libm.Exp(v/2) * math.Copysign(min(max(math.Abs(z[0]), 0.5), 0.9), z[0])
	dst[1] = v
}

var funnelFamily = Family{
	Name:     "funnel",
	Usage:    "funnel[:s=SD]",
	Doc:      "Neal's funnel: v ~ N(0, s²), x ~ N(0, exp v)",
	Examples: []string{"funnel", "funnel:s=1.5"},
	open:     openFunnel,
}

func openFunnel(args string, _ Options) (*Problem, error) {
	t := new(Funnel)
	settings := []number{{"s", &t.s, 1, 0.1, 3}}
	if err := parseNumbers("funnel", args, settings); err != nil {
		return nil, err
	}
	t.p = 1 / (t.s * t.s)
	x := 3.5 * libm.Exp(t.s*t.s/4) // standard deviations of x
	p := planarProblem(t, canonical("funnel", settings), "funnel, s = "+format(t.s), t.step(),
		Frame{-x, x, -3.5 * t.s, 3.5 * t.s})
	p.Names = []string{"x", "v"}
	p.Params = parameters(settings, "the standard deviation of v")
	return p, nil
}

// step is an ε that is stable for SGLD down to v = -3.5 s, where x has the
// variance exp(-3.5 s), and suits the width of v besides.
func (t *Funnel) step() float64 {
	return niceBelow(min(2*libm.Exp(-3.5*t.s), 0.2*t.s*t.s))
}
