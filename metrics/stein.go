package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Stein is the kernel Stein discrepancy of draws from a distribution π of which only the gradient is
// known, with the inverse multiquadric kernel (Gorham and Mackey 2017, ICML). With U = -log π, s = -∇U,
// r = x - y and k(x, y) = (1 + r·r)^(-½),
//
//	k₀(x, y) = s(x)·s(y) k + s(x)·∇_y k + s(y)·∇_x k + ∇_x·∇_y k
//	         = s(x)·s(y) q^(-½) + ((s(x) - s(y))·r + D) q^(-3/2) - 3 r·r q^(-5/2),   q = 1 + r·r,
//	KSD²     = (1/n²) Σ_i Σ_j k₀(x_i, x_j).
//
// It goes to 0 just where the draws' distribution goes to π (if π is distantly dissipative), in spread, place
// and shape alike, where ESS and R-hat see no bias. What it costs is a full-data gradient a draw. It does not
// see modes that no draw is near: there its value for their absence is as small as their overlap with the rest.
//
// This is the V-statistic. Of exact draws it is not 0 but about √(E k₀(x, x)/n) = √((E|s|² + D)/n), so
// it is shown with the band that exact draws would give, by a wild bootstrap (Chwialkowski, Strathmann
// and Gretton 2016, ICML): (1/n²) Σ_i Σ_j w_i w_j k₀(x_i, x_j) with signs w of probability ½ each.
// Draws must be thinned to near independence, or the band is too low.
//
// A draw is added in O(n (D + replicates)) operations: with D = 2 and 100 replicates 1,000 draws take 50 ms in all.
type Stein struct {
	scale []float64
	n     int
	x, s  []float64   // a row for each draw: draws and scores, both scaled
	row   []float64   // k₀ of the newest draw with each one before
	signs [][]float64 // by replicate
	sums  []float64   // of each replicate
	sum   float64     // over pairs i ≠ j
	diag  float64
	rand  *rand.Rand
}

// NewStein returns a discrepancy without draws, of as many coordinates as scale has numbers. Draws are divided
// by these, and gradients multiplied. The band is by so many replicates of the bootstrap; there is none without.
func NewStein(scale []float64, replicates int, seed uint64) *Stein {
	return &Stein{
		scale: slices.Clone(scale), signs: make([][]float64, replicates), sums: make([]float64, replicates),
		rand: rand.New(rand.NewPCG(seed, 0x57e1)),
	}
}

// Add takes a draw and the gradient of U there. It does not keep the slices.
func (k *Stein) Add(theta, grad []float64) {
	dim := len(k.scale)
	if len(theta) != dim || len(grad) != dim {
		panic(fmt.Sprintf("metrics: a draw of %d and a gradient of %d coordinates, want %d",
			len(theta), len(grad), dim))
	}
	for i, scale := range k.scale {
		k.x, k.s = append(k.x, theta[i]/scale), append(k.s, -grad[i]*scale)
	}
	at := k.n * dim
	x, s := k.x[at:], k.s[at:]
	k.row = k.row[:0]
	d, sum := float64(dim), 0.0
	for from := 0; from < at; from += dim {
		y, t := k.x[from:from+dim], k.s[from:from+dim]
		var st, rr, sr float64
		for i, v := range x {
			r := v - y[i]
			rr += float64(r * r)
			st += float64(s[i] * t[i])
			sr += float64((s[i] - t[i]) * r)
		}
		q := 1 / (1 + rr)
		k0 := float64(math.Sqrt(q) * (st + float64(q*(sr+d-float64(3*rr*q)))))
		sum += k0
		k.row = append(k.row, k0)
	}
	k.sum += 2 * sum
	ss := 0.0
	for _, v := range s {
		ss += float64(v * v)
	}
	k0 := ss + d
	k.diag += k0
	for b := range k.signs {
		k.sums[b] += k0 + 2*k.signed(b)
	}
	k.n++
}

// signed draws the next sign of replicate b, and returns its product with Σ_j w_j k₀ over the draws before.
func (k *Stein) signed(b int) float64 {
	signs := k.signs[b]
	sign := 1.0
	if n := len(signs); n > 0 {
		if sign = signs[n-1]; k.rand.Float64() < 0.5 {
			sign = -sign
		}
	}
	k.signs[b] = append(signs, sign)
	return sign * dot(k.row, signs)
}

// dot returns Σ x y in four interleaved partial sums.
func dot(x, y []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		s0 += float64(x[0] * y[0])
		s1 += float64(x[1] * y[1])
		s2 += float64(x[2] * y[2])
		s3 += float64(x[3] * y[3])
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += float64(v * y[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// Draws returns the number of draws added.
func (k *Stein) Draws() uint64 { return uint64(k.n) }

// KSD returns the discrepancy, √ of the V-statistic. TooShort below 2 draws.
func (k *Stein) KSD() Estimate {
	if k.n < 2 {
		return Withheld(TooShort, k.Draws())
	}
	n := float64(k.n)
	return known(math.Sqrt(max(k.sum+k.diag, 0))/n+float64(0*(k.sum+k.diag)), k.Draws())
}

// Band returns the quantiles of levels low and high of what the KSD of as many exact draws would be, by
// the bootstrap. It is TooShort below 10 draws, and Absent without replicates.
func (k *Stein) Band(low, high float64) (from, to Estimate) {
	switch {
	case len(k.sums) == 0:
		return Estimate{}, Estimate{}
	case k.n < 10:
		e := Withheld(TooShort, k.Draws())
		return e, e
	}
	sorted := slices.Clone(k.sums)
	slices.Sort(sorted)
	at := func(p float64) Estimate {
		// The sums are of a positive kernel, but for rounding.
		v := sorted[min(max(int(math.Round(p*float64(len(sorted)-1))), 0), len(sorted)-1)]
		return known(math.Sqrt(max(v, 0))/float64(k.n)+float64(0*v), k.Draws())
	}
	return at(low), at(high)
}
