package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
)

// GaussianW2 returns the Wasserstein-2 distance of the normal distributions with means m, n and covariances V, W (D×D, row
// after row),
//
//	√(|m - n|² + tr(V + W - 2 (W^½ V W^½)^½))   (Dowson and Landau 1982, Journal of Multivariate Analysis 12:450).
//
// Of other distributions with these moments it is a lower bound (Gelbrich 1990). Eigenvalues that rounding made negative
// count as 0. It is NaN if an entry is not finite. Sampling alone sets the moments of N effective draws about
// √(tr V (1 + (D+1)/4)/N) apart from the true ones, if V is a multiple of the identity.
func GaussianW2(m, v, n, w []float64) float64 {
	d := len(m)
	if len(n) != d || len(v) != d*d || len(w) != d*d {
		panic(fmt.Sprintf("metrics: means of %d and %d, covariances of %d and %d entries", d, len(n), len(v), len(w)))
	}
	sum := 0.0
	for i, x := range m {
		sum += (x - n[i]) * (x - n[i])
		sum += v[i*d+i] + w[i*d+i]
	}
	for i := range v {
		sum += 0 * (v[i] + w[i]) // NaN in, NaN out
	}
	if !finite(sum) {
		return math.NaN()
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(d, slices.Clone(w)), true) {
		return math.NaN()
	}
	var vectors, root mat.Dense
	eigen.VectorsTo(&vectors)
	root.CloneFrom(&vectors)
	for j, e := range eigen.Values(nil) {
		for i := range d {
			root.Set(i, j, root.At(i, j)*math.Sqrt(max(e, 0)))
		}
	}
	// With W = Q Λ Q', W^½ V W^½ has the eigenvalues of (QΛ^½)' V (QΛ^½).
	var inner, between mat.Dense
	between.Mul(mat.NewDense(d, d, slices.Clone(v)), &root)
	inner.Mul(root.T(), &between)
	sym := mat.NewSymDense(d, nil)
	for i := range d {
		for j := range i + 1 {
			sym.SetSym(i, j, (inner.At(i, j)+inner.At(j, i))/2)
		}
	}
	if !eigen.Factorize(sym, false) {
		return math.NaN()
	}
	for _, e := range eigen.Values(nil) {
		sum -= 2 * math.Sqrt(max(e, 0))
	}
	return math.Sqrt(max(sum, 0))
}

// Sliced is the sliced Wasserstein-2 distance (Bonneel, Rabin, Peyré and Pfister 2015, Journal of Mathematical Imaging and
// Vision 51:22): the root of the mean over directions u of the square of the distance of the projections,
//
//	SW² = mean over u of ∫₀¹ (F⁻¹(p) - G⁻¹(p))² dp,   F, G the distribution functions of u·x and u·y.
//
// The directions are drawn once, so that distances at several times, or of several chains, can be compared. The Error of an
// estimate is that of the finite number of directions alone. Draws are finite too: see ToNormal.
type Sliced struct {
	dim        int
	directions [][]float64
	x, y       []float64
	slope      []float64 // φ(z_k-1) - φ(z_k) at the quantiles z of k/n
}

// NewSliced returns a distance in dim dimensions by a number of directions. In one dimension one direction is enough, and
// more are not taken.
func NewSliced(dim, directions int, seed uint64) *Sliced {
	if dim < 1 || directions < 1 {
		panic(fmt.Sprintf("metrics: %d directions in %d dimensions", directions, dim))
	}
	s := &Sliced{dim: dim}
	if dim == 1 {
		s.directions = [][]float64{{1}}
		return s
	}
	r := rand.New(rand.NewPCG(seed, 0x511ced))
	for range directions {
		u, sum := make([]float64, dim), 0.0
		for i := range u {
			u[i] = r.NormFloat64()
			sum += u[i] * u[i]
		}
		for i := range u {
			u[i] /= math.Sqrt(sum)
		}
		s.directions = append(s.directions, u)
	}
	return s
}

// Between returns the distance of two sets of draws, one column a coordinate. They may differ in number. It is NotFinite if
// a draw is not finite, and TooShort without draws.
func (s *Sliced) Between(a, b [][]float64) Estimate {
	s.check(a)
	s.check(b)
	draws := uint64(min(len(a[0]), len(b[0])))
	if draws == 0 {
		return Withheld(TooShort, 0)
	}
	return s.mean(draws, func(u []float64) float64 {
		s.x, s.y = project(s.x, u, a), project(s.y, u, b)
		return quantileDistance(s.x, s.y)
	})
}

// ToNormal returns the distance of draws, one column a coordinate, to the normal distribution with the mean and covariance
// given (D×D, row after row). Along each direction it is exact. n independent draws of that distribution itself are about
// sd √((ln ln n + 1.27)/n) from it, 0.057 sd at n = 1,000 (measured for n from 100 to 10,000, D of 1 and 5).
func (s *Sliced) ToNormal(draws [][]float64, mean, cov []float64) Estimate {
	s.check(draws)
	if len(mean) != s.dim || len(cov) != s.dim*s.dim {
		panic(fmt.Sprintf("metrics: mean of %d and covariance of %d entries in %d dimensions", len(mean), len(cov), s.dim))
	}
	n := len(draws[0])
	if n == 0 {
		return Withheld(TooShort, 0)
	}
	s.slopes(n)
	return s.mean(uint64(n), func(u []float64) float64 {
		m, v := 0.0, 0.0
		for i, a := range u {
			m += a * mean[i]
			for j, b := range u {
				v += a * b * cov[i*s.dim+j]
			}
		}
		s.x = project(s.x, u, draws)
		// ∫ (F⁻¹ - G⁻¹)² with F⁻¹ = x_k on ((k-1)/n, k/n), G⁻¹ = m + sd Φ⁻¹: the integral of Φ⁻¹ there is φ(z_k-1) - φ(z_k).
		sd := math.Sqrt(max(v, 0)) + 0*v
		sum := v
		for k, x := range s.x {
			d := x - m
			sum += d*d/float64(n) - 2*d*sd*s.slope[k]
		}
		return sum
	})
}

func (s *Sliced) check(x [][]float64) {
	if len(x) != s.dim {
		panic(fmt.Sprintf("metrics: draws of %d coordinates in %d dimensions", len(x), s.dim))
	}
}

// mean is the root of the mean of f over directions.
func (s *Sliced) mean(draws uint64, f func(u []float64) float64) Estimate {
	sum, square, n := 0.0, 0.0, float64(len(s.directions))
	for _, u := range s.directions {
		v := max(f(u), 0)
		sum += v
		square += v * v
	}
	sum /= n
	if !finite(sum) {
		return Withheld(NotFinite, draws)
	}
	root, se := math.Sqrt(sum), 0.0
	if n > 1 {
		se = math.NaN()
		if root > 0 {
			se = math.Sqrt(max(square/n-sum*sum, 0)/(n-1)) / (2 * root)
		}
	}
	return Known(root, se, draws)
}

// slopes makes slope for n draws.
func (s *Sliced) slopes(n int) {
	if len(s.slope) == n {
		return
	}
	s.slope = slices.Grow(s.slope[:0], n)[:n]
	density := func(k int) float64 {
		if k == 0 || k == n {
			return 0
		}
		z := mathext.NormalQuantile(float64(k) / float64(n))
		return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
	}
	before := 0.0
	for k := range s.slope {
		here := density(k + 1)
		s.slope[k] = before - here
		before = here
	}
}

// project sets dst to the sorted projections of columns x on u. NaN stands where there is one.
func project(dst, u []float64, x [][]float64) []float64 {
	n := len(x[0])
	dst = slices.Grow(dst[:0], n)[:n]
	clear(dst)
	for i, col := range x {
		if len(col) != n {
			panic(fmt.Sprintf("metrics: columns of %d and %d draws", n, len(col)))
		}
		for t, v := range col {
			dst[t] += u[i] * v
		}
	}
	slices.Sort(dst)
	return dst
}

// quantileDistance is ∫₀¹ (F⁻¹ - G⁻¹)² of two sorted samples.
func quantileDistance(x, y []float64) float64 {
	sum, at := 0.0, 0.0
	for i, j := 0, 0; i < len(x) && j < len(y); {
		endX, endY := float64(i+1)/float64(len(x)), float64(j+1)/float64(len(y))
		to := min(endX, endY)
		d := x[i] - y[j]
		sum += d * d * (to - at)
		at = to
		if endX <= to {
			i++
		}
		if endY <= to {
			j++
		}
	}
	return sum
}
