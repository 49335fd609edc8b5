package engine

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
)

// observed gathers what the steps of some methods say of themselves.
type observed struct {
	on bool
	// Of the window, or of the part of it since the newest change between steps
	// that are draws and steps that are none.
	skipped   bool
	steps     uint64
	accept    float64 // Σ of the probabilities of acceptance
	divergent uint64
	// Since the last point of the curves, and the mean between the two before it.
	objective float64
	since     uint64
	elbo      float64
}

func (o *observed) add(i *sampler.Info) {
	if i.Skip != o.skipped {
		o.skipped, o.steps, o.accept, o.divergent = i.Skip, 0, 0, 0
	}
	o.steps++
	o.accept += i.Accept
	if i.Divergent {
		o.divergent++
	}
	o.objective += i.Objective
	o.since++
}

// reset opens a window.
func (o *observed) reset() { *o = observed{on: o.on, elbo: math.NaN()} }

// acceptance is the mean probability of acceptance over the window.
func (o *observed) acceptance() float64 { return o.accept / float64(o.steps) }

// point closes the stretch of steps since the last point.
func (o *observed) point() float64 {
	o.elbo = o.objective / float64(o.since)
	o.objective, o.since = 0, 0
	return o.elbo
}

// bound is the newest estimate of the ELBO: that of the last point, or of the
// steps so far.
func (o *observed) bound() float64 {
	if math.IsNaN(o.elbo) {
		return o.objective / float64(o.since)
	}
	return o.elbo
}
