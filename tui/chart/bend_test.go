package chart

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/planetest"

	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/plane"
)

func TestBend(t *testing.T) {
	b := NewBend(Range{-2, 6}, 4e6) // linear within 4 of 2, six decades beyond
	for _, c := range []struct{ x, u float64 }{{2, 0}, {6, 1}, {-2, -1}, {4, 0.5}, {2 + 4e6, 2}, {2 - 4e6, -2},
		{2 + 4e3, 1.5}} {
		if got := b.To(c.x); math.Abs(got-c.u) > 1e-12 {
			t.Errorf("To(%g) = %g, want %g", c.x, got, c.u)
		}
		// A relative error of the exponent's last digits, times ln 10 and six decades.
		if got := b.From(c.u); math.Abs(got-c.x) > 1e-13*math.Abs(c.x)+1e-9*math.Abs(got-2)/4e6 {
			t.Errorf("From(%g) = %g, want %g", c.u, got, c.x)
		}
	}
	last := math.Inf(-1)
	for _, x := range []float64{-1e300, -1e7, -3, -2, 0, 2, 5.9, 6, 6.1, 100, 1e300} {
		if u := b.To(x); u <= last {
			t.Errorf("To(%g) = %g is not above %g", x, u, last)
		} else {
			last = u
		}
	}
	for _, c := range [][3]float64{{0, 0, 1}, {1, 0, 5}, {0, 1, 1}, {0, 1, math.Inf(1)}, {math.NaN(), 1, 9},
		{0, 1, math.NaN()}, {math.Inf(-1), 0, 4}} {
		if b := NewBend(Range{c[0], c[1]}, c[2]); b.Bent() || b.To(17) != 17 || b.From(17) != 17 {
			t.Errorf("NewBend(%v) is bent: %+v", c, b)
		}
	}
}

// Axes of any bend stay in their region.
func TestBentAxes(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		x := NewBend(Range{-math.Exp(9 * r.NormFloat64()), math.Exp(9 * r.NormFloat64())}, math.Exp(20*r.NormFloat64()))
		y := NewBend(Range{-math.Exp(r.NormFloat64()), math.Exp(r.NormFloat64())}, math.Exp(9+9*r.NormFloat64()))
		planetest.Guarded(t, planetest.Themes()[r.IntN(5)], r.IntN(90), r.IntN(30), func(g plane.Region) {
			BentAxes(g, planetest.Plain(), Window{Range{-2.1, 2.1}, Range{-2.1, 2.1}}, x, y)
		})
	}
}

func TestBentPicture(t *testing.T) {
	x, y := NewBend(Range{-3, 3}, 1e8), NewBend(Range{-2, 4}, 5000)
	goldentest.Text(t, "bend", planetest.Picture(planetest.Plain(), 64, 18, func(g plane.Region) {
		win := Window{Range{-2.1, 2.1}, Range{-2.1, 2.1}}
		BentAxes(g, planetest.Plain(), win, x, y)
		plot := Plot(g)
		var c Braille
		c.Reset(planetest.Plain(), plot.W(), plot.H(), win)
		for i := range 100 {
			s := math.Pow(-1.2, float64(i))
			c.Point(x.To(s), y.To(s/100), Pen{})
		}
		c.Draw(plot, planetest.Plain())
	}))
}
