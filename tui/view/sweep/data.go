package sweep

import (
	"math"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/chart"
)

// Cell is a lane's result with one value of the parameter.
type Cell = scan.Cell

// LaneCells is a lane's cells, one for each value.
type LaneCells struct {
	ID    int
	Title string
	Has   bool // the lane has the parameter
	Cells scan.Row
}

// State is the state of a grid's job.
type State uint8

// The states.
const (
	Waiting State = iota // about to begin
	Running
	Paused
	Done
)

// Data is a grid over one parameter that runs beside the live session: every
// cell is the session with another value of it. It is never changed once it is
// published.
type Data struct {
	Param  param.Param
	Values []float64
	Base   int // the place of the session's value
	Lanes  []LaneCells
	Steps  uint64 // of a cell
	Seed   uint64 // of the first repeat; the others have the next ones
	Seeds  int    // repeats
	Done   int    // sessions that have run
	Total  int
	State  State
	// Left is the forecast of the seconds left, 0 if unknown.
	Left float64
	// Alone says that the grid has the cores for itself.
	Alone bool
	// Note is the reason why there are no values, or an error.
	Note string
}

// lanes are the lanes that are shown.
func (d *Data) lanes() []LaneCells { return d.Lanes[:min(len(d.Lanes), state.MaxLanes)] }

// cell is a lane's cell, nil where there is none.
func (l *LaneCells) cell(i int) *Cell {
	if i < 0 || i >= len(l.Cells) {
		return nil
	}
	return &l.Cells[i]
}

// At is the place of the grid's value nearest to x, and whether x is within the grid.
func (d *Data) At(x float64) (i int, ok bool) {
	if len(d.Values) == 0 || math.IsNaN(x) {
		return 0, false
	}
	best := math.Inf(1)
	f := d.Param.Frac(x)
	for k, v := range d.Values {
		switch a := math.Abs(d.Param.Frac(v) - f); {
		case v == x:
			return k, true
		case a < best:
			best, i = a, k
		}
	}
	lo, hi := d.Values[0], d.Values[len(d.Values)-1]
	return i, x >= min(lo, hi) && x <= max(lo, hi)
}

// has reports whether any cell has the quantity, and whether any has one that cannot be trusted.
func (d *Data) has(q quantity.ID) (known, untrusted bool) {
	for i := range d.Lanes {
		for k := range d.Lanes[i].Cells {
			v := &d.Lanes[i].Cells[k].Of[q]
			known = known || v.N > 0
			untrusted = untrusted || v.Untrusted > 0
		}
	}
	return known, untrusted
}

// A heatScale maps a quantity to the ramp.
type heatScale struct {
	chart.Range
	log  bool
	less bool // some values are below it
	more bool // some are above it
}

// The least ratio of the ends of a log scale, and the largest ratio of any. Near the
// limit of stability errors grow without bound, and would leave no shade for the rest.
const (
	logFrom   = 4
	mostRatio = 1000
)

// scale is a quantity's scale over all lanes. The bias has the scale of the error, which
// it is a part of.
func (d *Data) scale(q quantity.ID) (s heatScale) {
	own := d.ends(q)
	s.Range = own
	if q == quantity.CovBias {
		if known, _ := d.has(quantity.CovError); known {
			s.Range = d.ends(quantity.CovError)
		}
	}
	if s.known() && s.Lo > 0 && s.Hi/s.Lo >= logFrom {
		s.log = true
		s.Hi = min(s.Hi, s.Lo*mostRatio)
	}
	s.less, s.more = own.Lo < s.Lo, own.Hi > s.Hi
	return s
}

// known reports whether there is a value.
func (s *heatScale) known() bool { return s.Lo <= s.Hi }

// ends are the least and the largest value of a quantity.
func (d *Data) ends(q quantity.ID) chart.Range {
	all := chart.NoValues()
	for i := range d.Lanes {
		for k := range d.Lanes[i].Cells {
			if v := &d.Lanes[i].Cells[k].Of[q]; v.N > 0 {
				all.Add(v.Mean)
			}
		}
	}
	return all
}

// frac is the place of a value on the ramp.
func (s *heatScale) frac(x float64) float64 {
	switch {
	case math.IsNaN(x) || !s.known():
		return math.NaN()
	case !(s.Hi > s.Lo):
		return 0.5
	case s.log && x <= 0:
		return 0
	}
	return min(max(s.Frac(x, s.log), 0), 1)
}

// place is where a value of the parameter stands among the cells, in cells from the first
// and between two of them in proportion on the parameter's scale; NaN beyond the grid.
func (d *Data) place(x float64) float64 {
	f, a := d.Param.Frac(x), math.NaN()
	for i, v := range d.Values {
		if v == x {
			return float64(i)
		}
		b := d.Param.Frac(v)
		if a < f && f < b || b < f && f < a {
			return float64(i-1) + (f-a)/(b-a)
		}
		a = b
	}
	return math.NaN()
}

// whole reports whether every run of the grid is there.
func (d *Data) whole() bool { return d.State == Done }

// span writes the values of the cells from one to another. At an end of the grid beyond
// which there are more values it writes a bound, such as "≤ 1".
func (d *Data) span(from, to int) string {
	beyond := func(i int) bool {
		x := d.Values[i]
		return len(d.Values) > 1 && d.Param.Scale != param.Choice && x > d.Param.Min && x < d.Param.Max
	}
	below, above := from == 0 && beyond(0), to == len(d.Values)-1 && beyond(to)
	switch {
	case below && !above:
		return "≤ " + ValueText(d, to)
	case above && !below:
		return "≥ " + ValueText(d, from)
	}
	if to > from {
		return ValueText(d, from) + "–" + ValueText(d, to)
	}
	return ValueText(d, from)
}
