package record

import (
	"math"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

var (
	_ quantity.Source = (*Records[float32])(nil)
	_ quantity.Source = (*Records[float64])(nil)
)

// Chains have the draws of the window.
func (r *Records[F]) Chains() metrics.Chains { return r.pool }

// State is where the lane is and what its newest steps say.
func (r *Records[F]) State() quantity.State {
	nan, info := math.NaN(), &r.First.Info
	s := quantity.State{
		Facts: r.facts(), Diverged: r.Diverged != nil, Silent: r.noiseless(), OtherTruth: r.truth.known != nil && !r.truth.holds(),
		Untrained: r.untrained(), Uneven: !r.Setting.Schedule.Constant(),
		Step: r.Step(), Kept: r.Kept, Draws: r.Window.Draws, Seconds: r.Busy.Seconds(), Rate: r.Rate(), Epoch: r.epoch(),
		WindowGradients: float64(r.gradients()-r.Window.Gradients) * r.perGradient(),
		Eps:             r.PresentEps(), Drift: math.Sqrt(info.Drift2), Noise: math.Sqrt(info.Noise2), GMin: info.GMin, GMax: info.GMax,
		ELBO: nan, ELBOError: nan, Acceptance: nan,
	}
	if o := r.outside(); o != nil {
		n, waited := o.Asked()
		if busy := max(r.Spent, waited).Seconds(); busy > 0 {
			s.GradientRate, s.WaitShare = float64(n)/busy, waited.Seconds()/busy
		}
	}
	s.LogPost, s.Loss = r.curve.density()
	if r.Odometer > 0 {
		s.WindowSeconds = s.Seconds * float64(r.Step()-r.Window.Start) / float64(r.Odometer)
	}
	if r.Method.Kind == sampler.Variational {
		s.ELBO, s.ELBOError = r.First.Observed.Bound()
	}
	if r.Method.Metropolis {
		s.Acceptance, s.Divergences, s.EBFMI = r.accepted()
	}
	return s
}

// accepted is the mean probability of acceptance over the window, how many trajectories of all chains were given up in it, and
// the least E-BFMI of a chain.
func (r *Records[F]) accepted() (acceptance float64, divergent uint64, ebfmi metrics.Estimate) {
	for _, c := range r.Run.Chains {
		acceptance += c.Observed.Acceptance() / float64(len(r.Run.Chains))
		divergent += c.Observed.Divergent
		ebfmi = ebfmi.Lesser(c.Observed.EBFMI())
	}
	return acceptance, divergent, ebfmi
}

// perGradient is how many data a gradient takes.
func (r *Records[F]) perGradient() float64 {
	if n := r.First.Grad.N; n > 0 {
		return float64(n)
	}
	return float64(r.Problem.N())
}

// facts are what holds of the lane and its target.
func (r *Records[F]) facts() (f quantity.Facts) {
	set := func(holds bool, fact quantity.Facts) {
		if holds {
			f |= fact
		}
	}
	switch r.Method.Kind {
	case sampler.Sampling:
		f = quantity.Sampling
	case sampler.Optimising:
		f = quantity.Optimising | quantity.Fitting
	case sampler.Variational:
		f = quantity.Variational | quantity.Fitting
	}
	set(r.Method.Metropolis, quantity.Metropolis)
	set(len(r.Run.Chains) > 1, quantity.Several)
	set(r.Ranks(), quantity.Ranked)
	set(r.First.keeper != nil, quantity.Identified)
	set(r.Companions != nil, quantity.Extrapolated)
	set(r.Problem.HasData(), quantity.Data)
	set(r.outside() != nil, quantity.Outside)
	if e := r.predictions; e != nil {
		set(e.HasTest(), quantity.TestSet)
		set(e.HasTraining(), quantity.TrainingSet)
		set(!e.HasTest(), quantity.NoTestSet)
	}
	known := r.truth.known
	set(known != nil, quantity.Truth)
	set(known != nil && known.Cov != nil && r.truth.cov != nil, quantity.CovTruth)
	_, exact := r.Problem.Impl().(targets.Exact)
	set(exact, quantity.Drawable)
	set(r.Problem.Reference != nil, quantity.Reference)
	density := r.LogDensity() != nil
	set(density, quantity.Density)
	set(density || r.minibatches != nil, quantity.Likelihood)
	return f
}
