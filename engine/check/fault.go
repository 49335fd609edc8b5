package check

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// setup is how draws come about: a method on a target with its numbers, and what may be wrong with it.
type setup struct {
	problem *targets.Problem
	config  state.Config
	method  sampler.Method
	params  sampler.Params
	batch   int // 0 for all data
	thin    int

	drift float64 // by which the gradient of the log posterior is multiplied; V sees the right one
	late  bool    // V takes the newest gradient in after the step
	under bool    // λ stands inside of the root: G = 1/√(V+λ)
	heat  float64 // by which the noise's variance is multiplied without the ratio of acceptance knowing of it, nor of drift; else 0
}

// able are the methods of which draws show all that a step hangs on, or all but what it has at the start. Any other may
// keep something that they do not show, so that correct draws would be accused.
var able = []string{"psgld", "sgld", "psgld-adam", "sghmc", "sgnht", "sgrld", "hmc", "mala", "sgd", "rmsprop"}

// still reports whether steps draw nothing.
func (s *setup) still() bool { return s.quiet() && !s.noisy() }

// quiet reports whether no noise is injected.
func (s *setup) quiet() bool { return s.params.Temp == 0 }

// noisy reports whether gradients are drawn.
func (s *setup) noisy() bool {
	t, ok := s.problem.F64.(targets.NoisyGradient)
	return s.batch > 0 || ok && t.GradNoise() > 0
}

// own is a parameter of the method's own.
func (s *setup) own(key string) (v float64, ok bool) {
	_, i, ok := param.Find(s.method.Params, key)
	if ok {
		v = s.params.Own[i]
	}
	return v, ok
}

// setOwn sets a parameter of the method's own, if there is one.
func (s *setup) setOwn(key string, v float64) {
	if _, i, ok := param.Find(s.method.Params, key); ok {
		s.params.Own = slices.Clone(s.params.Own)
		s.params.Own[i] = v
	}
}

// noise multiplies the variance of the injected noise, and leaves a thermostat's temperature alone.
func (s *setup) noise(factor float64) {
	if a, thermostat := s.own("diffusion"); thermostat {
		s.setOwn("diffusion", a*factor)
	} else {
		s.params.Temp *= factor
	}
}

// pull multiplies the drift.
func (s *setup) pull(factor float64) {
	s.drift = factor
	s.params.PriorPrec *= factor
}

// friction is the share of the velocity that the noise must make good, if the method has one.
func (s *setup) friction() (a float64, ok bool) {
	if a, ok = s.own("friction"); !ok {
		a, ok = s.own("diffusion")
	}
	return a, ok
}

// The faults that are known.
var (
	driftTwice  = Fault{"drift-twice", "The drift is twice as large as the noise belongs to.", "θ' = θ + ε/2 ∇log p + √ε z"}
	driftHalf   = Fault{"drift-half", "The drift is half as large as the noise belongs to.", "θ' = θ + ε/2 ∇log p + √ε z"}
	noiseTwice  = Fault{"noise-var-twice", "The noise has twice its variance.", "a noise of variance Tε, or 2Tη with η = ε/2"}
	noiseHalf   = Fault{"noise-var-half", "The noise has half its variance.", "a noise of variance Tε, or 2Tη with η = ε/2"}
	noiseSD     = Fault{"noise-sd-eps", "The noise has the standard deviation ε in place of √ε.", "√ε z, and not ε z"}
	temperature = Fault{"temperature", "The temperature is off by the factor N.", "the log-likelihood as a sum over the data, where the noise has variance ε"}
	tempTwice   = Fault{"temperature", "The temperature is twice T.", "a noise of variance Tε"}
	tempHalf    = Fault{"temperature", "The temperature is half of T.", "a noise of variance Tε"}
	nConfused   = Fault{"n-confused", "N stands for n, or √N for N.", "the mean over the minibatch, times the number N of all data"}
	batchScale  = Fault{"batch-scale", "The factor N/n of the minibatch's sum is missing.", "N/n times the sum over the minibatch"}
	priorBatch  = Fault{"prior-per-batch", "The prior is counted once in each minibatch, and so N/n times.", "∇log p(θ) + N/n times the minibatch's sum"}
	gammaGone   = Fault{"gamma-missing", "The drift correction Γ is left out.", "θ' = θ + ε/2 [G ∇log p + Γ] + √(εG) z"}
	late        = Fault{"v-after-use", "V takes in the newest gradient after the step that uses it.", "first V, then G from V, then the step"}
	lambdaUnder = Fault{"lambda-inside", "λ stands inside of the root, G = 1/√(V+λ).", "G = 1/(λ+√V)"}
	friction    = Fault{"friction-noise", "The noise is that of another friction.", "a noise of variance aTε for a velocity that loses the share a"}
	eta         = Fault{"eta-convention", "The step is η = ε in the convention η ∇log p + √(2η) z, which is 2ε here.", "ε = 2η"}
)

// core are the faults that draws must show to be called consistent.
var core = []string{driftTwice.Key, driftHalf.Key, noiseTwice.Key, noiseHalf.Key}

// hypothesis is a setup with faults that come to the same.
type hypothesis struct {
	faults []Fault
	setup  *setup
}

// with is a setup that is wrong by a change, which faults come to.
func (s setup) with(change func(*setup), faults ...Fault) hypothesis {
	change(&s)
	return hypothesis{faults, &s}
}

// hypotheses lists what may be wrong with a setup.
func hypotheses(right *setup) []hypothesis {
	var all []hypothesis
	add := func(where bool, change func(*setup), faults ...Fault) {
		if where {
			all = append(all, right.with(change, faults...))
		}
	}
	drift := func(factor float64) func(*setup) { return func(s *setup) { s.pull(factor) } }
	noise := func(factor float64) func(*setup) { return func(s *setup) { s.noise(factor) } }
	heat := func(factor float64) func(*setup) { return func(s *setup) { s.params.Temp *= factor } }
	wrong := func(drift, noise float64) func(*setup) { return func(s *setup) { s.drift, s.heat = drift, noise } }
	total, n, eps := right.params.N, float64(right.batch), right.params.Eps
	hot, data, accepts := !right.quiet(), right.params.N > 1, right.method.Metropolis
	_, thermostat := right.own("diffusion")
	a, moving := right.friction()
	gamma, _ := right.own("gamma")
	_, averages := right.own("alpha")

	add(true, drift(2), driftTwice)
	add(true, drift(0.5), driftHalf)
	add(true, func(s *setup) { s.params.Eps *= 2 }, eta)
	// Noise that the ratio of acceptance knows of is temperature. A thermostat holds the temperature, whatever the
	// noise.
	add(hot && (accepts || thermostat), heat(2), tempTwice)
	add(hot && (accepts || thermostat), heat(0.5), tempHalf)
	add(hot && thermostat, noise(2), noiseTwice)
	add(hot && thermostat, noise(0.5), noiseHalf)
	add(hot && !accepts && !thermostat, noise(2), noiseTwice, tempTwice)
	add(hot && !accepts && !thermostat, noise(0.5), noiseHalf, tempHalf)
	add(hot && !accepts, noise(eps), noiseSD)
	add(hot && data, heat(total), temperature)
	add(hot && data, heat(1/total), temperature)
	moving = moving && a < 1 && hot
	add(moving, noise(a), friction)
	add(moving, noise(1/a), friction)
	add(moving, noise((1-a)/a), friction)
	add(hot && accepts, wrong(2, 1), driftTwice)
	add(hot && accepts, wrong(0.5, 1), driftHalf)
	add(hot && accepts, wrong(1, 2), noiseTwice)
	add(hot && accepts, wrong(1, 0.5), noiseHalf)
	add(hot && accepts, wrong(1, eps), noiseSD)
	add(data && n > 0, func(s *setup) { s.params.N = n }, batchScale, nConfused)
	add(data && n > 0, func(s *setup) { s.params.PriorPrec *= total / n }, priorBatch)
	add(data, func(s *setup) { s.params.N = math.Sqrt(total) }, nConfused)
	add(gamma != 0, func(s *setup) { s.setOwn("gamma", 0) }, gammaGone)
	add(averages, func(s *setup) { s.late = true }, late)
	add(averages && (right.method.Name == "psgld" || right.method.Name == "rmsprop"), func(s *setup) { s.under = true }, lambdaUnder)
	return all
}
