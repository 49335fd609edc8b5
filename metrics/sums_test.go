package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// kernels calls every function of sums.go on n draws, which begin at an odd place of their arrays.
func kernels(n int, x [4][]float64) []float64 {
	a, b, c, d := x[0][1:][:n], x[1][1:][:n], x[2][1:][:n], x[3][1:][:n]
	var out [6][]float64
	for i := range out {
		out[i] = slices.Repeat([]float64{7}, n+5) // what is written beyond n shows
	}
	less(out[0][:n], a, b[0])
	halve(out[1][:n/2], a)
	lo, hi, s := Extent(a)
	all := []float64{lo, hi, s, sum(a)}
	add := func(x ...float64) { all = append(all, x...) }
	w, w2, wx, wy := weightedSums(a, b, c)
	xx, xy, yy := centre(out[2], out[3], out[4], out[5], a, b, c, 0.5, -3)
	ax, ay, bx, by := products(a, b, c, d)
	add(w, w2, wx, wy, xx, xy, yy, ax, ay, bx, by)
	for _, o := range out {
		all = append(all, o...)
	}
	return all
}

// The kernels give the bits of the generic code, and those are the sums that they say.
func TestSums(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 70; n++ {
		var x [4][]float64
		for i := range x {
			for range n + 1 {
				x[i] = append(x[i], r.NormFloat64())
			}
		}
		got, want := onBoth(func() []float64 { return kernels(n, x) })
		if !slices.Equal(got, want) {
			t.Fatalf("n = %d: %v, want %v", n, got, want)
		}
		a, b, c, d := x[0][1:], x[1][1:], x[2][1:], x[3][1:]
		exact := make([]float64, 15)
		exact[0], exact[1] = slices.Min(a), slices.Max(a)
		for t := range a {
			p, q := b[t]-0.5, c[t]+3
			for i, v := range []float64{a[t], a[t], a[t], a[t] * a[t], a[t] * b[t], a[t] * c[t], a[t] * p * p,
				a[t] * p * q, a[t] * q * q, a[t] * c[t], a[t] * d[t], b[t] * c[t], b[t] * d[t]} {
				exact[2+i] += v
			}
		}
		for i, v := range exact {
			if math.Abs(got[i]-v) > 1e-12 {
				t.Fatalf("n = %d: number %d is %g, want %g", n, i, got[i], v)
			}
		}
	}
}

// A NaN is no least and no greatest number, wherever it stands, and is seen in the sum.
func TestExtentOfNaN(t *testing.T) {
	for n := 1; n < 40; n++ {
		for at := range n {
			x := make([]float64, n)
			for i := range x {
				x[i] = float64(i)
			}
			x[at] = math.NaN()
			rest := slices.Delete(slices.Clone(x), at, at+1)
			lo, hi, sum := Extent(x)
			if !math.IsNaN(sum) || n > 1 && (lo != rest[0] || hi != rest[n-2]) {
				t.Fatalf("%d numbers, NaN at %d: %g to %g, sum %g", n, at, lo, hi, sum)
			}
		}
	}
	if lo, hi, sum := Extent(nil); !math.IsInf(lo, 1) || !math.IsInf(hi, -1) || sum != 0 {
		t.Errorf("of nothing: %g to %g, sum %g", lo, hi, sum)
	}
}
