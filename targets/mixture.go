package targets

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// Mixture is a mixture of two round normal densities,
//
//	w N(m₁, s₁²I) + (1-w) N(m₂, s₂²I),  m₁ = (-gap/2, 0), m₂ = (gap/2, 0).
//
// N = 1 and there is no prior.
type Mixture struct {
	planar
	w, gap, s1, s2 float64
	half           float64 // gap/2
	p1, p2         float64 // 1/s₁², 1/s₂²
	c1, c2         float64 // log of weight over s²
}

// responsibility is the probability r that θ comes from the first component, and 1 - r without cancellation.
func (t *Mixture) responsibility(x, y float64) (r, rest float64) {
	a, b := t.logs(x, y)
	if a < b {
		e := libm.Exp(a - b)
		return e / (1 + e), 1 / (1 + e)
	}
	e := libm.Exp(b - a)
	return 1 / (1 + e), e / (1 + e)
}

// logs are the log densities of the components with their weights, up to a common constant.
func (t *Mixture) logs(x, y float64) (a, b float64) {
	x1, x2 := x+t.half, x-t.half
	return t.c1 - float64(0.5*t.p1*(float64(x1*x1)+float64(y*y))),
		t.c2 - float64(0.5*t.p2*(float64(x2*x2)+float64(y*y)))
}

// Grad writes Σₖ rₖ (mₖ - θ)/sₖ², with rₖ the responsibilities.
func (t *Mixture) Grad(dst, theta []float64, _ []int32) {
	y, x := theta[1], theta[0]
	_ = dst[1]
	dst[0], dst[1] = t.slope(x, y)
}

// slope is the gradient.
func (t *Mixture) slope(x, y float64) (dx, dy float64) {
	r, rest := t.responsibility(x, y)
	u, v := float64(r*t.p1), float64(rest*t.p2)
	return float64(-u*(x+t.half)) - float64(v*(x-t.half)), -(u + v) * y
}

// GradEach implements Several.
func (t *Mixture) GradEach(dst, theta []float64) {
	dst = dst[:len(theta)]
	for k := 1; k < len(theta); k += 2 {
		dst[k-1], dst[k] = t.slope(theta[k-1], theta[k])
	}
}

// GradHessian also writes -Σₖ rₖ/sₖ² + r₁r₂ (g₁ - g₂)² to hess, with gₖ the gradient of component k.
func (t *Mixture) GradHessian(dst, hess, theta []float64, _ []int32) {
	x, y := theta[0], theta[1]
	r, rest := t.responsibility(x, y)
	ax, bx := float64(-t.p1*(x+t.half)), float64(-t.p2*(x-t.half))
	ay, by := float64(-t.p1*y), float64(-t.p2*y)
	dst[0] = float64(r*ax) + float64(rest*bx)
	dst[1] = float64(r*ay) + float64(rest*by)
	h := -(float64(r*t.p1) + float64(rest*t.p2))
	hess[0] = h + float64(r*rest*(ax-bx)*(ax-bx))
	hess[1] = h + float64(r*rest*(ay-by)*(ay-by))
}

// GradLogLik is Grad, and returns LogLik.
func (t *Mixture) GradLogLik(dst, theta []float64, batch []int32) float64 {
	t.Grad(dst, theta, batch)
	return t.LogLik(theta)
}

// HessianVec writes the Hessian's product with v to dst; the Hessian is
// -Σₖ rₖ/sₖ² I + r₁r₂ (g₁ - g₂)(g₁ - g₂)ᵀ, as in GradHessian.
func (t *Mixture) HessianVec(dst, theta, v []float64, _ []int32) {
	x, y, v0, v1 := theta[0], theta[1], v[0], v[1]
	r, rest := t.responsibility(x, y)
	gx := float64(t.p2*(x-t.half)) - float64(t.p1*(x+t.half))
	gy := (t.p2 - t.p1) * y
	h := -(float64(r*t.p1) + float64(rest*t.p2))
	u := r * rest * (float64(gx*v0) + float64(gy*v1))
	_ = dst[1]
	dst[0] = float64(h*v0) + float64(u*gx)
	dst[1] = float64(h*v1) + float64(u*gy)
}

// LogLik is the log density up to a constant.
func (t *Mixture) LogLik(theta []float64) float64 {
	a, b := t.logs(theta[0], theta[1])
	if a < b {
		a, b = b, a
	}
	return a + libm.Log1p(libm.Exp(b-a))
}

// Truth is mean ((1/2 - w) gap, 0) and covariance
// (ws₁² + (1-w)s₂²) I + w(1-w) diag(gap², 0).
func (t *Mixture) Truth() Moments {
	v := float64(t.w*t.s1*t.s1) + float64((1-t.w)*t.s2*t.s2)
	return Moments{
		Mean: []float64{(0.5 - t.w) * t.gap, 0},
		Cov:  []float64{v + float64(t.w*(1-t.w)*t.gap*t.gap), 0, 0, v},
	}
}

// start is near one of the two modes, on the side away from the other and at least half a standard deviation off both
// axes through it, since pSGLD's first step with V₀ = 0 is enormous where a coordinate of the gradient is near zero
// (PAPER §4). The sign of z₁ chooses the mode.
func (t *Mixture) start(dst, z []float64) {
	s := t.s2
	if z[0] < 0 {
		s = t.s1
	}
	dst[0] = math.Copysign(t.half+float64(s*max(math.Abs(z[0]), 0.5)), z[0])
	dst[1] = s * math.Copysign(max(math.Abs(z[1]), 0.5), z[1])
}

var mixtureFamily = Family{
	Name:     "mixture",
	Usage:    "mixture[:gap=DISTANCE][;w=WEIGHT][;s1=SD][;s2=SD]",
	Doc:      "two round normal densities side by side, the left one of weight w",
	Examples: []string{"mixture", "mixture:gap=6"},
	open:     openMixture,
}

func openMixture(args string, _ Options) (*Problem, error) {
	t := new(Mixture)
	settings := []number{{"gap", &t.gap, 4, 0, 1e3}, {"w", &t.w, 0.5, 0.001, 0.999}, {"s1", &t.s1, 1, 1e-3, 1e3},
		{"s2", &t.s2, 0.7, 1e-3, 1e3}}
	if err := parseNumbers("mixture", args, settings); err != nil {
		return nil, err
	}
	t.half = t.gap / 2
	t.p1, t.p2 = 1/(t.s1*t.s1), 1/(t.s2*t.s2)
	t.c1, t.c2 = libm.Log(t.w*t.p1), libm.Log((1-t.w)*t.p2)
	const sds = 3.2
	wide, small := max(t.s1, t.s2), min(t.s1, t.s2)
	// SGLD is stable below 4s², with the smaller s.
	p := planarProblem(t, canonical("mixture", settings), "mixture, gap "+format(t.gap),
		niceBelow(0.45*small*small), Frame{
			min(-t.half-float64(sds*t.s1), t.half-float64(sds*t.s2)),
			max(t.half+float64(sds*t.s2), -t.half+float64(sds*t.s1)),
			-sds * wide, sds * wide,
		})
	p.Params = parameters(settings, "the distance of the two modes", "the weight of the left one",
		"the left one's standard deviation", "the right one's standard deviation")
	return p, nil
}
