package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// GaussianW2 returns the Wasserstein-2 distance of the normal distributions with means m, n and
// covariances V, W (D×D, row after row),
//
//	√(|m - n|² + tr(V + W - 2 (W^½ V W^½)^½))   (Dowson and Landau 1982, Journal of Multivariate Analysis 12:450).
//
// Of other distributions with these moments it is a lower bound (Gelbrich 1990). Eigenvalues that rounding
// made negative count as 0. It is NaN if an entry is not finite. Sampling alone sets the moments of N
// effective draws about √(tr V (1 + (D+1)/4)/N) apart from the true ones, if V is a multiple of the identity.
func GaussianW2(m, v, n, w []float64) float64 {
	d := len(m)
	if len(n) != d || len(v) != d*d || len(w) != d*d {
		panic(fmt.Sprintf("metrics: means of %d and %d, covariances of %d and %d entries", d, len(n), len(v), len(w)))
	}
	sum := 0.0
	for i, x := range m {
		sum += float64((x - n[i]) * (x - n[i]))
		sum += v[i*d+i] + w[i*d+i]
	}
	for i := range v {
		sum += float64(0 * (v[i] + w[i])) // NaN in, NaN out
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

// Sliced is the sliced Wasserstein-2 distance of draws from others (Bonneel, Rabin, Peyré and Pfister 2015, Journal of
// Mathematical Imaging and Vision 51:22): the root of the mean over directions u of the square of the distance of the
// projections,
//
//	SW² = mean over u of ∫₀¹ (F⁻¹(p) - G⁻¹(p))² dp,   F, G the distribution functions of u·x and u·y.
//
// The directions are drawn once, so that distances at several times, or of several chains, can be compared. In
// the plane they lie evenly. n independent draws of the distribution itself are about sd √((ln ln n + 1.27)/n)
// from it, 0.057 sd at n = 1,000 (measured against exact quantiles for n from 100 to 10,000, D of 1 and 5).
type Sliced struct {
	directions [][]float64
	to         [][]place // by direction, the projections of the other draws
	x, spare   []place
}

// NewSliced returns the distance from draws y, one column a coordinate, by a number of directions. In
// one dimension one is enough, and more are not taken.
func NewSliced(y [][]float64, directions int, seed uint64) *Sliced {
	dim := len(y)
	if dim < 1 || len(y[0]) < 1 || directions < 1 {
		panic(fmt.Sprintf("metrics: a distance from nothing, or by %d directions", directions))
	}
	s := &Sliced{directions: [][]float64{{1}}}
	r := rand.New(rand.NewPCG(seed, 0x511ced))
	switch {
	case dim == 2:
		s.directions = nil
		first := float64(r.Float64())
		for k := range directions {
			sin, cos := libm.Sincos(math.Pi * (float64(k) + first) / float64(directions))
			s.directions = append(s.directions, []float64{cos, sin})
		}
	case dim > 2:
		s.directions = nil
		for range directions {
			u, sum := make([]float64, dim), 0.0
			for i := range u {
				u[i] = r.NormFloat64()
				sum += float64(u[i] * u[i])
			}
			for i := range u {
				u[i] /= math.Sqrt(sum)
			}
			s.directions = append(s.directions, u)
		}
	}
	for _, u := range s.directions {
		s.to = append(s.to, s.project(nil, u, y))
	}
	return s
}

// Distance returns the distance of draws x, one column a coordinate. They may differ in number from the
// others. It is NotFinite if a draw is not finite, and TooShort without draws. The Error is that of a
// finite number of random directions alone, which those of the plane have not.
func (s *Sliced) Distance(x [][]float64) Estimate {
	if dim := len(s.directions[0]); len(x) != dim {
		panic(fmt.Sprintf("metrics: draws of %d coordinates in %d dimensions", len(x), dim))
	}
	draws := uint64(len(x[0]))
	if draws == 0 {
		return Withheld(TooShort, 0)
	}
	sum, square, n := 0.0, 0.0, float64(len(s.directions))
	for k, u := range s.directions {
		s.x = s.project(s.x, u, x)
		v := quantileDistance(s.x, s.to[k])
		sum += v
		square += float64(v * v)
	}
	sum /= n
	root, se := math.Sqrt(sum), 0.0
	if n > 1 && len(x) > 2 && root > 0 {
		se = math.Sqrt(max(square/n-float64(sum*sum), 0)/(n-1)) / (2 * root)
	}
	return Known(root, se, draws)
}

// project sets dst to the sorted projections of columns x on u. NaN stands where there is one.
func (s *Sliced) project(dst []place, u []float64, x [][]float64) []place {
	n := len(x[0])
	dst = slices.Grow(dst[:0], n)[:n]
	clear(dst)
	for i, col := range x {
		if len(col) != n {
			panic(fmt.Sprintf("metrics: columns of %d and %d draws", n, len(col)))
		}
		for t, v := range col {
			dst[t].v += float64(u[i] * v)
		}
	}
	sortPlaces(dst, &s.spare)
	return dst
}

// quantileDistance is ∫₀¹ (F⁻¹ - G⁻¹)² of two sorted samples.
func quantileDistance(x, y []place) float64 {
	// In units of 1/(len(x) len(y)) a value of x is len(y) wide, and the steps between all ends are whole.
	sum, wideX, wideY := 0.0, len(y), len(x)
	leftY := wideY
	for _, p := range x {
		for leftX := wideX; leftX > 0; {
			step := min(leftX, leftY)
			d := p.v - y[0].v
			sum += float64(d * d * float64(step))
			leftX -= step
			if leftY -= step; leftY == 0 {
				y, leftY = y[1:], wideY
			}
		}
	}
	return sum / (float64(wideX) * float64(wideY))
}
