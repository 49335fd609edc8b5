package network

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/papertest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
)

// findNetwork is FindExperiment of the networks alone.
func findNetwork(id string) (paper.Experiment, error) {
	for _, e := range Experiments() {
		if e.ID == id {
			return e, nil
		}
	}
	return paper.Experiment{}, fmt.Errorf("no %s", id)
}

func networkJobs(t *testing.T, id string, o paper.Options) []study.Job {
	t.Helper()
	e, err := findNetwork(id)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := e.Jobs(o)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// Every job is valid and called by what it runs, and figures take their tables'
// jobs.
func TestNetworkJobs(t *testing.T) {
	open := withBlanks(t)
	for _, scale := range []paper.Scale{paper.Quick, paper.Full} {
		for _, read := range []paper.Reading{paper.Authors, paper.Text} {
			o := paper.Options{Reading: read, Scale: scale, Seed: 3, Repeats: 2, Targets: open}
			of := map[string]string{} // a job by its ID
			for _, share := range []struct {
				id, from string // whose jobs it takes
				want     [2]int // jobs a seed, of the authors' reading and the text's
			}{
				{"table2", "", [2]int{10, 8}}, {"fig4", "table2", [2]int{5, 8}}, {"supp-fig2", "table2", [2]int{5, 8}},
				{"table3", "", [2]int{5, 6}}, {"fig5", "table3", [2]int{4, 6}},
				{"supp-table1", "", [2]int{4, 6}}, {"supp-fig3", "supp-table1", [2]int{4, 6}},
			} {
				jobs := networkJobs(t, share.id, o)
				want := 2 * share.want[0]
				if read == paper.Text {
					want = 2 * share.want[1]
				}
				if scale == paper.Quick && len(jobs) != want {
					t.Errorf("%s %s %s: %d jobs, want %d", share.id, read, scale, len(jobs), want)
				}
				for _, j := range jobs {
					h, twice := of[j.ID]
					switch {
					case twice != (share.from != ""):
						t.Errorf("%s %s %s: %q is there already: %v", share.id, read, scale, j.ID, twice)
					case twice && h != j.Hash():
						t.Errorf("%s: %q is another job than in %s", share.id, j.ID, share.from)
					}
					of[j.ID] = j.Hash()
					if !strings.HasPrefix(j.ID, j.Config.Target+" on "+j.Config.Dataset+" ") ||
						j.Config.Dataset != open.Options.Dataset {
						t.Errorf("%q runs %s on %s", j.ID, j.Config.Target, j.Config.Dataset)
					}
					if twice || j.Config.Seed != o.Seed {
						continue
					}
					p, err := open.Open(j.Config.Target, j.Config.Dataset)
					if err != nil {
						t.Fatal(err)
					}
					if err := j.Config.Validate(p); err != nil {
						t.Errorf("%q: %v", j.ID, err)
					}
				}
			}
			hashes := map[string]string{}
			for id, h := range of {
				if other, ok := hashes[h]; ok {
					t.Errorf("%q and %q are the same job", id, other)
				}
				hashes[h] = id
			}
		}
	}
}

// What a full run is, in numbers: the text's and the authors'.
func TestNetworkProtocols(t *testing.T) {
	o := paper.Options{Reading: paper.Authors, Scale: paper.Full, Seed: 1, Targets: withBlanks(t)}
	jobs := networkJobs(t, "table2", o)
	if len(jobs) != 3*20 {
		t.Errorf("%d jobs, want three seeds of every row at 400-400 and of five at the others", len(jobs))
	}
	const n = blanks
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12*b }
	for _, j := range jobs {
		l := j.Config.Lanes[0]
		if l.Sampler != "sgld" {
			continue
		}
		if j.Config.Epochs != 100 || l.Schedule != (sampler.Schedule{Kind: "halve", Every: 20, Epochs: true}) ||
			!near(l.Eps(), 2*0.5/n) || !near(l.Value("temp"), 1.0/n) || l.Value("thin") != 300 ||
			l.Value("burn-in") != 300 {
			t.Errorf("%q: %+v", j.ID, j.Config)
		}
	}
	o.Reading = paper.Text
	for _, j := range networkJobs(t, "table2", o) {
		l := j.Config.Lanes[0]
		eps := 0.5
		if strings.Contains(j.ID, paper.AsStep) {
			eps = 2 * 0.5 / n
		}
		if l.Sampler == "sgld" && (!near(l.Eps(), eps) || l.Value("temp") != 1 || l.Value("thin") != 100) {
			t.Errorf("%q: %+v", j.ID, j.Config)
		}
	}
}

// CIFAR-10 is not fetched by itself: the experiment is told from a broken one, and
// its report says what is missing.
func TestNetworkWithoutCIFAR(t *testing.T) {
	e, err := findNetwork("supp-fig4")
	if err != nil {
		t.Fatal(err)
	}
	for _, scale := range []paper.Scale{paper.Quick, paper.Full} {
		o := paper.Options{Reading: paper.Authors, Scale: scale, Seed: 1, Targets: papertest.WithoutData()}
		if _, err := e.Jobs(o); err == nil || !study.Absent(err) ||
			!strings.Contains(err.Error(), "data fetch cifar10") {
			t.Errorf("%s: %v", scale, err)
		}
		r := e.Report(o, paper.NewResults(nil, nil))
		if len(r.Remarks) != 1 || !strings.Contains(r.Remarks[0], "Not run") ||
			!strings.Contains(r.Remarks[0], "cifar10") {
			t.Errorf("%s: %q", scale, r.Remarks)
		}
	}
}

// A session is one of a table.
type session struct {
	cell
	seed uint64
	id   string
}

// sessions are those of a table on a data set, one by one.
func sessions(tab *table, o paper.Options, dataset string) []session {
	var all []session
	for _, c := range tab.grid(o) {
		for k, id := range tab.runs(o, c, dataset).IDs() {
			all = append(all, session{c, o.Seed + uint64(k), id})
		}
	}
	return all
}

// madeUp is an outcome with a curve that falls to its test error over ten epochs
// at a rate.
func madeUp(id string, test, rate float64) study.Outcome {
	o := study.Outcome{ID: id, Seconds: 50,
		Lanes: []engine.LaneResult{{Values: quantity.Values{quantity.TestError: metrics.Exact(test)}}}}
	var c study.Curve
	for k := range 20 {
		e := float64(k+1) / 2
		c.Step = append(c.Step, uint64(300*(k+1)))
		c.Epoch = append(c.Epoch, engine.Num(e))
		c.TestError = append(c.TestError, engine.Num(test+0.5*math.Exp(-rate*e)))
		c.Newest = append(c.Newest, engine.Num(test+0.001))
	}
	c.TestError[19] = engine.Num(test)
	o.Curves = []study.Curve{c}
	o.Weights = [][]study.Layer{{{Name: "dense1", N: 4, SD: 0.1, Lo: -1, Hi: 1, Counts: []uint32{1, 1, 1, 1}},
		{Name: "dense1 bias", N: 1, SD: 0.2, Lo: 0, Hi: 1, Counts: []uint32{1}}}}
	return o
}

// find returns the row of a table by its first two cells.
func find(t *testing.T, tab paper.Table, method, network string) []string {
	t.Helper()
	for _, r := range tab.Rows {
		if len(r) != len(tab.Head) {
			t.Fatalf("row %q under %q", r, tab.Head)
		}
		if r[0] == method && r[1] == network {
			return r
		}
	}
	t.Fatalf("no row of %s at %s", method, network)
	return nil
}

// Verdicts, gaps and claims of outcomes that are made up, with two seeds.
func TestNetworkReport(t *testing.T) {
	o := paper.Options{Reading: paper.Authors, Scale: paper.Full, Seed: 1, Repeats: 2}
	tab := tableIn("table2")()
	outcomes := map[string]study.Outcome{}
	for _, c := range sessions(tab, o, "mnist") {
		test, rate := 0.0, 1.0
		switch at := c.row.Name + " " + c.size; at {
		case rowPSGLD100 + " 400-400":
			test = 0.0142 + 0.0002*float64(c.seed) // 1.44 and 1.46: the mean is 1.45 ± 0.01, a tie with 1.40
		case rowPSGLD1 + " 400-400":
			test, rate = 0.0110, 2 // better than 1.45 by 3 binomial errors of 0.104
		case rowSGLD + " 400-400":
			test = 0.0200 // worse than 1.64
		case rowRMSprop + " 400-400":
			test = 0.0115
		case rowSGD + " 400-400":
			test = 0.0150
		default:
			continue
		}
		id := c.id
		outcomes[id] = madeUp(id, test, rate)
	}
	diverged := func(name string, seeds ...uint64) {
		for _, c := range sessions(tab, o, "mnist") {
			if c.row.Name == name && c.size == "400-400" && slices.Contains(seeds, c.seed) {
				id := c.id
				x := madeUp(id, math.NaN(), 1)
				x.Lanes[0].Diverged = &state.Divergence{Step: 10 * c.seed}
				outcomes[id] = x
			}
		}
	}
	diverged("RMSspectral", 1, 2)
	diverged(rowSGD, 2)
	for _, c := range sessions(tab, o, "mnist") {
		switch id := c.id; {
		case c.row.Name == "BBB (Gaussian prior)":
			outcomes[id] = madeUp(id, math.NaN(), 1)
		case c.row.Name == "BBB (scale mixture)":
			outcomes[id] = study.Outcome{ID: id, Skipped: "no such file"}
		}
	}
	e, err := findNetwork("table2")
	if err != nil {
		t.Fatal(err)
	}
	r := e.Report(o, paper.NewResults(nil, outcomes)) // without targets: reports need no data
	got := r.Tables[0]
	for _, want := range [][]string{ // paper, ours, binomial, newest, verdict
		{rowPSGLD100, "400-400", "1.40", "1.45 ± 0.01", "0.12", "1.55 ± 0.01", "tie"},
		{rowPSGLD1, "400-400", "1.45", "1.10 ± 0.00", "0.10", "1.20 ± 0.00", "better"},
		{rowSGLD, "400-400", "1.64", "2.00 ± 0.00", "0.14", "2.10 ± 0.00", "worse"},
		{rowSGD, "400-400", "1.72", "1.50 (1 of 2 lost)", "0.12", "1.60 (1 of 2 lost)", "tie"},
		{"RMSspectral", "400-400", "1.65", "– (all 2 lost)", "–", "– (all 2 lost)", "diverged at step 10, 20"},
		{"BBB (Gaussian prior)", "400-400", "1.82 ◇", "– (all 2 lost)", "–", "– (all 2 lost)",
			"no draw to estimate from"},
		{"BBB (scale mixture)", "400-400", "1.32 ◇", "–", "–", "–", "skipped: no such file"},
		{rowDistilled, "400-400", "1.44", "–", "–", "–", "not run: about 0.1 h of a core for each seed"},
		{rowDistilled, "800-800", "1.40", "–", "–", "–", "not run: about 0.3 h of a core for each seed"},
		{rowPSGLD1, "1200-1200", "1.24", "–", "–", "–", "not run: about 0.2 h of a core for each seed"},
	} {
		row := find(t, got, want[0], want[1])
		if have := []string{row[0], row[1], row[3], row[4], row[5], row[6], row[8]}; !slices.Equal(have, want) {
			t.Errorf("%q, want %q", have, want)
		}
	}
	if want := "left out at 800-800: distilled pSGLD, about 0.3 h of a core for each seed; RMSspectral, "; len(r.Absent) != 2 || !strings.HasPrefix(r.Absent[0], want) {
		t.Errorf("absent %q, want %q", r.Absent, want)
	}
	if len(got.Rows) != 30 || len(got.Scores) != 5 {
		t.Errorf("%d rows and %d scores, want every cell of the paper's and a score of those with a number",
			len(got.Rows), len(got.Scores))
	}
	for _, s := range got.Scores {
		if s.Verdict == "" || s.Ours != s.Ours || s.Seeds < 1 || s.Seeds > 2 {
			t.Errorf("score %+v", s)
		}
	}
	said := papertest.Said(r)
	for _, want := range []string{
		"Of 5 test errors 2 tie with the paper's, 2 are better and 1 worse.",
		"Claims on which method is better: 2 hold in every case, 1 are refuted in some case, 4 are undecided.",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in:\n%s", want, said)
		}
	}
	for says, want := range map[string]string{
		"Samplers have lower test errors than the optimisers that they come from": "[1 0 1 0 4]",
		"pSGLD does better with σ² = 100 than with σ² = 1":                        "[0 1 0 0 2]",
		"pSGLD does better than SGLD":                                             "[1 0 0 0 2]",
		"pSGLD (σ² = 100) does better the larger the network":                     "[0 0 0 0 2]",
	} {
		if got := claimed(t, r, says); got != want {
			t.Errorf("%s: %s, want %s", says, got, want)
		}
	}
	if strings.Contains(said, "NaN") {
		t.Error(said)
	}
	for _, want := range [][]string{
		{"1", "400-400", rowPSGLD1, "1.10%", rowRMSprop, "1.15%", "-0.05 points ± 0.00", "2", "holds"},
		{"1", "400-400", rowSGLD, "2.00%", rowSGD, "1.50%", "+0.50 points", "1", "undecided"}, // one seed of SGD's
		{"4", "800-800", rowPSGLD1, "–", rowSGLD, "–", "–", "–", "not tested"},
	} {
		if !slices.ContainsFunc(r.Tables[2].Rows, func(row []string) bool { return slices.Equal(row, want) }) {
			t.Errorf("no case %q in %q", want, r.Tables[2].Rows)
		}
	}

	e, err = findNetwork("supp-fig2")
	if err != nil {
		t.Fatal(err)
	}
	r = e.Report(o, paper.NewResults(nil, outcomes))
	// To 2.00% and one standard error, 0.14: 0.5 exp(-e) ≤ 0.0014 + 0 of SGLD at 5.9,
	// so at 6; pSGLD needs 0.5 exp(-2e) ≤ 0.0104, at 2.
	if got, want := r.Tables[1].Rows[0], []string{"1", "400-400", rowPSGLD1, "2 epochs", rowSGLD, "6 epochs", "-4.0 epochs ± 0.1", "2", "holds"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if !strings.HasPrefix(r.Verdict, "pSGLD converges faster than SGLD: holds (1 more without numbers).") {
		t.Error(r.Verdict)
	}
	f := r.Figures[0]
	if f.ID != "supp-fig2" || len(f.Panels) != 2 || len(f.Panels[0].Series) != 5 || len(f.Panels[1].Series) != 0 {
		t.Errorf("figure %+v", f)
	}
	// Of ends of 1.10 to 2.00: 0.9 · 1.10 is 0.99, and 1.6 · 2.00 is 3.2.
	if y := f.Panels[0].Y; y.Min != 0.9 || y.Max != 3.2 {
		t.Errorf("range %v to %v", y.Min, y.Max)
	}
}

// Of several step sizes each has a line, and the better one is marked.
func TestNetworkGrid(t *testing.T) {
	o := paper.Options{Reading: paper.Authors, Scale: paper.Full, Seed: 1}
	tab := tableIn("table3")()
	outcomes := map[string]study.Outcome{}
	for _, c := range sessions(tab, o, "mnist") {
		id := c.id
		outcomes[id] = madeUp(id, 0.005+c.lr/1000, 1) // the smaller step has the lower error
	}
	e, err := findNetwork("table3")
	if err != nil {
		t.Fatal(err)
	}
	r := e.Report(o, paper.NewResults(nil, outcomes))
	marks := 0
	for _, row := range r.Tables[0].Rows {
		if strings.HasSuffix(row[4], " *") {
			marks++
			if row[2] != "h = 0.001" && row[2] != "h = 0.1" {
				t.Errorf("marked %q", row)
			}
		}
	}
	if marks != 4 || !strings.Contains(strings.Join(r.Remarks, "\n"), "optimistic") {
		t.Errorf("%d marks, %q", marks, r.Remarks)
	}
	if row := find(t, r.Tables[0], "NIN + dropout", "cnn:nin"); row[3] != "0.47 ◇" || row[4] != "0.50 ± 0.00" ||
		row[8] != "worse" {
		t.Errorf("%q", row)
	}
	// The text's reading has the printed step by the letter and as h.
	o.Reading = paper.Text
	cells := sessions(tab, o, "mnist")
	clear(outcomes)
	for _, c := range cells {
		id := c.id
		outcomes[id] = madeUp(id, 0.02, 1)
		if c.read == "" {
			outcomes[id].Lanes[0].Diverged = &state.Divergence{Step: 2}
		}
	}
	said := strings.Join(e.Report(o, paper.NewResults(nil, outcomes)).Remarks, "\n")
	for _, want := range []string{"The printed ε in the N-scaled update of algorithm 1: none of 4 methods comes to " +
		"a number.", "T = 1/N: 2 of 2 methods come to a number. The lowest test error is that of pSGLD, 2.00%."} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in:\n%s", want, said)
		}
	}
}

// The errors that the tables print (PAPER §2), typed once more.
func TestPrintedErrors(t *testing.T) {
	for _, c := range []struct {
		table *table
		want  map[string][]float64
	}{
		{tableIn("table2")(), map[string][]float64{
			"pSGLD (σ² = 100)":     {1.40, 1.26, 1.14},
			"pSGLD (σ² = 1)":       {1.45, 1.32, 1.24},
			"distilled pSGLD":      {1.44, 1.40, 1.41},
			"SGLD":                 {1.64, 1.41, 1.40},
			"RMSprop":              {1.59, 1.43, 1.39},
			"RMSspectral":          {1.65, 1.56, 1.46},
			"SGD":                  {1.72, 1.47, 1.47},
			"BBB (Gaussian prior)": {1.82, 1.99, 2.04},
			"BBB (scale mixture)":  {1.32, 1.34, 1.32},
			"SGD with dropout":     {1.51, 1.33, 1.36},
		}},
		{tableIn("table3")(), map[string][]float64{
			"pSGLD": {0.45}, "SGLD": {0.71}, "RMSprop": {0.65}, "RMSspectral": {0.78}, "SGD": {0.82},
			"stochastic pooling": {0.47}, "NIN + dropout": {0.47}, "maxout + dropout": {0.45},
		}},
		{tableIn("supp-table1")(),
			map[string][]float64{"pSGLD": {0.56}, "SGLD": {0.76}, "RMSprop": {0.64}, "SGD": {0.81}}},
	} {
		if len(c.table.Rows) != len(c.want) {
			t.Errorf("%d rows, want %d", len(c.table.Rows), len(c.want))
		}
		for _, r := range c.table.Rows {
			if !slices.Equal(r.Printed, c.want[r.Name]) {
				t.Errorf("%s prints %v, want %v", r.Name, r.Printed, c.want[r.Name])
			}
		}
	}
}
