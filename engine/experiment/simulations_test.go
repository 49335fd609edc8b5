package experiment

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
)

// ran runs jobs on two threads and returns their outcomes by ID.
func ran(t *testing.T, o Options, jobs []Job) map[string]Outcome {
	t.Helper()
	r := Runner{Jobs: Plan{Jobs: jobs}.Part(All), Threads: 2, Absent: Absent, Open: func(_ context.Context, j Job) (*targets.Problem, error) {
		return o.Targets.Open(j.Config.Target, j.Config.Dataset)
	}}
	all, err := r.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]Outcome{}
	for _, x := range all {
		by[x.ID] = x
	}
	return by
}

// jobsOf are the jobs of an experiment of which want is true, after checking all
// of them.
func jobsOf(t *testing.T, e Experiment, o Options, want func(Job) bool) []Job {
	t.Helper()
	jobs, err := e.Jobs(o)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var some []Job
	for _, j := range jobs {
		if seen[j.ID] {
			t.Errorf("%s: %s is there twice", e.ID, j.ID)
		}
		seen[j.ID] = true
		p, err := o.Targets.Open(j.Config.Target, j.Config.Dataset)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Config.Validate(p); err != nil {
			t.Errorf("%s: %v", j.ID, err)
		}
		if want(j) {
			some = append(some, j)
		}
	}
	return some
}

// sane checks what every report must be: rows as wide as their head, series of
// one length, panels in their axes, and no number that is not finite in words.
func sane(t *testing.T, rep Report) {
	t.Helper()
	for _, tab := range rep.Tables {
		for _, row := range tab.Rows {
			if len(row) != len(tab.Head) {
				t.Errorf("%s: a row of %d cells under %d heads: %q", tab.Title, len(row), len(tab.Head), row)
			}
			for _, c := range row {
				if c == "" || strings.Contains(c, "NaN") || strings.Contains(c, "Inf") {
					t.Errorf("%s: cell %q in %q", tab.Title, c, row)
				}
			}
		}
		for _, s := range tab.Scores {
			if math.IsNaN(s.Ours) || math.IsInf(s.Ours, 0) || math.IsNaN(s.Paper) || s.Verdict == "" || s.Seeds == 0 {
				t.Errorf("%s: score %+v", tab.Title, s)
			}
		}
	}
	for _, f := range rep.Figures {
		if f.ID == "" || len(f.Panels) == 0 || f.Columns == 0 {
			t.Errorf("figure %q has %d panels in %d columns", f.ID, len(f.Panels), f.Columns)
		}
		for _, p := range f.Panels {
			for _, s := range p.Series {
				if len(s.X) != len(s.Y) || s.Err != nil && len(s.Err) != len(s.Y) {
					t.Errorf("%s, %s: %d, %d and %d numbers", f.ID, s.Name, len(s.X), len(s.Y), len(s.Err))
				}
			}
		}
	}
	for _, f := range rep.Findings {
		if strings.Contains(f, "NaN") || strings.Contains(f, "Inf") || strings.Contains(f, "%!") {
			t.Errorf("finding %q", f)
		}
	}
}

func quick(r Reading) Options {
	return Options{Reading: r, Scale: Quick, Seed: 1, Targets: &Targets{}}
}

func all(Job) bool { return true }

// quickEps are jobs of some ε and of the first four seeds, but for those that
// start at the mode.
func quickEps(eps ...string) func(Job) bool {
	return func(j Job) bool {
		for _, e := range eps {
			if strings.Contains(j.ID, " eps="+e+" ") && strings.Contains(j.ID, "from=0.5,1 ") && !strings.HasSuffix(j.ID, "seed=5") {
				return true
			}
		}
		return false
	}
}

// The sessions of figure 1(a) are the samplers that they should be: SGLD has its
// exact stationary variances, and pSGLD the errors that another program measured
// (PAPER §4).
func TestFig1aNumbers(t *testing.T) {
	o := quick(Paper)
	outcomes := ran(t, o, jobsOf(t, fig1a(), o, quickEps("0.1", "0.3", "0.6")))
	o.Repeats = 4
	r := resultsOf(outcomes)
	p, err := o.Targets.Open("gaussian", "")
	if err != nil {
		t.Fatal(err)
	}
	s := planeSettingOf(Paper)
	for _, eps := range []float64{0.1, 0.3, 0.6} {
		want, ok := theoryOf(p, eps, s.draws)
		if !ok {
			t.Fatalf("no theory at %g", eps)
		}
		for i, v := range []float64{0.16, 1} {
			if exact := v / (1 - eps/(4*v)); math.Abs(want.Cov[i]-exact) > 1e-12*exact {
				t.Errorf("stationary variance %g at %g, want %g", want.Cov[i], eps, exact)
			}
			// The variance of a variance's estimate is 2w²/n · (1+ρ²)/(1-ρ²).
			rho := 1 - eps/(2*v)
			se := want.Cov[i] * math.Sqrt(2*(1+rho*rho)/(1-rho*rho)/float64(s.draws)/4)
			got := r.over(planeChain{a: 1, row: planeSGLD, eps: eps, draws: s.draws}.repeated(o), func(l engine.LaneResult) float64 { return float64(l.Cov[i][i]) })
			if math.Abs(got.Mean-want.Cov[i]) > 4*se {
				t.Errorf("ε = %g: variance %d is %.4f, want %.4f ± %.4f", eps, i, got.Mean, want.Cov[i], se)
			}
		}
		got := r.over(planeChain{a: 1, row: planeSGLD, eps: eps, draws: s.draws}.repeated(o), covErrorOf)
		if math.Abs(got.Mean-want.Error) > 4*want.SD/2 {
			t.Errorf("ε = %g: SGLD's error %.3f, expected %.3f ± %.3f", eps, got.Mean, want.Error, want.SD/2)
		}
		for _, row := range []planeRow{planePSGLD, planeGamma} {
			got, ref := r.over(planeChain{a: 1, row: row, eps: eps, draws: s.draws}.repeated(o), covErrorOf), reference(Paper, row.name, eps)
			// Over 5 seeds a run's standard deviation was 0.013 at ε = 0.1, and 0.007 at
			// 0.3 and 0.6; the reference is one run.
			if math.Abs(got.Mean-ref) > 4*0.013*math.Sqrt(1+1.0/4) {
				t.Errorf("ε = %g: %s's error %.3f, another program's %.3f", eps, row.name, got.Mean, ref)
			}
		}
	}
	if len(r.gaps) != 0 {
		t.Errorf("gaps %v", r.findings())
	}
	rep := fig1a().Report(o, outcomes)
	sane(t, rep)
	text := strings.Join(rep.Findings, "\n")
	for _, want := range []string{"lower at ε = 0.3, 0.6; higher at ε = 0.1 ", "cross at ε ≈ 0.", "not run: ", "Of 9 independent"} {
		if !strings.Contains(text, want) {
			t.Errorf("the findings do not say %q:\n%s", want, text)
		}
	}
}

// The expected error agrees with what many chains of a plain loop would have:
// E|X| by its two limits.
func TestMeanAbs(t *testing.T) {
	if got, want := meanAbs(0, 2), 2*math.Sqrt(2/math.Pi); math.Abs(got-want) > 1e-15 {
		t.Errorf("%g, want %g", got, want)
	}
	if got := meanAbs(-30, 1); math.Abs(got-30) > 1e-12 {
		t.Errorf("%g, want 30", got)
	}
}

// Whole quick figures: the authors' are short.
func TestScatters(t *testing.T) {
	for _, e := range []Experiment{fig1b(), suppFig1()} {
		o := quick(Authors)
		o.Repeats = 2
		rep := e.Report(o, ran(t, o, jobsOf(t, e, o, all)))
		sane(t, rep)
		for _, f := range rep.Figures {
			for _, p := range f.Panels {
				if len(p.Series) != 1 || len(p.Series[0].X) != scatterDraws || len(p.Contours) != 3 {
					t.Errorf("%s, %s: %d series, %d contours", e.ID, p.Title, len(p.Series), len(p.Contours))
				}
			}
		}
		jobsOf(t, e, quick(Paper), all)
	}
}

// A report of nothing names what is not there and shows no number.
func TestReportsNameTheirGaps(t *testing.T) {
	for _, e := range append(simulations(), regressions()...) {
		for _, read := range e.Readings {
			o := quick(read)
			sane(t, e.Report(o, nil))
			rep := e.Report(o, map[string]Outcome{})
			if text := strings.Join(rep.Findings, "\n"); !strings.Contains(text, "not run: ") {
				t.Errorf("%s, %s: %s", e.ID, read, text)
			}
			if e.Protocol(o) == "" || e.Source == "" || e.Title == "" {
				t.Errorf("%s says nothing of itself", e.ID)
			}
			for _, tab := range rep.Tables {
				if len(tab.Scores) > 0 {
					t.Errorf("%s: scores of nothing: %v", e.ID, tab.Scores)
				}
			}
		}
	}
}
