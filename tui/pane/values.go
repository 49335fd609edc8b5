package pane

import (
	"math"

	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Exact writes a number with five significant digits at most.
func Exact(v float64) string { return plane.Exact(v, 5) }

// Progress writes a place on the axis of the curves. A step has all of its digits.
func (f *Frame) Progress(x float64) string {
	if f.AxisNow() == ByStep && x >= 0 && x < 1<<53 {
		return plane.Commas(uint64(x))
	}
	return Exact(x)
}

// ShowValues writes values on the lower edge of a pane's box if they fit, else on a card
// in the plot on the side away from the cross.
func ShowValues(g, in plane.Region, f *Frame, l *Line) {
	l.Spell(g)
	n := 0
	for _, p := range l.Parts {
		n += p.Width() + gap
	}
	if n+2 <= g.W() || in.H() < len(l.Parts)+2 || in.W() < 16 {
		OnFoot(g, f, l)
		return
	}
	w := 0
	for _, p := range l.Parts {
		w = max(w, p.Width())
	}
	w = min(w+4, in.W())
	at := plane.Rect{X: in.W() - w, W: w, H: len(l.Parts) + 2}
	if crossColumn(f)-in.Rect().X > in.W()/2 {
		at.X = 0
	}
	card := in.Sub(at)
	card.Fill(' ', plane.Style{})
	edge := f.Theme
	edge.Border = f.Theme.Accent
	body := card.Box(edge, plane.Box{})
	for i, p := range l.Parts {
		p.Draw(body, 1, i)
	}
}

// gap is the blanks between values.
const gap = 2

// OnFoot writes what fits of a line on the lower edge of a pane's box.
func OnFoot(g plane.Region, f *Frame, l *Line) {
	g.ClearFoot(f.Theme)
	l.Spell(g)
	room := 0
	row, _ := l.Place(g.W()-4, 1, gap)
	for i, p := range l.Parts {
		if row[i] == 0 {
			room += p.Width() + gap
		}
	}
	if room = min(room, g.W()-3); room < 4 || g.H() < 2 {
		return
	}
	edge := g.Sub(plane.Rect{X: 2, Y: g.H() - 1, W: room, H: 1})
	edge.Fill(' ', plane.Style{})
	l.Draw(edge.Sub(plane.Rect{X: 1, W: room - 1, H: 1}), gap)
}

// axisWord is the unit of the axis.
func axisWord(f *Frame) string {
	return [...]string{"step", "epoch", "gradients", "seconds"}[f.AxisNow()]
}

// SeriesValues adds the value of each series at the point nearest to x: first the series
// with a name, then those of the newest draws, which have none.
func SeriesValues(l *Line, f *Frame, all []chart.Series, x float64) {
	th := &f.Theme
	for i := range all {
		s := &all[i]
		if s.Name == "" {
			continue
		}
		p := l.Add(1, "", s.Style, s.Style)
		if s.Glyph != 0 {
			p.Text += string(s.Glyph) + " "
		}
		p.Text += Exact(ValueAt(s, x))
	}
	label := "newest"
	for i := range all {
		if s := &all[i]; s.Name == "" {
			l.Add(2, label, th.Dim, s.Style, Exact(ValueAt(s, x)))
			label = ""
		}
	}
}

// ValueAt is the value of a series at the point nearest to x, NaN without one.
func ValueAt(s *chart.Series, x float64) float64 {
	if i := Nearest(s.Len(), x, s.At); i >= 0 {
		return s.Y[i]
	}
	return math.NaN()
}

// crossColumn is the cross's column of the plane, in the pane that is being drawn.
func crossColumn(f *Frame) int {
	at := f.Panes.all[len(f.Panes.all)-1].Plot
	x, _ := f.Cross.On(at.AxisX)
	return at.Rect.X + at.column(x)
}

// A BinValue is one lane's count in the bin under the cross.
type BinValue struct {
	Key    chart.Series
	Lo, Hi float64
	Count  float64
}

// ShowBins shows the bin under the cross at x and each lane's count in it.
func ShowBins(g, in plane.Region, f *Frame, x float64, bins []BinValue) {
	if len(bins) == 0 {
		return
	}
	th := &f.Theme
	var l Line
	shared := true
	for i := range bins {
		shared = shared && bins[i].Lo == bins[0].Lo && bins[i].Hi == bins[0].Hi
	}
	if shared {
		l.Add(0, "", th.Accent, th.Accent, Exact(bins[0].Lo)+" to "+Exact(bins[0].Hi))
	} else {
		l.Add(0, "at", th.Dim, th.Accent, Exact(x))
	}
	for i := range bins {
		b := &bins[i]
		p := l.Add(1, "", b.Key.Style, b.Key.Style, string(b.Key.Glyph)+" ")
		if !(b.Count >= 0 && b.Count < 1<<53) {
			p.Text += "–"
			continue
		}
		p.Text += plane.Commas(uint64(b.Count))
		if !shared {
			p.Text += " in " + Exact(b.Lo) + " to " + Exact(b.Hi)
		}
	}
	ShowValues(g, in, f, &l)
}
