package shared

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Density is a density in the plane with its contours for each canvas and its marginals, or a density of one
// coordinate, which is its only marginal. It is rebuilt when the target changes.
type Density struct {
	problem *targets.Problem
	LogP    func(x, y float64) float64 // nil if the target has no plane
	Frame   chart.Window
	Levels  []float64
	Peak    float64

	sets      [2 * state.MaxLanes]contours
	oldest    int
	marginals [2]*Marginal
}

// contours are those of a canvas on axes with a bend.
type contours struct {
	x, y chart.Bend
	set  *chart.ContourSet
}

// ContourLevels is the number of contours: where a normal density with the target's peak
// is at 1, 2 and 3 standard deviations.
const ContourLevels = 3

// The numbers of intervals of the grids on which the peak is sought, marginals are integrated and a density of one
// coordinate is normalised. The peak's error must be small beside the distance of the levels.
const (
	peakGrid     = 96
	marginalGrid = 192
	lineGrid     = 2048
)

// Of makes d describe a problem and reports whether that is a density in the plane.
func (d *Density) Of(p *targets.Problem) bool {
	if d.problem == p {
		return d.LogP != nil
	}
	*d = Density{problem: p}
	if p == nil || p.F64 == nil || p.Dim() > 2 {
		return false
	}
	d.Frame = chart.Window{X: chart.Range{Lo: p.Frame.X0, Hi: p.Frame.X1},
		Y: chart.Range{Lo: p.Frame.Y0, Hi: p.Frame.Y1}}
	var height func(theta []float64) float64
	switch t := p.F64.(type) {
	case *targets.Typed:
		height = t.Height
	case targets.LogDensity[float64]:
		height = t.LogLik
	}
	switch {
	case height == nil || p.HasData():
	case p.Dim() == 1 && d.Frame.X.Len() > 0:
		d.line(func(x float64) float64 { return height([]float64{x}) })
	case p.Dim() == 2 && d.Frame.Valid():
		var theta [2]float64
		d.plane(func(x, y float64) float64 {
			theta[0], theta[1] = x, y
			return height(theta[:])
		})
	}
	return d.LogP != nil
}

// plane seeks the peak of a density in the plane.
func (d *Density) plane(logP func(x, y float64) float64) {
	d.LogP, d.Peak = logP, math.Inf(-1)
	for j := range peakGrid + 1 {
		y := d.Frame.Y.Lo + d.Frame.Y.Len()*float64(j)/peakGrid
		for i := range peakGrid + 1 {
			x := d.Frame.X.Lo + d.Frame.X.Len()*float64(i)/peakGrid
			if v := logP(x, y); v > d.Peak && !math.IsInf(v, 1) {
				d.Peak = v
			}
		}
	}
	for k := ContourLevels; k > 0; k-- {
		d.Levels = append(d.Levels, d.Peak-float64(k*k)/2)
	}
}

// line normalises a density of one coordinate on the frame grown by half its size.
func (d *Density) line(logP func(x float64) float64) {
	wide := d.Frame.X.Grow(0.5)
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
		d.marginals[0] = &Marginal{At: func(x float64) float64 { return math.Exp(logP(x)-peak) / sum }}
	}
}

// Contours returns the contours for a canvas whose window is in the units of two bends, from the cache if they are
// there.
func (d *Density) Contours(th *theme.Theme, w, h int, win chart.Window, x, y chart.Bend) *chart.ContourSet {
	for _, s := range d.sets {
		if s.x == x && s.y == y && s.set.Fits(*th, w, h, win) {
			return s.set
		}
	}
	set := chart.NewContours(*th, w, h, win, d.Levels,
		func(u, v float64) float64 { return d.LogP(x.From(u), y.From(v)) })
	d.sets[d.oldest] = contours{x, y, set}
	d.oldest = (d.oldest + 1) % len(d.sets)
	return set
}

// Marginal is the density of one coordinate.
type Marginal struct {
	At   func(x float64) float64
	Line func(x float64) float64 // At, but NaN below a hundredth of the peak
}

// Marginal integrates the density over the other coordinate by the trapezoid rule on the
// frame grown by half its size, and normalises it there. It is nil where no density is known.
func (d *Density) Marginal(axis int) *Marginal {
	if d.marginals[axis] != nil || d.LogP == nil {
		return d.marginals[axis]
	}
	win := d.Frame.Grow(0.5)
	along, over, logP := win.X, win.Y, d.LogP
	if axis == 1 {
		along, over = win.Y, win.X
		logP = func(a, b float64) float64 { return d.LogP(b, a) }
	}
	step := along.Len() / marginalGrid
	p := make([]float64, marginalGrid+1)
	total := 0.0
	for i := range p {
		a := along.Lo + float64(i)*step
		for j := range marginalGrid + 1 {
			b := over.Lo + over.Len()*float64(j)/marginalGrid
			if e := math.Exp(logP(a, b) - d.Peak); !math.IsNaN(e) && !math.IsInf(e, 0) {
				p[i] += e
			}
		}
		total += p[i]
	}
	for i := range p {
		p[i] /= total * step
	}
	at := func(x float64) float64 { // linear interpolation; 0 outside the grid
		t := (x - along.Lo) / step
		if !(t >= 0 && t < float64(len(p)-1)) {
			return 0
		}
		i := int(t)
		return p[i] + (t-float64(i))*(p[i+1]-p[i])
	}
	least := slices.Max(p) / 100
	line := func(x float64) float64 {
		if p := at(x); p >= least {
			return p
		}
		return math.NaN()
	}
	d.marginals[axis] = &Marginal{at, line}
	return d.marginals[axis]
}
