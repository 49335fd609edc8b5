package chart

import (
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/planetest"

	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// stage is a whole screen as a program would hold it: two planes of draws over
// contours and two line charts in four boxes, and a row of sliders.
type stage struct {
	th        theme.Theme
	plane     *plane.Plane
	canvas    [2]Braille
	contours  [2]*ContourSet
	lines     [2]Lines
	xs, ys    []float64
	steps     []float64
	fast      []float64
	slow      []float64
	top, mid  []plane.Rect
	bottom    plane.Rect
	names     [2]string
	lineTitle [2]string
}

func newStage(th theme.Theme, w, h, draws, points int) *stage {
	s := &stage{th: th, plane: plane.NewPlane(w, h), names: [2]string{"A pSGLD", "B SGLD"},
		lineTitle: [2]string{"covariance error (log)", "the same, linear"}}
	s.plane.ASCII = th.ASCII
	s.xs, s.ys = cloud(draws)
	s.steps, s.fast, s.slow = curves(points)
	halves := func(r plane.Rect) []plane.Rect {
		left, right := r.CutLeft(r.W / 2)
		return []plane.Rect{left, right}
	}
	bottom, rest := s.plane.Bounds().CutBottom(1)
	top, mid := rest.CutTop(rest.H * 3 / 5)
	s.top, s.mid, s.bottom = halves(top), halves(mid), bottom
	for i := range s.lines {
		s.lines[i].Marks = []VMark{{4000, "ε 0.1→0.3"}, {9000, "α 0.9"}}
		s.lines[i].Y.Log = i == 0
	}
	return s
}

func (s *stage) draw() {
	th, p := s.th, s.plane
	p.Clear()
	for i, r := range s.top {
		lane := th.Lane[i]
		in := p.Sub(r).Box(th,
			plane.Box{Title: s.names[i], Mark: lane.Glyph, MarkStyle: lane.Style, Right: "ε 0.300", Focused: i == 0})
		foot, body := in.Bounds().CutBottom(1)
		numbers := in.Sub(foot)
		numbers.Text(1, 0, "error       τ      ESS", th.Dim)
		numbers.TextRight(7+5, 0, plane.Number(0.153, 5), th.Text)
		numbers.TextRight(15+4, 0, plane.Number(6.9, 4), th.Text)
		numbers.TextRight(24+6, 0, plane.Number(1016, 6), th.Text)

		plot := Plot(in.Sub(body))
		all := Window{Range{-1.6, 1.6}, Range{-3.2, 3.2}}.True(th, plot.W(), plot.H(), 0)
		win := all.Window
		if !s.contours[i].Fits(th, plot.W(), plot.H(), win) {
			s.contours[i] = NewContours(th, plot.W(), plot.H(), win, sigmaLevels(0, 6), logDensity)
		}
		all.Axes(in.Sub(body), th, "", "")
		c := &s.canvas[i]
		c.Reset(th, plot.W(), plot.H(), win)
		c.Contours(s.contours[i], th.Contour[:], nil)
		for k := range s.xs {
			c.Point(s.xs[k], s.ys[k], Pen{Style: lane.TrailAt(1 - float64(k)/float64(len(s.xs)))})
		}
		c.Ellipse([2]float64{0.02, 0.1}, [2][2]float64{{0.2, 0.1}, {0.1, 1.1}}, 2,
			Pen{Style: lane.Style, Layer: LayerLine})
		c.Ellipse([2]float64{}, [2][2]float64{{0.16, 0}, {0, 1}}, 2, Pen{Style: th.Truth, Layer: LayerLine, Dash: 2})
		last := len(s.xs) - 1
		c.Mark(s.xs[last], s.ys[last], lane.Glyph, Pen{Style: lane.Trail[theme.TrailShades-1]})
		c.Draw(plot, th)
	}
	for i, r := range s.mid {
		c := &s.lines[i]
		c.Series = append(c.Series[:0], laneSeries(th, 0, "pSGLD", s.steps, s.fast),
			laneSeries(th, 1, "SGLD", s.steps, s.slow))
		c.Draw(p.Sub(r).Box(th, plane.Box{Title: s.lineTitle[i]}), th)
	}
	strip := p.Sub(s.bottom)
	x := strip.Text(1, 0, "ε 0.300 ", th.Text)
	Slider(strip.Sub(plane.Rect{X: x, W: 12, H: 1}), th, 0.6, plane.Style{})
	x = strip.Text(x+14, 0, "α 0.9900 ", th.Dim)
	Slider(strip.Sub(plane.Rect{X: x, W: 12, H: 1}), th, 0.9, plane.Style{})
}

func TestFrameGolden(t *testing.T) {
	for name, s := range map[string]*stage{
		"frame-80x24":        newStage(planetest.Plain(), 80, 24, 300, 600),
		"frame-120x36":       newStage(planetest.Plain(), 120, 36, 600, 600),
		"frame-200x60":       newStage(planetest.Plain(), 200, 60, 2000, 600),
		"frame-120x36-ascii": newStage(planetest.ASCII(), 120, 36, 600, 600),
	} {
		s.draw()
		goldentest.Text(t, name, s.plane.RenderPlain())
		planetest.CheckSize(t, s.plane)
	}
}

// TestFrameRepeats: a frame does not depend on the one before it.
func TestFrameRepeats(t *testing.T) {
	s := newStage(planetest.Dark(), 120, 36, 600, 600)
	s.draw()
	first := s.plane.Render()
	for range 3 {
		s.draw()
		if s.plane.Render() != first {
			t.Fatal("the same data gave another frame")
		}
	}
}

// BenchmarkFrame is a whole 200×60 frame: four boxes, two planes of 2,000 draws
// over cached contours, two line charts of two series of 2,000 points.
func BenchmarkFrame(b *testing.B) {
	s := newStage(planetest.Dark(), 200, 60, 2000, 2000)
	b.ReportAllocs()
	for b.Loop() {
		s.draw()
		_ = s.plane.Render()
	}
}

// BenchmarkPlanes is the same frame without its line charts, so that what
// asciigraph allocates is apart.
func BenchmarkPlanes(b *testing.B) {
	s := newStage(planetest.Dark(), 200, 60, 2000, 2000)
	s.mid = nil
	b.ReportAllocs()
	for b.Loop() {
		s.draw()
		_ = s.plane.Render()
	}
}

func BenchmarkLines(b *testing.B) {
	th := planetest.Dark()
	s := newStage(th, 98, 20, 1, 2000)
	s.lines[0].Series = []Series{laneSeries(th, 0, "pSGLD", s.steps, s.fast),
		laneSeries(th, 1, "SGLD", s.steps, s.slow)}
	b.ReportAllocs()
	for b.Loop() {
		s.plane.Clear()
		s.lines[0].Draw(s.plane.Region(), th)
	}
}

func BenchmarkRender(b *testing.B) {
	s := newStage(planetest.Dark(), 200, 60, 2000, 2000)
	s.draw()
	b.ReportAllocs()
	for b.Loop() {
		_ = s.plane.Render()
	}
	b.ReportMetric(float64(len(s.plane.Render())), "bytes/frame")
}

// BenchmarkRenderWorst has another colour in every cell.
func BenchmarkRenderWorst(b *testing.B) {
	p := plane.NewPlane(200, 60)
	for y := range 60 {
		for x := range 200 {
			p.Region().Set(x, y, 0x2800+rune(x), plane.Style{FG: theme.RGB(uint8(x), uint8(y), uint8(x*y))})
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		_ = p.Render()
	}
}

func BenchmarkContours(b *testing.B) {
	th := planetest.Dark()
	levels := sigmaLevels(0, 6)
	b.ReportAllocs()
	for b.Loop() {
		NewContours(th, 92, 30, Window{Range{-1.6, 1.6}, Range{-3.2, 3.2}}, levels, logDensity)
	}
}

func BenchmarkHistogram(b *testing.B) {
	th := planetest.Dark()
	h := histogram(th, 2)
	p := plane.NewPlane(98, 20)
	b.ReportAllocs()
	for b.Loop() {
		p.Clear()
		h.Draw(p.Region(), th)
	}
}
