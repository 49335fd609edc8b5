package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

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
