package dataset

import (
	"math"
	"math/rand/v2"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// A Points are rows of one or two inputs, row by row, with a number or a class 0 or 1 each.
type Points struct{ X, Y []float64 }

// shapeSeed is that of the generated points. Random numbers are those of Synthetic.
const shapeSeed = 20

// Gap generates n rows with x in two clusters, [-2, -0.8] and [0.8, 2], and y = sin 2x + 0.3x + N(0, 0.3²), and as
// many again to test.
func Gap(n int) (train, test Points) {
	r := rand.New(rand.NewPCG(shapeSeed, 0))
	for _, p := range []*Points{&train, &test} {
		for i := range n {
			x := 0.8 + float64(1.2*r.Float64())
			if i%2 == 0 {
				x = -x
			}
			sin, _ := libm.Sincos(2 * x)
			p.X = append(p.X, x)
			p.Y = append(p.Y, sin+float64(0.3*x)+float64(0.3*r.NormFloat64()))
		}
	}
	return train, test
}

// Shapes are the sets of two classes in the plane that Shape generates.
func Shapes() []string { return []string{"moons", "spiral", "xor", "blobs"} }

// Shape generates n points of two classes, in turn, and as many again to test: two half-circles of radius 1 that reach
// into each other (moons), two arms of three quarters of a turn (spiral), four groups of which those that lie across
// are of one class (xor), or two groups (blobs).
func Shape(name string, n int) (train, test Points) {
	r := rand.New(rand.NewPCG(shapeSeed, uint64(len(name))))
	for _, p := range []*Points{&train, &test} {
		for i := range n {
			x, y, sd := shaped(name, i, r.Float64())
			x, y = x+float64(sd*r.NormFloat64()), y+float64(sd*r.NormFloat64())
			if name == "moons" {
				y *= 2
			}
			p.X, p.Y = append(p.X, x, y), append(p.Y, float64(i%2))
		}
	}
	return train, test
}

// shaped is the middle of the i-th point of a shape, u in [0, 1) of the way along it, and the standard deviation
// about it.
func shaped(name string, i int, u float64) (x, y, sd float64) {
	side := float64(1 - 2*(i%2)) // of the class
	switch name {
	case "spiral":
		sin, cos := libm.Sincos(1.5 * math.Pi * u)
		radius := side * (0.25 + float64(1.75*u))
		return radius * cos, radius * sin, 0.1
	case "xor":
		across := float64(2*(i/2%2) - 1)
		return across, side * across, 0.4
	case "blobs":
		return side, side / 2, 0.6
	}
	sin, cos := libm.Sincos(math.Pi * u)
	return side * (cos - 0.5), side * (sin - 0.25), 0.15
}
