package stage

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// lostScene is what is drawn of a lane that has diverged: how its last draws ran
// away, on axes that are linear where its target is and logarithmic beyond.
type lostScene struct {
	sets   [theme.NumLanes]bentContours
	texts  [theme.NumLanes]lostText
	sorted [shared.RobustSample]float64
	rate   float64 // of the newest climb
}

// bentContours are contours on bent axes and what they were made of.
type bentContours struct {
	problem *targets.Problem
	x, y    chart.Bend
	set     *chart.ContourSet
}

// The least rows of a plot above the card, and of one with axes.
const leastLostPlot = 6

// drawLost draws a lane that has diverged inside its box: its last draws, and
// below them the card that explains it. Where there is no room for both the card
// has the pane.
func (p *lanePlot) drawLost(box, g plane.Region, f *pane.Frame, v *engine.LaneView, shown int) {
	full := p.lost.rows(g.W(), f, v, true)
	brief := p.lost.rows(g.W(), f, v, false)
	h := full
	if g.H()-h < leastLostPlot {
		h = brief
	}
	if g.H()-h < leastLostPlot {
		h = g.H()
	}
	foot, rest := g.Bounds().CutBottom(h)
	if bent := p.lostPlot(box, g.Sub(rest), f, v, shown); bent && f.Cross.AxisX != pane.LostX {
		var l pane.Line
		l.Add(0, "beyond the dots: powers of ten", f.Theme.Dim, f.Theme.Dim)
		lowerEdge(box, &l)
	}
	p.lost.card(g.Sub(foot), f, v)
}

// lostPlot draws the last draws and reports whether an axis is bent.
func (p *lanePlot) lostPlot(box, g plane.Region, f *pane.Frame, v *engine.LaneView, shown int) bool {
	if g.H() < leastLostPlot {
		return false
	}
	plot := p.axes.Plot(g)
	x, y, all := p.lostAxes(f, v, shown)
	zx, zy := f.Shown(pane.LostX, pane.Range{Lo: all.X0, Hi: all.X1}), f.Shown(pane.LostY, pane.Range{Lo: all.Y0, Hi: all.Y1})
	win := chart.Window{X0: zx.Lo, X1: zx.Hi, Y0: zy.Lo, Y1: zy.Hi}
	if !all.Valid() || !win.Valid() {
		g.TextCenter(g.H()/2, f.Reason("no draws yet"), f.Theme.Dim)
		return false
	}
	th, look, c := &f.Theme, f.LaneStyle(v), &p.canvas
	p.axes.DrawBent(g, *th, win, x, y)
	c.Reset(*th, plot.W(), plot.H(), win)
	if p.plane {
		p.ground(th, p.lost.contours(f, v, plot, win, x, y, p.dens.LogP, p.dens.Levels))
	}
	edge := chart.Pen{Style: th.Faint, Layer: chart.LayerGrid, Dash: 1}
	for _, u := range [...]float64{-1, 1} {
		if x.Bent() {
			c.Line(u, win.Y0, u, win.Y1, edge)
		}
		if y.Bent() {
			c.Line(win.X0, u, win.X1, u, edge)
		}
	}
	xs, ys := v.TrailX[len(v.TrailX)-shown:], v.TrailY[len(v.TrailY)-shown:]
	for i := range xs {
		age := ageOf(i, len(xs))
		c.Point(x.To(xs[i]), y.To(ys[i]), chart.Pen{Style: look.TrailAt(age)})
	}
	for i := max(len(xs)-lostJoined, 1); i < len(xs); i++ {
		age := float64(len(xs)-1-i) / lostJoined
		c.Line(x.To(xs[i-1]), y.To(ys[i-1]), x.To(xs[i]), y.To(ys[i]), chart.Pen{Style: look.TrailAt(age)})
	}
	if p.knows(v) {
		bentEllipse(c, v, x, y, chart.Pen{Style: th.Truth, Layer: chart.LayerLine})
	}
	c.Mark(x.To(v.Now[0]), y.To(v.Now[1]), th.Glyphs.Cross, chart.Pen{Style: th.Bad, Layer: chart.LayerMark})
	c.Draw(plot, *th)
	f.SetPlot(pane.LanePane(v.ID), pane.Plot{
		Rect: plot.Rect(), AxisX: pane.LostX, AxisY: pane.LostY, X: zx, Y: zy,
		AllX: pane.Range{Lo: all.X0, Hi: all.X1}, AllY: pane.Range{Lo: all.Y0, Hi: all.Y1},
	})
	tellLost(box, plot, f, v, shown, win, x, y)
	return x.Bent() || y.Bent()
}

// tellLost tells the place under the cross, and which of the last draws is nearest
// to it.
func tellLost(box, plot plane.Region, f *pane.Frame, v *engine.LaneView, shown int, win chart.Window, x, y chart.Bend) {
	at := f.DrawCross(plot, win, pane.LostX, pane.LostY)
	if !at.Both() {
		return
	}
	th := &f.Theme
	var l pane.Line
	l.Add(0, pane.ShortName(th, v.Names[0]), th.Dim, th.Accent, pane.Exact(x.From(at.X)))
	l.Add(0, pane.ShortName(th, v.Names[1]), th.Dim, th.Accent, pane.Exact(y.From(at.Y)))
	best, ago := math.Inf(1), -1
	for i := range shown {
		k := len(v.TrailX) - 1 - i
		d := math.Hypot((x.To(v.TrailX[k])-at.X)/(win.X1-win.X0), (y.To(v.TrailY[k])-at.Y)/(win.Y1-win.Y0))
		if d < best {
			best, ago = d, i
		}
	}
	if ago >= 0 {
		look := f.LaneStyle(v)
		p := l.Add(1, "nearest:", th.Dim, look.Style)
		k := len(v.TrailX) - 1 - ago
		if p.Text += pane.Exact(v.TrailX[k]) + ", " + pane.Exact(v.TrailY[k]); ago > 0 {
			l.Add(2, "", th.Dim, th.Dim, plane.Count(uint64(ago))+" draws before the last")
		}
	}
	pane.TellValues(box, plot, f, &l, plot.Rect().X+at.Col)
}

// lostJoined is how many of the last draws are joined by a line.
const lostJoined = 6

// contours are those of a density on bent axes, from the cache if they are there.
func (s *lostScene) contours(f *pane.Frame, v *engine.LaneView, plot plane.Region, win chart.Window, x, y chart.Bend,
	logp func(x, y float64) float64, levels []float64) *chart.ContourSet {
	b := &s.sets[pane.Slot(v.ID)]
	if b.problem != f.Problem() || b.x != x || b.y != y || !b.set.Fits(f.Theme, plot.W(), plot.H(), win) {
		set := chart.NewContours(f.Theme, plot.W(), plot.H(), win, levels, func(u, w float64) float64 { return logp(x.From(u), y.From(w)) })
		*b = bentContours{f.Problem(), x, y, set}
	}
	return b.set
}

// bentEllipse draws the true covariance on bent axes.
func bentEllipse(c *chart.Braille, v *engine.LaneView, x, y chart.Bend, pen chart.Pen) {
	// θ = m + k L (cos t, sin t) with Σ = L Lᵀ.
	a := math.Sqrt(v.TrueCov[0])
	b := v.TrueCov[1] / a
	d := math.Sqrt(max(v.TrueCov[2]-b*b, 0))
	const steps = 96
	var px, py float64
	for i := range steps + 1 {
		s, co := math.Sincos(2 * math.Pi * float64(i) / steps)
		ux := x.To(v.Coords[0].TrueMean + ellipsesAt*a*co)
		uy := y.To(v.Coords[1].TrueMean + ellipsesAt*(b*co+d*s))
		if i > 0 {
			c.Line(px, py, ux, uy, pen)
		}
		px, py = ux, uy
	}
}

// lostAxes are the axes on which a lane's last draws and its target are both seen,
// and the window in their units.
func (p *lanePlot) lostAxes(f *pane.Frame, v *engine.LaneView, shown int) (x, y chart.Bend, win chart.Window) {
	core := p.dens.Frame
	xs, ys := v.TrailX[len(v.TrailX)-shown:], v.TrailY[len(v.TrailY)-shown:]
	if !p.plane {
		core = p.healthy(f)
		if !core.Valid() {
			x0, x1 := p.lost.before(xs)
			y0, y1 := p.lost.before(ys)
			core = chart.Window{X0: x0, X1: x1, Y0: y0, Y1: y1}
		}
	}
	if !core.Valid() {
		return x, y, chart.Window{}
	}
	x, win.X0, win.X1 = lostAxis(core.X0, core.X1, xs, v.Now[0])
	y, win.Y0, win.Y1 = lostAxis(core.Y0, core.Y1, ys, v.Now[1])
	return x, y, win
}

// healthy is the extent of the draws of the lanes that have not diverged.
func (p *lanePlot) healthy(f *pane.Frame) (w chart.Window) {
	for i := range f.Lanes() {
		if v := &f.Snap.Lanes[i]; v.Diverged == nil && len(v.TrailX) > 0 {
			w = w.Union(p.draws.Extent(v))
		}
	}
	if w.Valid() {
		w = w.Grow(0.2)
	}
	return w
}

// before is the extent of the older half of a trail, as it was before it ran away.
func (s *lostScene) before(xs []float64) (lo, hi float64) {
	old := xs[:(len(xs)+1)/2]
	take := min(len(old), shared.RobustSample)
	n := 0
	for i := range take {
		if x := old[i*len(old)/take]; !math.IsNaN(x) && !math.IsInf(x, 0) {
			s.sorted[n] = x
			n++
		}
	}
	if n == 0 {
		return 0, 0
	}
	slices.Sort(s.sorted[:n])
	lo, hi = s.sorted[n/10], s.sorted[n-1-n/10]
	if !(hi > lo) {
		lo, hi = shared.Widen(lo)
	}
	return lo - 0.3*(hi-lo), hi + 0.3*(hi-lo)
}

// lostAxis is an axis with lo to hi and a trail on it, and its ends.
func lostAxis(lo, hi float64, xs []float64, now float64) (b chart.Bend, u0, u1 float64) {
	mid, far := lo/2+hi/2, 0.0
	reach := func(x float64) {
		if d := math.Abs(x - mid); !math.IsInf(d, 0) {
			far = max(far, d)
		}
	}
	for _, x := range xs {
		reach(x)
	}
	reach(now)
	if b = chart.NewBend(lo, hi, far); b.Bent() {
		return b, -2.1, 2.1
	}
	far = max(far*1.05, (hi-lo)/2)
	return b, mid - far, mid + far
}
