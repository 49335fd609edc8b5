// Package sampler holds the update rules. They are pure: no goroutine, no
// clock, no input or output. Everything that a rule remembers is in State.
package sampler

import (
	"slices"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/targets"
)

// Float is the arithmetic of a lane.
type Float = targets.Float

// State is all that a sampler remembers. It is plain data: copy it to save it,
// copy it back to rewind.
type State[F Float] struct {
	Theta []F    // θ_t
	V     []F    // the preconditioner's second-moment average V_t
	Step  uint64 // t, steps done
}

// NewState returns the state at step 0 at θ.
func NewState[F Float](theta []F) State[F] {
	s := State[F]{Theta: Vector[F](len(theta)), V: Vector[F](len(theta))}
	copy(s.Theta, theta)
	return s
}

// Vector returns n zeros that share no cache line with anything else: lanes
// write theirs at every step, on different cores, and a vector of two numbers
// would else lie beside the next lane's.
func Vector[F Float](n int) []F {
	const least = 128 / 4 // two lines, which processors fetch as a pair
	return make([]F, n, max(n, least))
}

// Set makes s a copy of o of the same dimension, without allocating.
func (s *State[F]) Set(o *State[F]) {
	copy(s.Theta, o.Theta)
	copy(s.V, o.V)
	s.Step = o.Step
}

// Clone returns a copy of s that shares nothing with it.
func (s *State[F]) Clone() State[F] {
	return State[F]{Theta: slices.Clone(s.Theta), V: slices.Clone(s.V), Step: s.Step}
}

// A Gradient evaluates the step's minibatch gradient wherever a kernel asks.
type Gradient[F Float] interface {
	// Eval returns the gradient at θ. With hess it fills Hess too, which only
	// targets that are targets.HessianDiag can. What it returns is the
	// gradient's own and good until the next call.
	Eval(theta []F, hess bool) *Eval[F]
}

// An Eval is what Gradient.Eval returns.
type Eval[F Float] struct {
	Mean   []F // ḡ = (1/n) Σ ∇ log p(d_i | θ)
	Second []F // the ḡ that V sees: Mean, or one with gradient noise of its own
	Hess   []F // the diagonal of the mean log-likelihood's Hessian, or nil
}

// Params are the values in force at a step.
type Params struct {
	Eps       float64   // ε_t
	Temp      float64   // T
	N         float64   // number of data, 1 for a density without
	PriorPrec float64   // 1/σ² of the prior N(0, σ²I), 0 for none
	Own       []float64 // the method's own parameters, in the order it declares them
}

// Info says what a step did.
type Info struct {
	Drift2, Noise2 float64 // squared norms of the drift and of the injected noise
	GMin, GMax     float64 // range of the preconditioner G
	// Virial is θ·∇U(θ) at the step's start, ∇U = -(∇ log p(θ) + Nḡ), whose mean
	// over a sampler of p^(1/T) is T·D: the configurational temperature times D.
	Virial float64
	// OK is false if a coordinate is not finite, or beyond Limit, after the step.
	OK bool
}

// Limit is the |θ_i| beyond which a chain counts as diverged. No target here
// has mass near it, and an unstable chain passes it long before it overflows.
const Limit = 1e8

// A Kernel is one update rule. It may keep scratch space, but nothing of one
// step that the next one reads.
type Kernel[F Float] interface {
	// Step advances s by one step and says in i what it did.
	Step(s *State[F], g Gradient[F], p *Params, z *noise.Normals[F], i *Info)
	// Gain returns the diagonal G of the newest step, nil where it is 1. The
	// caller does not keep it.
	Gain() []F
	// GainAt is the G of coordinate i of the newest step; 1 before the first. It
	// takes no pass over memory, which Gain may.
	GainAt(i int) F
}

// Parallel is a Kernel whose steps several cores can share.
type Parallel interface {
	// Spread has steps done by way of each, which calls task once for every
	// i < n and returns when all is done; the calls may be at the same time and
	// in any order, and take some microseconds each. With nil, the caller does
	// all. The results are the same bits. Gradients are evaluated by the caller.
	Spread(each func(n int, task func(worker, i int)))
}
