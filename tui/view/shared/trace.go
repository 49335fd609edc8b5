package shared

import (
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Trace is the path of every lane in watched coordinate k.
func Trace(k int) pane.Pane {
	return pane.Of([...]string{"trace 1", "trace 2"}[k], func(g plane.Region, f *pane.Frame) { drawTrace(g, f, k) })
}

func drawTrace(g plane.Region, f *pane.Frame, k int) {
	t := chart.Trace{Empty: f.Reason("no draws yet"), Mean: math.NaN(), SD: math.NaN()}
	for _, v := range f.EachLane() {
		look := f.LaneStyle(v)
		bins := &v.Trace.Coords[k]
		t.Thinned = t.Thinned || v.Every > 1
		s := chart.Strip{
			Glyph: look.Glyph, Style: look.Style, Soft: look.Soft, Astray: v.Diverged.Status() == metrics.Diverged,
			Steps: v.Trace.Steps, Lo: bins.Lo, Hi: bins.Hi, Mean: bins.Mean, Last: v.Trace.Last, Every: v.Trace.Every,
		}
		for i, c := range pane.Chains(v, math.MaxInt) {
			xs := ChainTrail(&c, k)
			s.Newest = append(s.Newest, xs[max(len(xs)-max(v.Trace.Even, 0), 0):])
			s.Chains = append(s.Chains, f.ChainStyle(v, i))
		}
		t.Strips = append(t.Strips, s)
		if mean := v.Coords[k].Values[quantity.TrueMean]; mean.OK() && !v.Principal {
			t.Mean, t.SD = mean.Value, v.Coords[k].Values[quantity.TrueSD].Trusted()
		}
	}
	title := "trace of " + pane.ShortName(&f.Theme, f.Lanes()[0].Names[k])
	drawStrips(g, f, &t, title, "")
}

// LogDensity is the path of every lane in the log density, or a network's loss.
func LogDensity(f *pane.Frame) pane.Pane {
	id := quantity.LogPost
	if !f.Any(quantity.Density) {
		id = quantity.Loss
	}
	return pane.Of("trace of density", func(g plane.Region, f *pane.Frame) { drawDensity(g, f, id) })
}

func drawDensity(g plane.Region, f *pane.Frame, id quantity.ID) {
	t := chart.Trace{Empty: f.Reason("no draws yet"), Mean: math.NaN(), SD: math.NaN()}
	every := ""
	for i, v := range f.EachLane() {
		look := f.LaneStyle(v)
		s := chart.Strip{Glyph: look.Glyph, Style: look.Style, Soft: look.Style,
			Astray: v.Diverged.Status() == metrics.Diverged}
		s.Steps, s.Lo = make([]uint64, 0, len(v.History)), make([]float64, 0, len(v.History))
		for j := range v.History {
			p := &v.History[j]
			if y, status := p.Values.Of(id); status == metrics.OK {
				s.Steps, s.Lo = append(s.Steps, p.Step), append(s.Lo, y)
			}
		}
		s.Hi = s.Lo
		if i == f.FocusAt() {
			every = spacing(v.History)
		}
		t.Strips = append(t.Strips, s)
	}
	g.Term(wording.Of(&quantity.All[id]))
	drawStrips(g, f, &t, "trace of "+quantity.All[id].Name, every)
}

// spacing says how far the points of a history lie apart.
func spacing(h []engine.Point) string {
	if n := len(h); n > 2 {
		if d := h[n-2].Step - h[n-3].Step; d > 1 {
			return "every " + plane.Count(d) + " steps"
		}
	}
	return ""
}

// legend names what is drawn beside the draws of a trace in so many rows.
func legend(t *chart.Trace, th *theme.Theme, rows int) string {
	mean, truth, band := t.Shows(th, rows)
	var all []string
	if mean {
		all = append(all, "line: running mean")
	}
	switch {
	case band:
		all = append(all, "band: true mean ± sd")
	case truth:
		all = append(all, "dots: true mean")
	}
	return strings.Join(all, ", ")
}

// drawStrips draws a trace in a box. Its envelope shares the axis of the curves where that is steps.
func drawStrips(g plane.Region, f *pane.Frame, t *chart.Trace, title, right string) {
	if t.SD > 0 {
		g.Term(wording.True)
	}
	all := t.Steps()
	byStep := f.AxisNow() == pane.ByStep && !f.LogX
	if byStep {
		t.X = f.Zoom[pane.Progress]
		t.Cross, t.Crossed = f.Cross.On(pane.Progress)
	}
	in := g.Pad(1, 1, 1, 1)
	if 2*(in.H()-1) < 3*len(t.Strips) { // too low for all lanes
		at := f.FocusAt()
		t.Strips = t.Strips[at : at+1]
	}
	steps := *f
	steps.XAxis = pane.ByStep
	t.Marks = steps.Marks()
	at := t.Draw(in, f.Theme)
	if at.Fine > 0 {
		v := &f.Lanes()[f.FocusAt()]
		every := max(v.Every, 1)
		newest := "newest " + pane.DrawsText(at.Fine*every/max(v.Trace.Every, 1))
		alike := !slices.ContainsFunc(f.Lanes(), func(l engine.LaneView) bool { return max(l.Every, 1) != every })
		right = "before " + string(f.Theme.Glyphs.Vertical) + " "
		long := "every " + wording.Ordinal(every) + " of the "
		if alike && every > 1 && plane.Width(title+right+long+newest)+10 <= g.W() {
			right += long
		}
		right += newest
	}
	g.Box(f.Theme, plane.Box{Title: title, Right: right, Foot: legend(t, &f.Theme, g.H()-3)})
	if byStep && f.SetAxis(g, at, pane.Progress, all) && t.Crossed && at.Contains(t.Cross) {
		showPath(g, f, t)
	}
}

// showPath shows the draw at the cross in each strip, or the range of the bin there, and after
// them the means of the window's draws up to that.
func showPath(g plane.Region, f *pane.Frame, t *chart.Trace) {
	th := &f.Theme
	var l, means pane.Line
	l.Add(0, "step", th.Dim, th.Accent, f.Progress(t.Cross))
	label := "mean"
	for i := range t.Strips {
		s := &t.Strips[i]
		r := s.At(t.Cross)
		if !(r.Lo <= r.Hi) {
			continue
		}
		mark := string(s.Glyph) + " "
		text := mark + pane.Exact(r.Lo)
		if r.Lo != r.Hi {
			text += " to " + pane.Exact(r.Hi)
		}
		l.Add(1, "", s.Style, s.Style, text)
		if k := s.BinAt(t.Cross); k < len(s.Mean) {
			means.Add(2, label, th.Dim, s.Style, mark+pane.Exact(s.Mean[k]))
			label = ""
		}
	}
	l.Parts = append(l.Parts, means.Parts...)
	pane.ShowValues(g, f, &l)
}

// drawsWindow is the window on a target of unknown extent: that of all lanes' newest
// draws. It stands still until draws leave it or until it is far too large.
type drawsWindow struct {
	problem *targets.Problem
	watch   [2]int
	win     chart.Window
}

// farTooLarge is how much longer than needed a side may be.
const farTooLarge = 3

// robustSample is the number of draws from which a trail's quantiles are taken.
const robustSample = 256

// Middle is the range of an even sample of the finite draws of a trail without one of so many at each end. The range of
// a single value has some length, and that of none is zero.
func Middle(xs []float64, of int) pane.Range {
	take := min(len(xs), robustSample)
	sorted := make([]float64, 0, take)
	for i := range take {
		if x := xs[i*len(xs)/take]; !math.IsNaN(x) && !math.IsInf(x, 0) {
			sorted = append(sorted, x)
		}
	}
	slices.Sort(sorted)
	n := len(sorted)
	if n == 0 {
		return pane.Range{}
	}
	r := pane.Range{Lo: sorted[n/of], Hi: sorted[n-1-n/of]}
	if r.Lo == r.Hi {
		d := max(math.Abs(r.Lo)*0.1, 1e-3)
		r.Lo, r.Hi = r.Lo-d, r.Hi+d
	}
	return r
}

// Of returns the window for the frame's draws; it is not Valid without any.
func (d *drawsWindow) Of(f *pane.Frame) chart.Window {
	lanes := f.Lanes()
	var watch [2]int
	if len(lanes) > 0 {
		watch = lanes[0].Watch
	}
	if p := f.Problem(); d.problem != p || d.watch != watch {
		d.problem, d.watch, d.win = p, watch, chart.Window{}
	}
	var need chart.Window
	for i := range lanes {
		if v := &lanes[i]; v.Diverged == nil || len(lanes) == 1 {
			need = need.Union(Extent(v))
		}
	}
	if !need.Valid() {
		return d.win
	}
	w := &d.win
	if !w.Valid() || outside(need.X, w.X) || outside(need.Y, w.Y) || tooLarge(w.X, need.X) || tooLarge(w.Y, need.Y) {
		d.win = need.Grow(0.2)
	}
	return d.win
}

// Extent is the range of a lane's draws without the outermost hundredth at each end, so
// that one far draw does not shrink all others to a dot. Before the first draw it is the
// range of the burn-in, or a window around the present state.
func Extent(v *engine.LaneView) chart.Window {
	xs, ys := Trail(v, 0), Trail(v, 1)
	if len(xs) == 0 { // the burn-in
		xs, ys = v.Passage[0], v.Passage[1]
	}
	x, y := Middle(xs, 100), Middle(ys, 100)
	if x != (pane.Range{}) && y != (pane.Range{}) {
		return chart.Window{X: x, Y: y}
	}
	here := func(k int) pane.Range { return pane.Range{Lo: v.Now[k], Hi: v.Now[k]}.Open() }
	return chart.Window{X: here(0), Y: here(1)}.Grow(2)
}

func outside(a, b pane.Range) bool { return a.Lo < b.Lo || a.Hi > b.Hi }

// tooLarge reports whether a side is much longer than needed.
func tooLarge(a, need pane.Range) bool { return a.Len() > farTooLarge*need.Len() }
