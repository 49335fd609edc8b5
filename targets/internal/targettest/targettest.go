// Package targettest holds the derivatives of a target against differences.
package targettest

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Target is what every target can do.
type Target interface {
	Dim() int
	N() int
	Grad(dst, theta []float64, batch []int32)
}

// Twice is a Target whose log density and second derivatives are known.
type Twice interface {
	Target
	GradHessian(dst, hess, theta []float64, batch []int32)
	LogLik(theta []float64) float64
}

// Derivatives compares a target's gradient with differences of its
// log-likelihood, and its Hessian's diagonal with differences of its gradient.
func Derivatives(t testing.TB, target Twice, theta []float64, tol float64) {
	t.Helper()
	d := target.Dim()
	n := float64(target.N())
	grad, hess, other := make([]float64, d), make([]float64, d), make([]float64, d)
	up, down := make([]float64, d), make([]float64, d)
	target.GradHessian(grad, hess, theta, nil)
	target.Grad(other, theta, nil)
	x := append([]float64(nil), theta...)
	loglik := target.LogLik
	for i := range d {
		if math.Abs(grad[i]-other[i]) > 1e-13*max(1, math.Abs(grad[i])) {
			t.Errorf("coordinate %d: GradHessian has gradient %v, Grad %v", i, grad[i], other[i])
		}
		h := 1e-5 * max(1, math.Abs(theta[i]))
		x[i] = theta[i] + h
		fu := loglik(x)
		target.Grad(up, x, nil)
		x[i] = theta[i] - h
		fd := loglik(x)
		target.Grad(down, x, nil)
		x[i] = theta[i]
		if want := (fu - fd) / (2 * h) / n; math.Abs(grad[i]-want) > tol*max(1, math.Abs(want)) {
			t.Errorf("coordinate %d: gradient %v, by differences %v", i, grad[i], want)
		}
		if want := (up[i] - down[i]) / (2 * h); math.Abs(hess[i]-want) > tol*max(1, math.Abs(want)) {
			t.Errorf("coordinate %d: Hessian %v, by differences %v", i, hess[i], want)
		}
	}
}

// LikelihoodGradient compares GradLogLik with Grad, bit for bit, and its
// value with loglik, the sum over the rows of a batch, to within tol.
func LikelihoodGradient(t testing.TB, target interface {
	Target
	GradLogLik(dst, theta []float64, batch []int32) float64
}, theta []float64, batch []int32, loglik, tol float64) {
	t.Helper()
	d, n := target.Dim(), target.N()
	if batch != nil {
		n = len(batch)
	}
	got, want := make([]float64, d), make([]float64, d)
	for i := range got {
		got[i] = math.NaN()
	}
	value := target.GradLogLik(got, theta, batch)
	target.Grad(want, theta, batch)
	for i := range got {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Errorf("%d rows, coordinate %d: gradient %v, by Grad %v", n, i, got[i], want[i])
		}
	}
	if off := math.Abs(value*float64(n) - loglik); !(off <= tol) {
		t.Errorf("%d rows: log-likelihood %v, want %v", n, value*float64(n), loglik)
	}
}

// HessianVec compares a product with differences of the gradient along v, and uᵀ(Hv) with vᵀ(Hu).
func HessianVec(t testing.TB, target interface {
	Target
	HessianVec(dst, theta, v []float64, batch []int32)
}, theta, u, v []float64, batch []int32, tol float64) {
	t.Helper()
	const h = 1e-5
	d := target.Dim()
	hv, hu := make([]float64, d), make([]float64, d)
	target.HessianVec(hv, theta, v, batch)
	target.HessianVec(hu, theta, u, batch)
	up, down, x := make([]float64, d), make([]float64, d), make([]float64, d)
	for i := range x {
		x[i] = theta[i] + h*v[i]
	}
	target.Grad(up, x, batch)
	for i := range x {
		x[i] = theta[i] - h*v[i]
	}
	target.Grad(down, x, batch)
	left, right := 0.0, 0.0
	for i := range x {
		if want := (up[i] - down[i]) / (2 * h); math.Abs(hv[i]-want) > tol*max(1, math.Abs(want)) {
			t.Errorf("coordinate %d: (Hv) is %v, by differences %v", i, hv[i], want)
		}
		left += u[i] * hv[i]
		right += v[i] * hu[i]
	}
	if math.Abs(left-right) > 1e-12*max(1, math.Abs(left)) {
		t.Errorf("uᵀHv is %v, vᵀHu %v", left, right)
	}
}

// FisherSlope compares c_a = Σ_{b,j} ∂F_ab/∂θ_j A_bj with differences of F.
func FisherSlope(t testing.TB, target interface {
	Target
	Fisher(dst, theta []float64, batch []int32)
	FisherSlope(dst, theta, a []float64, batch []int32)
}, theta, a []float64, batch []int32, tol float64) {
	t.Helper()
	const h = 1e-5
	d := target.Dim()
	got, want := make([]float64, d), make([]float64, d)
	target.FisherSlope(got, theta, a, batch)
	up, down := make([]float64, d*d), make([]float64, d*d)
	x := append([]float64(nil), theta...)
	for j := range d {
		x[j] = theta[j] + h
		target.Fisher(up, x, batch)
		x[j] = theta[j] - h
		target.Fisher(down, x, batch)
		x[j] = theta[j]
		for i := range d {
			for b := range d {
				want[i] += (up[i*d+b] - down[i*d+b]) / (2 * h) * a[b*d+j]
			}
		}
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > tol*max(1, math.Abs(want[i])) {
			t.Errorf("coordinate %d: slope %v, by differences %v", i, got[i], want[i])
		}
	}
}

// Randoms are standard normals from a seed.
func Randoms(n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 9))
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}
