package check

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// checker holds draws against the simulations of hypotheses.
type checker struct {
	right *setup
	given int   // draws
	found Draws // of them, without burn-in
	meter *meter
	of    *sums     // of found
	path  Draws     // of the method
	sims  []*result // of the method, then of each fault
	bound float64   // of |z|
	brief bool      // no faults are simulated
}

// result is a hypothesis with its simulation.
type result struct {
	fault []Fault // nil for the method itself
	of    *sums   // nil where the simulation left all bounds
}

func newChecker(right *setup, d Draws) *checker {
	return &checker{right: right, given: d.Count(), found: d.after(right)}
}

// simulate takes the facts of the draws and of each hypothesis.
func (k *checker) simulate(ctx context.Context) error {
	n := k.found.Count()
	if n < 2*batches {
		return nil
	}
	tau := k.found.times()
	run := plan(k.right, k.found, tau)
	draws, second, ok, err := k.right.simulate(ctx, k.found, run, 0)
	if err != nil {
		return err
	}
	if !ok { // the draws may be where nobody comes who is right
		if draws, second, ok, err = k.right.simulate(ctx, k.right.starts(), run, 0); err != nil {
			return err
		}
	}
	of := draws
	if !ok {
		of = k.found
	}
	k.meter = newMeter(k.right, of, second)
	k.of = k.meter.measure(k.found, batches)
	k.sims = []*result{{}}
	k.path = of
	if ok {
		k.sims[0].of = k.meter.measure(draws, longer*batches)
		k.meter.exact(k.sims[0].of)
	}
	k.setBound()
	if k.brief {
		return nil
	}
	try := func(list []hypothesis) error {
		for _, h := range list {
			draws, _, ok, err := h.setup.simulate(ctx, k.found, run, len(k.sims))
			if err != nil {
				return err
			}
			r := &result{fault: h.faults}
			if ok {
				r.of = k.meter.measure(draws, longer*batches)
			}
			k.sims = append(k.sims, r)
		}
		return nil
	}
	if err := try(append(hypotheses(k.right), k.fitted()...)); err != nil {
		return err
	}
	if worst, _ := k.worst(k.sims[0].of); worst > k.bound && len(k.explain(worst)) == 0 {
		return try(k.told())
	}
	return nil
}

// setBound sets the bound from the number of facts that can be compared.
func (k *checker) setBound() {
	compared := 0
	for f := range k.meter.facts {
		if _, _, ok := k.z(k.of, k.sims[0].of, f); ok || k.sims[0].of == nil && k.of.ok[f] {
			compared++
		}
	}
	if compared > 0 {
		t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(max(k.of.batches-1, 1))}
		k.bound = t.Quantile(1 - level/(2*float64(compared)))
	}
}

// fitted are faults of a size that is in no list, but in the draws: other steps from draw to draw, another step size,
// of which drift and noise are larger by one factor, and the noise of another friction.
func (k *checker) fitted() []hypothesis {
	var all []hypothesis
	add := func(fault Fault, change func(*setup)) { all = append(all, k.right.with(change, fault)) }
	if n := k.steps(); n != k.right.thin {
		what := "The state after each step is a draw."
		if n > 1 {
			what = fmt.Sprintf("A draw is about %d steps after the one before.", n)
		}
		add(Fault{"thin", what, "the number of steps from a draw to the next"}, func(s *setup) { s.thin = n })
	}
	noise, z, ok := k.ratio(oneStepNoise, libm.Exp)
	if !ok || math.Abs(z) <= k.bound || k.right.quiet() {
		return all
	}
	near := func(x float64) bool { return math.Abs(noise-x) < x/10 }
	if drift, _, ok := k.ratio(oneStepDrift, same); ok && math.Abs(drift-noise) < noise/4 && !near(2) {
		eps := k.right.params.Eps * noise
		add(Fault{"step-size", fmt.Sprintf("The step size is about %.2g.", eps), "the ε of the draws"}, func(s *setup) { s.params.Eps = eps })
	}
	if a, ok := k.right.friction(); ok && !near(2) && !near(0.5) && !near(a) && !near(1/a) && !near((1-a)/a) && !near(k.right.params.Eps) {
		add(friction, func(s *setup) { s.noise(noise) })
	}
	return all
}

// mostSteps is how many draws of the method lie between two of those that are given, at most.
const mostSteps = 100

// steps is the number of steps from draw to draw after which the method has moved as far as the draws have.
func (k *checker) steps() int {
	move, z, ok := k.ratio(squareMove, libm.Exp)
	switch {
	case !ok || math.Abs(z) <= k.bound:
		return k.right.thin
	case move < 1:
		return 1
	}
	best, least, far := 1, math.Inf(1), float64(move*k.meter.moves(k.path, 1))
	for n := 1; n <= mostSteps; n++ {
		if d := math.Abs(k.meter.moves(k.path, n) - far); d < least {
			best, least = n, d
		}
	}
	return best * k.right.thin
}

// ratio is the number of a fact of the draws over the method's, with the difference in standard errors.
func (k *checker) ratio(name string, show func(float64) float64) (ratio, z float64, ok bool) {
	f := slices.IndexFunc(k.meter.facts, func(f fact) bool { return f.name == name })
	if f < 0 {
		return 0, 0, false
	}
	right := k.sims[0].of
	if z, _, ok = k.z(k.of, right, f); !ok {
		return 0, 0, false
	}
	return show(k.of.value[f]) / show(right.value[f]), z, true
}

// told is a factor of the noise or of the drift that is none of a known fault, as the draws' steps have it.
func (k *checker) told() []hypothesis {
	var all []hypothesis
	plain := func(x float64) bool { return x > 0.01 && x < 100 }
	if x, z, ok := k.ratio(oneStepNoise, libm.Exp); ok && math.Abs(z) > k.bound && plain(x) && !k.right.quiet() {
		all = append(all, k.right.with(func(s *setup) { s.noise(x) }, Fault{"noise-var", fmt.Sprintf("The noise has %.2f times its variance.", x), noiseTwice.Want}))
	}
	if x, z, ok := k.ratio(oneStepDrift, same); ok && math.Abs(z) > k.bound && plain(x) {
		all = append(all, k.right.with(func(s *setup) { s.pull(x) }, Fault{"drift", fmt.Sprintf("The drift is %.2f times what the noise belongs to.", x), driftTwice.Want}))
	}
	return all
}

// z is the difference between two measures of fact f in standard errors; ok is false where either cannot be trusted.
func (k *checker) z(a, b *sums, f int) (z, se float64, ok bool) {
	if a == nil || b == nil || !a.ok[f] || !b.ok[f] {
		return 0, 0, false
	}
	se = math.Sqrt(float64(a.se[f]*a.se[f]) + float64(b.se[f]*b.se[f]))
	if !(se > 0) {
		se = 1e-9 * (math.Abs(a.value[f]) + math.Abs(b.value[f]))
		if se == 0 {
			return 0, 0, true
		}
	}
	return (a.value[f] - b.value[f]) / se, se, true
}

// slower reports whether a simulation mixes so slowly that fact f cannot be trusted of it, while it can of the draws.
func (k *checker) slower(sim *sums, f int) bool {
	at := k.meter.facts[f].at
	return at != step && k.of.ok[f] && sim.short[f] && sim.middle[at] > 3*k.of.middle[at]
}

// slow is slower for any fact.
func (k *checker) slow(sim *sums) bool {
	for f := range k.meter.facts {
		if k.slower(sim, f) {
			return true
		}
	}
	return false
}

// worst is the largest |z| between the draws and a simulation, and the sum of squares.
func (k *checker) worst(sim *sums) (worst, misfit float64) {
	if sim == nil {
		return math.Inf(1), math.Inf(1)
	}
	for f := range k.meter.facts {
		if z, _, ok := k.z(k.of, sim, f); ok {
			worst = max(worst, math.Abs(z))
			misfit += float64(z * z)
		}
	}
	return worst, misfit
}

// report says what the measures come to.
func (k *checker) report() *Report {
	r := &Report{Draws: k.given}
	if k.meter == nil || k.bound == 0 {
		r.Needed = k.enough()
		return r
	}
	right := k.sims[0].of
	r.Diverges = right == nil
	for f, fact := range k.meter.facts {
		r.Facts = append(r.Facts, k.fact(f, fact))
	}
	worst, _ := k.worst(right)
	switch {
	case worst > k.bound:
		r.Verdict = Inconsistent
		r.Faults = k.explain(worst)
	default:
		r.Verdict = Consistent
		r.Unseen = k.unseen()
		for _, u := range r.Unseen {
			if slices.Contains(core, u.Fault.Key) {
				r.Verdict, r.Needed = TooFew, max(r.Needed, u.Needed)
				if u.Needed == 0 {
					r.Needed = max(r.Needed, k.enough())
				}
			}
		}
	}
	return r
}

// fact is fact f of the draws beside the method's.
func (k *checker) fact(f int, fact fact) Fact {
	nan := math.NaN()
	out := Fact{Name: fact.name, Expected: nan, Found: nan, SE: nan, Z: nan}
	right := k.sims[0].of
	if right != nil && right.ok[f] {
		out.Expected, out.Simulated = fact.show(right.value[f]), fact.error(right.value[f], right.se[f])
		if x, known := right.known[f]; known {
			out.Expected = x
		}
	}
	if k.of.ok[f] {
		out.Found = fact.show(k.of.value[f])
	}
	if z, se, ok := k.z(k.of, right, f); ok {
		out.Z, out.Fails = z, math.Abs(z) > k.bound
		out.SE = fact.error(right.value[f], se)
	}
	return out
}

// explain lists the faults of which no fact differs, or which leave next to nothing of what there is to explain.
func (k *checker) explain(worst float64) [][]Fault {
	type candidate struct {
		*result
		misfit float64
	}
	var all []candidate
	for _, h := range k.sims[1:] {
		if w, m := k.worst(h.of); w <= max(k.bound, worst/7) && !k.slow(h.of) {
			all = append(all, candidate{h, m})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.misfit, b.misfit) })
	var (
		lists [][]Fault
		heads []*sums
		named []string
	)
	for _, c := range all {
		at := slices.IndexFunc(heads, func(h *sums) bool { return k.alike(h, c.of) })
		if at < 0 {
			heads, lists, at = append(heads, c.of), append(lists, nil), len(lists)
		}
		for _, f := range c.fault {
			if !slices.Contains(named, f.Key) {
				named = append(named, f.Key)
				lists[at] = append(lists[at], f)
			}
		}
	}
	return slices.DeleteFunc(lists, func(l []Fault) bool { return len(l) == 0 })
}

// alike reports whether so many draws do not tell two simulations apart.
func (k *checker) alike(a, b *sums) bool {
	for f := range k.meter.facts {
		if !a.ok[f] || !b.ok[f] || !k.of.ok[f] {
			continue
		}
		se := k.of.se[f]
		if d := a.value[f] - b.value[f]; math.Abs(d) > 3*math.Sqrt(float64(se*se)+float64(a.se[f]*a.se[f])+float64(b.se[f]*b.se[f])) {
			return false
		}
	}
	return true
}

// unseen lists the faults that would not show in so many draws.
func (k *checker) unseen() []Unseen {
	var list []Unseen
	seen := map[string]bool{}
	for _, h := range k.sims[1:] {
		needed, ok := k.needed(h.of)
		if ok {
			continue
		}
		for _, f := range h.fault {
			if !seen[f.Key] {
				seen[f.Key] = true
				list = append(list, Unseen{Fault: f, Needed: needed})
			}
		}
	}
	return list
}

// needed is about how many draws would show a fault, 0 for no number, and whether these do.
func (k *checker) needed(fault *sums) (draws int, shown bool) {
	if fault == nil {
		return 0, true // it leaves all bounds
	}
	n, least := float64(k.given), math.Inf(1)
	for f := range k.meter.facts {
		if k.slower(fault, f) {
			return 0, true
		}
		z, own, ok := k.z(fault, k.sims[0].of, f)
		if !ok || !k.of.ok[f] || !(math.Abs(z) > 4) { // else chance may be what differs
			continue
		}
		short := margin * k.bound * math.Sqrt(float64(k.of.se[f]*k.of.se[f])+float64(own*own)) / math.Abs(float64(z*own))
		if short <= 1 {
			return 0, true
		}
		least = min(least, n*short*short)
	}
	if math.IsInf(least, 1) {
		return 0, false
	}
	return max(roundUp(least), k.given+1), false
}

// enough is how many draws the batches need for some fact of the draws.
func (k *checker) enough() int {
	need := math.Inf(1)
	for _, t := range k.found.times() {
		if t == t {
			need = min(need, 2*t*perBatch*batches)
		}
	}
	if math.IsInf(need, 1) {
		need = 0
	}
	need = max(need, 2*batches*perBatch) + float64(len(k.found.Chains)*k.right.forgets())
	return max(roundUp(need), 2*k.given)
}

// roundUp is x to two digits, upwards.
func roundUp(x float64) int {
	unit := 1.0
	for x/unit > 100 {
		unit *= 10
	}
	return int(math.Ceil(x/unit) * unit)
}
