package sampler

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// Kind is what a method's path is.
type Kind uint8

// The kinds.
const (
	// Sampling: a Markov chain. Its draws have an autocorrelation time and an
	// effective size, and predictions average over them.
	Sampling Kind = iota
	// Optimising: a path to a point, without temperature and burn-in. Predictions are those of the newest θ.
	Optimising
	// Variational: a family of distributions that is fitted. θ is a draw of the
	// newest member; predictions average over several (Proxy).
	Variational
)

// String names the kind as in "is an optimiser, no sampler".
func (k Kind) String() string { return [...]string{"sampler", "optimiser", "variational family"}[k] }

// A Method is an update rule with all that is said of it anywhere: the command
// line, the pickers, the parameter strip and the help read nothing else.
type Method struct {
	Name     string // on the command line; it may have colons
	Title    string // on the screen
	Doc      string
	Equation string
	Source   string
	Kind     Kind
	Params   []param.Param // its own, beside Common
	Without  []string      // keys of Common that it lacks beside its kind; without batch a step takes all data
	Plain    bool          // without a preconditioner: its step size is on another scale
	// Metropolis says that it accepts or rejects, and sets Info.Accept.
	Metropolis bool
	// New64 and New32 make a kernel for a target. They call only methods of it that
	// need no scratch memory; steps use Gradient.Target. One of both may be nil.
	New64 func(t targets.Target[float64]) Kernel[float64]
	New32 func(t targets.Target[float32]) Kernel[float32]
	// Trail makes what follows the method from draw to draw. It is nil where draws do not show all that a step hangs
	// on: those of such a method cannot be checked, but where Alone says that θ is all of it.
	Trail func(dim int) Trail
	Alone bool
	// Unfit returns why the method does not run on a problem, such as "needs the
	// log-likelihood of all data", or an empty string. It is nil where the method runs
	// on all, but for targets in the arithmetic that New64 or New32 lacks.
	Unfit func(p *targets.Problem) string
	// Suit changes the default values for a problem. They come with the problem's own
	// defaults, or else the parameters'. It is nil where these stay.
	Suit func(p *targets.Problem, values map[string]float64)
	// StationaryCov writes to dst the exact stationary covariance (row-major D×D) of the method's discretisation on a
	// target, and reports whether it is known. It is nil where it never is.
	StationaryCov func(dst []float64, target any, p *Params) bool
	// Halve makes parameters those of a step of half the size: two such steps take the place of one. It is nil where
	// none do. Expands says that the bias of the discretisation is then about half as large, by an expansion in the step
	// size that is known. Without one a chain can be compared with itself at a smaller step, and no more is known.
	Halve   func(p *Params)
	Expands bool
	// MaxStep is asked after a divergence, with the last step's Info. It returns the bound below which the method is
	// known to be stable on a target, or NoBound; nil where none is ever known.
	MaxStep func(target any, p *Params, i *Info) Bound
}

// All lists all parameters that the method has: ε first, its own, and the rest of the common ones.
func (m Method) All() []param.Param {
	all := make([]param.Param, 0, len(common)+len(m.Params))
	for i := range common {
		if q := &common[i]; !m.lacks(q.Key) {
			all = append(all, *q)
		}
		if i == 0 { // the place of ε
			all = append(all, m.Params...)
		}
	}
	return all
}

// Param returns one of All by its key.
func (m Method) Param(key string) (param.Param, bool) {
	if q, _, ok := param.Find(m.Params, key); ok {
		return q, true
	}
	q, _, ok := param.Find(common, key)
	if m.lacks(key) {
		return param.Param{}, false
	}
	return q, ok
}

// lacks reports whether a common parameter is none of the method's.
func (m Method) lacks(key string) bool {
	return slices.Contains(m.Without, key) || m.Kind == Optimising && (key == KeyTemp || key == KeyBurnIn)
}

// Misfit says why the method does not run on a problem, or is empty.
func (m Method) Misfit(p *targets.Problem) string {
	switch {
	case m.Unfit != nil && m.Unfit(p) != "":
		return m.Unfit(p)
	case p.F32 != nil && m.New32 == nil:
		return "is not for networks"
	case p.F64 != nil && m.New64 == nil:
		return "is for networks alone"
	case p.Draws() && !slices.Contains(m.Without, KeyEps):
		return "needs a density, which --target names"
	}
	return ""
}

// Keys of the parameters that every method has.
const (
	KeyEps      = "eps"
	KeyTemp     = "temp"
	KeyBatch    = "batch"
	KeyThin     = "thin"
	KeyBurnIn   = "burn-in"
	KeyPriorVar = "prior-var"
)

// Common declares the parameters that every method has, ε first.
func Common() []param.Param { return slices.Clone(common) }

var common = []param.Param{
	{Key: KeyEps, Symbol: "ε", Doc: "step size", Scale: param.Log, Min: 0, OpenMin: true, Max: math.Inf(1), Lo: 1e-8,
		Hi: 10, Default: 0.1},
	{Key: KeyTemp, Symbol: "T", Doc: "temperature: 1 samples the posterior, 0 optimises", Scale: param.Log, Min: 0,
		Max: math.Inf(1), Lo: 1e-6, Hi: 10, Default: 1},
	{Key: KeyBatch, Symbol: "batch", Doc: "minibatch size, or full for all data", Scale: param.Integer, Zero: "full",
		Min: 0, Max: param.MaxInteger, Lo: 1, Hi: 1e4, NeedsData: true},
	{Key: KeyPriorVar, Symbol: "σ²", Doc: "variance of the prior N(0, σ²)", Scale: param.Log, Min: 0, OpenMin: true,
		Max: math.Inf(1), Lo: 1e-3, Hi: 1e5, Default: 1, NeedsData: true},
	{Key: KeyThin, Symbol: "thin", Doc: "steps from one kept draw to the next", Scale: param.Integer, Min: 1,
		Max: param.MaxInteger, Lo: 1, Hi: 1e4, Default: 1},
	{Key: KeyBurnIn, Symbol: "burn-in", Doc: "steps dropped at the start", Scale: param.Integer, Min: 0,
		Max: param.MaxInteger, Lo: 0, Hi: 1e6},
}
