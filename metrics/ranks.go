package metrics

import (
	"fmt"
	"math"
)

// RankCounts counts the ranks of each chain's draws among those of all chains in bins of equal width, for
// plots that show where chains differ (Vehtari et al. 2021; Säilynoja, Bürkner and Vehtari 2022, Statistics
// and Computing 32:32). Ties have the mean of their ranks. Of chains that agree each chain's ranks are
// uniform, up to the chain's autocorrelation: 1/bins of its draws are expected in each. The chains, a slice
// each, have one length, and are not changed or kept. All counts are 0 if a draw is not finite.
func (c *Comparer) RankCounts(chains [][]float64, bins int) [][]int {
	counts := make([][]int, len(chains))
	for i := range counts {
		counts[i] = make([]int, bins)
	}
	n, s := comparable(chains)
	if s == NotFinite {
		return counts
	}
	c.sorted = c.sorted[:0]
	for i, x := range chains {
		for _, v := range x {
			c.sorted = append(c.sorted, place{v, i})
		}
	}
	sortPlaces(c.sorted, &c.folded)
	for from := 0; from < n*len(chains); {
		to := from
		for to < len(c.sorted) && c.sorted[to].v == c.sorted[from].v {
			to++
		}
		share := float64(from+to) / 2 / float64(len(c.sorted)) // (rank - ½)/S
		for _, p := range c.sorted[from:to] {
			counts[p.at][min(int(share*float64(bins)), bins-1)]++
		}
		from = to
	}
	return counts
}

// Band is 1.96 √(u(1-u)/n · (1 - 1/chains)), the half width of the band about 0 within which F(u) - u
// lies with 95% probability at one u. F(u) is the share of a chain's draws whose rank is among the
// lowest u of all chains' draws, which are n independent ones a chain. The ranks of all chains together
// are fixed, hence the factor 1 - 1/chains. Draws that are correlated need their ESS for n. The
// simultaneous band of Säilynoja, Bürkner and Vehtari (2022) is wider.
func Band(u, n float64, chains int) float64 {
	if chains < 1 {
		panic(fmt.Sprintf("metrics: a band for %d chains", chains))
	}
	return 1.96 * math.Sqrt(u*(1-u)/n*(1-1/float64(chains)))
}
