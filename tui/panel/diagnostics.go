package panel

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Diagnostics is view 2: what can be trusted of each lane, how much a lane gets
// for its time and its gradients, and whether it samples the right thing.
type Diagnostics struct {
	dens      density
	draws     drawsWindow
	bars      []chart.Bar
	marginals [2]marginalPane
	error     curve
	temp      curve
	norms     curve
	gain      curve
	loss      curve
	acf       [2]acfPane
}

// NewDiagnostics returns the view.
func NewDiagnostics() View { return &Diagnostics{} }

// Name is "Diagnostics".
func (d *Diagnostics) Name() string { return "Diagnostics" }

// Draw draws the view.
func (d *Diagnostics) Draw(g plane.Region, f Frame) { d.draw(g, &f) }

func (d *Diagnostics) draw(g plane.Region, f *Frame) {
	if emptyView(g, f) {
		return
	}
	d.dens.of(f.problem())
	w, h := g.Size()
	n := len(f.lanes())
	raceH := 2*n + 4
	if f.mix().sampling == 0 {
		raceH = 3 // why there is none
	}
	top, below := g.Bounds(), plane.Rect{}
	if h >= tableHeight(f)+chartRows && w >= wideStage {
		// The table gives up its last rows for a second row of charts.
		tableH := max(tableHeight(f), raceH+tweakRows(f.lane()))
		top, below = top.CutTop(min(tableH, max(h-2*chartRows, leastTable)))
	} else if h >= paneRows+chartRows {
		below, top = top.CutBottom(min(max(h*2/5, chartRows), h-paneRows))
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
	v := f.lane()
	card := v.Previous != nil && rest.H >= 6 && f.Card != CardHidden
	norms := !card && !rest.Empty()
	d.charts(g.Sub(below), f, norms)
	d.estimates(g.Sub(left), f)
	d.race(g.Sub(race), f)
	switch {
	case card:
		tweakCard(g.Sub(rest), f, v)
	case norms:
		d.drawNorms(g.Sub(rest), f)
	}
}

// leastTable is the height that the table keeps beside two rows of charts.
const leastTable = 14

// charts draws as many of the charts as there is room for, the most telling
// first; without the norms where they are elsewhere.
func (d *Diagnostics) charts(g plane.Region, f *Frame, norms bool) {
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
	case w >= wideStage:
		cols = 3
	}
	rows := min(max(h/chartRows, 1), 2)
	var at [4]plane.Rect
	for j := range rows {
		y0, y1 := h*j/rows, h*(j+1)/rows
		row := order[j*cols : min((j+1)*cols, len(order))]
		beside(at[:len(row)], plane.Rect{Y: y0, W: w, H: y1 - y0})
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
func chartOrder(f *Frame) [8]int {
	switch m := f.mix(); {
	case m.sampling > 0:
		return [...]int{marginalX, marginalY, tempChart, errorChart, acfX, acfY, normsChart, gainChart}
	case m.variational > 0:
		return [...]int{marginalX, marginalY, elboDiagnostic, errorChart, lossDiagnostic, gainChart, tempChart, acfX}
	}
	return [...]int{lossDiagnostic, errorChart, gainChart, tempChart, acfX, marginalX, normsChart, marginalY}
}

// chart draws one of the charts.
func (d *Diagnostics) chart(g plane.Region, f *Frame, what int) {
	switch what {
	case marginalX, marginalY:
		k := what - marginalX
		d.marginals[k].draw(g, f, &d.dens, &d.draws, k)
	case tempChart:
		d.drawTemp(g, f)
	case errorChart:
		d.drawError(g, f)
	case acfX, acfY:
		k := what - acfX
		d.acf[k].draw(g, f, k)
	case normsChart:
		d.drawNorms(g, f)
	case gainChart:
		d.drawGain(g, f)
	case lossDiagnostic:
		lossHere(g, f, &d.loss)
	case elboDiagnostic:
		elboHere(g, f, &d.temp)
	}
}

// race draws ESS for each second and for each gradient of one datum as bars,
// the longest of each group being the best.
func (d *Diagnostics) race(g plane.Region, f *Frame) {
	if f.mix().sampling == 0 {
		absent(g, f, "race: worst ESS", "no lane samples: there is no ESS to race by")
		return
	}
	g, ok := f.pane(g, "race: worst ESS", -1)
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
		for i := range f.lanes() {
			v := &f.Snap.Lanes[i]
			bar := chart.Bar{Label: f.name(v), Glyph: f.look(v).Glyph, Style: f.look(v).Style, Value: group.value(v)}
			if !samples(v) {
				bar.Value, bar.Text = math.NaN(), "no ESS"
			} else if !v.MinESS.OK() {
				bar.Value, bar.Text = math.NaN(), untrusted(v.MinESS.Status)
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
func (d *Diagnostics) drawError(g plane.Region, f *Frame) {
	c := &d.error
	c.begin(f, f.LogY)
	value, title := covError, "cov. error, exact bias"
	if !covErrorRow.has(f) {
		value, title = logPost, "log posterior"
		c.lines.Y.Log = false
		switch {
		case !f.hasData():
			title = "log density"
		case !knowsDensity(f):
			value, title = testNLL, "test NLL"
		}
	}
	for i := range f.lanes() {
		v := &f.Snap.Lanes[i]
		c.lane(f, v, value)
		if !math.IsNaN(v.Bias) && covErrorRow.has(f) {
			c.lines.References = append(c.lines.References, chart.Reference{Y: v.Bias, Label: "bias of " + letter(v.ID)})
		}
	}
	c.drawAs(g, f, "error", title)
}

// drawTemp draws the configurational temperature against the one in force.
func (d *Diagnostics) drawTemp(g plane.Region, f *Frame) {
	if f.mix().sampling == 0 {
		absent(g, f, "temperature", "no lane samples: only a chain has a temperature")
		return
	}
	c := &d.temp
	c.begin(f, false)
	for i := range f.lanes() {
		v := &f.Snap.Lanes[i]
		if !samples(v) {
			continue
		}
		c.lane(f, v, temperature)
		if n := len(c.lines.References); n == 0 || c.lines.References[n-1].Y != v.Temp {
			c.lines.References = append(c.lines.References, chart.Reference{Y: v.Temp})
		}
	}
	if !f.LogX && !f.Zoom[Progress].Set() { // else the start is what is looked at
		c.settle()
	}
	c.draw(g, f, "temperature")
}

// drawNorms draws the norms of the focused lane's drift and noise.
func (d *Diagnostics) drawNorms(g plane.Region, f *Frame) {
	d.pair(g, f, &d.norms, "a step", "a step of "+letter(f.lane().ID), "drift", drift, "noise", noise)
}

// drawGain draws the range of the focused lane's preconditioner.
func (d *Diagnostics) drawGain(g plane.Region, f *Frame) {
	d.pair(g, f, &d.gain, "G", "G of "+letter(f.lane().ID), "least", gainMin, "greatest", gainMax)
}

// pair draws two quantities of the focused lane.
func (d *Diagnostics) pair(g plane.Region, f *Frame, c *curve, name, title, aName string, a func(*engine.Point) float64, bName string, b func(*engine.Point) float64) {
	v := f.lane()
	look := f.look(v)
	c.begin(f, f.LogY)
	c.lines.Marks = c.lines.Marks[:0]
	if s := c.add(f, v, aName, a); s != nil {
		s.Style, s.Line, s.Glyph = look.Style, 0, look.Glyph
	}
	if s := c.add(f, v, bName, b); s != nil {
		s.Style, s.Line, s.Glyph = f.Theme.Text, 2, f.Theme.Glyphs.Mean
	}
	c.drawAs(g, f, name, title)
}
