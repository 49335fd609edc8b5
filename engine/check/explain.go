package check

import (
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

// explain lists what explains the draws.
func (k *checker) explain(claim *held) (faults []Fault, variant *Fault) {
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
		return []Fault{f}, nil
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
			claim.facts = h.facts
			return nil, &v.faults[0]
		}
	}
	for i, h := range under {
		if k.path != nil && h != nil {
			if f, ok := k.identity(bases[i], h); ok {
				return []Fault{f}, nil
			}
		}
	}
	best := math.Inf(1)
	accept := func(h hypothesis) bool {
		as := k.hold(h.setup, nil)
		ok := as.worst <= 1
		new := slices.DeleteFunc(h.faults, func(f Fault) bool { return !ok || slices.Contains(faults, f) })
		if score := as.surprise(h); ok && score < best {
			faults, best = append(new, faults...), score
		} else {
			faults = append(faults, new...)
		}
		return ok
	}
	for _, more := range []func(*setup, *held) []hypothesis{k.listed, k.fitted} {
		for i, base := range bases {
			for _, h := range more(base, under[i]) {
				accept(h)
			}
			if faults != nil {
				return faults, nil
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
				return []Fault{f}, nil
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
	return faults, nil
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
	if claim.same.repeats > 0.2 || claim.echoes {
		after := claim.same.after
		if claim.same.repeats <= 0.2 {
			after = claim.echo
		}
		if n := max(base.batch, 1); base.batch > 0 && claim.same.repeats <= 0.2 && min(after%(k.right.problem.N()/n),
			after%((k.right.problem.N()+n-1)/n)) == 0 {
			return unshuffled.as("The minibatches of an epoch come again in one order: a step sees the data of the one %d "+
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
	far, words, n := map[[2]int]bool{}, []string(nil), 0
	for c, rows := range claim.rows {
		for t := range len(rows) / d {
			if n++; floats.Norm(rows[t*d:][:d], 2) > 5+math.Sqrt(float64(2*d)) {
				far[[2]int{c, t + skip}] = true
				words = append(words, counted(t+skip+1)+k.ofChain(c))
			}
		}
	}
	if len(far) == 0 || len(far) > max(1, n/200) ||
		k.hold(base, func(c, t int) bool { return far[[2]int{c, t}] }).worst > 1 {
		return Fault{}, false
	}
	more := ""
	if len(words) > 5 {
		words, more = words[:5], " and others"
	}
	return stretch.as("The step after draw %s%s is too far for the method, as where another chain begins. All others are "+
		"right.", strings.Join(words, ", "), more), true
}

// counted is a number with its thousands apart.
func counted(n int) string { return param.Commas(strconv.Itoa(n)) }

func (k *checker) ofChain(c int) string {
	if len(k.draws.Chains) == 1 {
		return ""
	}
	return fmt.Sprintf(" of chain %d", c+1)
}

// listed are those of a fixed size, and those of a noise of another shape.
func (k *checker) listed(s *setup, h *held) []hypothesis {
	return append(hypotheses(s), k.shaped(s, h)...)
}

// shaped are those of noise that has a mean, or goes on from step to step: a drift of another size may look like them.
func (k *checker) shaped(s *setup, h *held) []hypothesis {
	if k.path == nil || h == nil || h.book == nil || h.book.n < 2 {
		return nil
	}
	var all []hypothesis
	add := func(free int, f Fault, change func(*setup)) {
		h := s.with(change, f)
		h.free = float64(free)
		all = append(all, h)
	}
	b := h.book
	n := b.n * float64(b.dim)
	far := list.Max(b.mean, func(x float64) float64 { return math.Abs(x) / math.Sqrt(b.n) })
	if !s.shared && far > 4 {
		tilt, left, most := make([]float64, k.draws.Dim), 0.0, 0
		for i, x := range b.raw {
			tilt[b.which[i]] = x / b.n
			if math.Abs(x) > math.Abs(b.raw[most]) {
				most = i
			}
			left += (b.square[i]/b.n - float64(b.mean[i]*b.mean[i])/(b.n*b.n)) / float64(b.dim)
		}
		f := tilted.as("The noise has a mean, of %.2g of its standard deviation in %s.", b.raw[most]/b.n, b.names(most))
		add(b.dim, f, func(s *setup) { s.tilt = tilt })
		if !s.noisy() && left > 0 && math.Abs(normalScore(left, n)) > 4 {
			add(b.dim+1, f.as("%s Its variance is %.2g times what it should be.", f.What, left), func(s *setup) {
				s.scale, s.tilt = s.scale*left, slices.Clone(tilt)
				for i := range tilt {
					s.tilt[i] /= math.Sqrt(left)
				}
			})
		}
	}
	if phi := b.lag[0] / n; !s.noisy() && !s.shared && math.Abs(phi)*math.Sqrt(n) > 4 && math.Abs(phi) < 0.99 {
		add(1, correlated.as("The noise goes on from step to step: its autocorrelation is %.2g.", phi),
			func(s *setup) { s.goesOn = phi })
	}
	if z := (b.kurt - float64(n*clippedMean)) / (math.Sqrt(n) * clippedSD); b.bell && math.Abs(z) > 4 {
		add(1, shape.as("The noise is not normal: its fourth moment, clipped, is %.2g, and 3 of a normal one.", b.kurt/n),
			func(s *setup) { s.shape = true })
		all = append(all, k.falling(s, b)...)
	}
	if s.shared {
		return all
	}
	if b.xy[onDrift] < -4*math.Sqrt(b.xx[onDrift]) {
		all = append(all, k.clipping(s)...)
	}
	all = append(all, k.sized(s, b)...)
	if !s.noisy() && (math.Abs(b.xy[onRecent]) > 4*math.Sqrt(b.xx[onRecent]) ||
		slices.ContainsFunc(b.lag[:], func(x float64) bool { return math.Abs(x) > 4*math.Sqrt(n) })) {
		all = append(all, k.averaging(s)...)
	}
	return all
}

// sized are numbers of the claim that are not those of the draws, each as these are likeliest by it.
func (k *checker) sized(s *setup, b *ledger) (all []hypothesis) {
	fit := func(f Fault, what string, of float64, put func(s *setup, x float64)) {
		x, _ := k.likeliest(s, []float64{0.01, 0.1, 0.25, 0.5, 1, 2, 4, 10, 100}, 0.4, put)
		h := s.with(func(s *setup) { put(s, x) }, f.as(what, of*x))
		h.free = 1
		all = append(all, h)
	}
	if math.Abs(b.xy[onPrior]) > 4*math.Sqrt(b.xx[onPrior]) {
		fit(priorOther, "The gradient of the prior has %.2g times its size.", 1,
			func(s *setup, x float64) { s.params.PriorPrec *= x })
	}
	if s.batch == 0 && b.dim == k.draws.Dim {
		pulls, far := make([]float64, b.dim), 0
		for i, xx := range b.pull2 {
			pulls[i] = 1 + b.pull[i]/max(xx, 1e-300)
			if math.Abs(b.pull[i])*math.Sqrt(b.pull2[far]) > math.Abs(b.pull[far])*math.Sqrt(xx) {
				far = i
			}
		}
		if math.Abs(b.pull[far]) > 4*math.Sqrt(b.pull2[far]) {
			what := driftOther.as("The drift in %s is %.2f times what the noise belongs to.", b.names(far), pulls[far])
			h := s.with(func(s *setup) { s.pulls = pulls }, what)
			h.free = float64(b.dim)
			all = append(all, h)
		}
	}
	for _, key := range []string{"friction", "diffusion", "rate", "lambda"} {
		if x, ok := s.own(key); ok && x > 0 && !s.still() {
			fit(setting, key+" is about %.2g.", x, func(s *setup, by float64) { s.setOwn(key, x*by) })
		}
	}
	if alpha, ok := s.own("alpha"); ok && !s.still() {
		fit(setting, "V takes in about %.2g of the newest square at each step, which is 1-α.", 1-alpha,
			func(t *setup, by float64) { t.setOwn("alpha", max(0, 1-(1-alpha)*by)); t.early = s.skip() })
	}
	if off := math.Abs(floats.Sum(b.square)/(b.n*float64(b.dim)) - 1); s.batch > 0 && off > 0.02 {
		fit(stepSize, "The step size is about %.2g.", s.params.Eps, func(s *setup, x float64) { s.params.Eps *= x })
		fit(batchSize, "A minibatch has about %.3g data.", float64(s.batch), func(s *setup, x float64) {
			s.batch = min(max(1, int(math.Round(x*float64(s.batch)))), s.problem.N()-1)
		})
		all = append(all, k.falling(s, b)...)
	}
	return all
}

// fitted are faults of a size that is in no list but in the draws.
func (k *checker) fitted(s *setup, h *held) []hypothesis {
	var all []hypothesis
	add := func(f Fault, change func(*setup), more ...Fault) {
		all = append(all, s.with(change, append([]Fault{f}, more...)...))
	}
	if k.long != nil || s.early > 0 {
		return nil
	}
	if s.method.Alone && s == k.right {
		n := k.again.thinned(k.ctx, 100)
		for _, m := range []int{n, n - 1, n + 1} {
			if f := thinning; m > 0 && m != s.thin {
				if m > 1 {
					f = f.as("A draw is about %d steps after the one before.", m)
				}
				add(f, func(s *setup) { s.thin, s.trail = m, nil })
			}
		}
	}
	if s.method.Metropolis && s.thin == 1 {
		if e := k.again.energy(k.ctx, s); e == e {
			add(frozenEnergy, func(s *setup) { s.heat, s.stale, s.energy = 1, frozen, e })
		}
	}
	b := h.book
	if b == nil || b.n < 2 || b.dim == 0 {
		return all
	}
	n := b.n * float64(b.dim)
	least := slices.Index(b.square, slices.Min(b.square))
	if s.noisy() && normalScore(b.square[least]/b.n, b.n) < -8 {
		add(missing.as("No noise is added to %s.", b.names(least)),
			func(s *setup) { s.without = make([]bool, s.problem.Dim()); s.without[b.which[least]] = true })
	}
	// Drift and noise by one factor: least squares of the drift, and what it leaves.
	drift := 1.0
	if b.xx[onDrift] > 0 {
		drift += b.xy[onDrift] / b.xx[onDrift]
	}
	left := max(b.own, 0)
	noise := (left - float64((drift-1)*(drift-1)*b.xx[onDrift])) / n
	eps := s.params.Eps * noise
	add(stepSize.as("The step size is about %.2g.", eps), func(s *setup) { s.params.Eps = eps })
	wrong := noiseOther.as("The noise has %.2f times its variance.", left/n)
	if moving(s) {
		wrong = friction.as("The noise is that of another friction: it has %.2f times its variance.", left/n)
	}
	add(wrong, func(s *setup) { s.scale *= max(left/n, 1e-6) }, tempHalf.as("The temperature is %.2f T.", left/n))
	add(driftOther.as("The drift is %.2f times what the noise belongs to.", drift), func(s *setup) { s.pull(drift) })
	if !s.still() && !s.shared {
		all = append(all, k.averaging(s)...)
	}
	return all
}

// falling is a step size that falls as a power of the steps, as the squares of the noise are likeliest. What the drift
// of another step leaves in these is less each time that it is looked for.
func (k *checker) falling(s *setup, b *ledger) []hypothesis {
	t := *s
	for range 8 {
		f, gain := t.falls.again(b.block, float64(b.dim))
		if gain < 50 {
			return nil
		}
		t.falls = f
		if b, k.err = k.path.march(&t).on(k.ctx, nil); k.err != nil {
			return nil
		}
	}
	from, to := s.params.Eps*t.falls.at(0), s.params.Eps*t.falls.at(b.block[len(b.block)-1].to)
	what := stepSize.as("The step size falls, from about %.2g to %.2g.", from, to)
	h := s.with(func(s *setup) { s.falls = t.falls }, what)
	h.free = 3
	return []hypothesis{h}
}

// again is a fall by which blocks of steps are likeliest, whose noise is in units of what f makes of it, and how much
// likelier than by no fall.
func (f fall) again(all []block, dim float64) (best fall, gain float64) {
	mean := func(f fall, b block) float64 { // of a block, by Simpson's rule
		return (f.at(b.from) + float64(4*f.at((b.from+b.to)/2)) + f.at(b.to)) / 6
	}
	was := list.Map(all, func(b block) float64 { return mean(f, b) })
	least, none := math.Inf(1), 0.0
	try := func(over, power float64) {
		g, n, unlike := fall{0, over, power}, 0.0, 0.0
		for i, b := range all {
			by := mean(fall{1, over, power}, b)
			n += b.n * dim
			g.size += b.square * was[i] / by
			unlike += b.n * dim * libm.Log(by)
		}
		g.size /= n
		if unlike = (unlike + float64(n*libm.Log(g.size))) / 2; power == 0 {
			none = unlike
		}
		if unlike < least {
			least, best = unlike, g
		}
	}
	end := float64(all[len(all)-1].to)
	for over := end / 1000; over < 1e7; over *= 1.25 {
		for power := 0.0; power < 2; power += 0.02 {
			try(over, power)
		}
	}
	for power := 100.0; power < 1e5; power *= 1.02 { // as good as e to the power of -power/10³ t/end
		try(1000*end, power)
	}
	return best, none - least
}

// clipping is a gradient that is cut to a norm, or each of whose coordinates is cut, where the draws are likeliest.
func (k *checker) clipping(s *setup) (all []hypothesis) {
	top, sizes := 0.0, []float64(nil)
	for at := 0; at < len(k.path.mean[0]); at += k.draws.Dim {
		top = max(top, s.params.N*floats.Norm(k.path.mean[0][at:][:k.draws.Dim], 2))
	}
	for x := top; x > top/1e3; x *= 0.8 {
		sizes = append(sizes, x)
	}
	least := math.Inf(1)
	for i, what := range []string{"The gradient is cut to a norm of about %.2g.",
		"Each coordinate of the gradient is cut to about %.2g."} {
		most, unlike := k.likeliest(s, sizes, 0.1, func(s *setup, x float64) { s.most, s.each = x, i > 0 })
		if unlike < least {
			least = unlike
			all = []hypothesis{s.with(func(s *setup) { s.most, s.each = most, i > 0 }, clipped.as(what, most))}
			all[0].free = 1
		}
	}
	return all
}

// averaging is an average of gradients, if there is one.
func (k *checker) averaging(s *setup) []hypothesis {
	beta := k.average(s)
	if beta <= 0.02 || beta > 0.995 { // one that never moves on is none
		return nil
	}
	h := s.with(func(s *setup) { s.average = beta }, averagedGrad.as("An average of gradients, which keeps about %.2g of "+
		"itself, moves θ in the place of the newest gradient.", beta))
	h.free = 1
	return []hypothesis{h}
}

// average is the share that an average of gradients keeps of itself, as the draws are likeliest.
func (k *checker) average(s *setup) float64 {
	news, _ := k.likeliest(s, []float64{1, 0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01}, 0.5,
		func(s *setup, x float64) { s.average = max(1-x, 0) })
	return max(1-news, 0)
}

// likeliest is the number in a setup, from some or beside the best of these, by which the draws are likeliest, and how
// improbable they are by it. The first step beside it is by a share of it, the last one by a 25th of that. put puts a
// number in.
func (k *checker) likeliest(s *setup, of []float64, share float64, put func(s *setup, x float64)) (best, least float64) {
	p, end := k.path.upto(part), share/25
	if least = math.Inf(1); s.noisy() { // a step costs more
		p = k.path.upto(part / 10)
	}
	try := func(x float64) float64 {
		t := *s
		put(&t, x)
		y := k.surprise(p, &t)
		if y < least {
			best, least = x, y
		}
		return y
	}
	for _, x := range of {
		try(x)
	}
	if s.noisy() {
		p, least = k.path.upto(part), math.Inf(1)
		try(best)
	}
	for ; share > end && k.err == nil; share /= 2 {
		at, y := best, least
		up, down := try(at+float64(share*at)), try(at-float64(share*at))
		if bend := up + down - 2*y; bend > 0 && share <= 2*end { // by a parabola through the last three
			try(at + float64(share*at*(down-up)/(2*bend)))
		}
	}
	return best, least
}

// other is a stretch of steps whose noise has another variance, which all others have not.
func (k *checker) other(s *setup, claim *held) (Fault, bool) {
	b := claim.book
	first, last := -1, -1
	for i, c := range b.block {
		nu := c.n * float64(b.dim)
		if math.Abs(normalScore(c.square/nu, nu/b.heavy(b.dim))) > 4 {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 || b.block[first].chain != b.block[last].chain || last-first+1 > len(b.block)/2 {
		return Fault{}, false
	}
	from, to := b.block[max(first-1, 0)], b.block[min(last+1, len(b.block)-1)]
	chain := b.block[first].chain
	if k.hold(s, func(c, t int) bool { return c == chain && t >= from.from && t <= to.to }).worst > 1 {
		return Fault{}, false
	}
	return stretch.as("Draws %s to %s%s, about, have noise of another size.", counted(b.block[first].from+1),
		counted(b.block[last].to+1), k.ofChain(chain)), true
}
