package calibration

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// A target is one that a setting samples, with what its step size is chosen by.
type target struct {
	spec string
	h    float64 // the largest curvature of -log p
	n    int     // data, 1 for a density
	// noise is the standard deviation of a density's gradient noise.
	noise float64
	odd   int               // so many of the first coordinates have mean 0 under every chain, by symmetry
	start string            // of the chains; "" for a random one
	exact *targets.Moments  // nil where HMC finds the moments
	plane *targets.Gaussian // whose SGLD has a known covariance; nil for another target
}

// A family is targets of one kind.
type family struct {
	name string // in tables
	// draw is a target of the family at random.
	draw func(*rand.Rand) target
}

// families are sampled in turn.
var families = []family{
	{"gaussian", drawGaussian},
	{"banana", drawBanana},
	{synthetic, func(*rand.Rand) target { return posteriors[synthetic] }},
	{australian, func(*rand.Rand) target { return posteriors[australian] }},
}

// posteriors are those of the regressions. The curvatures are the largest eigenvalues of the
// inverse covariance of 20,000 draws of HMC at σ² = 100. Chains start about where these have
// their mean: from elsewhere the weights of small features take longer to come than they run.
var posteriors = map[string]target{
	synthetic: {spec: synthetic, h: 2950, n: 1000, start: "-0.25,0.25,-0.29,0.28,-0.36,2.1,-3.3,4.1,-2.6"},
	australian: {spec: australian, h: 103, n: 690,
		start: "-0.2,0,0,-0.19,0.38,0.76,0.08,0.27,1.75,0.16,0.68,-0.15,0.15,-0.35,2.66"},
}

const (
	synthetic  = "blr:synthetic"
	australian = "blr:australian"
)

// between is a number at random, uniform in its logarithm, to three digits.
func between(r *rand.Rand, lo, hi float64) float64 {
	return param.Round(lo*libm.Pow(hi/lo, r.Float64()), 3)
}

// drawGaussian is N(0, Σ) with variances from 0.1 to 3 and a correlation within ±0.8. Every
// second has gradient noise, up to the gradient's own standard deviation.
func drawGaussian(r *rand.Rand) target {
	a, b, rho := between(r, 0.1, 3), between(r, 0.1, 3), 1.6*r.Float64()-0.8
	c := param.Round(rho*math.Sqrt(a*b), 3)
	least := (a+b)/2 - libm.Hypot((a-b)/2, c) // eigenvalue of Σ
	t := target{h: 1 / least, n: 1, spec: fmt.Sprintf("gaussian:cov=%g,%g,%g,%g", a, c, c, b)}
	if size := r.Float64(); r.IntN(2) == 0 {
		t.noise = param.Round(size/math.Sqrt(least), 3)
		t.spec += fmt.Sprintf(";noise=%g", t.noise)
	}
	g, err := targets.NewGaussian(a, c, b, t.noise)
	if err != nil {
		panic(err) // Σ is positive definite
	}
	m := g.Truth()
	t.exact, t.plane, t.odd = &m, g, 2
	return t
}

// drawBanana is a banana that bends by at most 0.3 s₁ over s₁. Its curvature is that of the
// valley's floor at 4.5 s₁, where long chains come: with more of it SGLD runs away there.
func drawBanana(r *rand.Rand) target {
	s1, s2, bend := between(r, 0.5, 2), between(r, 0.5, 1.5), between(r, 0.05, 0.3)
	b := param.Round(bend/s1, 3)
	x := 4.5 * s1
	v1 := s1 * s1
	return target{
		spec: fmt.Sprintf("banana:b=%g;s1=%g;s2=%g", b, s1, s2), n: 1, odd: 1, h: 1/v1 + (1+4*b*b*x*x)/(s2*s2),
		exact: &targets.Moments{Mean: []float64{0, b * v1}, Cov: []float64{v1, 0, 0, s2*s2 + 2*b*b*v1*v1}},
	}
}

// A setting is what one run of the estimate samples.
type setting struct {
	i      int // its place among all
	family string
	target target
	lane   paper.Entry
	batch  int // 0 for a density
	// widening is that of the narrowest direction's variance by the step, to first order.
	widening float64
}

// The bounds of settings' widening.
const (
	leastWidening = 0.04
	mostWidening  = 0.4
)

// leastBatch is the smallest minibatch.
const leastBatch = 10

// settingOf is the i-th setting, the same at every scale. SGLD widens the variance 1/h of the narrowest direction by
//
//	r = ε (h + s²)/4
//
// to first order, with s² the variance of the gradient's noise. For a posterior by minibatches of n s² is h(N/n - 1),
// and r = εhN/(4n). pSGLD makes steps of SGLD with εG, where G is 1/√V and V about (h + s²)/N², so that
//
//	r = ε N √(h + s²)/4.
func settingOf(o paper.Options, i int) setting {
	r := rand.New(rand.NewPCG(o.Seed, uint64(i)))
	f := families[i%len(families)]
	s := setting{i: i, family: f.name, target: f.draw(r)}
	t := s.target
	q := t.h + t.noise*t.noise
	values := paper.Values{sampler.KeyThin: 1}
	if t.n > 1 {
		s.batch = int(between(r, leastBatch, float64(t.n)))
		if r.IntN(4) == 0 {
			s.batch = t.n
		}
		q = t.h * float64(t.n) / float64(s.batch)
		values[sampler.KeyPriorVar], values[sampler.KeyBatch] = priorVar, 0
		if s.batch < t.n {
			values[sampler.KeyBatch] = float64(s.batch)
		}
	}
	s.widening = between(r, leastWidening, mostWidening)
	if s.batch > 0 { // a quarter of the time scale that steps is about: each draw is a prediction too
		values[sampler.KeyThin] = math.Ceil(float64(t.n) / float64(8*s.batch) / s.widening)
	}
	s.lane = paper.SGLD
	eps := 4 * s.widening / q
	if i/len(families)%2 == 1 {
		s.lane = paper.PSGLD
		eps = 4 * s.widening / (float64(t.n) * math.Sqrt(q))
	}
	values[sampler.KeyEps] = param.Round(eps, 4)
	s.lane = s.lane.With(values)
	return s
}

// eps is the setting's step size.
func (s setting) eps() float64 { return s.lane.Values[sampler.KeyEps] }

// priorVar is the prior variance of the regressions' weights.
const priorVar = 100

// A size is how long chains are.
type size struct {
	density uint64 // steps on a density
	longer  uint64 // so many times as many are those of a run there that the truth is taken from
	// least and most are the steps on data. Between them the narrowest direction has so many effective draws.
	least, most, effective float64
	hmc                    uint64 // draws of each chain of HMC
}

// runs is how many runs the truth is taken from.
const runs = 8

// burnIn is the share of further steps before the first draw.
const burnIn = 0.1

// A bias is what the experiment runs.
type bias struct {
	o        paper.Options
	settings []setting
	size     size
}

// biasOf is the experiment with some options.
func biasOf(o paper.Options) bias {
	b := bias{o: o, settings: list.Map(list.Upto(o.RepeatsOr(16, 200)), func(i int) setting { return settingOf(o, i) })}
	b.size = size{density: 200_000, longer: 10, least: 20_000, most: 200_000, effective: 2000, hmc: 20_000}
	if o.Scale == paper.Quick {
		b.size = size{density: 40_000, longer: 2, least: 5_000, most: 20_000, effective: 300, hmc: 1000}
	}
	return b
}

// steps are those of the run that estimates a setting's bias, after its burn-in. The time scale
// of SGLD's narrowest direction is 2/(εh) = N/(2nr) steps, and an effective draw takes two of
// these. pSGLD's is about the same, with those of the other coordinates nearer to it.
func (b bias) steps(s setting) uint64 {
	if s.batch == 0 {
		return b.size.density
	}
	n := b.size.effective * float64(s.target.n) / float64(s.batch) / s.widening
	return uint64(math.Round(min(max(n, b.size.least), b.size.most)/1000)) * 1000
}

func (b bias) name(s setting) string {
	text := fmt.Sprintf("%s %s eps=%s", s.target.spec, s.lane.Sampler, claim.Exactly(s.eps()))
	if s.batch > 0 {
		text += fmt.Sprintf(" batch=%d subset prior-var=%d", s.batch, priorVar)
	}
	return text
}

// chain is sessions of the setting's chain, with a tenth more steps of burn-in.
func (b bias) chain(s setting, what string, steps uint64) paper.Runs {
	first := uint64(burnIn * float64(steps))
	r := paper.Runs{Target: s.target.spec, Draw: noise.Subset, Init: s.target.start,
		Lanes: []paper.Entry{s.lane.With(paper.Values{sampler.KeyBurnIn: float64(first)})}, Steps: steps + first}
	r.Name = fmt.Sprintf("%s %s steps=%d %s", b.name(s), what, r.Steps, b.o.Scale)
	if s.batch == 0 {
		r.Draw = 0
	}
	return r
}

// sessionsOf are the IDs of a setting's sessions but those of HMC, which settings share.
func (b bias) sessionsOf(s setting) []string {
	ids := b.estimate(s).IDs()
	if !s.exactly() {
		ids = append(ids, b.long(s).IDs()...)
	}
	return ids
}

// seed is that of a setting's first session. No other setting has the seeds of its sessions,
// so that errors are independent.
func (b bias) seed(s setting) uint64 { return b.o.Seed + uint64(s.i*(runs+1)) }

// estimate is the run that estimates its bias.
func (b bias) estimate(s setting) paper.Runs {
	r := b.chain(s, "bias", b.steps(s))
	r.Bias, r.Seed, r.N = true, b.seed(s), 1
	return r
}

// long are the runs that the chain's own moments are taken from. Their seeds are not that of the run that estimates.
func (b bias) long(s setting) paper.Runs {
	steps := b.steps(s)
	if s.batch == 0 {
		steps *= b.size.longer
	}
	r := b.chain(s, "moments", steps)
	r.Seed, r.N = b.seed(s)+1, runs
	return r
}

// exactly reports whether the chain's moments are known: SGLD on a Gaussian.
func (s setting) exactly() bool { return s.target.plane != nil && s.lane.Sampler == paper.SGLD.Sampler }

// hmc are the runs that a posterior's moments are taken from.
func (b bias) hmc(spec string) paper.Runs {
	const warmUp = 1000
	l := paper.Entry{Sampler: "hmc",
		Values: paper.Values{sampler.KeyPriorVar: priorVar, sampler.KeyThin: 1, sampler.KeyBurnIn: warmUp}}
	return paper.Runs{
		Name: fmt.Sprintf("%s hmc prior-var=%d draws=%d %s", spec, priorVar, b.size.hmc, b.o.Scale), Target: spec,
		Lanes: []paper.Entry{l}, Steps: b.size.hmc + warmUp, Seed: b.o.Seed, N: runs,
	}
}

// sessions are those of all settings, the posteriors' first.
func (b bias) sessions() (all []paper.Runs) {
	for _, f := range families {
		if slices.ContainsFunc(b.settings, func(s setting) bool { return s.batch > 0 && s.target.spec == f.name }) {
			all = append(all, b.hmc(f.name))
		}
	}
	for _, s := range b.settings {
		all = append(all, b.estimate(s))
		if !s.exactly() {
			all = append(all, b.long(s))
		}
	}
	return all
}
