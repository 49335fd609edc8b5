package shared

import (
	"math"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
)

// Line is a density of one coordinate. It is worked out again when the target changes.
type Line struct {
	problem *targets.Problem
	At      func(x float64) float64 // nil if it is not known
	Range   chart.Range             // that shows it; empty where that is not known
}

// lineGrid is the number of intervals of the grid on which a line's density is normalised.
const lineGrid = 2048

// Of makes l describe a problem and reports whether that has one coordinate.
func (l *Line) Of(p *targets.Problem) bool {
	if p == nil || p.F64 == nil || p.Dim() != 1 {
		return false
	}
	if l.problem == p {
		return true
	}
	*l = Line{problem: p, Range: chart.Range{Lo: p.Frame.X0, Hi: p.Frame.X1}}
	target, ok := p.F64.(targets.LogDensity[float64])
	if !ok || p.HasData() || !(l.Range.Len() > 0) {
		return true
	}
	logP := func(x float64) float64 { return target.LogLik([]float64{x}) }
	wide := chart.Range{Lo: l.Range.Lo - l.Range.Len()/2, Hi: l.Range.Hi + l.Range.Len()/2}
	step := wide.Len() / lineGrid
	grid, peak := make([]float64, lineGrid+1), math.Inf(-1)
	for i := range grid {
		if grid[i] = logP(wide.Lo + float64(i)*step); grid[i] > peak && !math.IsInf(grid[i], 1) {
			peak = grid[i]
		}
	}
	sum := 0.0
	for _, y := range grid {
		if e := math.Exp(y - peak); e-e == 0 {
			sum += e * step
		}
	}
	if sum > 0 {
		l.At = func(x float64) float64 { return math.Exp(logP(x)-peak) / sum }
	}
	return true
}
