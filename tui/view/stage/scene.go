package stage

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/shared"
	"github.com/psgld/psgld-tui/tui/wording"
)

// A scene is the content of one pane: the newest draws of one lane or of all lanes in the plane of the watched
// coordinates, with their marginals on the edges. Below the draws is the density, if it is known.
type scene struct {
	*view
	lanes  []*engine.LaneView // one, or all over each other
	plane  bool               // the target is a density in the plane
	whole  chart.Window       // all that the plane is to show
	at     planeAt
	beside room // what stands beside the plane
}

// scene is a new scene of a frame.
func (v *view) scene(f *pane.Frame) *scene {
	if v.Density.Of(f.Problem()) {
		return &scene{view: v, plane: true, whole: v.Density.Frame}
	}
	return &scene{view: v, whole: v.Draws.Of(f)}
}

// drawLane draws lane i in a box.
func (p *scene) drawLane(g plane.Region, f *pane.Frame, i int) {
	v := &f.Snap.Lanes[i]
	p.lanes = []*engine.LaneView{v}
	look := f.LaneStyle(v)
	chains := shown(g, v)
	n, every := count(f, v, chains, most(g))
	box := plane.Box{
		Title: f.LaneName(v) + pane.ChainsClause(v), Mark: look.Glyph, MarkStyle: look.Style,
		Right:   p.shownText(f, v, n, every, g.W()),
		Focused: i == f.FocusAt() && len(f.Lanes()) > 1,
	}
	in := g.Box(f.Theme, box)
	if in.H() < 3 {
		stats(in, f, v)
		return
	}
	foot, rest := in.Bounds().CutBottom(p.statRows(in, f))
	stats(in.Sub(foot.Pad(0, 0, 0, 1)), f, v)
	if v.Diverged != nil {
		p.drawDiverged(g, in.Sub(rest), f, v, chains)
		return
	}
	p.drawPlane(g, in.Sub(rest), f, v, []int{i})
}

// drawPlane draws the plane in a pane's box, or the line of a target on one, with its key and the values at the cross.
// One of the lanes is the first of all.
func (p *scene) drawPlane(box, g plane.Region, f *pane.Frame, first *engine.LaneView, onLine []int) {
	if t := pane.Function(f.Problem()); t != nil {
		p.drawFunction(box, g, f, t, first)
		return
	}
	if line(f) {
		p.drawLine(box, g, f, onLine)
		return
	}
	p.drawPlot(box, g, f, first)
	p.planeKey(box, f, first)
	p.showPlace(box, f, first)
}

func stats(g plane.Region, f *pane.Frame, v *engine.LaneView) {
	var l pane.Line
	pane.Statistics(&l, f, v)
	l.Spell(g)
	l.Fill(g.W(), g.H(), statGap)
	l.DrawSome(g, f.Theme, statGap)
}

// statGap is the number of columns between statistics.
const statGap = 2

// statRows is the number of rows of the statistics: as many as some lane will need, at
// most two. So all planes have one size, and keep it when a window begins.
func (v *view) statRows(in plane.Region, f *pane.Frame) int {
	switch {
	case in.H() < 11:
		return 1
	case v.width == in.W():
		return v.rows
	}
	v.width, v.rows = in.W(), 1
	for i := range f.Lanes() {
		lane := pane.SettledView(&f.Snap.Lanes[i])
		var l pane.Line
		pane.Statistics(&l, f, &lane)
		l.Spell(in)
		l.Fill(in.W()-1, 2, statGap)
		_, used := l.Place(in.W()-1, 2, statGap)
		v.rows = max(v.rows, used)
	}
	return v.rows
}

// shown are a lane's chains with as many of their newest draws as a pane shows: more would hide the contours.
func shown(g plane.Region, v *engine.LaneView) []engine.ChainView { return pane.Chains(v, most(g)) }

// most is how many draws a pane shows at most.
func most(g plane.Region) int { return max(g.W()*g.H()*3/5, 150) }

// count is how many of a lane's draws its pane shows, so many apart: a line has a histogram of all that there are.
func count(f *pane.Frame, v *engine.LaneView, chains []engine.ChainView, most int) (n int, every uint64) {
	if line(f) {
		return len(shared.Trail(v, 0)), v.Every
	}
	return list.Sum(chains, func(c engine.ChainView) int { return len(c.TrailX) }), pane.Apart(v, most)
}

// shortTitle is the width of a pane below which its remark is brief.
const shortTitle = 34

// thinTitle is the width below which the remark on draws that are thinned is brief.
const thinTitle = 56

// shownText is the remark on the edge of a pane of a width: how many draws it shows, so many apart.
func (p *scene) shownText(f *pane.Frame, v *engine.LaneView, n int, every uint64, width int) string {
	if t := pane.Function(f.Problem()); t != nil {
		return functionText(f, t, v, width)
	}
	if n == 0 {
		return ""
	}
	span := uint64(n) * max(every, 1)
	if every > 1 {
		span = min(span, v.Kept)
	}
	if width < shortTitle || every > 1 && width < thinTitle {
		return "last " + plane.Count(span)
	}
	last := pane.LastText(span, every)
	if v.Kind == sampler.Optimising {
		last = "last " + plane.Count(uint64(n)) + plane.Plural(n, " state", " states")
	}
	if line(f) {
		last = pane.ShortName(&f.Theme, v.Names[0]) + ": " + last
	} else if !p.plane {
		last = pane.ShortName(&f.Theme, v.Names[0]) + ", " + pane.ShortName(&f.Theme, v.Names[1]) + ": " + last
	}
	return last
}

// drawPlot draws, from bottom to top, the ground, the draws, the ellipses, the newest step and the present states.
func (p *scene) drawPlot(box, g plane.Region, f *pane.Frame, first *engine.LaneView) {
	p.beside = p.divide(g, f)
	plot, ok := p.begin(p.beside.plane, f)
	if !ok {
		return
	}
	for _, v := range p.lanes {
		p.passage(f, v)
	}
	if overlaid(f) {
		p.overlayTrails(plot, f)
	} else {
		p.trail(f, first, shown(box, first))
	}
	p.truth(&f.Theme, first)
	for i, v := range p.lanes {
		pen := chart.Pen{Style: f.Theme.Text, Layer: chart.LayerLine, Dash: 3}
		if overlaid(f) {
			pen.Style, pen.Dash = f.LaneStyle(v).Style, uint8(2+i)
		}
		p.estimated(v, pen)
		p.ring(f, v, v.Now)
	}
	onPlot := true
	for _, v := range p.lanes {
		if v == first {
			p.motion(f, v)
		}
		onPlot = p.heads(f, v, !overlaid(f))
		if v.Diverged != nil {
			p.cross(&f.Theme, v)
		}
	}
	p.canvas.Draw(plot, f.Theme)
	if !onPlot && !overlaid(f) {
		nowAt(plot, f, first)
	}
	p.drawBeside(f, first)
	p.drawLens(f, first)
}

// begin draws the axes and resets the canvas to the ground. Without a window it says that there are no draws.
func (p *scene) begin(g plane.Region, f *pane.Frame) (plot plane.Region, ok bool) {
	plot = chart.Plot(g)
	win := p.zoomed(f, plot)
	if !win.Valid() {
		g.TextCenter(g.H()/2, f.Reason("no draws yet"), f.Theme.Dim)
		return plot, false
	}
	p.axes(g, f)
	p.canvas.Reset(f.Theme, plot.W(), plot.H(), win.Window)
	if p.plane {
		p.ground(&f.Theme, p.Density.Contours(&f.Theme, plot.W(), plot.H(), win.Window, chart.Bend{}, chart.Bend{}))
	}
	return plot, true
}

// axes draws the axes with the names of the coordinates. The first one's name has its place
// beside the plane, if there is something.
func (p *scene) axes(g plane.Region, f *pane.Frame) {
	th, names := &f.Theme, f.Focused().Names
	first := pane.ShortName(th, names[0])
	if !p.beside.names.Empty() {
		first = ""
	}
	p.at.win.Axes(g, *th, first, pane.ShortName(th, names[1]))
}

// mostNumbered is how many chains have a number in place of the lane's glyph.
const mostNumbered = 9

// heads marks where the chains stand, the first one on top, and reports whether that is on
// the plot. Several chains have their numbers, if they are to be numbered.
func (p *scene) heads(f *pane.Frame, v *engine.LaneView, numbered bool) (first bool) {
	look := f.LaneStyle(v)
	for i := len(v.Chains) - 1; i > 0; i-- {
		glyph, style := look.Glyph, f.ChainStyle(v, i)
		p.head(v.Chains[i].Now, f, glyph, style, i, len(v.Chains), numbered)
	}
	return p.head(v.Now, f, look.Glyph, f.ChainStyle(v, 0), 0, len(v.Chains), numbered)
}

// head marks where chain i of so many stands.
func (p *scene) head(at [2]float64, f *pane.Frame, glyph rune, style plane.Style, i, of int, numbered bool) bool {
	if style = style.With(theme.Bold); numbered && of > 1 && of <= mostNumbered {
		glyph, style = '1'+rune(i), f.Theme.Badge(style)
	}
	return p.canvas.Mark(at[0], at[1], glyph, chart.Pen{Style: style, Layer: chart.LayerMark})
}

// nowAt writes the coordinates of a state that is not on the plot.
func nowAt(plot plane.Region, f *pane.Frame, v *engine.LaneView) {
	th := &f.Theme
	var l pane.Line
	l.Add(0, "now at", th.Dim, th.Warn, plane.Number(v.Now[0], 6)+", "+plane.Number(v.Now[1], 6))
	l.Draw(plot.Row(0), 1)
}

// drawsIn counts the draws of chains in a cell of the plane.
func drawsIn(chains []engine.ChainView, at chart.Window) (n uint64) {
	for _, c := range chains {
		for k, x := range c.TrailX {
			if y := c.TrailY[k]; x >= at.X.Lo && x < at.X.Hi && y > at.Y.Lo && y <= at.Y.Hi {
				n++
			}
		}
	}
	return n
}

// planeAt is the plot of a plane, its visible window and its window without a zoom.
type planeAt struct {
	plot plane.Region
	win  chart.Lattice
	all  chart.Window
}

// zoomed is the visible window of a plane.
func (p *scene) zoomed(f *pane.Frame, plot plane.Region) chart.Lattice {
	all := p.fit(f, p.whole, plot, slackOf(plot.H()))
	win := all
	if shown := f.Window(pane.CoordX, pane.CoordY, all.Window); shown != all.Window {
		win = p.fit(f, shown, plot, 0)
	}
	p.at = planeAt{plot, win, all.Window}
	return win
}

// fit is the window of a plot that shows all of w: true to scale if w is a density's, and
// else if the plot is not too long for that.
func (p *scene) fit(f *pane.Frame, w chart.Window, plot plane.Region, slack float64) chart.Lattice {
	cols, rows := plot.Size()
	l := w.True(f.Theme, cols, rows, slack)
	if !p.plane && min(w.X.Len()/l.X.Len(), w.Y.Len()/l.Y.Len()) < leastFilled {
		return w.Free(cols, rows)
	}
	return l
}

// leastFilled is the part of either side of a plot that coordinates of other units fill at
// least where they have one scale.
const leastFilled = 0.6

// showPlace shows the values at the cross: its coordinates, the density relative to its
// peak, and the number of a lane's draws in that cell.
func (p *scene) showPlace(box plane.Region, f *pane.Frame, v *engine.LaneView) {
	plot, win, all := p.at.plot, p.at.win, p.at.all
	if !win.Valid() {
		return
	}
	f.SetPlot(box, pane.PlaneOf(plot, pane.CoordX, pane.CoordY, win, all))
	at := f.DrawCross(plot, win.Window, pane.CoordX, pane.CoordY)
	if at.OnY {
		p.beside.side.CrossH(at.Row, f.Theme)
		p.beside.trace.CrossH(at.Row, f.Theme)
	}
	th := &f.Theme
	var l pane.Line
	if at.OnX {
		p.beside.below.CrossV(at.Col, f.Theme)
		l.Add(0, pane.ShortName(th, v.Names[0]), th.Dim, th.Accent, pane.Exact(at.X))
	}
	if at.OnY {
		l.Add(0, pane.ShortName(th, v.Names[1]), th.Dim, th.Accent, pane.Exact(at.Y))
	}
	if at.Both() {
		if p.plane {
			l.Add(2, "density", th.Dim, th.Truth,
				wording.Number(quantity.Share, math.Exp(p.Density.LogP(at.X, at.Y)-p.Density.Peak), pane.NumberWidth)+
					" of peak")
		}
		w, h := plot.Size()
		dx, dy := win.X.Len()/float64(w), win.Y.Len()/float64(h)
		x0, y1 := win.X.Lo+float64(at.Col)*dx, win.Y.Hi-float64(at.Row)*dy
		cell := chart.Window{X: pane.Range{Lo: x0, Hi: x0 + dx}, Y: pane.Range{Lo: y1 - dy, Hi: y1}}
		for _, v := range p.lanes {
			look := f.LaneStyle(v)
			l.Add(1, "", look.Style, look.Style,
				string(look.Glyph)+" "+plane.Count(drawsIn(shown(box, v), cell))+" here")
		}
	}
	if len(l.Parts) > 0 {
		pane.ShowValues(box, f, &l)
	}
}
