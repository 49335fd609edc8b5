// Package diagnostics draws the view of what can be trusted of each lane.
package diagnostics

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// View is view 2: what can be trusted of each lane, how much a lane gets
// for its time and its gradients, and whether it samples the right thing.
type View struct {
	dens      shared.Density
	draws     shared.DrawsWindow
	bars      []chart.Bar
	marginals [2]shared.MarginalPane
	error     pane.Curves
	temp      pane.Curves
	norms     pane.Curves
	gain      pane.Curves
	loss      pane.Curves
	acf       [2]shared.ACF
}

// New returns the view.
func New() pane.View { return &View{} }

// Name is "Diagnostics".
func (d *View) Name() string { return "Diagnostics" }

// Draw draws the view.
func (d *View) Draw(g plane.Region, f pane.Frame) { d.draw(g, &f) }

func (d *View) draw(g plane.Region, f *pane.Frame) {
	if pane.EmptyView(g, f) {
		return
	}
	d.dens.Of(f.Problem())
	w, h := g.Size()
	n := len(f.Lanes())
	raceH := 2*n + 4
	if f.Kinds().Sampling == 0 {
		raceH = 3 // why there is none
	}
	top, below := g.Bounds(), plane.Rect{}
	if h >= tableHeight(f)+pane.ChartRows && w >= pane.WideStage {
		// The table gives up its last rows for a second row of charts.
		tableH := max(tableHeight(f), raceH+pane.TweakRows(f.Focused()))
		top, below = top.CutTop(min(tableH, max(h-2*pane.ChartRows, leastTable)))
	} else if h >= pane.PaneRows+pane.ChartRows {
		below, top = top.CutBottom(min(max(h*2/5, pane.ChartRows), h-pane.PaneRows))
	}
	if side := w - tableWidth(n); side < 30 {
		d.charts(g.Sub(below), f, false)
		d.estimates(g.Sub(top), f)
		return
	}
	left, right := top.CutLeft(max(tableWidth(n), w*45/100))
	race, rest := right.CutTop(min(raceH, right.H))
	if rest.H < 4 {
		race, rest = right, plane.Rect{}
	}
	v := f.Focused()
	card := v.Previous != nil && rest.H >= 6 && f.Card != pane.CardHidden
	norms := !card && !rest.Empty()
	d.charts(g.Sub(below), f, norms)
	d.estimates(g.Sub(left), f)
	d.race(g.Sub(race), f)
	switch {
	case card:
		pane.TweakCard(g.Sub(rest), f, v)
	case norms:
		d.drawNorms(g.Sub(rest), f)
	}
}

// leastTable is the height that the table keeps beside two rows of charts.
const leastTable = 14

// charts draws as many of the charts as there is room for, the most telling
// first; without the norms where they are elsewhere.
func (d *View) charts(g plane.Region, f *pane.Frame, norms bool) {
	if g.Empty() {
		return
	}
	w, h := g.Size()
	all := chartOrder(f)
	order := all[:]
	if norms {
		order = slices.DeleteFunc(order, func(what int) bool { return what == normsChart })
	}
	cols := 2
	switch {
	case w >= 180:
		cols = 4
	case w >= pane.WideStage:
		cols = 3
	}
	rows := min(max(h/pane.ChartRows, 1), 2)
	var at [4]plane.Rect
	for j := range rows {
		y0, y1 := h*j/rows, h*(j+1)/rows
		row := order[j*cols : min((j+1)*cols, len(order))]
		pane.Beside(at[:len(row)], plane.Rect{Y: y0, W: w, H: y1 - y0})
		for i, what := range row {
			d.chart(g.Sub(at[i]), f, what)
		}
	}
}

// The charts.
const (
	marginalX = iota
	marginalY
	tempChart
	errorChart
	acfX
	acfY
	normsChart
	gainChart
	lossDiagnostic
	elboDiagnostic
)

// chartOrder is the order of how telling the charts are. Where no lane samples,
// those that have no meaning then come last.
func chartOrder(f *pane.Frame) [8]int {
	switch m := f.Kinds(); {
	case m.Sampling > 0:
		return [...]int{marginalX, marginalY, tempChart, errorChart, acfX, acfY, normsChart, gainChart}
	case m.Variational > 0:
		return [...]int{marginalX, marginalY, elboDiagnostic, errorChart, lossDiagnostic, gainChart, tempChart, acfX}
	}
	return [...]int{lossDiagnostic, errorChart, gainChart, tempChart, acfX, marginalX, normsChart, marginalY}
}

// chart draws one of the charts.
func (d *View) chart(g plane.Region, f *pane.Frame, what int) {
	switch what {
	case marginalX, marginalY:
		k := what - marginalX
		d.marginals[k].Draw(g, f, &d.dens, &d.draws, k)
	case tempChart:
		d.drawTemp(g, f)
	case errorChart:
		d.drawError(g, f)
	case acfX, acfY:
		k := what - acfX
		d.acf[k].Draw(g, f, k)
	case normsChart:
		d.drawNorms(g, f)
	case gainChart:
		d.drawGain(g, f)
	case lossDiagnostic:
		pane.LossHere(g, f, &d.loss)
	case elboDiagnostic:
		pane.ElboHere(g, f, &d.temp)
	}
}

// race draws ESS for each second and for each gradient of one datum as bars,
// the longest of each group being the best.
func (d *View) race(g plane.Region, f *pane.Frame) {
	if f.Kinds().Sampling == 0 {
		pane.Absent(g, f, "race: worst ESS", "no lane samples: there is no ESS to race by")
		return
	}
	g, ok := f.Begin(g, "race: worst ESS", -1)
	if !ok {
		return
	}
	in := g.Box(f.Theme, plane.Box{Title: "race: worst ESS"})
	if in.Empty() {
		return
	}
	in = in.Sub(in.Bounds().Pad(0, 1, 0, 1))
	groups := [...]struct {
		title string
		value func(*engine.LaneView) float64
	}{{"for each second of sampling", essPerSecond}, {"for each gradient of one datum", essPerGradient}}
	y := 0
	for _, group := range groups {
		if y >= in.H() {
			return
		}
		in.TextFit(0, y, in.W(), f.Theme, group.title, f.Theme.Dim)
		d.bars = d.bars[:0]
		for i := range f.Lanes() {
			v := &f.Snap.Lanes[i]
			bar := chart.Bar{Label: f.LaneName(v), Glyph: f.LaneStyle(v).Glyph, Style: f.LaneStyle(v).Style, Value: group.value(v)}
			if !pane.Samples(v) {
				bar.Value, bar.Text = math.NaN(), "no ESS"
			} else if !v.MinESS.OK() {
				bar.Value, bar.Text = math.NaN(), pane.Untrusted(v.MinESS.Status)
			}
			d.bars = append(d.bars, bar)
		}
		chart.Bars(in.Sub(in.Bounds().Pad(y+1, 0, 0, 0)), f.Theme, d.bars, 0)
		y += 1 + len(d.bars)
	}
}

func essPerSecond(v *engine.LaneView) float64   { return v.ESSPerSec }
func essPerGradient(v *engine.LaneView) float64 { return v.ESSPerG }

// drawError draws the covariance's error and the part of it that the
// discretisation causes, where it is known exactly; the mean's error for a
// target without a truth.
func (d *View) drawError(g plane.Region, f *pane.Frame) {
	c := &d.error
	c.Begin(f, f.LogY)
	value, title := pane.CovError, "cov. error, exact bias"
	if !covErrorRow.has(f) {
		value, title = pane.LogPost, "log posterior"
		c.Lines.Y.Log = false
		switch {
		case !f.HasData():
			title = "log density"
		case !pane.KnowsDensity(f):
			value, title = pane.TestNLL, "test NLL"
		}
	}
	for i := range f.Lanes() {
		v := &f.Snap.Lanes[i]
		c.AddLane(f, v, value)
		if !math.IsNaN(v.Bias) && covErrorRow.has(f) {
			c.Lines.References = append(c.Lines.References, chart.Reference{Y: v.Bias, Label: "bias of " + pane.Letter(v.ID)})
		}
	}
	c.DrawAs(g, f, "error", title)
}

// drawTemp draws the configurational temperature against the one in force.
func (d *View) drawTemp(g plane.Region, f *pane.Frame) {
	if f.Kinds().Sampling == 0 {
		pane.Absent(g, f, "temperature", "no lane samples: only a chain has a temperature")
		return
	}
	c := &d.temp
	c.Begin(f, false)
	for i := range f.Lanes() {
		v := &f.Snap.Lanes[i]
		if !pane.Samples(v) {
			continue
		}
		c.AddLane(f, v, pane.Temperature)
		if n := len(c.Lines.References); n == 0 || c.Lines.References[n-1].Y != v.Temp {
			c.Lines.References = append(c.Lines.References, chart.Reference{Y: v.Temp})
		}
	}
	if !f.LogX && !f.Zoom[pane.Progress].Set() { // else the start is what is looked at
		c.Settle()
	}
	c.Draw(g, f, "temperature")
}

// drawNorms draws the norms of the focused lane's drift and noise.
func (d *View) drawNorms(g plane.Region, f *pane.Frame) {
	d.pair(g, f, &d.norms, "a step", "a step of "+pane.Letter(f.Focused().ID), "drift", pane.Drift, "noise", pane.Noise)
}

// drawGain draws the range of the focused lane's preconditioner.
func (d *View) drawGain(g plane.Region, f *pane.Frame) {
	d.pair(g, f, &d.gain, "G", "G of "+pane.Letter(f.Focused().ID), "least", pane.GainMin, "greatest", pane.GainMax)
}

// pair draws two quantities of the focused lane.
func (d *View) pair(g plane.Region, f *pane.Frame, c *pane.Curves, name, title, aName string, a func(*engine.Point) float64, bName string, b func(*engine.Point) float64) {
	v := f.Focused()
	look := f.LaneStyle(v)
	c.Begin(f, f.LogY)
	c.Lines.Marks = c.Lines.Marks[:0]
	if s := c.Add(f, v, aName, a); s != nil {
		s.Style, s.Line, s.Glyph = look.Style, 0, look.Glyph
	}
	if s := c.Add(f, v, bName, b); s != nil {
		s.Style, s.Line, s.Glyph = f.Theme.Text, 2, f.Theme.Glyphs.Mean
	}
	c.DrawAs(g, f, name, title)
}
