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
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A line is a row of a report: a cell over the seeds.
type line struct {
	cell
	// label is the method's name, with the step size if it has several.
	label string

	test    claim.OverSeeds // test error of the averaged prediction, an optimiser's newest, in percent
	newest  claim.OverSeeds // of the newest draw alone, in percent
	seconds claim.OverSeeds // of a session, with evaluation
	cases   int             // of the test set
	why     string          // why there is no number
	runs    []run           // by seed
	// isNewest is for a line that stands for the newest draws of another.
	isNewest bool
	// Of the first seed that has them.
	curve   study.Curve
	curveOf string // its session's ID
	layers  []study.Layer
}

// binomial is the standard error of the test error that comes from the test set, in percent.
func (l *line) binomial() float64 { return claim.BinomialSE(l.test.Mean, l.cases) }

// step writes the step size as the line reads it.
func (l *line) step() string {
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

// literally is how a line of the text's reading reads the step size, if not as paper.AsStep.
const literally = "ε as printed"

// A report is what came of a table's sessions.
type report struct {
	id string // of the experiment

	table   *table
	o       paper.Options
	dataset string
	lines   []*line
	// weighed are the claims so far, and cases the rows of theirs.
	weighed []weighed
	cases   [][]string
	unkept  paper.Gaps // of the sessions whose predictions are not here
	left    float64    // about the hours of a core that the sessions which were not run take
}

// reportOf reads the lines off results.
func (t *table) reportOf(o paper.Options, res *paper.Results) *report {
	if o.Votes == nil {
		o.Votes = map[string][2]*claim.Votes{}
	}
	n := &report{table: t, o: o, dataset: cmp.Or(t.Dataset, res.Config().Dataset, "mnist")}
	for _, size := range t.columns(o) {
		for _, r := range t.Rows {
			for _, c := range t.cells(o, r, size) {
				n.lines = append(n.lines, n.line(c, res))
			}
			if !r.in(o, size) && o.Reading == paper.Authors {
				none := claim.Over(nil)
				n.lines = append(n.lines,
					&line{cell: cell{row: r, size: size}, test: none, newest: none, seconds: none,
						why: t.unrun(r, size)})
			}
		}
	}
	for _, l := range n.lines {
		l.label = l.row.Name
		if len(n.of(l.row.Name, l.size)) > 1 {
			l.label += " (" + l.step() + ")"
		}
	}
	return n
}

// notRun begins the reason of a line without a session.
const notRun = "not run"

// unrun says of a row without a session at a size what it would cost, where that is known.
func (t *table) unrun(r *row, size string) string {
	if h := t.hours(r, size); h > 0 {
		return fmt.Sprintf(notRun+": about %s h of a core for each seed", claim.Exactly(h))
	}
	return notRun
}

// hours are about those that a seed of a row takes of a core at a size, 0 where that is not known.
func (t *table) hours(r *row, size string) float64 {
	if k := slices.Index(t.Sizes, size); k >= 0 && k < len(r.Hours) {
		return r.Hours[k]
	}
	return 0
}

// absent are the rows that the scale leaves out, in a sentence for each size.
func (n *report) absent() (all []string) {
	for _, size := range n.table.columns(n.o) {
		var each []string
		for _, l := range n.lines {
			if l.size == size && !l.row.in(n.o, size) {
				each = append(each, strings.Replace(l.label+strings.TrimPrefix(l.why, notRun), ": ", ", ", 1))
			}
		}
		if each != nil {
			all = append(all, fmt.Sprintf("left out at %s: %s.", size, strings.Join(each, "; ")))
		}
	}
	return all
}

// of are the lines of a row at a size: the step sizes and readings.
func (n *report) of(row, size string) []*line {
	return slices.DeleteFunc(slices.Clone(n.lines), func(l *line) bool { return l.row.Name != row || l.size != size })
}

// line puts the repeats of a cell together.
func (n *report) line(c cell, r *paper.Results) *line {
	l := &line{cell: c, cases: datasets[n.dataset].tests}
	if n.o.Reading == paper.Text && l.read == "" {
		l.read = literally
	}
	var test, newest, seconds []float64
	var diverged []string
	for _, id := range n.table.runs(n.o, c, n.dataset).IDs() {
		o, ok := r.Outcome(id)
		l.runs = append(l.runs, run{test: math.NaN(), newest: math.NaN()})
		this := &l.runs[len(l.runs)-1]
		switch {
		case !ok:
			l.why = n.table.unrun(c.row, c.size)
			n.left += n.table.hours(c.row, c.size)
			continue
		case o.Skipped != "":
			l.why = "skipped: " + o.Skipped
			continue
		case len(o.Lanes) == 0:
			l.why = "without a result"
			continue
		}
		seconds = append(seconds, o.Seconds)
		if this.outcome = o; len(o.Curves) > 0 {
			this.curve = o.Curves[0]
		}
		if len(o.Curves) > 0 && l.curve.Step == nil {
			l.curve, l.curveOf = o.Curves[0], o.ID
		}
		if d := o.Lanes[0].Diverged; d != nil {
			diverged = append(diverged, fmt.Sprint(d.Step))
			test, newest = append(test, math.NaN()), append(newest, math.NaN())
			continue
		}
		if len(o.Weights) > 0 && l.layers == nil {
			l.layers = o.Weights[0]
		}
		this.test = 100 * paper.TestError(o.Lanes[0])
		if k := len(this.curve.Newest); k > 0 {
			this.newest = 100 * float64(this.curve.Newest[k-1])
		}
		test, newest = append(test, this.test), append(newest, this.newest)
	}
	l.test, l.newest, l.seconds = claim.Over(test), claim.Over(newest), claim.Over(seconds)
	switch {
	case l.test.OK():
		l.why = ""
	case diverged != nil:
		l.why = "diverged at step " + strings.Join(diverged, ", ")
	case l.why == "":
		l.why = "no draw to estimate from"
	}
	return l
}

// datasets are the names and the numbers of test images of data sets. Of another set the
// number is 0, and then nothing is decided.
var datasets = map[string]struct {
	name  string
	tests int
}{"mnist": {"MNIST", 10_000}, "cifar10": {"CIFAR-10", 10_000}, "strokes": {"strokes", 2_000}}

// comparable reports whether the numbers may be held to the paper's.
func (n *report) comparable() bool { return n.o.Scale == paper.Full && n.dataset == "mnist" }

// printed is the paper's test error of a line in percent; NaN if there is none or the numbers are not comparable.
func (n *report) printed(l *line) float64 {
	if k := slices.Index(n.table.Sizes, l.size); n.comparable() && k >= 0 && k < len(l.row.Printed) {
		return l.row.Printed[k]
	}
	return math.NaN()
}

// best returns the line of a row at a size with the lowest test error, nil without a number.
func (n *report) best(row, size string) *line {
	all := n.of(row, size)
	if i := claim.Least(all, func(l *line) float64 { return l.test.Mean }); i >= 0 {
		return all[i]
	}
	return nil
}

// chosen reports whether a line has the best of several step sizes.
func (n *report) chosen(l *line) bool {
	numbers := list.Count(n.of(l.row.Name, l.size), func(other *line) bool { return other.test.OK() })
	return numbers > 1 && len(l.row.steps(n.o)) > 1 && n.best(l.row.Name, l.size) == l
}

// tableOf has the paper's number beside ours in each line.
func (n *report) tableOf() paper.Table {
	title := map[string]string{"mlp": "Test error of MLPs", "cnn": "Test error of the CNN"}[n.table.Family]
	tab := paper.Table{
		Title: title + n.suffix(),
		Head: []string{"Method", "Network", "Step", "Paper, %", "Ours, %", "Binomial SE, points", "Newest draw, %",
			"Seconds", "Against the paper's"},
		Note: "Ours are means over the seeds, ± their standard error where there are several. The newest draw " +
			"predicts alone, and of an optimiser is all there is. Seconds are those of a session, with evaluation, " +
			"on a machine that ran others beside it.",
	}
	if n.comparable() {
		tab.Note += " ◇ is quoted by the paper from elsewhere. " + claim.TieRule
	}
	for _, l := range n.lines {
		paper, test := n.printed(l), claim.NoNumber
		printed := claim.Decimal(paper, 2)
		if l.row.Quoted && paper == paper {
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
		case step == "" && l.row.LR != nil:
			step = claim.NoNumber // it was not run
		case step == "":
			step = "default"
		}
		tab.Rows = append(tab.Rows, []string{
			l.row.Name, n.network(l), step, printed, ours, test, l.newest.Text(2), l.seconds.Text(0),
			n.verdict(l, paper),
		})
		if paper == paper {
			if s, ok := claim.OnTest(l.label+", "+n.network(l), paper, l.test, l.cases); ok {
				tab.Scores = append(tab.Scores, s)
			}
		}
	}
	return tab
}

// network names the network of a line.
func (n *report) network(l *line) string {
	return cmp.Or(l.row.Target, l.size)
}

// suffix names the data set, and says that a run is quick.
func (n *report) suffix() string {
	s := " on " + cmp.Or(datasets[n.dataset].name, n.dataset)
	if n.o.Scale == paper.Quick {
		s += fmt.Sprintf(", quick run of %.0f steps", n.table.Brief.Steps)
	}
	return s
}

func (n *report) verdict(l *line, theirs float64) string {
	switch {
	case l.why != "":
		return l.why
	case n.o.Scale == paper.Quick:
		return "quick run"
	case n.table.Dataset == "" && n.dataset != "mnist":
		return "other data"
	case theirs != theirs:
		return claim.NoNumber
	}
	s, _ := claim.OnTest("", theirs, l.test, l.cases)
	return s.Verdict
}

// weightsTable lists the standard deviations of the layers' weights at the end.
func (n *report) weightsTable() (tab paper.Table, ok bool) {
	tab = paper.Table{Title: "Standard deviation of the weights at the end" + n.suffix(),
		Head: []string{"Method", "Network"},
		Note: "Of the first seed, about the mean of each layer. The last column has all layers together, with " +
			"their biases."}
	for _, l := range n.lines {
		if l.row.Curve == "" || l.layers == nil {
			continue
		}
		head, row := tab.Head[:2:2], []string{l.label, n.network(l)}
		for _, y := range l.layers {
			if !strings.HasSuffix(y.Name, " bias") {
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

// beside has the paper's number and ours in the form of its table: a row a method, a column a network, of several step
// sizes the better one. It has rows in the authors' reading only, which is the one that the printed errors belong to.
func (n *report) beside() paper.Table {
	t := paper.Table{Title: "Test errors, %, " + n.id + ": paper / ours",
		Head: append([]string{"method"}, n.table.columns(n.o)...)}
	if !n.comparable() || n.o.Reading != paper.Authors {
		return t
	}
	for _, r := range n.table.Rows {
		cells := []string{r.Name}
		for _, size := range n.table.columns(n.o) {
			cell := claim.NoNumber
			for _, l := range n.of(r.Name, size) {
				cell = claim.Decimal(n.printed(l), 2) + " / " + claim.NoNumber
			}
			if l := n.best(r.Name, size); l != nil {
				ours := l.test.Text(2)
				if n.chosen(l) {
					ours += " *"
				}
				cell = claim.Beside(claim.Decimal(n.printed(l), 2), ours, n.verdict(l, n.printed(l)))
			}
			cells = append(cells, cell)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
