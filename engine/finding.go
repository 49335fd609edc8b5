package engine

import (
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
)

// A Finding is what matters of a session, as a document has it: its Key is that of the table of engine/finding.
type Finding struct {
	Key        string         `json:"key"`
	Lane       string         `json:"lane,omitempty"` // A to D; empty of all lanes together
	Quantities map[string]Num `json:"quantities"`     // its evidence by key; a standard error has "_se" behind it
	Proposes   string         `json:"proposes"`       // a command as it is typed; empty for none
	Text       string         `json:"text"`
}

// Least is how many draws a lane's window needs at least to be trusted: by its τ so far, else twice as many.
func (v *LaneView) Least() uint64 {
	const fewest = 75 // at τ = ½
	if v.Needed > v.Draws {
		return v.Needed
	}
	return max(2*v.Draws, fewest)
}

// Further is how many steps more a lane takes until its window has so many draws, and in how many seconds at the
// present speed; 0 where that is not known.
func (s *Snapshot) Further(v *LaneView, draws uint64) (steps, seconds float64) {
	chains := float64(max(len(v.Chains), 1))
	steps = float64(float64(draws-min(draws, v.Draws)) / chains * max(v.Setting.Or(sampler.KeyThin, 1), 1))
	if v.Burning {
		steps += max(v.Setting.Or(sampler.KeyBurnIn, 0)-float64(v.Step), 0)
	}
	if rate := s.stepsPerSecond(v); rate > 0 {
		seconds = steps * chains / rate
	}
	return steps, seconds
}

// stepsPerSecond is how many steps the chains of a lane make in a second at the present speed, 0 where that is unknown.
func (s *Snapshot) stepsPerSecond(v *LaneView) float64 {
	if v.Diverged != nil || !(s.Rate > 0) {
		return 0
	}
	own, all, running := v.Values[quantity.StepsPerSecond].Trusted(), 0.0, 0.0
	for i := range s.Lanes {
		if u := &s.Lanes[i]; u.Diverged == nil {
			running++
			all += u.Values[quantity.StepsPerSecond].Trusted()
		}
	}
	steps := s.Rate / running
	if s.Config.Race && own > 0 && all > 0 { // each at its own speed
		steps = s.Rate * own / all
	}
	if most := s.Speed * float64(max(len(v.Chains), 1)); most > 0 {
		steps = min(steps, most)
	}
	return steps
}

// CovBias is the interval in which the part of a lane's covariance error lies that more draws do not lower: one value
// where it is known exactly, and else, with a confidence of 95%,
//
//	error - noise - 2 se   to   error + 2 se,
//
// since Σ|b| <= E Σ|b+n| <= Σ|b| + E Σ|n| for the biases b and the noises n of the covariance's entries, where E Σ|n|
// is the noise in the covariance error. ok is false where it is not known, and of an exact method, which has none.
func (v *LaneView) CovBias() (low, high float64, ok bool) {
	exact, e, noise := v.Values[quantity.CovBias], v.Values[quantity.CovError], v.Values[quantity.CovNoise]
	if exact.OK() {
		return exact.Value, exact.Value, true
	}
	ok = e.OK() && e.Error > 0 && noise.OK() && !v.Facts.Has(quantity.Metropolis)
	within := 2 * e.Error
	return max(e.Value-noise.Value-within, 0), e.Value + within, ok
}
