package quantity

import (
	"math"

	"github.com/psgld/psgld-tui/metrics"
)

// OverSeeds is what a quantity comes to over repeats of a run on other seeds.
type OverSeeds struct {
	N     int            // repeats with a number that can be trusted
	Short int            // repeats that are too short for one
	Why   metrics.Status // why the first repeat without a number has none

	mean, squares float64
}

// Add takes a repeat. Those without a number that can be trusted are in no mean.
func (o *OverSeeds) Add(e metrics.Estimate) {
	if !e.OK() {
		if o.Why == metrics.Absent {
			o.Why = e.Status
		}
		if e.Status == metrics.TooShort {
			o.Short++
		}
		return
	}
	// Welford (1962).
	o.N++
	d := e.Value - o.mean
	o.mean += d / float64(o.N)
	o.squares += d * (e.Value - o.mean)
}

// Mean is that of the repeats with a number, NaN without any.
func (o *OverSeeds) Mean() float64 {
	if o.N == 0 {
		return nan
	}
	return o.mean
}

// SE is the standard error of the mean, s/√N with s² = Σ(x - mean)²/(N - 1); NaN for fewer than two repeats.
func (o *OverSeeds) SE() float64 {
	if o.N < 2 {
		return nan
	}
	n := float64(o.N)
	return math.Sqrt(o.squares / (n - 1) / n)
}
