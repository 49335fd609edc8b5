package check

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// What people add to a step of sgld is told: a gradient that is cut, a step that falls, noise of another shape, and a
// state that is held within bounds.
func TestAddedToAStep(t *testing.T) {
	const draws, eps = 5000, 0.1
	cut := func(x, most float64) float64 { return min(max(x, -most), most) }
	for _, c := range []struct {
		key, what string
		grad      func(x, y float64) (float64, float64)
		eps       func(t int) float64
		noise     func(r *rand.Rand) float64
		bound     float64
	}{
		{key: "gradient-clipped", what: "Each coordinate of the gradient is cut to about",
			grad: func(x, y float64) (float64, float64) { return cut(-x/0.16, 1.5), cut(-y, 1.5) }},
		{key: "gradient-clipped", what: "The gradient is cut to a norm of about",
			grad: func(x, y float64) (float64, float64) {
				by := min(1, 1.5/math.Hypot(x/0.16, y))
				return -by * x / 0.16, -by * y
			}},
		{key: "step-size", what: "The step size falls, from about 0.09 to 0.02",
			eps: func(t int) float64 { return eps * math.Pow(1+float64(t)/300, -0.55) }},
		{key: "noise-shape", what: "its fourth moment, clipped, is 1.8",
			noise: func(r *rand.Rand) float64 { return math.Sqrt(3) * (2*r.Float64() - 1) }},
		{key: "noise-shape", what: "its fourth moment, clipped, is 1,",
			noise: func(r *rand.Rand) float64 { return float64(2*r.IntN(2) - 1) }},
		{key: "draws-bounded", what: "theta[2] is held at", bound: 1.8},
	} {
		r, x, y := rand.New(rand.NewPCG(1, 2)), 0.0, 0.0
		d := Draws{Dim: 2, Chains: make([][]float64, 1)}
		for t := range draws {
			e, u, v := eps, -x/0.16, -y
			if c.eps != nil {
				e = c.eps(t)
			}
			if c.grad != nil {
				u, v = c.grad(x, y)
			}
			noise := r.NormFloat64
			if c.noise != nil {
				noise = func() float64 { return c.noise(r) }
			}
			x, y = x+e/2*u+math.Sqrt(e)*noise(), y+e/2*v+math.Sqrt(e)*noise()
			if c.bound > 0 {
				x, y = cut(x, c.bound), cut(y, c.bound)
			}
			d.Chains[0] = append(d.Chains[0], x, y)
		}
		got := check(t, claim(t, "gaussian", "sgld", map[string]float64{"eps": eps}), d)
		if got.Verdict != Inconsistent || len(got.Faults) == 0 || got.Faults[0].Key != c.key ||
			!strings.Contains(got.Faults[0].What, c.what) {
			t.Errorf("%s, %s: %+v", c.key, c.what, got.Faults)
		}
	}
}
