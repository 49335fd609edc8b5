package metrics

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// Virial checks the spread and the place of a chain against its target π, without knowing π's moments. It needs draws θ
// and gradients ∇U(θ) of the potential U = -log π. Where π vanishes at infinity, integration by parts gives
// E ∂U/∂θ_i = 0, and E (θ_i - c_i) ∂U/∂θ_i = 1 for any constants c. This makes two numbers:
//
//	Temperature = (1/D) Σ_i cov(θ_i, ∂U/∂θ_i),   1 for π and T for π^(1/T)
//	Location    = a z-score of E ∇U,             about normal for π
//
// The covariance is about the chain's own means, so a shift of place does not change it. If draws have variance v and π
// is normal with variance σ², it is v/σ², wherever the mean of the draws is. Without the means, as in
// Σ θ_i ∂U/∂θ_i / D, a shift could cancel a wrong spread.
//
// Limits. Coordinates that are too wide cancel those that are too narrow. Two modes with the wrong shares have both
// numbers right.
//
// Assumptions. The chain is stationary (see [Chain.stationarity]). The gradients are of the whole data,
// or of minibatches that are independent of θ and unbiased. The gradient of the step that made θ is not
// independent of θ. Nor is the next step's if every datum comes once an epoch.
//
// Sums are step-weighted, as those of a Chain. Memory is 8 kB a coordinate. Add does not allocate.
type Virial struct {
	dim    int
	draws  uint64
	origin []float64 // the first θ, taken off so that a place far out costs no digits
	row    []float64 // θ - origin, ∇U and their product of one draw
	weight float64   // Σ w of all draws
	total  []float64 // Σ w row
	bat    batches
}

// NewVirial returns one for dim coordinates, without draws.
func NewVirial(dim int) *Virial {
	if dim < 1 {
		panic(fmt.Sprintf("metrics: a virial of %d coordinates", dim))
	}
	return &Virial{dim: dim, origin: make([]float64, dim), row: make([]float64, 2*dim+1),
		total: make([]float64, 2*dim+1), bat: newBatches(2*dim+1, batchCount)}
}

// Add takes a draw of weight w and the gradient of U there. It does not keep the slices.
func (v *Virial) Add(w float64, theta, grad []float64) {
	if len(theta) != v.dim || len(grad) != v.dim {
		panic(fmt.Sprintf("metrics: a draw of %d and a gradient of %d coordinates in a virial of %d",
			len(theta), len(grad), v.dim))
	}
	if v.draws == 0 {
		copy(v.origin, theta)
	}
	v.draws++
	d, g := v.row[:v.dim], v.row[v.dim:2*v.dim]
	sum := 0.0
	for i, x := range theta {
		d[i], g[i] = x-v.origin[i], grad[i]
		sum += float64(d[i] * g[i])
	}
	v.row[2*v.dim] = sum
	v.weight += w
	for i, x := range v.row {
		v.total[i] += float64(w * x)
	}
	v.bat.addOne(w, v.row)
}

// Draws returns the number of draws added.
func (v *Virial) Draws() uint64 { return v.draws }

// Reset forgets the draws and keeps the memory.
func (v *Virial) Reset() {
	v.draws, v.weight = 0, 0
	clear(v.total)
	v.bat.reset()
}

// Clone returns a copy that shares nothing with v.
func (v *Virial) Clone() *Virial {
	c := NewVirial(v.dim)
	c.Set(v)
	return c
}

// Set makes v a copy of from, which has as many coordinates.
func (v *Virial) Set(from *Virial) {
	v.draws, v.weight = from.draws, from.weight
	copy(v.origin, from.origin)
	copy(v.total, from.total)
	v.bat.set(&from.bat)
}

// Bytes is about the memory of v.
func (v *Virial) Bytes() int { return 8 * (len(v.bat.sum) + len(v.bat.w) + 3*v.dim) }

// Mean returns the centred virial of all draws without an error, whether or not it can be trusted. It is NaN without
// draws. It takes a few nanoseconds a coordinate.
func (v *Virial) Mean() float64 {
	theta, grad := v.total[:v.dim], v.total[v.dim:2*v.dim]
	sum := v.total[2*v.dim]
	for i, x := range theta {
		sum -= float64(x * grad[i] / v.weight)
	}
	return sum / v.weight / float64(v.dim)
}

// Temperature returns the centred virial with its standard error. The error is that of a mean of batches
// of Σ_i (θ_i - θ̄_i)(∂_iU - mean) (see [Chains.MCSEOf]). It takes the means as known, which lowers the
// estimate by one part in the number of effective draws. The estimate is TooShort until the number of
// batches is LongEnough, NotFinite if a draw or gradient was not finite, and Constant if they do not vary.
func (v *Virial) Temperature() Estimate {
	var s span
	v.bat.span(&s, 2*v.dim, nil, nil) // of θ·g
	mean := make([]float64, 2*v.dim+1)
	for k := range s.n {
		for i, x := range v.bat.row(k) {
			mean[i] += x
		}
	}
	for i := range mean {
		mean[i] /= s.weight
	}
	// Of batch k, Σ w (θ - θ̄)·(g - ḡ) = Σ w θ·g - θ̄·Σ w g - ḡ·Σ w θ + W_k θ̄·ḡ.
	theta, grad := mean[:v.dim], mean[v.dim:2*v.dim]
	both := 0.0
	for i, m := range theta {
		both += float64(m * grad[i])
	}
	for k := range s.n {
		row := v.bat.row(k)
		s.sum[k] += float64(s.w[k] * both)
		for i, m := range theta {
			s.sum[k] -= float64(m*row[v.dim+i]) + float64(grad[i]*row[i])
		}
	}
	return v.meanOf(&s, 1/float64(v.dim))
}

// Gradient returns the mean of ∂U/∂θ_i with its standard error, with the status of Temperature.
func (v *Virial) Gradient(i int) Estimate {
	if i < 0 || i >= v.dim {
		panic(fmt.Sprintf("metrics: coordinate %d of %d", i, v.dim))
	}
	var s span
	v.bat.span(&s, v.dim+i, nil, nil)
	return v.meanOf(&s, 1)
}

// Location returns a z-score of E ∇U, about standard normal for a chain in its place. It takes the z_i = mean/error of
// Gradient(i) that is greatest in size, and allows for the choice among D. If that z_i has two-sided probability p,
// Location is the z with two-sided probability 1 - (1-p)^D. That is exact for independent coordinates, and an upper
// bound for any others (Šidák 1967, Journal of the American Statistical Association 62:626). The status is that of the
// worst coordinate. It takes about 10 µs a coordinate.
func (v *Virial) Location() Estimate {
	most := 0.0
	for i := range v.dim {
		e := v.Gradient(i)
		if e.Status == Constant {
			continue // a coordinate on which U does not depend
		}
		if !e.OK() {
			return e
		}
		if z := e.Value / e.Error; math.Abs(z) > math.Abs(most) {
			most = z
		}
	}
	if most == 0 {
		return Withheld(Constant, v.draws)
	}
	return Known(math.Copysign(sidak(math.Abs(most), float64(v.dim)), most), 1, v.draws)
}

// sidak is the z >= 0 that a standard normal exceeds in size as often as the greatest of n independent ones exceeds z.
func sidak(z, n float64) float64 {
	p := math.Erfc(z / math.Sqrt2)
	if p < 1e-290 { // Mills' ratio: z² shrinks by 2 ln n
		return math.Sqrt(float64(z*z) - float64(2*libm.Log(n)))
	}
	return -mathext.NormalQuantile(-libm.Expm1(n*libm.Log1p(-p)) / 2)
}

// meanOf is the mean of s and its error, times scale.
func (v *Virial) meanOf(s *span, scale float64) Estimate {
	if s.n == 0 {
		return Withheld(TooShort, v.draws)
	}
	m := s.mean(0, s.n)
	va, tau := s.variance(0, s.n)
	switch {
	case !finite(m) || math.IsInf(va, 0):
		return Withheld(NotFinite, v.draws)
	case s.n > 1 && !(va > m*m*0x1p-100):
		return Withheld(Constant, v.draws)
	case !LongEnough(uint64(s.n), tau):
		return Withheld(TooShort, v.draws)
	}
	return Known(m*scale, math.Sqrt(va)*scale, v.draws)
}
