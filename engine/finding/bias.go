package finding

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// exactBias is the error of the covariance that the step size alone causes, with its Monte Carlo error, as parts of the
// target's variance, by that of the watched coordinates. ok is false where no closed form is known, or the chain cannot
// be trusted.
func exactBias(f *Found, s *engine.Snapshot, v *engine.LaneView) (size, noise float64, ok bool) {
	exact, cov := v.Values[quantity.CovBias], v.Values[quantity.CovError]
	if !exact.OK() || !cov.OK() || !(cov.Error > 0) {
		return 0, 0, false
	}
	f.has("cov_error", cov)
	f.has("cov_bias", exact)
	all := (v.TrueCov[0] + v.TrueCov[2]) / 2 * float64(s.Problem.Dim())
	return exact.Value / all, cov.Error / all, true
}

// excess is what the configurational temperature (θ-Eθ)·∇U/D is off T, relative to T: for a step it is E‖drift‖²/(εDT).
func excess(f *Found, v *engine.LaneView) (size, noise float64, ok bool) {
	t := v.Values[quantity.Temperature]
	if !t.OK() || !(t.Error > 0) || !(v.Temp > 0) {
		return 0, 0, false
	}
	f.has("temperature", t)
	return t.Value/v.Temp - 1, t.Error / v.Temp, true
}

// off is how far the draws are from the truth as functions, in its standard deviations: bias and Monte Carlo error
// together. That alone leaves four fifths of its standard error on average, as of |x| of a normal x.
func off(f *Found, v *engine.LaneView) (size, noise float64, ok bool) {
	e := v.Values[quantity.FnError]
	if !e.OK() || !(e.Error > 0) {
		return 0, 0, false
	}
	f.has("fn_error", e)
	return e.Value, e.Error, true
}

// offTruth is the coordinate that is farthest off the truth, in its mean or its sd, as a part of its true variance. As
// a severity it is, as other biases are, a part of all variances.
func offTruth(f *Found, s *engine.Snapshot, v *engine.LaneView) (size, noise float64, ok bool) {
	far := v.Farthest
	if far == nil || !far.Off.OK() {
		return 0, 0, false
	}
	e := far.Off
	f.Coordinate, f.Evidence = far.Name, nil
	x := math.Abs(e.Value)
	if size = x * leastBias / leastOff; far.Of == quantity.Mean {
		f.has("mean_off", e)
	} else {
		f.has("sd_off", e)
		size = math.Abs(e.Value * (2 + e.Value))
	}
	if f.Severity = size / float64(s.Problem.Dim()); v.TrueCov[0] > 0 && v.TrueCov[2] > 0 {
		f.Severity *= 2 * far.TrueSD * far.TrueSD / (v.TrueCov[0] + v.TrueCov[2])
	}
	return size, e.Error / x * size, true // to be clear of 0 as e is
}

// biasOf has the first of these that is known as a finding's severity and evidence, and returns its standard error.
func biasOf(f *Found, s *engine.Snapshot, v *engine.LaneView) (noise float64, ok bool) {
	size, noise, ok := exactBias(f, s, v)
	if !ok {
		size, noise, ok = off(f, v)
	}
	if !ok {
		size, noise, ok = excess(f, v)
	}
	f.Severity = math.Abs(size)
	return noise, ok
}

// Parts of the target's variance: the least bias of which there is a finding, and that to which an ε is proposed.
const leastBias, wantedBias = 0.04, 0.02

// leastOff is in the truth's sd the least bias of a mean, as far as that of a variance is leastBias.
const leastOff = 0.1

// bias is a difference from the target that more draws do not lower: the exact one where its closed form is known, else
// that of the function or the temperature from T, else that of a coordinate from the truth. A mean that is so far off
// that the lane is not trusted comes before these.
func bias(s *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	noise, ok := biasOf(&f, s, v)
	if v.Trust[quantity.Chain] == metrics.Bias && !v.Facts.Has(quantity.Metropolis) {
		if _, _, ok := offTruth(&f, s, v); !ok {
			f.Evidence = nil
			f.has("draws", metrics.Exact(float64(v.Draws)))
		}
		if v.Setting.Has(sampler.KeyEps) {
			f.Proposes = set(sampler.KeyEps, v.Setting.Eps()*state.RescueFactor(s.Problem, v.Setting, nil))
		}
		return f, true
	}
	size := f.Severity
	is := func() bool { return ok && size >= leastBias && clearly(size, noise, 0) }
	if !is() {
		size, noise, ok = offTruth(&f, s, v)
	}
	if !is() || v.Facts.Has(quantity.Metropolis) {
		return f, false
	}
	step, ofGamma := mostlyGamma(v, size, noise)
	// What is not the step's is the preconditioner's. A nearer α comes first, unless what Γ leaves is clearly below
	// leastBias.
	if v.Setting.Or("alpha", 1) < steadyAlpha {
		ofGamma = !clearly(step.Value-size, libm.Hypot(noise, step.Error), -leastBias)
	}
	switch {
	case dropsGamma(v) && ofGamma: // a smaller ε makes it larger: V then forgets in less of the chain's time
		f.Proposes = lessGamma(v)
	case v.Setting.Has(sampler.KeyEps):
		f.Proposes = set(sampler.KeyEps, v.Setting.Eps()*min(max(wantedBias/size, 0.1), 0.5))
	}
	return f, true
}

// From steadyAlpha on G changes so slowly that to leave Γ out costs little.
const steadyAlpha = 0.999

// mostlyGamma reports whether a bias is clearly several times that of the step, which it returns.
func mostlyGamma(v *engine.LaneView, size, noise float64) (step metrics.Estimate, is bool) {
	const margin = 3
	step = stepBias(v)
	return step, clearly(size, libm.Hypot(noise, margin*step.Error), margin*step.Value)
}

// lessGamma proposes such an α, else Γ; empty where there is neither.
func lessGamma(v *engine.LaneView) string {
	switch {
	case v.Setting.Or("alpha", 1) < steadyAlpha:
		return "alpha=0.9999"
	case v.Setting.Has("gamma"):
		return "gamma=on"
	}
	return ""
}

// dropsGamma reports whether a lane's method has a term Γ that it leaves out.
func dropsGamma(v *engine.LaneView) bool {
	return v.Setting.Has("alpha") && v.Setting.Or("gamma", 0) == 0
}

// stepBias is what a step and its minibatches add to the temperature, at most, as a part of it: E‖drift‖²/E‖noise‖²
// over the points of the history, with the standard error of points that are independent. It is NaN where
// these are few.
func stepBias(v *engine.LaneView) metrics.Estimate {
	const points = 8
	var drift2, noise2 quantity.OverSeeds
	for i := range v.History {
		p := &v.History[i]
		if d, e := p.Of(quantity.Drift), p.Of(quantity.Noise); p.Step >= v.Start && d > 0 && e > 0 {
			drift2.Add(metrics.Exact(float64(d * d)))
			noise2.Add(metrics.Exact(float64(e * e)))
		}
	}
	if drift2.N < points {
		return metrics.Exact(math.NaN())
	}
	ratio := drift2.Mean / noise2.Mean
	return metrics.Known(ratio, libm.Hypot(drift2.SE, float64(ratio*noise2.SE))/noise2.Mean, uint64(drift2.N))
}

// gamma is a bias of a method that leaves Γ out, too large to be one of its step or its minibatches. Γ is a part of it:
// G also follows the newest gradients, the more so the smaller α is.
func gamma(_ *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	size, noise, ok := excess(&f, v)
	if !ok || !dropsGamma(v) || size < 2*leastBias {
		return f, false
	}
	step, found := mostlyGamma(v, size, noise)
	f.has("bias_of_step", step)
	f.Proposes = lessGamma(v)
	return f, found
}
