// Package check says whether somebody's draws are what a method gives on a target.
//
// The method is simulated as it was published, and once with each of the known faults, by the
// kernels with which sessions run. The same facts are taken of the draws and of each
// simulation: means, variances and lag-1 autocorrelations of coordinates, the
// configurational temperature and, where each state is a draw, the drift and the noise of a
// step. A fact that differs by more standard errors than chance allows is a fact against
// the method; a fault of which no fact differs explains the draws.
//
// Standard errors are a jackknife's over batches of draws. The bound is Student's, at the level
// over the number of facts (Bonferroni). Nothing is told of what batches are too short for.
package check

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// Claim is what draws are said to be: those of the one lane of a Config on a target.
type Claim struct {
	Config  state.Config
	Problem *targets.Problem
}

// Draws are the kept states of chains, in order. Draw t of a chain is the numbers tD to tD+D-1 of its slice.
type Draws struct {
	Dim    int
	Chains [][]float64

	before [][]float64 // what each chain had before its first draw here, or nil
	second [][]float64 // V at each chain's first draw, or nil where that is not known
}

// Count is the number of draws of all chains.
func (d Draws) Count() int {
	n := 0
	for _, c := range d.Chains {
		n += len(c) / d.Dim
	}
	return n
}

// Verdict is what a check comes to.
type Verdict uint8

// The verdicts.
const (
	TooFew       Verdict = iota // a factor of two in drift or noise would not show in so few draws
	Consistent                  // no fact is against the method
	Inconsistent                // at least one is
)

// Report is what a check finds.
type Report struct {
	Verdict Verdict
	Draws   int
	// Needed is about how many draws would tell, where there are too few.
	Needed int
	Facts  []Fact
	// Faults explain the draws, best first. Those of one list cannot be told apart by these draws.
	Faults [][]Fault
	// Diverges says that the method itself leaves all bounds at this step size.
	Diverges bool
	// Unseen are faults that the draws neither show nor rule out.
	Unseen []Unseen
}

// Fact is a number that the method predicts.
type Fact struct {
	Name string
	// Expected is the method's, and Found that of the draws. SE is the standard error of their difference, and Z the
	// difference in standard errors, on the scale on which it is about normal. What cannot be trusted is NaN.
	Expected, Found, SE, Z float64
	// Simulated is the standard error of Expected where that is of a simulation, and 0 where it is known exactly.
	Simulated float64
	// Fails says that chance does not explain the difference.
	Fails bool
}

// Fault is a known fault of implementations.
type Fault struct {
	Key  string // as --json names it
	What string // what is wrong, a sentence
	Want string // how the right line reads
}

// Unseen is a fault with about the number of draws that would show it, 0 where no number would.
type Unseen struct {
	Fault  Fault
	Needed int
}

const (
	// level is the probability at which right draws are accused.
	level = 0.003
	// batches is how many the jackknife has, of all chains.
	batches = 32
	// perBatch is how many effective draws a batch needs.
	perBatch = 10
	// simulated is how many chains a simulation has, and longer how many times as many draws.
	simulated, longer = 8, 2
	// margin is by how much more than the bound a fault must show to count as ruled out.
	margin = 1.3
)

// Check holds draws against a claim. The error is a *state.Refusal where the claim cannot be checked, or that of ctx.
func Check(ctx context.Context, c Claim, d Draws) (*Report, error) {
	right, err := newSetup(c)
	if err != nil {
		return nil, err
	}
	if d.Dim != c.Problem.Dim() {
		return nil, fmt.Errorf("draws have %d coordinates, the target has %d", d.Dim, c.Problem.Dim())
	}
	if right.still() {
		return right.retrace(ctx, d)
	}
	if n := d.beyond(); n > 0 {
		share := float64(n) / float64(d.Count())
		return &Report{Verdict: Inconsistent, Draws: d.Count(), Facts: []Fact{{Name: "share of draws beyond 1e8", Found: share, SE: math.NaN(), Z: math.NaN(), Fails: true}}}, nil
	}
	k := newChecker(right, d)
	if err := k.simulate(ctx); err != nil {
		return nil, err
	}
	return k.report(), nil
}

// Forgets is the number of steps after which V has forgotten its start: e⁻¹⁰ of it is left. A start at zero makes a
// first step that is large, and V remembers its gradients for 1/(1-α) steps.
func Forgets(alpha float64) int { return int(math.Ceil(10 / (1 - alpha))) }

// forgets is that number in draws, 0 of a method without V.
func (s *setup) forgets() int {
	a, ok := s.own("alpha")
	if !ok {
		return 0
	}
	return Forgets(a) / s.thin
}

// after leaves out what the burn-in says: a tenth of each chain where it says nothing, as starts are seldom draws.
// Nothing counts before V has forgotten its start.
func (d Draws) after(s *setup) Draws {
	skip := int(s.config.Lanes[0].Or(sampler.KeyBurnIn, 0)) / s.thin
	kept := Draws{Dim: d.Dim}
	for _, c := range d.Chains {
		n := len(c) / d.Dim
		from := skip
		if skip == 0 {
			from = n / 10
		}
		from = min(max(from, s.forgets()), n) * d.Dim
		kept.before = append(kept.before, c[:from])
		kept.Chains = append(kept.Chains, c[from:n*d.Dim])
	}
	return kept
}

// newSetup is the method as published, or a Refusal.
func newSetup(c Claim) (*setup, error) {
	refuse := func(field, value, why string) (*setup, error) {
		return nil, &state.Refusal{Lane: state.AllLanes, Field: field, Value: value, Why: why}
	}
	if len(c.Config.Lanes) != 1 {
		return refuse("samplers", fmt.Sprint(len(c.Config.Lanes)), "are more than a check can have; want one method")
	}
	lane := c.Config.Lanes[0]
	m, ok := catalog.Find(lane.Sampler)
	if !ok {
		return nil, state.UnknownSampler(lane.Sampler)
	}
	if err := lane.Validate(c.Problem); err != nil {
		return nil, err
	}
	switch {
	case c.Problem.F64 == nil:
		return refuse("target", c.Problem.Spec, "cannot be checked: a network has too many simulations to make")
	case c.Problem.Outside():
		return refuse("target", c.Problem.Spec, "cannot be checked: it needs a target within the program")
	case !slices.Contains(able, m.Name):
		return refuse("method", m.Name, "cannot be checked: its path does not repeat itself, or draws do not show its state")
	case !lane.Schedule.Constant():
		return refuse("schedule", "", "cannot be checked: draws of a changing step have no stationary distribution")
	case lane.Or("freeze", 0) > 0:
		return refuse("freeze", "", "cannot be checked: draws do not show the preconditioner that was frozen")
	}
	s := &setup{
		problem: c.Problem, config: c.Config, method: m, params: state.ValuesInForce(c.Problem, m, lane),
		batch: int(lane.Or(sampler.KeyBatch, 0)), thin: max(1, int(lane.Or(sampler.KeyThin, 1))), drift: 1,
	}
	if s.batch >= c.Problem.N() || !c.Problem.HasData() {
		s.batch = 0
	}
	// A warm-up has no draws; what it comes to is the ε that was given.
	for _, key := range []string{"adapt", "warmup", "mass"} {
		s.setOwn(key, 0)
	}
	return s, nil
}
