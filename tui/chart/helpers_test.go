package chart

import (
	"math"
	"math/rand/v2"
)

// curves are smooth curves with a little noise, the same at every call.
func curves(n int) (xs, fast, slow []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		t := float64(i) * 12000 / float64(n)
		xs = append(xs, t)
		fast = append(fast, 0.15+2/math.Sqrt(t+5)*math.Exp(0.1*r.NormFloat64()))
		slow = append(slow, 0.22+5/math.Sqrt(t+5)*math.Exp(0.1*r.NormFloat64()))
	}
	return xs, fast, slow
}

// cloud is n draws of N(0, diag(0.16, 1)).
func cloud(n int) (xs, ys []float64) {
	r := rand.New(rand.NewPCG(3, 4))
	for range n {
		xs = append(xs, 0.4*r.NormFloat64())
		ys = append(ys, r.NormFloat64())
	}
	return xs, ys
}

func logDensity(x, y float64) float64 { return -x*x/0.32 - y*y/2 }
