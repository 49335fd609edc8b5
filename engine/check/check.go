// Package check says whether somebody's draws are what a method gives on a target.
//
// Its facts are of single steps, and exact given the draws before: under the claim each has mean zero with a known
// error, whether or not the chain has converged, and nothing that is wrong can inflate its own error. Where draws show
// all that a step hangs on, which a sampler.Trail says, the fact is the noise of the step: what the draws leave when
// the drift is taken off must be independent standard normals. Where θ is all of it, each transition is simulated
// again. Where neither holds, averages over all draws are compared with those of a simulation, once there are draws
// enough of an equilibrium. What cannot be by chance, as noise that comes again or is that of another chain, is a fact
// of its own.
//
// A fault explains the draws where no fact fails under it, by the same facts at the same level. Those of a fixed size
// are tried before those that are fitted, and pairs last. What differs from the claim and is right is a variant.
package check

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Claim is what draws are said to be: those of the one lane of a Config on a target.
type Claim struct {
	Config  state.Config
	Problem *targets.Problem
	// Unsaid are values that settings have in the method's own defaults, where nobody has said them and Config has the
	// target's. Draws by either are right.
	Unsaid map[string]float64
}

// Draws are the kept states of chains, in order. Draw t of a chain is the numbers tD to tD+D-1 of its slice.
type Draws struct {
	Dim    int
	Chains [][]float64
}

// Count is the number of draws of all chains.
func (d Draws) Count() int {
	return list.Sum(d.Chains, func(c []float64) int { return len(c) / d.Dim })
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
	// Needed is about how many draws would tell, where there are too few; 0 where nobody can tell.
	Needed int
	Facts  []Fact
	// Faults explain the draws, best first. These draws cannot tell them apart. Lesser do so too, and are less
	// likely.
	Faults, Lesser []Fault
	// Diverges says that the method itself leaves all bounds at this step size.
	Diverges bool
	// Drifts says that every step is right, but that chains are too short to be draws of the target.
	Drifts bool
	// Notes are sentences on how the draws were tested, and what could not be.
	Notes []string
	// Variant is what differs from the claim and is right all the same, nil for nothing.
	Variant *Fault
}

// Fact is a number that the method predicts.
type Fact struct {
	Name string
	// Expected is the method's, and Found that of the draws. SE is the standard error of their difference, and Z the
	// difference in standard errors, on the scale on which it is about normal. What cannot be trusted is NaN.
	Expected, Found, SE, Z float64
	// Fails says that chance does not explain the difference.
	Fails bool
}

// Shows is the fact that differs most, of draws that are not the method's.
func (r *Report) Shows() (best Fact, ok bool) {
	if r.Verdict != Inconsistent {
		return best, false
	}
	for _, f := range r.Facts {
		if f.Fails && (!ok || math.Abs(f.Z) > math.Abs(best.Z)) {
			best, ok = f, true
		}
	}
	return best, ok
}

// Fault is a known fault of implementations.
type Fault struct {
	Key  string // as --json names it
	What string // what is wrong, a sentence
	Want string // how the right line reads
}

// level is the probability at which right draws are accused.
const level = 0.001

// Check holds draws against a claim. The error is a *state.Refusal where the claim cannot be checked, or that of ctx.
func Check(ctx context.Context, c Claim, d Draws) (*Report, error) {
	f, err := Follow(c, len(d.Chains))
	if err != nil {
		return nil, err
	}
	if d.Dim != c.Problem.Dim() {
		return nil, fmt.Errorf("draws have %d coordinates, the target has %d", d.Dim, c.Problem.Dim())
	}
	for k, chain := range d.Chains {
		if err := f.Add(ctx, k, chain); err != nil {
			return nil, err
		}
	}
	return f.Report(ctx)
}

// Following is a check of draws that still come.
type Following struct {
	right *setup
	draws Draws
	path  *path
	claim *march // nil where the method's state is known by all draws alone
}

// Follow returns a check of chains without draws yet. The error is a *state.Refusal where the claim cannot be checked.
func Follow(c Claim, chains int) (*Following, error) {
	right, err := newSetup(c)
	if err != nil {
		return nil, err
	}
	f := &Following{right: right, draws: Draws{c.Problem.Dim(), make([][]float64, chains)}}
	if right.trail != nil {
		f.path = newPath(right, f.draws)
		if !right.hidden() {
			f.claim = f.path.march(right)
		}
	}
	return f, nil
}

// Add takes further draws of a chain, which are copied: D numbers each. Gradients and the claim's sums go on from where
// they were. The error is that of ctx.
func (f *Following) Add(ctx context.Context, chain int, draws []float64) error {
	if scale := f.right.problem.Scale; scale != nil { // what is checked is how they are stepped
		d, at := f.draws.Dim, make([]float64, len(draws))
		for t := 0; t < len(draws); t += d {
			if err := scale.Step(at[t:t+d], draws[t:t+d]); err != nil {
				return fmt.Errorf("draw %d of chain %d: %w", t/d+1, chain+1, err)
			}
		}
		draws = at
	}
	f.draws.Chains[chain] = append(f.draws.Chains[chain], draws...)
	if f.path == nil {
		return nil
	}
	return f.path.add(ctx, chain)
}

// checker is what holds the draws so far against hypotheses.
func (f *Following) checker(ctx context.Context) *checker {
	k := &checker{ctx: ctx, right: f.right, draws: f.draws, path: f.path, marched: f.claim}
	switch {
	case f.right.method.Alone:
		k.again = newAgain(f.right, f.draws)
	case f.path == nil:
		k.long = newLongRun(f.right, f.draws)
	}
	return k
}

// Report is what the draws so far come to, to the digit as if they had come at once. The error is that of ctx.
func (f *Following) Report(ctx context.Context) (*Report, error) {
	if f.right.still() {
		return f.checker(ctx).retrace()
	}
	if n := f.draws.beyond(); n > 0 {
		share := float64(n) / float64(f.draws.Count())
		return &Report{Verdict: Inconsistent, Draws: f.draws.Count(),
			Facts: []Fact{{Name: "share of draws beyond 1e8", Found: share, SE: math.NaN(), Z: math.NaN(),
				Fails: true}}}, nil
	}
	return f.checker(ctx).report()
}

// report holds the draws against the claim, and says what explains them if they fail.
func (k *checker) report() (*Report, error) {
	r := &Report{Draws: k.draws.Count(), Verdict: Consistent}
	var first *Report
	if k.path != nil && k.right.early == 0 {
		if p := k.path.young(); p != nil {
			e := &checker{ctx: k.ctx, right: p.right, draws: k.draws, path: p}
			if first, k.err = e.report(); k.err != nil || k.draws.within(p.used) && first.tells() {
				return first, k.err
			}
		}
	}
	if k.long != nil {
		if n := k.long.needed(); n > 0 {
			r.Verdict, r.Needed = TooFew, n
			return r, nil
		}
	}
	claim := k.hold(k.right, nil)
	r.Notes = k.notes(claim.book)
	r.Facts = claim.facts
	r.Diverges = k.long != nil && claim.facts == nil
	if claim.worst > 1 {
		r.Verdict = Inconsistent
		r.Faults, r.Lesser, r.Variant = k.explain(claim)
		r.Facts = claim.facts
		if r.Variant != nil {
			r.Verdict = Consistent
		}
	}
	if r.Verdict == Consistent && k.long == nil {
		if n := k.enough(claim); n > 0 {
			r.Verdict, r.Needed = TooFew, n
		} else if n := k.drifts(); n > 0 {
			r.Verdict, r.Needed, r.Drifts = TooFew, n, true
		}
	}
	if started := first != nil && first.Variant != nil && first.Variant.Key == otherStart.Key; r.Verdict == Consistent &&
		r.Variant == nil && (started || k.right.early == beginning && k.fair()) {
		r.Variant = &otherStart
	}
	return r, k.err
}

// fair reports whether V is over 1-αᵗ, which makes the very first steps e⁷ times likelier, and more where V is known by
// its mean alone.
func (k *checker) fair() bool {
	s := *k.right
	if s.early = veryFirst; !s.rooted() {
		return false
	}
	as, first := s.with(func(s *setup) { s.fair = true }).setup, k.path.upto(2*beginning)
	h, gain := k.hold(as, nil), k.surprise(first, &s)-k.surprise(first, as)
	return h.worst <= 1 && gain > 7*h.book.wide*h.book.wide
}

// within reports whether no chain has more than n draws.
func (d Draws) within(n int) bool {
	return list.Max(d.Chains, func(c []float64) int { return len(c) / d.Dim }) <= n
}

// tells reports whether the first steps alone tell of the draws. What no fault explains in them may be a burn-in of
// which nobody said.
func (r *Report) tells() bool { return r.Verdict != Inconsistent || r.Faults != nil }

// notes says how draws are tested, and what cannot be by what they come to under the claim.
func (k *checker) notes(claim *ledger) (notes []string) {
	s := k.right
	say := func(where bool, text string, of ...any) {
		if where {
			notes = append(notes, fmt.Sprintf(text, of...))
		}
	}
	switch {
	case k.long != nil:
		say(s.thin > 1, "One draw in %d steps does not show all that a step hangs on: averages were tested, and steps "+
			"cannot be without the draws between.", s.thin)
		say(s.thin == 1, "Averages were tested, and no steps: without noise a step shows only minibatches that are not "+
			"known.")
	case k.path == nil:
		which, n := "Each transition", k.again.stride
		if n > 1 {
			which = fmt.Sprintf("One transition in %d, %s in all,", n, counted((k.draws.Count()+n-1)/n))
		}
		say(true, "%s was simulated again, %d times, from the draw where it began.", which, copies)
		say(k.draws.Dim > followed, "The first %d coordinates have facts of their own, and the others in sums.", followed)
	default:
		which := "each step"
		if n := 2 * k.path.dense; s.batch > 0 && claim != nil && !k.draws.within(n) {
			which = fmt.Sprintf("%s steps, of each chain's first %s and ever fewer of the later ones,",
				counted(int(claim.n)), counted(n))
		}
		say(true, "The noise of %s was tested: what the step leaves when its drift is taken off.", which)
		say(k.path.used*len(k.draws.Chains) < k.draws.Count(), "That is of the first %s draws of each chain.",
			counted(k.path.used))
		say(s.skip() > 1, "The first %s draws of each chain are left out, as what the method remembers at its start is "+
			"not known.", counted(s.skip()))
		// a change of V shows by less than five errors
		say(claim != nil && claim.hot[1][1] > 0 && claim.spread(1) < 50,
			"These draws do not tell whether V takes in the newest gradient before or after the step.")
	}
	say(s.batch > 0, "The minibatches are not known: their noise was tested by its covariance.")
	if s.batch > 0 && s.hidden() && k.path != nil {
		book := k.path.book(s)
		say(true, "V is known by its mean alone, so that a factor below %.2f of drift or noise is not seen.", 1+book.slack)
		var unknown []string
		for i := range k.draws.Dim {
			if !slices.Contains(book.which, i) {
				unknown = append(unknown, s.problem.Name(i))
			}
		}
		say(unknown != nil, "Left out of all facts, as too few minibatches tell of their V: %s.",
			strings.Join(unknown, ", "))
	}
	return notes
}

// drifts is how many draws are needed where chains have less than ten autocorrelation times each: they are not yet
// draws of the target, however right each step is. It is 0 where they have them.
func (k *checker) drifts() int {
	n := float64(10 * k.draws.longest() * float64(len(k.draws.Chains)))
	if float64(k.draws.Count()) >= n {
		return 0
	}
	return k.draws.about(2 * n)
}

// enough is how many draws are needed to see a drift or a noise that is off by a factor of two, 0 where these are
// enough.
func (k *checker) enough(claim *held) int {
	n, d := float64(k.draws.Count()), float64(k.draws.Dim)
	need := max(100/d, 30) + float64(len(k.draws.Chains))
	if b := claim.book; b != nil {
		need += float64(len(k.draws.Chains) * k.right.skip())
		if b.xx[onDrift] > 0 {
			need = max(need, n*27/b.xx[onDrift])
		}
	} else {
		need = max(need, 200)
	}
	if n >= need {
		return 0
	}
	return k.draws.about(need)
}

// about is x to two digits, upwards, and more than there are draws.
func (d Draws) about(x float64) int {
	unit := 1.0
	for x/unit > 100 {
		unit *= 10
	}
	return max(int(math.Ceil(x/unit)*unit), d.Count()+1)
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
	case m.Trail == nil && !m.Alone:
		return refuse("method", m.Name,
			"cannot be checked: its path does not repeat itself, or draws do not show its state")
	case !lane.Schedule.Constant():
		return refuse("schedule", "", "cannot be checked: draws of a changing step have no stationary distribution")
	case lane.Or("freeze", 0) > 0:
		return refuse("freeze", "", "cannot be checked: draws do not show the preconditioner that was frozen")
	}
	s := &setup{
		problem: c.Problem, config: c.Config, method: m, params: state.ValuesInForce(c.Problem, m, lane),
		batch: int(lane.Or(sampler.KeyBatch, 0)), thin: max(1, int(lane.Or(sampler.KeyThin, 1))), drift: 1, scale: 1,
		known: 1, back: 1, ratio: 1, base: true, unsaid: c.Unsaid,
	}
	if s.batch >= c.Problem.N() || !c.Problem.HasData() {
		s.batch = 0
	}
	// A warm-up has no draws; what it comes to is the ε that was given.
	for _, key := range []string{"adapt", "warmup", "mass"} {
		s.setOwn(key, 0)
	}
	if s.still() && (s.thin > 1 || m.Trail == nil) {
		return refuse("method", m.Name,
			"cannot be checked at T = 0 without the draws of all steps, from which each is made anew")
	}
	if m.Trail != nil && s.thin == 1 && (s.still() || !s.quiet()) {
		s.trail = m.Trail(c.Problem.Dim())
	}
	if m.Trail != nil && m.Trail(c.Problem.Dim()).Forgets(&s.params) == sampler.Never &&
		(s.thin > 1 || lane.Or(sampler.KeyBurnIn, 0) > 0) {
		return refuse("method", m.Name,
			"cannot be checked without its first draws and all between: its V is a sum over all steps")
	}
	return s, nil
}
