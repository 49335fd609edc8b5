// Package trace holds what is remembered of a chain's path.
package trace

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

var (
	_ metrics.Recorder = (*Ring)(nil)
	_ metrics.Recorder = (*Envelope)(nil)
)

// Digest hashes the states of chains, in order. That of one chain is the hash of its state.
func Digest[F sampler.Float](chains ...*sampler.State[F]) string {
	sum := hash(chains[0])
	for _, s := range chains[1:] {
		sum = mix(mix(sum, 1), hash(s)) // mix alone is symmetric
	}
	return fmt.Sprintf("%016x", sum)
}

// hash hashes a state. A network has millions of numbers and every command makes a
// digest, so it hashes words, in four sums that do not wait for each other.
func hash[F sampler.Float](s *sampler.State[F]) uint64 {
	h := [4]uint64{0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xd6e8feb86659fd93}
	for i := range 2 + len(s.Own) {
		v := s.Theta
		switch {
		case i == 1:
			v = s.V
		case i > 1:
			v = s.Own[i-2]
		}
		for ; len(v) >= 4; v = v[4:] {
			h[0] = mix(h[0], math.Float64bits(float64(v[0])))
			h[1] = mix(h[1], math.Float64bits(float64(v[1])))
			h[2] = mix(h[2], math.Float64bits(float64(v[2])))
			h[3] = mix(h[3], math.Float64bits(float64(v[3])))
		}
		for i, x := range v {
			h[i] = mix(h[i], math.Float64bits(float64(x)))
		}
	}
	sum := s.Step
	for _, x := range h {
		sum = mix(sum, x)
	}
	return sum
}

// mix adds a word to a hash. It multiplies by an odd number and rotates. Both can be
// undone, so two words never give the same hash.
func mix(h, word uint64) uint64 {
	h = (h ^ word) * 0xff51afd7ed558ccd
	return bits.RotateLeft64(h, 29) * 0xc4ceb9fe1a85ec53
}

// Tracked is every one of dim coordinates, or most of them spread evenly.
func Tracked(dim, most int) []int {
	n := min(dim, most)
	return list.Map(list.Upto(n), func(i int) int { return i * dim / n })
}

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
