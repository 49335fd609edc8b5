// Package distance says how far a lane's draws are from the truth that its target is known to have.
package distance

import (
	"math"

	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

const (
	// Draws of the window of which the sliced distance is, at most: while the lane runs, and
	// at rest.
	mostDraws, mostAtRest = 1 << 10, 1 << 14

	exactDraws = 1 << 12 // draws of the target that they are compared with
	directions = 8
)

// Found are distances, and at which draw of the window they were found. The zero value is none.
type Found struct {
	Draws uint64
	// W2 is the Wasserstein-2 distance of the normal distributions with the moments of draws and truth, and
	// Sliced the sliced one of draws and truth themselves. They are NaN where they are not known.
	W2, Sliced float64
	Whole      bool // of the draws that a lane at rest compares
}

// Stale reports whether the draws have grown by a quarter.
func (d *Found) Stale(draws uint64) bool {
	return d.Draws == 0 || draws < d.Draws || draws > d.Draws+d.Draws/4
}

// Truth is what draws are compared with.
type Truth struct {
	*targets.Reference               // of the tracked coordinates
	Exact              targets.Exact // draws it; nil where nothing does

	sliced *metrics.Sliced
	x      [][]float64 // scratch
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
// over the window, which count alike: of at most 1,024 or, at rest, 16,384.
func (t *Truth) Distances(draws metrics.Chains, kept []*metrics.Keeper, cov []float64, rest bool) Found {
	d := Found{draws.Draws(), math.NaN(), math.NaN(), rest}
	if t.Cov == nil || !draws.Cov(cov) {
		return d
	}
	mean := make([]float64, len(t.Mean))
	for i := range mean {
		mean[i] = draws.Mean(i)
	}
	d.W2 = metrics.GaussianW2(mean, cov, t.Mean, t.Cov)
	if t.Exact == nil {
		return d
	}
	if t.sliced == nil {
		t.sliced, t.x = metrics.NewSliced(targets.Sample(t.Exact, len(mean), exactDraws), directions, 1), make([][]float64, len(mean))
	}
	most := mostDraws
	if rest {
		most = mostAtRest
	}
	for i := range t.x {
		t.x[i] = t.x[i][:0]
		for _, k := range kept {
			t.x[i], _ = k.Append(t.x[i], i, most/len(kept))
		}
	}
	d.Sliced = t.sliced.Distance(t.x).Value
	return d
}
