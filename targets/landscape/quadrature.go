package landscape

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// mostError is the error of a quadrature, in standard deviations, beyond which nothing is said of the truth.
const mostError = 0.01

// Moments are a mean and a covariance, row-major D×D, with the larger error of both in standard deviations.
type Moments struct {
	Mean, Cov []float64
	Error     float64
}

// Quadrature integrates the density over its box by the trapezoid rule, which for a smooth
// density that vanishes at the sides converges faster than any power of the number of cells.
// The error is the difference to twice as many of them, or to four times as many where that
// is large. It is nil where the error stays too large, or no box has all of the mass.
func (l *Landscape) Quadrature() *Moments {
	if !l.held {
		return nil
	}
	cells := 128
	if len(l.Mode) == 1 {
		cells = 1 << 12
	}
	if !l.affordable(2 * power(cells, len(l.Mode))) {
		return nil
	}
	mean, cov := l.moments(cells, math.Inf(1))
	if l.show != nil { // what is shown may have no moments where the box holds the mass of θ
		if m, c := l.moments(cells, 0.8*boxDrop); !(apart(m, mean, c, cov) <= mostError) {
			return nil
		}
	}
	for range 3 {
		if cells *= 2; !l.affordable(power(cells+1, len(l.Mode))) {
			return nil
		}
		m, c := l.moments(cells, math.Inf(1))
		off := apart(mean, m, cov, c)
		if mean, cov = m, c; off <= mostError { // false for NaN
			return &Moments{Mean: m, Cov: c, Error: max(off, 1e-15)}
		}
	}
	return nil
}

// apart is how far means and covariances differ, in the standard deviations of c.
func apart(mean, m, cov, c []float64) (off float64) {
	d := len(m)
	for i := range m {
		off = max(off, math.Abs(m[i]-mean[i])/math.Sqrt(c[i*d+i]))
		for j := range m {
			off = max(off, math.Abs(c[i*d+j]-cov[i*d+j])/math.Sqrt(c[i*d+i]*c[j*d+j]))
		}
	}
	return off
}

// Quantiles are those that part the mass in equal shares, one less than these, for each coordinate: of two quadratures,
// the second in the box that has all but a ten-thousandth at each side of the first. The mass of a node is spread over
// its cell.
func (l *Landscape) Quantiles(shares int) (all [][]float64) {
	d, box := len(l.Mode), l.box
	cells, theta := 1<<(12/d+d), make([]float64, d) // 8,192 and 256
	var mass [2][]float64
	var sum float64
	quantile := func(i int, p float64) float64 {
		below, k := 0.0, 0
		for p = float64(p * sum); k < cells && below+mass[i][k] < p; k++ {
			below += mass[i][k]
		}
		to := float64(k) - 0.5 + (p-below)/mass[i][k]
		return box.Lo[i] + float64(to*(box.Hi[i]-box.Lo[i]))/float64(cells)
	}
	for narrow := range 2 {
		if next := box; narrow > 0 {
			for i := range d {
				next.Lo[i], next.Hi[i] = quantile(i, 1e-4), quantile(i, 1-1e-4)
			}
			box = next
		}
		mass, sum = [2][]float64{make([]float64, cells+1), make([]float64, cells+1)}, 0
		at := 0
		box.each(theta, cells, func() {
			w := libm.Exp(l.height(theta) - l.Peak)
			if sum += w; d == 2 {
				mass[0][at/(cells+1)] += w
			}
			mass[d-1][at%(cells+1)] += w
			at++
		})
	}
	for i := range d {
		to := make([]float64, shares-1)
		for k := range to {
			to[k] = quantile(i, float64(k+1)/float64(shares))
		}
		all = append(all, to)
	}
	return all
}

func power(n, k int) int {
	if k == 2 {
		return n * n
	}
	return n
}

// moments are the mean and the covariance by so many cells on each side, where the density falls by drop at most.
func (l *Landscape) moments(cells int, drop float64) (mean, cov []float64) {
	d := len(l.Mode)
	theta, x, mode := make([]float64, d), make([]float64, d), make([]float64, d)
	show := l.show
	if show == nil {
		show = func(dst, theta []float64) { copy(dst, theta) }
	}
	show(mode, l.Mode)
	var mass float64
	var first [2]float64
	var second [3]float64
	l.box.each(theta, cells, func() {
		y := l.height(theta) - l.Peak
		if y < -drop {
			return
		}
		show(x, theta)
		u, v := x[0]-mode[0], 0.0
		if d == 2 {
			v = x[1] - mode[1]
		}
		w := libm.Exp(y)
		mass += w
		first[0] += float64(w * u)
		first[1] += float64(w * v)
		second[0] += float64(w * u * u)
		second[1] += float64(w * u * v)
		second[2] += float64(w * v * v)
	})
	u, v := first[0]/mass, first[1]/mass
	xx, xy, yy := second[0]/mass-float64(u*u), second[1]/mass-float64(u*v), second[2]/mass-float64(v*v)
	if d == 1 {
		return []float64{mode[0] + u}, []float64{xx}
	}
	return []float64{mode[0] + u, mode[1] + v}, []float64{xx, xy, xy, yy}
}
