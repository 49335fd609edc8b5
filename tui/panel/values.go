package panel

import (
	"math"

	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
)

// exact writes a number with five significant digits at most.
func exact(v float64) string { return plane.Exact(v, 5) }

// progress writes a place on the axis of the curves, a step with all of its digits.
func (f *Frame) progress(x float64) string {
	if f.axis() == ByStep && x >= 0 && x < 1<<53 {
		return plane.Commas(uint64(x))
	}
	return exact(x)
}

// tellValues writes values on the lower edge of a pane's box: in one row if they
// fit, else on a card in the plot, on the side where the cross is not.
func tellValues(g, in plane.Region, f *Frame, l *line, crossX int) {
	const gap = 2
	l.spell(g)
	n := 0
	for _, p := range l.parts {
		n += p.width() + gap
	}
	if n+2 <= g.W() || in.H() < len(l.parts)+2 || in.W() < 16 {
		g.ClearFoot(f.Theme)
		room := 0
		row, _ := l.place(g.W()-4, 1, gap)
		for i, p := range l.parts {
			if row[i] == 0 {
				room += p.width() + gap
			}
		}
		if room = min(room, g.W()-3); room < 4 || g.H() < 2 {
			return
		}
		edge := g.Sub(plane.Rect{X: 2, Y: g.H() - 1, W: room, H: 1})
		edge.Fill(' ', plane.Style{})
		l.draw(edge.Sub(plane.Rect{X: 1, W: room - 1, H: 1}), gap)
		return
	}
	w := 0
	for _, p := range l.parts {
		w = max(w, p.width())
	}
	w = min(w+4, in.W())
	at := plane.Rect{X: in.W() - w, W: w, H: len(l.parts) + 2}
	if crossX-in.Rect().X > in.W()/2 {
		at.X = 0
	}
	card := in.Sub(at)
	card.Fill(' ', plane.Style{})
	edge := f.Theme
	edge.Border = f.Theme.Accent
	body := card.Box(edge, plane.Box{})
	for i, p := range l.parts {
		p.draw(body, 1, i)
	}
}

// values tells the values of the curves at the cross.
func (c *curve) values(g, in plane.Region, f *Frame, name string) {
	at := c.lines.Place()
	if !at.OK {
		return
	}
	f.plot(name, Plot{Rect: at.Plot, AxisX: Progress, X: Range{at.Lo, at.Hi}, AllX: c.all(), LogX: at.Log})
	if !c.lines.Crossed {
		return
	}
	th := &f.Theme
	var l line
	l.add(0, axisWord(f), th.Dim, th.Accent, f.progress(c.lines.Cross))
	seriesValues(&l, f, c.lines.Series, c.lines.Cross)
	tellValues(g, in, f, &l, crossColumn(at, c.lines.Cross))
}

// axisWord is what the axis counts.
func axisWord(f *Frame) string {
	return [...]string{"step", "epoch", "gradients", "seconds"}[f.axis()]
}

// seriesValues adds the value of each series at the point that is nearest to x:
// those with a name first, then the newest draws', which have none.
func seriesValues(l *line, f *Frame, all []chart.Series, x float64) {
	th := &f.Theme
	for i := range all {
		s := &all[i]
		if s.Name == "" {
			continue
		}
		p := l.add(1, "", s.Style, s.Style)
		if s.Glyph != 0 {
			p.text += string(s.Glyph) + " "
		}
		p.text += exact(valueAt(s, x))
	}
	label := "newest"
	for i := range all {
		if s := &all[i]; s.Name == "" {
			l.add(2, label, th.Dim, s.Style, exact(valueAt(s, x)))
			label = ""
		}
	}
}

// valueAt is the value of a series at the point nearest to x, NaN without one.
func valueAt(s *chart.Series, x float64) float64 {
	best, y := math.Inf(1), math.NaN()
	for i := range s.Y {
		d := math.Abs(float64(i) - x)
		if s.X != nil {
			if i >= len(s.X) {
				break
			}
			d = math.Abs(s.X[i] - x)
		}
		if d < best {
			best, y = d, s.Y[i]
		}
	}
	return y
}

// crossColumn is the column of the plane at which the cross is.
func crossColumn(at chart.Place, x float64) int {
	t := (x - at.Lo) / (at.Hi - at.Lo)
	if at.Log && at.Lo > 0 {
		t = math.Log(x/at.Lo) / math.Log(at.Hi/at.Lo)
	}
	if !(t >= 0 && t <= 1) {
		t = 0
	}
	return at.Plot.X + int(t*float64(at.Plot.W))
}

// all is the range of the curves' points, whatever part of it is shown.
func (c *curve) all() Range {
	r := emptyRange()
	for i := range c.lines.Series {
		for _, x := range c.lines.Series[i].X {
			if x > 0 || !c.lines.X.Log {
				r.add(x)
			}
		}
	}
	return r
}

// A binValue is what one lane has in the bin under the cross.
type binValue struct {
	key    chart.Series
	lo, hi float64
	count  float64
}

// tellBins tells the bin under the cross and each lane's count in it.
func tellBins(g, in plane.Region, f *Frame, at chart.Place, x float64, bins []binValue) {
	if len(bins) == 0 {
		return
	}
	th := &f.Theme
	var l line
	shared := true
	for i := range bins {
		shared = shared && bins[i].lo == bins[0].lo && bins[i].hi == bins[0].hi
	}
	if shared {
		l.add(0, "", th.Accent, th.Accent, exact(bins[0].lo)+" to "+exact(bins[0].hi))
	} else {
		l.add(0, "at", th.Dim, th.Accent, exact(x))
	}
	for i := range bins {
		b := &bins[i]
		p := l.add(1, "", b.key.Style, b.key.Style, string(b.key.Glyph)+" ")
		if !(b.count >= 0 && b.count < 1<<53) {
			p.text += "–"
			continue
		}
		p.text += plane.Commas(uint64(b.count))
		if !shared {
			p.text += " in " + exact(b.lo) + " to " + exact(b.hi)
		}
	}
	tellValues(g, in, f, &l, crossColumn(at, x))
}
