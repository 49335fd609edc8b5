package network

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A tableClaim is a claim of the paper on the test errors of a table's rows.
type tableClaim struct {
	Says    string    // a sentence without its stop
	Authors bool      // of rows that the authors' reading alone has
	Pairs   []rowPair // the first row of each has the lower error, at every size
	Alike   bool      // or no higher
	Grows   string    // a row that does better at larger sizes, in place of pairs
}

// A rowPair names two rows of which the paper says that the first is better.
type rowPair [2]string

// claims weighs claims. No test shows that two errors are the same, so a claim that rows are alike
// is undecided unless a difference is seen.
func (n *report) claims(all ...tableClaim) {
	for _, c := range all {
		if c.Authors && n.o.Reading != paper.Authors {
			continue
		}
		contests := n.contests(c.Pairs)
		if c.Grows != "" {
			contests = n.growth(c.Grows)
		}
		n.claim(c.Says, contests, c.Alike)
	}
}

// claim weighs a claim in contests, or that their lines are alike.
func (n *report) claim(says string, contests []contest, alike bool) {
	var t claim.Tally
	var rows [][]string
	for _, x := range contests {
		outcome := ""
		if x.a == nil || x.b == nil {
			outcome = t.Gap()
		} else {
			outcome = t.Add(x.paired.Sign(), x.paired.Mean > 0 || alike && x.paired.Mean == 0)
		}
		rows = append(rows, append(n.cells(x), outcome))
	}
	n.weigh(says, &t, rows)
}

// weigh adds a claim with its cases, if it has any.
func (n *report) weigh(says string, t *claim.Tally, rows [][]string) {
	if t.Outcome() == "" {
		return
	}
	n.weighed = append(n.weighed, weighed{says, t})
	claim := fmt.Sprint(len(n.weighed))
	n.cases = append(n.cases, list.Map(rows, func(r []string) []string { return append([]string{claim}, r...) })...)
}

// A weighed claim is one with what became of it.
type weighed struct {
	says  string
	tally *claim.Tally
}

// String is a sentence.
func (w weighed) String() string { return w.says + ": " + w.tally.Outcome() + "." }

// weighedSaid counts the claims by what became of them.
func (n *report) weighedSaid() string {
	if len(n.weighed) == 0 {
		return ""
	}
	count := map[int]int{}
	for _, w := range n.weighed {
		count[w.tally.Holds()]++
	}
	return fmt.Sprintf("Claims on which method is better: %d hold in every case, %d are refuted in some case, %d "+
		"are undecided.", count[1], count[-1], count[0])
}

// casesTable gives a report the tables of the claims and of their cases, with what their columns are.
func (n *report) casesTable(r *paper.Report) {
	if !slices.ContainsFunc(n.weighed, func(w weighed) bool { return w.tally.Cases() > 0 }) {
		return // the verdict says that nothing was tested
	}
	claims := paper.Table{
		Title: "The claims, and in how many cases they hold",
		Head: []string{"Claim", "Says", "Holds", "The contrary holds", "Undecided", "of these with the claimed sign",
			"No number"},
	}
	for i, w := range n.weighed {
		claims.Rows = append(claims.Rows, append([]string{fmt.Sprint(i + 1), w.says}, w.tally.Cells()...))
	}
	cases := paper.Table{Title: "The cases of the claims", Head: casesHead, Rows: n.cases, Note: casesRule}
	for _, c := range [...]struct{ head, note string }{
		{headOther, " ± on other images is the standard error of the difference by a bootstrap over images and " +
			"over 13 to 25 parts of each chain."},
		{headMcNemar, " McNemar's p is exact, a number for each seed's two runs as they are: a bad seed counts " +
			"like a bad method."},
		{headNeeded, " Seeds to decide are those with which four of five such tests would find a difference as " +
			"large as ours, and as the printed one."},
	} {
		if without(&cases, c.head) {
			cases.Note += c.note
		}
	}
	r.Tables = append(r.Tables, claims, cases)
	r.Say(n.unkeptSaid())
}

// without drops a column without a number, and reports whether it is still there.
func without(t *paper.Table, head string) bool {
	k := slices.Index(t.Head, head)
	if slices.ContainsFunc(t.Rows, func(r []string) bool { return r[k] != claim.NoNumber }) {
		return true
	}
	drop := func(cells []string) []string { return slices.Delete(slices.Clone(cells), k, k+1) }
	t.Head = drop(t.Head)
	t.Rows = list.Map(t.Rows, drop)
	return false
}

// contests are those of the pairs of which a run has both rows, at each size.
func (n *report) contests(pairs []rowPair) (all []contest) {
	for _, size := range n.table.columns(n.o) {
		for _, p := range pairs {
			if n.has(p[0], size) && n.has(p[1], size) {
				all = append(all, contest{a: n.best(p[0], size), b: n.best(p[1], size), names: p, at: size})
			}
		}
	}
	return judge(all, n.image(), errors)
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
		all = append(all, contest{a: n.best(row, large), b: n.best(row, small), names: [2]string{row, row},
			at: large + " after " + small})
	}
	for i := 1; i < len(sizes); i++ {
		add(sizes[i], sizes[i-1])
	}
	first, last := sizes[0], sizes[len(sizes)-1]
	if len(sizes) > 2 && n.best(row, first) != nil && n.best(row, last) != nil {
		add(last, first)
	}
	steps := len(sizes) - 1
	return append(judge(all[:steps:steps], n.image(), errors), judge(all[steps:], n.image(), errors)...)
}

// elsewhere compares with another program's runs, one each, at the same step sizes and temperature but from another
// start (PAPER §5). Errors are in percent, of the averaged prediction and of the newest draw.
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
				all = append(all,
					fmt.Sprintf("Another program's run of %s at %s, with other thinning and from another start, "+
						"has a test error of %s%% by the averaged prediction and of %s%% by the newest draw. Ours "+
						"has %s%% and %s%%.", l.label, x.size,
						claim.Decimal(x.averaged, 2), claim.Decimal(x.newest, 2), claim.Decimal(l.test.Mean, 2),
						claim.Decimal(l.newest.Mean, 2)))
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
	return "Of several step sizes the better one, * in the tables, is chosen on the test set. Learning curves and " +
		"claims are of it, which is optimistic. The paper does not say on what its grid search was done."
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
		numbersOf("The printed ε in the N-scaled update of algorithm 1", literal),
		numbersOf("The printed number as the step h per mean gradient at T = 1, where the authors' reading has T = 1/N",
			step),
	}
}

// numbersOf says how many lines have a number, and what the lowest is.
func numbersOf(what string, lines []*line) string {
	numbers := list.Count(lines, func(l *line) bool { return l.test.OK() })
	if numbers == 0 {
		return fmt.Sprintf("%s: none of %d methods comes to a number.", what, len(lines))
	}
	best := lines[claim.Least(lines, func(l *line) float64 { return l.test.Mean })]
	return fmt.Sprintf("%s: %d of %d methods come to a number. The lowest test error is that of %s, %s%%.", what,
		numbers, len(lines), best.row.Name, claim.Decimal(best.test.Mean, 2))
}

// widths says whether a larger prior variance makes for wider weights.
func (n *report) widths(size string) string {
	one, hundred := n.best(rowPSGLD1, size), n.best(rowPSGLD100, size)
	if one == nil || hundred == nil || one.layers == nil || hundred.layers == nil {
		return ""
	}
	a, b := pooledSD(one.layers), pooledSD(hundred.layers)
	answer := "A larger prior variance widens the weights"
	if !(b > a) {
		answer = "A larger prior variance does not widen the weights"
	}
	return fmt.Sprintf("%s: at %s their standard deviation is %s with σ² = 1 and %s with σ² = 100, of one seed each.",
		answer, size, claim.Significant(a, 3), claim.Significant(b, 3))
}

// standing counts the verdicts. few says what the single seeds among them are compared by.
func (n *report) standing() (said, few string) {
	count := map[string]int{}
	total, one := 0, 0
	for _, l := range n.lines {
		if p := n.printed(l); p == p && l.test.OK() {
			count[n.verdict(l, p)]++
			if total++; l.test.N == 1 {
				one++
			}
		}
	}
	if total == 0 {
		return "", ""
	}
	said = fmt.Sprintf("Of %d test errors %d tie with the paper's, %d are better and %d worse.", total,
		count[claim.Tie], count[claim.Better], count[claim.Worse])
	if one > 0 {
		few = fmt.Sprintf("Test errors of one seed, %d of %d, are compared by the binomial error of the test set. ",
			one, total)
	}
	if others := count[claim.Better] + count[claim.Worse]; others > 0 {
		few += fmt.Sprintf("By chance alone about %s of %d would be no tie.",
			claim.Significant(0.05*float64(total), 1), total)
	}
	return said, strings.TrimSpace(few)
}

// faster weighs whether the first row of each pair falls sooner than the second to a level:
// one standard error of the test set above the higher of both ends, seed by seed. Epochs that
// differ by no more than the distance of two points decide nothing.
func (n *report) faster(what string, pairs ...rowPair) {
	var t claim.Tally
	var rows [][]string
	contests := n.contests(pairs)
	spacing := 0.0
	for _, x := range contests {
		for _, l := range []*line{x.a, x.b} {
			if l != nil {
				spacing = max(spacing, pointSpacing(l.curve))
			}
		}
	}
	for _, x := range judge(contests, spacing, epochs) {
		row := append([]string{x.at, x.names[0], claim.NoNumber, x.names[1], claim.NoNumber, claim.NoNumber},
			unweighed...)
		outcome := ""
		if x.paired.N == 0 {
			outcome = t.Gap()
		} else {
			holds := x.paired.Sign()
			if math.Abs(x.paired.Mean) <= spacing*(1+1e-9) {
				holds = 0
			}
			outcome = t.Add(holds, x.paired.Mean > 0)
			mean := func(which int) string {
				both := list.Upto(min(len(x.a.runs), len(x.b.runs)))
				all := list.Map(both, func(k int) float64 { return reached(x, x.a.runs[k], x.b.runs[k])[which] })
				return fmt.Sprintf("%.3g epochs", claim.Over(all).Mean)
			}
			row[1], row[2], row[3], row[4], row[5], row[6] = x.a.label, mean(0), x.b.label, mean(1),
				signed(x.paired, 1, " epochs"), fmt.Sprint(x.paired.N)
			if x.paired.Freedom > 0 && holds == 0 {
				if row[9] = fmt.Sprintf("> %d", claim.MostSeeds); x.paired.SeedsFor(x.paired.Mean) > 0 {
					row[9] = fmt.Sprint(x.paired.SeedsFor(x.paired.Mean))
				}
			}
		}
		rows = append(rows, append(row, outcome))
	}
	n.weigh(what, &t, rows)
}

// reached are the epochs at which two runs reach the level that both do.
func reached(x contest, a, b run) [2]float64 {
	level := max(lastTestError(a.curve), lastTestError(b.curve))
	level += claim.BinomialSE(level, x.a.cases)
	return [2]float64{reaches(a.curve, level), reaches(b.curve, level)}
}

// epochs is the difference between the epochs at which two runs come down.
func epochs(x contest, a, b run) float64 {
	e := reached(x, a, b)
	return e[1] - e[0]
}

// curveNote says what curves are of.
const curveNote = "The curves are those of the first seed: of a sampler's averaged prediction, and of an " +
	"optimiser's newest weights, which move until the step is halved. " +
	"Of two methods that are compared, each has converged at the first epoch at which its test error is at most " +
	"the higher of their two ends plus one binomial standard error of the test set."

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

// reaches is the first epoch at which a curve's test error is at a level or below it; NaN if there is none.
func reaches(c study.Curve, level float64) float64 {
	for i, e := range c.Epoch {
		if i < len(c.TestError) && 100*float64(c.TestError[i]) <= level {
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
	tab := paper.Table{
		Title: "Standard deviation of the test error over the last fifth of the run, in points",
		Head:  []string{"Method", "Network", "Its prediction", "Single draws"},
		Note: "A sampler predicts by the average over its draws, which late ones hardly move, and an optimiser by " +
			"its newest weights. Of the first seed.",
	}
	for _, size := range n.table.columns(n.o) {
		for _, r := range n.table.Rows {
			if l := n.best(r.Name, size); r.Curve != "" && l != nil && len(l.curve.TestError) > 0 {
				single := claim.NoNumber
				if r.sampling() {
					single = claim.Decimal(tailSD(l.curve.Newest), 3)
				}
				tab.Rows = append(tab.Rows,
					[]string{l.label, size, claim.Decimal(tailSD(l.curve.TestError), 3), single})
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
	return fmt.Sprintf("The paper says that samplers' results are more stable than those of their optimisers. Over "+
		"the last fifth of the run a sampler's averaged prediction varies less than its optimiser's in %d of %d "+
		"pairs, and its single draws do in %d.",
		averaged, all, single), tab
}

// tailSD is the standard deviation of the last fifth of a curve, in percent; NaN for fewer than three points.
func tailSD(errors []engine.Num) float64 {
	tail := errors[len(errors)-len(errors)/5:]
	if len(tail) < 3 {
		return math.NaN()
	}
	return claim.Over(list.Map(tail, func(y engine.Num) float64 { return 100 * float64(y) })).SD()
}
