package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/internal/planetest"

	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

func TestSlider(t *testing.T) {
	for _, c := range []struct {
		frac           float64
		w              int
		unicode, ascii string
	}{
		{0.6, 10, "▕────●───▏", "[----o---]"},
		{0, 10, "▕●───────▏", "[o-------]"},
		{1, 10, "▕───────●▏", "[-------o]"},
		{-5, 4, "▕●─▏", "[o-]"},
		{math.Inf(1), 4, "▕─●▏", "[-o]"},
		{math.NaN(), 6, "▕────▏", "[----]"},
		{0.5, 3, "▕●▏", "[o]"},
		{0.5, 2, "", ""},
	} {
		for _, th := range []theme.Theme{planetest.Plain(), planetest.ASCII()} {
			want := c.unicode
			if th.ASCII {
				want = c.ascii
			}
			got := planetest.Picture(th, c.w, 1, func(g plane.Region) { Slider(g, th, c.frac, plane.Style{}) })
			if got != want {
				t.Errorf("%v in %d: %q, want %q", c.frac, c.w, got, want)
			}
		}
	}
}

// TestSliderDrag: dragging the knob to the cell it is on leaves it there.
func TestSliderDrag(t *testing.T) {
	for w := 4; w < 40; w++ {
		for x := 1; x < w-1; x++ {
			if got := 1 + SliderCell(SliderFrac(x, w), w); got != x {
				t.Errorf("width %d: column %d goes to %d", w, x, got)
			}
		}
	}
	if SliderFrac(-5, 10) != 0 || SliderFrac(50, 10) != 1 || SliderFrac(1, 3) != 0 {
		t.Error("a drag beyond the ends is clamped")
	}
}

func TestSparkline(t *testing.T) {
	th := planetest.Plain()
	for _, c := range []struct {
		values []float64
		h      int
		want   string
	}{
		{[]float64{0, 1. / 8, 2. / 8, 3. / 8, 4. / 8, 5. / 8, 6. / 8, 7. / 8, 1}, 1, "▁▂▃▄▅▆▇██"},
		{[]float64{0.5, math.NaN(), math.NaN(), 0.5}, 1, "▅  ▅"},
		{[]float64{0.75, 0.25}, 2, "▅\n█▅"},
		{[]float64{math.NaN()}, 1, ""},
	} {
		got := planetest.Picture(th, len(c.values), c.h, func(g plane.Region) {
			p := linePlot{Region: g, th: th, series: []Series{{}}, sx: 1, sy: 8,
				grid: [][]float64{make([]float64, len(c.values)+1)}}
			for i, v := range c.values {
				p.grid[0][i] = p.rowAt(v)
			}
			p.drawSparkline()
		})
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.values, got, c.want)
		}
	}
}

func TestBars(t *testing.T) {
	th := planetest.Plain()
	bars := []Bar{
		{Label: "A pSGLD", Glyph: '●', Value: 899},
		{Label: "B SGLD", Glyph: '▲', Value: 449.5},
		{Label: "a very long name of a sampler", Value: 0.3},
		{Label: "D", Glyph: '◆', Value: math.NaN()},
		{Label: "E", Value: 10, Text: "too short"},
		{Label: "F", Value: -5},
	}
	for _, s := range [][2]int{{60, 6}, {30, 6}, {9, 3}} {
		goldentest.Text(t, fmt.Sprintf("bars-%dx%d", s[0], s[1]),
			planetest.Picture(th, s[0], s[1], func(g plane.Region) { Bars(g, th, bars) }))
	}
	// A bar of half the full value fills half its room.
	got, _, _ := strings.Cut(planetest.Picture(th, 40, 2, func(g plane.Region) {
		Bars(g, th, []Bar{{Value: 1, Text: "x"}, {Value: 2}})
	}), "\n")
	if n := strings.Count(got, "█"); n != 16 || strings.Count(got, "·") != 16 {
		t.Errorf("%q: %d full cells of 32, want 16", got, n)
	}
}

func histogram(th theme.Theme, lanes int) *Histogram {
	xs, _ := cloud(4000)
	h := &Histogram{Range: Range{-1.6, 1.6}, Axis: true, Truth: func(x float64) float64 {
		return math.Exp(-x*x/0.32) / math.Sqrt(0.32*math.Pi)
	}}
	for i := range lanes {
		d := make([]float64, 32)
		for _, x := range xs {
			x = x*(1+0.3*float64(i)) + 0.2*float64(i)
			if b := int(math.Floor((x + 1.6) / 0.1)); b >= 0 && b < 32 {
				d[b] += 1 / (4000 * 0.1)
			}
		}
		h.Lanes = append(h.Lanes, LaneHist(laneAt(th, i), d))
	}
	return h
}

func TestHistogramGolden(t *testing.T) {
	for _, th := range []theme.Theme{planetest.Plain(), planetest.ASCII()} {
		for _, s := range []struct{ lanes, w, h int }{{1, 64, 14}, {2, 64, 14}, {2, 20, 5}, {1, 8, 2}} {
			name := fmt.Sprintf("hist%d-%dx%d", s.lanes, s.w, s.h)
			if th.ASCII {
				name += "-ascii"
			}
			goldentest.Text(t, name,
				planetest.Picture(th, s.w, s.h, func(g plane.Region) { histogram(th, s.lanes).Draw(g, th) }))
		}
	}
}

// TestHistogramHeights: columns are as high as their bins, in eighths.
func TestHistogramHeights(t *testing.T) {
	th := planetest.Plain()
	d := []float64{0, 0.125, 1, 2, 4, 8}
	h := Histogram{Range: Range{0, 6}, Lanes: []HistSeries{{density: d}}}
	p := plane.NewPlane(6, 8)
	h.Draw(p.Region(), th)
	for x, v := range d {
		eighths := 0
		for y := range 8 {
			for i, r := range th.Glyphs.VBlock {
				if i > 0 && p.Region().At(x, y) == r {
					eighths += i
				}
			}
		}
		if want := int(v * 8); eighths != want {
			t.Errorf("bin %d: %d eighths, want %d", x, eighths, want)
		}
	}
	// Each bin's mass is kept when bins and columns differ.
	for _, w := range []int{1, 2, 4, 5, 7, 30} {
		sum := 0.0
		for x := range w {
			n := float64(len(d))
			sum += densityAt(d, float64(x)/float64(w)*n, float64(x+1)/float64(w)*n) / float64(w)
		}
		if want := 15.125 / 6; math.Abs(sum-want) > 1e-12 {
			t.Errorf("%d columns hold %v, want %v", w, sum, want)
		}
	}
}

// TestHistogramOverlay: in colour a cell below both bars has the mixed colour
// and a cell below one only that lane's.
func TestHistogramOverlay(t *testing.T) {
	th := planetest.Dark()
	h := Histogram{Range: Range{0, 2},
		Lanes: []HistSeries{LaneHist(laneAt(th, 0), []float64{4, 2}), LaneHist(laneAt(th, 1), []float64{2, 4})}}
	p := plane.NewPlane(2, 4)
	h.Draw(p.Region(), th)
	at := func(x, y int) plane.Color { return p.Region().StyleAt(x, y).FG }
	if at(0, 3) != at(1, 3) || at(0, 0) == at(1, 0) || at(0, 3) == at(0, 0) {
		t.Errorf("both %x %x, first %x, second %x", at(0, 3), at(1, 3), at(0, 0), at(1, 0))
	}
}

func TestHistogramWithoutData(t *testing.T) {
	th := planetest.Plain()
	for _, h := range []Histogram{
		{}, {Range: Range{0, 1}}, {Range: Range{0, 1}, Lanes: []HistSeries{{}}},
		{Range: Range{1, 1}, Lanes: []HistSeries{{density: []float64{1}}}},
		{Range: Range{0, math.Inf(1)}, Lanes: []HistSeries{{density: []float64{1}}}},
		{Range: Range{0, 1}, Lanes: []HistSeries{{density: []float64{math.NaN(), 0, -1, math.Inf(1)}}}},
	} {
		got := strings.TrimSpace(planetest.Picture(th, 30, 5, func(g plane.Region) { h.Draw(g, th) }))
		if got != "no data yet" {
			t.Errorf("%v: %q", h, got)
		}
	}
}

func TestStripsAnywhere(t *testing.T) {
	innerlooptest.Skip(t, "random strips")
	r := rand.New(rand.NewPCG(23, 24))
	for range 500 {
		th := planetest.Themes()[r.IntN(5)]
		w, h := planetest.Size(r), planetest.Size(r)/3
		planetest.Guarded(t, th, w, h, func(g plane.Region) {
			switch r.IntN(4) {
			case 0:
				c := Lines{Series: []Series{{Y: planetest.Floats(r, r.IntN(500))}}}
				c.Draw(g, th)
			case 1:
				var bars []Bar
				for range r.IntN(20) {
					bars = append(bars,
						Bar{Label: strings.Repeat("ε世", r.IntN(20)), Glyph: rune(r.IntN(2)) * '▲',
							Value: planetest.Hostile(r), Text: strings.Repeat("t", r.IntN(12))})
				}
				Bars(g, th, bars)
			case 2:
				Slider(g, th, planetest.Hostile(r), plane.Style{Attr: theme.Attr(r.IntN(32))})
			case 3:
				c := Histogram{Range: Range{planetest.Hostile(r), planetest.Hostile(r)}, Axis: r.IntN(2) == 0,
					Side: r.IntN(3) == 0}
				if r.IntN(2) == 0 {
					c.Lo, c.Hi = -1, 1
				}
				for i := range r.IntN(4) {
					c.Lanes = append(c.Lanes, LaneHist(laneAt(th, i), planetest.Floats(r, r.IntN(90))))
				}
				if r.IntN(2) == 0 {
					c.Truth = func(float64) float64 { return planetest.Hostile(r) }
				}
				c.Draw(g, th)
			}
		})
	}
}

// A curve with no room for axes is a sparkline over its whole range.
func TestSmallCurve(t *testing.T) {
	th := planetest.Plain()
	c := &Lines{Series: []Series{{X: []float64{0, 1, 2, 3}, Y: []float64{0, 1, 2, 3}}}}
	if got := planetest.Picture(th, 7, 1, func(g plane.Region) { c.Draw(g, th) }); strings.TrimSpace(got) != "▁▃▆█" {
		t.Errorf("from the least to the greatest: %q", got)
	}
}
