package chart

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/planetest"

	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Arrows in sixteen directions, long and short, thick and dashed.
func arrows(th theme.Theme) string {
	return planetest.Picture(th, 72, 30, func(g plane.Region) {
		var c Braille
		c.Reset(th, 72, 30, Window{Range{-36, 36}, Range{-30, 30}})
		for i := range 16 {
			s, co := math.Sincos(2 * math.Pi * float64(i) / 16)
			c.Arrow(6*co, 6*s, 25*co, 25*s, Pen{Thick: i%2 == 0, Dash: uint8(2 * (i % 2)), ASCII: rune("=-"[i%2])})
		}
		c.Arrow(0, 0, 0.5, 0.5, Pen{})
		c.Arrow(30, 20, 60, 40, Pen{})
		c.Draw(g, th)
	})
}

func TestArrows(t *testing.T) {
	goldentest.Text(t, "arrows", arrows(planetest.Plain()))
	goldentest.Text(t, "arrows-ascii", arrows(planetest.ASCII()))
	for _, th := range planetest.Themes() {
		var c Braille
		c.Reset(th, 40, 20, Window{Range{0, 40}, Range{0, 40}})
		nan, inf := math.NaN(), math.Inf(1)
		for _, a := range [][4]float64{{nan, 0, 1, 1}, {0, 0, inf, 1}, {-1e300, 0, 1e300, 5}, {1, 1, nan, nan},
			{inf, inf, inf, inf}, {-5, -5, -9, -9}} {
			c.Arrow(a[0], a[1], a[2], a[3], Pen{})
		}
		if c.Arrow(20, 20, 20, 20, Pen{}) || !c.Arrow(5, 5, 30, 10, Pen{}) {
			t.Error("only the short arrow has no direction")
		}
		planetest.Guarded(t, th, 40, 20, func(g plane.Region) { c.Draw(g, th) })
	}
}

// The ground is shaded where the function is above a level, and its colour stays
// beneath what is drawn there.
func TestShade(t *testing.T) {
	th := planetest.Dark()
	win := Window{Range{-4, 4}, Range{-4, 4}}
	set := NewContours(th, 40, 20, win, sigmaLevels(0, 4)[1:], func(x, y float64) float64 { return -(x*x + y*y) / 2 })
	var c Braille
	c.Reset(th, 40, 20, win)
	grounds := []plane.Color{theme.RGB(1, 1, 1), theme.RGB(2, 2, 2), theme.RGB(3, 3, 3)}
	c.Contours(set, nil, grounds)
	c.Point(0.05, 0.05, Pen{Style: plane.Style{FG: theme.RGB(9, 9, 9)}})
	p := plane.NewPlane(40, 20)
	c.Draw(p.Region(), th)
	for y := range 20 {
		for x := range 40 {
			// The middle of a cell, and the nearest and farthest of it, within which
			// the band must be that of the exact function.
			dx, dy := (float64(x)+0.5)/5-4, 4-(float64(y)+0.5)/2.5
			near := func(k float64) bool { return math.Abs(math.Hypot(dx, dy)-k) < 0.02 }
			want := plane.Color(0)
			for i, k := range []float64{1.5, 1, 0.5} {
				if math.Hypot(dx, dy) < k {
					want = grounds[i]
				}
			}
			if got := p.Region().StyleAt(x, y).BG; got != want && !near(1.5) && !near(1) && !near(0.5) {
				t.Errorf("cell %d, %d has ground %v, want %v", x, y, got, want)
			}
		}
	}
	if s := p.Region().StyleAt(20, 9); s.FG != theme.RGB(9, 9, 9) || !s.BG.IsSet() {
		t.Errorf("the point has style %+v", s)
	}
	c.Reset(th, 41, 20, win)
	c.Contours(set, nil, grounds) // does not fit
	c.Contours(nil, nil, grounds)
	if p := planetest.Picture(th, 41, 20, func(g plane.Region) { c.Draw(g, th) }); strings.TrimSpace(p) != "" {
		t.Errorf("a set that does not fit is drawn:\n%s", p)
	}
}

// A histogram on its side is the upright one turned: the same rows are longest,
// and nothing is drawn outside.
func TestSideHistogram(t *testing.T) {
	density := make([]float64, 64)
	for i := range density {
		x := -4 + 8*(float64(i)+0.5)/64
		density[i] = math.Exp(-(x-1)*(x-1)/2) / math.Sqrt(2*math.Pi)
	}
	h := Histogram{Side: true, Range: Range{-4, 4}, Lanes: []HistSeries{{density: density}},
		Truth: func(x float64) float64 {
			return math.Exp(-(x-1)*(x-1)/2) / math.Sqrt(2*math.Pi)
		}}
	goldentest.Text(t, "sidehist",
		planetest.Picture(planetest.Plain(), 12, 16, func(g plane.Region) { h.Draw(g, planetest.Plain()) }))
	goldentest.Text(t, "sidehist-ascii",
		planetest.Picture(planetest.ASCII(), 12, 16, func(g plane.Region) { h.Draw(g, planetest.ASCII()) }))
	for _, th := range planetest.Themes() {
		for _, size := range [][2]int{{0, 0}, {1, 1}, {3, 40}, {30, 2}} {
			for _, d := range [][]float64{nil, {math.NaN()}, {1}, {math.Inf(1), 1}, density} {
				s := Histogram{Side: true, Range: Range{-4, 4}, Lanes: []HistSeries{{density: d}}, Truth: h.Truth}
				planetest.Guarded(t, th, size[0], size[1], func(g plane.Region) { s.Draw(g, th) })
			}
		}
	}
}
