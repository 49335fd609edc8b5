package stage

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// lanePlot is a lane's pane: its newest draws in the plane of the watched
// coordinates, over the density where that is known, with their marginals on the
// edges, and its statistics. It can lay all lanes over each other.
type lanePlot struct {
	dens   shared.Density
	draws  shared.DrawsWindow
	plane  bool         // the target is a density in the plane
	win    chart.Window // of the draws, where it is not
	canvas chart.Braille
	lens   chart.Braille // of the newest step, magnified
	axes   chart.Axes
	edges  edgePlots
	lost   lostScene
	keys   [engine.MaxLanes]chart.Series
	at     planeAt // of the newest plane
}

func (p *lanePlot) prepare(f *pane.Frame) {
	p.plane = p.dens.Of(f.Problem())
	if !p.plane {
		p.win = p.draws.Of(f)
	}
}

// Cells of a pane that are not plot: border and axis labels, and below the plot
// the axis and one row of statistics.
const (
	paneExtraCols = 8
	paneExtraRows = 4
)

// grid divides r evenly among n lanes: in the number of columns that shows the
// plane at the largest scale, and the greater number of equals.
func (p *lanePlot) grid(panes []plane.Rect, r plane.Rect) {
	n := len(panes)
	aspect := 2.0 // of a plane that is stretched to its pane: what looks well
	if p.plane {
		aspect = (p.dens.Frame.X1 - p.dens.Frame.X0) / (p.dens.Frame.Y1 - p.dens.Frame.Y0)
		aspect = max(aspect, 1)
	}
	cols, best := 1, math.Inf(-1)
	for c := 1; c <= n; c++ {
		if n%c != 0 || c > 1 && r.W/c < pane.MinPaneCol {
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
		pane.Beside(panes[j*cols:(j+1)*cols], plane.Rect{X: r.X, Y: r.Y + y0, W: r.W, H: y1 - y0})
	}
}

// draw draws lane i in a box.
func (p *lanePlot) draw(g plane.Region, f *pane.Frame, i int) {
	v := &f.Snap.Lanes[i]
	g, ok := f.Begin(g, pane.LanePane(v.ID), i)
	if !ok {
		return
	}
	look := f.LaneStyle(v)
	shown := p.drawsShown(g, v)
	box := plane.Box{
		Title: f.LaneName(v), Mark: look.Glyph, MarkStyle: look.Style,
		Right: p.shownText(f, v, shown, g.W() < shortTitle), Focused: i == f.FocusAt() && len(f.Lanes()) > 1,
	}
	in := g.Box(f.Theme, box)
	if in.H() < 3 {
		p.stats(in, f, v)
		return
	}
	foot, rest := in.Bounds().CutBottom(statRows(in, f))
	p.stats(in.Sub(foot.Pad(0, 0, 0, 1)), f, v)
	p.at = planeAt{}
	if v.Diverged != nil {
		p.drawLost(g, in.Sub(rest), f, v, shown)
		return
	}
	p.drawPlot(in.Sub(rest), f, v, shown)
	p.planeKey(g, f, v)
	p.tellPlane(g, f, i)
}

func (p *lanePlot) stats(g plane.Region, f *pane.Frame, v *engine.LaneView) {
	var l pane.Line
	pane.Statistics(&l, f, v)
	l.DrawSome(g, f.Theme, statGap)
}

// statGap is the number of columns between statistics.
const statGap = 2

// statRows is how many rows the statistics get: as many as the lane that will need
// most of them, up to two, so that all planes are of one size and stay so where a
// window begins anew.
func statRows(in plane.Region, f *pane.Frame) int {
	rows := 1
	if in.H() < 8 {
		return rows
	}
	for i := range f.Lanes() {
		v := settledView(f, &f.Snap.Lanes[i])
		var l pane.Line
		pane.Statistics(&l, f, &v)
		l.Spell(in)
		_, used := l.Place(in.W()-1, 2, statGap)
		rows = max(rows, used)
	}
	return rows
}

// settledView is a lane with all the statistics that it can have, each as wide as it
// gets.
func settledView(f *pane.Frame, v *engine.LaneView) engine.LaneView {
	s := *v
	ok := metrics.Estimate{Value: 12.34, Status: metrics.OK}
	s.Diverged, s.Burning, s.Draws = nil, false, max(v.Draws, pane.EnoughDraws)
	s.MaxACT, s.MinESS = ok, metrics.Estimate{Value: 123_456, Status: metrics.OK}
	if f.Kinds().CovError {
		s.CovError = 12.34
	}
	if f.HasData() {
		s.Test.Error, s.Train.Error = 0.123, 0.123
	}
	return s
}

// drawsShown is how many of the newest draws a pane has room for: more would
// hide the contours beneath.
func (p *lanePlot) drawsShown(g plane.Region, v *engine.LaneView) int {
	return min(len(v.TrailX), len(v.TrailY), max(g.W()*g.H()*3/5, 150))
}

// shortTitle is the width of a pane below which its remark is brief.
const shortTitle = 34

// shownText is the pane's remark on what is drawn.
func (p *lanePlot) shownText(f *pane.Frame, v *engine.LaneView, n int, brief bool) string {
	if n == 0 {
		return ""
	}
	last := "last " + plane.Count(uint64(n))
	if brief {
		return last
	}
	last += pane.Plural(n, " draw", " draws")
	if v.Kind == sampler.Optimising {
		last = "last " + plane.Count(uint64(n)) + pane.Plural(n, " state", " states")
	}
	if !p.plane {
		last = pane.ShortName(&f.Theme, v.Names[0]) + ", " + pane.ShortName(&f.Theme, v.Names[1]) + ": " + last
	}
	return last
}

// drawPlot draws the plane. From bottom to top: the ground, draws, ellipses, the
// newest step, the present state.
func (p *lanePlot) drawPlot(g plane.Region, f *pane.Frame, v *engine.LaneView, shown int) {
	room := p.edges.cut(g, f, p.axes.Plot(g))
	plot, ok := p.begin(room.plane, f)
	if !ok {
		return
	}
	p.passage(f, v)
	p.trail(f, v, shown)
	p.truth(&f.Theme, v)
	p.estimated(v, chart.Pen{Style: f.Theme.Text, Layer: chart.LayerLine, Dash: 3})
	p.local(v, f.LaneStyle(v).Style)
	p.motion(f, v)
	p.now(plot, f, v)
	p.canvas.Draw(plot, f.Theme)
	p.drawLens(plot, f, v)
	p.edges.draw(room, plot, p.canvas.Window(), f, v, p.marginals())
}

// begin labels the axes and readies the canvas with the ground on it. Without a
// window it says that there are no draws.
func (p *lanePlot) begin(g plane.Region, f *pane.Frame) (plot plane.Region, ok bool) {
	plot = p.axes.Plot(g)
	win := p.win
	if p.plane {
		w, h := plot.Size()
		win = shared.Fit(p.dens.Frame, w, h)
	}
	win = p.zoomed(f, win, plot)
	if !win.Valid() {
		g.TextCenter(g.H()/2, f.Reason("no draws yet"), f.Theme.Dim)
		return plot, false
	}
	p.axes.Draw(g, f.Theme, win)
	p.canvas.Reset(f.Theme, plot.W(), plot.H(), win)
	if p.plane {
		p.ground(&f.Theme, p.dens.Contours(&f.Theme, plot.W(), plot.H(), win))
	}
	return plot, true
}

// marginals are the exact densities of both coordinates; nil where they are not
// known.
func (p *lanePlot) marginals() (m [2]*shared.Marginal) {
	if p.plane {
		m[0], m[1] = p.dens.Marginal(0), p.dens.Marginal(1)
	}
	return m
}

// now marks the present state, or says where it is if that is not on the plot.
func (p *lanePlot) now(plot plane.Region, f *pane.Frame, v *engine.LaneView) {
	th, look := &f.Theme, f.LaneStyle(v)
	if p.canvas.Mark(v.Now[0], v.Now[1], look.Glyph, chart.Pen{Style: look.Style.With(theme.Bold), Layer: chart.LayerMark}) {
		return
	}
	var l pane.Line
	l.Add(0, "now at", th.Dim, th.Warn, plane.Number(v.Now[0], 6)+", "+plane.Number(v.Now[1], 6))
	l.Draw(plot.Row(0), 1)
}
