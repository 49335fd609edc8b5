// Package diagnostics draws the view of each lane's estimates.
package diagnostics

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/quantity"
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

type view struct{ plane shared.Plane }

// leastTable is the least height of the table above two rows of charts.
const leastTable = 14

func (v *view) panes(f *pane.Frame, w, h int) []pane.Pane {
	n := len(f.Lanes())
	costH := 2*n + 4
	if !f.Any(quantity.Sampling) {
		costH = 3 // why there is none
	}
	rows := tableRows(f)
	top, below := plane.Rect{W: w, H: h}, plane.Rect{}
	if tableH := 3 + len(rows); h >= min(tableH, leastTable+2)+pane.ChartRows && w >= pane.WideStage {
		// The table gives up its last rows for a second row of charts.
		tableH = max(tableH, costH+pane.CardRows(f.Focused()))
		top, below = top.CutTop(min(tableH, max(h-2*pane.ChartRows, leastTable)))
	} else if h >= pane.PaneRows+pane.ChartRows {
		below, top = top.CutBottom(min(max(h*2/5, pane.ChartRows), h-pane.PaneRows))
	}
	table := pane.Of("estimates", func(g plane.Region, f *pane.Frame) { drawTable(g, f, rows) })
	if w-tableWidth(n) < 30 {
		return append(v.charts(f, below, false), table.In(top))
	}
	left, right := top.CutLeft(max(tableWidth(n), w*45/100))
	cost, rest := right.CutTop(min(costH, right.H))
	if rest.H < 4 {
		cost, rest = right, plane.Rect{}
	}
	card := f.Focused().Previous != nil && rest.H >= 6 && f.Card != pane.CardHidden
	steps := !card && !rest.Empty()
	all := append(v.charts(f, below, steps), table.In(left), efficiency().In(cost))
	switch {
	case card:
		all = append(all, pane.CardOf(f).In(rest))
	case steps:
		all = append(all, stepNorms.Pane().In(rest))
	}
	return all
}

// charts are the most important charts that fit, without the norms of a step if those are
// elsewhere.
func (v *view) charts(f *pane.Frame, at plane.Rect, elsewhere bool) []pane.Pane {
	if at.Empty() {
		return nil
	}
	all := v.order(f)
	if elsewhere {
		all = slices.DeleteFunc(all, func(p pane.Pane) bool { return p.Name == stepNorms.Name })
	}
	cols := 2
	switch {
	case at.W >= 180:
		cols = 4
	case at.W >= pane.WideStage:
		cols = 3
	}
	rows := pane.Stack(at, min(max(at.H/pane.ChartRows, 1), 2))
	if i := slices.IndexFunc(all, func(p pane.Pane) bool { return p.Name == pane.DiscrepancyName }); i >= cols*len(rows) && !network(f) && !ranked(f) {
		all[i], all[1] = all[1], all[i] // where there is little room it is worth more than a second marginal
	}
	var shown []pane.Pane
	for j, row := range rows {
		some := all[j*cols : min((j+1)*cols, len(all))]
		for i, place := range pane.Beside(row, len(some)) {
			shown = append(shown, some[i].In(place))
		}
	}
	return shown
}

var (
	stepNorms   = pane.Pair{Name: "a step", A: quantity.Drift, B: quantity.Noise}
	gain        = pane.Pair{Name: "G", A: quantity.GMin, B: quantity.GMax}
	loss        = pane.Curve{ID: quantity.Loss}
	elbo        = pane.Curve{ID: quantity.ELBO, Linear: true}
	temperature = pane.Curve{ID: quantity.Temperature, Linear: true, Settled: true, References: temperaturesInForce}
)

// order lists the charts, the most important first. If no lane samples, the charts that
// need a chain come last.
func (v *view) order(f *pane.Frame) []pane.Pane {
	marginalX, marginalY := v.plane.Marginal(f, 0), v.plane.Marginal(f, 1)
	acfX, acfY := shared.ACF(f, 0), shared.ACF(f, 1)
	heat := temperature.Pane()
	heat.Needs, heat.Title, heat.Why = quantity.Sampling, heat.Name, "no lane samples: only a chain has a temperature"
	err, stein := errors(f).Pane(), pane.Discrepancy()
	switch {
	case ranked(f):
		return []pane.Pane{ranks(0), agreement.Pane(), marginalX, heat, err, stein, ranks(1), acfX, marginalY, acfY, stepNorms.Pane(), gain.Pane()}
	case f.Has(quantity.MaxRHat):
		return []pane.Pane{agreement.Pane(), marginalX, heat, err, marginalY, acfX, acfY, stepNorms.Pane(), gain.Pane(), stein}
	case f.Any(quantity.Sampling) && network(f): // a network's discrepancy is out of reach
		return []pane.Pane{marginalX, marginalY, heat, err, acfX, acfY, stepNorms.Pane(), gain.Pane(), stein}
	case f.Any(quantity.Sampling):
		return []pane.Pane{marginalX, marginalY, heat, err, stein, acfX, acfY, stepNorms.Pane(), gain.Pane()}
	case f.Any(quantity.Variational):
		return []pane.Pane{marginalX, marginalY, elbo.Pane(), err, loss.Pane(), gain.Pane(), heat, acfX}
	}
	return []pane.Pane{loss.Pane(), err, gain.Pane(), heat, acfX, marginalX, stepNorms.Pane(), marginalY}
}

// network reports whether the target is a network.
func network(f *pane.Frame) bool { return f.Problem() != nil && f.Problem().F32 != nil }

// errors is the covariance error with the bias, its exact part that the discretisation
// causes. For a target without a truth it is the log posterior, or a score if the log
// posterior takes a pass over all data.
func errors(f *pane.Frame) pane.Curve {
	c := pane.Curve{ID: quantity.CovError, Name: "error", Exact: true}
	switch {
	case f.Has(c.ID):
		q := &quantity.All[c.ID]
		c.Title = q.Symbol + ", " + quantity.All[q.Exact].Name
	case f.HasData() && !f.Any(quantity.Density):
		c.ID = f.Scored(quantity.NLL, quantity.TrainNLL)
	default:
		c.ID, c.Linear = quantity.LogPost, true
	}
	return c
}

// temperaturesInForce are the temperatures that the lanes sample at, each once.
func temperaturesInForce(f *pane.Frame) (all []chart.Reference) {
	for _, v := range f.EachLane() {
		if n := len(all); pane.Samples(v) && (n == 0 || all[n-1].Y != v.Temp) {
			all = append(all, chart.Reference{Y: v.Temp})
		}
	}
	return all
}

// costs are the rates of effective draws that are compared.
var costs = [...]quantity.ID{quantity.ESSPerSecond, quantity.ESSPerGradient}

// efficiency shows the smallest ESS per second and per gradient evaluation as bars.
func efficiency() pane.Pane {
	p := pane.Of("efficiency", drawEfficiency)
	p.Needs, p.Title, p.Why = quantity.Sampling, p.Name, "no lane samples: there is no ESS"
	return p
}

func drawEfficiency(g plane.Region, f *pane.Frame) {
	in := g.Box(f.Theme, plane.Box{Title: "efficiency"})
	if in.Empty() {
		return
	}
	in = in.Pad(0, 1, 0, 1)
	y := 0
	for _, id := range costs {
		if y >= in.H() {
			return
		}
		in.TextFit(0, y, in.W(), f.Theme, quantity.All[id].Name, f.Theme.Dim)
		var bars []chart.Bar
		for _, v := range f.EachLane() {
			bar := chart.Bar{Label: f.LaneName(v), Glyph: f.LaneStyle(v).Glyph, Style: f.LaneStyle(v).Style}
			if e := v.Values[id]; e.OK() {
				bar.Value = e.Value
			} else {
				bar.Value, bar.Text = math.NaN(), wording.Withheld(e.Status)
			}
			bars = append(bars, bar)
		}
		chart.Bars(in.Pad(y+1, 0, 0, 0), f.Theme, bars)
		y += 1 + len(bars)
	}
}
