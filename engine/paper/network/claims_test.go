package network

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/papertest"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
)

// A network's numbers are held to the paper's at full scale on MNIST alone, and to
// the test set that they are of.
func TestNetworkComparisons(t *testing.T) {
	tab := tableIn("table2")()
	for _, c := range []struct {
		scale paper.Scale
		set   string
		want  bool
	}{{paper.Full, "mnist", true}, {paper.Quick, "mnist", false}, {paper.Full, "strokes", false}} {
		o := paper.Options{Reading: paper.Authors, Scale: c.scale, Seed: 1}
		outcomes := map[string]study.Outcome{}
		for _, cell := range sessions(tab, o, c.set) {
			id := cell.id
			outcomes[id] = madeUp(id, 0.014, 1)
		}
		n := tab.reportOf(o, paper.NewResults([]study.Job{{Config: state.Config{Dataset: c.set}}}, outcomes))
		if n.comparable() != c.want || (len(n.tableOf().Scores) > 0) != c.want {
			t.Errorf("%s on %s: comparable %v, %d scores", c.scale, c.set, n.comparable(), len(n.tableOf().Scores))
		}
		if (n.elsewhere() != nil) != c.want {
			t.Errorf("%s on %s: %q", c.scale, c.set, n.elsewhere())
		}
		cases := map[string]int{"mnist": 10_000, "strokes": 2_000}[c.set]
		if n.lines[0].cases != cases ||
			math.Abs(n.lines[0].binomial()-100*math.Sqrt(0.014*0.986/float64(cases))) > 1e-12 {
			t.Errorf("%s: %d cases, ± %v", c.set, n.lines[0].cases, n.lines[0].binomial())
		}
	}
	// √((4·0.1² + 0.2²)/5) of four weights and a bias.
	if got, want := pooledSD(madeUp("", 0, 1).Weights[0]), math.Sqrt(0.08/5); math.Abs(got-want) > 1e-12 {
		t.Errorf("standard deviation %v, want %v", got, want)
	}
}

// A row that is claimed to be as good as another is not shown to be by a difference
// that is not seen, and is not refuted by being better.
func TestNetworkAlike(t *testing.T) {
	o := paper.Options{Reading: paper.Authors, Scale: paper.Full, Seed: 1}
	tab := tableIn("table2")()
	for _, c := range []struct {
		distilled  float64
		want, cell string
	}{
		{0.0145, "[0 0 1 0 0]", "1.45% 1.40% +0.05 points ± 0.05 undecided"},
		{0.0090, "[1 0 0 0 0]", "0.90% 1.40% -0.50 points ± 0.05 holds"},
		{0.0200, "[0 1 0 0 0]", "2.00% 1.40% +0.60 points ± 0.05 the contrary"},
	} {
		outcomes := map[string]study.Outcome{}
		for _, cell := range sessions(tab, o, "mnist") {
			id, test := cell.id, 0.0140
			switch cell.row.Name {
			case rowDistilled:
				test = c.distilled
			case rowSGLD:
				test = map[string]float64{"400-400": 0.0139, "800-800": 0.0143, "1200-1200": 0.0144}[cell.size]
			}
			seeds := 0.0004 * (float64(cell.seed) - 2) // so that differences have a spread of 0.08 points
			if cell.row.Name == rowPSGLD1 {
				seeds = -seeds
			}
			outcomes[id] = madeUp(id, test+seeds, 1)
		}
		e, err := findNetwork("table2")
		if err != nil {
			t.Fatal(err)
		}
		rep := e.Report(o, paper.NewResults(nil, outcomes))
		said := papertest.Said(rep)
		if !strings.Contains(said, "By chance alone about ") {
			t.Errorf("nothing of chance in:\n%s", said)
		}
		for says, want := range map[string]string{"Distilled pSGLD maintains pSGLD's performance": c.want,
			"pSGLD does better than SGLD": "[0 0 3 2 0]"} {
			if got := claimed(t, rep, says); got != want {
				t.Errorf("%s: %s, want %s", says, got, want)
			}
		}
		row := find(t, rep.Tables[2], "2", "400-400")
		if strings.Join([]string{row[3], row[5], row[6], row[len(row)-1]}, " ") != c.cell {
			t.Errorf("%q, want %s", row, c.cell)
		}
		if row := find(t, rep.Tables[0], rowDistilled, "800-800"); row[2] != claim.NoNumber {
			t.Errorf("a step of what was not run: %q", row)
		}
	}
}

// A contest is decided by the seeds' differences, whose spread contests of the same rows share,
// and curves that come down together say nothing.
func TestContests(t *testing.T) {
	line := func(name string, errors ...float64) *line {
		l := &line{label: name, test: claim.Over(errors)}
		for _, e := range errors {
			l.runs = append(l.runs, run{test: e})
		}
		return l
	}
	rows := [2]string{"a", "b"}
	for _, c := range []struct {
		a, b []float64
		want int
	}{
		{[]float64{1.40, 1.41, 1.42}, []float64{1.50, 1.50, 1.53}, 1},
		{[]float64{1.50, 1.50, 1.53}, []float64{1.40, 1.41, 1.42}, -1},
		{[]float64{2.01, 1.57, 1.64}, []float64{1.68, 1.60, 1.62}, 0},
		{[]float64{1.40}, []float64{2.40}, 0}, // one seed
		{[]float64{1.40, 1.41, math.NaN()}, []float64{1.50, 1.51, 1.52}, 1},
	} {
		x := judge([]contest{
			{a: line("a", c.a...), b: line("b", c.b...), names: rows},
			{a: line("a", 1, 1, 1), b: line("b", 1.01, 1.02, 0.99), names: rows},
		}, 0.01, errors)
		if got := x[0].paired.Sign(); got != c.want {
			t.Errorf("%v against %v: %d, want %d", c.a, c.b, got, c.want)
		}
		if x[0].paired.Spread != x[1].paired.Spread {
			t.Error("the spread is not shared")
		}
	}
	o := paper.Options{Reading: paper.Authors, Scale: paper.Full, Seed: 1}
	tab := tableIn("table2")()
	outcomes := map[string]study.Outcome{}
	for _, cell := range sessions(tab, o, "mnist") {
		id, rate := cell.id, 1.0
		if cell.row.Name == rowSGLD && cell.size == "800-800" {
			rate = 1.05 // sooner by less than a point of the curve
		}
		outcomes[id] = madeUp(id, 0.014, rate)
	}
	n := tab.reportOf(o, paper.NewResults(nil, outcomes))
	n.faster("x", rowPair{rowPSGLD1, rowSGLD})
	if got := n.weighed[0].String(); !strings.HasPrefix(got, "x: undecided in 3 of 3 cases, ") {
		t.Error(got)
	}
}

// claimed are the numbers of cases in the row of a claim: those in which it holds, the contrary
// does, neither is decided, these lean its way, and a number is missing.
func claimed(t *testing.T, rep paper.Report, says string) string {
	t.Helper()
	for _, row := range rep.Tables[1].Rows {
		if row[1] == says {
			return fmt.Sprint(row[2:])
		}
	}
	t.Fatalf("no claim %q in %q", says, rep.Tables[1].Rows)
	return ""
}

// What was read of a session's predictions serves every report, and a session without any is
// counted once.
func TestVotesAreReadOnce(t *testing.T) {
	known := [2]*claim.Votes{claim.NewVotes(nil, 2, nil, nil, nil), nil}
	n := &report{o: paper.Options{Votes: map[string][2]*claim.Votes{"a": known}}}
	for range 2 {
		for id, want := range map[string]*claim.Votes{"a": known[0], "b": nil} {
			l := &line{runs: []run{{outcome: study.Outcome{ID: id}, test: 1}}}
			if got := n.votes(l, 0); got != want {
				t.Errorf("of %s there is %v, want %v", id, got, want)
			}
		}
	}
	if len(n.unkept) != 1 || len(n.unkept[0].IDs) != 1 {
		t.Errorf("without predictions are %+v", n.unkept)
	}
}
