package experiment

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/engine"
)

// A contest is a claim of the paper that one line is better than another.
type contest struct {
	a, b networkLine // claimed: a < b
	at   string      // where, such as "400-400"
}

// holds reports whether a's test error is lower than b's: 1 for yes, -1 for the
// contrary, and 0 for undecided, within 2 √(se_a² + se_b²), with the standard errors
// of the test set (binomial) and of the seeds in each. The methods see the same test
// images, and errors on the same hard ones cancel in the difference, so that this is
// a careful rule. Without any standard error nothing is decided.
func (c contest) holds() int {
	d, se := c.difference()
	switch {
	case se == 0 || math.Abs(d) <= 2*se:
		return 0
	case d < 0:
		return 1
	}
	return -1
}

func (c contest) difference() (d, se float64) {
	a, b := c.a, c.b
	return a.test.Mean - b.test.Mean, math.Hypot(math.Hypot(a.test.SE, b.test.SE), math.Hypot(a.binomial(), b.binomial()))
}

// A rowPair names two rows of which the paper says that the first is better.
type rowPair struct{ a, b string }

// lower says at which sizes the first row of each pair has the lower test error.
func (n *networkReport) lower(claim string, pairs ...rowPair) string {
	var all []contest
	var gaps []string
	for _, size := range n.table.columns(n.o) {
		for _, p := range pairs {
			if !n.has(p, size) {
				continue
			}
			a, b := n.best(p.a, size), n.best(p.b, size)
			if a == nil || b == nil {
				gaps = append(gaps, p.at(size))
				continue
			}
			all = append(all, contest{*a, *b, size})
		}
	}
	return contested(claim, all, gaps)
}

// has reports whether a run has both rows at a size.
func (n *networkReport) has(p rowPair, size string) bool {
	both := 0
	for i := range n.table.rows {
		if r := &n.table.rows[i]; (r.name == p.a || r.name == p.b) && r.in(n.o, size) {
			both++
		}
	}
	return both == 2
}

// grows says whether a row does better at larger sizes.
func (n *networkReport) grows(claim, row string) string {
	sizes := n.table.columns(n.o)
	if len(sizes) < 2 {
		return ""
	}
	var all []contest
	var gaps []string
	for i := 1; i < len(sizes); i++ {
		large, small := n.best(row, sizes[i]), n.best(row, sizes[i-1])
		at := sizes[i] + " after " + sizes[i-1]
		if large == nil || small == nil {
			gaps = append(gaps, row+" at "+at)
			continue
		}
		all = append(all, contest{*large, *small, at})
	}
	if first, last := n.best(row, sizes[0]), n.best(row, sizes[len(sizes)-1]); len(sizes) > 2 && first != nil && last != nil {
		all = append(all, contest{*last, *first, sizes[len(sizes)-1] + " after " + sizes[0]})
	}
	return contested(claim, all, gaps)
}

// contested is a claim with what was found of it.
func contested(claim string, all []contest, gaps []string) string {
	var t tally
	for _, c := range all {
		t.add(c.String(), c.holds())
	}
	return t.claim(claim, gaps)
}

// String gives the numbers of a contest.
func (c contest) String() string {
	d, se := c.difference()
	sign := ""
	if d > 0 {
		sign = "+"
	}
	return fmt.Sprintf("at %s %s has %s%% and %s %s%%, %s%s ± %s", c.at, c.a.label, decimal(c.a.test.Mean, 2), c.b.label, decimal(c.b.test.Mean, 2),
		sign, decimal(d, 2), decimal(se, 2))
}

// A tally counts how often a claim holds.
type tally struct {
	each               []string
	yes, no, undecided int
}

func (t *tally) add(said string, holds int) {
	switch {
	case holds > 0:
		t.yes++
		said += ": holds"
	case holds < 0:
		t.no++
		said += ": the contrary"
	default:
		t.undecided++
		said += ": undecided"
	}
	t.each = append(t.each, said)
}

// claim says of a claim how often it holds, each case and what could not be
// tested; "" of nothing.
func (t *tally) claim(claim string, gaps []string) string {
	said := "Claim: " + claim + "."
	if t.each != nil {
		said += fmt.Sprintf(" It holds in %d of %d", t.yes, len(t.each))
		if t.undecided > 0 {
			said += fmt.Sprintf(", undecided in %d", t.undecided)
		}
		if t.no > 0 {
			said += fmt.Sprintf(", the contrary in %d", t.no)
		}
		said += ". " + capital(strings.Join(t.each, "; ")) + "."
	}
	if gaps != nil {
		said += " Not tested, for want of a number: " + strings.Join(gaps, "; ") + "."
	}
	if t.each == nil && gaps == nil {
		return ""
	}
	return said
}

// capital begins a sentence.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// alike says at which sizes a row that is claimed to be as good as another is
// neither better nor worse.
func (n *networkReport) alike(claim string, p rowPair) string {
	var t tally
	var gaps []string
	for _, size := range n.table.columns(n.o) {
		if !n.has(p, size) {
			continue
		}
		a, b := n.best(p.a, size), n.best(p.b, size)
		if a == nil || b == nil {
			gaps = append(gaps, p.at(size))
			continue
		}
		c := contest{*a, *b, size}
		t.add(c.String(), 1-2*abs(c.holds()))
	}
	return t.claim(claim, gaps)
}

func (p rowPair) at(size string) string { return p.a + " and " + p.b + " at " + size }

// faster says whether the first row of each pair comes down sooner than the second:
// to one standard error of the test set above the higher of both ends. Epochs that
// differ by no more than the distance of two points are undecided.
func (n *networkReport) faster(claim string, pairs ...rowPair) string {
	var t tally
	var gaps []string
	for _, size := range n.table.columns(n.o) {
		for _, p := range pairs {
			if !n.has(p, size) {
				continue
			}
			a, b := n.best(p.a, size), n.best(p.b, size)
			if a == nil || b == nil {
				gaps = append(gaps, p.at(size))
				continue
			}
			level := max(lastTestError(a.curve), lastTestError(b.curve))
			level += binomialSE(level, a.cases)
			ea, oka := reaches(a.curve, level)
			eb, okb := reaches(b.curve, level)
			if !oka || !okb {
				gaps = append(gaps, p.at(size))
				continue
			}
			holds := 0
			switch gap := max(pointSpacing(a.curve), pointSpacing(b.curve)) * (1 + 1e-9); {
			case ea < eb-gap:
				holds = 1
			case ea > eb+gap:
				holds = -1
			}
			t.add(fmt.Sprintf("at %s %s comes to %s%% in %.3g epochs and %s in %.3g", size, a.label, decimal(level, 2), ea, b.label, eb), holds)
		}
	}
	return t.claim(claim, gaps)
}

// lastTestError is the last test error of a curve in percent.
func lastTestError(c Curve) float64 {
	last := math.NaN()
	for _, y := range c.TestError {
		if v := float64(y); v == v {
			last = 100 * v
		}
	}
	return last
}

// reaches is the epoch at which a curve's test error first is at a level or below.
func reaches(c Curve, level float64) (epoch float64, ok bool) {
	for i, y := range c.TestError {
		if 100*float64(y) <= level && i < len(c.Epoch) {
			return float64(c.Epoch[i]), true
		}
	}
	return 0, false
}

// pointSpacing is the distance of a curve's points in epochs.
func pointSpacing(c Curve) float64 {
	if n := len(c.Epoch); n > 1 {
		return float64(c.Epoch[n-1]-c.Epoch[0]) / float64(n-1)
	}
	return 0
}

// steadiness says how much each curve of a size moves at its end, and a sampler's
// single draws.
func (n *networkReport) steadiness() string {
	var each []string
	for _, size := range n.table.columns(n.o) {
		for i := range n.table.rows {
			r := &n.table.rows[i]
			l := n.best(r.name, size)
			if r.curve == "" || l == nil {
				continue
			}
			moves, single := tailSD(l.curve.TestError), tailSD(l.curve.Newest)
			switch {
			case moves != moves:
			case r.sampling():
				each = append(each, fmt.Sprintf("%s at %s %s (its single draws %s)", l.label, size, decimal(moves, 3), decimal(single, 3)))
			default:
				each = append(each, fmt.Sprintf("%s at %s %s", l.label, size, decimal(moves, 3)))
			}
		}
	}
	if each == nil {
		return ""
	}
	return "Claim: samplers' results are more stable than their optimisers'. The standard deviation of the test error over the last fifth of the run is, in points, " +
		strings.Join(each, "; ") + ". A sampler's is of the average over all its draws, which late draws hardly move."
}

// tailSD is the standard deviation of a curve over its last fifth, in points; NaN
// for fewer than three.
func tailSD(errors []engine.Num) float64 {
	tail := errors[len(errors)-len(errors)/5:]
	if len(tail) < 3 {
		return math.NaN()
	}
	var x []float64
	for _, y := range tail {
		x = append(x, 100*float64(y))
	}
	s := over(x)
	return s.SE * math.Sqrt(float64(s.N))
}

// averaging says what the average over the draws gains over the newest draw.
func (n *networkReport) averaging() string {
	var each []string
	for i := range n.lines {
		l := &n.lines[i]
		if l.row.sampling() && l.row.name != rowDistilled && l.test.OK() && l.newest.OK() {
			each = append(each, fmt.Sprintf("%s at %s %s%% and %s%%", l.label, n.network(l), decimal(l.test.Mean, 2), decimal(l.newest.Mean, 2)))
		}
	}
	if each == nil {
		return ""
	}
	return "The averaged prediction and the newest draw alone: " + strings.Join(each, "; ") + "."
}

// choice says how the better of several step sizes was found.
func (n *networkReport) choice() string {
	for i := range n.lines {
		if n.chosen(&n.lines[i]) {
			return "Each step size of the paper's grid has a line of its own, and * marks the one with the lower test error. " +
				"The paper does not say on what its grid search was done; to choose on the test set, as *, the learning curves and the claims below do, is optimistic."
		}
	}
	return ""
}

// guessing is about the test error, in percent, of who guesses one of ten classes.
const guessing = 88

// meaning says what becomes of the text's ε by the letter and as h, both at T = 1.
func (n *networkReport) meaning() []string {
	if n.o.Reading != Paper {
		return nil
	}
	var literal, step []string
	for i := range n.lines {
		l := &n.lines[i]
		said := fmt.Sprintf("%s, %s, at %s", l.row.name, l.step(), n.network(l))
		switch {
		case !l.test.OK():
			said += ": " + l.why
		default:
			said += ": " + decimal(l.test.Mean, 2) + "%"
			if l.test.Mean >= guessing {
				said += ", which is guessing"
			}
			if p := n.printed(l); p == p {
				said += fmt.Sprintf(" (the paper %s%%: %s)", decimal(p, 2), n.verdict(l, p))
			}
		}
		if l.read == asStep {
			step = append(step, said)
		} else {
			literal = append(literal, said)
		}
	}
	return []string{
		"By the letter, with ε in the N-scaled update of algorithm 1: " + strings.Join(literal, "; ") + ".",
		"With the printed number as the step h per mean gradient and T = 1: " + strings.Join(step, "; ") + ". T = 1/N is the authors' reading.",
	}
}

// widths says whether a larger prior variance makes for wider weights.
func (n *networkReport) widths(size string) string {
	one, hundred := n.best(rowPSGLD1, size), n.best(rowPSGLD100, size)
	if one == nil || hundred == nil || one.layers == nil || hundred.layers == nil {
		return ""
	}
	a, b := pooledSD(one.layers), pooledSD(hundred.layers)
	holds := "holds"
	if !(b > a) {
		holds = "does not hold"
	}
	return fmt.Sprintf("Claim: a larger prior variance leads to a wider range of weights. It %s at %s: their standard deviation is %s with σ² = 1 and %s with σ² = 100.",
		holds, size, significant(a, 3), significant(b, 3))
}

func abs(n int) int { return max(n, -n) }

// standing counts how the numbers stand to the paper's.
func (n *networkReport) standing() string {
	count := map[string]int{}
	total := 0
	for i := range n.lines {
		l := &n.lines[i]
		if p := n.printed(l); p == p && l.test.OK() {
			count[n.verdict(l, p)]++
			total++
		}
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("Of %d test errors, %d tie with the paper's, %d are lower and %d higher. A tie is within two standard errors of the test set (binomial) and the seeds.",
		total, count[tie], count[better], count[worse])
}
