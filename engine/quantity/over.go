package quantity

import (
	"math"

	"github.com/psgld/psgld-tui/metrics"
)

// OverSeeds is what a quantity comes to over repeats of a run on other seeds.
type OverSeeds struct {
	Mean float64        // of the N repeats with a number that can be trusted; without meaning where there is none
	SE   float64        // its standard error s/√N, s² = Σ(x - mean)²/(N - 1); NaN for fewer than two
	N    int            // repeats that are in the mean
	Why  metrics.Status // why the first repeat that is not in it has no number
	// Untrusted is how many repeats have a number that cannot be trusted: their chains are too short,
	// drift, disagree, are skewed, have divergences, or are off the truth, and so on.
	Untrusted int

	squares float64
}

// Add takes a repeat.
func (o *OverSeeds) Add(e metrics.Estimate) {
	if !e.OK() {
		if o.Why == metrics.Absent {
			o.Why = e.Status
		}
		switch e.Status {
		case metrics.TooShort, metrics.Drifting, metrics.Disagree, metrics.Divergent, metrics.Skewed,
			metrics.Mode, metrics.Bias, metrics.Tails, metrics.Frozen, metrics.Irregular:
			o.Untrusted++
		}
		return
	}
	// Welford (1962).
	o.N++
	n, d := float64(o.N), e.Value-o.Mean
	o.Mean += d / n
	o.squares += float64(d * (e.Value - o.Mean))
	if o.SE = nan; o.N > 1 {
		o.SE = math.Sqrt(o.squares / (n - 1) / n)
	}
}
