package pane

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Curves is a pane with curves of the lanes' histories.
type Curves struct {
	Lines chart.Lines
	xs    [chart.MaxSeries][]float64
	ys    [chart.MaxSeries][]float64
}

// maxMarks bounds the tweak marks on a chart; the newest stay.
const maxMarks = 24

// Begin empties the chart and sets its axes and marks.
func (c *Curves) Begin(f *Frame, logY bool) {
	c.Lines.Series, c.Lines.Top = c.Lines.Series[:0], 0
	c.Lines.References = c.Lines.References[:0]
	c.Lines.X = chart.Scale{Log: f.LogX}
	c.Lines.Y = chart.Scale{Log: logY}
	c.Lines.Empty = f.Reason("")
	c.Lines.Marks = f.marks()
}

// AddLane adds a lane's curve of a quantity, with its mark at the end. That of the
// focused lane lies on top.
func (c *Curves) AddLane(f *Frame, v *engine.LaneView, y func(*engine.Point) float64) {
	if s := c.Add(f, v, f.LaneName(v), y); s != nil {
		look := f.LaneStyle(v)
		s.Style, s.Glyph, s.Line = look.Style, look.Glyph, look.Line
		if v == f.Focused() {
			c.Lines.Top = len(c.Lines.Series)
		}
	}
}

// Add appends a curve without a look.
func (c *Curves) Add(f *Frame, v *engine.LaneView, name string, y func(*engine.Point) float64) *chart.Series {
	k := len(c.Lines.Series)
	if k == chart.MaxSeries {
		return nil
	}
	xs, ys := c.xs[k][:0], c.ys[k][:0]
	for i := range v.History {
		p := &v.History[i]
		xs = append(xs, f.At(p))
		ys = append(ys, y(p))
	}
	c.xs[k], c.ys[k] = xs, ys
	c.Lines.Series = append(c.Lines.Series, chart.Series{Name: name, X: xs, Y: ys})
	return &c.Lines.Series[k]
}

// At is a point's place on the frame's axis. Without data epochs and gradients
// are steps.
func (f *Frame) At(p *engine.Point) float64 {
	switch f.AxisNow() {
	case ByEpoch:
		return p.Epoch
	case ByGradient:
		return p.Epoch * float64(f.Problem().N())
	case ByClock:
		return p.Seconds
	}
	return float64(p.Step)
}

// AxisNow is the axis that is drawn: without data a step is all there is to count.
func (f *Frame) AxisNow() XAxis {
	if f.XAxis == ByClock || f.HasData() && f.XAxis <= ByClock {
		return f.XAxis
	}
	return ByStep
}

// axisName is the name of the axis and of its scale.
func (f *Frame) axisName() string {
	if f.LogX {
		return [...]string{"step (log)", "epoch (log)", "gradients (log)", "seconds (log)"}[f.AxisNow()]
	}
	return [...]string{"step", "epoch", "gradients", "seconds"}[f.AxisNow()]
}

// Draw draws the curves in a box with the lanes' legend on its edge. The title
// says when the Y axis is a log axis.
func (c *Curves) Draw(g plane.Region, f *Frame, title string) {
	name, _, _ := strings.Cut(title, ":")
	c.DrawAs(g, f, strings.TrimSuffix(name, inPercent), title)
}

// DrawAs is draw for a title that is not the pane's name.
func (c *Curves) DrawAs(g plane.Region, f *Frame, name, title string) {
	g, ok := f.Begin(g, name, -1)
	if !ok {
		return
	}
	if z := f.Zoom[Progress]; z.Set() && (z.Lo > 0 || !f.LogX) {
		c.Lines.X.Fix, c.Lines.X.Lo, c.Lines.X.Hi = true, z.Lo, z.Hi
		c.Lines.Empty = "no point in this part of the axis"
	}
	c.Lines.Cross, c.Lines.Crossed = f.CrossStep()
	if c.Lines.Y.Log {
		title += InLog
		c.tighten()
	}
	title = besideLegend(title, g.W()-TitleEdge(c.Lines.Series))
	in := g.Box(f.Theme, plane.Box{Title: title, Foot: f.axisName()})
	Legend(g, f, title, c.Lines.Series)
	c.Lines.Draw(in, f.Theme)
	c.values(g, in, f, name)
}

// TitleEdge is how many columns of an edge are not for the title: its ends, and
// the marks of a legend with the blank after them.
func TitleEdge(series []chart.Series) int {
	named := 0
	for i := range series {
		if series[i].Name != "" {
			named++
		}
	}
	return 7 + 2*named
}

// InLog ends the titles of charts with a log axis.
const InLog = " (log)"

// besideLegend is a title as far as it leaves room for a legend: without the kind of
// its axis, then without what its curves are. Where nothing helps it is whole.
func besideLegend(title string, room int) string {
	brief := title
	for _, mark := range [...]string{InLog, ":"} {
		if plane.Width(brief) > room {
			brief, _, _ = strings.Cut(brief, mark)
		}
	}
	if brief = plane.FitTitle(brief, room); plane.Width(brief) > room {
		return title
	}
	return brief
}

// Legend writes the names of the series on the upper edge of a box, after its
// title.
func Legend(g plane.Region, f *Frame, title string, series []chart.Series) {
	used := plane.Width(plane.FitTitle(g.Spell(title), g.W()-4)) + TitleRoom - 1
	chart.Legend(g.Row(0).Sub(plane.Rect{X: used, W: g.W() - used - 1, H: 1}), f.Theme, series)
}

// TitleRoom is how many columns of an edge with a title and a legend neither of them
// has.
const TitleRoom = 6

// LegendRoom is how many columns a name takes in a legend.
func LegendRoom(f *Frame, name string) int {
	n := plane.Width(name) + 4
	if f.Theme.Thick {
		n += 2
	}
	return n
}

// narrow is the ratio of the largest to the smallest value below which a log
// axis is cut to the data rather than to 1, 2, 5 times a power of ten.
const narrow = 5

// tighten cuts a log axis to its data where they span little, so that they fill
// the chart.
func (c *Curves) tighten() {
	lo, hi := math.Inf(1), 0.0
	x := c.Lines.X
	for _, s := range c.Lines.Series {
		for i, y := range s.Y {
			if x.Fix && !(s.X[i] >= x.Lo && s.X[i] <= x.Hi) {
				continue
			}
			if y > 0 && !math.IsInf(y, 1) {
				lo, hi = min(lo, y), max(hi, y)
			}
		}
	}
	for _, r := range c.Lines.References {
		if r.Y > 0 && !math.IsInf(r.Y, 1) {
			lo, hi = min(lo, r.Y), max(hi, r.Y)
		}
	}
	if !(hi > lo) || !(hi < narrow*lo) {
		return
	}
	step := roundStep(hi - lo)
	if a, b := math.Floor(lo/step)*step, math.Ceil(hi/step)*step; a > 0 {
		c.Lines.Y.Fix, c.Lines.Y.Lo, c.Lines.Y.Hi = true, a, b
	}
}

// roundStep is what the ends of an axis over a span are multiples of.
func roundStep(span float64) float64 {
	step := math.Pow(10, math.Floor(math.Log10(span)))
	for span/step < 4 {
		step /= 2
	}
	return step
}

// marks are the snapshot's newest marks at their place on the axis, each with its
// text, "ε 0.1→0.3 @12,400". One turn of linked lanes is one mark; one that is not
// the same in all of them says what it is where.
func (f *Frame) marks() (all []chart.VMark) {
	if f.Snap == nil {
		return nil
	}
	lanes, marks := f.Lanes(), f.Snap.Marks
	from := max(len(marks)-maxMarks*engine.MaxLanes, 0)
	for i := from; i < len(marks); i++ {
		k := &marks[i]
		if turnedBefore(marks[from:i], k) {
			continue
		}
		turn := []engine.Mark{*k}
		for j := i + 1; j < len(marks) && len(turn) < len(lanes); j++ {
			if sameTurn(&marks[j], k) && marks[j].Lane != turn[len(turn)-1].Lane {
				turn = append(turn, marks[j])
			}
		}
		if x := f.markX(k); !math.IsNaN(x) {
			all = append(all, chart.VMark{X: x, Label: markLabel(turn, len(turn) >= len(lanes))})
		}
	}
	return all[max(len(all)-maxMarks, 0):]
}

// sameTurn reports whether two marks are of one turn: of the same thing, between the
// same steps.
func sameTurn(a, b *engine.Mark) bool {
	return a.Step == b.Step && a.Change.Subject() == b.Change.Subject()
}

func turnedBefore(marks []engine.Mark, k *engine.Mark) bool {
	for i := range marks {
		if sameTurn(&marks[i], k) {
			return true
		}
	}
	return false
}

// markLabel is the text of a mark that stands for a turn of these, of all lanes or
// of some.
func markLabel(turn []engine.Mark, all bool) string {
	differs := slices.ContainsFunc(turn, func(k engine.Mark) bool { return wording.Change(k.Change) != wording.Change(turn[0].Change) })
	label := ""
	for j := range turn {
		if j > 0 && !differs {
			break
		}
		if j > 0 {
			label += ", "
		}
		if !all || differs {
			label += Letter(turn[j].Lane) + " "
		}
		label += plane.Exponents(wording.Change(turn[j].Change))
	}
	return label + " @" + plane.Count(turn[0].Step)
}

// markX is a mark's place on the frame's axis, NaN if its lane is not there.
func (f *Frame) markX(k *engine.Mark) float64 {
	switch f.AxisNow() {
	case ByStep:
		return float64(k.Step)
	case ByClock:
		return k.Seconds
	}
	for i := range f.Lanes() {
		v := &f.Snap.Lanes[i]
		if v.ID != k.Lane || len(v.History) == 0 {
			continue
		}
		h := v.History
		j := sort.Search(len(h), func(j int) bool { return h[j].Step >= k.Step })
		if j == len(h) {
			return f.At(&h[j-1])
		}
		if j == 0 || h[j].Step == h[j-1].Step {
			return f.At(&h[j])
		}
		t := float64(k.Step-h[j-1].Step) / float64(h[j].Step-h[j-1].Step)
		a, b := f.At(&h[j-1]), f.At(&h[j])
		return a + t*(b-a)
	}
	return math.NaN()
}

// unsettled is the part of a running mean's points, at the start, that lie far from
// where it settles.
const unsettled = 8

// Settle cuts the Y axis to what the curves are after their start and to the
// references, if the start would leave them little of it.
func (c *Curves) Settle() {
	all, late := emptyRange(), emptyRange()
	for _, s := range c.Lines.Series {
		for i, y := range s.Y {
			all.add(y)
			if i >= len(s.Y)/unsettled {
				late.add(y)
			}
		}
	}
	for _, r := range c.Lines.References {
		late.add(r.Y)
	}
	if !late.Set() || !(all.Hi-all.Lo > 2*(late.Hi-late.Lo)) {
		return
	}
	step := roundStep(late.Hi - late.Lo)
	lo, hi := math.Floor(late.Lo/step), math.Ceil(late.Hi/step)
	if all.Lo < late.Lo {
		lo-- // the start goes along the edge, not along a reference
	}
	if all.Hi > late.Hi {
		hi++
	}
	c.Lines.Y.Fix, c.Lines.Y.Lo, c.Lines.Y.Hi = true, lo*step, hi*step
}
