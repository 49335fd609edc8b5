package report

import (
	"math"

	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// panel draws one panel: title, label of Y, plot with its axes, label of X.
func (d *figureDrawing) panel(g plane.Region, i int) {
	p, looks := d.panels[i], d.looks[i]
	th := d.th
	rest := g.Bounds()
	var row plane.Rect
	if d.titled {
		row, rest = rest.CutTop(1)
		title := plainText(th, p.Title)
		at := g.Sub(row)
		at.TextFit(max((at.W()-plane.Width(title))/2, 0), 0, at.W(), th, title, th.Title)
	}
	if d.labelled {
		row, rest = rest.CutTop(1)
		at := g.Sub(row)
		at.TextFit(0, 0, at.W(), th, plainText(th, p.Y.Label), th.Dim)
		row, rest = rest.CutBottom(1)
		label := plainText(th, p.X.Label)
		at = g.Sub(row)
		at.TextFit(max(at.W()-plane.Width(label), 0), 0, at.W(), th, label, th.Dim)
	}
	if lines, ok := d.curves(p, looks); ok {
		if s, k, ok := d.marked(i); ok {
			lines.Top, lines.Cross, lines.Crossed = d.at.Series+1, s.X[k], true
		}
		at := lines.Draw(g.Sub(rest), th)
		_, ys := p.Spans()
		d.find(i, at.Plot, figure.Span{Lo: at.Lo, Hi: at.Hi, Log: at.Log, Empty: !at.OK}, ys)
		return
	}
	d.plane(g.Sub(rest), i)
}

// marked is the series and the point of panel i that has the cross.
func (d *figureDrawing) marked(i int) (s *figure.Series, point int, ok bool) {
	if d.at == nil || d.at.Panel != i || d.at.Series >= len(d.panels[i].Series) {
		return nil, 0, false
	}
	s = &d.panels[i].Series[d.at.Series]
	return s, d.at.Point, d.at.Point < min(len(s.X), len(s.Y))
}

// find lists the points of panel i that are of sessions and lie in its plot.
func (d *figureDrawing) find(i int, plot plane.Rect, xs, ys figure.Span) {
	for j := range d.panels[i].Series {
		s := &d.panels[i].Series[j]
		if s.Style == figure.Steps {
			continue // a bin is no point
		}
		for k := range min(len(s.X), len(s.Y)) {
			fx, fy := xs.Frac(s.X[k]), ys.Frac(s.Y[k])
			if fx >= 0 && fx <= 1 && fy >= 0 && fy <= 1 && len(s.SessionsOf(k)) > 0 {
				d.spots = append(d.spots,
					Spot{i, j, k, plot.X + min(int(fx*float64(plot.W)), plot.W-1),
						plot.Y + min(int((1-fy)*float64(plot.H)), plot.H-1)})
			}
		}
	}
}

// curves is the line chart of a panel of a few curves of two points or more, whose characters tell them apart.
func (d *figureDrawing) curves(p figure.Panel, looks []figure.Look) (*chart.Lines, bool) {
	xs, ys := p.Spans()
	if len(p.Series) == 0 || len(p.Series) > chart.MaxSeries || len(p.Contours) > 0 || xs.Empty || ys.Empty {
		return nil, false
	}
	c := &chart.Lines{X: chart.Scale{Log: xs.Log, Fix: true, Range: chart.Range{Lo: xs.Lo, Hi: xs.Hi}},
		Y: chart.Scale{Log: ys.Log, Fix: true, Range: chart.Range{Lo: ys.Lo, Hi: ys.Hi}}}
	most := 0
	for i, s := range p.Series {
		if s.Style != figure.Line {
			return nil, false
		}
		x, y := s.Path()
		in := make([]float64, len(y)) // Lines would draw points above or below at the edge
		n := 0
		for k := range y {
			in[k] = math.NaN()
			if fx, fy := xs.Frac(x[k]), ys.Frac(y[k]); fx >= 0 && fx <= 1 && fy >= 0 && fy <= 1 {
				in[k] = y[k]
				n++
			}
		}
		most = max(most, n)
		c.Series = append(c.Series, chart.Series{
			Name:  s.Name,
			X:     x,
			Y:     in,
			Style: lookStyle(d.th, looks[i]),
			Glyph: markRune(d.th, looks[i], s.Paper),
			Line:  lineGlyph(looks[i], s.Paper),
		})
	}
	return c, most >= 2
}

// plane draws points, lines with marks, steps and contours as dots.
func (d *figureDrawing) plane(g plane.Region, i int) {
	const labels = 6
	p, looks := d.panels[i], d.looks[i]
	th := d.th
	rest := g.Bounds()
	below, rest := rest.CutBottom(2)
	left, rest := rest.CutLeft(labels + 1)
	_, below = below.CutLeft(labels + 1)
	plot := g.Sub(rest)
	xs, ys := p.Spans()
	if xs.Empty || ys.Empty {
		g.VLine(labels, 0, rest.H, th.Glyphs.Vertical, th.Faint)
		g.HLine(labels, rest.H, rest.W+1, th.Glyphs.Horizontal, th.Faint)
		g.Set(labels, rest.H, th.Glyphs.AxisCorner, th.Faint)
		plot.TextCenter(rest.H/2, "no data", th.Faint)
		return
	}
	x, y := chart.FitX(chart.Range{Lo: xs.Lo, Hi: xs.Hi}, xs.Log, rest.W),
		chart.FitY(chart.Range{Lo: ys.Lo, Hi: ys.Hi}, ys.Log, rest.H, labels)
	xs.Lo, xs.Hi, xs.Log = x.Lo, x.Hi, x.Log
	ys.Lo, ys.Hi, ys.Log = y.Lo, y.Hi, y.Log
	var canvas chart.Braille
	canvas.Reset(th, rest.W, rest.H, chart.Window{X: chart.Range{Hi: 1}, Y: chart.Range{Hi: 1}})
	for i, e := range p.Contours {
		fx, fy := fractions(xs, ys)(e.Path(120))
		canvas.Polyline(fx, fy,
			chart.Pen{Style: th.Contour[min(theme.ContourShades-1, 2*i+1)], Layer: chart.LayerContour})
	}
	for _, paper := range [...]bool{false, true} {
		for i, s := range p.Series {
			if s.Paper == paper {
				d.series(&canvas, s, looks[i], xs, ys)
			}
		}
	}
	d.find(i, plot.Rect(), xs, ys)
	if s, k, ok := d.marked(i); ok {
		fx, fy := xs.Frac(s.X[k]), ys.Frac(s.Y[k])
		pen := chart.Pen{Style: th.Dim, Layer: chart.LayerGrid}
		canvas.Line(fx, 0, fx, 1, pen)
		canvas.Line(0, fy, 1, fy, pen)
	}
	canvas.Draw(plot, th)
	y.LabelY(g.Sub(left), th)
	x.LabelX(g.Sub(below), th)
	g.Set(labels, rest.H, th.Glyphs.AxisCorner, th.Faint)
}

// fractions places points on the axes, NaN where an axis cannot show the value.
func fractions(xs, ys figure.Span) func(x, y []float64) (fx, fy []float64) {
	return func(x, y []float64) (fx, fy []float64) {
		for i := range x {
			fx = append(fx, xs.Frac(x[i]))
			fy = append(fy, ys.Frac(y[i]))
		}
		return fx, fy
	}
}

// series draws one series on a canvas of fractions.
func (d *figureDrawing) series(canvas *chart.Braille, s figure.Series, l figure.Look, xs, ys figure.Span) {
	const many = 60 // points, beyond which not each has a mark
	style := lookStyle(d.th, l)
	x, y := s.Path()
	fx, fy := fractions(xs, ys)(x, y)
	pen := chart.Pen{Style: style, Layer: chart.LayerLine}
	if s.Paper {
		pen.Dash = 2
	}
	if s.Style != figure.Points {
		canvas.Polyline(fx, fy, pen)
	}
	mark := markRune(d.th, l, s.Paper)
	if s.Style == figure.Steps {
		top := -1
		for i := range fy {
			if drawable(fx[i]) && drawable(fy[i]) && (top < 0 || fy[i] > fy[top]) {
				top = i
			}
		}
		if top >= 0 { // in the middle of the highest bin
			other := top ^ 1
			canvas.Mark(fx[top]/2+fx[other]/2, fy[top], mark, chart.Pen{Style: style})
		}
		return
	}
	for i := range min(len(fx), len(s.Err)) {
		if se := s.Err[i]; se > 0 && fx[i] >= 0 && fx[i] <= 1 && fy[i] >= 0 && fy[i] <= 1 {
			lo, hi := ys.Frac(y[i]-se), ys.Frac(y[i]+se)
			if math.IsNaN(lo) { // below a logarithmic axis
				lo = 0
			}
			canvas.Line(fx[i], lo, fx[i], hi, chart.Pen{Style: style, Layer: chart.LayerGrid})
		}
	}
	for i := range fx {
		switch {
		case s.Style == figure.Points && len(fx) > many && !d.th.ASCII:
			canvas.Point(fx[i], fy[i], chart.Pen{Style: style})
		case s.Style == figure.Points, s.Style == figure.Both && len(fx) <= many, lonely(fx, fy, i),
			s.Style == figure.Line && !s.Paper && i%max(len(fx)/5, 1) == 0:
			canvas.Mark(fx[i], fy[i], mark, chart.Pen{Style: style})
		}
	}
}

// drawable reports whether a fraction of an axis is one.
func drawable(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// lonely reports whether a point has no neighbour that a line joins it to.
func lonely(x, y []float64, i int) bool {
	has := func(k int) bool { return k >= 0 && k < len(x) && drawable(x[k]) && drawable(y[k]) }
	return has(i) && !has(i-1) && !has(i+1)
}
