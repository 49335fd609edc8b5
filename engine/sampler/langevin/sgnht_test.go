package langevin

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
)

// slowThermostat is the stationary variances of SGNHT on a Gaussian of variances
// v, with gradient noise s, in the limit of a slow thermostat, κ → 0. ξ then stands
// still, and each variance is that of SGHMC with friction ξ and noise of variance
// q = Taε + ε²s²/4,
//
//	(2-ξ) q / (ξ k (2(2-ξ) - k)), k = ε/(2v), and E v'² = 2q / (ξ (2(2-ξ) - k)),
//
// where ξ is such that the mean of the latter over the coordinates is Tε/(2-ξ).
func slowThermostat(v []float64, s, eps, temp, a float64) []float64 {
	q := temp*a*eps + eps*eps*s*s/4
	lo, hi := 1e-6, 1.0
	for range 100 {
		xi, mean := (lo+hi)/2, 0.0
		for _, x := range v {
			mean += 2 * q / (xi * (2*(2-xi) - eps/(2*x))) / float64(len(v))
		}
		if mean > temp*eps/(2-xi) {
			lo = xi
		} else {
			hi = xi
		}
	}
	var vars []float64
	for _, x := range v {
		k := eps / (2 * x)
		vars = append(vars, (2-lo)*q/(lo*k*(2*(2-lo)-k)))
	}
	return vars
}

// A slow thermostat has the covariance of its limit, with gradient noise and
// without. What κ adds is far below the standard errors: at κ = 0.02, a = 0.1, it
// was 1 to 2%, and falls with κ. The mean of (2-ξ) v'² over a run is Tε to
// rounding and to what ξ moved, which is what the thermostat is for. With one each the
// variances are the true ones.
func TestSGNHTStationaryCovariance(t *testing.T) {
	v := []float64{0.16, 1}
	for _, c := range []struct{ s, eps, temp, a, each float64 }{
		{0, 0.1, 1, 0.1, 0},
		{0, 0.3, 0.5, 0.3, 0},
		{2, 0.05, 1, 0.1, 0},
		{2, 0.05, 1, 0.1, 1},
		{0, 0.3, 1, 0.1, 1},
	} {
		const kappa, n = 1e-4, 8000
		g := gaussian(t, v[0], 0, v[1], c.s)
		want := slowThermostat(v, c.s, c.eps, c.temp, c.a)
		if c.each == 1 {
			want = []float64{c.temp * v[0], c.temp * v[1]}
		}
		p := samplertest.Params(SGNHT, c.eps, c.temp, c.a, kappa, c.each)
		var sum [2]float64
		var first, last [2]float64 // ξ
		steps := 0
		got := secondMoments(t, SGNHT, g, p, n, func(s *sampler.State[float64]) {
			for i := range last {
				xi := s.Own[len(s.Own)-1][i]
				if c.each == 0 {
					xi = s.Own[1][0] + s.Own[1][1]
				}
				if steps == 0 {
					first[i] = xi
				} else {
					sum[i] += (2 - last[i]) * s.Own[0][i] * s.Own[0][i]
				}
				last[i] = xi
			}
			steps++
		})
		got[0].agree(t, entries[0], want[0], 0)
		got[1].agree(t, entries[1], 0, 0)
		got[2].agree(t, entries[2], want[1], 0)
		if c.each == 0 {
			sum[0] = (sum[0] + sum[1]) / 2
			sum[1] = sum[0]
		}
		for i := range sum {
			m := float64(steps - 1)
			excess := sum[i]/m/(c.temp*c.eps) - 1
			if want := (last[i] - first[i]) / (kappa * m); math.Abs(excess-want) > 1e-9 {
				t.Errorf("(2-ξ) v'² is off by %g of its target, ξ moved for %g", excess, want)
			}
		}
	}
}

// One thermostat for two coordinates errs by the difference of their εp/8: with a = hA
// and h² = ε/2 that is of second order in h, and at most ε/(8σ²). At the ε of SGNHT's
// comment the variances are what that says.
func TestSGNHTIsOfSecondOrder(t *testing.T) {
	v := []float64{0.16, 1}
	off := func(h float64) (worst float64) {
		const A = 0.5
		for i, x := range slowThermostat(v, 0, 2*h*h, 1, A*h) {
			worst = max(worst, math.Abs(x/v[i]-1))
			if bound := 2 * h * h / (8 * v[0]); worst > bound {
				t.Errorf("h = %g: off by %g, more than %g", h, worst, bound)
			}
		}
		return worst
	}
	for _, h := range []float64{0.02, 0.01, 0.005} {
		if r := off(h) / off(h/2); r < 3.6 || r > 4.4 {
			t.Errorf("halving h = %g divides the error by %g", h, r)
		}
	}
	for _, c := range []struct{ eps, stiff, soft float64 }{{0.1, 1.036, 0.964}, {0.3, 1.122, 0.878}} {
		got := slowThermostat(v, 0, c.eps, 1, 0.1)
		if math.Abs(got[0]/v[0]-c.stiff) > 0.005 || math.Abs(got[1]/v[1]-c.soft) > 0.005 {
			t.Errorf("ε = %g: %v", c.eps, got)
		}
	}
}

// Gradient noise that makes SGHMC's variances half as large again, εs²/(4a), is
// taken up by a thermostat for each coordinate. What is left is of the order of κ.
func TestSGNHTTakesUpGradientNoise(t *testing.T) {
	const eps, a, s = 0.02, 0.04, 2
	g := gaussian(t, 0.16, 0, 1, s)
	hot := secondMoments(t, SGHMC, g, samplertest.Params(SGHMC, eps, 1, a), 8000, nil)
	right := secondMoments(t, SGNHT, g, samplertest.Params(SGNHT, eps, 1, a, 1e-3, 1), 8000, nil)
	for i, v := range map[int]float64{0: 0.16, 2: 1} {
		hot[i].agree(t, "SGHMC's "+entries[i], v*(1+eps*s*s/(4*a)), 0.02*v)
		right[i].agree(t, "SGNHT's "+entries[i], v, 0.01*v)
	}
}

// Far out, where a thermostat that could throw v back would run away, it comes home.
func TestSGNHTFarOut(t *testing.T) {
	for _, each := range []float64{0, 1} {
		g := gaussian(t, 0.16, 0, 1, 0)
		p := samplertest.Params(SGNHT, 0.3, 0.5, 0.3, 0.02, each)
		k, s, on := SGNHT.New64(g), sampler.NewState([]float64{50, -30}), newOn(g)
		k.(sampler.Beginner[float64]).Begin(&s, p)
		z := noiseOf(2)
		var info sampler.Info
		for range 300000 {
			if k.Step(&s, on, p, z, &info); !info.OK {
				t.Fatalf("diverged at step %d", s.Step)
			}
		}
		if math.Hypot(s.Theta[0], s.Theta[1]) > 5 {
			t.Errorf("still at %v", s.Theta)
		}
	}
}
