package check

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// part is of how many draws of a chain what is far off is told.
const part = 10_000

// checker holds draws against the claim and what may be wrong with it, by the same facts.
type checker struct {
	ctx     context.Context
	right   *setup
	draws   Draws
	path    *path    // where each draw is a step from the one before
	again   *again   // where θ is all that a step hangs on
	long    *longRun // where a step shows nothing
	marched *march   // the claim, as far as it has come
	n       int      // hypotheses so far
	// the share of trajectories of one momentum for all coordinates, once it is known
	together *float64
	err      error
}

// held is what draws come to under a hypothesis. Nothing fails where worst is at most 1.
type held struct {
	facts []Fact
	rows  [][]float64 // noise of chains
	same  sameNoise
	book  *ledger
	worst float64

	place, visits int     // the coordinate that is held at a bound, and how many times it comes to that
	bound         float64 // what that is

	echo   int  // the lag at which the noise of a base comes again most
	echoes bool // and it does so
}

// hold holds the draws against a hypothesis, but for those that except says.
func (k *checker) hold(s *setup, except func(chain, t int) bool) *held {
	h := &held{}
	if k.err != nil {
		h.worst = math.Inf(1)
		return h
	}
	k.n++
	switch {
	case k.long != nil:
		if h.facts, k.err = k.long.facts(k.ctx, s, k.n); h.facts == nil {
			h.worst = math.Inf(1)
			return h
		}
	case s.trail != nil:
		// What is far off shows in a part.
		if !s.base && except == nil && k.path.used > part && !k.draws.within(4*part) {
			if h.book, k.err = k.path.upto(part).march(s).on(k.ctx, nil); k.err != nil {
				return h
			}
			if h.facts = h.book.facts(); judge(h.facts) > 2 {
				h.worst = math.Inf(1)
				return h
			}
		}
		m := k.path.march(s)
		if s == k.right && except == nil && k.marched != nil {
			m = k.marched
		}
		if h.book, k.err = m.on(k.ctx, except); k.err != nil {
			return h
		}
		h.rows = m.rows
		h.facts = h.book.facts()
	default:
		// What is far off shows in an eighth of the transitions.
		if s != k.right {
			h.facts, h.rows, k.err = k.again.facts(k.ctx, s, k.n, 8*k.again.stride)
			if h.worst = judge(h.facts); h.worst > 2 {
				return h
			}
		}
		h.facts, h.rows, k.err = k.again.facts(k.ctx, s, k.n, k.again.stride)
	}
	// A noise of the standard deviation ε is there.
	h.same = same(h.rows, k.draws.Dim, s.trail != nil, max(near, min(0.02, math.Sqrt(s.params.Eps)/10)))
	h.told(s, k, except != nil)
	h.worst = judge(h.facts)
	return h
}

// told adds what cannot be chance to the facts.
func (h *held) told(s *setup, k *checker, part bool) {
	add := func(name string, expected, found float64) {
		h.facts = append(h.facts, Fact{Name: name, Expected: expected, Found: found, SE: math.NaN(), Z: math.Inf(1)})
	}
	if twins := k.draws.twins(); twins != nil && s.base {
		add("share of draws that chains "+numbers(twins)+" have in common", 0, 1)
	}
	if s.base && h.same.repeats <= 0.001 { // noise that comes again brings places again
		if h.place, h.bound, h.visits = k.draws.bound(); h.visits > 0 {
			add("times that "+s.problem.Name(h.place)+" comes to one and the same bound", 0, float64(h.visits))
		}
	}
	if h.same.chains != nil {
		h.facts = append(h.facts, Fact{Name: "correlation of the noise of chains " + numbers(h.same.chains),
			Found: h.same.related, SE: h.same.relatedSE, Z: h.same.relatedZ})
	}
	if s.method.Metropolis {
		if k.together == nil {
			k.together = new(k.again.momenta(k.ctx))
		}
		if x := *k.together; x > 0.5 != s.shared && x == x && s.thin == k.right.thin {
			add("share of trajectories of one momentum in all coordinates", 1-math.Round(x), x)
		}
	}
	if s.trail == nil {
		return
	}
	for i, z := range h.same.zero {
		if z {
			add("noise in "+s.problem.Name(i), 1, 0)
		}
	}
	if h.same.equal && !s.shared {
		add("share of steps with one noise in all coordinates", 0, 1)
	} else if s.shared && !s.noisy() && !h.same.equal {
		add("share of steps with one noise in all coordinates", 1, 0)
	}
	if s.base && k.long == nil && !part {
		l, width := lags+s.delay(), 1.0
		if h.book.wide > 1 {
			width = h.book.wide
		}
		lag, found, se, z := echo(h.rows[0], k.draws.Dim, l+1)
		if h.echo = lag; se > 0 {
			h.facts = append(h.facts, Fact{Name: fmt.Sprintf("autocorrelation of the noise at lag %d, the farthest of "+
				"all above %d", lag, l), Found: found, SE: se * width, Z: z / width})
		}
		// An average fades from lag to lag, and a repetition does not.
		h.echoes = z > 8*width
		for _, x := range h.book.lag {
			h.echoes = h.echoes && found > 2*math.Abs(x)/floats.Sum(h.book.square)
		}
	}
	if h.same.repeats > 0.001 {
		add("share of steps with the noise of an earlier step", 0, h.same.repeats)
	}
	if most := h.same.longest(); most >= 3 && !part {
		add("steps in a row without noise", 0, float64(most))
	}
}

// longest is the length of the longest stretch without noise.
func (n sameNoise) longest() int { return list.Max(n.still, func(s []int) int { return s[1] - s[0] }) }

// explanation is a hypothesis under which no fact fails.
type explanation struct {
	hypothesis
	surprise, worst float64
}

// fair is the worst of an explanation that no fact is against, as one in fifty has by chance.
const fair = 0.7

// apart are the faults of the likeliest explanations, and those of which the draws are e¹⁰ times less likely and more,
// or that have a fitted number more than the likeliest. wide is how many times wider errors are than independent steps
// have them.
func apart(found []explanation, wide float64) (faults, lesser []Fault) {
	listed := slices.Clone(found)
	slices.SortStableFunc(found, func(a, b explanation) int {
		return cmp.Or(cmp.Compare(a.surprise, b.surprise), cmp.Compare(max(a.worst, fair), max(b.worst, fair)))
	})
	within := func(e explanation, nats float64) bool {
		return e.surprise <= found[0].surprise+float64(nats*wide*wide) && e.free <= found[0].free
	}
	// Of those that hardly differ the one that is met most comes first.
	first := slices.IndexFunc(listed, func(e explanation) bool {
		return within(e, 2) && e.worst <= max(found[0].worst, fair)
	})
	for _, e := range slices.Concat(listed[max(first, 0):][:min(1, len(found))], found) {
		to := &lesser
		if within(e, 10) {
			to = &faults
		}
		*to = append(*to, list.Filter(e.faults, func(f Fault) bool {
			return !slices.Contains(faults, f) && !slices.Contains(lesser, f)
		})...)
	}
	return faults, lesser
}

// explain lists what explains the draws, and what does so and is far less likely.
func (k *checker) explain(claim *held) (faults, lesser []Fault, variant *Fault) {
	twins, moved, same := k.draws.twins(), claim.facts[0], claim.same
	var f Fault
	switch {
	case twins != nil:
		f = identical.as("Chains %s are one chain: their draws are the same numbers.", numbers(twins))
	case k.right.method.Metropolis && moved.Found < 0.001 && moved.Expected > 0.1:
		if f = neverAccepts; moved.Found > 0 {
			f = f.as("Next to no proposal is accepted, one in %s.", counted(int(1/moved.Found)))
		}
	case claim.visits > 0:
		f = bounded.as("%s is held at %.4g, where it comes %s times.", k.right.problem.Name(claim.place), claim.bound,
			counted(claim.visits))
	case same.twins != nil:
		f = common.as("Chains %s are driven by one stream of noise.", numbers(same.twins))
	case math.Abs(same.relatedZ) > 6:
		f = common.as("The noise of chains %s has a correlation of %.2f.", numbers(same.chains), same.related)
	}
	if f.Key != "" {
		return []Fault{f}, nil, nil
	}
	bases, under, unshuffled := []*setup{k.right}, []*held{claim}, claim
	for _, v := range variants(k.right) {
		if bases = append(bases, v.setup); v.setup.delay() > 0 && !unshuffled.shuffled() {
			under = append(under, nil)
			continue
		}
		h := k.hold(v.setup, nil)
		if v.setup.config.Draw == k.right.config.Draw {
			unshuffled = h
		}
		if under = append(under, h); h.worst <= 1 {
			if faults, lesser = k.likelier(explanation{v, h.surprise(v), h.worst}, h); faults == nil {
				claim.facts, variant = h.facts, &v.faults[0]
			}
			return faults, lesser, variant
		}
	}
	for i, h := range under {
		if k.path != nil && h != nil {
			if f, ok := k.identity(bases[i], h); ok {
				return []Fault{f}, nil, nil
			}
		}
	}
	var found []explanation
	wide := 1.0
	if claim.book != nil {
		wide = max(1, claim.book.wide)
	}
	accept := func(h hypothesis) bool {
		as := k.hold(h.setup, nil)
		ok := as.worst <= 1 && !(as.book != nil && claim.book != nil && as.book.n < claim.book.n/2) // too few steps
		if ok {
			found = append(found, explanation{h, as.surprise(h), as.worst})
		}
		return ok
	}
	for _, more := range []func(*setup, *held) []hypothesis{k.listed, k.fitted} {
		for i, base := range bases {
			for _, h := range more(base, under[i]) {
				accept(h)
			}
			if found != nil {
				faults, lesser = apart(found, wide)
				return faults, lesser, nil
			}
		}
		for i, base := range bases {
			if under[i] == nil {
				under[i] = k.hold(base, nil)
			}
		}
	}
	for i, base := range bases {
		if k.path != nil && k.right.early == 0 {
			if f, ok := k.other(base, under[i]); ok {
				return []Fault{f}, nil, nil
			}
		}
	}
	if short := []string{oldVelocity.Key, flatNoise.Key, priorMissing.Key, shared.Key}; k.path != nil {
		for _, first := range hypotheses(k.right) {
			if !slices.Contains(short, first.faults[0].Key) {
				continue
			}
			more := slices.DeleteFunc(hypotheses(first.setup), func(h hypothesis) bool {
				return !slices.Contains(short, h.faults[0].Key)
			})
			for _, h := range append(more, k.fitted(first.setup, k.hold(first.setup, nil))...) {
				f := first.faults[0]
				h.faults = []Fault{f.as("%s %s", f.What, h.faults[0].What),
					h.faults[0].as("With %s: %s", f.Key, h.faults[0].What)}
				if accept(h) {
					break
				}
			}
		}
	}
	if faults, lesser = apart(found, wide); faults == nil && k.unordered(claim) {
		faults = []Fault{unordered}
	}
	return faults, lesser, nil
}

// likelier are the faults of which draws are e¹⁰ times likelier and more than of a variant, under which no fact fails
// either.
func (k *checker) likelier(than explanation, as *held) (faults, lesser []Fault) {
	if as.book == nil {
		return nil, nil
	}
	var found []explanation
	wide := max(1, as.book.wide)
	for _, h := range hypotheses(k.right) {
		of := k.hold(h.setup, nil)
		if s := of.surprise(h); of.worst <= 1 && of.book.n >= as.book.n && s < than.surprise-float64(10*wide*wide) {
			found = append(found, explanation{h, s, of.worst})
		}
	}
	return apart(found, wide)
}

// unordered reports whether draws follow each other as independent ones do, where the noise of a step would leave them
// nearer to each other.
func (k *checker) unordered(claim *held) bool {
	d := k.draws.Dim
	if b := claim.book; k.draws.Count() < 200 || b != nil && floats.Sum(b.square) < float64(2*b.n)*float64(b.dim) ||
		b == nil && !slices.ContainsFunc(claim.facts, func(f Fact) bool {
			return strings.HasPrefix(f.Name, "square move") && f.Found > 2*f.Expected
		}) {
		return false
	}
	for i := range d {
		for lag := 1; lag <= lags; lag++ {
			r, terms := 0.0, 0.0
			for _, c := range k.draws.Chains {
				x := make([]float64, len(c)/d)
				for t := range x {
					x[t] = c[t*d+i]
				}
				m, sd := stat.PopMeanStdDev(x, nil)
				for t := range max(len(x)-lag, 0) {
					r += float64((x[t] - m) * (x[t+lag] - m) / max(sd*sd, 1e-300))
					terms++
				}
			}
			if math.Abs(r) > 4*math.Sqrt(terms) {
				return false
			}
		}
	}
	return true
}

// as is a fault in words that have numbers of the draws.
func (f Fault) as(what string, of ...any) Fault {
	f.What = fmt.Sprintf(what, of...)
	return f
}

// numbers are those of chains, counted from 1: 1, 2 and 4.
func numbers(of []int) string {
	words := list.Map(of, func(k int) string { return strconv.Itoa(k + 1) })
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// surprise is how improbable the steps of a path are.
func (k *checker) surprise(p *path, s *setup) float64 {
	var book *ledger
	if book, k.err = p.march(s).on(k.ctx, nil); k.err != nil {
		return math.Inf(1)
	}
	return book.surprise
}

// surprise is how improbable the draws are, and 0 where nobody can tell. A number that is fitted costs what it may gain
// by chance.
func (h *held) surprise(of hypothesis) float64 {
	switch {
	case h.book == nil:
		return 0
	case of.setup.shared && !of.setup.noisy(): // nothing else would be the same in all coordinates
		return math.Inf(-1)
	}
	return h.book.surprise + float64(of.free*libm.Log(h.book.n)/2)
}

// shuffled reports whether steps have less noise in common than independent ones, as those of an epoch have, or nobody
// can tell.
func (h *held) shuffled() bool {
	if h.book == nil {
		return true
	}
	sum := list.Sum(h.book.lag[:], func(x float64) float64 { return x })
	return h.book.delay > 0 || sum < -2.5*math.Sqrt(lags*h.book.n*float64(h.book.dim))
}

// rare is up to which share of the steps noise that comes again may be of something else.
const rare = 0.02

// identity is what rows that are the same say at once.
func (k *checker) identity(base *setup, claim *held) (f Fault, ok bool) {
	zero := list.Filter(list.Upto(len(claim.same.zero)), func(i int) bool { return claim.same.zero[i] })
	none := list.Map(zero, k.right.problem.Name)
	switch {
	case len(none) == k.draws.Dim:
		return missing, true
	case len(none) > 0:
		return missing.as("No noise is added to %s.", strings.Join(none, ", ")), true
	}
	if claim.same.longest() >= 3 {
		skip := max(1, base.skip())
		for c, s := range claim.same.still {
			if s[1]-s[0] >= 3 {
				from := s[0] + skip + 1
				if s[0] == 0 {
					from = 1
				}
				f = stretch.as("Draws %s to %s%s have no noise.", counted(from), counted(s[1]+skip+1), k.ofChain(c))
				break
			}
		}
		except := func(chain, t int) bool {
			s := claim.same.still[chain]
			return s[1] > s[0] && t-skip >= s[0]-1 && t-skip <= s[1]
		}
		if k.hold(base, except).worst > 1 {
			f.What += " The others are not what the method gives either."
		}
		return f, true
	}
	if f, ok = k.jumps(base, claim); ok {
		return f, true
	}
	if claim.same.repeats > rare || claim.echoes {
		after := claim.same.after
		if claim.same.repeats <= rare {
			after = claim.echo
		}
		if n := max(base.batch, 1); base.batch > 0 && claim.same.repeats <= rare && min(after%(k.right.problem.N()/n),
			after%((k.right.problem.N()+n-1)/n)) == 0 {
			return unshuffled.as("The minibatches come again in one order: a step sees the data of the one %d "+
				"steps before.", after), true
		}
		return repeats.as("The noise comes again: a step has the very noise of the one %d steps before.", after), true
	}
	return f, false
}

// jumps are a few steps much too far for the method, as where the next of several chains in one file begins, where all
// others are right.
func (k *checker) jumps(base *setup, claim *held) (Fault, bool) {
	d, skip := k.draws.Dim, max(1, base.skip())
	far, after, n := map[[2]int]bool{}, "", 0
	for c, rows := range claim.rows {
		for t := range len(rows) / d {
			if n++; floats.Norm(rows[t*d:][:d], 2) > 5+math.Sqrt(float64(2*d)) {
				if far[[2]int{c, t + skip}] = true; len(far) < 6 {
					after += ", " + counted(t+skip+1) + k.ofChain(c)
				}
			}
		}
	}
	if len(far) == 0 || len(far) > max(1, n/200) ||
		k.hold(base, func(c, t int) bool { return far[[2]int{c, t}] }).worst > 1 {
		return Fault{}, false
	}
	f := stretch.as("All steps are right but %d, which are too far, as where another chain begins: after draw %s.",
		len(far), after[2:])
	f.Want = "each chain in a file, or on an axis, of its own"
	return f, true
}

// counted is a number with its thousands apart.
func counted(n int) string { return param.Commas(strconv.Itoa(n)) }

func (k *checker) ofChain(c int) string {
	if len(k.draws.Chains) == 1 {
		return ""
	}
	return fmt.Sprintf(" of chain %d", c+1)
}
