package trace

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// Observed sums what the steps of some methods report: acceptance, energy and the objective.
type Observed struct {
	On bool // the method reports something
	// These are of the window, or of its part since the steps last began or ceased to be draws.
	skipped   bool
	steps     uint64
	accept    float64 // Σ of the probabilities of acceptance
	Divergent uint64  // trajectories given up
	energies  metrics.EBFMI
	// The objective's sums over the newest stretch of steps, and its mean and standard error over the one before.
	objective, square float64
	since             uint64
	elbo, se          float64
}

// Stretch is the least number of steps over which the ELBO is averaged. One step's
// estimate has a standard deviation of about √(D/2).
const Stretch = 1000

// Add adds what a step reports.
func (o *Observed) Add(i *sampler.Info) {
	if i.Skip != o.skipped {
		o.skipped, o.steps, o.accept, o.Divergent = i.Skip, 0, 0, 0
		o.energies.Reset()
	}
	o.steps++
	o.accept += i.Accept
	o.energies.Add(i.Energy)
	if i.Divergent {
		o.Divergent++
	}
	o.objective += i.Objective
	o.square += float64(i.Objective * i.Objective)
	o.since++
}

// Reset opens a window.
func (o *Observed) Reset() { *o = Observed{On: o.On, elbo: math.NaN(), se: math.NaN()} }

// Acceptance is the mean probability of acceptance over the window.
func (o *Observed) Acceptance() float64 { return o.accept / float64(o.steps) }

// EBFMI is the energy's over the window.
func (o *Observed) EBFMI() metrics.Estimate { return o.energies.Result() }

// CloseStretch closes the newest stretch if it is long enough.
func (o *Observed) CloseStretch() {
	if o.since >= Stretch {
		o.elbo, o.se = o.mean()
		o.objective, o.square, o.since = 0, 0, 0
	}
}

// mean is the mean of the objective over the newest stretch, with its standard error. Steps draw independently.
func (o *Observed) mean() (mean, se float64) {
	n := float64(o.since)
	mean = o.objective / n
	return mean, math.Sqrt(max(0, o.square/n-float64(mean*mean)) / n)
}

// Bound is the newest estimate of the ELBO, over the last whole stretch or else over the steps so far.
func (o *Observed) Bound() (elbo, se float64) {
	if math.IsNaN(o.elbo) {
		return o.mean()
	}
	return o.elbo, o.se
}
