package stage

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/shared"
	"github.com/psgld/psgld-tui/tui/wording"
)

// leastDivergedPlot is the least number of rows of a plot above the card.
const leastDivergedPlot = 6

// drawDiverged draws a lane that has diverged inside its box: its last draws, and below them the card that explains the
// divergence. A small pane has the card alone, and so has a target on a line.
func (p *scene) drawDiverged(box, g plane.Region, f *pane.Frame, v *engine.LaneView, chains []engine.ChainView) {
	full := cardRows(g.W(), f, v, true)
	brief := cardRows(g.W(), f, v, false)
	h := full
	if g.H()-h < leastDivergedPlot {
		h = brief
	}
	if g.H()-h < leastDivergedPlot || line(f) {
		h = g.H()
	}
	foot, rest := g.Bounds().CutBottom(h)
	if bent := p.divergedPlot(box, g.Sub(rest), f, v, chains); bent && f.Cross.AxisX != pane.DivergedX {
		var l pane.Line
		l.Add(0, "outside the dots: log scale", f.Theme.Dim, f.Theme.Dim)
		lowerEdge(box, &l)
	}
	drawCard(g.Sub(foot), f, v)
}

// divergedPlot draws the last draws and reports whether an axis is bent.
func (p *scene) divergedPlot(box, g plane.Region, f *pane.Frame, v *engine.LaneView, chains []engine.ChainView) bool {
	if g.H() < leastDivergedPlot {
		return false
	}
	plot := chart.Plot(g)
	x, y, whole := p.divergedAxes(f, v, chains, plot)
	bent := x.Bent()
	fit := func(w chart.Window) chart.Lattice {
		if bent {
			return chart.Lattice{Window: w}
		}
		return p.fit(f, w, plot, 0)
	}
	win := fit(whole)
	all := win.Window
	if shown := f.Window(pane.DivergedX, pane.DivergedY, all); shown != all {
		win = fit(shown)
	}
	if !all.Valid() || !win.Valid() {
		g.TextCenter(g.H()/2, f.Reason("no draws yet"), f.Theme.Dim)
		return false
	}
	th, c := &f.Theme, &p.canvas
	if bent {
		chart.BentAxes(g, *th, win.Window, x, y)
	} else {
		p.at = planeAt{plot, win, all}
		p.axes(g, f)
	}
	c.Reset(*th, plot.W(), plot.H(), win.Window)
	c.Bend(x, y)
	if p.plane {
		p.ground(th, p.Density.Contours(th, plot.W(), plot.H(), win.Window, x, y))
	}
	if bent {
		edge := chart.Pen{Style: th.Faint, Layer: chart.LayerGrid, Dash: 1}
		for _, u := range [...]float64{-1, 1} {
			c.Line(x.From(u), y.From(win.Y.Lo), x.From(u), y.From(win.Y.Hi), edge)
			c.Line(x.From(win.X.Lo), y.From(u), x.From(win.X.Hi), y.From(u), edge)
		}
	}
	paths := trails(f, v, chains)
	p.draws(paths, 0)
	p.join(paths, lastJoined, false, func(age float64) float64 { return age })
	p.truth(th, v)
	if len(v.Chains) > 1 {
		p.heads(f, v, true)
	}
	p.cross(th, v)
	c.Draw(plot, *th)
	f.SetPlot(box, pane.PlaneOf(plot, pane.DivergedX, pane.DivergedY, win, all))
	showNearest(box, plot, f, v, lost(v, chains), win.Window, x, y)
	return bent
}

// lost is the one of a lane's chains that has diverged.
func lost(v *engine.LaneView, chains []engine.ChainView) *engine.ChainView {
	return &chains[min(max(v.Diverged.Chain, 0), len(chains)-1)]
}

// cross marks where the chain that has diverged stands.
func (p *scene) cross(th *theme.Theme, v *engine.LaneView) {
	at := lost(v, pane.Chains(v, 1)).Now
	p.canvas.Mark(at[0], at[1], th.Glyphs.Cross, chart.Pen{Style: th.Bad, Layer: chart.LayerMark})
}

// showNearest shows the place under the cross and the draw nearest to it of the chain that has diverged.
func showNearest(box, plot plane.Region, f *pane.Frame, v *engine.LaneView, of *engine.ChainView, win chart.Window, x,
	y chart.Bend) {
	at := f.DrawCross(plot, win, pane.DivergedX, pane.DivergedY)
	if !at.Both() {
		return
	}
	th := &f.Theme
	var l pane.Line
	l.Add(0, pane.ShortName(th, v.Names[0]), th.Dim, th.Accent, pane.Exact(x.From(at.X)))
	l.Add(0, pane.ShortName(th, v.Names[1]), th.Dim, th.Accent, pane.Exact(y.From(at.Y)))
	last := len(of.TrailX) - 1
	ago := pane.Nearest(last+1, 0, func(i int) float64 {
		return math.Hypot((x.To(of.TrailX[last-i])-at.X)/win.X.Len(), (y.To(of.TrailY[last-i])-at.Y)/win.Y.Len())
	})
	if ago >= 0 {
		k := last - ago
		l.Add(1, "nearest:", th.Dim, f.LaneStyle(v).Style, pane.Exact(of.TrailX[k]), ", ", pane.Exact(of.TrailY[k]))
		if ago > 0 {
			l.Add(2, "", th.Dim, th.Dim, plane.Count(uint64(ago))+" draws before the last")
		}
	}
	pane.ShowValues(box, f, &l)
}

// lastJoined is how many of the last draws are joined by a line.
const lastJoined = 6

// bentHalf is half the length of a bent axis: 1 for its linear part, 1 for the logarithmic one, and a margin.
const bentHalf = 2.1

// divergedAxes are axes that show a lane's last draws and its target, and the window in their units. Both axes are bent
// or none. The linear part of bent axes on a density is true to scale.
func (p *scene) divergedAxes(f *pane.Frame, v *engine.LaneView, chains []engine.ChainView,
	plot plane.Region) (x, y chart.Bend, win chart.Window) {
	core := p.Density.Frame
	c := lost(v, chains)
	xs, ys := c.TrailX, c.TrailY
	if !p.plane {
		core = p.healthy(f)
		if !core.Valid() {
			core = chart.Window{X: before(xs), Y: before(ys)}
		}
	}
	if !core.Valid() {
		return x, y, chart.Window{}
	}
	farX, farY := farthest(core.X, xs, c.Now[0]), farthest(core.Y, ys, c.Now[1])
	if chart.NewBend(core.X, farX).Bent() || chart.NewBend(core.Y, farY).Bent() {
		if p.plane {
			cols, rows := plot.Size()
			core = core.Equal(f.Theme, cols, rows)
		}
		bend := func(core pane.Range, far float64) chart.Bend {
			return chart.NewBend(core, max(far, 1.01*chart.BendsFrom*core.Len()/2))
		}
		if x, y = bend(core.X, farX), bend(core.Y, farY); x.Bent() && y.Bent() {
			side := pane.Range{Lo: -bentHalf, Hi: bentHalf}
			return x, y, chart.Window{X: side, Y: side}
		}
	}
	side := func(core pane.Range, far float64) pane.Range {
		far = max(far*1.05, core.Len()/2)
		return pane.Range{Lo: core.Mid() - far, Hi: core.Mid() + far}
	}
	return chart.Bend{}, chart.Bend{}, chart.Window{X: side(core.X, farX), Y: side(core.Y, farY)}
}

// farthest is the distance of a trail and of the present state from the middle of core.
func farthest(core pane.Range, xs []float64, now float64) (far float64) {
	for _, x := range append(slices.Clone(xs), now) {
		if d := math.Abs(x - core.Mid()); !math.IsInf(d, 0) {
			far = max(far, d)
		}
	}
	return far
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
func before(xs []float64) pane.Range { return shared.Middle(xs[:(len(xs)+1)/2], 10).Grow(0.3) }

// A cardLine is a line of the card. A small card has the brief lines alone.
type cardLine struct {
	text  string
	style plane.Style
	brief bool
}

// cardLines are the lines of the card: the coordinate that left, the bound that was
// crossed and its reason, and the keys.
func cardLines(f *pane.Frame, v *engine.LaneView) []cardLine {
	th := &f.Theme
	d := v.Diverged
	bound := th.Bad.Without(theme.Underline)
	var all []cardLine
	add := func(brief bool, style plane.Style, format string, args ...any) {
		text := plane.Exponents(fmt.Sprintf(format, args...))
		if th.ASCII {
			text = plane.Spell(text) // measured as it is written
		}
		all = append(all, cardLine{text, style, brief})
	}
	back := f.KeyOf("rewind") + ": " + wording.Rescue(f.Problem(), v)
	if d.Failed != "" {
		add(true, bound, "%s", d.Failed)
		add(true, th.Accent, "%s", back)
		add(false, th.Dim, "%s: restart · %s: go along the session", f.KeyOf("restart"), f.KeyOf("history"))
		return all
	}
	name, bounded := pane.ShortName(th, d.Coordinate), d.Bound.Kind != sampler.NoBound
	switch {
	case d.Coordinate == "":
		add(!bounded, th.Text, "What the method keeps beside θ is out of bounds.")
	case math.IsNaN(d.Value):
		add(true, th.Text, "%s is not a number.", name)
	default:
		add(true, th.Text, "%s is %.3g, beyond ±%.0e.", name, d.Value, sampler.Limit)
	}
	switch {
	case bounded:
		add(true, bound, "ε = %.4g ≥ %s = %.4g", d.Eps, d.Bound.Kind.Formula(), d.Bound.Eps)
		if why := whyBound(d); why != "" {
			add(false, th.Text, "%s", why)
		}
	case d.Undefined:
		add(true, bound, "The log density is not finite here.")
	default:
		add(true, bound, "ε = %.4g is too large here.", d.Eps)
		if d.Unproved {
			add(false, th.Text,
				"Or the formula is no density. Nobody has checked that its exponential has an integral.")
		}
	}
	switch next := state.RescueFactor(f.Problem(), v.Setting, d) * v.Setting.Or(sampler.KeyEps, d.Eps); {
	case bounded && next < d.Bound.Eps:
		add(true, th.Accent, "%s, %.4g < %.4g", back, next, d.Bound.Eps)
	case bounded:
		add(true, th.Accent, "%s, %.4g, still ≥ %.4g", back, next, d.Bound.Eps)
	default:
		add(true, th.Accent, "%s", back)
	}
	add(false, th.Dim, "%s: restart · %s: go along the session", f.KeyOf("restart"), f.KeyOf("history"))
	return all
}

// whyBound explains a bound.
func whyBound(d *state.Divergence) string {
	// A step takes a coordinate to (1 - ε/(2σ²G⁻¹)) times itself, which at the bound is -1.
	times := 1 - 2*d.Eps/d.Bound.Eps
	switch d.Bound.Kind {
	case sampler.VarianceBound:
		return fmt.Sprintf("σ² is the smallest variance. A step takes θ there to (1-ε/2σ²) θ = %.3g θ: it "+
			"overshoots by more each time.", times)
	case sampler.DampedBound:
		return fmt.Sprintf("Where there is no gradient G is 1/λ, and a step takes θ to (1-ε/2σ²λ) θ = %.3g θ: it "+
			"overshoots by more each time.", times)
	case sampler.MetricBound:
		return fmt.Sprintf("A step takes θ to (1-Gε/2σ²) θ = %.3g θ: it overshoots by more each time.", times)
	case sampler.FrictionBound:
		return "σ² is the smallest variance, a the friction. Above it each swing is wider than the one before."
	}
	return ""
}

// cardRows is the height of the card with its border, whole or in brief.
func cardRows(w int, f *pane.Frame, v *engine.LaneView, whole bool) int {
	rows := 2
	for _, l := range cardLines(f, v) {
		if whole || l.brief {
			rows += len(plane.Wrap(l.text, w-4))
		}
	}
	return rows
}

// drawCard draws the card over all of g.
func drawCard(g plane.Region, f *pane.Frame, v *engine.LaneView) {
	th := &f.Theme
	g.Fill(' ', plane.Style{})
	if g.W() < 24 || g.H() < 3 {
		g.TextFit(0, 0, g.W(), f.Theme, pane.ShortName(th, v.Diverged.Reason()), th.Bad)
		return
	}
	edge := *th
	edge.Border = th.Bad.Without(theme.Bold | theme.Underline)
	in := g.Box(edge, plane.Box{}).Pad(0, 1, 0, 1)
	var l pane.Line
	p := l.Add(0, wording.Stopped(v.Diverged)+" at step", th.Bad, th.Bad, plane.Count(v.Diverged.Step))
	if len(v.Chains) > 1 {
		p.Text += ", chain " + strconv.Itoa(v.Diverged.Chain+1)
	}
	g.Set(1, 0, ' ', plane.Style{})
	_, x := l.Draw(g.Sub(plane.Rect{X: 2, W: g.W() - 4, H: 1}), 1)
	g.Set(2+x, 0, ' ', plane.Style{})
	whole := cardRows(g.W(), f, v, true) <= g.H()
	y := 0
	for _, row := range cardLines(f, v) {
		if !whole && !row.brief {
			continue
		}
		rest := in.Sub(plane.Rect{Y: y, W: in.W(), H: in.H() - y})
		y += min(rest.TextWrapped(row.text, row.style), rest.H())
	}
}
