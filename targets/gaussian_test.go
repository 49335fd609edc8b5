package targets

import (
	"math"
	"testing"
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
