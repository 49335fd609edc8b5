package metrics

import (
	"cmp"
	"math"
	"slices"
)

// place is a draw, and its place among the draws of the split chains; -1 if it is not there.
type place struct {
	v  float64
	at int
}

const (
	digitBits = 11
	digits    = 6   // of the 64 bits of a number
	fewPlaces = 512 // that comparing sorts sooner than counting does
)

// sortPlaces sorts draws by their values, in what order those of one value come being left open. NaN
// comes first or last. It counts digits, the lowest first (Knuth 1998, §5.2.5), in a third of the time
// that comparing takes. spare is for memory.
func sortPlaces(p []place, spare *[]place) {
	if len(p) < fewPlaces {
		slices.SortFunc(p, func(a, b place) int { return cmp.Compare(a.v, b.v) })
		return
	}
	var counts [digits][1 << digitBits]uint32
	for _, x := range p {
		for d, k := 0, rising(x.v); d < digits; d, k = d+1, k>>digitBits {
			counts[d][k%(1<<digitBits)]++
		}
	}
	*spare = slices.Grow((*spare)[:0], len(p))[:len(p)]
	from, to := p, *spare
	for d := range digits {
		next := &counts[d]
		sum := uint32(0)
		for i, n := range next {
			next[i], sum = sum, sum+n
		}
		for _, x := range from {
			k := rising(x.v) >> (d * digitBits) % (1 << digitBits)
			to[next[k]] = x
			next[k]++
		}
		from, to = to, from // an even number of times, so that p has the sorted draws
	}
}

// rising maps numbers to words in their order.
func rising(v float64) uint64 {
	b := math.Float64bits(v)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}
