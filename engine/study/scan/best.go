package scan

import (
	"cmp"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// Enough is how many cells must have been compared for one of them to be called the
// best while others are still to come.
const Enough = 5

// clearBy is the least distance of the best cell from the median one, in standard errors
// of their difference. Among scans of 41 equal cells one in a hundred at most then has a
// best cell, with two repeats one in fifty.
const clearBy = 3

// clearOfWorst is the least distance of the best cell from the worst for any cell to be
// better than another. It is larger than clearBy: the extremes of 41 equal cells are further
// apart than either is from the median.
const clearOfWorst = 5

// repeatsToJudge is the number of repeats after which a cell is compared, if it gets so
// many. After two of them equal cells differ now and then.
const repeatsToJudge = 3

// Judged lists the quantities by which a cell can be recommended, the most telling
// first. τ and the effective sample sizes are not among them, since a chain can mix well
// around the wrong place. Nor is the bias, which is a part of the error.
var Judged = slices.DeleteFunc(slices.Clone(quantity.Compared), func(q quantity.ID) bool {
	return quantity.All[q].Basis == quantity.Mixing || q == quantity.CovBias
})

// A Row is the cells of a lane, one for each value.
type Row []Cell

// Best is what is best in a row.
type Best struct {
	At [quantity.N]int // the best cell of each quantity, -1 for none
	By quantity.ID     // by which cells are judged, quantity.N for none
	// From and To are the first and the last of the cells that are as good as the best by
	// it, within their errors; -1 if all are, or it cannot be told.
	From, To int
	Compared int // cells by it
}

// Has reports whether a cell is the best by a quantity or, by the quantity that cells are judged by, as good as
// the best.
func (b *Best) Has(q quantity.ID, cell int) bool {
	return cell == b.At[q] || q == b.By && b.From >= 0 && b.From <= cell && cell <= b.To
}

// Best finds the best cells of a row of which each has so many repeats in the end.
func (r Row) Best(seeds int) (b Best) {
	b.By, b.From, b.To = quantity.N, -1, -1
	for q := range b.At {
		b.At[q] = -1
	}
	for _, q := range Judged {
		c := r.compare(q, max(min(seeds, repeatsToJudge), 2))
		if len(c.cells) == 0 {
			continue
		}
		if len(c.cells) > 1 && c.behind(c.cells[len(c.cells)/2]) > clearBy {
			b.At[q] = c.cells[0]
		}
		if b.By == quantity.N {
			b.By, b.Compared = q, len(c.cells)
			b.From, b.To = c.asGood()
		}
	}
	return b
}

// least is the cell with the best mean by the first quantity that any trusted cell has, -1 for none.
func (r Row) least() int {
	for _, q := range Judged {
		if at := r.Least(q); at >= 0 {
			return at
		}
	}
	return -1
}

// Least is the best of the trusted cells by a quantity, -1 if there is none.
func (r Row) Least(q quantity.ID) int {
	if all := r.trusted(q, 1); len(all) > 0 {
		return all[0]
	}
	return -1
}

// trusted are the cells whose every repeat is trusted, of so many at least, the best first.
func (r Row) trusted(q quantity.ID, repeats int) (all []int) {
	for i := range r {
		v := &r[i].Of[q]
		if r[i].Diverged == 0 && v.Untrusted == 0 && v.N >= repeats && finite(v.Mean) && (finite(v.SE) || repeats == 1) {
			all = append(all, i)
		}
	}
	slices.SortStableFunc(all, func(a, b int) int {
		if quantity.All[q].Better == quantity.Higher {
			a, b = b, a
		}
		return cmp.Compare(r[a].Of[q].Mean, r[b].Of[q].Mean)
	})
	return all
}

// A comparison is the cells of a row that can be compared by a quantity, the best
// first.
type comparison struct {
	row   Row
	by    quantity.ID
	cells []int
	noise noise
}

// compare lists the cells that can be compared by a quantity: those whose every repeat
// is trusted, of so many at least, without which nothing is known of the error.
func (r Row) compare(q quantity.ID, repeats int) comparison {
	c := comparison{row: r, by: q, cells: r.trusted(q, repeats)}
	ran := 0
	for i := range r {
		v := &r[i].Of[q]
		if r[i].Runs >= repeats || r[i].Diverged > 0 || v.Untrusted > 0 {
			ran++
		}
	}
	if len(c.cells) == 0 || ran < Enough && ran < len(r) {
		return comparison{}
	}
	c.noise = r.noise(q, c.cells)
	return c
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// noise is the typical standard error of a cell, by itself and as a share of the value.
type noise struct{ se, part float64 }

// noise estimates the typical standard error. The standard error of one cell comes from a
// few repeats, and among many cells some are small by chance. The estimate is the median,
// divided by the square root of the median of χ²/k with k = repeats - 1 (Wilson and
// Hilferty 1931).
func (r Row) noise(q quantity.ID, cells []int) noise {
	repeats := math.MaxInt
	var all, parts []float64
	for _, i := range cells {
		v := &r[i].Of[q]
		repeats = min(repeats, v.N)
		part := 0.0
		if v.Mean != 0 {
			part = v.SE / math.Abs(v.Mean)
		}
		all, parts = append(all, v.SE), append(parts, part)
	}
	slices.Sort(all)
	slices.Sort(parts)
	by := libm.Pow(1-2/(9*float64(repeats-1)), 1.5)
	return noise{all[len(all)/2] / by, parts[len(parts)/2] / by}
}

// of is a cell's standard error: its own, or the typical one if that is larger. The typical
// one shrinks with small values, since small errors vary less. It does not grow with large
// values, since these come from the bias, which does not vary.
func (n noise) of(v *quantity.OverSeeds) float64 {
	return max(v.SE, min(n.se, n.part*math.Abs(v.Mean)))
}

// behind is by how many standard errors of the difference a cell is behind the best.
func (c *comparison) behind(cell int) float64 {
	a, b := &c.row[cell].Of[c.by], &c.row[c.cells[0]].Of[c.by]
	if a.Mean == b.Mean {
		return 0
	}
	return math.Abs(a.Mean-b.Mean) / libm.Hypot(c.noise.of(a), c.noise.of(b))
}

// asGood are the first and the last of the neighbours of the best cell that are as good
// within their errors; -1 if no cell is worse.
func (c *comparison) asGood() (from, to int) {
	best := c.cells[0]
	if !(c.behind(c.cells[len(c.cells)-1]) > clearOfWorst) {
		return -1, -1
	}
	from, to = best, best
	places := slices.Sorted(slices.Values(c.cells))
	at := slices.Index(places, best)
	for _, i := range places[at+1:] {
		if c.behind(i) > clearBy {
			break
		}
		to = i
	}
	for _, i := range slices.Backward(places[:at]) {
		if c.behind(i) > clearBy {
			break
		}
		from = i
	}
	return from, to
}
