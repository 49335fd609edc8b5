// Package landscape finds where a density of which nothing is known is highest, how wide it is
// there, and where its mass is.
package landscape

import (
	"math"
	"strconv"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// A Density is known by the logarithm of a density of D coordinates, up to a constant.
type Density interface {
	Dim() int
	// Len is what one call costs, in instructions.
	Len() int
	// Value is the log density, and Grad writes its gradient to dst beside. Neither needs be finite.
	Value(theta []float64) float64
	Grad(dst, theta []float64) float64
	// GradHessian writes the gradient and the diagonal of the Hessian, and HessianVec the Hessian's product with v.
	GradHessian(dst, hess, theta []float64)
	HessianVec(dst, theta, v []float64)
}

// A Landscape is what Explore found. Where a session starts and its step size hang on it, so
// that it rounds alike on every processor.
type Landscape struct {
	Mode  []float64
	Peak  float64   // the greatest log density that was found; -Inf where no point was found
	SD    []float64 // of each coordinate, by the curvature at the mode; 1 where the density is flat there
	Steep float64   // the largest curvature at the mode and, in one or two dimensions, where the mass is; 0 for none
	Frame Box       // where most of the mass is, in one or two dimensions; empty where nobody looked for it
	// Others are modes beside Mode, the one with the most mass first: see search.
	Others []Hill

	density Density
	show    func(dst, theta []float64) // nil where θ is what is shown
	box     Box                        // holds the mass
	held    bool                       // the box holds all of it
}

// Box is the part of a line or a plane between Lo and Hi. A line has its second side empty.
type Box struct{ Lo, Hi [2]float64 }

const (
	// frameDrop and boxDrop are how far the log density falls from the peak to the sides of a
	// frame and of a box. A normal density falls so far in 3.5 and 7.7 standard deviations.
	frameDrop, boxDrop = 6.125, 30
	// budget is the most instructions that the exploration of a plane takes. They run in a fraction of a second.
	budget = 4e7
)

// affordable reports whether the density can be asked so many times.
func (l *Landscape) affordable(runs int) bool {
	return float64(runs)*float64(l.density.Len()+1) <= budget
}

// height is the log density, -Inf where it is not a number.
func (l *Landscape) height(theta []float64) float64 {
	y := l.density.Value(theta)
	if y != y || math.IsInf(y, 1) {
		return math.Inf(-1)
	}
	return y
}

// Explore climbs from the highest of some points, and looks around. Frame and moments are those of what show writes of
// θ, and of θ where that is nil.
func Explore(d Density, show func(dst, theta []float64)) *Landscape {
	l := &Landscape{density: d, show: show, Peak: math.Inf(-1)}
	dim := d.Dim()
	best, theta := make([]float64, dim), make([]float64, dim)
	try := func() {
		if y := l.height(theta); y > l.Peak {
			l.Peak = y
			copy(best, theta)
		}
	}
	switch dim {
	case 1, 2:
		scout(theta, try)
	default:
		for _, x := range []float64{0, 1, -1, 0.5, 0.1, 10} {
			for i := range theta {
				theta[i] = x
			}
			try()
		}
	}
	l.Mode = best
	if !math.IsInf(l.Peak, -1) {
		l.Peak = l.climb(l.Mode)
	}
	l.SD = make([]float64, dim)
	l.curvature()
	if !math.IsInf(l.Peak, -1) {
		l.search()
	}
	if dim <= 2 && !math.IsInf(l.Peak, -1) && l.affordable(1<<16) {
		l.surround()
	}
	return l
}

// scouts are the coordinates of the points of a line or a plane that are tried first, the nearest to 0 first.
var scouts = [...]float64{0, 0.5, -0.5, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 8, -8, 10, -10, 20, -20, 50,
	-50, 100, -100}

// scout calls try with theta at each of the points.
func scout(theta []float64, try func()) {
	for _, theta[0] = range scouts {
		if len(theta) == 1 {
			try()
			continue
		}
		for _, theta[1] = range scouts {
			try()
		}
	}
}

// Far is how far from 0 a mode is looked for.
const Far = 1e8

// climb goes uphill from x by L-BFGS (Nocedal & Wright 2006, §7.2) until the gradient is small, and no
// further than a bound. It moves x, and returns the log density there.
func (l *Landscape) climb(x []float64) float64 {
	const memory, most = 8, 300
	dim := len(x)
	if !l.affordable(most) {
		return l.height(x)
	}
	vector := func() []float64 { return make([]float64, dim) }
	g, to, gTo, way := vector(), vector(), vector(), vector()
	var steps, turns [][]float64 // the newest last
	var rho []float64
	y := l.density.Grad(g, x)
	for range most {
		copy(way, g)
		alpha := make([]float64, len(steps))
		for k := len(steps) - 1; k >= 0; k-- {
			alpha[k] = rho[k] * dot(steps[k], way)
			axpy(way, -alpha[k], turns[k])
		}
		if n := len(steps); n > 0 {
			scale := 1 / (rho[n-1] * dot(turns[n-1], turns[n-1]))
			for i := range way {
				way[i] *= scale
			}
		} else if size := math.Sqrt(dot(g, g)); size > 1 {
			for i := range way {
				way[i] /= size
			}
		}
		for k := range steps {
			axpy(way, alpha[k]-float64(rho[k]*dot(turns[k], way)), steps[k])
		}
		slope := dot(g, way)
		if !(slope > 1e-14*(1+math.Abs(y))) {
			break
		}
		step, yTo := 1.0, 0.0
		better := false
		for range 40 {
			for i := range to {
				to[i] = x[i] + float64(step*way[i])
			}
			yTo = l.density.Grad(gTo, to)
			if better = yTo >= y+float64(1e-4*step*slope) && !math.IsInf(yTo, 1) && !math.IsNaN(dot(gTo, gTo)); better {
				break
			}
			step /= 2
		}
		if !better {
			break
		}
		s, t := vector(), vector()
		for i := range s {
			s[i], t[i] = to[i]-x[i], g[i]-gTo[i]
		}
		copy(x, to)
		copy(g, gTo)
		y = yTo
		if far := math.Sqrt(dot(x, x)); !(far < Far) {
			break
		}
		if d := dot(s, t); d > 1e-12*dot(t, t) {
			steps, turns, rho = append(steps, s), append(turns, t), append(rho, 1/d)
			if len(steps) > memory {
				steps, turns, rho = steps[1:], turns[1:], rho[1:]
			}
		}
	}
	return y
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// axpy adds a x to y.
func axpy(y []float64, a float64, x []float64) {
	for i, v := range x {
		y[i] += float64(a * v)
	}
}

// curvature is what the Hessian at the mode says of the widths, and of the step.
func (l *Landscape) curvature() {
	dim := len(l.Mode)
	for i := range l.SD {
		l.SD[i] = 1
	}
	if math.IsInf(l.Peak, -1) {
		return
	}
	if dim <= 2 {
		h := l.hessian(l.Mode)
		if l.Steep = steepest(h); !(l.Steep > 0) {
			l.Steep = 0
		}
		if det := float64(h[0]*h[2]) - float64(h[1]*h[1]); dim == 2 && h[0] < 0 && det > 0 {
			l.SD[0], l.SD[1] = width(det/h[2]), width(det/h[0])
			return
		}
		for i := range l.SD {
			l.SD[i] = width(h[2*i])
		}
		return
	}
	g, h := make([]float64, dim), make([]float64, dim)
	l.density.GradHessian(g, h, l.Mode)
	for i, c := range h {
		l.SD[i] = width(c)
	}
	l.Steep = l.steepAt(l.Mode)
	// Away from the mode it may be larger: 2.5 standard deviations off in each of some coordinates.
	if !l.affordable(4 * mostSides * powers) {
		return
	}
	theta := append([]float64(nil), l.Mode...)
	for i := range min(dim, mostSides) {
		for _, by := range []float64{-2.5, 2.5} {
			theta[i] = l.Mode[i] + float64(by*l.SD[i])
			if l.height(theta) > l.Peak-boxDrop {
				l.Steep = max(l.Steep, l.steepAt(theta))
			}
		}
		theta[i] = l.Mode[i]
	}
}

// The curvature is looked at on both sides of the mode in so many coordinates, by so many iterations.
const mostSides, powers = 32, 30

// steepAt is the largest curvature at a point by power iteration, 0 where there is none.
func (l *Landscape) steepAt(theta []float64) (steep float64) {
	v, h := make([]float64, len(theta)), make([]float64, len(theta))
	l.density.GradHessian(h, v, theta)
	for i := range v {
		v[i] = 1 + math.Abs(v[i])
	}
	for range powers {
		size := math.Sqrt(dot(v, v))
		if !(size > 0) || math.IsInf(size, 0) {
			return steep
		}
		for i := range v {
			v[i] /= size
		}
		l.density.HessianVec(h, theta, v)
		if c := math.Abs(dot(h, v)); c < math.MaxFloat64 {
			steep = max(steep, c)
		}
		copy(v, h)
	}
	return steep
}

// width is the standard deviation of a normal density with a second derivative of its
// logarithm; 1 where that tells none.
func width(h float64) float64 {
	if w := 1 / math.Sqrt(-h); w > 1e-6 && w < 1e6 {
		return w
	}
	return 1
}

// hessian is H₁₁, H₁₂ and H₂₂ at a point of a line or a plane.
func (l *Landscape) hessian(theta []float64) (h [3]float64) {
	var unit, column [2]float64
	unit[0] = 1
	l.density.HessianVec(column[:len(theta)], theta, unit[:len(theta)])
	h[0], h[1] = column[0], column[1]
	if len(theta) == 2 {
		unit = [2]float64{0, 1}
		l.density.HessianVec(column[:], theta, unit[:])
		h[2] = column[1]
	}
	return h
}

// steepest is the largest eigenvalue of -H.
func steepest(h [3]float64) float64 {
	return libm.Hypot(float64(0.5*(h[0]-h[2])), h[1]) - float64(0.5*(h[0]+h[2]))
}

// surround finds the box and the frame, and the largest curvature in the frame.
func (l *Landscape) surround() {
	var b Box
	for i, x := range l.Mode {
		b.Lo[i], b.Hi[i] = x-float64(4*l.SD[i]), x+float64(4*l.SD[i])
	}
	theta := make([]float64, len(l.Mode))
	for _, h := range l.Others {
		for _, by := range []float64{-4, 4} {
			for i, x := range h.Mode {
				theta[i] = x + float64(by*h.SD[i])
			}
			b.include(theta)
		}
	}
	// Other heights among the points that were tried first.
	scout(theta, func() {
		if l.height(theta) > l.Peak-boxDrop {
			b.include(theta)
		}
	})
	l.box, l.held = l.grow(b, boxDrop)
	if !l.held {
		l.box, _ = l.grow(b, frameDrop)
	}
	l.Frame = l.shrink(l.box)
	l.Frame.each(theta, 32, func() {
		if l.height(theta) > l.Peak-frameDrop {
			if c := steepest(l.hessian(theta)); c > l.Steep && c < math.MaxFloat64 {
				l.Steep = c
			}
		}
	})
	if l.show != nil {
		within, x := l.Frame, make([]float64, len(theta))
		l.show(x, l.Mode)
		copy(l.Frame.Lo[:], x)
		copy(l.Frame.Hi[:], x)
		within.each(theta, 32, func() {
			if l.height(theta) > l.Peak-frameDrop {
				l.show(x, theta)
				l.Frame.include(x)
			}
		})
	}
}

// at is one of the places on a side that part it in equal cells.
func (b *Box) at(side, i, cells int) float64 {
	return b.Lo[side] + float64((b.Hi[side]-b.Lo[side])*(float64(i)/float64(cells)))
}

// each calls f with theta at each corner of so many cells on each side.
func (b *Box) each(theta []float64, cells int, f func()) {
	for i := range cells + 1 {
		theta[0] = b.at(0, i, cells)
		if len(theta) == 1 {
			f()
			continue
		}
		for j := range cells + 1 {
			theta[1] = b.at(1, j, cells)
			f()
		}
	}
}

func (b *Box) include(theta []float64) {
	for i, x := range theta {
		b.Lo[i], b.Hi[i] = min(b.Lo[i], x), max(b.Hi[i], x)
	}
}

// grow moves the sides of a box out until the density on each is below the peak by drop, and between the places looked
// at, where a narrow ridge may cross, by half of it. It reports whether that came to an end.
func (l *Landscape) grow(b Box, drop float64) (Box, bool) {
	const rounds, between = 60, 16
	dim := len(l.Mode)
	theta, cells := make([]float64, dim), (dim-1)<<10
	high := func(side int, x float64) bool {
		theta[side] = x
		for i := range cells + 1 {
			if dim == 2 {
				theta[1-side] = b.at(1-side, i, cells)
			}
			if y := l.height(theta) - l.Peak; y > -drop/2 || y > -drop && i%between == 0 {
				return true
			}
		}
		return false
	}
	for range rounds {
		done := true
		for side := range dim {
			by := float64(0.3 * (b.Hi[side] - b.Lo[side]))
			if high(side, b.Lo[side]) {
				b.Lo[side] -= by
				done = false
			}
			if high(side, b.Hi[side]) {
				b.Hi[side] += by
				done = false
			}
		}
		if done {
			return b, true
		}
		if size := max(b.Hi[0]-b.Lo[0], b.Hi[1]-b.Lo[1]); !(size < 1e9) {
			return b, false
		}
	}
	return b, false
}

// shrink is the part of a box in which the density is within a frame's drop of the peak, and some room around it.
func (l *Landscape) shrink(b Box) Box {
	const cells = 96
	theta := make([]float64, len(l.Mode))
	var f Box
	copy(f.Lo[:], l.Mode)
	copy(f.Hi[:], l.Mode)
	b.each(theta, cells, func() {
		if l.height(theta) > l.Peak-frameDrop {
			f.include(theta)
		}
	})
	for i := range theta {
		cell := (b.Hi[i] - b.Lo[i]) / cells
		f.Lo[i], f.Hi[i] = max(f.Lo[i]-cell, b.Lo[i]), min(f.Hi[i]+cell, b.Hi[i])
	}
	return f
}

// Round keeps three digits beside the size of a box, or what little more is its own.
func (b *Box) Round(x float64) float64 {
	least := min(b.Hi[0]-b.Lo[0], b.Hi[1]-b.Lo[1])
	digits := 2 - int(math.Floor(libm.Log10(least)))
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', max(0, digits), 64), 64)
	if err != nil {
		return x
	}
	return y
}

// Start is a draw of the normal density at the mode, by D normal numbers z, at least half a standard deviation off in
// each coordinate, since pSGLD's first step with V₀ = 0 is enormous where a coordinate of the
// gradient is near zero (PAPER §4). Where the density is not finite there, it is halfway to
// the mode, and so on. Where no point was found at which it is finite, it is the origin.
func (l *Landscape) Start(dst, z []float64) {
	l.StartAt(Hill{Mode: l.Mode, SD: l.SD}, dst, z)
}

// StartAt is Start at another mode.
func (l *Landscape) StartAt(h Hill, dst, z []float64) {
	if math.IsInf(l.Peak, -1) {
		clear(dst)
		return
	}
	for scale := 1.0; ; scale /= 2 {
		for i, m := range h.Mode {
			dst[i] = m + float64(scale*h.SD[i]*math.Copysign(max(math.Abs(z[i]), 0.5), z[i]))
		}
		if y := l.density.Value(dst); y-y == 0 || scale < 1e-3 {
			return
		}
	}
}
