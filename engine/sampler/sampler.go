// Package sampler is the contract of an update rule.
//
// Update rules are pure: no goroutine, no clock, no input or output. Everything that a rule remembers is in State. The
// Langevin step, which several families share, is here; the families are packages below, and package catalog lists
// their methods.
package sampler

import (
	"slices"
	"unsafe"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/nets/tool/pages"
	"github.com/psgld/psgld-tui/targets"
)

// Float is the arithmetic of a lane.
type Float = targets.Float

// State is all that a sampler remembers. It is plain data: copy it to save it, copy it back to rewind.
type State[F Float] struct {
	Theta []F    // θ_t
	V     []F    // the preconditioner's second-moment average V_t
	Own   [][]F  // what a Beginner keeps besides: momentum, a thermostat, a student; else nil
	Step  uint64 // t, steps done
}

// NewState returns the state at step 0 at θ.
func NewState[F Float](theta []F) State[F] {
	s := State[F]{Theta: Vector[F](len(theta)), V: Vector[F](len(theta))}
	copy(s.Theta, theta)
	return s
}

// Vector returns n zeros that share no cache line with anything else. Lanes on different cores write their vectors at
// every step, and short ones would otherwise lie side by side. Long ones lie in large pages, if the system has these.
func Vector[F Float](n int) []F {
	const least = 128 / 4 // two lines, which processors fetch as a pair
	return pages.Vector[F](n, least)
}

// Copy makes s a copy of o, without allocating if s has the shape of o.
func (s *State[F]) Copy(o *State[F]) {
	if len(s.Theta) != len(o.Theta) {
		*s = NewState(o.Theta)
	}
	copy(s.Theta, o.Theta)
	copy(s.V, o.V)
	if !slices.EqualFunc(s.Own, o.Own, func(a, b []F) bool { return len(a) == len(b) }) {
		s.Own = nil
		for _, v := range o.Own {
			s.Own = append(s.Own, Vector[F](len(v)))
		}
	}
	for i, v := range o.Own {
		copy(s.Own[i], v)
	}
	s.Step = o.Step
}

// Clone returns a copy of s that shares nothing with it.
func (s *State[F]) Clone() State[F] {
	c := State[F]{Theta: slices.Clone(s.Theta), V: slices.Clone(s.V), Step: s.Step}
	for _, v := range s.Own {
		c.Own = append(c.Own, slices.Clone(v))
	}
	return c
}

// Bytes is the memory of the state's vectors.
func (s *State[F]) Bytes() int {
	var x F
	n := len(s.Theta) + len(s.V)
	for _, own := range s.Own {
		n += len(own)
	}
	return n * int(unsafe.Sizeof(x))
}

// Ask is what an evaluation is to return beside the gradient; 0 is nothing more.
type Ask uint8

// What can be asked for, together.
const (
	AskHess   Ask = 1 << iota // Hess, of a targets.HessianDiag
	AskLogLik                 // LogLik, of a targets.LikelihoodGradient
	AskFull                   // all of it over all data, not over the step's minibatch
)

// A Gradient evaluates the target on the step's minibatch wherever a kernel asks.
type Gradient[F Float] interface {
	// Eval returns the gradient at θ. The result is valid until the next call of Eval or Dropout.
	Eval(theta []F, ask Ask) *Eval[F]
	// Dropout is Eval with dropout and LogLik, for a targets.Stochastic. All calls in a step drop the same units.
	Dropout(theta []F, keep targets.Keep) *Eval[F]
	// Target and Batch are for methods that need more than a gradient: the target,
	// valid within the step, and the rows of the minibatch, nil for all data.
	Target() targets.Target[F]
	Batch() []int32
}

// An Eval is what Gradient.Eval returns.
type Eval[F Float] struct {
	Mean   []F     // ḡ = (1/n) Σ ∇ log p(d_i | θ)
	Second []F     // the ḡ that V sees: Mean, or one with gradient noise of its own
	Hess   []F     // the diagonal of the mean log-likelihood's Hessian, if asked for
	LogLik float64 // (1/n) Σ log p(d_i | θ), if asked for; on networks always
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
	// Eps is the step size of a method that varies it, as a cycle or an adaptation does; 0 where it is that of Params.
	Eps float64
	// Skip marks a state that is no draw, as in a warm-up or where a cycle explores.
	Skip bool
	// Objective estimates the ELBO of a variational family at one draw of q: Σ log p(d_i | θ) + log p(θ) - log q(θ). At
	// T ≠ 1 the last term is multiplied by T, and the sum bounds no evidence.
	Objective float64
	// Accept is the acceptance probability of a Metropolis–Hastings proposal. Divergent says that the proposal's
	// trajectory left the level set for good. Energy is U(θ) + K(p) at the trajectory's start, with its new momenta.
	Accept, Energy float64
	Divergent      bool
	// LogPost is the log density up to a constant, where draws of another program tell it.
	LogPost float64
	// OK is false if a coordinate is not finite, or beyond Limit, after the step.
	OK bool
}

// Limit is the |θ_i| beyond which a chain counts as diverged. No target here
// has mass near it, and an unstable chain passes it long before it overflows.
const Limit = 1e8

// Usable reports whether coordinates are finite and within Limit.
func Usable[F Float](all ...F) bool {
	bad := 0
	for _, x := range all {
		if !(x < Limit && x > -Limit) {
			bad++
		}
	}
	return bad == 0
}

// A Kernel is one update rule. It may keep scratch space, but nothing of one step that the next one reads.
type Kernel[F Float] interface {
	// Step advances s by one step and reports it in i. That is the i of this kernel's
	// last step, or a zero one, so that Step need not write fields that it never sets.
	Step(s *State[F], g Gradient[F], p *Params, z *noise.Normals[F], i *Info)
	// GainAt is element i of the diagonal G of the newest step; 1 before the first.
	GainAt(i int) F
}

// A Joint is a Kernel that moves each coordinate by itself, so that it can step several
// chains side by side in one State, each of whose vectors has that of one chain after the other.
// Every chain goes as it would by itself, to the bit.
type Joint[F Float] interface {
	Kernel[F]
	// Steps makes n steps, and writes θ after each of them to path, one after the other. It
	// reports nothing, and does not look whether a coordinate is Usable.
	Steps(s *State[F], g Gradient[F], p *Params, z *noise.Normals[F], path []F, n int)
}

// Bare is a Gradient that can be the target's alone.
type Bare[F Float] interface {
	// Bare returns the target and what Eval returns, if Eval with nothing more asked for is
	// the target's GradEach into Mean. Otherwise the target is nil.
	Bare() (targets.Several[F], *Eval[F])
}

// A Beginner is a Kernel that keeps vectors in State.Own.
type Beginner[F Float] interface {
	// Begin sets s.Own for the first step from s, at the start or where a lane changes
	// to the method. It leaves the rest of s alone.
	Begin(s *State[F], p *Params)
}

// A Proxy is a Kernel whose state predicts by other parameters than the θ of the
// step: a student's, or draws of a variational family.
type Proxy[F Float] interface {
	// Proxies is the number of parameter vectors that a prediction averages over.
	Proxies(p *Params) int
	// Proxy writes number n of them, from 0, to dst, given D standard normal numbers.
	Proxy(dst []F, s *State[F], n int, z []F)
}

// An Injector is a Kernel whose noise in θ does not have the variance T ε G.
type Injector interface {
	// Injected is the variance in each coordinate.
	Injected(p *Params) float64
}

// Parallel is a Kernel whose steps several cores can share.
type Parallel interface {
	// Spread has later steps use each, which calls task once for every i < n and returns when all calls have. Calls may
	// be concurrent and in any order, and take some microseconds each. With nil, Step makes them itself. The results
	// have the same bits either way. Step evaluates gradients before and after, never in a task.
	Spread(each func(n int, task func(worker, i int)))
}
