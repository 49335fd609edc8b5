package metrics

import (
	"fmt"
	"math"
)

// Ranks are the ranks of the draws of several chains among all of them, for plots that show where chains differ (Vehtari et
// al. 2021; Säilynoja, Bürkner and Vehtari 2022, Statistics and Computing 32:32). Of chains that agree each chain's ranks
// are uniform, up to the chain's autocorrelation.
type Ranks struct {
	share [][]float64 // (rank - ½)/S of each draw of each chain, ties averaged
}

// Rank ranks the draws of chains, a slice each, all of one length. It does not change or keep them; c serves for memory. It
// returns none if a draw is not finite.
func (c *Comparer) Rank(chains [][]float64) Ranks {
	n, s := comparable(chains)
	if s == NotFinite || n == 0 {
		return Ranks{}
	}
	c.sorted = c.sorted[:0]
	for i, x := range chains {
		for t, v := range x {
			c.sorted = append(c.sorted, place{v, i*n + t})
		}
	}
	sortPlaces(c.sorted, &c.folded)
	r := Ranks{share: make([][]float64, len(chains))}
	for i := range r.share {
		r.share[i] = make([]float64, n)
	}
	all := float64(len(c.sorted))
	for from := 0; from < len(c.sorted); {
		to := from
		for to < len(c.sorted) && c.sorted[to].v == c.sorted[from].v {
			to++
		}
		for _, p := range c.sorted[from:to] {
			r.share[p.at/n][p.at%n] = float64(from+to) / 2 / all
		}
		from = to
	}
	return r
}

// Histogram counts the ranks of chain i in bins of equal width, into counts. n/len(counts) are expected in each.
func (r Ranks) Histogram(i int, counts []int) {
	clear(counts)
	if r.share == nil || len(counts) == 0 {
		return
	}
	for _, u := range r.share[i] {
		counts[min(int(u*float64(len(counts))), len(counts)-1)]++
	}
}

// Band is 1.96 √(u(1-u)/n · (1 - 1/chains)), the half width of the band about 0 within which F(u) - u lies with 95%
// probability at one u. F(u) is the share of a chain's draws whose rank is among the lowest u of all chains' draws, which are
// n independent ones a chain. The ranks of all chains together are fixed, hence the factor 1 - 1/chains. Draws that are
// correlated need their ESS for n. The simultaneous band of Säilynoja, Bürkner and Vehtari (2022) is wider.
func Band(u, n float64, chains int) float64 {
	if chains < 1 {
		panic(fmt.Sprintf("metrics: a band for %d chains", chains))
	}
	return 1.96 * math.Sqrt(u*(1-u)/n*(1-1/float64(chains)))
}
