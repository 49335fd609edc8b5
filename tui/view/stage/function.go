package stage

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// mostData is how many data are drawn at most, evenly spread.
const mostData = 2000

// function is a target's function in a pane, with its data and its truth.
type function struct {
	*scene
	t     targets.Functional
	truth *targets.Reference // nil where it is not known
	data  dataset.Points
	every int // one of so many data is drawn
	names [2]string
}

// drawFunction draws what draws are as functions in a pane's box: of a regression bands and curves, of a
// classification a map and boundaries. The first lane's is beneath, and others are lines over it.
func (p *scene) drawFunction(box, g plane.Region, f *pane.Frame, t targets.Functional, first *engine.LaneView) {
	w := &function{scene: p, t: t, truth: f.Problem().Function, data: t.Data(dataset.Train), names: [2]string{"x", "y"}}
	if w.truth != nil && len(w.truth.Quantiles) != w.places() {
		w.truth = nil
	}
	w.every = len(w.data.Y)/mostData + 1
	plot := chart.Plot(g)
	win := w.window(f, plot)
	if t.Inputs() == 2 {
		w.names = [2]string{"x₁", "x₂"}
	}
	win.Axes(g, f.Theme, w.names[0], w.names[1])
	p.canvas.Reset(f.Theme, plot.W(), plot.H(), win.Window)
	if t.Inputs() == 1 {
		w.curves(f, first)
	} else {
		w.heat(plot, f, first)
	}
	p.canvas.Draw(plot, f.Theme)
	if w.of(first) == nil {
		g.TextCenter(g.H()/2, f.Reason("no draws yet"), f.Theme.Dim)
	}
	w.show(box, f)
}

func (w *function) places() int { return len(w.t.Places()) / w.t.Inputs() }

// of is what a lane's draws are as functions, nil without any.
func (w *function) of(v *engine.LaneView) *engine.FunctionView {
	if v.Function == nil || len(v.Function.Mean) != w.places() || len(v.Function.SD) != w.places() {
		return nil
	}
	return v.Function
}

// window is what is visible: all places, of a regression the data and the truth's band, zoomed.
func (w *function) window(f *pane.Frame, plot plane.Region) chart.Lattice {
	in, cols, rows := w.t.Inputs(), plot.W(), plot.H()
	whole := chart.Window{X: chart.NoValues(), Y: chart.NoValues()}
	for i, x := range w.t.Places() {
		if i%in == 0 {
			whole.X.Add(x)
		} else {
			whole.Y.Add(x)
		}
	}
	fit := func(win chart.Window) chart.Lattice { return w.fit(f, win, plot, 0) }
	if in == 1 {
		for i, y := range w.data.Y {
			whole.X.Add(w.data.X[i])
			whole.Y.Add(y)
		}
		if w.truth == nil { // a band is wider than the data
			whole.Y = whole.Y.Grow(0.25)
		} else {
			for _, q := range w.truth.Quantiles {
				whole.Y.Add(q[0])
				whole.Y.Add(q[2])
			}
		}
		whole.Y = whole.Y.Grow(0.04).Open()
		fit = func(win chart.Window) chart.Lattice { return win.Free(cols, rows) }
	}
	all := fit(whole)
	win := all
	if shown := f.Window(pane.CoordX, pane.CoordY, all.Window); shown != all.Window {
		win = fit(shown)
	}
	w.at = planeAt{plot, win, all.Window}
	return win
}

// along interpolates values at even places linearly, NaN outside of them.
func along(places, values []float64, x float64) float64 {
	last := len(places) - 1
	t := (x - places[0]) / (places[last] - places[0]) * float64(last)
	if !(t >= 0 && t <= float64(last)) || len(values) <= last {
		return math.NaN()
	}
	i := min(int(t), last-1)
	return values[i] + (t-float64(i))*(values[i+1]-values[i])
}

// curves draws a regression: the first lane's bands of 90% and 50%, of others the edges of that of 90%, the newest
// draws, the means, the truth's band and the data.
func (w *function) curves(f *pane.Frame, first *engine.LaneView) {
	th, c, xs := &f.Theme, &w.canvas, w.t.Places()
	line := func(of []float64, style plane.Style, layer, dash uint8) {
		c.Polyline(xs, of, chart.Pen{Style: style, Layer: layer, Dash: dash})
	}
	for i, v := range w.lanes {
		d, look := w.of(v), f.LaneStyle(v)
		switch {
		case d == nil:
			continue
		case v == first:
			w.band(th, d, 0, 4, chart.Pen{Style: look.Soft, Layer: chart.LayerGrid, ASCII: '.'})
			w.band(th, d, 1, 3, chart.Pen{Style: look.Soft, Layer: chart.LayerGrid, ASCII: ':'})
			for _, of := range d.Newest {
				line(of, th.Faint, chart.LayerPoint, 0)
			}
		default:
			line(d.Quantiles[0], look.Soft, chart.LayerPoint, uint8(1+i))
			line(d.Quantiles[4], look.Soft, chart.LayerPoint, uint8(1+i))
		}
		dash := uint8(0)
		if v != first {
			dash = uint8(2 + i)
		}
		line(d.Mean, look.Style, chart.LayerLine, dash)
	}
	if w.truth != nil {
		for _, q := range [...]int{0, 2} {
			edge := list.Map(list.Upto(len(xs)), func(i int) float64 { return w.truth.Quantiles[i][q] })
			line(edge, th.Truth, chart.LayerTruth, 1)
		}
	}
	pen := chart.Pen{Style: th.Text.With(theme.Bold)}
	for i := 0; i < len(w.data.Y); i += w.every {
		c.Mark(w.data.X[i], w.data.Y[i], th.Rune('•', '*'), pen)
	}
}

// band draws the dots between two quantiles: all of the middle half and every second one of the rest, and in ASCII all.
func (w *function) band(th *theme.Theme, d *engine.FunctionView, lo, hi int, pen chart.Pen) {
	cols, rows := w.canvas.Dots()
	win, xs := w.at.win, w.t.Places()
	dx, dy := win.X.Len()/float64(cols), win.Y.Len()/float64(rows)
	for i := range cols {
		x := win.X.Lo + (float64(i)+0.5)*dx
		from, to := along(xs, d.Quantiles[lo], x), along(xs, d.Quantiles[hi], x)
		if !(from <= to) {
			continue
		}
		first := max(math.Floor((win.Y.Hi-to)/dy), 0)
		last := min((win.Y.Hi-from)/dy, float64(rows-1))
		for j := int(min(first, float64(rows))); float64(j) <= last; j++ {
			if !th.Glyphs.Braille || lo == 1 || (i+j)%2 == 0 {
				w.canvas.Point(x, win.Y.Hi-(float64(j)+0.5)*dy, pen)
			}
		}
	}
}

// show writes the key of a pane, or the values at the cross.
func (w *function) show(box plane.Region, f *pane.Frame) {
	th, win := &f.Theme, w.at.win
	at := pane.PlaneOf(w.at.plot, pane.CoordX, pane.CoordY, win, w.at.all)
	at.Tap = pane.DoPoint
	f.SetPlot(box, at)
	cross := f.DrawCross(w.at.plot, win.Window, pane.CoordX, pane.CoordY)
	var l pane.Line
	one := w.t.Inputs() == 1
	if cross.OnX && (one || cross.OnY) {
		l.Add(0, w.names[0], th.Dim, th.Accent, pane.Exact(cross.X))
		if !one {
			l.Add(0, w.names[1], th.Dim, th.Accent, pane.Exact(cross.Y))
		}
		read := func(values []float64) float64 {
			if one {
				return along(w.t.Places(), values, cross.X)
			}
			return w.sample(values, []float64{cross.X}, []float64{cross.Y})[0]
		}
		for _, v := range w.lanes {
			if d, look := w.of(v), f.LaneStyle(v); d != nil {
				l.Add(1, "", look.Style, look.Style, string(look.Glyph)+" "+
					plane.PlusMinus(read(d.Mean), read(d.SD), 2*pane.NumberWidth))
			}
		}
		if w.truth != nil {
			l.Add(1, "truth", th.Dim, th.Truth, plane.PlusMinus(read(w.truth.Mean), read(w.truth.SD), 2*pane.NumberWidth))
		}
		pane.ShowValues(box, f, &l)
		return
	}
	look, dots := f.LaneStyle(w.lanes[0]), func(r, ascii rune) string { return string(th.Rune(r, ascii)) }
	if one {
		l.Add(1, dots('─', ':'), look.Style, th.Dim, "mean")
		l.Add(0, dots('⣿', '.'), look.Soft, th.Dim, "50, 90% band")
		l.Add(3, dots('─', 'o'), th.Faint, th.Dim, "draws")
		l.Add(2, dots('•', '*'), th.Text, th.Dim, "data")
	} else {
		lo, hi := w.scale(f)
		if text := pane.Exact(lo); coloured(th) {
			l.Add(0, "■", th.HeatAt(0), th.Dim, text)
			l.Add(0, "■", th.HeatAt(1), th.Dim, pane.Exact(hi))
		} else {
			l.Add(0, w.swatch(th), th.Dim, th.Dim, text+" to "+pane.Exact(hi))
		}
		l.Add(2, dots('─', ':'), look.Style.With(theme.Bold), th.Dim, "even odds")
		l.Add(3, string(classGlyphs(th)[0])+string(classGlyphs(th)[1]), th.Text, th.Dim, "classes 0, 1")
		l.Add(4, string(classGlyphs(th)[f.Class]), th.Accent, th.Dim, "by a click")
	}
	if w.truth != nil {
		l.Add(1, dots('⠒', ':'), th.Truth, th.Dim, "truth's")
	}
	pane.OnFoot(box, f, &l)
}

// functionText is the remark on the edge of a pane of a function.
func functionText(f *pane.Frame, t targets.Functional, v *engine.LaneView, width int) string {
	text := pane.DrawsText(v.Draws)
	if t.Inputs() == 2 {
		text = f.HeatNow().String()
		if width >= thinTitle {
			text += ", " + pane.DrawsText(v.Draws)
		}
	}
	return text
}

// doubt is the standard deviation of the draws of a regression over x.
func doubt() pane.Pane { return pane.Of("doubt", drawDoubt) }

func drawDoubt(g plane.Region, f *pane.Frame) {
	p := f.Problem()
	t := pane.Function(p)
	xs := t.Places()
	all := pane.Range{Lo: xs[0], Hi: xs[len(xs)-1]}
	lines := chart.Lines{X: chart.Scale{Fix: true, Range: f.Shown(pane.CoordX, all)}, Empty: f.Reason("no draws yet")}
	lines.Cross, lines.Crossed = f.Cross.On(pane.CoordX)
	most := 0.0
	add := func(s chart.Series, sd []float64) {
		s.X, s.Y = xs, sd
		most = max(most, list.Max(sd, func(y float64) float64 { return y }))
		lines.Series = append(lines.Series, s)
	}
	for i, v := range f.EachLane() {
		if v.Function == nil || len(v.Function.SD) != len(xs) {
			continue
		}
		add(f.Series(v, f.LaneName(v)), v.Function.SD)
		if i == f.FocusAt() {
			lines.Top = len(lines.Series)
		}
	}
	if len(lines.Series) > 0 && p.Function != nil && len(p.Function.SD) == len(xs) {
		add(chart.Series{Name: "truth", Style: f.Theme.Truth, Line: 2, Glyph: f.Theme.Glyphs.Curve}, p.Function.SD)
	}
	lines.Y = chart.Scale{Fix: true, Range: pane.Range{Hi: most * 1.05}.Open()}
	title := pane.BesideLegend("doubt: sd of the draws over x", g.W()-pane.TitleEdge(lines.Series))
	in := g.Box(f.Theme, plane.Box{Title: title})
	pane.Legend(g, f, title, lines.Series)
	if f.SetAxis(g, lines.Draw(in, f.Theme), pane.CoordX, all) && lines.Crossed {
		var l pane.Line
		l.Add(0, "x", f.Theme.Dim, f.Theme.Accent, pane.Exact(lines.Cross))
		pane.SeriesValues(&l, f, lines.Series, lines.Cross)
		pane.ShowValues(g, f, &l)
	}
}

// functionCharts are the charts of a function: its error where the truth is known, and of a regression its doubt.
func functionCharts(f *pane.Frame, t targets.Functional) (all []pane.Pane) {
	if f.Has(quantity.FnError) {
		all = append(all, pane.Curve{ID: quantity.FnError}.Pane())
	}
	if t.Inputs() == 1 {
		all = append(all, doubt())
	}
	return all
}
