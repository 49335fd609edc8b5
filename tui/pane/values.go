package pane

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/targets/tool/list"
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

// ShowValues writes values on the edges of a pane's box, since the plot is what is read: on the
// lower edge, or on the upper one beside the title and the lower one. Where there is no room
// for all, those that matter most take the lower edge, and if they need it the upper one too.
func ShowValues(g plane.Region, f *Frame, l *Line) {
	l.Spell(g)
	w, title, line := g.W()-4, 2, f.Theme.Glyphs.Horizontal // the title ends before its column
	for title < w && (g.At(title, 0) != line || g.At(title+1, 0) != line) {
		title++
	}
	main := Line{Parts: slices.DeleteFunc(slices.Clone(l.Parts), func(p *Part) bool { return p.Rank > 1 })}
	fit := func(l *Line, w, rows int) bool {
		row, _ := l.Place(w, rows, gap)
		return !slices.Contains(row, -1)
	}
	switch beside := w - title; {
	case fit(l, w, 1):
	case fit(l, beside, 2):
		w = beside
	case fit(&main, w, 1):
		l = &main
	case fit(&main, beside, 2):
		w = beside
	}
	l.Fill(w, 2, gap)
	row, _ := l.Place(w, 2, gap)
	n := max(slices.Index(row, 1), 0)
	top := Line{Parts: l.Parts[:n]}
	OnFoot(g, f, &Line{Parts: l.Parts[n:]})
	if n == 0 {
		return
	}
	wide := list.Sum(top.Parts, func(p *Part) int { return p.Width() + gap }) - gap
	x := g.W() - 2 - wide
	if title >= x {
		title = 1
	}
	g.HLine(title, 0, g.W()-1-title, line, g.StyleAt(0, 0))
	edge := g.Sub(plane.Rect{X: x - 1, W: wide + 2, H: 1})
	edge.Fill(' ', plane.Style{})
	top.Draw(edge.Pad(0, 1, 0, 1), gap)
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

// A BinValue is one lane's count in the bin under the cross.
type BinValue struct {
	Key    chart.Series
	Lo, Hi float64
	Count  float64
}

// ShowBins shows the bin under the cross at x and each lane's count in it.
func ShowBins(g plane.Region, f *Frame, x float64, bins []BinValue) {
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
	ShowValues(g, f, &l)
}
