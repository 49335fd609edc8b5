package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A Lattice is the window of a plot of cells whose ticks are whole cells apart: each tick
// is the middle of a row or of a column.
type Lattice struct {
	Window
	// StepX and StepY are the distances between ticks, 0 where the window is so far from 0
	// that float64 cannot tell them apart.
	StepX, StepY float64
	// Equal says that a unit is as long on both axes.
	Equal bool
}

// The rows or columns between two ticks: as few as the least and, on a plot with room for them, as many as the most. Of
// two steps with one scale the axis gets the one that is nearer to the best.
const (
	leastTick, bestTick, mostTick = 2, 4, 10
)

// tickMantissas are those of the steps. With 2½ the scales of a small plot are close enough for a zoom.
var tickMantissas = []float64{1, 2, 2.5, 5}

// mostCells is the number of cells between ticks in a plot of n cells at most: there are
// two ticks at least, and three where the plot is not small.
func mostCells(n int) int {
	if n <= 2*leastTick {
		return leastTick
	}
	return min(max(n/3, leastTick+1), mostTick)
}

// A scale is an axis on which ticks are a step and so many cells apart.
type scale struct {
	step  float64
	cells int
}

// unit is the length of a cell.
func (s scale) unit() float64 { return s.step / float64(s.cells) }

// scaleOf is the finest scale of a plot of n cells whose cell is at least so long.
func scaleOf(unit float64, n int) (best scale) {
	decade := math.Pow(10, math.Floor(math.Log10(unit)))
	if !(decade > 0) || !finite(100*decade) {
		return scale{}
	}
	for _, d := range [...]float64{decade, 10 * decade, 100 * decade} {
		for _, m := range tickMantissas {
			for cells := leastTick; cells <= mostCells(n); cells++ {
				s := scale{m * d, cells}
				if s.unit() < unit*(1-1e-9) {
					break
				}
				switch r := s.unit() / best.unit(); {
				case best.cells == 0, r < 1-1e-9, r < 1+1e-9 && abs(cells-bestTick) < abs(best.cells-bestTick):
					best = s
				}
			}
		}
	}
	return best
}

// around is the range of n cells around a place, whose middles are multiples of a cell's length.
func around(place, unit float64, n int) (r Range, ok bool) {
	half := unit * float64(n) / 2
	hi := math.Round((place+half)/unit-0.5) + 0.5
	if !(math.Abs(hi)+float64(n) < 1<<40) {
		return Range{place - half, place + half}, false
	}
	return Range{(hi - float64(n)) * unit, hi * unit}, true
}

// True is the smallest lattice of a plot of cols×rows cells that shows all of w with one scale for both axes, but for
// half a column between two ticks where the look's ratio of a cell's sides is not whole. A part of w's sides may be cut
// off: slack, half of it at each end.
func (w Window) True(th theme.Theme, cols, rows int, slack float64) Lattice {
	cell := th.CellRatio()
	if !w.Valid() || cols < 1 || rows < 1 {
		return Lattice{Window: w}
	}
	// Whole columns between ticks round the scale of x, so that a coarser one may be needed.
	needX, needY := (1-slack)*w.X.Len()/float64(cols), (1-slack)*w.Y.Len()/float64(rows)
	for least := max(needY, cell*needX/2); ; {
		y := scaleOf(least, rows)
		if y.cells == 0 {
			return Lattice{Window: w}
		}
		x := scale{y.step, max(int(math.Round(float64(y.cells)*cell)), 1)}
		if x.unit() >= needX*(1-1e-9) {
			return lattice(w, x, y, cols, rows, true)
		}
		least = y.unit() * (1 + 1e-6)
	}
}

// Equal is the smallest window around w's middle with one scale for both axes in a plot of cols×rows cells.
func (w Window) Equal(th theme.Theme, cols, rows int) Window {
	cell := th.CellRatio()
	u := max(w.Y.Len()/float64(rows), cell*w.X.Len()/float64(cols))
	x, y := u/cell*float64(cols)/2, u*float64(rows)/2
	out := Window{Range{w.X.Mid() - x, w.X.Mid() + x}, Range{w.Y.Mid() - y, w.Y.Mid() + y}}
	if !out.Valid() {
		return w
	}
	return out
}

// Free is the smallest lattice of a plot of cols×rows cells that shows all of w, with a scale for each axis.
func (w Window) Free(cols, rows int) Lattice {
	if !w.Valid() || cols < 1 || rows < 1 {
		return Lattice{Window: w}
	}
	x, y := scaleOf(w.X.Len()/float64(cols), cols/2), scaleOf(w.Y.Len()/float64(rows), rows)
	if x.cells == 0 || y.cells == 0 {
		return Lattice{Window: w}
	}
	return lattice(w, x, y, cols, rows, false)
}

func lattice(w Window, x, y scale, cols, rows int, equal bool) Lattice {
	l := Lattice{StepX: x.step, StepY: y.step, Equal: equal}
	var okX, okY bool
	l.X, okX = around(w.X.Mid(), x.unit(), cols)
	l.Y, okY = around(w.Y.Mid(), y.unit(), rows)
	if !okX {
		l.StepX = 0
	}
	if !okY {
		l.StepY = 0
	}
	if !l.Valid() {
		return Lattice{Window: w}
	}
	return l
}

// Notch is the factor by which notches of a zoom change the length of an axis of n cells
// that has a lattice: to the scale nearest to so many times step, at least by one scale.
func Notch(length float64, n int, step, notches float64) float64 {
	unit := length / float64(n)
	want := unit * math.Pow(step, -notches)
	above := scaleOf(want, n).unit()
	below := above
	for f := 0.95; below >= above*(1-1e-9) && f > 0.4; f -= 0.05 {
		below = scaleOf(above*f, n).unit()
	}
	if !(below < above) {
		return math.Pow(step, -notches)
	}
	to := above
	if want/below < above/want {
		to = below
	}
	switch {
	case notches > 0 && to >= unit*(1-1e-9):
		to = below
	case notches < 0 && to <= unit*(1+1e-9):
		to = scaleOf(unit*(1+1e-6), n).unit()
	}
	return to / unit
}

// Axes labels the edges of a plane of draws, Y on the left and X below, with the names of
// the axes where the labels leave room.
func (l Lattice) Axes(g plane.Region, th theme.Theme, nameX, nameY string) {
	left, below, _, plot := splitAxes(g)
	if !l.Valid() || below.W == 0 {
		return
	}
	x := l.X.ticked(fitting{cells: plot.W, per: 2 * bestTick, width: 8})
	y := l.Y.ticked(fitting{cells: plot.H, per: bestTick, width: left.W - 1, raised: true})
	drawAxes(g, th, x, y)
	name := func(row int, text string) {
		if w := plane.Width(g.Spell(text)); w < axesWidth {
			g.TextRight(axesWidth-1, row, text, th.Text)
		}
	}
	name(g.H()-1, nameX)
	at := 0
	if g.At(axesWidth, at) == th.Glyphs.TickY {
		at++ // below the label
	}
	if at < plot.H && g.At(axesWidth, at) != th.Glyphs.TickY {
		name(at, nameY)
	}
}

// ticked is the axis of a side of a lattice with round ticks in the middle of every so many cells,
// as nearly as many as wanted: if there are such, ticks whose labels can be read, and two at least.
func (r Range) ticked(f fitting) (best Axis) {
	best = endsOf(r, false, f.width)
	single := false // best has one tick that can be read
	for i := range 2 * f.cells {
		per := f.per + (i+1)/2*(1-i%2*2) // the wanted number, one less, one more
		apart := float64(per) * r.Len() / float64(f.cells)
		if per < 1 || per >= f.cells || stepOf(apart, tickMantissas) > apart*(1+1e-6) {
			continue
		}
		a := Axis{Range: r, step: stepOf(apart, tickMantissas), per: per}
		a.ticks = multiples(a.step, r.Lo, r.Hi)
		n := len(a.ticks)
		readable := n > 0 && f.apart(&a, a.ticks[0], a.ticks[n-1]) && a.distinct(f.width, true)
		switch {
		case readable && n > 1:
			return a
		case n > 0 && !single:
			best, single = a, readable
		}
	}
	if !best.distinct(f.width, false) {
		best.base, best.counted = best.ticks[0], true
	}
	return best
}
