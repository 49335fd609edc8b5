package targets

import "math"

// Banana is a normal density bent along a parabola, after Haario, Saksman and Tamminen (1999) and Rosenbrock's valley:
//
//	θ₁ ~ N(0, s₁²),  θ₂ | θ₁ ~ N(b θ₁², s₂²).
//
// N = 1 and there is no prior.
type Banana struct {
	planar
	b, s1, s2 float64
	p1, p2    float64 // 1/s₁², 1/s₂²
}

// Grad writes, with r = θ₂ - bθ₁²,
//
//	(-θ₁/s₁² + 2bθ₁r/s₂², -r/s₂²).
func (t *Banana) Grad(dst, theta []float64, _ []int32) {
	y, x := theta[1], theta[0]
	_ = dst[1]
	dst[0], dst[1] = t.slope(x, y)
}

// slope is the gradient.
func (t *Banana) slope(x, y float64) (dx, dy float64) {
	u := t.p2 * (y - float64(t.b*x*x))
	return x * (float64(2*t.b*u) - t.p1), -u
}

// GradEach implements Several.
func (t *Banana) GradEach(dst, theta []float64) {
	dst = dst[:len(theta)]
	for k := 1; k < len(theta); k += 2 {
		dst[k-1], dst[k] = t.slope(theta[k-1], theta[k])
	}
}

// GradHessian also writes (-1/s₁² + 2b(r - 2bθ₁²)/s₂², -1/s₂²) to hess.
func (t *Banana) GradHessian(dst, hess, theta []float64, batch []int32) {
	t.Grad(dst, theta, batch)
	x := theta[0]
	q := t.b * x * x
	hess[0] = -t.p1 + float64(2*t.b*t.p2*(theta[1]-float64(3*q)))
	hess[1] = -t.p2
}

// HessianVec writes the Hessian's product with v to dst. Its diagonal is that of
// GradHessian, and beside it stands 2bθ₁/s₂².
func (t *Banana) HessianVec(dst, theta, v []float64, _ []int32) {
	x, v0, v1 := theta[0], v[0], v[1]
	side := 2 * t.b * t.p2 * x
	_ = dst[1]
	dst[0] = float64((float64(2*t.b*t.p2*(theta[1]-float64(3*t.b*x*x)))-t.p1)*v0) + float64(side*v1)
	dst[1] = float64(side*v0) - float64(t.p2*v1)
}

// GradLogLik is Grad, and returns LogLik.
func (t *Banana) GradLogLik(dst, theta []float64, batch []int32) float64 {
	t.Grad(dst, theta, batch)
	return t.LogLik(theta)
}

// LogLik is -θ₁²/(2s₁²) - (θ₂ - bθ₁²)²/(2s₂²).
func (t *Banana) LogLik(theta []float64) float64 {
	x := theta[0]
	r := theta[1] - float64(t.b*x*x)
	return -0.5 * (float64(t.p1*x*x) + float64(t.p2*r*r))
}

// Truth is mean (0, bs₁²) and covariance diag(s₁², s₂² + 2b²s₁⁴).
func (t *Banana) Truth() Moments {
	v1 := t.s1 * t.s1
	return Moments{
		Mean: []float64{0, t.b * v1},
		Cov:  []float64{v1, 0, 0, float64(t.s2*t.s2) + float64(2*t.b*t.b*v1*v1)},
	}
}

// start is a draw that keeps |θ₁| ≥ s₁/2 and half a standard deviation from the valley's floor, since pSGLD's first
// step with V₀ = 0 is enormous where a coordinate of the gradient is near zero (PAPER §4). The side is below the floor,
// where both terms of the gradient's first coordinate agree.
func (t *Banana) start(dst, z []float64) {
	x := t.s1 * math.Copysign(max(math.Abs(z[0]), 0.5), z[0])
	r := t.s2 * max(math.Abs(z[1]), 0.5)
	dst[0] = x
	dst[1] = float64(t.b*x*x) - math.Copysign(r, t.b)
}

var bananaFamily = Family{
	Name:     "banana",
	Usage:    "banana[:b=CURVATURE][;s1=SD][;s2=SD]",
	Doc:      "a normal density bent along a parabola: θ1 ~ N(0, s1²), θ2 ~ N(b·θ1², s2²)",
	Examples: []string{"banana", "banana:b=1"},
	open:     openBanana,
}

func openBanana(args string, _ Options) (*Problem, error) {
	t := new(Banana)
	settings := []number{{"b", &t.b, 0.5, -100, 100}, {"s1", &t.s1, 1.5, 1e-3, 1e3}, {"s2", &t.s2, 1, 1e-3, 1e3}}
	if err := parseNumbers("banana", args, settings); err != nil {
		return nil, err
	}
	t.p1, t.p2 = 1/(t.s1*t.s1), 1/(t.s2*t.s2)
	x := 3.2 * t.s1
	y0, y1 := float64(-3*t.s2), float64(2*t.s2)
	if tip := float64(t.b * 6.5 * t.s1 * t.s1); tip > 0 { // the valley's height at 2.5 s₁
		y1 += tip
	} else {
		y0, y1 = float64(-2*t.s2)+tip, 3*t.s2
	}
	p := planarProblem(t, canonical("banana", settings), "banana, b = "+format(t.b), t.step(), Frame{-x, x, y0, y1})
	p.Params = parameters(settings, "the valley's curvature", "the standard deviation along the valley",
		"the standard deviation across it")
	return p, nil
}

// step is an ε at which SGLD is stable along the whole valley. The steepest curvature at
// θ₁ = x on its floor is at most 1/s₁² + (1 + 4b²x²)/s₂². A long run reaches x = 4.5 s₁
// and leaves the floor, and so ε is a quarter of the bound 4/curvature there.
func (t *Banana) step() float64 {
	x := 4.5 * t.s1
	return niceBelow(1 / (t.p1 + float64(t.p2*(1+float64(4*t.b*t.b*x*x)))))
}
