package finding

import (
	"cmp"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// short is the key of a lane that is too short to trust.
const short = "too-short"

// Table are the findings in the order of their importance.
var Table = []Entry{
	{Key: "diverged", Stops: true, lane: diverged},
	{Key: "unlearnt", Stops: true, lane: unlearnt},
	{Key: "stuck", Stops: true, lane: stuck},
	{Key: "inconsistent", Stops: true, lane: inconsistent},
	{Key: "too-large", lane: tooLarge},
	{Key: "drifting", lane: drifting},
	{Key: short, lane: tooShort},
	{Key: "bias", lane: bias},
	{Key: "noise", lane: noise},
	{Key: "slow", lane: slow},
	{Key: "minibatch", lane: minibatch},
	{Key: "gamma", lane: gamma},
	{Key: "cold", lane: cold},
	{Key: "no-spread", Predicts: true, lane: noSpread},
	{Key: "mode", lane: mode},
	{Key: "bias-unknown", lane: unknown},
	{Key: "better", session: better},
	{Key: "equal", session: equal},
	{Key: "enough", session: enough},
	{Key: "otherwise", Rest: true, lane: otherwise},
}

// A session is looked at again and again, and a finding of it must not be one look's chance. A difference has to be
// clear of its bound by so many joint standard errors. A mean of n normal draws is within
//
//	1.7 √(ln ln 2n + 0.72 ln(5.2/α))
//
// of its standard errors at every n at once with probability 1 - α (Howard, Ramdas, McAuliffe and Sekhon 2021, Annals
// of Statistics 49:1055, equation 2): 4.6 for α = 0.01 and n up to 10⁸, and 5 has room for the errors of the errors.
const clear = 5

// clearly reports whether x, with a standard error, is at a bound or above it whenever one looks.
func clearly(x, se, bound float64) bool { return x-float64(clear*se) >= bound }

// lasted reports whether a verdict on the chain without a standard error holds, and has held while its draws grew by a
// third: what is chance goes by before.
//
// Where draws are compared with the truth as functions, the verdict is that on these: weights may differ and do.
func lasted(v *engine.LaneView, is func(metrics.Status) bool) bool {
	function := v.Facts.Has(quantity.FunctionTruth)
	seen := is(v.Trust[quantity.Chain])
	if function {
		seen = is(v.Values[quantity.FnError].Status)
	}
	for i := range v.History {
		if p := &v.History[i]; p.Step >= v.Start && 4*p.Draws >= 3*v.Draws {
			why := p.Values.Chain
			if function {
				_, why = p.Values.Of(quantity.FnError)
			}
			seen = seen && is(why)
		}
	}
	return seen
}

func diverged(_ *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	if v.Diverged == nil {
		return f, false
	}
	f.has("steps", metrics.Exact(float64(v.Diverged.Step)))
	f.has("eps_now", metrics.Exact(v.Diverged.Eps))
	f.Proposes = Rescue
	return f, true
}

// Rescue is the command that takes diverged lanes back.
const Rescue = "rewind"

// unlearnt is a lane that predicts no better than a constant, or has lost half of what was learnt where its window
// began. A step that is far too large does it while θ stays finite, and one that is far too small from a random start.
func unlearnt(s *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	const near = 3
	f.has("loss", v.Values[quantity.Loss])
	switch {
	case v.ConstantLoss > 0:
		f.has("constant_loss", metrics.Exact(v.ConstantLoss))
	case v.StartLoss > 0:
		f.has("start_loss", metrics.Exact(v.StartLoss))
	default:
		return f, false
	}
	usual := state.DefaultSetting(s.Problem, v.Setting.Sampler).Eps()
	times := v.Setting.Eps() / usual
	if f.has("eps_over_default", metrics.Exact(times)); !v.Facts.Has(quantity.Metropolis) &&
		(times > near || times < 1./near) {
		f.Proposes = set(sampler.KeyEps, usual)
	}
	return f, true
}

func tooShort(s *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	why := v.Trust[quantity.Chain]
	if !v.Facts.Has(quantity.Sampling) || why != metrics.TooShort && why != metrics.Skewed ||
		v.Values[quantity.FnError].OK() || v.Facts.Has(quantity.Parted) {
		return f, false
	}
	f.has("draws", metrics.Exact(float64(v.Draws)))
	f.run(s, v, v.Least())
	return f, true
}

// stuck is a Metropolis method that accepts almost none of its proposals, or all.
func stuck(_ *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	const low, high, factor = 0.05, 0.995, 3
	a := v.Values[quantity.Acceptance]
	beyond := func(share, bound float64) bool { // where few proposals are of a kind
		return clearly(-share, math.Sqrt(bound*(1-bound)/float64(v.Draws)), -bound)
	}
	f.has("acceptance", a)
	switch eps := v.Setting.Eps(); {
	case v.Diverged != nil || !a.OK():
		return f, false
	case beyond(a.Value, low):
		f.Proposes = set(sampler.KeyEps, eps/factor)
	case beyond(1-a.Value, 1-high):
		f.Proposes = set(sampler.KeyEps, eps*factor)
	}
	return f, f.Proposes != ""
}

// inconsistent is watched draws that are not of the method that they are said to be of.
func inconsistent(s *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	if s.Check == nil || !s.Check.Lasts || v.Setting.Sampler != catalog.Source.Name {
		return f, false
	}
	if fact, ok := s.Check.Shows(); ok {
		f.has("expected", metrics.Exact(fact.Expected))
		f.has("found", metrics.Known(fact.Found, fact.SE, uint64(s.Check.Draws)))
	}
	return f, true
}

// tooLarge is a chain that cannot be trusted yet, and of which a longer run will say that it is biased: the drift of
// its steps, with their minibatches, adds T or more to its temperature. At stationarity that is E‖drift‖²/E‖noise‖²,
// (1/D) Σ u/(2-u) for curvatures 2u/ε on exact gradients. The chain must have come to where it stays, which its log
// density tells: that of a chain from afar still rises.
func tooLarge(_ *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	const points, least, rises = 32, 1, 2
	half := v.History[len(v.History)/2:]
	if len(half) < points || !catalog.Must(v.Setting.Sampler).Expands || v.Diverged != nil ||
		v.Trust[quantity.Chain] == metrics.OK {
		return f, false
	}
	var added quantity.OverSeeds
	var logPost [2]quantity.OverSeeds // of the earlier points and the later ones
	for i := range half {
		p := &half[i]
		d, e, log := p.Of(quantity.Drift), p.Of(quantity.Noise), p.Of(quantity.LogPost)
		if p.Step < v.Start || !(e > 0) || math.IsNaN(log) {
			return f, false
		}
		added.Add(metrics.Exact(float64(d*d) / float64(e*e)))
		logPost[2*i/len(half)].Add(metrics.Exact(log))
	}
	rise, se := logPost[1].Mean-logPost[0].Mean, libm.Hypot(logPost[0].SE, logPost[1].SE)
	f.has("added_temperature", metrics.Known(added.Mean, added.SE, v.Draws))
	f.Severity = added.Mean
	f.Proposes = set(sampler.KeyEps, v.Setting.Eps()*max(wantedBias/f.Severity, 0.1))
	return f, rise < rises*se && clearly(added.Mean, added.SE, least)
}

func drifting(s *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	as := v.Values[quantity.FnRHat] // weights may differ where functions agree, or are too short to tell
	if !lasted(v, func(why metrics.Status) bool { return why == metrics.Drifting || why == metrics.Disagree }) ||
		v.Facts.Has(quantity.Functional) && !(as.OK() && as.Value >= metrics.RHatBound) ||
		v.Facts.Has(quantity.Parted) {
		return f, false
	}
	f.has("draws", metrics.Exact(float64(v.Draws)))
	for _, id := range [...]quantity.ID{quantity.MaxRHat, quantity.FnRHat} {
		if r := v.Values[id]; r.OK() {
			f.has(quantity.All[id].Key, r)
		}
	}
	f.run(s, v, v.Least())
	return f, true
}

// minibatch is a temperature most of whose excess is that of minibatches. Another lane tells, which has the same
// setting but for larger ones: the excess is s + m (1/n - 1/N) for minibatches of n of N.
func minibatch(s *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	size, noise, ok := excess(&f, v)
	n, all := v.Setting.Or(sampler.KeyBatch, 0), float64(s.Problem.N())
	for i := range s.Lanes {
		u := &s.Lanes[i]
		more := u.Setting.Or(sampler.KeyBatch, 0)
		alike := state.Difference(s.Problem, v.Setting.With(sampler.KeyBatch, more), u.Setting) == nil
		more = cmp.Or(more, all) // which is written as 0
		other, err, known := excess(new(Found), u)
		if !ok || !known || !(n > 0 && more >= 2*n && alike) {
			continue
		}
		scale := (1/n - 1/all) / (1/n - 1/more)
		share := metrics.Known(scale*(size-other), scale*libm.Hypot(noise, err), v.Draws)
		if share.Value >= leastBias && clearly(share.Value, share.Error, size/2) {
			f.has("excess_of_minibatches", share)
			f.Proposes = set(sampler.KeyBatch, min(4*n, all))
			return f, true
		}
	}
	return f, false
}

// noise is a Monte Carlo error beside which the bias is small: three times as many draws more halve it.
func noise(s *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	size, noise, ok := exactBias(&f, s, v)
	if v.Facts.Has(quantity.Metropolis | quantity.Sampling) { // which has none
		ess := v.Values[quantity.MinESS]
		f.Evidence = nil
		f.has("min_ess", ess)
		size, noise, ok = 0, 1/math.Sqrt(ess.Value), ess.OK() && v.Trust[quantity.Chain] == metrics.OK
	}
	if x, se, known := off(&f, v); known { // within it, and not twice as large
		size, noise, ok = max(x-2*se, 0), se, true
	}
	if _, biased := bias(s, v); biased || !ok || size > noise/4 || noise < enoughNoise || unseen(v) {
		return f, false
	}
	f.run(s, v, 4*v.Draws)
	return f, true
}

// unseen reports whether a Metropolis method, which has no bias, has an error that is clearly more than Monte Carlo's.
func unseen(v *engine.LaneView) bool {
	cov, noise := v.Values[quantity.CovError], v.Values[quantity.CovNoise]
	return v.Facts.Has(quantity.Metropolis) && cov.OK() && clearly(cov.Value, cov.Error, noise.Value)
}

// slow is a chain with a long autocorrelation time and an exact bias so small that a larger ε may be had.
func slow(s *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	const long = 50
	size, _, ok := exactBias(&f, s, v)
	act := v.Values[quantity.MaxACT]
	factor := wantedBias / size
	f.has("max_act", act)
	if _, biased := bias(s, v); biased || !ok || !act.OK() || act.Value < long || factor < 2 {
		return f, false
	}
	f.Proposes = set(sampler.KeyEps, v.Setting.Eps()*min(factor, 10))
	return f, true
}

func cold(_ *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	if !v.Facts.Has(quantity.Sampling) || !v.Setting.Has(sampler.KeyTemp) || v.Temp >= 1 || v.Diverged != nil {
		return f, false
	}
	f.has("temp", metrics.Exact(v.Temp))
	f.Proposes = "temp=1"
	return f, true
}

func noSpread(_ *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	f.has("draws", metrics.Exact(float64(v.Draws)))
	f.Proposes = "add sgld"
	return f, v.Kind == sampler.Optimising && v.Diverged == nil
}

// mode is mass of a known target where no draw is, or chains that keep to different functions, each of them steady.
func mode(_ *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	f.has("draws", metrics.Exact(float64(v.Draws)))
	f.Proposes = "chains=4"
	if v.Facts.Has(quantity.Parted) {
		f.has("fn_rhat", v.Values[quantity.FnRHat])
		f.Proposes = set(state.KeyChains, float64(min(2*len(v.Chains), state.MaxChains)))
		return f, true
	}
	return f, v.Trust[quantity.Chain] == metrics.Mode
}

// unknown is a chain that can be trusted, of a method with a bias of which nothing tells. Companions do, or a truth,
// where there can be none or none of them has a number.
func unknown(s *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	ess, mean := v.Values[quantity.MinESS], v.Values[quantity.MeanError]
	_, biased := bias(s, v)
	if !v.Facts.Has(quantity.Sampling) || v.Facts.Has(quantity.Metropolis) || !ess.OK() || v.Temp != 1 || biased ||
		mean.Applies() || v.Values[quantity.CovBias].OK() || v.Values[quantity.FnError].OK() ||
		v.Trust[quantity.Chain] != metrics.OK {
		return f, false
	}
	f.has("min_ess", ess)
	if halves := catalog.Must(v.Setting.Sampler).Halve != nil; halves && !v.Facts.TellBias() && s.Problem.F64 != nil &&
		!s.Problem.Outside() {
		f.Proposes = "bias on"
		return f, true
	}
	if slices.ContainsFunc(v.Coords[:], func(c engine.Coord) bool {
		e := c.Values[quantity.StepBias]
		return e.OK() || e.Status == metrics.TooShort || c.Values[quantity.QuarterMean].OK()
	}) {
		return f, false
	}
	to := s.State()
	cfg := to.Whole()
	cfg.Truth.Sampler = "hmc"
	f.Proposes = "truth " + cfg.Truth.Sampler
	return f, s.Problem.F64 != nil && cfg.Validate(s.Problem) == nil
}

// compared are two lanes in the first quantity that matters and can be trusted of both: the error of the covariance,
// else effective draws per gradient.
func compared(s *engine.Snapshot, a, b *engine.LaneView) (f Found, x, y metrics.Estimate, ok bool) {
	f.Lane, f.Other = a.ID, b.ID
	_, biased := bias(s, a)
	_, other := bias(s, b)
	known := a.Values[quantity.CovError].Applies()
	if a.Temp != b.Temp || known != b.Values[quantity.CovError].Applies() || !known && (biased || other) {
		return f, x, y, false // of two distributions
	}
	of := func(v *engine.LaneView, id quantity.ID) metrics.Estimate {
		e := v.Values[id]
		if act := v.Values[quantity.MaxACT]; id == quantity.ESSPerGradient && act.OK() {
			e.Error = e.Value * act.Error / act.Value
		}
		return e
	}
	for _, id := range [...]quantity.ID{quantity.CovError, quantity.ESSPerGradient} {
		x, y = of(a, id), of(b, id)
		if !x.Applies() || !y.Applies() {
			continue
		}
		if x.OK() && y.OK() && x.Error > 0 && y.Error > 0 {
			if quantity.All[id].Better == quantity.Lower == (x.Value > y.Value) {
				x, y, f.Lane, f.Other = y, x, b.ID, a.ID
			}
			f.has(quantity.All[id].Key, x)
			f.has("other", y)
			return f, x, y, true
		}
		break
	}
	return f, x, y, false
}

// pairs looks at each two lanes.
func pairs(s *engine.Snapshot, is func(x, y metrics.Estimate) bool) (Found, bool) {
	for i := range s.Lanes {
		for j := range i {
			if f, x, y, ok := compared(s, &s.Lanes[j], &s.Lanes[i]); ok && is(x, y) {
				return f, true
			}
		}
	}
	return Found{}, false
}

func better(s *engine.Snapshot) (Found, bool) {
	return pairs(s, func(x, y metrics.Estimate) bool {
		return clearly(math.Abs(x.Value-y.Value), libm.Hypot(x.Error, y.Error), 0)
	})
}

// equal are lanes within 10% of each other, by two one-sided tests.
func equal(s *engine.Snapshot) (Found, bool) {
	return pairs(s, func(x, y metrics.Estimate) bool {
		return clearly(-math.Abs(x.Value-y.Value), libm.Hypot(x.Error, y.Error), -0.1*max(x.Value, y.Value))
	})
}

// otherwise is a lane of which no finding is: what is known of its error. As many draws tell bias from chance as take
// the standard error to where a bias of that size would be clear of it.
func otherwise(s *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	noise, ok := biasOf(&f, s, v)
	needed := v.Least()
	if ok = ok && !v.Facts.Has(quantity.Metropolis); ok {
		ratio := clear * noise / max(f.Severity, leastBias)
		needed = uint64(ratio * ratio * float64(v.Draws))
	} else {
		f.Evidence = nil
		f.has("min_ess", v.Values[quantity.MinESS])
	}
	why := v.Trust[quantity.Chain]
	if why == metrics.Bias {
		offTruth(&f, s, v)
		needed = 0
	}
	if f.Severity = 0; needed > v.Draws && why != metrics.Frozen && why != metrics.Divergent &&
		(ok || !v.Values[quantity.MinESS].OK()) {
		f.run(s, v, needed)
	}
	return f, true
}

// enoughNoise is a Monte Carlo error, as a part of a posterior standard deviation, that is enough for most.
const enoughNoise = 0.01

// enough is that of each lane that samples the Monte Carlo errors of mean and sd are small in all that is shown, and
// R-hat is. Of bias it says nothing.
func enough(s *engine.Snapshot) (f Found, found bool) {
	f.Lane, f.Other, f.Proposes = AllLanes, AllLanes, "pause"
	worst, rhat := metrics.Exact(0), metrics.Exact(1)
	for i := range s.Lanes {
		v := &s.Lanes[i]
		if !v.Facts.Has(quantity.Sampling) || v.Diverged != nil {
			continue
		}
		ess := v.Values[quantity.MinESS]
		if !ess.OK() || v.Trust[quantity.Spread] != metrics.OK || unseen(v) {
			return f, false
		}
		worst.Value = max(worst.Value, 1/math.Sqrt(ess.Value))
		for _, c := range v.Coords {
			sd, se, r := c.Values[quantity.SD], c.Values[quantity.SDError], c.Values[quantity.RHat]
			if !sd.OK() || !se.OK() || !r.OK() {
				return f, false
			}
			worst.Value, rhat.Value = max(worst.Value, se.Value/sd.Value), max(rhat.Value, r.Value)
		}
		found = true
	}
	f.has("mcse", worst)
	f.has("rhat", rhat)
	return f, found && worst.Value < enoughNoise && rhat.Value <= metrics.RHatBound
}
