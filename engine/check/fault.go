package check

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/noise"
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
	unsaid  map[string]float64 // as of the claim

	late  bool // V takes the newest gradient in after the step
	early int  // draws that are left out of the first ones of a V that starts at zero; 0 where that is forgotten
	fair  bool // V is over 1-αᵗ
	under bool // λ stands inside of the root: G = 1/√(V+λ)
	bare  bool // the root is left out: G = 1/(λ+V)
	// Of proposals, by which the drift and the noise's variance are multiplied without the ratio of acceptance knowing
	// of it. Where heat is 0, the method's own kernel steps.
	drift, heat float64

	known   float64    // by what the drift is multiplied in the ratio of acceptance
	back    float64    // and that of the way back besides
	ratio   float64    // by what the logarithm of the proposals' densities is multiplied there, 0 for none
	ahead   bool       // the way back has the gradient of the way there
	always  bool       // every proposal is accepted
	upside  bool       // the ratio of acceptance is upside down
	barker  bool       // a proposal is accepted with r/(1+r), r being the ratio
	dropped bool       // rejections are no draws
	kicks   [2]float64 // what a trajectory's first and last kick are above a half
	plain   bool       // ξ goes by 2‖v‖² as in the paper, and not by (2-ξ)‖v‖²
	pulls   []float64  // by what the drift of each coordinate is multiplied
	fixed   bool       // trajectories have all the leapfrog steps that they may have
	old     bool       // the gradient is that of the draw before
	average float64    // what an average of gradients keeps of itself, which moves θ in the place of the newest one
	shared  bool       // one normal number is the noise of all coordinates
	power   power      // of G in the noise
	goesOn  float64    // the correlation of the noise of a step with that of the one before
	base    bool       // the claim or a variant
	scale   float64    // by which the noise's variance is multiplied
	tilt    []float64  // the mean of the noise, in its standard deviations
	without []bool     // coordinates that get no noise, of steps with minibatches
	shape   bool       // the noise has another shape than the normal one
	falls   fall       // of ε
	most    float64    // of |∇log p|, above which it is cut to that; 0 for no bound
	each    bool       // most is of each coordinate of it by itself
	stale   staleness  // of the energy that a proposal is compared with
	energy  float64    // log p in the place of that of the chain's state, where it is never brought up to date

	trail sampler.Trail // nil where only simulation tells
}

// staleness is of which state the energy of the chain is.
type staleness uint8

const (
	fresh    staleness = iota
	rejected           // of the newest proposal, even if it was rejected
	frozen             // of the start
)

// power is that of G in the noise's variance: 1, 0 or 2.
type power uint8

const (
	proper power = iota
	flat
	squared
)

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

// has reports whether the method has a parameter of its own.
func (s *setup) has(key string) bool { _, ok := s.own(key); return ok }

// setOwn sets a parameter of the method's own, if there is one.
func (s *setup) setOwn(key string, v float64) {
	if _, i, ok := param.Find(s.method.Params, key); ok {
		s.params.Own = slices.Clone(s.params.Own)
		s.params.Own[i] = v
	}
}

// noise multiplies the variance of the injected noise, and leaves a thermostat's temperature alone.
func (s *setup) noise(factor float64) {
	if a, ok := s.own("diffusion"); ok { // of a thermostat
		s.setOwn("diffusion", a*factor)
	} else {
		s.params.Temp *= factor
	}
}

// pull multiplies the drift, which goes as ε, and leaves the noise alone, which goes as Tε.
func (s *setup) pull(factor float64) {
	s.params.Eps *= factor
	s.params.Temp /= factor
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
	driftTwice = Fault{"drift-twice", "The drift is twice as large as the noise belongs to.",
		"ε/2 times the gradient, and times G if the method has one"}
	driftHalf  = Fault{"drift-half", "The drift is half as large as the noise belongs to.", driftTwice.Want}
	driftOther = Fault{Key: "drift", Want: driftTwice.Want}
	noiseTwice = Fault{"noise-var-twice", "The noise has twice its variance.",
		"a noise of variance Tε, or 2Tη with η = ε/2, times G or the friction if the method has one"}
	noiseHalf   = Fault{"noise-var-half", "The noise has half its variance.", noiseTwice.Want}
	noiseOther  = Fault{Key: "noise-var", Want: noiseTwice.Want}
	stepSize    = Fault{Key: "step-size", Want: "the ε of the draws"}
	thinning    = Fault{"thin", "The state after each step is a draw.", "the number of steps from a draw to the next"}
	noiseSD     = Fault{"noise-sd-eps", "The noise has the standard deviation ε in place of √ε.", "√ε z, and not ε z"}
	temperature = Fault{"temperature", "The temperature is off by the factor N.",
		"the log-likelihood as a sum over the data, where the noise has variance ε"}
	tempTwice = Fault{"temperature", "The temperature is twice T.", "a noise of variance Tε"}
	tempHalf  = Fault{"temperature", "The temperature is half of T.", "a noise of variance Tε"}
	nConfused = Fault{"n-confused", "The number n of the minibatch stands for the number N of all data.",
		"the mean over the minibatch, times the number N of all data"}
	meanAlone  = nConfused.as("The mean over the minibatch is not multiplied by the number N of all data.")
	batchScale = Fault{"batch-scale", "The factor N/n of the minibatch's sum is missing.",
		"N/n times the sum over the minibatch"}
	priorBatch = Fault{"prior-per-batch", "The prior is counted once in each minibatch, and so N/n times.",
		"∇log p(θ) + N/n times the minibatch's sum"}
	gammaGone = Fault{"gamma-missing", "The drift correction Γ is left out.", "a drift of ε/2 [G ∇log p + TΓ]"}
	late      = Fault{"v-after-use", "V takes in the newest gradient after the step that uses it.",
		"first V, then G from V, then the step"}
	rootMissing = Fault{"root-missing", "The root of V is left out, G = 1/(λ+V).", "G = 1/(λ+√V)"}
	lambdaUnder = Fault{"lambda-inside", "λ stands inside of the root, G = 1/√(V+λ).", "G = 1/(λ+√V)"}
	friction    = Fault{"friction-noise", "The noise is that of another friction.",
		"a noise of variance aTε for a velocity that loses the share a"}
	eta = Fault{"eta-convention", "The step is η = ε in the convention η ∇log p + √(2η) z, which is 2ε here.", "ε = 2η"}
)

// The faults that were met in other people's code.
var (
	shared = Fault{"noise-shared", "One normal number is drawn at each step and added to every coordinate.",
		"a z_i ~ N(0, 1) of its own for each coordinate"}
	repeats    = Fault{Key: "noise-repeats", Want: "a generator that is seeded once and goes on"}
	tilted     = Fault{Key: "noise-mean", Want: "z ~ N(0, 1), and a gradient by all of the data"}
	correlated = Fault{Key: "noise-correlated", Want: "a z of its own for each step"}
	shape      = Fault{Key: "noise-shape", Want: "z ~ N(0, 1)"}
	clipped    = Fault{Key: "gradient-clipped", Want: "the whole gradient, however large it is"}
	bounded    = Fault{Key: "draws-bounded", Want: "a state that is left where the step takes it"}
	missing    = Fault{"noise-missing", "No noise is added.",
		"a normal number of its own for each coordinate at each step"}
	flatNoise = Fault{"noise-not-preconditioned", "The noise has no G: its variance is Tε in every coordinate.",
		"√(TεG) z"}
	flatNoiseEps = flatNoise.as("The noise's standard deviation is ε, and has no G.")
	squaredNoise = flatNoise.as("The noise is multiplied by G and not by its root.")
	oldVelocity  = Fault{"old-velocity", "θ moves by the velocity from before this step's gradient.",
		"first v', then θ' = θ + v' with it"}
	oldGradient = Fault{"stale-gradient", "The gradient is that of the draw before.",
		"∇log p at the θ that is moved"}
	noHastings = Fault{"hastings-missing",
		"The ratio of acceptance has p alone, without the densities of the proposals or the kinetic energies.",
		"min(1, p(θ*) q(θ|θ*) / [p(θ) q(θ*|θ)])"}
	turned = Fault{"hastings-reversed", "The ratio of the proposals' densities is upside down.",
		"q(θ|θ*) over q(θ*|θ): the way back above the way there"}
	otherHastings = Fault{Key: "hastings-wrong", Want: noHastings.Want + ", q being the density by which θ* was drawn"}
	rejectsGone   = Fault{"rejects-dropped", "A rejected proposal leaves no draw.",
		"the draw once more where a proposal is rejected"}
	setting    = Fault{Key: "setting", Want: "the settings by which the draws were made"}
	noHalfKick = Fault{"half-kick-missing", "The last half kick of a trajectory is left out.",
		"p' = p + √ε/2 ∇log p(θ*) at the end of a trajectory, and then its energy"}
	staleEnergy = Fault{"stale-energy",
		"A proposal is compared with the energy of the one before, even where that was rejected.",
		"log p(θ) of the state where the chain is"}
	frozenEnergy = staleEnergy.as("Proposals are compared with one energy, which is not brought up to date where one " +
		"is accepted.")
	neverRejects = Fault{"never-rejects", "Every proposal is accepted.",
		"θ stays where a uniform number is above the ratio"}
	neverAccepts = Fault{"never-accepts", "No proposal is ever accepted: a chain stays at one draw.",
		"the energy U(θ) + pᵀ M⁻¹ p/2 with the mass by which p is drawn"}
	priorMissing = Fault{"prior-missing", "The gradient of the prior is left out.", "∇log p(θ) + N ḡ"}
	priorOther   = Fault{Key: "prior-size", Want: "-θ/σ² once in a step, σ² being the prior's variance"}
	batchSize    = Fault{Key: "batch-size", Want: "the size n of the minibatches"}
	unshuffled   = Fault{Key: repeats.Key, Want: "data shuffled anew for each epoch, by a generator seeded once"}
	priorTimes   = Fault{"prior-n-times", "The prior counts once for each datum, and so N times.",
		"∇log p(θ) once beside N ḡ"}
	fullBatch    = Fault{"full-batch", "Each step takes the gradient of all data.", "ḡ of a minibatch"}
	averagedGrad = Fault{Key: "gradient-averaged", Want: "ε/2 times the gradient at θ"}
	identical    = Fault{Key: "chains-identical", Want: "a seed of its own for each chain"}
	common       = Fault{Key: "chains-common-noise", Want: identical.Want}
	stretch      = Fault{Key: "stretch", Want: "draws from where the sampler runs as it should"}
	unordered    = Fault{"order-lost",
		"The draws follow each other as independent ones do: their rows are in another order than the chain's, or steps " +
			"between are left out.",
		"draws in their order (rstan: permuted = FALSE), and --thin where steps between are left out"}
	fixedLeapfrog = Fault{"fixed-leapfrog",
		"Every trajectory has all its leapfrog steps, which is as right as a random number of them.", ""}
	otherStart   = Fault{"other-start", "V is over 1-αᵗ, as Adam's is, or does not start at zero, which is as right.", ""}
	batching     = Fault{Key: "other-batching"}
	barker       = Fault{"other-acceptance", "A proposal is accepted with r/(1+r), Barker's, which is as right.", ""}
	otherSetting = Fault{Key: "other-setting"}
)

// hypothesis is a setup with faults that come to the same.
type hypothesis struct {
	faults []Fault
	setup  *setup
	free   float64 // how many numbers of it are fitted
}

// with is a setup that is wrong by a change, which faults come to.
func (s setup) with(change func(*setup), faults ...Fault) hypothesis {
	s.base = false
	change(&s)
	return hypothesis{faults: faults, setup: &s}
}

// fits is h with how many of its numbers are fitted.
func (h hypothesis) fits(free float64) hypothesis {
	h.free = free
	return h
}

// hypotheses lists what may be wrong with a setup.
func hypotheses(right *setup) []hypothesis {
	var all []hypothesis
	add := func(where bool, change func(*setup), faults ...Fault) {
		if where {
			all = append(all, right.with(change, faults...))
		}
	}
	noise := func(factor float64) func(*setup) { return func(s *setup) { s.noise(factor) } }
	heat := func(factor float64) func(*setup) { return func(s *setup) { s.params.Temp *= factor } }
	wrong := func(drift, noise, known float64) func(*setup) {
		return func(s *setup) { s.drift, s.heat, s.known = drift, noise, known }
	}
	total, n, eps := right.params.N, float64(right.batch), right.params.Eps
	hot, data, accepts := !right.quiet(), right.params.N > 1, right.method.Metropolis
	proposes := func(where bool, change func(*setup), f Fault) {
		add(where && hot && accepts, func(s *setup) { s.heat = 1; change(s) }, f)
	}
	thermostat, preconditioned, kicks := right.has("diffusion"), right.has("lambda"), right.has("leapfrog")
	a, moves := right.friction()
	gamma, _ := right.own("gamma")
	if right.trail != nil || accepts {
		f := oldGradient
		if moving(right) {
			f = oldVelocity
		}
		add(right.trail != nil, func(s *setup) { s.old = true }, f)
		add(hot && right.problem.Dim() > 1, func(s *setup) {
			if s.shared = true; accepts {
				s.heat = 1
			}
		}, shared)
		add(hot && preconditioned, func(s *setup) { s.power = flat }, flatNoise)
		add(hot && preconditioned, func(s *setup) { s.power, s.scale = flat, eps/s.params.Temp }, flatNoiseEps)
		add(hot && preconditioned, func(s *setup) { s.power = squared }, squaredNoise)
		other := func(where bool, what string, change func(*setup)) {
			proposes(where, change, otherHastings.as("The ratio of acceptance has %s", what))
		}
		other(true, "twice the logarithm of what it has beside p: a ½ is missing.", func(s *setup) { s.ratio = 2 })
		other(true, "half the logarithm of what it has beside p.", func(s *setup) { s.ratio = 0.5 })
		other(!kicks, "the variance ε² in place of ε.", func(s *setup) { s.ratio = 1 / eps })
		other(!kicks, "the drift ε ∇log p, without its ½.", func(s *setup) { s.known = 2 })
		other(!kicks, "the drift of the way back with the wrong sign.", func(s *setup) { s.back = -1 })
		other(!kicks, "the gradient at θ for the way back from θ*.", func(s *setup) { s.ahead = true })
		proposes(true, func(s *setup) { s.ratio = 0 }, noHastings)
		proposes(true, func(s *setup) { s.ratio = -1 }, turned)
		proposes(true, func(s *setup) { s.always = true }, neverRejects)
		proposes(right.thin == 1, func(s *setup) { s.dropped = true }, rejectsGone)
		kick := func(first, last float64, what string) {
			proposes(kicks, func(s *setup) { s.kicks = [2]float64{first, last} }, noHalfKick.as("%s", what))
		}
		kick(0, -0.5, noHalfKick.What)
		kick(-0.5, 0, "The first half kick of a trajectory is left out.")
		kick(0, 0.5, "The last kick of a trajectory is a whole one, and not a half.")
		kick(0.5, 0, "The first kick of a trajectory is a whole one, and not a half.")
		kick(0.5, 0.5, "The first and the last kick of a trajectory are whole ones, and not halves.")
		kick(0.5, -0.5, "Momentum and place take whole steps in turn, without half kicks at the ends.")
		proposes(right.thin == 1, func(s *setup) { s.stale = rejected }, staleEnergy)
		proposes(true, func(s *setup) { s.upside = true }, turned.as("The ratio of acceptance is upside down."))
		add(hot && right.trail != nil && right.noisy(), func(s *setup) {
			s.without = slices.Repeat([]bool{true}, s.problem.Dim())
		}, missing)
	}
	add(right.params.PriorPrec > 0, func(s *setup) { s.params.PriorPrec = 0 }, priorMissing)
	add(right.params.PriorPrec > 0 && data, func(s *setup) { s.params.PriorPrec *= total }, priorTimes)
	add(data && n > 0, func(s *setup) { s.batch = 0 }, fullBatch)
	for i, factor := range []float64{2, 0.5} {
		f := [][]Fault{{driftTwice, noiseTwice, tempTwice}, {driftHalf, noiseHalf, tempHalf}}[i]
		add(!accepts, func(s *setup) { s.pull(factor) }, f[0])
		add(hot && accepts && !kicks, wrong(factor, 1, factor), f[0])
		add(hot && accepts, wrong(factor, 1, 1), f[0])
		// Noise that the ratio of acceptance knows of is temperature. A thermostat holds the temperature, whatever the
		// noise.
		add(hot && (accepts || thermostat), heat(factor), f[2])
		add(hot && accepts, wrong(1, factor, 1), f[1])
		add(hot && thermostat, noise(factor), f[1])
		add(hot && !accepts && !thermostat, noise(factor), f[1:]...)
	}
	add(true, func(s *setup) { s.params.Eps *= 2 }, eta)
	add(accepts, func(s *setup) { s.params.Eps *= eps },
		eta.as("The step is h = ε, whose square is ε² here, where ε itself is the square: --eps would be h²."))
	add(hot && !accepts, noise(eps), noiseSD)
	add(hot && data, heat(total), temperature)
	add(hot && data, heat(1/total), temperature)
	slow := moves && a < 1 && hot
	add(slow, noise(a), friction)
	add(slow, noise(1/a), friction)
	add(slow, noise((1-a)/a), friction)
	add(hot && accepts, wrong(1, eps, 1), noiseSD)
	add(data && n > 0, func(s *setup) { s.params.N = n }, batchScale, nConfused)
	add(data && n > 0, func(s *setup) { s.params.PriorPrec *= total / n }, priorBatch)
	add(data, func(s *setup) { s.params.N = math.Sqrt(total) }, nConfused.as("√N stands for the number N of all data."))
	add(data, func(s *setup) { s.params.N = 1 }, meanAlone)
	add(gamma != 0, func(s *setup) { s.setOwn("gamma", 0) }, gammaGone)
	averages := right.has("alpha") && right.trail != nil
	add(averages, func(s *setup) { s.late = true }, late)
	add(averages && right.rooted(), func(s *setup) { s.under = true }, lambdaUnder)
	add(averages && right.rooted(), func(s *setup) { s.bare = true }, rootMissing)
	add(preconditioned && data, func(s *setup) { // 1/(λ+N√V) is 1/(λ/N+√V)/N
		lambda, _ := s.own("lambda")
		s.setOwn("lambda", lambda/total)
		s.params.Eps /= total
	}, nConfused.as("V takes in the square of a sum over the data, N ḡ, and not of the mean ḡ."))
	return all
}

// rooted reports whether G = 1/(λ+√V) with V as it is, not over 1-αᵗ.
func (s *setup) rooted() bool { return s.method.Name == "psgld" || s.method.Name == "rmsprop" }

// moving reports whether the method has a velocity.
func moving(s *setup) bool {
	a, ok := s.friction()
	return ok && a < 1 && !s.quiet()
}

// variants lists what is not the claim and right all the same.
func variants(right *setup) []hypothesis {
	var all []hypothesis
	add := func(of *setup, change func(*setup), faults ...Fault) *setup {
		h := of.with(change, faults...)
		h.setup.base = true
		all = append(all, h)
		return h.setup
	}
	if right.has("leapfrog") {
		add(right, func(s *setup) { s.heat, s.fixed = 1, true }, fixedLeapfrog)
	}
	if right.method.Metropolis && !right.quiet() {
		add(right, func(s *setup) { s.heat, s.barker = 1, true }, barker)
		if right.has("leapfrog") {
			add(right, func(s *setup) { s.heat, s.barker, s.fixed = 1, true, true }, barker, fixedLeapfrog)
		}
	}
	if right.early > 0 && right.rooted() {
		add(right, func(s *setup) { s.fair = true }, otherStart)
	}
	batches := func(of *setup, faults ...Fault) {
		for _, how := range []noise.Draw{noise.Shuffle, noise.Subset, noise.Replace} {
			if right.batch > 0 && how != right.config.Draw {
				f := batching.as("The minibatches are drawn by --batching %s, which is as right.", how)
				add(of, func(s *setup) { s.config.Draw = how }, append(faults, f)...)
			}
		}
	}
	batches(right)
	if each, ok := right.own("thermostat"); ok && right.trail != nil {
		f := Fault{"other-thermostat", "Each coordinate has a thermostat of its own, which is as right.", ""}
		if each != 0 {
			f.What = "There is one thermostat for all coordinates, which is as right."
		}
		batches(add(right, func(s *setup) { s.setOwn("thermostat", 1-each) }, f), f)
		f.What = "The thermostat goes by 2‖v‖², as in its paper, and not by (2-ξ)‖v‖², which is as right for small ξ."
		batches(add(right, func(s *setup) { s.plain = true }, f), f)
		batches(add(right, func(s *setup) { s.plain = true; s.setOwn("thermostat", 1-each) }, f), f)
	}
	if len(right.unsaid) > 0 {
		var own []string
		for _, key := range slices.Sorted(maps.Keys(right.unsaid)) {
			by, _ := right.own(key)
			own = append(own, fmt.Sprintf("%s is %g and not %g", key, right.unsaid[key], by))
		}
		f := otherSetting.as("%s: the method's own default, and not that of this target. None was given, so that it "+
			"is as right.", strings.Join(own, ", "))
		batches(add(right, func(s *setup) {
			for key, v := range right.unsaid {
				s.setOwn(key, v)
			}
		}, f), f)
	}
	return all
}
