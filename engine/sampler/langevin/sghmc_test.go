package langevin

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
)

// The covariance of long chains is the one that StationaryCov has, on Gaussians
// with and without correlation and gradient noise.
func TestSGHMCStationaryCovariance(t *testing.T) {
	for _, c := range []struct {
		cov             [3]float64
		noise           float64
		eps, temp, a, b float64
	}{
		{[3]float64{0.16, 0, 1}, 0, 0.3, 1, 0.1, 0},
		{[3]float64{0.16, 0, 1}, 0, 0.3, 0.5, 0.5, 0},
		{[3]float64{0.16, 0, 1}, 0, 0.7, 1, 0.2, 0}, // where SGLD diverges
		{[3]float64{1, 0.8, 1}, 0, 0.3, 1, 0.1, 0},
		{[3]float64{1, 0.8, 1}, 0, 0.3, 1, 0.3, 0.1},
		{[3]float64{0.16, 0, 1}, 2, 0.05, 1, 0.2, 0},
		{[3]float64{1, -0.5, 2}, 3, 0.05, 1, 0.3, 0.05 * 9 / 4},
	} {
		g := gaussian(t, c.cov[0], c.cov[1], c.cov[2], c.noise)
		p := samplertest.Params(SGHMC, c.eps, c.temp, c.a, c.b)
		var want [4]float64
		if !SGHMC.StationaryCov(want[:], g, p) {
			t.Fatalf("%+v: no stationary covariance", c)
		}
		got := secondMoments(t, SGHMC, g, p, 5000, nil)
		for i, j := range []int{0, 1, 3} {
			got[i].agree(t, entries[i], want[j], 0)
		}
		// b = εs²/4 leaves the covariance of a gradient without noise.
		if c.b > 0 && c.noise > 0 {
			clean := gaussian(t, c.cov[0], c.cov[1], c.cov[2], 0)
			q := *p
			q.Own = []float64{c.a, 0}
			var exact [4]float64
			SGHMC.StationaryCov(exact[:], clean, &q)
			for j := range exact {
				if math.Abs(want[j]-exact[j]) > 1e-12 {
					t.Errorf("%+v: covariance %v with b = εs²/4, want %v", c, want, exact)
				}
			}
		}
	}
}

// The closed form is the fixed point of the covariance of (θ, v) under a step.
func TestSGHMCClosedForm(t *testing.T) {
	for _, c := range []struct{ v, s, eps, temp, a, b float64 }{
		{0.16, 0, 0.3, 1, 0.1, 0}, {1, 0, 0.3, 0.2, 0.5, 0.2}, {2, 1.5, 0.4, 1, 0.05, 0}, {0.5, 3, 3.5, 2, 0.1, 0.03},
		{1, 1, 1, 1, 1, 0},
	} {
		g := gaussian(t, c.v, 0, c.v, c.s)
		p := samplertest.Params(SGHMC, c.eps, c.temp, c.a, c.b)
		var dst [4]float64
		if !SGHMC.StationaryCov(dst[:], g, p) {
			t.Fatalf("%+v: no stationary covariance", c)
		}
		keep, k := 1-c.a, c.eps/(2*c.v)
		q := c.temp*(c.a-c.b)*c.eps + c.eps*c.eps*c.s*c.s/4
		var xx, xv, vv float64
		for range 20000 {
			// v' = keep v - k θ + n, θ' = θ + v'.
			nv := keep*keep*vv - 2*keep*k*xv + k*k*xx + q
			xnv := keep*xv - k*xx // Cov(θ, v')
			xx, xv, vv = xx+2*xnv+nv, xnv+nv, nv
		}
		if math.Abs(dst[0]-xx) > 1e-9*xx {
			t.Errorf("%+v: variance %.12g, want %.12g", c, dst[0], xx)
		}
	}
}

// Below the bound the chain stays, above it runs away.
func TestSGHMCMaxStep(t *testing.T) {
	g := gaussian(t, 1, 0.8, 1, 0)
	for _, a := range []float64{0.05, 0.5, 1} {
		p := samplertest.Params(SGHMC, 0.1, 1, a)
		bound := SGHMC.MaxStep(g, p, nil)
		if bound.Kind != sampler.FrictionBound {
			t.Fatal("no bound")
		}
		for _, f := range []float64{0.99, 1.01} {
			p.Eps = f * bound.Eps
			var dst [4]float64
			if has := SGHMC.StationaryCov(dst[:], g, p); has != (f < 1) {
				t.Errorf("a = %g, ε = %g of the bound: stationary %v", a, f, has)
			}
			k, s := SGHMC.New64(g), sampler.NewState([]float64{0.3, 0.2})
			k.(sampler.Beginner[float64]).Begin(&s, p)
			z := noiseOf(2)
			info, on := sampler.Info{OK: true}, newOn(g)
			for step := 0; step < 20000 && info.OK; step++ {
				k.Step(&s, on, p, z, &info)
			}
			if info.OK != (f < 1) {
				t.Errorf("a = %g, ε = %g of the bound: %v", a, f, s.Theta)
			}
		}
	}
	if SGHMC.MaxStep(samplertest.OfDim[float64](2), samplertest.Params(SGHMC, 0.1, 1), nil) != (sampler.Bound{}) {
		t.Error("a bound where none is known")
	}
}
