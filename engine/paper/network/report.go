package network

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/study"
)

// A networkLine is a row of a report: a method at a size and a step size, over the
// seeds.
type networkLine struct {
	row  *networkRow
	size string
	lr   float64
	read string
	// label is the method, with its step size where it has lines of several.
	label string

	test    claim.OverSeeds // test error of the averaged prediction, an optimiser's newest, in percent
	newest  claim.OverSeeds // of the newest draw alone, in percent
	seconds claim.OverSeeds // of a session, with evaluation
	cases   int             // of the test set
	lost    []uint64        // the steps at which repeats diverged
	why     string          // why there is no number
	// Of the first seed that has them.
	curve  study.Curve
	layers []study.Layer
}

// binomial is the standard error of the line's test error that is the test
// set's, in percent.
func (l *networkLine) binomial() float64 { return claim.BinomialSE(l.test.Mean, l.cases) }

// step writes the step size as it is meant.
func (l *networkLine) step() string {
	switch {
	case l.lr == 0:
		return ""
	case l.read == paper.AsStep:
		return "h = " + claim.Exactly(l.lr) + ", T = 1"
	case l.read == literally:
		return "ε = " + claim.Exactly(l.lr)
	}
	return "h = " + claim.Exactly(l.lr)
}

// literally is how a line of the text's reading that is not asStep is meant.
const literally = "ε as printed"

// A networkReport is what the outcomes of a table's sessions come to.
type networkReport struct {
	id string // of the experiment

	table   *networkTable
	o       paper.Options
	dataset string
	lines   []networkLine
}

// reportOf reads the lines off results.
func (t *networkTable) reportOf(o paper.Options, r *paper.Results) *networkReport {
	n := &networkReport{table: t, o: o, dataset: cmp.Or(t.dataset, r.Dataset(), "mnist")}
	lines := map[*networkRow][]networkLine{}
	for _, c := range t.grid(o) {
		lines[c.row] = append(lines[c.row], n.line(c, r))
	}
	for _, size := range t.columns(o) {
		for i := range t.rows {
			r := &t.rows[i]
			if !r.in(o, size) && o.Reading == paper.Authors {
				none := claim.Over(nil)
				n.lines = append(n.lines, networkLine{row: r, size: size, test: none, newest: none, seconds: none, why: "not run: " + r.left})
			}
			for _, l := range lines[r] {
				if l.size == size {
					n.lines = append(n.lines, l)
				}
			}
		}
	}
	seen := map[string]int{}
	for i := range n.lines {
		seen[n.lines[i].place()]++
	}
	for i := range n.lines {
		l := &n.lines[i]
		l.label = l.row.name
		if seen[l.place()] > 1 {
			l.label += " (" + l.step() + ")"
		}
	}
	return n
}

// place is the line's place in the paper's table.
func (l *networkLine) place() string { return l.row.name + " at " + l.size }

// line puts the repeats of a cell together.
func (n *networkReport) line(c networkCell, r *paper.Results) networkLine {
	l := networkLine{row: c.row, size: c.size, lr: c.lr, read: c.read, cases: testCases(n.dataset)}
	if n.o.Reading == paper.Text && l.read == "" {
		l.read = literally
	}
	var test, newest, seconds []float64
	for _, id := range n.table.runs(n.o, c, n.dataset).IDs() {
		o, ok := r.Outcome(id)
		switch {
		case !ok:
			l.why = "not run"
			continue
		case o.Skipped != "":
			l.why = "skipped: " + o.Skipped
			continue
		case len(o.Lanes) == 0:
			l.why = "without a result"
			continue
		}
		seconds = append(seconds, o.Seconds)
		if len(o.Curves) > 0 && l.curve.Step == nil {
			l.curve = o.Curves[0]
		}
		if d := o.Lanes[0].Diverged; d != nil {
			l.lost = append(l.lost, d.Step)
			test, newest = append(test, math.NaN()), append(newest, math.NaN())
			continue
		}
		if len(o.Weights) > 0 && l.layers == nil {
			l.layers = o.Weights[0]
		}
		test = append(test, 100*paper.TestError(o.Lanes[0]))
		last := math.NaN()
		if len(o.Curves) > 0 && len(o.Curves[0].Newest) > 0 {
			last = 100 * float64(o.Curves[0].Newest[len(o.Curves[0].Newest)-1])
		}
		newest = append(newest, last)
	}
	l.test, l.newest, l.seconds = claim.Over(test), claim.Over(newest), claim.Over(seconds)
	switch {
	case l.test.OK():
		l.why = ""
	case l.lost != nil:
		l.why = divergedAt(l.lost)
	case l.why == "":
		l.why = "no draw to estimate from"
	}
	return l
}

func divergedAt(steps []uint64) string {
	var at []string
	for _, s := range steps {
		at = append(at, fmt.Sprint(s))
	}
	return "diverged at step " + strings.Join(at, ", ")
}

// dataName is a data set as people write it.
func dataName(set string) string {
	switch set {
	case "mnist":
		return "MNIST"
	case "cifar10":
		return "CIFAR-10"
	}
	return set
}

// testCases is the number of test images of a data set, 0 where it is not known:
// then nothing is decided.
func testCases(dataset string) int {
	switch dataset {
	case "mnist", "cifar10":
		return 10_000
	case "strokes":
		return 2_000
	}
	return 0
}

// comparable reports whether the numbers may be held to the paper's.
func (n *networkReport) comparable() bool { return n.o.Scale == paper.Full && n.dataset == "mnist" }

// printed is the paper's test error of a line in percent, NaN where it has none or
// it is of other sessions than these.
func (n *networkReport) printed(l *networkLine) float64 {
	if k := slices.Index(n.table.sizes, l.size); n.comparable() && k >= 0 && k < len(l.row.printed) {
		return l.row.printed[k]
	}
	return math.NaN()
}

// best returns the line of a row at a size with the lowest test error, nil
// without a number.
func (n *networkReport) best(row, size string) *networkLine {
	var best *networkLine
	for i := range n.lines {
		l := &n.lines[i]
		if l.row.name == row && l.size == size && l.test.OK() && (best == nil || l.test.Mean < best.test.Mean) {
			best = l
		}
	}
	return best
}

// chosen reports whether a line is the better of several step sizes that have a
// number.
func (n *networkReport) chosen(l *networkLine) bool {
	numbers := 0
	for i := range n.lines {
		if n.lines[i].place() == l.place() && n.lines[i].test.OK() {
			numbers++
		}
	}
	return numbers > 1 && len(l.row.steps(n.o)) > 1 && n.best(l.row.name, l.size) == l
}

// tableOf is the paper's number beside ours, a line each. Its verdicts are those of
// verdict: a tie within two standard errors, of the seeds and the test set.
func (n *networkReport) tableOf() paper.Table {
	title := map[string]string{"mlp": "Test error of MLPs", "cnn": "Test error of the CNN"}[n.table.family]
	tab := paper.Table{
		Title: title + n.suffix(),
		Head:  []string{"Method", "Network", "Step", "Paper, %", "Ours, %", "SE of the test set", "Newest draw, %", "Seconds", "Verdict"},
	}
	for i := range n.lines {
		l := &n.lines[i]
		paper, test := n.printed(l), claim.NoNumber
		printed := claim.Decimal(paper, 2)
		if l.row.quoted && paper == paper {
			printed += " ◇"
		}
		ours := l.test.Text(2)
		if n.chosen(l) {
			ours += " *"
		}
		if l.test.OK() && l.cases > 0 {
			test = claim.Decimal(l.binomial(), 2)
		}
		step := l.step()
		switch {
		case step == "" && l.row.lr != nil:
			step = claim.NoNumber // it was not run
		case step == "":
			step = "its own"
		}
		tab.Rows = append(tab.Rows, []string{
			l.row.name, n.network(l), step, printed, ours, test, l.newest.Text(2), l.seconds.Text(0), n.verdict(l, paper),
		})
		if paper == paper {
			if s, ok := claim.ScoreOf(l.label+", "+n.network(l), "%", paper, l.test, l.binomial()); ok {
				tab.Scores = append(tab.Scores, s)
			}
		}
	}
	return tab
}

// network names the network of a line.
func (n *networkReport) network(l *networkLine) string {
	if l.row.target != "" {
		return l.row.target
	}
	return l.size
}

// suffix labels what is not the text's own.
func (n *networkReport) suffix() string {
	s := " on " + dataName(n.dataset)
	if n.o.Scale == paper.Quick {
		s += fmt.Sprintf(", quick run of %.0f steps", n.table.brief.steps)
	}
	return s
}

func (n *networkReport) verdict(l *networkLine, theirs float64) string {
	switch {
	case l.why != "":
		return l.why
	case n.o.Scale == paper.Quick:
		return "quick run"
	case n.table.dataset == "" && n.dataset != "mnist":
		return "other data"
	case theirs != theirs:
		return claim.NoNumber
	}
	return claim.VerdictOf(theirs, l.test.Mean, l.test.SE, l.binomial())
}

// weightsTable lists the standard deviations of the layers' weights at the end.
func (n *networkReport) weightsTable() (tab paper.Table, ok bool) {
	tab = paper.Table{Title: "Standard deviation of the weights at the end" + n.suffix(), Head: []string{"Method", "Network"}}
	for i := range n.lines {
		l := &n.lines[i]
		if l.row.curve == "" || l.layers == nil {
			continue
		}
		head, row := tab.Head[:2:2], []string{l.label, n.network(l)}
		for _, y := range l.layers {
			if !isBias(y) {
				head, row = append(head, y.Name), append(row, claim.Significant(float64(y.SD), 3))
			}
		}
		if len(tab.Rows) == 0 {
			tab.Head = append(head, "all")
		}
		if len(row) == len(tab.Head)-1 {
			tab.Rows = append(tab.Rows, append(row, claim.Significant(pooledSD(l.layers), 3)))
		}
	}
	return tab, len(tab.Rows) > 0
}
