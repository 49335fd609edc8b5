// Package distance says how far a lane's draws are from the truth that its target is known to have.
package distance

import (
	"math"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

const (
	// Draws of the window of which the sliced distance is, at most: while the lane runs, and at rest.
	mostDraws, mostAtRest = 1 << 10, 1 << 16
	// Draws of the target that they are compared with, then. By themselves these are 0.0095 and 0.0043 from the default
	// gaussian, whose sds are 0.4 and 1, and 0.05 and 0.03 from the heavy tails of the funnel. So many of a sampler's
	// draws, at random, are 0.045 and 0.006 from it.
	exactDraws, exactAtRest = 1 << 12, 1 << 14

	directions = 8 // 64 say the same to 0.2%
)

// Found are distances, and at which draw of the window they were found. The zero value is none.
type Found struct {
	Draws uint64
	quantity.Distances
	Whole bool // of the draws that a lane at rest compares
}

// Stale reports whether the draws have grown by a quarter.
func (d *Found) Stale(draws uint64) bool {
	return d.Draws == 0 || draws < d.Draws || draws > d.Draws+d.Draws/4
}

// Truth is what draws are compared with.
type Truth struct {
	*targets.Reference               // of the tracked coordinates
	Exact              targets.Exact // draws it; nil where nothing does

	sliced [2]*metrics.Sliced // while the lane runs, and at rest
	x      [][]float64        // scratch
}

// Errors are those of draws: of the covariance the sum of the absolute entries, NaN where one of both has none, and of
// the mean the root mean square. cov is scratch, nil for no covariance.
func (t *Truth) Errors(draws metrics.Chains, cov []float64) (ofCov, ofMean float64) {
	for i, m := range t.Mean {
		d := draws.Mean(i) - m
		ofMean += float64(d * d)
	}
	ofMean, ofCov = math.Sqrt(ofMean/float64(len(t.Mean))), math.NaN()
	if t.Cov != nil && draws.Cov(cov) {
		ofCov = metrics.CovError(cov, t.Cov)
	}
	return ofCov, ofMean
}

// Distances are those of draws, of which there are so many in the window. The sliced one is of kept draws evenly spread
// over the window, which count alike: of at most 1,024 or, at rest, of 65,536 or as many as are kept. It has the
// sampling errors of these and of the target's own draws in it, the squares of which add. The error of the covariance's
// is by all draws.
func (t *Truth) Distances(draws metrics.Chains, kept []*metrics.Keeper, cov []float64, rest bool) Found {
	d := Found{draws.Draws(), quantity.Distances{W2: math.NaN(), Sliced: math.NaN()}, rest}
	if t.Cov == nil || !draws.Cov(cov) {
		return d
	}
	d.CovSE, d.CovNoise = draws.CovErrorOf(cov, t.Cov)
	mean := list.Map(list.Upto(len(t.Mean)), draws.Mean)
	d.W2 = metrics.GaussianW2(mean, cov, t.Mean, t.Cov)
	if t.Exact == nil {
		return d
	}
	sliced, most, exact := &t.sliced[0], mostDraws, exactDraws
	if rest {
		sliced, most, exact = &t.sliced[1], mostAtRest, exactAtRest
	}
	if *sliced == nil {
		*sliced, t.x = metrics.NewSliced(targets.Sample(t.Exact, len(mean), exact), directions, 1),
			make([][]float64, len(mean))
	}
	for i := range t.x {
		t.x[i] = t.x[i][:0]
		for _, k := range kept {
			t.x[i], _ = k.Append(t.x[i], i, most/len(kept))
		}
	}
	d.Sliced = (*sliced).Distance(t.x).Value
	return d
}
