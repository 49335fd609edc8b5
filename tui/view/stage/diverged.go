package stage

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// bentContours are contours on bent axes and the arguments that they were made of.
type bentContours struct {
	problem *targets.Problem
	x, y    chart.Bend
	set     *chart.ContourSet
}

// leastDivergedPlot is the least number of rows of a plot above the card.
const leastDivergedPlot = 6

// drawDiverged draws a lane that has diverged inside its box: its last draws, and below
// them the card that explains the divergence. A small pane has the card alone.
func (p *scene) drawDiverged(box, g plane.Region, f *pane.Frame, v *engine.LaneView, shown int) {
	full := cardRows(g.W(), f, v, true)
	brief := cardRows(g.W(), f, v, false)
	h := full
	if g.H()-h < leastDivergedPlot {
		h = brief
	}
	if g.H()-h < leastDivergedPlot {
		h = g.H()
	}
	foot, rest := g.Bounds().CutBottom(h)
	if bent := p.divergedPlot(box, g.Sub(rest), f, v, shown); bent && f.Cross.AxisX != pane.DivergedX {
		var l pane.Line
		l.Add(0, "beyond the dots: powers of ten", f.Theme.Dim, f.Theme.Dim)
		lowerEdge(box, &l)
	}
	drawCard(g.Sub(foot), f, v)
}

// divergedPlot draws the last draws and reports whether an axis is bent.
func (p *scene) divergedPlot(box, g plane.Region, f *pane.Frame, v *engine.LaneView, shown int) bool {
	if g.H() < leastDivergedPlot {
		return false
	}
	plot := chart.Plot(g)
	x, y, all := p.divergedAxes(f, v, shown)
	win := f.Window(pane.DivergedX, pane.DivergedY, all)
	if !all.Valid() || !win.Valid() {
		g.TextCenter(g.H()/2, f.Reason("no draws yet"), f.Theme.Dim)
		return false
	}
	th, look, c := &f.Theme, f.LaneStyle(v), &p.canvas
	chart.Axes(g, *th, win, x, y)
	c.Reset(*th, plot.W(), plot.H(), win)
	c.Bend(x, y)
	if p.plane {
		p.ground(th, p.bentContours(f, v, plot, win, x, y))
	}
	edge := chart.Pen{Style: th.Faint, Layer: chart.LayerGrid, Dash: 1}
	for _, u := range [...]float64{-1, 1} {
		if x.Bent() {
			c.Line(x.From(u), y.From(win.Y.Lo), x.From(u), y.From(win.Y.Hi), edge)
		}
		if y.Bent() {
			c.Line(x.From(win.X.Lo), y.From(u), x.From(win.X.Hi), y.From(u), edge)
		}
	}
	xs, ys := v.TrailX[len(v.TrailX)-shown:], v.TrailY[len(v.TrailY)-shown:]
	for i := range xs {
		c.Point(xs[i], ys[i], chart.Pen{Style: look.TrailAt(ageOf(i, len(xs)))})
	}
	for i := max(len(xs)-lastJoined, 1); i < len(xs); i++ {
		age := float64(len(xs)-1-i) / lastJoined
		c.Line(xs[i-1], ys[i-1], xs[i], ys[i], chart.Pen{Style: look.TrailAt(age)})
	}
	p.truth(th, v)
	c.Mark(v.Now[0], v.Now[1], th.Glyphs.Cross, chart.Pen{Style: th.Bad, Layer: chart.LayerMark})
	c.Draw(plot, *th)
	f.SetPlane(box, plot, pane.DivergedX, pane.DivergedY, win, all)
	showNearest(box, plot, f, v, shown, win, x, y)
	return x.Bent() || y.Bent()
}

// showNearest shows the place under the cross and the last draw nearest to it.
func showNearest(box, plot plane.Region, f *pane.Frame, v *engine.LaneView, shown int, win chart.Window, x, y chart.Bend) {
	at := f.DrawCross(plot, win, pane.DivergedX, pane.DivergedY)
	if !at.Both() {
		return
	}
	th := &f.Theme
	var l pane.Line
	l.Add(0, pane.ShortName(th, v.Names[0]), th.Dim, th.Accent, pane.Exact(x.From(at.X)))
	l.Add(0, pane.ShortName(th, v.Names[1]), th.Dim, th.Accent, pane.Exact(y.From(at.Y)))
	ago := pane.Nearest(shown, 0, func(i int) float64 {
		k := len(v.TrailX) - 1 - i
		return math.Hypot((x.To(v.TrailX[k])-at.X)/win.X.Len(), (y.To(v.TrailY[k])-at.Y)/win.Y.Len())
	})
	if ago >= 0 {
		k := len(v.TrailX) - 1 - ago
		l.Add(1, "nearest:", th.Dim, f.LaneStyle(v).Style, pane.Exact(v.TrailX[k]), ", ", pane.Exact(v.TrailY[k]))
		if ago > 0 {
			l.Add(2, "", th.Dim, th.Dim, plane.Count(uint64(ago))+" draws before the last")
		}
	}
	pane.ShowValues(box, plot, f, &l)
}

// lastJoined is how many of the last draws are joined by a line.
const lastJoined = 6

// bentContours are the density's contours on bent axes, made again when the axes change.
func (v *view) bentContours(f *pane.Frame, lane *engine.LaneView, plot plane.Region, win chart.Window, x, y chart.Bend) *chart.ContourSet {
	b, d := &v.bent[pane.Slot(lane.ID)], &v.Density
	if b.problem != f.Problem() || b.x != x || b.y != y || !b.set.Fits(f.Theme, plot.W(), plot.H(), win) {
		set := chart.NewContours(f.Theme, plot.W(), plot.H(), win, d.Levels, func(u, w float64) float64 { return d.LogP(x.From(u), y.From(w)) })
		*b = bentContours{f.Problem(), x, y, set}
	}
	return b.set
}

// divergedAxes are axes that show a lane's last draws and its target, and the window in
// their units.
func (p *scene) divergedAxes(f *pane.Frame, v *engine.LaneView, shown int) (x, y chart.Bend, win chart.Window) {
	core := p.Density.Frame
	xs, ys := v.TrailX[len(v.TrailX)-shown:], v.TrailY[len(v.TrailY)-shown:]
	if !p.plane {
		core = p.healthy(f)
		if !core.Valid() {
			core = chart.Window{X: before(xs), Y: before(ys)}
		}
	}
	if !core.Valid() {
		return x, y, chart.Window{}
	}
	x, win.X = divergedAxis(core.X, xs, v.Now[0])
	y, win.Y = divergedAxis(core.Y, ys, v.Now[1])
	return x, y, win
}

// healthy is the extent of the draws of the lanes that have not diverged.
func (p *scene) healthy(f *pane.Frame) (w chart.Window) {
	for i := range f.Lanes() {
		if v := &f.Snap.Lanes[i]; v.Diverged == nil && len(v.TrailX) > 0 {
			w = w.Union(shared.Extent(v))
		}
	}
	if w.Valid() {
		w = w.Grow(0.2)
	}
	return w
}

// before is the extent of the older half of a trail.
func before(xs []float64) pane.Range {
	s := shared.Sample(xs[:(len(xs)+1)/2])
	if len(s) == 0 {
		return pane.Range{}
	}
	return shared.Widen(pane.Range{Lo: s[len(s)/10], Hi: s[len(s)-1-len(s)/10]}).Grow(0.3)
}

// divergedAxis is an axis that shows all of core and a trail, and its range.
func divergedAxis(core pane.Range, xs []float64, now float64) (b chart.Bend, shown pane.Range) {
	mid, far := core.Mid(), 0.0
	for _, x := range append(slices.Clone(xs), now) {
		if d := math.Abs(x - mid); !math.IsInf(d, 0) {
			far = max(far, d)
		}
	}
	if b = chart.NewBend(core, far); b.Bent() {
		return b, pane.Range{Lo: -2.1, Hi: 2.1}
	}
	far = max(far*1.05, core.Len()/2)
	return b, pane.Range{Lo: mid - far, Hi: mid + far}
}
