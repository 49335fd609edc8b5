package sweep

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/quantity"
)

// bestOf is how many cells must have been compared for one of them to be called the
// best while others are still to come.
const bestOf = 5

// apart is how many standard errors of their difference the best cell must be away
// from the median one to stand out. Of grids of 41 cells on which nothing depends one
// in a hundred at most then has a best cell, with two repeats one in fifty.
const apart = 3

// judgedFrom is how many repeats of a cell are waited for, of those that there will be:
// by two of them cells that are alike differ now and then.
const judgedFrom = 3

// apartFromWorst is how many the worst cell must be away from the best for some of
// them to be better than others at all: the ends of 41 equal ones are further from
// each other than either is from the median.
const apartFromWorst = 5

// judged lists the quantities by which a cell can be recommended, the most telling
// first. τ and the effective draws are not among them: a chain can mix well about the
// wrong place. Nor is the bias, which is a part of the error.
var judged = slices.DeleteFunc(slices.Clone(quantity.Compared), func(q quantity.ID) bool {
	return quantity.All[q].Basis == quantity.Mixing || q == quantity.CovBias
})

// sweepBest is what is best among a lane's cells.
type sweepBest struct {
	at [quantity.N]int // the best cell of each quantity, -1 for none
	by quantity.ID     // by which cells are judged, quantity.N for none
	// from and to are the ends of the cells that by it do as well as the best within
	// the errors; -1 if all do, or it cannot be told.
	from, to int
	cells    int // how many are compared by it
}

// marks reports whether a cell is the best by a quantity, or, of that by which cells
// are judged, as good as the best where none stands out.
func (b *sweepBest) marks(q quantity.ID, cell int) bool {
	if b.at[q] >= 0 || q != b.by {
		return cell == b.at[q]
	}
	return b.from >= 0 && b.from <= cell && cell <= b.to
}

// bests finds a lane's best cells among those of so many repeats.
func (l *Lane) bests(repeats int) (b sweepBest) {
	b.by, b.from, b.to = quantity.N, -1, -1
	for q := range b.at {
		b.at[q] = -1
	}
	for _, q := range judged {
		cells := l.compared(q, repeats)
		b.at[q] = l.standsOut(q, cells)
		if len(cells) > 0 && b.by == quantity.N {
			b.by, b.cells = q, len(cells)
			b.from, b.to = l.as(q, cells)
		}
	}
	return b
}

// compared lists the cells that can be compared by a quantity: those whose every
// repeat is trusted, of two at least, without which nothing is known of the error.
func (l *Lane) compared(q quantity.ID, repeats int) (cells []int) {
	repeats = max(repeats, 2)
	ran := 0
	for i := range l.Cells {
		c := &l.Cells[i]
		v := &c.Of[q]
		if c.Runs >= repeats || c.Lost > 0 || v.Short > 0 {
			ran++
		}
		if c.Lost == 0 && v.Short == 0 && v.N >= repeats && finiteNumber(v.Mean) && finiteNumber(v.SE) {
			cells = append(cells, i)
		}
	}
	if ran < bestOf && ran < len(l.Cells) {
		return nil
	}
	return cells
}

func finiteNumber(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// order sorts cells by a quantity, the best first.
func (l *Lane) order(q quantity.ID, cells []int) []int {
	out := slices.Clone(cells)
	slices.SortStableFunc(out, func(a, b int) int {
		x, y := l.Cells[a].Of[q].Mean, l.Cells[b].Of[q].Mean
		if quantity.All[q].Better == quantity.Higher {
			x, y = y, x
		}
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return out
}

// A sweepNoise is what the standard errors of cells are about, as they are and as parts
// of the values.
type sweepNoise struct{ se, part float64 }

// noise puts the standard errors of cells together. That of one cell comes from a few
// repeats, and is small by chance in some of many. It is the median, over the square
// root of the median of χ²/k for k = repeats - 1, after Wilson and Hilferty (1931).
func (l *Lane) noise(q quantity.ID, cells []int) sweepNoise {
	repeats := math.MaxInt
	var all, parts []float64
	for _, i := range cells {
		v := &l.Cells[i].Of[q]
		repeats = min(repeats, v.N)
		part := 0.0
		if v.Mean != 0 {
			part = v.SE / math.Abs(v.Mean)
		}
		all, parts = append(all, v.SE), append(parts, part)
	}
	slices.Sort(all)
	slices.Sort(parts)
	by := math.Pow(1-2/(9*float64(repeats-1)), 1.5)
	return sweepNoise{all[len(all)/2] / by, parts[len(parts)/2] / by}
}

// of is a cell's standard error: its own, or what it is about if that is more. That
// is less where values are small, as errors that are large differ by more, and is not
// more where they are large, as those come from the bias, which does not differ.
func (s sweepNoise) of(v *quantity.OverSeeds) float64 {
	return max(v.SE, min(s.se, s.part*math.Abs(v.Mean)))
}

// behind is by how many standard errors of the difference a cell is behind another.
func (l *Lane) behind(q quantity.ID, cell, other int, noise sweepNoise) float64 {
	a, b := &l.Cells[cell].Of[q], &l.Cells[other].Of[q]
	if a.Mean == b.Mean {
		return 0
	}
	return math.Abs(a.Mean-b.Mean) / math.Hypot(noise.of(a), noise.of(b))
}

// standsOut is the best of some cells, or -1 if it is no further from the median one
// than chance takes it.
func (l *Lane) standsOut(q quantity.ID, cells []int) int {
	if len(cells) < 2 {
		return -1
	}
	sorted := l.order(q, cells)
	if !(l.behind(q, sorted[len(sorted)/2], sorted[0], l.noise(q, cells)) > apart) {
		return -1
	}
	return sorted[0]
}

// as lists the neighbours of the best cell that do as well as it, as far as is known
// of the errors, by the first and the last of them; -1 if no cell does worse.
func (l *Lane) as(q quantity.ID, cells []int) (from, to int) {
	sorted := l.order(q, cells)
	best, noise := sorted[0], l.noise(q, cells)
	if !(l.behind(q, sorted[len(sorted)-1], best, noise) > apartFromWorst) {
		return -1, -1
	}
	from, to = best, best
	at := slices.Index(cells, best)
	for i := at + 1; i < len(cells) && !(l.behind(q, cells[i], best, noise) > apart); i++ {
		to = cells[i]
	}
	for i := at - 1; i >= 0 && !(l.behind(q, cells[i], best, noise) > apart); i-- {
		from = cells[i]
	}
	return from, to
}
