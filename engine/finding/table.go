package finding

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// Table are the findings in the order of their importance.
var Table = []Entry{
	{Key: "diverged", lane: diverged},
	{Key: "too-short", lane: tooShort},
	{Key: "bias", lane: bias},
	{Key: "cold", lane: cold},
}

// clear is how many joint standard errors a difference has to have. 5 leaves room for the many looks at a session.
const clear = 5

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
const Rescue = "rewind and halve ε"

// fewest is how many draws a chain must have at least, at τ = ½.
const fewest = 75

func tooShort(s *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	why := v.Trust[quantity.Chain]
	if !v.Facts.Has(quantity.Sampling) || why != metrics.TooShort && why != metrics.Skewed {
		return f, false
	}
	f.has("draws", metrics.Exact(float64(v.Draws)))
	f.steps(s, v, max(float64(v.Needed), 2*float64(v.Draws), fewest)-float64(v.Draws))
	return f, true
}

// bias is a difference from the target that more draws do not lower: the exact one where its closed form is known, else
// that of the configurational temperature (θ-E θ)·∇U/D from T, which for a step is E‖drift‖²/(εD).
func bias(_ *engine.Snapshot, v *engine.LaneView) (f Found, found bool) {
	const least, wanted = 0.04, 0.02 // as parts of the target's variance
	size := math.NaN()
	if exact, cov := v.Values[quantity.CovBias], v.Values[quantity.CovError]; exact.OK() && cov.OK() {
		noise := covNoise(v)
		if !(exact.Value >= clear*noise/2) {
			return f, false
		}
		cov.Error = noise
		f.has("cov_error", cov)
		f.has("cov_bias", exact)
		size = exact.Value / (v.TrueCov[0] + v.TrueCov[2])
	} else if t := v.Values[quantity.Temperature]; t.OK() && v.Temp > 0 {
		if !(math.Abs(t.Value-v.Temp) >= clear*t.Error) {
			return f, false
		}
		f.has("temperature", t)
		size = math.Abs(t.Value-v.Temp) / v.Temp
	}
	if !(size >= least) || v.Facts.Has(quantity.Metropolis) {
		return f, false
	}
	f.Severity = size
	switch set_ := v.Setting; {
	case set_.Sampler == "psgld" && set_.Or("gamma", 0) == 0 && set_.Or("alpha", 1) < 0.999:
		f.Proposes = "alpha=0.9999" // Γ is left out, which costs the less the slower G changes
	case set_.Has(sampler.KeyEps):
		f.Proposes = set(sampler.KeyEps, set_.Eps()*min(max(wanted/size, 0.1), 0.5))
	}
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
