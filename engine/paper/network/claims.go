package network

import (
	"fmt"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/nets/libm"
	"github.com/psgld/psgld-tui/targets/list"
)

// A tableClaim is a claim of the paper on the test errors of a table's rows.
type tableClaim struct {
	Says    string
	Authors bool      // of rows that the authors' reading alone has
	Pairs   []rowPair // the first row of each has the lower error, at every size
	Alike   bool      // or no higher
	Grows   string    // a row that does better at larger sizes, in place of pairs
}

// A rowPair names two rows of which the paper says that the first is better.
type rowPair [2]string

// A contest is a case of a claim: that one line is better than another. A line without a
// number is nil.
type contest struct {
	a, b  *line     // claimed: a < b
	names [2]string // of the rows
	at    string    // where, such as "400-400"
}

// holds reports whether a's test error is lower than b's: 1 for yes, -1 for the
// contrary, and 0 for undecided, by the Sign of the difference. Its standard error is
// that of both test sets (binomial) and of the seeds. The methods see the same test
// images, and errors on the same hard ones cancel in the difference, so that this is
// a careful rule. Without any standard error nothing is decided.
func (c contest) holds() int {
	d, se := c.difference()
	if se == 0 {
		return 0
	}
	return -claim.Sign(d, se)
}

func (c contest) difference() (d, se float64) {
	a, b := c.a, c.b
	return a.test.Mean - b.test.Mean, libm.Hypot(libm.Hypot(a.test.SE, b.test.SE), libm.Hypot(a.binomial(), b.binomial()))
}

// cells are the case's row in the table of cases, but the claim's number and the outcome.
func (c contest) cells() []string {
	if c.a == nil || c.b == nil {
		return []string{c.at, c.names[0], claim.NoNumber, c.names[1], claim.NoNumber, claim.NoNumber}
	}
	d, se := c.difference()
	sign := ""
	if d > 0 {
		sign = "+"
	}
	return []string{c.at, c.a.label, claim.Decimal(c.a.test.Mean, 2) + "%", c.b.label, claim.Decimal(c.b.test.Mean, 2) + "%", sign + claim.Decimal(d, 2) + " ± " + claim.Decimal(se, 2)}
}

// contestRule is how contests are decided, once in a report that has any.
const contestRule = "A claim on test errors holds in a case, or its contrary does, where the two differ by more than twice the standard error after ±: that of their difference, " +
	"of both test sets (binomial) and seeds, as if they were independent. Methods see the same test images, which cancels some of it, so that a test on the single images could decide more. " +
	"Each case is decided by itself: of twenty between methods that are alike one would come out by chance."

// claims says what becomes of claims. No test shows that two errors are the same, so a claim that
// rows are alike is undecided unless a difference is seen.
func (n *report) claims(all ...tableClaim) (said []string) {
	for _, c := range all {
		if c.Authors && n.o.Reading != paper.Authors {
			continue
		}
		contests := n.contests(c.Pairs)
		if c.Grows != "" {
			contests = n.growth(c.Grows)
		}
		var t claim.Tally
		var rows [][]string
		for _, x := range contests {
			outcome := ""
			if x.a == nil || x.b == nil {
				outcome = t.Gap()
			} else {
				d, _ := x.difference()
				outcome = t.Add(x.holds(), d < 0 || c.Alike && d == 0)
				n.ruled = true
			}
			rows = append(rows, append(x.cells(), outcome))
		}
		said = append(said, n.weigh(c.Says, &t, rows))
	}
	return said
}

// weigh says what becomes of a claim, whose cases it adds to the table of cases.
func (n *report) weigh(says string, t *claim.Tally, rows [][]string) string {
	said := t.Claim(says)
	if said == "" {
		return ""
	}
	n.weighed++
	for _, r := range rows {
		n.cases = append(n.cases, append([]string{fmt.Sprint(n.weighed)}, r...))
	}
	return fmt.Sprintf("Claim %d. %s", n.weighed, said)
}

// casesTable gives a report the table of all cases that were weighed, and the rule that decides them.
func (n *report) casesTable(r *paper.Report) {
	if len(n.cases) == 0 {
		return
	}
	r.Tables = append(r.Tables, paper.Table{
		Title: "The cases of the claims: the first is claimed to have less", Rows: n.cases,
		Head: []string{"Claim", "Network", "First", "has", "Second", "has", "Difference", "Outcome"},
	})
	if n.ruled {
		r.Say(contestRule)
	}
}

// contests are those of the pairs of which a run has both rows, at each size.
func (n *report) contests(pairs []rowPair) (all []contest) {
	for _, size := range n.table.columns(n.o) {
		for _, p := range pairs {
			if n.has(p[0], size) && n.has(p[1], size) {
				all = append(all, contest{n.best(p[0], size), n.best(p[1], size), p, size})
			}
		}
	}
	return all
}

// has reports whether a run has a row at a size.
func (n *report) has(name, size string) bool {
	return slices.ContainsFunc(n.table.Rows, func(r *row) bool { return r.Name == name && r.in(n.o, size) })
}

// growth are the contests of a row at each size with the same row at the size before, and
// of the last size with the first.
func (n *report) growth(row string) (all []contest) {
	sizes := n.table.columns(n.o)
	add := func(large, small string) {
		all = append(all, contest{n.best(row, large), n.best(row, small), [2]string{row, row}, large + " after " + small})
	}
	for i := 1; i < len(sizes); i++ {
		add(sizes[i], sizes[i-1])
	}
	if first, last := sizes[0], sizes[len(sizes)-1]; len(sizes) > 2 && n.best(row, first) != nil && n.best(row, last) != nil {
		add(last, first)
	}
	return all
}

// averaging says what the average over the draws gains over the newest draw.
func (n *report) averaging() string {
	lines, lower, gain := 0, 0, 0.0
	for _, l := range n.lines {
		if l.row.sampling() && l.row.Name != rowDistilled && l.test.OK() && l.newest.OK() {
			lines++
			if gain += l.newest.Mean - l.test.Mean; l.test.Mean < l.newest.Mean {
				lower++
			}
		}
	}
	if lines == 0 {
		return ""
	}
	return fmt.Sprintf("The averaged prediction of a sampler has a lower test error than its newest draw in %d of %d lines of the table, and gains %s points on average.", lower, lines, claim.Decimal(gain/float64(lines), 2))
}

// elsewhere compares with another program's runs, one each, at the same step sizes and
// temperature but from another start (PAPER §5). Errors are in percent, of the averaged
// prediction and of the newest draw.
func (n *report) elsewhere() (all []string) {
	if !n.comparable() || n.o.Reading != paper.Authors {
		return nil
	}
	for _, x := range []struct {
		row, size        string
		lr               float64
		epochs           float64
		averaged, newest float64
	}{
		{rowPSGLD1, "400-400", 5e-4, 100, 1.38, 1.50},
		{rowPSGLD, "200-200", 1e-3, 20, 0.70, 0.81},
	} {
		for _, l := range n.of(x.row, x.size) {
			if l.lr == x.lr && n.table.Epochs == x.epochs && l.test.OK() && l.newest.OK() {
				all = append(all, fmt.Sprintf("Another program's run of %s at %s, at T = 1/N but with other thinning and from another start, has a test error of %s%% by the averaged prediction and of %s%% by the newest draw. Ours has %s%% and %s%%.", l.label, x.size,
					claim.Decimal(x.averaged, 2), claim.Decimal(x.newest, 2), claim.Decimal(l.test.Mean, 2), claim.Decimal(l.newest.Mean, 2)))
			}
		}
	}
	return all
}

// choice says how the better of several step sizes was found.
func (n *report) choice() string {
	if !slices.ContainsFunc(n.lines, n.chosen) {
		return ""
	}
	return "Each step size of the paper's grid has a line of its own, and * marks the one with the lower test error. " +
		"The paper does not say on what its grid search was done; to choose on the test set, as *, the learning curves and the claims below do, is optimistic."
}

// meaning says what becomes of the text's ε by the letter and as h, both at T = 1.
func (n *report) meaning() []string {
	if n.o.Reading != paper.Text {
		return nil
	}
	var literal, step []*line
	for _, l := range n.lines {
		if l.read == paper.AsStep {
			step = append(step, l)
		} else {
			literal = append(literal, l)
		}
	}
	return []string{
		"By the letter, with the printed ε in the N-scaled update of algorithm 1, " + endOf(literal),
		"With the printed number as the step h per mean gradient and T = 1, " + endOf(step) + " The authors' reading has T = 1/N.",
	}
}

// endOf says how many lines have a number, and what the lowest is; it completes a sentence.
func endOf(lines []*line) string {
	numbers := 0
	for _, l := range lines {
		if l.test.OK() {
			numbers++
		}
	}
	if numbers == 0 {
		return fmt.Sprintf("none of %d methods comes to a number.", len(lines))
	}
	best := lines[claim.Least(lines, func(l *line) float64 { return l.test.Mean })]
	return fmt.Sprintf("%d of %d methods come to a number. The lowest test error is that of %s, %s%%.", numbers, len(lines), best.row.Name, claim.Decimal(best.test.Mean, 2))
}

// widths says whether a larger prior variance makes for wider weights.
func (n *report) widths(size string) string {
	one, hundred := n.best(rowPSGLD1, size), n.best(rowPSGLD100, size)
	if one == nil || hundred == nil || one.layers == nil || hundred.layers == nil {
		return ""
	}
	a, b := pooledSD(one.layers), pooledSD(hundred.layers)
	holds := "holds"
	if !(b > a) {
		holds = "does not hold"
	}
	return fmt.Sprintf("That a larger prior variance leads to a wider range of weights %s at %s: their standard deviation is %s with σ² = 1 and %s with σ² = 100.",
		holds, size, claim.Significant(a, 3), claim.Significant(b, 3))
}

// standing counts the verdicts.
func (n *report) standing() string {
	count := map[string]int{}
	total, one := 0, false
	for _, l := range n.lines {
		if p := n.printed(l); p == p && l.test.OK() {
			count[n.verdict(l, p)]++
			total++
			one = one || l.test.N == 1
		}
	}
	if total == 0 {
		return ""
	}
	said := fmt.Sprintf("Of %d test errors %d tie with the paper's, %d are lower and %d higher. A tie is within two standard errors of the test set (binomial) and the seeds.",
		total, count[claim.Tie], count[claim.Better], count[claim.Worse])
	if others := count[claim.Better] + count[claim.Worse]; others > 0 {
		said += fmt.Sprintf(" By chance alone about %s of %d would be farther off.", claim.Significant(0.046*float64(total), 1), total)
		if one {
			said += " Of a method with one seed, what seeds differ by, here and in the paper, is not in it."
		}
	}
	return said
}

// faster says whether the first row of each pair falls sooner than the second to a level:
// one standard error of the test set above the higher of both ends. Epochs that differ by
// no more than the distance of two points decide nothing.
func (n *report) faster(what string, pairs ...rowPair) string {
	var t claim.Tally
	var rows [][]string
	for _, x := range n.contests(pairs) {
		level, ea, eb := math.NaN(), math.NaN(), math.NaN()
		if x.a != nil && x.b != nil {
			level = max(lastTestError(x.a.curve), lastTestError(x.b.curve))
			level += claim.BinomialSE(level, x.a.cases)
			ea, eb = x.a.reaches(level), x.b.reaches(level)
		}
		row, outcome := x.cells(), ""
		if row[2], row[4], row[5] = claim.NoNumber, claim.NoNumber, claim.NoNumber; math.IsNaN(ea) || math.IsNaN(eb) {
			outcome = t.Gap()
		} else {
			holds := 0
			switch gap := max(pointSpacing(x.a.curve), pointSpacing(x.b.curve)) * (1 + 1e-9); {
			case ea < eb-gap:
				holds = 1
			case ea > eb+gap:
				holds = -1
			}
			outcome = t.Add(holds, ea < eb)
			row[0] += ", to " + claim.Decimal(level, 2) + "%"
			row[2], row[4], row[5] = fmt.Sprintf("%.3g epochs", ea), fmt.Sprintf("%.3g epochs", eb), fmt.Sprintf("%+.3g epochs", ea-eb)
		}
		rows = append(rows, append(row, outcome))
	}
	return n.weigh(what, &t, rows)
}

// curveNote says what curves are of, and that they are of one seed.
const curveNote = "The curves are those of one seed: how much seeds differ is not known. A sampler's is of its averaged prediction, an optimiser's of its newest weights, which move until the step is halved."

// lastTestError is the last test error of a curve in percent.
func lastTestError(c study.Curve) float64 {
	last := math.NaN()
	for _, y := range c.TestError {
		if v := float64(y); v == v {
			last = 100 * v
		}
	}
	return last
}

// reaches is the first epoch at which a line's test error is at a level or below it; NaN if
// there is none.
func (l *line) reaches(level float64) float64 {
	for i, e := range l.curve.Epoch {
		if i < len(l.curve.TestError) && 100*float64(l.curve.TestError[i]) <= level {
			return float64(e)
		}
	}
	return math.NaN()
}

// pointSpacing is the distance of a curve's points in epochs.
func pointSpacing(c study.Curve) float64 {
	if n := len(c.Epoch); n > 1 {
		return float64(c.Epoch[n-1]-c.Epoch[0]) / float64(n-1)
	}
	return 0
}

// steadiness says how much the curves vary at their ends, with a table of them, and of a sampler
// also that of its single draws.
func (n *report) steadiness(pairs ...rowPair) (string, paper.Table) {
	tab := paper.Table{Title: "Standard deviation of the test error over the last fifth of the run, in points", Head: []string{"Method", "Network", "Its prediction", "Single draws"}}
	for _, size := range n.table.columns(n.o) {
		for _, r := range n.table.Rows {
			if l := n.best(r.Name, size); r.Curve != "" && l != nil && len(l.curve.TestError) > 0 {
				single := claim.NoNumber
				if r.sampling() {
					single = claim.Decimal(tailSD(l.curve.Newest), 3)
				}
				tab.Rows = append(tab.Rows, []string{l.label, size, claim.Decimal(tailSD(l.curve.TestError), 3), single})
			}
		}
	}
	all, averaged, single := 0, 0, 0
	for _, x := range n.contests(pairs) {
		if x.a == nil || x.b == nil {
			continue
		}
		of := tailSD(x.b.curve.TestError)
		if mean, draws := tailSD(x.a.curve.TestError), tailSD(x.a.curve.Newest); of == of && mean == mean {
			all++
			if mean < of {
				averaged++
			}
			if draws < of {
				single++
			}
		}
	}
	if all == 0 {
		return "", tab
	}
	return fmt.Sprintf("The paper says that samplers' results are more stable than those of their optimisers. Over the last fifth of the run the error of the averaged prediction varies less in %d of %d pairs, and that of single draws in %d. The average is over all draws, and late ones hardly move it.",
		averaged, all, single), tab
}

// tailSD is the standard deviation of the last fifth of a curve, in percent; NaN for fewer
// than three points.
func tailSD(errors []engine.Num) float64 {
	tail := errors[len(errors)-len(errors)/5:]
	if len(tail) < 3 {
		return math.NaN()
	}
	return claim.Over(list.Map(tail, func(y engine.Num) float64 { return 100 * float64(y) })).SD()
}
