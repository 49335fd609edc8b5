package scan

import (
	"cmp"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// clearBy is the least distance of the best cell from the median one, in standard errors of their difference. Among
// scans of 41 equal cells one in a hundred at most then has a best cell, with two repeats one in thirty.
const clearBy = 3

// clearOfWorst is the least distance of the best cell from the worst for any cell to be better than another. It is
// larger than clearBy: the extremes of 41 equal cells are further apart than either is from the median.
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

// Best is what is best in a row, by the first quantity by which cells can be compared.
type Best struct {
	By quantity.ID // quantity.N for none
	At int         // the best cell, -1 if none stands out
	// From and To are the first and the last of the cells about it that are as good within their errors.
	From, To int
}

// Has reports whether a cell is, by the quantity that cells are judged by, as good as the best.
func (b *Best) Has(q quantity.ID, cell int) bool {
	return q == b.By && b.At >= 0 && b.From <= cell && cell <= b.To
}

// Best finds the best cells of a row of which each has so many repeats in the end. A cell stands out if it is better
// than the median one, or than the worst one by more.
func (r Row) Best(seeds int) Best {
	for _, q := range Judged {
		c := comparison{row: r, by: q, cells: r.trusted(q, max(min(seeds, repeatsToJudge), 2))}
		n := len(c.cells)
		if n == 0 {
			continue
		}
		c.noise = r.noise(q, c.cells)
		b := Best{q, -1, -1, -1}
		if c.behind(c.cells[n-1]) > clearOfWorst || c.behind(c.cells[n/2]) > clearBy {
			b.At = c.cells[0]
			b.From, b.To = c.asGood()
		}
		return b
	}
	return Best{quantity.N, -1, -1, -1}
}

// least is the cell with the best mean by the first quantity that any trusted cell has, -1 for none.
func (r Row) least() int {
	for _, q := range Judged {
		if all := r.trusted(q, 1); len(all) > 0 {
			return all[0]
		}
	}
	return -1
}

// trusted are the cells whose every repeat is trusted, of so many at least, the best first.
func (r Row) trusted(q quantity.ID, repeats int) (all []int) {
	for i := range r {
		v := &r[i].Of[q]
		if r[i].Diverged == 0 && v.Untrusted == 0 && v.N >= repeats && finite(v.Mean) &&
			(finite(v.SE) || repeats == 1) {
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

// A comparison is the cells of a row that can be compared by a quantity, the best first.
type comparison struct {
	row   Row
	by    quantity.ID
	cells []int
	noise noise
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// noise is the typical standard error of a cell, by itself and as a share of the value.
type noise struct{ se, part float64 }

// noise estimates the typical standard error. The standard error of one cell comes from a few repeats, and among many
// cells some are small by chance. The estimate is the median, divided by the square root of the median of χ²/k with k =
// repeats - 1 (Wilson and Hilferty 1931).
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

// asGood are the first and the last of the neighbours of the best cell that are as good within their errors.
func (c *comparison) asGood() (from, to int) {
	places := slices.Sorted(slices.Values(c.cells))
	at := slices.Index(places, c.cells[0])
	lo, hi := at, at
	for lo > 0 && c.behind(places[lo-1]) <= clearBy {
		lo--
	}
	for hi < len(places)-1 && c.behind(places[hi+1]) <= clearBy {
		hi++
	}
	return places[lo], places[hi]
}
