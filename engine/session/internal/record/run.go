// Package record keeps what is measured of a lane's draws. Package measure reads it.
//
// How it works. A [Run] is what a lane runs and where it stands. The lane steps it and has [Records] keep draws. A
// draw's tracked coordinates wait in a block. When that is full, it goes to the recorders of the chain
// ([metrics.Recorder]). θ in full goes to the witnesses ([Witness]), as it is drawn. Records open windows, and copy
// what a keyframe holds.
//
// A new statistic is a file with a recorder or a witness, and a line in [Chain.record] or [New].
package record

import (
	"cmp"
	"math"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A Run is what a lane runs and where it stands. The lane changes it.
type Run[F sampler.Float] struct {
	State
	ID      int
	Problem *targets.Problem
	Target  targets.Target[F] // of Problem, or a copy of it for this lane alone
	Method  sampler.Method
	Params  sampler.Params // in force
	Chains  []*Chain[F]    // with a method and a setting in common
	First   *Chain[F]      // of Chains, which is the one that is shown where one is
	Tracked []int          // coordinates with statistics
	Thin    uint64         // steps that draws lie apart
	Clock   func() Times   // of the lane, on the goroutine that steps it
	shown   []float64      // scratch of Shown
	Spent   time.Duration  // on steps and draws, since the lane was made
}

// State is what a keyframe holds of a Run beside its chains. Keyframes share the memory that it refers to: maps and
// values that are never changed in place, and slices that are only appended to, which a copy clips.
type State struct {
	Config      state.Config
	Setting     state.Setting
	Begun       *targets.Problem // the target with which its start was found
	Periods     []engine.Period  // settings in force, from the start on
	Odometer    uint64           // steps executed, which a rewind does not turn back
	Digests     []engine.Digest  // of some steps
	Diverged    *state.Divergence
	Took, Aside Times  // by sampling, and by evaluation and the like in the midst of it
	Kept        uint64 // draws of all chains, over all windows
	Window      Window
	Passage     trace.Passage
}

// A Window is the newest stretch of draws, of which the statistics are.
type Window struct {
	Start     uint64         // step
	Draws     uint64         // of all chains
	Gradients uint64         // evaluated before it, by all chains
	Before    *engine.Window // the one before, to compare with
}

// Step is the number of the newest step.
func (r *Run[F]) Step() uint64 { return r.First.State.Step }

// Rounds is how many draws each chain has kept.
func (r *Run[F]) Rounds() uint64 { return r.Kept / uint64(len(r.Chains)) }

// PerChain is how many draws of the window each chain has.
func (r *Run[F]) PerChain() uint64 { return r.Window.Draws / uint64(len(r.Chains)) }

// EpsAt is the step size of the step from a state of that many steps.
func (r *Run[F]) EpsAt(step uint64) float64 {
	return r.Setting.Eps() * r.Setting.Schedule.Factor(step, r.StepsPerEpoch())
}

// PresentEps is the step size of the next step, or that to which the method has adapted it.
func (r *Run[F]) PresentEps() float64 { return cmp.Or(r.First.Info.Eps, r.EpsAt(r.Step())) }

// Weight is that of a draw in averages: its step size, or 1 for methods whose draws do not stand for a stretch of
// time or that vary the step size by themselves.
func (r *Run[F]) Weight() float64 {
	if r.Drawn() || r.Method.Metropolis || r.Method.Kind != sampler.Sampling || r.First.Info.Eps != 0 {
		return 1
	}
	return r.Params.Eps
}

// Drawn reports whether the draws are another program's, of whose steps nothing is known.
func (r *Run[F]) Drawn() bool { return r.Method.Name == catalog.Source.Name }

// StepsPerEpoch is N/n.
func (r *Run[F]) StepsPerEpoch() float64 {
	if n := r.First.Grad.N; n > 0 {
		return float64(r.Problem.N()) / float64(n)
	}
	return 1
}

// Epoch is how many passes over the data there were, NaN without data.
func (r *Run[F]) Epoch() float64 {
	if !r.Problem.HasData() {
		return math.NaN()
	}
	return float64(r.Step()) / r.StepsPerEpoch()
}

// GradientCount is how many gradients the chains have evaluated.
func (r *Run[F]) GradientCount() uint64 {
	return list.Sum(r.Chains, func(c *Chain[F]) uint64 { return c.Gradients })
}

// Converges reports whether θ itself converges, which a network's need not.
func (r *Run[F]) Converges() bool { return r.Problem.F64 != nil }

// NewestAlone reports whether the lane predicts by its newest state, and not by the average over its draws.
func (r *Run[F]) NewestAlone() bool { return r.Method.Kind != sampler.Sampling || r.proxy() != nil }

// Points reports whether the lane's function is that of its newest state: an optimiser's, whose path is no draws, or
// that of a student, which learns the average over the draws.
func (r *Run[F]) Points() bool {
	return r.Method.Kind == sampler.Optimising || r.Method.Kind == sampler.Sampling && r.proxy() != nil
}

// proxy is the kernel of the first chain, if the vectors that it predicts by are not its states; else nil.
func (r *Run[F]) proxy() sampler.Proxy[F] {
	p, _ := r.First.Kernel.(sampler.Proxy[F])
	return p
}

// Samples reports whether the lane samples now: it has not diverged, and its sampler injects noise.
func (r *Run[F]) Samples() bool {
	return r.Diverged == nil && r.Method.Kind == sampler.Sampling && !r.Noiseless()
}

// Noiseless reports whether a sampler injects no noise: T is 0, or the newest step had none. SGHMC's has none where
// it takes all noise to be in the gradient.
func (r *Run[F]) Noiseless() bool {
	return !r.Drawn() && (r.Params.Temp == 0 ||
		!r.Method.Metropolis && !r.First.Info.Skip && r.Step() > 0 && r.First.Info.Noise2 == 0)
}

// Injected is the variance of the noise in a coordinate at step size eps.
func (r *Run[F]) Injected(eps float64, i int) float64 {
	if k, ok := r.First.Kernel.(sampler.Injector); ok {
		p := r.Params
		p.Eps = eps
		return k.Injected(&p)
	}
	gain := 1.0 // the newest G of the coordinate
	if r.Step() > 0 {
		gain = float64(r.First.Kernel.GainAt(i))
	}
	return r.Params.Temp * eps * gain
}

// LogDensity is the target's log-likelihood, nil if it has none.
func (r *Run[F]) LogDensity() targets.LogDensity[F] {
	d, _ := r.Target.(targets.LogDensity[F])
	return d
}

// LogPrior is -‖θ‖²/(2σ²), and NaN for a method with a prior of its own.
func (r *Run[F]) LogPrior(theta []F) float64 {
	if r.Problem.HasData() && !r.Problem.OwnPrior && !r.Setting.Has(sampler.KeyPriorVar) {
		return math.NaN()
	}
	sum := 0.0
	for _, x := range theta {
		sum += float64(float64(x) * float64(x))
	}
	return -r.Params.PriorPrec * sum / 2
}

// Shown returns the parameters at θ. Where they have a scale of their own they are good until the next call.
func (r *Run[F]) Shown(theta []F) []F {
	if r.Problem.Scale == nil {
		return theta
	}
	at, ok := any(theta).([]float64)
	if !ok {
		return theta
	}
	if r.shown == nil {
		r.shown = make([]float64, len(theta))
	}
	scale, own := any(r.Target).(targets.Scale) // of a model in a process of its own
	if !own {
		scale = r.Problem.Scale
	}
	scale.Show(r.shown, at)
	shown, _ := any(r.shown).([]F)
	return shown
}

// AsideSince counts the time from start on as none of sampling.
func (r *Run[F]) AsideSince(start Times) { r.Aside = r.Aside.Add(r.Clock().Sub(start)) }
