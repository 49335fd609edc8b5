package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// A Curve is a pane with a quantity's history in every lane that has it.
type Curve struct {
	ID quantity.ID
	// Name is the pane's name and Title the text above it. An empty one is the
	// quantity's name. A narrow pane drops the part of the title after a colon.
	Name, Title string
	// Linear forbids a log axis, for quantities that may be negative.
	Linear bool
	// Newest is the same quantity of the newest draw alone, drawn muted; 0 for none.
	Newest quantity.ID
	// Settled fits the axis to the later part of a running mean.
	Settled bool
	// References are lines that belong to no lane.
	References func(f *Frame) []chart.Reference
	// Note is what there is to say of the curve's points.
	Note string
}

// Pane is the curve as a pane.
func (c Curve) Pane() Pane {
	return Of(cmp.Or(c.Name, quantity.All[c.ID].Name), c.draw)
}

func (c Curve) draw(g plane.Region, f *Frame) {
	q := &quantity.All[c.ID]
	title := c.Title
	if title == "" {
		title = q.Name
		if q.Form == quantity.Share {
			title += " in %"
		}
	}
	g.Term(wording.Of(q))
	if c.Newest != 0 {
		g.Term(wording.Averaged, wording.Newest)
	}
	if q.Exact != 0 {
		g.Term(wording.Of(&quantity.All[q.Exact]))
	}
	l := c.curves(f)
	if l.note == "" && slices.Contains(f.Asked, q.Name) {
		for _, v := range f.EachLane() {
			if e := v.Values[c.ID]; e.OK() {
				l.note += Letter(v.ID) + " " + wording.Number(q.Form, e.Value, NumberWidth) + "   "
			}
		}
	}
	l.draw(g, f, title)
}

// curves are the lanes' histories. If the focused lane's values are withheld they say why.
func (c Curve) curves(f *Frame) *curves {
	l := newCurves(f, f.LogY && !c.Linear)
	if c.Note != "" {
		l.note = c.Note + "   "
	}
	if h := f.Focused().History; len(h) > 0 {
		if _, s := h[len(h)-1].Values.Of(c.ID); s != metrics.OK {
			l.Empty = f.Reason(f.withheld(c.ID, s))
			l.short = s == metrics.TooShort
		}
	}
	lanes := f.Lanes()
	if c.Newest != 0 {
		l.note, l.Strips = "bright: averaged, dim: newest   ", len(lanes)
		for i, v := range f.EachLane() {
			if 2*len(lanes) > chart.MaxSeries && i != f.FocusAt() {
				continue // only the focused lane's has room
			}
			l.add(f, v, c.Newest, chart.Series{Style: f.LaneStyle(v).Soft, Strip: i})
		}
	}
	for k, s := range f.Behind {
		for i := range s.Lanes {
			if v := &s.Lanes[i]; Has(v, c.ID) && len(l.Series)+len(lanes) < chart.MaxSeries && l.Strips == 0 {
				name := strconv.Itoa(k+1) + Letter(v.ID)
				l.add(f, v, c.ID, chart.Series{Name: name, Style: f.LaneStyle(v).Soft, Line: k + 1})
			}
		}
	}
	for i, v := range f.EachLane() {
		if !Has(v, c.ID) {
			continue
		}
		s := f.Series(v, f.LaneName(v))
		s.Over, s.Strip = c.Newest != 0, i
		l.add(f, v, c.ID, s)
		if i == f.FocusAt() {
			l.Top = len(l.Series)
		}
		if c.ID == quantity.CovError {
			l.References = append(l.References, biasLines(v)...)
		}
	}
	if c.References != nil {
		l.References = append(l.References, c.References(f)...)
	}
	if c.Settled && !f.LogX && !f.Zoom[Progress].Set() { // otherwise the start is in focus
		l.settle()
	}
	return l
}

// biasLines are the line to which a lane's covariance error tends, or the ends of the interval in which it is known to
// lie.
func biasLines(v *engine.LaneView) []chart.Reference {
	low, high, ok := v.CovBias()
	name := "bias of " + Letter(v.ID)
	switch {
	case !ok:
		return nil
	case low == high:
		return []chart.Reference{{Y: low, Label: name, Bias: true}}
	}
	ends := []chart.Reference{{Y: high, Label: name + " at most", Light: true},
		{Y: low, Label: name + " at least", Light: true}}
	if low == 0 {
		return ends[:1]
	}
	return ends
}

// TrainingLoss is a pane with the loss of minibatches through the burn-in of lanes whose draws do not count yet.
func TrainingLoss() Pane { return Of("training loss", drawTrainingLoss) }

func drawTrainingLoss(g plane.Region, f *Frame) {
	l := newCurves(f, f.LogY)
	l.note = f.Reason("burn-in") + "   "
	for _, v := range f.EachLane() {
		s := f.Series(v, f.LaneName(v))
		// of steps on the frame's axis
		scale := f.At(&engine.Point{Step: v.Step, Epoch: v.Epoch, Seconds: v.Seconds}) / float64(v.Step)
		for i := range min(len(v.PassageSteps), len(v.PassageLoss)) {
			s.X, s.Y = append(s.X, scale*v.PassageSteps[i]), append(s.Y, v.PassageLoss[i])
		}
		l.Series = append(l.Series, s)
	}
	l.draw(g, f, "loss of minibatches")
}

// A Pair is a pane with two quantities of the focused lane.
type Pair struct {
	Name string // "of A" follows in the title
	A, B quantity.ID
}

// Pane is the pair as a pane.
func (p Pair) Pane() Pane { return Of(p.Name, p.draw) }

func (p Pair) draw(g plane.Region, f *Frame) {
	v := f.Focused()
	look := f.LaneStyle(v)
	g.Term(wording.Of(&quantity.All[p.A]), wording.Of(&quantity.All[p.B]))
	l := newCurves(f, f.LogY)
	l.Marks = nil
	l.add(f, v, p.A, chart.Series{Name: quantity.All[p.A].Name, Style: look.Style, Glyph: look.Glyph})
	l.add(f, v, p.B, chart.Series{Name: quantity.All[p.B].Name, Style: f.Theme.Text,
		Glyph: f.Theme.Glyphs.Mean, Line: 2})
	l.draw(g, f, p.Name+" of "+Letter(v.ID))
}

// curves are a chart of histories.
type curves struct {
	chart.Lines
	note  string // before the axis's name
	short bool   // Empty says that there are too few draws
}

func newCurves(f *Frame, logY bool) *curves {
	return &curves{Lines: chart.Lines{
		X: chart.Scale{Log: f.LogX}, Y: chart.Scale{Log: logY}, Empty: f.Reason(""), Marks: f.Marks(),
	}}
}

// leastStrip is the least rows of a lane's strip.
const leastStrip = 4

// add adds a lane's curve of a quantity in the style of look.
func (c *curves) add(f *Frame, v *engine.LaneView, id quantity.ID, look chart.Series) {
	scale := 1.0
	if quantity.All[id].Form == quantity.Share {
		scale = 100
	}
	look.X, look.Y = make([]float64, 0, len(v.History)), make([]float64, 0, len(v.History))
	axis := f.AxisNow()
	for i := range v.History {
		p := &v.History[i]
		look.X = append(look.X, f.on(axis, p))
		look.Y = append(look.Y, scale*p.Of(id))
	}
	if len(c.Series) < chart.MaxSeries {
		c.Series = append(c.Series, look)
	}
}

// draw draws the curves in a box with the lanes' legend on its edge. The title says when the Y axis is a log axis.
func (c *curves) draw(g plane.Region, f *Frame, title string) {
	if c.short {
		g.Term(wording.TooShort)
	}
	all := c.all()
	if z := f.Zoom[Progress]; z.Set() && (z.Lo > 0 || !f.LogX) {
		c.X.Fix, c.X.Range = true, z
		c.Empty = "no point in this part of the axis"
	} else if all.Set() {
		c.X.Fix, c.X.Range = true, all
	}
	c.Cross, c.Crossed = crossStep(f)
	if c.Y.Log {
		title += InLog
	}
	title = BesideLegend(title, g.W()-TitleEdge(c.Series))
	foot := c.note + axisName(f)
	if plane.Width(foot)+6 > g.W() {
		foot = axisName(f)
	}
	in := g.Box(f.Theme, plane.Box{Title: title, Foot: foot})
	Legend(g, f, title, c.Series)
	// Where a lane is long enough but has no value either, what it takes is not what its chain takes.
	if c.short && !f.Some(Settled) {
		c.Empty = cmp.Or(f.TooShort(in.W()-2), c.Empty)
	}
	if in.H()-2 < leastStrip*c.Strips {
		c.Strips = 1
	}
	at := c.Draw(in, f.Theme)
	if z := f.Zoom[Progress]; !at.OK && z.Set() { // it can be moved on to where there are points
		at = chart.Place{Plot: in.Rect(), Range: z, Log: f.LogX, OK: true}
	}
	if !f.SetAxis(g, at, Progress, all) || !c.Crossed {
		return
	}
	var l Line
	l.Add(0, axisWord(f), f.Theme.Dim, f.Theme.Accent, f.Progress(c.Cross))
	SeriesValues(&l, f, c.Series, c.Cross)
	ShowValues(g, f, &l)
}

// all is the range of the curves' points without a zoom.
func (c *curves) all() Range {
	r := chart.NoValues()
	for i := range c.Series {
		for _, x := range c.Series[i].X {
			if x > 0 || !c.X.Log {
				r.Add(x)
			}
		}
	}
	return r
}

// At is a point's place on the frame's axis. Without data epochs and gradients are counted as steps.
func (f *Frame) At(p *engine.Point) float64 { return f.on(f.AxisNow(), p) }

// on is a point's place on an axis.
func (f *Frame) on(axis XAxis, p *engine.Point) float64 {
	switch axis {
	case ByEpoch:
		return p.Epoch
	case ByGradient:
		return p.Epoch * float64(f.Problem().N())
	case ByClock:
		return p.Seconds
	}
	return float64(p.Step)
}

// AxisNow is the axis that is drawn. Without data it is steps or seconds.
func (f *Frame) AxisNow() XAxis {
	if f.XAxis == ByClock || f.HasData() && f.XAxis <= ByClock {
		return f.XAxis
	}
	return ByStep
}

// axisWord is the unit of the axis. In a race each lane counts its own steps.
func axisWord(f *Frame) string {
	word := [...]string{"step", "epoch", "gradients", "seconds"}[f.AxisNow()]
	if f.Snap.Config.Race && len(f.Lanes()) > 1 && word != "seconds" {
		word += " of each lane"
	}
	return word
}

// axisName is the unit of the axis and its scale.
func axisName(f *Frame) string {
	if f.LogX {
		return axisWord(f) + InLog
	}
	return axisWord(f)
}

// settle cuts the Y axis to the curves after their start and to the references, unless
// the whole curves need little more.
func (c *curves) settle() {
	all, late := chart.NoValues(), chart.NoValues()
	for _, s := range c.Series {
		for i, y := range s.Y {
			all.Add(y)
			if i >= len(s.Y)/chart.UnsettledPart {
				late.Add(y)
			}
		}
	}
	for _, r := range c.References {
		late.Add(r.Y)
	}
	if !late.Set() || !(all.Len() > 2*late.Len()) {
		return
	}
	c.Y.Fix, c.Y.Range = true, late.Open().Grow(0.05) // keeps the start at the edge off the references
}

// discrepancyName is the name and title of its pane.
const discrepancyName = "Stein discrepancy"

// Discrepancy is a pane with the kernel Stein discrepancy of every lane, between the edges of the band that exact draws
// as many as the focused lane's would have.
func Discrepancy() Pane {
	p := Of(discrepancyName, drawDiscrepancy)
	p.Needs, p.Title, p.Why = quantity.Sampling, p.Name, "no lane samples: only a chain has a discrepancy"
	return p
}

func drawDiscrepancy(g plane.Region, f *Frame) {
	g.Term(wording.Discrepancy, wording.ExactDraws)
	l := newCurves(f, f.LogY)
	l.Empty = "not worked out yet"
	lanes := make([]stein.LaneCurve, len(f.Lanes()))
	if d := f.Snap.Discrepancy; d != nil {
		copy(lanes, d.Lanes)
	}
	has := func(p stein.LaneCurve) bool { return len(p.Points) > 0 }
	if first := slices.IndexFunc(lanes, has); first >= 0 {
		l.note = fmt.Sprintf("%.0f%% of a core, by ", 100*beside.Share)
		if at := f.FocusAt(); has(lanes[at]) {
			first = at
		}
		band := chart.Series{Style: f.Theme.Dim, Line: 2}
		low := discrepancies(f, lanes[first], band, func(p *stein.Point) float64 { return p.From })
		high := discrepancies(f, lanes[first], band, func(p *stein.Point) float64 { return p.To })
		high.Name = "exact draws"
		l.Series = append(l.Series, low, high)
	}
	var single []string // what is known of lanes with a point, which is no curve
	for i, v := range f.EachLane() {
		of := lanes[i]
		l.Series = append(l.Series,
			discrepancies(f, of, f.Series(v, f.LaneName(v)), func(p *stein.Point) float64 { return p.KSD }))
		if i == f.FocusAt() {
			l.Top = len(l.Series)
			switch {
			case of.Status == metrics.TooShort:
				l.Empty = f.Reason(wording.NoDiscrepancy(of.Status))
			case of.Status > metrics.OK:
				l.Empty = wording.NoDiscrepancy(of.Status)
			}
		}
		if len(of.Points) == 1 {
			p := &of.Points[0]
			single = append(single,
				fmt.Sprintf("%s %s, exact draws %s to %s", Letter(v.ID), plane.Number(p.KSD, 5),
					plane.Number(p.From, 5), plane.Number(p.To, 5)))
		}
	}
	if len(single) > 0 && !slices.ContainsFunc(lanes, func(p stein.LaneCurve) bool { return len(p.Points) > 1 }) {
		in := g.Box(f.Theme, plane.Box{Title: discrepancyName, Foot: l.note + axisName(f)})
		for in = in.Pad(1, 1, 0, 1); len(single) > 0; single = single[1:] {
			in = in.Pad(in.TextWrapped(single[0], f.Theme.Text), 0, 0, 0)
		}
		return
	}
	l.draw(g, f, discrepancyName)
}

// discrepancies adds to a series what y is of a lane's points.
func discrepancies(f *Frame, of stein.LaneCurve, s chart.Series, y func(p *stein.Point) float64) chart.Series {
	for i := range of.Points {
		p := &of.Points[i]
		s.X = append(s.X, f.At(&engine.Point{Step: p.Step, Epoch: p.Epoch, Seconds: p.Seconds}))
		s.Y = append(s.Y, y(p))
	}
	return s
}
