package measure

import (
	"math"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

var (
	_ quantity.Source = (*Measures[float32])(nil)
	_ quantity.Source = (*Measures[float64])(nil)
)

// Chains have the draws of the window.
func (m *Measures[F]) Chains() metrics.Chains { return m.pool }

// State is where the lane is and what its newest steps say.
func (m *Measures[F]) State() quantity.State {
	nan, info := math.NaN(), &m.First.Info
	s := quantity.State{
		Facts:      m.facts(),
		Diverged:   m.Diverged.Status(),
		Silent:     m.Noiseless(),
		OtherTruth: m.truth.known != nil && !m.holds() || m.other(),
		Untrained:  m.Untrained(), Uneven: !m.Setting.Schedule.Constant(),
		Step:            m.Step(),
		Kept:            m.Kept,
		Draws:           m.Window.Draws,
		Seconds:         m.Took.Wall.Seconds(),
		Rate:            m.rate(),
		Epoch:           m.Epoch(),
		WindowGradients: float64(m.GradientCount()-m.Window.Gradients) * m.perGradient(),
		Eps:             m.PresentEps(),
		Drift:           math.Sqrt(info.Drift2),
		Noise:           math.Sqrt(info.Noise2),
		GMin:            info.GMin,
		GMax:            info.GMax,
		ELBO:            nan, ELBOError: nan, Acceptance: nan,
	}
	if o, ok := m.Target.(targets.Outside[F]); ok {
		n, waited := o.Asked()
		if busy := max(m.Spent, waited).Seconds(); busy > 0 {
			s.GradientRate, s.WaitShare = float64(n)/busy, waited.Seconds()/busy
		}
	}
	s.LogPost, s.Loss = m.curve.density()
	if m.Odometer > 0 {
		s.WindowSeconds = m.Took.Busy.Seconds() * float64(m.Step()-m.Window.Start) / float64(m.Odometer)
	}
	if m.Method.Kind == sampler.Variational {
		s.ELBO, s.ELBOError = m.First.Observed.Bound()
	}
	if m.Method.Metropolis || m.Drawn() {
		s.Acceptance, s.Divergences, s.EBFMI = m.accepted()
	}
	return s
}

// accepted is the mean probability of acceptance over the window, how many trajectories of all chains were given up
// in it, and the least E-BFMI of a chain.
func (m *Measures[F]) accepted() (acceptance float64, divergent uint64, ebfmi metrics.Estimate) {
	for _, c := range m.Records.Chains {
		acceptance += c.Observed.Acceptance() / float64(len(m.Records.Chains))
		divergent += c.Observed.Divergent
		ebfmi = ebfmi.Lesser(c.Observed.EBFMI())
	}
	return acceptance, divergent, ebfmi
}

// perGradient is how many data a gradient takes.
func (m *Measures[F]) perGradient() float64 {
	if n := m.First.Grad.N; n > 0 {
		return float64(n)
	}
	return float64(m.Problem.N())
}

// facts are what holds of the lane and its target.
func (m *Measures[F]) facts() (f quantity.Facts) {
	set := func(holds bool, fact quantity.Facts) {
		if holds {
			f |= fact
		}
	}
	switch m.Method.Kind {
	case sampler.Sampling:
		f = quantity.Sampling
	case sampler.Optimising:
		f = quantity.Optimising | quantity.Fitting
	case sampler.Variational:
		f = quantity.Variational | quantity.Fitting
	}
	set(m.Method.Metropolis, quantity.Metropolis)
	set(m.Method.Metropolis || m.tells(targets.ToldEnergy), quantity.Energies)
	set(m.Method.Metropolis || m.tells(targets.ToldDivergent), quantity.Trajectories)
	several := len(m.Records.Chains) > 1
	set(several, quantity.Several)
	set(f == quantity.Sampling && !several, quantity.Alone)
	set(m.ranks(), quantity.Ranked)
	set(m.First.Keeper != nil, quantity.Identified)
	set(m.Companions.Extrapolates(), quantity.Extrapolated)
	set(m.Companions.Compares(), quantity.Quartered)
	set(m.Problem.HasData(), quantity.Data)
	set(!m.Drawn(), quantity.Stepped)
	set(!m.Problem.Draws(), quantity.Sloped)
	_, outside := m.Target.(targets.Outside[F])
	set(outside, quantity.Outside)
	if e := m.Evaluator(); e != nil {
		set(e.HasTest(), quantity.TestSet)
		set(e.HasTraining(), quantity.TrainingSet)
		set(!e.HasTest(), quantity.NoTestSet)
	}
	known := m.truth.known
	set(known != nil, quantity.Truth)
	set(known != nil && known.Cov != nil && m.truth.cov != nil, quantity.CovTruth)
	_, exact := m.Problem.Impl().(targets.Exact)
	set(exact, quantity.Drawable)
	set(m.Problem.Reference != nil, quantity.Reference)
	set(m.Functions != nil, quantity.Functional)
	set(m.Functions != nil && (m.Problem.Function != nil || m.function.other()), quantity.FunctionTruth)
	set(m.Functions != nil && len(m.Functions.Density) > 0, quantity.HeldOut)
	set(m.Functions != nil && m.Functions.Target.Inputs() == 1, quantity.OnLine)
	if m.Functions != nil && several {
		m.Function()
		set(m.function.parted, quantity.Parted)
	}
	density := m.LogDensity() != nil
	set(density || m.tells(targets.ToldDensity), quantity.Density)
	set(density || m.Minibatches != nil, quantity.Likelihood)
	return f
}

// tells reports whether the draws are another program's that tells so much of each.
func (k *kept[F]) tells(what int) bool { return k.Drawn() && k.Problem.Source.Tells()[what] }

// rate is how many steps the chains make together in a second that the lane is busy, 0 if it is not known.
func (k *kept[F]) rate() float64 {
	if k.Took.Busy <= 0 {
		return 0
	}
	return float64(k.Odometer) * float64(len(k.Chains)) / k.Took.Busy.Seconds()
}

func (m *Measures[F]) StepBias(i int) (mean, variance metrics.Estimate) {
	return m.Companions.StepBias(i)
}

// Scores are those of the draws that have been evaluated, and NaN for a lane that has diverged.
func (m *Measures[F]) Scores() quantity.Scores {
	if m.Diverged != nil {
		return predict.NoScores()
	}
	return m.Evaluator().Scores()
}

func (m *Measures[F]) Predictions() (mean, sd []float64) { return m.Evaluator().Predictions() }

func (m *Measures[F]) Predicted() *predict.Kept {
	if m.Diverged != nil {
		return nil
	}
	return m.Evaluator().Kept()
}
