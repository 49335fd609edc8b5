package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/planetest"

	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// lit lists the dots of a canvas as (column, row).
func lit(b *Braille) [][2]int {
	var out [][2]int
	w, h := b.Dots()
	for y := range h {
		for x := range w {
			c := b.cells[(y/b.sy)*b.cols+x/b.sx]
			if b.ascii && c.bits > 0 || !b.ascii && c.bits&brailleBit[y%4*2+x%2] != 0 {
				out = append(out, [2]int{x, y})
			}
		}
	}
	return out
}

func canvas(cols, rows int, win Window) *Braille {
	var b Braille
	b.Reset(planetest.Plain(), cols, rows, win)
	return &b
}

func TestPointsLandOnTheirDots(t *testing.T) {
	// One unit a dot, so that the dot of (x+½, y+½) is x from the left and y from below.
	b := canvas(3, 2, Window{Range{0, 6}, Range{0, 8}})
	for y := range 8 {
		for x := range 6 {
			b.Reset(planetest.Plain(), 3, 2, Window{Range{0, 6}, Range{0, 8}})
			b.Point(float64(x)+0.5, float64(y)+0.5, Pen{})
			if got := lit(b); len(got) != 1 || got[0] != [2]int{x, 7 - y} {
				t.Errorf("(%d, %d) lit %v", x, y, got)
			}
		}
	}
	// The pattern of one cell in reading order, against the Unicode chart.
	for i, want := range []rune{0x2801, 0x2808, 0x2802, 0x2810, 0x2804, 0x2820, 0x2840, 0x2880} {
		b.Reset(planetest.Plain(), 1, 1, Window{Range{0, 2}, Range{0, 4}})
		b.Point(float64(i%2)+0.5, 3.5-float64(i/2), Pen{})
		p := plane.NewPlane(1, 1)
		b.Draw(p.Region(), planetest.Plain())
		if got := p.Region().At(0, 0); got != want {
			t.Errorf("dot %d is %U, want %U", i, got, want)
		}
	}
	// Both far edges belong to the canvas, nothing beyond does.
	b.Reset(planetest.Plain(), 3, 2, Window{Range{0, 6}, Range{0, 8}})
	for _, p := range [][2]float64{{6.01, 4}, {-0.01, 4}, {3, 8.01}, {3, -0.01}, {math.NaN(), 1}, {1, math.Inf(1)},
		{math.MaxFloat64, 1}} {
		b.Point(p[0], p[1], Pen{})
	}
	if got := lit(b); len(got) != 0 {
		t.Errorf("outside lit %v", got)
	}
	b.Point(6, 8, Pen{})
	b.Point(0, 0, Pen{})
	if got := lit(b); len(got) != 2 || got[0] != [2]int{5, 0} || got[1] != [2]int{0, 7} {
		t.Errorf("corners lit %v", got)
	}
}

func TestCellOfItsMiddle(t *testing.T) {
	b := canvas(40, 12, Window{Range{-3, 5}, Range{1, 2}})
	for cy := range 12 {
		for cx := range 40 {
			x, y := -3+8*(float64(cx)+0.5)/40, 2-(float64(cy)+0.5)/12
			if gx, gy, ok := b.Cell(x, y); !ok || gx != cx || gy != cy {
				t.Fatalf("(%d, %d) to (%v, %v) to (%d, %d)", cx, cy, x, y, gx, gy)
			}
		}
	}
}

func TestLayers(t *testing.T) {
	red, blue := plane.Style{FG: theme.RGB(9, 0, 0)}, plane.Style{FG: theme.RGB(0, 0, 9)}
	b := canvas(1, 1, Window{Range{0, 2}, Range{0, 4}})
	b.Point(0.5, 0.5, Pen{Style: red, Layer: LayerContour})
	b.Point(1.5, 3.5, Pen{Style: blue})
	if got := lit(b); len(got) != 1 || b.cells[0].style != blue {
		t.Errorf("a draw must hide the contour beneath it: %v", got)
	}
	b.Point(0.5, 3.5, Pen{Style: red})
	if got := lit(b); len(got) != 2 || b.cells[0].style != red {
		t.Errorf("draws share a cell, the newest style wins: %v", got)
	}
	b.Point(0.5, 0.5, Pen{Style: blue, Layer: LayerContour})
	if got := lit(b); len(got) != 2 || b.cells[0].style != red {
		t.Errorf("a contour must not show in a draw's cell: %v", got)
	}
	b.Mark(1, 1, '●', Pen{Style: blue})
	b.Line(0, 0, 2, 4, Pen{Style: red, Layer: LayerLine})
	if b.cells[0].glyph != '●' || b.cells[0].style != blue {
		t.Error("a mark stays on top")
	}
	if b.Mark(9, 9, '●', Pen{}) {
		t.Error("a mark outside is not drawn")
	}
}

// TestLineIsConnected: from end to end, one dot a step of the longer side, each
// within half a dot of the exact line.
func TestLineIsConnected(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 500 {
		b := canvas(40, 15, Window{Range{0, 80}, Range{0, 60}})
		x0, y0, x1, y1 := r.IntN(80), r.IntN(60), r.IntN(80), r.IntN(60)
		b.Line(float64(x0)+0.5, float64(y0)+0.5, float64(x1)+0.5, float64(y1)+0.5, Pen{})
		dots := lit(b)
		if want := max(abs(x1-x0), abs(y1-y0)) + 1; len(dots) != want {
			t.Fatalf("(%d,%d) to (%d,%d): %d dots, want %d", x0, y0, x1, y1, len(dots), want)
		}
		n := math.Hypot(float64(x1-x0), float64(y1-y0))
		for _, d := range dots {
			dx, dy := float64(d[0]-x0), float64(59-d[1]-y0)
			if off := math.Abs(dx*float64(y1-y0)-dy*float64(x1-x0)) / max(n, 1); off > 0.51 {
				t.Fatalf("dot %v is %.2f off", d, off)
			}
		}
	}
}

// TestLineClips: a line whose ends are far outside lights the same dots, up to
// one, as the exact line through the window.
func TestLineClips(t *testing.T) {
	b := canvas(20, 10, Window{Range{0, 40}, Range{0, 40}})
	b.Line(-1e12, -1e12, 1e12, 1e12, Pen{})
	if got := lit(b); len(got) != 40 {
		t.Errorf("the diagonal has %d dots, want 40", len(got))
	}
	for _, d := range lit(b) {
		if abs(d[0]+d[1]-39) > 1 {
			t.Errorf("dot %v is off the diagonal", d)
		}
	}
	b = canvas(20, 10, Window{Range{0, 40}, Range{0, 40}})
	for _, l := range [][4]float64{
		{-5, -5, -5, 100}, {0, 41, 40, 41}, {-30, 20, 20, -30}, {1e300, 1e300, 1e300, -1e300},
		{math.NaN(), 0, 1, 1}, {0, 0, math.Inf(1), 1}, {math.Inf(-1), math.Inf(1), math.Inf(1), math.Inf(1)},
		{-math.MaxFloat64, 0, math.MaxFloat64, 0},
	} {
		b.Line(l[0], l[1], l[2], l[3], Pen{})
	}
	if got := lit(b); len(got) != 0 {
		t.Errorf("outside lit %v", got)
	}
}

func TestDash(t *testing.T) {
	b := canvas(10, 1, Window{Range{0, 20}, Range{0, 4}})
	b.Polyline([]float64{0.5, 7.5, 19.5}, []float64{2, 2, 2}, Pen{Dash: 2})
	for _, d := range lit(b) {
		if d[0]%4 >= 2 {
			t.Errorf("dot %v should be off", d)
		}
	}
	if n := len(lit(b)); n != 10 {
		t.Errorf("%d dots, want 10", n)
	}
}

// TestEllipse: each dot satisfies the quadratic form to within what one dot's
// distance can change it.
func TestEllipse(t *testing.T) {
	mean, cov := [2]float64{0.3, -0.2}, [2][2]float64{{0.5, 0.3}, {0.3, 0.9}}
	det := cov[0][0]*cov[1][1] - cov[0][1]*cov[1][0]
	b := canvas(80, 40, Window{Range{-3, 3}, Range{-3, 3}})
	if !b.Ellipse(mean, cov, 2, Pen{}) {
		t.Fatal("a covariance was refused")
	}
	dots := lit(b)
	if len(dots) < 100 {
		t.Fatalf("%d dots", len(dots))
	}
	for _, d := range dots {
		x, y := -3+(float64(d[0])+0.5)/b.kx-mean[0], 3-(float64(d[1])+0.5)/b.ky-mean[1]
		q := math.Sqrt((cov[1][1]*x*x - 2*cov[0][1]*x*y + cov[0][0]*y*y) / det)
		// A dot is 6/160 units; the form's gradient is at most 1/√(smallest eigenvalue) = 1.75.
		if math.Abs(q-2) > 1.75*6/160 {
			t.Fatalf("dot %v is at %.3f sd, want 2", d, q)
		}
	}
	for _, bad := range [][2][2]float64{
		{{-1, 0}, {0, 1}}, {{1, 2}, {2, 1}}, {{math.NaN(), 0}, {0, 1}}, {{0, 1}, {1, 1}}, {{math.Inf(1), 0}, {0, 1}},
	} {
		if b.Ellipse(mean, bad, 1, Pen{}) {
			t.Errorf("%v is no covariance", bad)
		}
	}
	if !b.Ellipse(mean, [2][2]float64{{1, 1}, {1, 1}}, 1, Pen{}) || !b.Ellipse(mean, [2][2]float64{}, 1, Pen{}) {
		t.Error("singular covariances are covariances")
	}
}

// TestContours: level curves of a cone are circles; every dot of a level lies
// within a dot and a half of its radius, and the curve is closed all round.
func TestContours(t *testing.T) {
	for _, th := range []theme.Theme{planetest.Plain(), planetest.ASCII()} {
		win := Window{Range{-2, 2}, Range{-2, 2}}
		for _, radius := range []float64{0.7, 1.2, 1.8} {
			set := NewContours(th, 60, 30, win, []float64{radius}, math.Hypot)
			var b Braille
			b.Reset(th, 60, 30, win)
			b.Contours(set, nil, nil)
			var seen [24]bool
			for _, d := range lit(&b) {
				x, y := -2+(float64(d[0])+0.5)/b.kx, 2-(float64(d[1])+0.5)/b.ky
				if off := math.Abs(math.Hypot(x, y) - radius); off > 1.5/min(b.kx, b.ky) {
					t.Fatalf("radius %v: dot %v is %.3f off", radius, d, off)
				}
				seen[int((math.Atan2(y, x)/math.Pi+1)*12)%24] = true
			}
			for i, s := range seen {
				if !s {
					t.Errorf("radius %v: nothing at %d°", radius, i*15-180)
				}
			}
		}
	}
}

func TestContourHolesAndStyles(t *testing.T) {
	win := Window{Range{-2, 2}, Range{-2, 2}}
	half := func(x, y float64) float64 {
		if x < 0 {
			return math.NaN()
		}
		if y < -1 {
			return math.Inf(-1)
		}
		return math.Hypot(x, y)
	}
	th := planetest.Dark()
	set := NewContours(th, 40, 20, win, []float64{1.5, math.NaN(), 0.5}, half)
	var b Braille
	b.Reset(th, 40, 20, win)
	b.Contours(set, th.Contour[:], nil)
	styles := map[plane.Style]int{}
	for i, c := range b.cells {
		if c.bits == 0 {
			continue
		}
		styles[c.style]++
		if i%40 < 19 || i/40 > 15 {
			t.Fatalf("a dot at cell (%d, %d), where the function has no value", i%40, i/40)
		}
	}
	if len(styles) != 2 || styles[th.Contour[0]] == 0 || styles[th.Contour[2]] == 0 {
		t.Errorf("levels must take their own styles: %v", styles)
	}
	if !set.Fits(th, 40, 20, win) || set.Fits(th, 41, 20, win) || set.Fits(planetest.ASCII(), 40, 20, win) ||
		set.Fits(th, 40, 20, Window{}) || (*ContourSet)(nil).Fits(th, 0, 0, Window{}) {
		t.Error("Fits")
	}
	b.Reset(th, 41, 20, win)
	b.Contours(set, nil, nil)
	if len(lit(&b)) != 0 {
		t.Error("a set for another size must not be drawn")
	}
}

func TestWindow(t *testing.T) {
	w := Window{Range{-1, 1}, Range{-1, 1}}.Equal(planetest.Plain(), 40, 10)
	if w != (Window{Range{-2, 2}, Range{-1, 1}}) {
		t.Errorf("%v", w)
	}
	w = Window{Range{-4, 4}, Range{0, 1}}.Equal(planetest.Plain(), 40, 40)
	if w != (Window{Range{-4, 4}, Range{-7.5, 8.5}}) {
		t.Errorf("%v", w)
	}
	one := NoValues()
	for _, v := range []float64{math.NaN(), 2, math.Inf(1)} {
		one.Add(v)
	}
	if got := one.Open(); got != (Range{1.8, 2.2}) {
		t.Errorf("%v", got)
	}
	if NoValues().Open().Set() || (Range{math.MaxFloat64, math.MaxFloat64}).Open().Set() {
		t.Error("no range without values")
	}
	got := (Window{Range{0, 1}, Range{0, 1}}).Grow(0.5).Union(Window{})
	if got != (Window{Range{-0.5, 1.5}, Range{-0.5, 1.5}}) {
		t.Errorf("%v", got)
	}
}

func scene(g plane.Region, th theme.Theme) {
	plot := Plot(g)
	all := Window{Range{-1.6, 1.6}, Range{-3.2, 3.2}}.True(th, plot.W(), plot.H(), 0)
	all.Axes(g, th, "x", "y")
	win := all.Window
	var b Braille
	b.Reset(th, plot.W(), plot.H(), win)
	b.Contours(NewContours(th, plot.W(), plot.H(), win, sigmaLevels(0, 6), logDensity), th.Contour[:], nil)
	xs, ys := cloud(120)
	for i := range xs {
		b.Point(xs[i], ys[i], Pen{Style: th.Lane[0].TrailAt(1 - float64(i)/120)})
	}
	b.Ellipse([2]float64{}, [2][2]float64{{0.16, 0}, {0, 1}}, 2, Pen{Style: th.Truth, Layer: LayerLine, Dash: 2})
	b.Mark(xs[119], ys[119], th.Lane[0].Glyph, Pen{Style: th.Lane[0].Trail[5]})
	b.Draw(plot, th)
}

func TestScene(t *testing.T) {
	for _, th := range []theme.Theme{planetest.Plain(), planetest.ASCII()} {
		for _, s := range [][2]int{{58, 17}, {38, 10}, {14, 5}} {
			name := fmt.Sprintf("scene-%dx%d", s[0], s[1])
			if th.ASCII {
				name += "-ascii"
			}
			goldentest.Text(t, name, planetest.Picture(th, s[0], s[1], func(g plane.Region) { scene(g, th) }))
		}
	}
}

func TestCanvasAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 250 {
		th := planetest.Themes()[r.IntN(5)]
		w, h := planetest.Size(r), planetest.Size(r)/3
		planetest.Guarded(t, th, w, h, func(g plane.Region) {
			win := Window{Range{planetest.Hostile(r), planetest.Hostile(r)},
				Range{planetest.Hostile(r), planetest.Hostile(r)}}
			if r.IntN(2) == 0 {
				win = Window{NoValues(), NoValues()}
				for _, v := range planetest.Floats(r, 9) {
					win.X.Add(v)
					win.Y.Add(v / 3)
				}
				win = Window{win.X.Open(), win.Y.Open()}.Grow(r.Float64())
			}
			plot := Plot(g)
			l := win.True(th, plot.W(), plot.H(), r.Float64()/2)
			if r.IntN(2) == 0 {
				l = win.Free(plot.W(), plot.H())
			}
			l.Axes(g, th, "x", "θ₂")
			win = l.Window
			var b Braille
			b.Reset(th, plot.W()+r.IntN(3)-1, plot.H()+r.IntN(3)-1, win)
			if w*h < 4000 {
				b.Contours(NewContours(th, plot.W(), plot.H(), win, planetest.Floats(r, 4), func(x, y float64) float64 {
					if r.IntN(9) == 0 {
						return planetest.Hostile(r)
					}
					return x * y
				}), th.Contour[:], nil)
			}
			xs, ys := planetest.Floats(r, 50), planetest.Floats(r, 50)
			pen := Pen{Thick: r.IntN(2) == 0, Layer: uint8(r.IntN(7)), Dash: uint8(r.IntN(4))}
			b.Polyline(xs, ys, pen)
			for i := range xs {
				b.Point(xs[i], ys[i], pen)
				b.Mark(xs[i], ys[i], '世', pen)
				b.Ellipse([2]float64{xs[i], ys[i]},
					[2][2]float64{{planetest.Hostile(r), planetest.Hostile(r)},
						{planetest.Hostile(r), planetest.Hostile(r)}}, planetest.Hostile(r), pen)
			}
			b.Draw(plot, th)
		})
	}
}

// sigmaLevels are the levels of a log density at n distances below its peak,
// outermost first: peak - k²/2 for k = n/2, …, 1, ½. For a Gaussian these are
// its contours at k standard deviations.
func sigmaLevels(peak float64, n int) []float64 {
	out := make([]float64, max(n, 0))
	for i := range out {
		k := float64(n-i) / 2
		out[i] = peak - k*k/2
	}
	return out
}
