// Package diagnostics draws the view of each lane's estimates.
package diagnostics

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
	"github.com/psgld/psgld-tui/tui/wording"
)

// New returns view 2: each lane's estimates, its effective draws per second and per
// gradient evaluation, and charts that show whether it samples the right distribution.
func New() pane.View {
	v := new(view)
	return pane.View{Name: "Diagnostics", Panes: v.panes}
}

type view struct {
	plane shared.Plane
	pairs pairs
}

// panes are the table beside or above charts. Where there is no room for both above each other,
// a chart that a lesson asks about stands beside the table, or in its place.
func (v *view) panes(f *pane.Frame, w, h int) []pane.Pane {
	n := len(f.Lanes())
	rows := tableRows(f)
	table := pane.Of("estimates", func(g plane.Region, f *pane.Frame) { drawTable(g, f, rows) })
	all := plane.Rect{W: w, H: h}
	tableH := min(3+len(rows), max(h-2*pane.ChartRows, leastTable))
	leftW := max(2+tableLabel+n*(tableCell+1)+1, w*45/100) // of the table with its border
	if forested(f) {
		table, leftW = pane.Of(forestPane, drawForest), max(forestW, w*45/100)
		tableH = 3 + n*len(f.Focused().Rows)
		if h-tableH < pane.ChartRows {
			tableH = h
		}
	}
	if w < pane.WideStage || w-leftW < leastPaths || h < leastWide {
		top, below := all, plane.Rect{}
		order := append(traces(f)[:1], v.order(f)...)
		order = slices.Insert(order, 1, v.large(f)...)
		order = askedFirst(f, order)
		switch {
		case h >= pane.PaneRows+pane.ChartRows:
			below, top = all.CutBottom(min(max(h*2/5, pane.ChartRows), h-pane.PaneRows))
		case !asked(f, order[0]):
		case w >= pane.WideStage:
			below, top = all.CutRight(w - leftW)
			return []pane.Pane{order[0].In(below), table.In(top)}
		default:
			return []pane.Pane{order[0].In(all)}
		}
		return append(charts(order, below, max(w/chartW, 1)), table.In(top))
	}
	left, right := all.CutLeft(leftW)
	top, below := left.CutTop(tableH)
	paths, foot := right.CutTop(right.H - max(2*n+4, pane.ChartRows))
	drawn := traces(f)
	shown := append([]pane.Pane{table.In(top)}, pane.At(pathPlaces(paths, len(drawn), n), drawn)...)
	order := v.order(f)
	if f.Any(quantity.Sampling | quantity.Stepped) {
		order = append([]pane.Pane{pane.Of("efficiency", drawEfficiency)}, order...)
	}
	order = askedFirst(f, order)
	if f.Focused().Previous != nil && f.Card {
		shown = append(shown, pane.CardOf().In(foot))
	} else {
		large := v.large(f)
		if len(large) > 0 && below.H >= pane.ChartRows {
			shown, below, large = append(shown, large[0].In(below)), plane.Rect{}, large[1:]
		}
		order = slices.Insert(order, 1, large...)
		cols := min(max(foot.W/chartW, 1), len(order))
		shown = append(shown, pane.At(pane.Beside(foot, cols), order)...)
		order = order[cols:]
	}
	return append(shown, charts(order, below, max(left.W/chartW, 1))...)
}

// large are the panes that take a place for several charts: the facts of what watched draws are said to be, and the
// pairs of many coordinates.
func (v *view) large(f *pane.Frame) (all []pane.Pane) {
	if f.Snap.Check != nil {
		all = append(all, pane.Of("check", drawFacts))
	}
	if forested(f) {
		all = append(all, pane.Of("pairs", v.pairs.draw))
	}
	return all
}

// drawFacts lists the facts of what watched draws are said to be, as many as there is room for.
func drawFacts(g plane.Region, f *pane.Frame) {
	c, th := f.Snap.Check, &f.Theme
	all, box := wording.Facts(c), plane.Box{Title: "check: " + wording.Check(c), Right: "in standard errors"}
	if rest := len(all) + 2 - g.H(); rest > 0 {
		box.Foot = fmt.Sprintf("%d nearer: :why", rest)
	}
	in := g.Box(*th, box)
	if len(all) == 0 {
		in.TextWrapped(strings.Join(c.Notes, " "), th.Dim)
	}
	for y, fact := range all[:min(len(all), in.H())] {
		style := th.Text
		if y < wording.Failing(c) {
			style = th.Warn
		}
		in.TextRight(7, y, fact[0], style)
		in.TextFit(8, y, in.W()-8, *th, fact[1], style)
	}
}

// The measures of the view in cells.
const (
	leastTable = 14 // rows of the table above charts
	leastWide  = 24 // rows of the view with its traces beside the table
	leastPaths = 40 // columns of the traces
	chartW     = 33 // columns of a chart beside another
)

// traces are the paths of the watched coordinates and of the log density.
func traces(f *pane.Frame) []pane.Pane {
	all := []pane.Pane{shared.Trace(0)}
	if f.Dim() > 1 {
		all = append(all, shared.Trace(1))
	}
	if f.Any(quantity.Stepped) || f.Any(quantity.Likelihood) {
		all = append(all, shared.LogDensity(f))
	}
	return all
}

// pathPlaces divides the place of n traces of so many lanes. The density has less of it, but two rows a lane and an
// axis if it can.
func pathPlaces(at plane.Rect, n, lanes int) []plane.Rect {
	if n <= 2 {
		return pane.Stack(at, max(min(at.H/pane.ChartRows, n), 1))
	}
	if at.H < 3*pane.ChartRows-2 {
		return pane.Stack(at, max(min(at.H/pane.ChartRows, 2), 1))
	}
	density, paths := at.CutBottom(max(at.H/4, min(2*lanes+3, at.H/3)))
	return append(pane.Stack(paths, 2), density)
}

// charts are as many charts as fit in so many columns, in their order.
func charts(order []pane.Pane, at plane.Rect, cols int) (shown []pane.Pane) {
	if at.H < pane.ChartRows {
		return nil
	}
	for j, row := range pane.Stack(at, min(at.H/pane.ChartRows, 2)) {
		some := order[min(j*cols, len(order)):min((j+1)*cols, len(order))]
		shown = append(shown, pane.At(pane.Beside(row, len(some)), some)...)
	}
	return shown
}

// askedFirst puts the panes that a lesson asks about before the others.
func askedFirst(f *pane.Frame, order []pane.Pane) []pane.Pane {
	slices.SortStableFunc(order, func(a, b pane.Pane) int {
		switch {
		case asked(f, a) == asked(f, b):
			return 0
		case asked(f, a):
			return -1
		}
		return 1
	})
	return order
}

// asked reports whether a lesson asks about a pane.
func asked(f *pane.Frame, p pane.Pane) bool { return slices.Contains(f.Asked, p.Name) }

var (
	stepNorms   = pane.Pair{Name: "a step", A: quantity.Drift, B: quantity.Noise}
	gain        = pane.Pair{Name: "G", A: quantity.GMin, B: quantity.GMax}
	loss        = pane.Curve{ID: quantity.Loss}
	elbo        = pane.Curve{ID: quantity.ELBO, Linear: true}
	temperature = pane.Curve{ID: quantity.Temperature, Linear: true, Settled: true, References: temperaturesInForce}
)

// order lists the charts, the most important first. What only a chain has is there if a lane
// samples. A target on a line has none of a second coordinate.
func (v *view) order(f *pane.Frame) []pane.Pane {
	all := v.charts(f)
	var none []string // of what draws alone do not tell
	if !f.Any(quantity.Sloped) {
		none = append(none, temperature.Pane().Name, pane.Discrepancy().Name)
	}
	if !f.Any(quantity.Stepped) {
		none = append(none, stepNorms.Pane().Name, gain.Pane().Name)
	}
	all = slices.DeleteFunc(all, func(p pane.Pane) bool { return slices.Contains(none, p.Name) })
	if f.Dim() == 1 {
		second := []string{v.plane.Marginal(f, 1).Name, shared.ACF(f, 1).Name, ranks(1).Name}
		all = slices.DeleteFunc(all, func(p pane.Pane) bool { return slices.Contains(second, p.Name) })
	}
	return all
}

// charts lists the charts of two coordinates.
func (v *view) charts(f *pane.Frame) []pane.Pane {
	marginalX, marginalY := v.plane.Marginal(f, 0), v.plane.Marginal(f, 1)
	acfX, acfY := shared.ACF(f, 0), shared.ACF(f, 1)
	heat, err, stein := temperature.Pane(), errors(f), pane.Discrepancy()
	steps := []pane.Pane{stepNorms.Pane(), gain.Pane()}
	if f.Has(quantity.MeanError) {
		steps = append(steps, pane.Curve{ID: quantity.MeanError}.Pane())
	}
	switch {
	case ranked(f):
		return slices.Concat([]pane.Pane{ranks(0), largest.Pane(), marginalX, heat}, err,
			[]pane.Pane{stein, ranks(1), acfX, marginalY, acfY}, steps)
	case f.Has(quantity.MaxRHat):
		return slices.Concat([]pane.Pane{largest.Pane(), marginalX, heat}, err, []pane.Pane{marginalY, acfX, acfY},
			steps, []pane.Pane{stein})
	case f.Any(quantity.Sampling) && network(f): // a network's discrepancy is out of reach
		return slices.Concat(err, []pane.Pane{heat, marginalX, marginalY, acfX, acfY}, steps)
	case f.Any(quantity.Sampling):
		return slices.Concat([]pane.Pane{marginalX, heat}, err, []pane.Pane{stein, marginalY, acfX, acfY}, steps)
	case f.Any(quantity.Variational):
		return slices.Concat([]pane.Pane{marginalX, elbo.Pane()}, err, []pane.Pane{marginalY, loss.Pane(), gain.Pane()})
	}
	return slices.Concat([]pane.Pane{loss.Pane()}, err, []pane.Pane{gain.Pane(), stepNorms.Pane()})
}

func network(f *pane.Frame) bool { return f.Problem() != nil && f.Problem().F32 != nil }

// errors is the covariance error with its bias. For a target without a
// truth it is a score, and there is none where the trace of the log posterior says as much.
func errors(f *pane.Frame) []pane.Pane {
	c := pane.Curve{ID: quantity.CovError, Name: "error"}
	switch {
	case f.Has(c.ID):
	case f.Predicts() && !f.Any(quantity.Density):
		c.ID = f.Scored(quantity.NLL, quantity.TrainNLL)
	default:
		return nil
	}
	return []pane.Pane{c.Pane()}
}

// temperaturesInForce are the temperatures that the lanes sample at, each once.
func temperaturesInForce(f *pane.Frame) (all []chart.Reference) {
	for _, v := range f.EachLane() {
		stepped := pane.Samples(v) && v.Facts.Has(quantity.Stepped)
		if n := len(all); stepped && (n == 0 || all[n-1].Y != v.Temp) {
			all = append(all, chart.Reference{Y: v.Temp})
		}
	}
	return all
}

// costs are the rates of effective draws that are compared.
var costs = [...]quantity.ID{quantity.ESSPerSecond, quantity.ESSPerGradient}

// drawEfficiency shows the smallest ESS per second and per gradient evaluation as bars.
func drawEfficiency(g plane.Region, f *pane.Frame) {
	in := g.Box(f.Theme, plane.Box{Title: "efficiency"}).Pad(0, 1, 0, 1)
	y := 0
	for _, id := range costs {
		if y >= in.H() {
			return
		}
		in.TextFit(0, y, in.W(), f.Theme, quantity.All[id].Name, f.Theme.Dim)
		in.Row(y).Term(wording.Of(&quantity.All[id]))
		var bars []chart.Bar
		for _, v := range f.EachLane() {
			bar := chart.Bar{Label: f.LaneName(v), Glyph: f.LaneStyle(v).Glyph, Style: f.LaneStyle(v).Style}
			if e := v.Values[id]; e.OK() {
				bar.Value = e.Value
			} else {
				bar.Value, bar.Text = math.NaN(), wording.Withheld(e.Status)
				if e.Status == metrics.TooShort { // the estimates say that, once
					bar.Text = wording.None
				}
			}
			bars = append(bars, bar)
		}
		chart.Bars(in.Pad(y+1, 0, 0, 0), f.Theme, bars)
		y += 1 + len(bars)
	}
}
