package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// SideHistogram is a Histogram that lies on its side, for the right edge of a
// plane: x runs upwards along the rows and bars grow to the right. It shows one
// lane. Keep one a pane: it has scratch memory.
type SideHistogram struct {
	Lo, Hi  float64
	Density []float64 // of equal bins from Lo to Hi
	Style   plane.Style
	Truth   func(x float64) float64 // nil for none

	curve Braille
}

// Draw draws the histogram inside g; nothing without data.
func (c *SideHistogram) Draw(g plane.Region, th theme.Theme) {
	w, h := g.Size()
	if g.Empty() || !(c.Hi > c.Lo) || !finite(c.Hi-c.Lo) {
		return
	}
	top, exact := 0.0, 0.0
	for y := range h {
		if v := densityAt(c.Density, h-1-y, h); finite(v) {
			top = max(top, v)
		}
		if c.Truth != nil {
			if v := c.Truth(c.at(y, h, 0.5)); finite(v) {
				exact = max(exact, v)
			}
		}
	}
	top = max(top, min(exact, 2*top))
	if !(top > 0) {
		return
	}
	bar := muted(c.Style, th)
	for y := range h {
		level := eighthsOf(densityAt(c.Density, h-1-y, h), top, w)
		for x, base := 0, 0; base < level; x, base = x+1, base+8 {
			g.Set(x, y, th.Glyphs.HBlock[min(level-base, 8)], bar)
		}
	}
	if c.Truth != nil {
		c.drawTruth(g, th, top)
	}
}

// at is the value at a fraction of row y, counted from above.
func (c *SideHistogram) at(y, h int, frac float64) float64 {
	return c.Hi - (float64(y)+frac)/float64(h)*(c.Hi-c.Lo)
}

// drawTruth draws the exact density over the bars, each of its cells on the colour
// of the bar beneath.
func (c *SideHistogram) drawTruth(g plane.Region, th theme.Theme, top float64) {
	w, h := g.Size()
	if !th.Glyphs.Braille {
		for y := range h {
			if v := c.Truth(c.at(y, h, 0.5)); finite(v) && v >= 0 && v <= top {
				g.Set(min(int(v/top*float64(w)), w-1), y, th.Glyphs.Curve, th.Truth)
			}
		}
		return
	}
	canvas := &c.curve
	canvas.Reset(th, w, h, Window{0, top, -float64(h), 0})
	last := math.NaN()
	for i := range 4*h + 1 {
		y := float64(i) / 4
		v := c.Truth(c.at(0, h, y))
		if finite(v) && finite(last) {
			canvas.Line(last, -(y - 0.25), v, -y, Pen{Style: th.Truth, Layer: LayerLine})
		}
		last = v
	}
	for y := range h {
		for x := range w {
			d := &canvas.cells[y*w+x]
			if d.bits == 0 {
				continue
			}
			s := d.style
			if under := g.At(x, y); under >= th.Glyphs.HBlock[8] && under <= th.Glyphs.HBlock[4] {
				if s.BG = g.StyleAt(x, y).FG; th.NoColor {
					s = s.With(theme.Reverse)
				}
			}
			g.Set(x, y, 0x2800+rune(d.bits), s)
		}
	}
}
