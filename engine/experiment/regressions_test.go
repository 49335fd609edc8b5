package experiment

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
)

// Figure 2 without the data: the stand-in, on one seed and without its long
// chains, which the report names.
func TestFig2StandsIn(t *testing.T) {
	o := quick(Paper)
	o.Targets.Options = targets.Options{DataDir: t.TempDir()}
	some := jobsOf(t, fig2a(), o, func(j Job) bool {
		return strings.Contains(j.ID, " hmc ") || strings.HasSuffix(j.ID, "steps=5000 seed=1") && (strings.Contains(j.ID, "eps=0.0001 ") || strings.Contains(j.ID, "eps=1e-06 "))
	})
	if len(some) != 4+2*2 {
		t.Fatalf("%d jobs", len(some))
	}
	outcomes := ran(t, o, some)
	for _, e := range []Experiment{fig2a(), fig2b()} {
		rep := e.Report(o, outcomes)
		sane(t, rep)
		text := strings.Join(rep.Findings, "\n")
		for _, want := range []string{creditStandIn + " in their place", "not run: "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", e.ID, want, text)
			}
		}
	}
}

// Too short a run bounds the cost of an effective sample, and a median is known
// while most runs are long enough.
func TestMixing(t *testing.T) {
	chains := creditSeeds(Options{Seed: 1}, creditChain{sampler: "sgld", eps: 1e-4, steps: 5000}, 5)
	outcomes := map[string]Outcome{}
	put := func(k int, l engine.LaneResult) {
		id := chains[k].id("blr:x")
		outcomes[id] = Outcome{ID: id, Lanes: []engine.LaneResult{l}}
	}
	short := engine.LaneResult{Draws: 5000, Steps: 5000, MinESS: engine.Num(math.NaN()), Notes: []string{"min_ess of all coordinates: too short (5000 draws)"}}
	known := func(ess float64) engine.LaneResult {
		return engine.LaneResult{Draws: 5000, Steps: 5000, Seconds: 0.5, MinESS: engine.Num(ess)}
	}
	for _, c := range []struct {
		lanes []engine.LaneResult
		text  string
		ms    string
	}{
		{nil, noNumber, noNumber},
		{[]engine.LaneResult{known(50), known(100)}, "75.0 ± 25", "7.5 ± 2.5"},
		{[]engine.LaneResult{known(50), short, known(100)}, "median 100 (1 of 3 too short)", noNumber},
		{[]engine.LaneResult{known(50), short}, "> 200 in 1 of 2", noNumber},
		{[]engine.LaneResult{short, short}, "> 200 (2 of 2 too short)", noNumber},
		{[]engine.LaneResult{{Diverged: &engine.Divergence{Step: 3}}}, "– (1 lost)", noNumber},
	} {
		clear(outcomes)
		for k, l := range c.lanes {
			put(k, l)
		}
		if m := mixingOf(resultsOf(outcomes), "blr:x", chains); m.text() != c.text || m.time() != c.ms {
			t.Errorf("%q and %q, want %q and %q", m.text(), m.time(), c.text, c.ms)
		}
	}
}

// The bias is that of the runs' mean, and the error that of each.
func TestCreditTruth(t *testing.T) {
	truth := creditTruth{mean: []float64{1, 2}, sd: []float64{1, 2}}
	lane := func(a, b, s float64) engine.LaneResult {
		return engine.LaneResult{Mean: []engine.Num{engine.Num(a), engine.Num(b)}, SD: []engine.Num{engine.Num(s), engine.Num(4 * s)}}
	}
	a, b := lane(2, 3, 1), lane(0, 1, 1)
	if got := truth.error(a); got != 1 {
		t.Errorf("error %g", got)
	}
	if got := truth.bias([]engine.LaneResult{a, b}); got != 0 {
		t.Errorf("bias %g", got)
	}
	if got := truth.width(a); got != 1.5 {
		t.Errorf("width %g", got)
	}
}

// Table 1 and figure 3 without the data, on one seed of two methods.
func TestTable1StandsIn(t *testing.T) {
	for _, read := range []Reading{Authors, Paper} {
		o := quick(read)
		o.Targets.Options = targets.Options{DataDir: t.TempDir()}
		outcomes := ran(t, o, jobsOf(t, table1(), o, func(j Job) bool {
			return strings.HasSuffix(j.ID, "seed=1") && strings.Contains(j.ID, "sgld ") && strings.HasPrefix(j.ID, creditStandIn+" ")
		}))
		o.Repeats = 1
		rep := table1().Report(o, outcomes)
		sane(t, rep)
		if len(rep.Tables[0].Scores) != 0 {
			t.Errorf("the stand-in is held to the paper: %v", rep.Tables[0].Scores)
		}
		rep = fig3().Report(o, outcomes)
		sane(t, rep)
		if text := strings.Join(rep.Findings, "\n"); strings.Contains(text, "The paper's") || !strings.Contains(text, "ends at") || !strings.Contains(rep.Figures[0].Title, creditStandIn) {
			t.Errorf("the stand-in is held to the paper in %q:\n%s", rep.Figures[0].Title, text)
		}
	}
}

// The samplers' test errors on a9a are those that another program had: SGLD 14.84
// and 14.81%, pSGLD 14.99 and 14.98% (PAPER §3). Seeds differ by 0.02 points here.
func TestTable1(t *testing.T) {
	dir := os.Getenv("PSGLD_DATA")
	if dir == "" {
		t.Skip("PSGLD_DATA not set")
	}
	if testing.Short() {
		t.Skip("two seconds")
	}
	o := quick(Authors)
	o.Targets.Options = targets.Options{DataDir: dir}
	outcomes := ran(t, o, jobsOf(t, table1(), o, func(j Job) bool {
		return strings.HasSuffix(j.ID, "seed=1") && (strings.Contains(j.ID, " psgld ") || strings.Contains(j.ID, " sgld "))
	}))
	o.Repeats = 1
	r := resultsOf(outcomes)
	for k, want := range []float64{14.985, 14.825} {
		if got := r.over(adultRows(Authors)[k].ids(o, adultTarget), testErrorOf).times(100); math.Abs(got.Mean-want) > 0.1 {
			t.Errorf("%s has %.2f%%, want about %.2f", adultRows(Authors)[k].name, got.Mean, want)
		}
	}
	rep := table1().Report(o, outcomes)
	sane(t, rep)
	if s := rep.Tables[0].Scores; len(s) != 2 || s[0].Verdict != tie || s[0].Test < 0.27 || s[0].Test > 0.29 {
		t.Errorf("scores %+v", s)
	}
	rep = fig3().Report(o, outcomes)
	sane(t, rep)
	if s := rep.Figures[0].Panels[0].Series; len(s) != 2 || len(s[0].X) != 290 {
		t.Errorf("%d curves", len(s))
	}
	// Within a binomial standard error of its end pSGLD is long before 4,000 iterations; a
	// closer look depends on the seed.
	l := learningOf(resultsOf(outcomes), adultRows(Authors)[0].ids(o, adultTarget))
	if at := l.settled(adultSettled[0]); !(at.Mean < adultClaim/2) {
		t.Errorf("pSGLD settles at %+v", at)
	}
	if text := strings.Join(rep.Findings, "\n"); !strings.Contains(text, "The paper's \"less than 4×10³ iterations\" for pSGLD ") {
		t.Errorf("the findings are %s", text)
	}
	t.Log(rep.Findings[0])
}
