package targets

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestExact compares draws of the targets with their moments and with a law of their gradients: E θ_i ∂_j log p = -δ_ij.
func TestExact(t *testing.T) {
	const n = 40_000
	for _, spec := range densities {
		p := open(t, spec, Options{})
		truth := p.Impl().(Truth).Truth()
		r := rand.New(rand.NewPCG(1, 3))
		random := [2][]float64{}
		z, at := make([]float64, 3), make([]float64, 2)
		for range n {
			for i := range z {
				z[i] = r.NormFloat64()
			}
			p.Impl().(Exact).Exact(at, z)
			random[0], random[1] = append(random[0], at[0]), append(random[1], at[1])
		}
		for name, x := range map[string][]([]float64){"random": random[:], "even": Sample(p.Impl().(Exact), 2, n)} {
			// Errors of random draws are √(var/n), and even ones are better.
			check := func(what string, want float64, f func(k int) float64) {
				sum, squares := 0.0, 0.0
				for k := range n {
					v := f(k)
					sum += v
					squares += v * v
				}
				mean := sum / n
				se := math.Sqrt((squares/n - mean*mean) / n)
				if z := (mean - want) / se; !(math.Abs(z) < 4) || name == "even" && !(math.Abs(z) < 1.5) {
					t.Errorf("%s, %s draws: %s is %v, want %v: %.1f standard errors", spec, name, what, mean, want, z)
				}
			}
			grad := make([]float64, 2)
			for i := range 2 {
				check("a mean", truth.Mean[i], func(k int) float64 { return x[i][k] })
				for j := range 2 {
					check("a covariance", truth.Cov[2*i+j], func(k int) float64 { return (x[i][k] - truth.Mean[i]) * (x[j][k] - truth.Mean[j]) })
					want := 0.0
					if i == j {
						want = -1
					}
					check("θ∇log p", want, func(k int) float64 {
						p.F64.Grad(grad, []float64{x[0][k], x[1][k]}, nil)
						return x[i][k] * grad[j]
					})
				}
			}
		}
	}
}
