package panel

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/theme"
)

// lanePlot is a lane's pane: its newest draws in the plane of the watched
// coordinates, over the contours where the density is known, and its statistics.
type lanePlot struct {
	dens   density
	draws  drawsWindow
	plane  bool         // the target is a density in the plane
	win    chart.Window // of the draws, where it is not
	canvas chart.Braille
	axes   chart.Axes
	names  laneNames
	shown  [theme.NumLanes]memo
}

func (p *lanePlot) prepare(f *Frame) {
	p.plane = p.dens.of(f.problem())
	if !p.plane {
		p.win = p.draws.of(f)
	}
}

// Cells of a pane that are not plot: border and axis labels, and below the plot
// the axis and one row of statistics.
const (
	paneExtraCols = 8
	paneExtraRows = 4
)

// grid divides r evenly among the lanes: in the number of columns that shows the
// plane at the largest scale, and the greater number of equals.
func (p *lanePlot) grid(panes []chart.Rect, r chart.Rect) {
	n := len(panes)
	aspect := 2.0 // of a plane that is stretched to its pane: what looks well
	if p.plane {
		aspect = (p.dens.frame.X1 - p.dens.frame.X0) / (p.dens.frame.Y1 - p.dens.frame.Y0)
		aspect = max(aspect, 1)
	}
	cols, best := 1, math.Inf(-1)
	for c := 1; c <= n; c++ {
		if n%c != 0 || c > 1 && r.W/c < minPaneCol {
			continue
		}
		w, h := r.W/c-paneExtraCols, r.H*c/n-paneExtraRows
		if scale := min(float64(w)/aspect, 2*float64(h)); scale >= best {
			cols, best = c, scale
		}
	}
	rows := n / cols
	for j := range rows {
		y0, y1 := r.H*j/rows, r.H*(j+1)/rows
		beside(panes[j*cols:(j+1)*cols], chart.Rect{X: r.X, Y: r.Y + y0, W: r.W, H: y1 - y0})
	}
}

// draw draws lane i in a box.
func (p *lanePlot) draw(g chart.Region, f *Frame, i int) {
	v := &f.Snap.Lanes[i]
	look := f.look(v)
	shown := p.drawsShown(g, v)
	box := chart.Box{
		Title: p.names.of(v), Mark: look.Glyph, MarkStyle: look.Style,
		Right: p.shownText(f, v, shown, g.W() < shortTitle), Focused: i == f.focus() && len(f.lanes()) > 1,
	}
	in := g.Box(f.Theme, box)
	if in.H() < 3 {
		p.stats(in, f, v)
		return
	}
	p.ellipseKey(g, f)
	foot, rest := in.Bounds().CutBottom(statRows(in, f))
	p.stats(in.Sub(foot.Pad(0, 0, 0, 1)), f, v)
	p.drawPlot(in.Sub(rest), f, v, shown)
}

func (p *lanePlot) stats(g chart.Region, f *Frame, v *engine.LaneView) {
	var l line
	statistics(&l, f, v)
	l.draw(g, statGap)
}

// statGap is the number of columns between statistics.
const statGap = 2

// statRows is how many rows the statistics get: as many as the lane that needs
// most of them, up to two, so that all planes are of one size.
func statRows(in chart.Region, f *Frame) int {
	rows := 1
	if in.H() < 8 {
		return rows
	}
	for i := range f.lanes() {
		var l line
		statistics(&l, f, &f.Snap.Lanes[i])
		_, used := l.place(in.W()-1, 2, statGap)
		rows = max(rows, used)
	}
	return rows
}

// drawsShown is how many of the newest draws a pane has room for: more would
// hide the contours beneath.
func (p *lanePlot) drawsShown(g chart.Region, v *engine.LaneView) int {
	return min(len(v.TrailX), len(v.TrailY), max(g.W()*g.H()*3/5, 150))
}

// shortTitle is the width of a pane below which its remark is brief.
const shortTitle = 34

// shownText is the pane's remark on what is drawn.
func (p *lanePlot) shownText(f *Frame, v *engine.LaneView, n int, brief bool) string {
	if n == 0 {
		return ""
	}
	m := &p.shown[slot(v.ID)]
	if !m.fits(v.Names[0], v.Title, n, f.Theme.ASCII) || m.c != v.Names[1] {
		m.c = v.Names[1]
		names := ""
		if !p.plane {
			names = shortName(&f.Theme, v.Names[0]) + ", " + shortName(&f.Theme, v.Names[1]) + ": "
		}
		what := " draws"
		if v.Kind == sampler.Optimising {
			what = " states"
		}
		m.text = names + "last " + chart.Count(uint64(n)) + what
		m.brief = "last " + chart.Count(uint64(n))
	}
	if brief {
		return m.brief
	}
	return m.text
}

// drawPlot draws the plane. From bottom to top: contours, draws, ellipses, the
// present state.
func (p *lanePlot) drawPlot(g chart.Region, f *Frame, v *engine.LaneView, shown int) {
	th, look := &f.Theme, f.look(v)
	plot := p.axes.Plot(g)
	win := p.win
	if p.plane {
		win = p.dens.frame.Equal(plot.Size())
	}
	if !win.Valid() {
		g.TextCenter(g.H()/2, "no draws yet", th.Dim)
		divergedCard(g, f, v)
		return
	}
	p.axes.Draw(g, f.Theme, win)
	c := &p.canvas
	c.Reset(f.Theme, plot.W(), plot.H(), win)
	if p.plane {
		c.Contours(p.dens.contours(th, plot.W(), plot.H(), win), th.Contour[theme.ContourShades-contourLevels:])
	}
	p.trail(f, v, shown)
	p.ellipses(th, v)
	if v.Diverged != nil {
		c.Mark(v.Now[0], v.Now[1], th.Glyphs.Cross, chart.Pen{Style: th.Bad, Layer: chart.LayerMark})
	} else if !c.Mark(v.Now[0], v.Now[1], look.Glyph, chart.Pen{Style: look.Style.With(theme.Bold), Layer: chart.LayerMark}) {
		var l line
		l.add(0, "now at", th.Dim, th.Warn).number(v.Now[0], 6).str(", ").number(v.Now[1], 6)
		l.draw(plot.Row(0), 1)
	}
	c.Draw(plot, f.Theme)
	divergedCard(g, f, v)
}

// trail draws the newest draws, the newest of all brightest, and joins the last
// few where one can follow them with the eye.
func (p *lanePlot) trail(f *Frame, v *engine.LaneView, shown int) {
	look := f.look(v)
	xs, ys := v.TrailX[len(v.TrailX)-shown:], v.TrailY[len(v.TrailY)-shown:]
	for i := range xs {
		age := float64(len(xs)-1-i) / float64(max(len(xs), 64))
		p.canvas.Point(xs[i], ys[i], chart.Pen{Style: look.TrailAt(age)})
	}
	if f.Snap.Phase != engine.Running || f.Snap.Speed > 0 && f.Snap.Speed <= 100 {
		const joined = 12
		n := max(len(xs)-joined, 0)
		p.canvas.Polyline(xs[n:], ys[n:], chart.Pen{Style: look.TrailAt(0)})
	}
}

// ellipsesAt is the number of standard deviations at which the covariances are
// drawn.
const ellipsesAt = 2

// knows is whether there is a truth of the two coordinates that are shown.
func (p *lanePlot) knows(v *engine.LaneView) bool {
	x := v.TrueCov[0] + v.TrueCov[1] + v.TrueCov[2] + v.Coords[0].TrueMean + v.Coords[1].TrueMean
	return !v.Principal && x-x == 0
}

// ellipses draws the true covariance, the estimated one (dashed) and one
// standard deviation of the next step's noise around the present state.
func (p *lanePlot) ellipses(th *theme.Theme, v *engine.LaneView) {
	c := &p.canvas
	if p.knows(v) {
		c.Ellipse([2]float64{v.Coords[0].TrueMean, v.Coords[1].TrueMean}, [2][2]float64{{v.TrueCov[0], v.TrueCov[1]}, {v.TrueCov[1], v.TrueCov[2]}},
			ellipsesAt, chart.Pen{Style: th.Truth, Layer: chart.LayerLine})
	}
	if settled(v) && v.Kind != sampler.Optimising {
		c.Ellipse([2]float64{v.Coords[0].Mean, v.Coords[1].Mean}, [2][2]float64{{v.Cov[0], v.Cov[1]}, {v.Cov[1], v.Cov[2]}},
			ellipsesAt, chart.Pen{Style: th.Text, Layer: chart.LayerLine, Dash: 3})
	}
	if v.Diverged == nil {
		x, y := v.Local[0], v.Local[1]
		c.Ellipse(v.Now, [2][2]float64{{x * x, 0}, {0, y * y}}, 1, chart.Pen{Style: th.Key, Layer: chart.LayerLine})
	}
}

// ellipseKey says on the lower edge of a wide pane which ellipse is which.
func (p *lanePlot) ellipseKey(g chart.Region, f *Frame) {
	th := &f.Theme
	if g.W() < 50 {
		return
	}
	var l line
	truth, draws, next := false, false, false
	for i := range f.lanes() {
		v := &f.Snap.Lanes[i]
		truth = truth || p.knows(v)
		draws = draws || settled(v)
		next = next || v.Local != [2]float64{}
	}
	if truth || draws {
		l.add(0, "", th.Dim, th.Dim).str("2σ:")
	}
	if truth {
		l.add(0, "", th.Dim, th.Truth).str("─ true")
	}
	if draws {
		l.add(0, "", th.Dim, th.Text).str("╌ draws")
	}
	if next {
		l.add(0, "", th.Dim, th.Key).str("○ next step (1σ)")
	}
	if l.n == 0 {
		return
	}
	n := 1
	for i := range l.n {
		n += l.parts[i].width() + 1
	}
	edge := g.Sub(chart.Rect{X: g.W() - n - 2, Y: g.H() - 1, W: n, H: 1})
	edge.Fill(' ', chart.Style{})
	l.draw(edge.Sub(chart.Rect{X: 1, W: n - 1, H: 1}), 1)
}
