package stage

import (
	"math"
	"sort"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// shading is the share of a contour's colour in the ground within it, from the outermost to the innermost.
var shading = []float64{0.10, 0.20, 0.32}

// ground draws the contours of a density, and in colour its shading.
func (p *scene) ground(th *theme.Theme, set *chart.ContourSet) {
	var ground []plane.Color
	if !th.NoColor && !th.ASCII {
		ground = shades(th)
	}
	p.canvas.Contours(set, th.Contour[theme.ContourShades-shared.ContourLevels:], ground)
}

// shades are the colours of the ground within the contours.
func shades(th *theme.Theme) []plane.Color {
	return list.Map(shading, func(t float64) plane.Color {
		return th.Ground.Blend(th.Contour[theme.ContourShades-1].FG, t)
	})
}

// slow reports whether steps are slow enough to follow by eye.
func slow(f *pane.Frame) bool {
	return f.Snap.Phase != state.Running || pane.Slow(f.Snap)
}

// joined is the number of newest draws that a line joins while steps are slow, of up to four
// chains. More chains share so many lines.
const joined = 12

// A trail is a chain's draws as they are drawn.
type trail struct {
	xs, ys []float64
	shade  func(age float64) plane.Style
	glyph  rune // of each draw; 0 for dots
}

// trails are those of a lane's chains. Of an only chain the newest draws are the brightest, and several chains have one
// style each.
func trails(f *pane.Frame, v *engine.LaneView, chains []engine.ChainView) (all []trail) {
	for i := range chains {
		t := trail{xs: chains[i].TrailX, ys: chains[i].TrailY, shade: f.LaneStyle(v).TrailAt}
		if len(v.Chains) > 1 {
			style := f.ChainStyle(v, i)
			t.shade = func(float64) plane.Style { return style }
		}
		all = append(all, t)
	}
	return all
}

// trail draws the newest draws of each chain, and joins the last few while steps are slow.
// The arrows of the first chain's newest step, if they are known, replace its line.
func (p *scene) trail(f *pane.Frame, v *engine.LaneView, chains []engine.ChainView) {
	least := 0.2 // so that the noise of the next step stands out
	if v.Motion != nil {
		least = 0.4 // and its arrows
	}
	all := trails(f, v, chains)
	p.draws(all, least)
	if slow(f) && v.Every <= 1 {
		p.join(all, 4*joined/max(len(chains), 4), v.Motion != nil,
			func(age float64) float64 { return max(age*age, least) })
	}
}

// draws draws trails, in turns from the oldest draw to the newest, so that none covers the others. Ages begin at least.
func (p *scene) draws(all []trail, least float64) {
	longest := list.Max(all, func(t trail) int { return len(t.xs) })
	// The age of the k-th newest draw is between 0, the newest, and 1.
	ageAt := func(k int) float64 { return least + (1-least)*(float64(k-1)/float64(max(longest, 64))) }
	for k := longest; k > 0; {
		age, n := ageAt(k), 1
		if len(all) == 1 { // as many as have the same shade
			style := all[0].shade(age)
			n = sort.Search(k, func(n int) bool { return all[0].shade(ageAt(k-n)) != style })
		}
		for i := range all {
			t := &all[i]
			from, pen := len(t.xs)-k, chart.Pen{Style: t.shade(age), Layer: chart.LayerPoint}
			switch {
			case from < 0:
			case t.glyph != 0:
				p.canvas.Mark(t.xs[from], t.ys[from], t.glyph, pen)
			default:
				p.canvas.Points(t.xs[from:from+n], t.ys[from:from+n], pen)
			}
		}
		k -= n
	}
}

// join joins so many of the last draws of each trail by lines, without the first one's
// newest if that is to be left out. A line's shade is that of a function of its age.
func (p *scene) join(all []trail, most int, without bool, of func(age float64) float64) {
	for k, t := range all {
		last := len(t.xs)
		if without && k == 0 {
			last--
		}
		for i := max(len(t.xs)-most, 1); i < last; i++ {
			age := float64(len(t.xs)-1-i) / float64(most)
			p.canvas.Line(t.xs[i-1], t.ys[i-1], t.xs[i], t.ys[i], chart.Pen{Style: t.shade(of(age))})
		}
	}
}

// passage draws the states of the burn-in, muted and below the draws.
func (p *scene) passage(f *pane.Frame, v *engine.LaneView) {
	xs, ys := v.Passage[0], v.Passage[1]
	n := min(len(xs), len(ys))
	pen := chart.Pen{Style: f.Theme.Faint, Layer: chart.LayerGrid, ASCII: asciiPassage}
	p.canvas.Points(xs[:n], ys[:n], pen)
	if v.Motion != nil || !slow(f) {
		return
	}
	for i := max(n-joined, 1); i < n; i++ {
		p.canvas.Line(xs[i-1], ys[i-1], xs[i], ys[i], pen)
	}
}

// ellipsesAt is the radius of the covariances' ellipses in standard deviations.
const ellipsesAt = 2

// The characters of the ellipses and of the burn-in in ASCII.
const (
	asciiTruth   = ':'
	asciiDraws   = '*'
	asciiNext    = '%'
	asciiPassage = ','
)

// knows reports whether the true moments of the two coordinates are known.
func (p *scene) knows(v *engine.LaneView) bool {
	x := v.TrueCov[0] + v.TrueCov[1] + v.TrueCov[2] + v.Coords[0].Values[quantity.TrueMean].Value +
		v.Coords[1].Values[quantity.TrueMean].Value
	return !v.Principal && x-x == 0
}

// truth draws the true covariance around the true mean.
func (p *scene) truth(th *theme.Theme, v *engine.LaneView) {
	if p.knows(v) {
		p.ellipse(v, quantity.TrueMean, v.TrueCov,
			chart.Pen{Style: th.Truth, Layer: chart.LayerTruth, ASCII: asciiTruth})
	}
}

// ellipse draws a covariance of the watched coordinates around their means.
func (p *scene) ellipse(v *engine.LaneView, mean quantity.CoordID, cov [3]float64, pen chart.Pen) {
	at := [2]float64{v.Coords[0].Values[mean].Value, v.Coords[1].Values[mean].Value}
	p.canvas.Ellipse(at, [2][2]float64{{cov[0], cov[1]}, {cov[1], cov[2]}}, ellipsesAt, pen)
}

// estimates reports whether a lane's covariance can be trusted.
func estimates(v *engine.LaneView) bool { return pane.Settled(v) && v.Kind != sampler.Optimising }

// estimated draws the covariance of the window's draws around their mean.
func (p *scene) estimated(v *engine.LaneView, pen chart.Pen) {
	pen.ASCII = asciiDraws
	if estimates(v) {
		p.ellipse(v, quantity.Mean, v.Cov, pen)
	}
}

// ring draws one standard deviation of the next step's noise, √(εG), around a place.
func (p *scene) ring(f *pane.Frame, v *engine.LaneView, at [2]float64) {
	if v.Diverged == nil {
		x, y := v.Local[0], v.Local[1]
		p.canvas.Ellipse(at, [2][2]float64{{x * x, 0}, {0, y * y}}, 1,
			chart.Pen{Style: f.LaneStyle(v).Ring, Layer: chart.LayerRing, ASCII: asciiNext})
	}
}

// lowerEdge writes a line at the right end of the lower edge of a pane's box. Parts of the
// highest rank are left out if there is no room.
func lowerEdge(g plane.Region, l *pane.Line) {
	room := g.W() - 5
	if len(l.Parts) == 0 || room < 1 || g.H() < 2 {
		return
	}
	l.Spell(g)
	row, _ := l.Place(room, 1, 1)
	n := 0
	var shown pane.Line
	for i, p := range l.Parts {
		if row[i] >= 0 {
			n += p.Width() + 1
			shown.Parts = append(shown.Parts, p)
		}
	}
	if n == 0 || n > room+1 {
		return
	}
	edge := g.Sub(plane.Rect{X: g.W() - n - 3, Y: g.H() - 1, W: n + 1, H: 1})
	edge.Fill(' ', plane.Style{})
	shown.Draw(edge.Sub(plane.Rect{X: 1, W: n, H: 1}), 1)
}

// motion draws the two parts of the newest step, if they are known: the gradient's drift
// as a thick arrow, and from its end the noise as a thin arrow to the present state.
func (p *scene) motion(f *pane.Frame, v *engine.LaneView) {
	c, th, m := &p.canvas, &f.Theme, v.Motion
	if m == nil {
		return
	}
	x, y := m.From[0]+m.Drift[0], m.From[1]+m.Drift[1]
	c.Arrow(x, y, v.Now[0], v.Now[1], chart.Pen{Style: th.Good.With(theme.Bold), Layer: chart.LayerArrow, ASCII: '-'})
	c.Arrow(m.From[0], m.From[1], x, y, chart.Pen{Style: th.Title, Layer: chart.LayerArrow, Thick: true, ASCII: '='})
}

// motionKey adds the two arrows of the newest step, which is known, and, in a pane with room for them, their lengths in
// the plane.
func motionKey(l *pane.Line, f *pane.Frame, v *engine.LaneView, long bool) {
	th, m := &f.Theme, v.Motion
	drift := math.Hypot(m.Drift[0], m.Drift[1])
	noise := math.Hypot(v.Now[0]-m.From[0]-m.Drift[0], v.Now[1]-m.From[1]-m.Drift[1])
	thick, thin := "━→ drift", "─→ noise"
	if th.ASCII {
		thick, thin = "=> drift", "-> noise"
	}
	if overlaid(f) {
		style := f.LaneStyle(v).Style
		l.Add(0, "", style, style, pane.Letter(v.ID))
	}
	first, second := l.Add(0, thick, th.Title, th.Title), l.Add(0, thin, th.Good, th.Good)
	if long {
		first.Text, second.Text = plane.Number(drift, pane.NumberWidth), plane.Number(noise, pane.NumberWidth)
	}
}

// line reports whether the target has one coordinate. Its draws have no plane: a pane has their
// histogram over that coordinate with the density, and their trace is a chart beside the lanes.
func line(f *pane.Frame) bool { return f.Dim() == 1 }

// drawLine draws the newest draws of lanes on a line inside a pane's box, with the glyph of each where it stands.
func (p *scene) drawLine(box, g plane.Region, f *pane.Frame, lanes []int) {
	var keys []chart.Series
	for _, i := range lanes {
		v := &f.Snap.Lanes[i]
		keys = append(keys, f.Series(v, pane.Letter(v.ID)))
	}
	head, rest := g.Bounds().CutTop(1)
	at := p.Histogram(box, g.Sub(rest), f, 0, lanes, keys)
	if !at.OK {
		return
	}
	row := g.Sub(head)
	for _, i := range lanes {
		v := &f.Snap.Lanes[i]
		for k, c := range pane.Chains(v, 1) {
			if t := (c.Now[0] - at.Lo) / at.Len() * float64(at.Plot.W); t >= 0 && t < float64(at.Plot.W) {
				row.Set(at.Plot.X-row.Rect().X+int(t), 0, f.LaneStyle(v).Glyph, f.ChainStyle(v, k).With(theme.Bold))
			}
		}
	}
}
