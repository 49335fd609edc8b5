package metrics

import (
	"fmt"
	"math"
)

// Histogram counts values in a fixed number of bins whose width is a power of two. A value outside the range moves the
// range, and doubles the width as often as needed, merging bins in pairs.
//
// Bin edges are whole multiples of the width, so merging is exact, and the width is the least at which the smallest and
// the largest value fit into the bins: it does not depend on the order of the values. Values occupy half of the bins or
// more, unless they are few floating-point steps apart.
type Histogram struct {
	counts    []uint64
	exp       int     // the width is 2^exp
	inverse   float64 // 2^-exp
	first     float64 // the lowest bin starts at first·2^exp; a whole number below 2^53
	n         uint64
	nonFinite uint64
	min, max  float64
}

// NewHistogram returns an empty histogram of bins bins, bins >= 4.
func NewHistogram(bins int) *Histogram {
	if bins < 4 {
		panic(fmt.Sprintf("metrics: a histogram of %d bins", bins))
	}
	return &Histogram{counts: make([]uint64, bins)}
}

// Reset forgets every value and keeps the memory.
func (h *Histogram) Reset() {
	clear(h.counts)
	*h = Histogram{counts: h.counts}
}

// AddAll counts every value of xs.
func (h *Histogram) AddAll(xs []float64) {
	for _, x := range xs {
		h.Add(x)
	}
}

// Add counts x. A NaN or an infinity is counted apart, see NonFinite.
func (h *Histogram) Add(x float64) {
	if !finite(x) {
		h.nonFinite++
		return
	}
	if h.n == 0 {
		h.min, h.max = x, x
		h.start(x)
	}
	h.n++
	h.min, h.max = min(h.min, x), max(h.max, x)
	b := whole(x, h.inverse) - h.first
	if b < 0 || b >= float64(len(h.counts)) {
		h.widen()
		b = whole(x, h.inverse) - h.first
	}
	h.counts[int(b)]++
}

// leastExp keeps 2^-exp finite.
const leastExp = -1022

// exactExp is the least exponent at which x lies less than 2^52 widths from zero, where whole numbers are exact.
func exactExp(x float64) int {
	if x == 0 {
		return leastExp
	}
	_, e := math.Frexp(x) // |x| < 2^e
	return max(e-52, leastExp)
}

// whole returns ⌊x·inverse⌋. A negative product that underflows to zero belongs below zero.
func whole(x, inverse float64) float64 {
	k := math.Floor(x * inverse)
	if k == 0 && x < 0 {
		return -1
	}
	return k
}

// start puts the narrowest range around the first value.
func (h *Histogram) start(x float64) {
	h.exp = exactExp(x)
	h.inverse = math.Ldexp(1, -h.exp)
	h.first = whole(x, h.inverse) - float64(len(h.counts)/2)
}

// widen finds the least width at which min and max fit, and centres them.
func (h *Histogram) widen() {
	n := float64(len(h.counts))
	exp := max(h.exp, exactExp(h.min), exactExp(h.max))
	var lo, hi, inverse float64
	for ; ; exp++ {
		inverse = math.Ldexp(1, -exp)
		lo, hi = whole(h.min, inverse), whole(h.max, inverse)
		if hi-lo < n {
			break
		}
	}
	first := lo - math.Floor((n-1-(hi-lo))/2)
	h.rebin(exp, first)
	h.exp, h.inverse = exp, inverse
}

// rebin moves the counts to bins of width 2^exp that start at first.
func (h *Histogram) rebin(exp int, first float64) {
	ratio := math.Ldexp(1, h.exp-exp) // old width over new; 0 if they are too far apart, which merges all
	place := func(b int) int { return int(whole(h.first+float64(b), ratio) - first) }
	move := func(b int) {
		if c := h.counts[b]; c > 0 {
			h.counts[b] = 0
			h.counts[place(b)] += c
		}
	}
	// place(b)-b never grows with b, so the bins from some split on move down or stay, and those before it move up to the
	// split at most. In this order no count lands on one still to be moved.
	split := 0
	for split < len(h.counts) && place(split) > split {
		split++
	}
	for b := split; b < len(h.counts); b++ {
		move(b)
	}
	for b := split - 1; b >= 0; b-- {
		move(b)
	}
	h.first = first
}

// N returns how many finite values were counted.
func (h *Histogram) N() uint64 { return h.n }

// NonFinite returns how many values were NaN or infinite. They are in no bin and not in N.
func (h *Histogram) NonFinite() uint64 { return h.nonFinite }

// Counts returns the count of each bin. It shares memory with h.
func (h *Histogram) Counts() []uint64 { return h.counts }

// Width returns the width of a bin, a power of two; NaN without values.
func (h *Histogram) Width() float64 {
	if h.n == 0 {
		return math.NaN()
	}
	return math.Ldexp(1, h.exp)
}

// Range returns the lower edge of the first bin and the upper edge of the last, NaN without values. An edge beyond the
// largest float64 is cut to that.
func (h *Histogram) Range() (lo, hi float64) {
	if h.n == 0 {
		return math.NaN(), math.NaN()
	}
	lo = math.Ldexp(h.first, h.exp)
	hi = math.Ldexp(h.first+float64(len(h.counts)), h.exp)
	return max(lo, -math.MaxFloat64), min(hi, math.MaxFloat64)
}

// Density returns the share of values in bin i over its width, NaN without values.
func (h *Histogram) Density(i int) float64 {
	return float64(h.counts[i]) / float64(h.n) / h.Width()
}
