package simulation

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/papertest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
)

// quickEps are jobs of some ε and of the first four seeds, but for those that
// start at the mode.
func quickEps(eps ...string) func(study.Job) bool {
	return func(j study.Job) bool {
		for _, e := range eps {
			if strings.Contains(j.ID, " eps="+e+" ") && strings.Contains(j.ID, "from=0.5,1 ") &&
				!strings.HasSuffix(j.ID, "seed=5") {
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
	innerlooptest.Later(t, "a result of the paper, by no other code than elsewhere")
	o := papertest.Quick(paper.Text)
	outcomes := papertest.Run(t, o, papertest.Jobs(t, fig1a, o, quickEps("0.1", "0.3", "0.6")))
	o.Repeats = 4
	r := paper.NewResults(nil, outcomes)
	p, err := o.Targets.Open("gaussian", "")
	if err != nil {
		t.Fatal(err)
	}
	s := protocolOf(paper.Text)
	for _, eps := range []float64{0.1, 0.3, 0.6} {
		want := theoryOf(p, eps, s.draws)
		for i, v := range []float64{0.16, 1} {
			// The variance of a variance's estimate is 2w²/n · (1+ρ²)/(1-ρ²).
			rho, w := 1-eps/(2*v), v/(1-eps/(4*v))
			se := w * math.Sqrt(2*(1+rho*rho)/(1-rho*rho)/float64(s.draws)/4)
			got := r.Over(fig1aChain(o, paper.SGLD, eps),
				func(l engine.LaneResult) float64 { return float64(l.Cov[i][i]) })
			if math.Abs(got.Mean-w) > 4*se {
				t.Errorf("ε = %g: variance %d is %.4f, want %.4f ± %.4f", eps, i, got.Mean, w, se)
			}
		}
		got := r.Over(fig1aChain(o, paper.SGLD, eps), covError(1))
		if math.Abs(got.Mean-want.Error) > 4*want.SD/2 {
			t.Errorf("ε = %g: SGLD's error %.3f, expected %.3f ± %.3f", eps, got.Mean, want.Error, want.SD/2)
		}
		for _, l := range s.lanes[1:] {
			got, ref := r.Over(fig1aChain(o, l, eps), covError(1)),
				protocolOf(paper.Text).published.reference(l.Title, eps)
			// Over 5 seeds a run's standard deviation was 0.013 at ε = 0.1, and 0.007 at
			// 0.3 and 0.6; the reference is one run.
			if math.Abs(got.Mean-ref) > 4*0.013*math.Sqrt(1+1.0/4) {
				t.Errorf("ε = %g: %s's error %.3f, another program's %.3f", eps, l.Title, got.Mean, ref)
			}
		}
	}
	if len(r.Remarks()) != 0 {
		t.Errorf("gaps %v", r.Remarks())
	}
	rep := fig1a.ReportOf(o, nil, outcomes)
	named := 0
	for _, p := range rep.Figures[0].Panels {
		for _, s := range p.Series {
			for i := range s.X {
				for _, id := range s.SessionsOf(i) {
					if _, ok := outcomes[id]; !ok || s.Paper {
						t.Errorf("%s: a point at %g is of %q", s.Name, s.X[i], id)
					}
					named++
				}
			}
		}
	}
	if named == 0 {
		t.Error("no point names its sessions")
	}
	text := papertest.Said(rep)
	for _, want := range []string{"covariance error is lower than SGLD's at 2 of 3 ε (0.3, 0.6) and higher at 1 (0.1).",
		"The two are equal at ε ≈ 0.", "not run: ", "of 9 cases: they are within"} {
		if !strings.Contains(text, want) {
			t.Errorf("the remarks do not say %q:\n%s", want, text)
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
	innerlooptest.Skip(t, "long runs")
	for _, e := range []paper.Experiment{fig1b(), suppFig1()} {
		o := papertest.Quick(paper.Authors)
		o.Repeats = 2
		rep := e.ReportOf(o, nil, papertest.Run(t, o, papertest.Jobs(t, e, o, nil)))
		for _, f := range rep.Figures {
			for _, p := range f.Panels {
				if len(p.Series) != 1 || len(p.Series[0].X) != scatterDraws || len(p.Contours) != 3 {
					t.Errorf("%s, %s: %d series, %d contours", e.ID, p.Title, len(p.Series), len(p.Contours))
				}
			}
		}
		papertest.Jobs(t, e, papertest.Quick(paper.Text), nil)
	}
}

// The authors' figures are of one run each, so that ours are held to them by the
// standard deviation of a run; SGLD's exact τ is the mean of both coordinates'.
func TestFig1aBesideTheAuthors(t *testing.T) {
	o := papertest.Quick(paper.Authors)
	o.Repeats = 4
	s := protocolOf(paper.Authors)
	outcomes := map[string]study.Outcome{}
	put := func(l paper.Entry, mean, act float64) {
		of := quantity.CoordValues{quantity.ACT: metrics.Exact(act)}
		for k, id := range fig1aChain(o, l, s.eps[0]).IDs() {
			// Of the mean entry: about mean, with s² = (2·0.03² + 2·0.01²)/3.
			e := engine.Num(4 * (mean + []float64{-0.03, -0.01, 0.01, 0.03}[k]))
			outcomes[id] = study.Outcome{ID: id,
				Lanes: []engine.LaneResult{{Cov: [][]engine.Num{{0.16 + e, 0}, {0, 1}},
					Coords: []quantity.CoordValues{of, of}}}}
		}
	}
	put(paper.SGLD, 0.58, 1.5)
	put(paper.PSGLD, 0.20, 2.4)
	rep := fig1a.ReportOf(o, nil, outcomes)
	scores := rep.Tables[0].Scores
	if len(scores) != 2 {
		t.Fatalf("scores %+v", scores)
	}
	// 0.048 below 0.628: within 2 √(0.0258² + 0.0129²) = 0.058, and not within 2 · 0.0129 √2.
	if x := scores[0]; x.Paper != 0.628 || math.Abs(float64(x.Test)-0.02582) > 1e-5 ||
		math.Abs(float64(x.SE)-0.01291) > 1e-5 || x.Verdict != claim.Tie {
		t.Errorf("SGLD: %+v", x)
	}
	if x := scores[1]; x.Paper != 0.112 || x.Verdict != claim.Worse {
		t.Errorf("pSGLD: %+v", x)
	}
	// (2·0.16/0.6 - ½ + 2/0.6 - ½)/2 at ε = 0.6.
	if row := rep.Tables[1].Rows[0]; row[0] != "0.6" || row[2] != "1.43" {
		t.Errorf("τ: %q", row)
	}
	// A mean τ of 2.4 is that of SGLD at ε = 1.16/2.9 = 0.4.
	p, err := o.Targets.Open(s.target(1), "")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := rep.Tables[0].Rows[0][7], claim.Decimal(theoryOf(p, 0.4, s.draws).Error/4, 3); got != want {
		t.Errorf("SGLD at that τ has %s, want %s", got, want)
	}
	text := papertest.Said(rep)
	for _, want := range []string{
		"at equal τ is higher than SGLD's at all 1 ε.",
		"agree with ours in 1 of 2 cases", // 0.048 and 0.088 of 0.0258 √(5/4)
		"0.112 there and 0.200 ± 0.013 here, 3.0 standard deviations apart.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

// The numbers of both readings' protocols (PAPER §2, §3) in the sessions of figure 1(a).
func TestFig1aProtocols(t *testing.T) {
	o := paper.Options{Scale: paper.Full, Seed: 1, Targets: papertest.WithoutData()}
	for read, want := range map[paper.Reading]uint64{paper.Text: 200_000, paper.Authors: 20_000} {
		o.Reading = read
		jobs, err := fig1a.Jobs(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range jobs {
			l := j.Config.Lanes[0]
			if j.Config.Steps != want || l.Value(sampler.KeyThin) != 1 || l.Value(sampler.KeyBurnIn) != 0 {
				t.Errorf("%s: %d steps of %+v", j.ID, j.Config.Steps, l)
			}
			alpha, lambda := 0.99, 1e-5
			if read == paper.Authors {
				alpha, lambda = 0.9999, 1e-4
			}
			if l.Sampler == "psgld" && (l.Value("alpha") != alpha || l.Value("lambda") != lambda) {
				t.Errorf("%s: %+v", j.ID, l)
			}
		}
	}
	// 600 draws of τ = 6 hold 600/(2·6).
	if got := (scatterNumbers{act: claim.OverSeeds{Mean: 6, N: 5}}).effective(); got != 50 {
		t.Errorf("%v effective draws", got)
	}
}
