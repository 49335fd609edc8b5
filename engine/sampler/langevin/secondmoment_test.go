package langevin

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
)

// Three steps with their noise, worked by hand.
func TestMomentsByHand(t *testing.T) {
	const x, variance, eps, lambda, temp, n, prec, alpha = 0.4, 0.16, 0.03, 1e-3, 0.5, 7.0, 0.2, 0.9
	for _, c := range []struct {
		m   sampler.Method
		own []float64
		// next is V after a step and G in it.
		next func(v, g float64, t int) (V, G float64)
	}{
		{PSGLDAdagrad, []float64{lambda, 0}, func(v, g float64, _ int) (float64, float64) {
			v += g * g
			return v, 1 / (lambda + math.Sqrt(v))
		}},
		{PSGLDAdagrad, []float64{lambda, 2}, func(v, g float64, t int) (float64, float64) {
			if t <= 2 {
				v += g * g
			}
			return v, 1 / (lambda + math.Sqrt(v))
		}},
		{PSGLDAdam, []float64{alpha, lambda, 0}, func(v, g float64, t int) (float64, float64) {
			v = alpha*v + (1-alpha)*g*g
			return v, 1 / (lambda + math.Sqrt(v/(1-math.Pow(alpha, float64(t)))))
		}},
		{PSGLDAdam, []float64{alpha, lambda, 2}, func(v, g float64, t int) (float64, float64) {
			if t <= 2 {
				v = alpha*v + (1-alpha)*g*g
			}
			return v, 1 / (lambda + math.Sqrt(v/(1-math.Pow(alpha, float64(min(t, 2))))))
		}},
	} {
		p := samplertest.Params(c.m, eps, temp, c.own...)
		p.N, p.PriorPrec = n, prec
		k, s := samplertest.Begun(c.m, []float64{x}, p)
		z := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), 1)
		theta, v, G := x, 0.0, 0.0
		for step := 1; step <= 3; step++ {
			g := -theta / variance
			v, G = c.next(v, g, step)
			u := n*g - prec*theta
			drift, inject := eps/2*G*u, math.Sqrt(temp*eps*G)*z.At(uint64(step - 1))[0]
			var info sampler.Info
			k.Step(&s, samplertest.NewNormal(variance), p, z, &info)
			near := func(what string, got, want float64) {
				t.Helper()
				if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
					t.Errorf("%s, step %d: %s = %.17g, want %.17g", c.m.Name, step, what, got, want)
				}
			}
			theta += drift + inject
			near("θ", s.Theta[0], theta)
			near("V", s.V[0], v)
			near("‖drift‖²", info.Drift2, drift*drift)
			near("‖noise‖²", info.Noise2, inject*inject)
			near("G", info.GMin, G)
			near("G", k.GainAt(0), G)
		}
	}
}

// With V frozen the step is that of SGLD with ε G_i for each coordinate, of which
// PAPER's formula gives the stationary variance σ²/(1 - εG/(4σ²)).
func TestMomentsFrozenHaveTheirCovariance(t *testing.T) {
	const eps, alpha, lambda, freeze = 0.2, 0.9, 0.1, 3
	variance := []float64{0.16, 1}
	v := []float64{0.3, 2}
	for _, c := range []struct {
		m    sampler.Method
		own  []float64
		root float64 // √(1-αᵗ)
	}{
		{PSGLDAdagrad, []float64{lambda, freeze}, 1},
		{PSGLDAdam, []float64{alpha, lambda, freeze}, math.Sqrt(1 - alpha*alpha*alpha)},
	} {
		p := samplertest.Params(c.m, eps, 1, c.own...)
		k, s := samplertest.Begun(c.m, []float64{0.1, 0.1}, p)
		copy(s.V, v)
		s.Step = freeze
		z := noise.NewNormals[float64](noise.New(5, 0, noise.Langevin), 2)
		const steps = 200_000
		g := samplertest.NewNormal(variance...)
		var sum [3]float64 // of squares and of the product
		for range steps {
			k.Step(&s, g, p, z, new(sampler.Info))
			sum[0] += s.Theta[0] * s.Theta[0]
			sum[1] += s.Theta[1] * s.Theta[1]
			sum[2] += s.Theta[0] * s.Theta[1]
		}
		var want, keep [2]float64
		for i := range want {
			gain := 1 / (lambda + math.Sqrt(v[i])/c.root)
			keep[i] = 1 - eps*gain/(2*variance[i]) // the lag-1 correlation
			want[i] = variance[i] / (1 - eps*gain/(4*variance[i]))
			// The squares of such a chain have lag-l correlation keep^2l, and a square's
			// own variance is twice the variance's square.
			se := want[i] * math.Sqrt(2/float64(steps)*(1+keep[i]*keep[i])/(1-keep[i]*keep[i]))
			if got := sum[i] / steps; math.Abs(got-want[i]) > 4*se {
				t.Errorf("%s: variance %d is %.5f, want %.5f ± %.5f", c.m.Name, i+1, got, want[i], se)
			}
		}
		r := keep[0] * keep[1]
		se := math.Sqrt(want[0] * want[1] / steps * (1 + r) / (1 - r))
		if got := sum[2] / steps; math.Abs(got) > 4*se {
			t.Errorf("%s: covariance %.5f, want 0 ± %.5f", c.m.Name, got, se)
		}
		if s.V[0] != v[0] || s.V[1] != v[1] {
			t.Errorf("%s: V moved to %v", c.m.Name, s.V)
		}
	}
}
