package landscape

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// A Hill is a mode with its widths.
type Hill struct {
	Mode, SD []float64

	mass float64 // the logarithm of exp(peak) Π sd, that of the normal density there up to a constant
}

const (
	mostHills = 15 // beside Mode
	// leastMass is the least mass of a hill, of the greatest one's: chains that begin on less would disagree with the
	// others for long, and hardly change a mean.
	leastMass = 0.01
	// dip is how far the log density falls between two modes at least. What falls less is one, such as a bent ridge on
	// which climbs end at several places.
	dip = 1
)

// search climbs from many points, and keeps the modes beside Mode. They are the points of scout on a line or a plane.
// Of more coordinates they are points on the axes through Mode, and random ones in cubes of half side 3 to 100 around
// it. Modes whose basins hold none of them are not found.
func (l *Landscape) search() {
	const climb = 200 // evaluations of a climb, about
	dim := len(l.Mode)
	from, all := make([]float64, dim), []Hill{l.hill(l.Mode)}
	left := 0
	for left < 700 && l.affordable((left+1)*climb) {
		left++
	}
	try := func() {
		if left--; left < 0 || math.IsInf(l.height(from), -1) {
			return
		}
		at := slices.Clone(from)
		if y := l.climb(at); y-y != 0 || len(all) > mostHills {
			return
		}
		if h := l.hill(at); !math.IsNaN(h.mass) &&
			!slices.ContainsFunc(all, func(o Hill) bool { return l.same(h.Mode, o.Mode) }) {
			all = append(all, h)
		}
	}
	if dim <= 2 {
		scout(from, try)
	} else {
		for i := range min(dim, mostSides) {
			for _, by := range []float64{-10, 10} {
				copy(from, l.Mode)
				from[i] += by
				try()
			}
		}
		random := rand.NewPCG(1, 2)
		for k := range 64 {
			size := []float64{3, 10, 30, 100}[k%4]
			for i := range from {
				from[i] = l.Mode[i] + float64(size*(float64(float64(random.Uint64()>>11)*0x1p-52)-1))
			}
			try()
		}
	}
	most := math.Inf(-1)
	for _, h := range all {
		l.Peak, most = max(l.Peak, l.height(h.Mode)), max(most, h.mass)
	}
	l.Others = slices.DeleteFunc(all[1:], func(h Hill) bool { return !(h.mass >= most+libm.Log(leastMass)) })
	slices.SortStableFunc(l.Others, func(a, b Hill) int { return cmp.Compare(b.mass, a.mass) })
	if dim > 2 { // a chain that begins there must bear the step
		for _, h := range l.Others {
			l.Steep = max(l.Steep, l.steepAt(h.Mode))
		}
	}
}

// hill is the mode at a point. It has no mass where the density does not curve down in each coordinate.
func (l *Landscape) hill(at []float64) Hill {
	dim := len(at)
	g, h := make([]float64, dim), make([]float64, dim)
	l.density.GradHessian(g, h, at)
	mass := l.height(at)
	for i, c := range h {
		if h[i] = width(c); !(c < 0) {
			mass = math.NaN()
		}
		mass += libm.Log(h[i])
	}
	return Hill{at, h, mass}
}

// same reports whether the log density does not fall between two points.
func (l *Landscape) same(a, b []float64) bool {
	const parts = 16
	theta, low := make([]float64, len(a)), min(l.height(a), l.height(b))
	for k := 1; k < parts; k++ {
		for i := range theta {
			theta[i] = a[i] + float64((b[i]-a[i])*(float64(k)/parts))
		}
		if l.height(theta) < low-dip {
			return false
		}
	}
	return true
}
