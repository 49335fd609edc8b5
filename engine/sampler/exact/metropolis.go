// Package exact holds the samplers without bias of the step size.
package exact

import (
	"math"
	"math/bits"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters that hmc and mala share: the last ones of each.
const (
	metroAccept = iota
	metroWarmup
	metroMass
	metroAdapt
	metroShared // how many they are
)

// metroParams declares them.
func metroParams(accept float64) []param.Param {
	return []param.Param{
		metroAccept: {Key: "target-accept", Symbol: "accept", Doc: "mean acceptance probability to which ε is adapted",
			Scale: param.Linear, Min: 0, OpenMin: true, Max: 1, OpenMax: true, Lo: 0.3, Hi: 0.99, Default: accept},
		metroWarmup: {Key: "warmup", Symbol: "warmup",
			Doc: "steps at the start in which ε and the mass are adapted; they give no draws", Scale: param.Integer,
			Min: 0, Max: param.MaxInteger, Lo: 0, Hi: 1e5, Default: 1000},
		metroMass: {Key: "mass", Symbol: "mass", Doc: "the mass matrix: the identity, or diagonal and adapted",
			Scale: param.Choice, Choices: []string{"unit", "diag"}, Default: 1},
		metroAdapt: {Key: "adapt", Symbol: "adapt", Doc: "adaptation: on, or off for the ε that is given",
			Scale: param.Choice, Choices: []string{"off", "on"}, Default: 1},
	}
}

// maxEnergyError is the error of the energy, in units of T, above which a trajectory counts as divergent. It is Stan's.
const maxEnergyError = 1000

// metropolis is a step of Hamiltonian Monte Carlo (Duane, Kennedy, Pendleton and Roweth 1987; Neal 2011, MCMC using
// Hamiltonian dynamics, §5.3.2 for random path lengths) on p^(1/T). With U = -(N·(mean log-likelihood) - ‖θ‖²/(2σ²)),
// an inverse mass matrix G = M⁻¹, diagonal, and scaled momenta w = √G r:
//
//	w ~ N(0, T I),  δ = √ε,  L ~ uniform{1, …, leapfrog};
//	L times:  w ← w - (δ/2) √G ∇U(q),  q ← q + δ √G w,  w ← w - (δ/2) √G ∇U(q);
//	θ' = q with probability min(1, exp(-[U(q) + ‖w‖²/2 - U(θ) - ‖w₀‖²/2]/T)), else θ.
//
// The first leapfrog step is θ + (ε/2) G ∇log p(θ) + √(T ε G) z, a Langevin step with the same ε. With L = 1 this is
// MALA, whose ratio of proposal densities is the ratio of the kinetic energies.
//
// At T = 0 there is no momentum, and a proposal is accepted where the energy does not rise.
type metropolis struct {
	leapfrog func(p *sampler.Params) uint64 // the most leapfrog steps

	g, root []float64 // G and √G of the newest step
	q, w    []float64 // of the trajectory
	_       [16]byte  // lanes on two cores must not share a cache line
}

func newMetropolis(t targets.Target[float64], leapfrog func(p *sampler.Params) uint64) *metropolis {
	d := t.Dim()
	return &metropolis{leapfrog: leapfrog, root: sampler.Vector[float64](d), q: sampler.Vector[float64](d),
		w: sampler.Vector[float64](d)}
}

// metroUnfit returns why neither method runs on a problem.
func metroUnfit(p *targets.Problem) string {
	if p.F32 != nil {
		return "needs the exact log-likelihood of all data at every step; networks have minibatches and single " +
			"precision"
	}
	if t, ok := p.F64.(targets.NoisyGradient); ok && t.GradNoise() > 0 {
		return "needs a gradient without noise"
	}
	if _, ok := p.F64.(targets.LikelihoodGradient[float64]); !ok {
		return "needs a target that evaluates its log-likelihood with the gradient"
	}
	return ""
}

// metroSuit makes every step after the warm-up a draw.
func metroSuit(p *targets.Problem, values map[string]float64) {
	values[sampler.KeyThin], values[sampler.KeyBurnIn] = 1, values["warmup"]
	if n := float64(p.N()); n > 1 {
		// This is of the order of a posterior variance: a standardised feature of a
		// logistic regression has an information of at most N/4.
		values[sampler.KeyEps] = param.Round(metroEps/n, 1)
	}
}

// metroEps is N times the ε from which adaptation starts on data.
const metroEps = 6

// The vectors of State.Own.
const (
	metroMean    = iota // ḡ(θ)
	metroG              // G
	metroCentre         // Welford's mean of the window's θ
	metroSquares        // and their centred sums of squares
	metroScalars
	metroVectors // how many they are
)

// The scalars of State.Own[metroScalars].
const (
	metroLogLik = iota // mean log-likelihood at θ
	metroKnown         // 1 where that and ḡ(θ) are of the present θ, else 0
	adaptEps           // ε in force
	adaptBase          // the user's ε from which adaptation started
	adaptAge           // steps since the method was taken up
	adaptCount         // m, steps of the dual averaging
	adaptError         // H̄
	adaptMu            // μ
	adaptMean          // log of the averaged δ
	adaptSeen          // draws in the window of the mass
	metroNumbers
)

func (*metropolis) Begin(s *sampler.State[float64], p *sampler.Params) {
	d := len(s.Theta)
	s.Own = make([][]float64, metroVectors)
	for i := range metroScalars {
		s.Own[i] = sampler.Vector[float64](d)
	}
	s.Own[metroScalars] = sampler.Vector[float64](metroNumbers)
	g := s.Own[metroG]
	for i := range g {
		g[i] = 1
	}
	a := newAdaptation(s, p)
	a.restart(p.Eps)
	a.num[adaptBase] = p.Eps
}

func (k *metropolis) GainAt(i int) float64 {
	if k.g == nil {
		return 1
	}
	return k.g[i]
}

func (k *metropolis) Step(s *sampler.State[float64], grad sampler.Gradient[float64], p *sampler.Params,
	zs *noise.Normals[float64], i *sampler.Info) {
	own := p.Own[len(p.Own)-metroShared:]
	a := newAdaptation(s, p)
	eps := a.eps(p.Eps)
	i.GMin, i.GMax = k.scale(s.Own[metroG], own[metroMass] == 0)
	mean, num := s.Own[metroMean], s.Own[metroScalars]
	if num[metroKnown] == 0 {
		e := grad.Eval(s.Theta, sampler.AskFull|sampler.AskLogLik)
		copy(mean, e.Mean)
		num[metroLogLik], num[metroKnown] = e.LogLik, 1
	}

	var (
		theta, q, w    = s.Theta, k.q[:len(s.Theta)], k.w[:len(s.Theta)]
		root           = k.root[:len(theta)]
		n, prior       = p.N, p.PriorPrec
		delta          = math.Sqrt(eps)
		heat           = math.Sqrt(p.Temp)
		z              []float64
		kinetic, r2    float64
		drift2, noise2 float64
	)
	if p.Temp != 0 {
		z = zs.At(s.Step)
	}
	for j, x := range theta {
		f := float64(n*mean[j]) - float64(prior*x) // -∇U
		r2 += float64(x * x)
		v := 0.0
		if z != nil {
			v = float64(heat * z[j])
		}
		kinetic += float64(v * v)
		h := delta * root[j] // of the position
		d := float64(delta / 2 * root[j] * f)
		drift2 += float64(h * d * h * d)
		noise2 += float64(h * v * h * v)
		w[j], q[j] = v+d, x
	}
	before := float64((float64(prior*r2)+kinetic)/2) - float64(n*num[metroLogLik])

	words := zs.Stream().Of(noise.Accept).At(s.Step)
	path, coin := words.Block(0)
	steps, _ := bits.Mul64(path, k.leapfrog(p))
	e, kinetic, r2 := k.trajectory(grad, p, delta, steps+1)
	rise := math.Inf(1)
	if e != nil && !math.IsInf(e.LogLik, 1) {
		rise = float64((float64(prior*r2)+kinetic)/2) - float64(n*e.LogLik) - before
	}
	accept := acceptance(rise, p.Temp)
	*i = sampler.Info{
		Drift2: drift2, Noise2: noise2, GMin: i.GMin, GMax: i.GMax, Eps: eps,
		Accept: accept, Energy: before, Divergent: e == nil || p.Temp != 0 && !(rise <= maxEnergyError*p.Temp),
		OK: true,
	}
	if uniform(coin) < accept {
		copy(theta, q)
		copy(mean, e.Mean)
		num[metroLogLik] = e.LogLik
	}
	i.Skip = a.learn(accept)
	s.Step++
}

// scale makes g and root of the step, and returns G's range.
func (k *metropolis) scale(g []float64, unit bool) (lo, hi float64) {
	if unit {
		k.g = nil
		for j := range k.root {
			k.root[j] = 1
		}
		return 1, 1
	}
	k.g = g
	lo, hi = math.Inf(1), 0
	for j, x := range g {
		k.root[j] = math.Sqrt(x)
		lo, hi = min(lo, x), max(hi, x)
	}
	return lo, hi
}

// trajectory takes leapfrog steps from k.q with the momenta k.w, which are half a kick
// ahead. It returns the evaluation at the end with ‖w‖² and ‖q‖² there. The evaluation
// is nil where the path goes beyond sampler.Limit, since no proposal may lie there.
func (k *metropolis) trajectory(grad sampler.Gradient[float64], p *sampler.Params, delta float64,
	steps uint64) (e *sampler.Eval[float64], kinetic, r2 float64) {
	var (
		q        = k.q
		w, root  = k.w[:len(q)], k.root[:len(q)]
		n, prior = p.N, p.PriorPrec
	)
	for j, v := range w {
		q[j] += float64(delta * root[j] * v)
	}
	for l := uint64(1); l < steps; l++ {
		mean := grad.Eval(q, sampler.AskFull).Mean[:len(q)]
		sum := 0.0
		for j, x := range q {
			h := delta * root[j]
			v := w[j] + float64(h*(float64(n*mean[j])-float64(prior*x)))
			x += float64(h * v)
			w[j], q[j] = v, x
			sum += math.Abs(x)
		}
		if !(sum < sampler.Limit) { // also for NaN
			return nil, 0, 0
		}
	}
	if !sampler.Usable(q...) {
		return nil, 0, 0
	}
	e = grad.Eval(q, sampler.AskFull|sampler.AskLogLik)
	mean := e.Mean[:len(q)]
	for j, x := range q {
		v := w[j] + float64(delta/2*root[j]*(float64(n*mean[j])-float64(prior*x)))
		w[j] = v
		kinetic += float64(v * v)
		r2 += float64(x * x)
	}
	return e, kinetic, r2
}

// acceptance is min(1, exp(-rise/T)), 0 where the rise is not a number.
func acceptance(rise, temp float64) float64 {
	switch {
	case rise <= 0:
		return 1
	case temp == 0 || rise != rise:
		return 0
	}
	return libm.Exp(-rise / temp)
}

// uniform is a number in [0, 1) of a word's highest 53 bits.
func uniform(word uint64) float64 { return float64(word>>11) * 0x1p-53 }
