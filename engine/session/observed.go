package session

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// observed sums what the steps of some methods report: acceptance, energy and the objective.
type observed struct {
	on bool
	// These are of the window, or of its part since the steps last began or ceased to
	// be draws.
	skipped   bool
	steps     uint64
	accept    float64 // Σ of the probabilities of acceptance
	divergent uint64
	energies  metrics.EBFMI
	// The objective's sums over the newest stretch of steps, and its mean and
	// standard error over the one before.
	objective, square float64
	since             uint64
	elbo, se          float64
}

// stretch is the least number of steps over which the ELBO is averaged. One step's
// estimate has a standard deviation of about √(D/2).
const stretch = 1000

func (o *observed) add(i *sampler.Info) {
	if i.Skip != o.skipped {
		o.skipped, o.steps, o.accept, o.divergent = i.Skip, 0, 0, 0
		o.energies.Reset()
	}
	o.steps++
	o.accept += i.Accept
	o.energies.Add(i.Energy)
	if i.Divergent {
		o.divergent++
	}
	o.objective += i.Objective
	o.square += i.Objective * i.Objective
	o.since++
}

// reset opens a window.
func (o *observed) reset() { *o = observed{on: o.on, elbo: math.NaN(), se: math.NaN()} }

// acceptance is the mean probability of acceptance over the window.
func (o *observed) acceptance() float64 { return o.accept / float64(o.steps) }

// closeStretch closes the newest stretch if it is long enough.
func (o *observed) closeStretch() {
	if o.since >= stretch {
		o.elbo, o.se = o.mean()
		o.objective, o.square, o.since = 0, 0, 0
	}
}

// mean is the mean of the objective over the newest stretch, with its standard error.
// Steps draw independently.
func (o *observed) mean() (mean, se float64) {
	n := float64(o.since)
	mean = o.objective / n
	return mean, math.Sqrt(max(0, o.square/n-mean*mean) / n)
}

// bound is the newest estimate of the ELBO, over the last whole stretch or else over the
// steps so far.
func (o *observed) bound() (elbo, se float64) {
	if math.IsNaN(o.elbo) {
		return o.mean()
	}
	return o.elbo, o.se
}
