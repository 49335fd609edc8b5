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
		cells := r.trusted(q, max(min(seeds, repeatsToJudge), 2))
		n := len(cells)
		if n == 0 {
			continue
		}
		b, behind := Best{q, -1, -1, -1}, r.behind(q, cells)
		if behind(cells[n-1]) > clearOfWorst || behind(cells[n/2]) > clearBy {
			b.At = cells[0]
			slices.Sort(cells)
			at := slices.Index(cells, b.At)
			for at > 0 && behind(cells[at-1]) <= clearBy {
				at--
			}
			for b.From = cells[at]; at < n-1 && behind(cells[at+1]) <= clearBy; {
				at++
			}
			b.To = cells[at]
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

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// behind returns by how many standard errors of the difference a cell is behind the first of these.
//
// The standard error of one cell comes from a few repeats, and among many cells some are small by chance. So a cell has
// the typical one where its own is less: the median, divided by the square root of the median of χ²/k with
// k = repeats - 1 (Wilson and Hilferty 1931). That shrinks with small values, since small errors vary less. It does not
// grow with large values, since these come from the bias, which does not vary.
func (r Row) behind(q quantity.ID, cells []int) func(cell int) float64 {
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
	se, part := all[len(all)/2]/by, parts[len(parts)/2]/by
	noise := func(v *quantity.OverSeeds) float64 { return max(v.SE, min(se, part*math.Abs(v.Mean))) }
	best := &r[cells[0]].Of[q]
	return func(cell int) float64 {
		if v := &r[cell].Of[q]; v.Mean != best.Mean {
			return math.Abs(v.Mean-best.Mean) / libm.Hypot(noise(v), noise(best))
		}
		return 0
	}
}
