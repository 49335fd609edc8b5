package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Bar is one row of a chart of horizontal bars.
type Bar struct {
	Label string
	Glyph rune // before the label, in the bar's style; 0 for none
	Value float64
	Text  string // the value as text; "" formats Value
	Style plane.Style
}

// Bars draws horizontal bars, one a row from the top of g: label, bar in eighths of a cell, value. The largest value
// has a full bar. Values that are not positive have no bar, and a value that is NaN or infinite reads as such. Rows
// beyond g are dropped.
func Bars(g plane.Region, th theme.Theme, bars []Bar) {
	w, h := g.Size()
	bars = bars[:min(len(bars), h)]
	label, value := 0, 0
	full := 0.0
	for _, b := range bars {
		n := plane.Width(b.Label)
		if b.Glyph != 0 {
			n += 2
		}
		label, value = max(label, n), max(value, plane.Width(b.Text))
		if b.Text == "" {
			value = max(value, 6)
		}
		if finite(b.Value) {
			full = max(full, b.Value)
		}
	}
	// Bars have at least a third of the width; labels give way first, then values.
	label = min(label, w/3)
	value = min(value, w/3)
	from, room := label+1, w-label-value-2
	for y, b := range bars {
		x := 0
		if b.Glyph != 0 && label >= 3 {
			g.Set(0, y, b.Glyph, b.Style)
			x = 2
		}
		if label-x >= 3 || label-x >= plane.Width(b.Label) {
			name := b.Label
			if plane.Width(name) > label-x {
				name = firstClause.of(name)
			}
			g.TextFit(x, y, label-x, th, name, th.Text)
		}
		if room > 0 {
			bar(g.Sub(plane.Rect{X: from, Y: y, W: room, H: 1}), th, b.Value/full, b.Style)
		}
		if value < 1 {
			continue
		}
		cell := g.Sub(plane.Rect{X: w - value, Y: y, W: value, H: 1})
		if b.Text != "" {
			cell.TextFit(max(value-plane.Width(b.Text), 0), 0, value, th, b.Text, th.Text)
		} else {
			cell.TextRight(value, 0, plane.Number(b.Value, value), th.Text)
		}
	}
}

// bar fills a fraction of g from the left over a faint track.
func bar(g plane.Region, th theme.Theme, frac float64, s plane.Style) {
	w := g.W()
	g.HLine(0, 0, w, th.Glyphs.Bullet, th.Faint)
	if !(frac > 0) {
		return
	}
	eighths := int(math.Round(min(frac, 1) * float64(8*w)))
	full := eighths / 8
	g.HLine(0, 0, full, th.Glyphs.HBlock[8], s)
	if part := eighths % 8; part > 0 || full == 0 {
		if r := th.Glyphs.HBlock[max(part, 1)]; r != ' ' {
			g.Set(full, 0, r, s)
		}
	}
}

// drawSparkline draws the last series as columns of eighths over the whole height. A place without a value is a gap.
func (p *linePlot) drawSparkline() {
	last := len(p.series) - 1
	for x, v := range p.grid[last][:p.W()] {
		if math.IsNaN(v) {
			continue
		}
		// The lowest value still shows a line: an empty column means no value.
		eighths := 1 + int(v)
		for y := p.H() - 1; eighths > 0; y, eighths = y-1, eighths-8 {
			p.Set(x, y, p.th.Glyphs.VBlock[min(eighths, 8)], p.series[last].Style)
		}
	}
}

// Slider draws a parameter's place on its scale in row 0, as ▕────●──▏. frac is from 0 to 1 and clamped; NaN draws no
// knob. The filled part and the knob take knob's style when it is set, else the theme's. Fewer than three columns hold
// no slider.
func Slider(g plane.Region, th theme.Theme, frac float64, knob plane.Style) {
	w := g.W()
	if g.Empty() || w < 3 {
		return
	}
	fill := th.SliderFill
	if knob == (plane.Style{}) {
		knob = th.Accent
	} else {
		fill = knob.Without(theme.Bold)
	}
	gl := th.Glyphs
	g.Set(0, 0, gl.SliderLeft, th.Border)
	g.HLine(1, 0, w-2, gl.SliderTrack, th.Border)
	g.Set(w-1, 0, gl.SliderRight, th.Border)
	if math.IsNaN(frac) {
		return
	}
	at := 1 + SliderCell(frac, w)
	g.HLine(1, 0, at-1, gl.SliderTrack, fill)
	g.Set(at, 0, gl.SliderKnob, knob)
}

// SliderCell is the place of the knob within the track of a slider of w columns, from 0 to w-3.
func SliderCell(frac float64, w int) int {
	n := max(w-3, 0)
	return int(math.Round(min(max(frac, 0), 1) * float64(n)))
}

// SliderFrac is the fraction under column x of a slider of w columns; for a drag of the mouse.
func SliderFrac(x, w int) float64 {
	if w <= 3 {
		return 0
	}
	return min(max(float64(x-1)/float64(w-3), 0), 1)
}
