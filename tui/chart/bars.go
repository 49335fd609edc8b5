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
