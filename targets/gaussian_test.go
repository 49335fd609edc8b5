package targets

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/targets/internal/targettest"
)

// For a diagonal covariance, T = 1 and no gradient noise the stationary
// variances are PAPER §4's σ²/(1 - ε/(4σ²)): 0.301 and 1.081 at ε = 0.3.
func TestSGLDCovDiagonal(t *testing.T) {
	g, err := NewGaussian(0.16, 0, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	var c [4]float64
	for _, eps := range []float64{1e-6, 0.01, 0.3, 0.6} {
		if !g.SGLDCov(c[:], eps, 1) {
			t.Fatalf("no law at ε = %v", eps)
		}
		for i, v := range []float64{0.16, 1} {
			if want := v / (1 - eps/(4*v)); math.Abs(c[3*i]-want) > 1e-12*want {
				t.Errorf("ε = %v: variance %v, want %v", eps, c[3*i], want)
			}
		}
	}
	g.SGLDCov(c[:], 0.3, 1)
	if math.Abs(c[0]-0.301) > 5e-4 || math.Abs(c[3]-1.081) > 5e-4 || c[1] != 0 {
		t.Errorf("at ε = 0.3: %v", c)
	}
	if got := g.MaxStep(); math.Abs(got-0.64) > 1e-15 {
		t.Errorf("MaxStep = %v, want 0.64", got)
	}
	for _, eps := range []float64{0, -1, 0.64000001, 1, math.NaN(), math.Inf(1)} {
		if g.SGLDCov(c[:], eps, 1) {
			t.Errorf("a law at ε = %v", eps)
		}
	}
}

// The stationary covariance C is the one that a step leaves alone:
// ACAᵀ + (Tε + ε²s²/4) I = C with A = I - (ε/2)Σ⁻¹.
func TestSGLDCovIsFixedPoint(t *testing.T) {
	for _, cov := range [][3]float64{{0.16, 0, 1}, {1, 0.9, 1}, {2, -0.7, 0.3}, {1, 0, 1}} {
		for _, temp := range []float64{0, 0.01, 1} {
			g, err := NewGaussian(cov[0], cov[1], cov[2], 0.1)
			if err != nil {
				t.Fatal(err)
			}
			eps := 0.4 * g.MaxStep()
			var c [4]float64
			if !g.SGLDCov(c[:], eps, temp) {
				t.Fatalf("no law for %v", cov)
			}
			det := cov[0]*cov[2] - cov[1]*cov[1]
			a := [4]float64{1 - eps/2*cov[2]/det, eps / 2 * cov[1] / det, eps / 2 * cov[1] / det, 1 - eps/2*cov[0]/det}
			q := temp*eps + eps*eps*0.01/4
			next := product(product(a, c), a) // A is symmetric
			next[0] += q
			next[3] += q
			for i := range c {
				if math.Abs(next[i]-c[i]) > 1e-13*max(1, c[0]) {
					t.Errorf("Σ %v, T %v: a step makes %v of %v", cov, temp, next, c)
				}
			}
		}
	}
}

func product(a, b [4]float64) [4]float64 {
	return [4]float64{
		a[0]*b[0] + a[1]*b[2], a[0]*b[1] + a[1]*b[3],
		a[2]*b[0] + a[3]*b[2], a[2]*b[1] + a[3]*b[3],
	}
}

// Exact gradients of one correlated case, by hand: Σ = (2 1; 1 1) has
// Σ⁻¹ = (1 -1; -1 2).
func TestGaussianByHand(t *testing.T) {
	g, err := NewGaussian(2, 1, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	var grad, hess [2]float64
	g.GradHessian(grad[:], hess[:], []float64{3, 5}, nil)
	for i, want := range []float64{2, -7} {
		if math.Abs(grad[i]-want) > 1e-13 || math.Abs(hess[i]+float64(i+1)) > 1e-14 {
			t.Errorf("coordinate %d: gradient %v, want %v; Hessian %v", i, grad[i], want, hess[i])
		}
	}
	if got := g.LogLik([]float64{3, 5}); math.Abs(got+14.5) > 1e-12 {
		t.Errorf("log density %v, want -14.5", got)
	}
}

func TestNewGaussianRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range [][4]float64{
		{0, 0, 1, 0}, {1, 0, 0, 0}, {-1, 0, 1, 0}, {1, 1, 1, 0}, {1, -2, 1, 0},
		{nan, 0, 1, 0}, {1, nan, 1, 0}, {1, 0, inf, 0}, {1, 0, 1, -1}, {1, 0, 1, nan}, {1e-310, 0, 1, 0},
	} {
		if _, err := NewGaussian(c[0], c[1], c[2], c[3]); err == nil {
			t.Errorf("%v was taken", c)
		}
	}
	for _, c := range [][3]float64{{1e-200, 0, 1e200}, {1e150, 9e149, 1e150}} {
		if _, err := NewGaussian(c[0], c[1], c[2], 0); err != nil {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// A Gaussian's Fisher information is its precision: times the covariance it is 1.
func TestGaussianFisher(t *testing.T) {
	for _, spec := range []string{"gaussian", "gaussian:a=2", "gaussian:cov=2,-0.9,-0.9,0.7"} {
		g := open(t, spec, Options{}).F64.(*Gaussian)
		var f [4]float64
		g.Fisher(f[:], []float64{1, 2}, nil)
		one := product(f, [4]float64(g.Truth().Cov))
		for i, want := range []float64{1, 0, 0, 1} {
			if math.Abs(one[i]-want) > 1e-14 {
				t.Errorf("%s: Σ⁻¹Σ has entry %v, want %v", spec, one[i], want)
			}
		}
		if f[1] != f[2] {
			t.Errorf("%s: %v is not symmetric", spec, f)
		}
		targettest.FisherSlope(t, g, []float64{1, 2}, []float64{1, 0.5, 0.5, 2}, nil, 0)
	}
}
