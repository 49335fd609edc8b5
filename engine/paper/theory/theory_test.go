package theory

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/papertest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/study"
)

func theoryOptions(seed uint64, repeats int) paper.Options {
	return paper.Options{Reading: paper.Text, Scale: paper.Quick, Seed: seed, Repeats: repeats,
		Targets: &study.Targets{}}
}

// measuredBy are the results of runs.
func measuredBy(t *testing.T, o paper.Options, all ...paper.Runs) *paper.Results {
	t.Helper()
	jobs, err := paper.Jobs(o.Targets, all)
	if err != nil {
		t.Fatal(err)
	}
	return paper.NewResults(jobs, papertest.Run(t, o, jobs))
}

// The formulas against sums over all pairs.
func TestExactLawsAreTheSumsThatTheyStandFor(t *testing.T) {
	const n = 40
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
			t.Errorf("%s is %v, not %v", what, got, want)
		}
	}
	p := sgldOn(0.16, 0.1)
	var mean, square, tau float64
	for i := range n {
		for j := range n {
			c := p.v * math.Pow(p.a, math.Abs(float64(i-j)))
			mean += c / n / n
			square += 2 * c * c / n / n
		}
	}
	for k := 1; k < 2000; k++ {
		tau += math.Pow(p.a, float64(k))
	}
	near("the variance of a mean", p.v*averaged(p.a, n), mean)
	near("the variance of a mean square", p.squareVar(n), square)
	near("τ", p.act(), 0.5+tau)
	near("the variance at ε = 0.1", p.v, 0.16/(1-0.1/0.64))
	k := p.thinned(3)
	near("the correlation of every third", k.a, p.a*p.a*p.a)

	// pSGLD's G = σ²/√v is what makes v the variance of SGLD at the step εG.
	q := averagedOn(0.16, 0.3)
	near("the variance at α → 1", q.v, sgldOn(0.16, 0.3*0.16/math.Sqrt(q.v)).v)
	near("its correlation", q.a, sgldOn(0.16, 0.3*0.16/math.Sqrt(q.v)).a)

	// Varying steps and weights, from a start off the mean: x_t = Σ terms of
	// independent normals.
	var coef [][]float64 // of x_t in the noise, and last its mean
	var w []float64
	e := newWeightedSquare(0.5, 0.9)
	row := make([]float64, n+1)
	row[n] = 0.9
	for i := range n {
		eps, weight := 0.8/math.Sqrt(1+float64(i)), float64(i%3)
		next := make([]float64, n+1)
		for j, c := range row {
			next[j] = (1 - eps) * c // a = 1 - ε/(2·0.5)
		}
		next[i] += math.Sqrt(eps)
		row = next
		coef, w = append(coef, row), append(w, weight)
		e.step(eps, weight)
	}
	var sum, vari, weight float64
	for i := range n {
		own := row[:0:0]
		own = append(own, coef[i]...)
		m2 := own[n] * own[n]
		for _, c := range own[:n] {
			m2 += c * c
		}
		sum += w[i] * m2
		weight += w[i]
		for j := range n {
			cov := 0.0
			for k := range n {
				cov += coef[i][k] * coef[j][k]
			}
			vari += w[i] * w[j] * (2*cov*cov + 4*coef[i][n]*coef[j][n]*cov)
		}
	}
	near("the bias of a weighted average", e.bias(), sum/weight-0.5)
	near("its variance", e.variance(), vari/weight/weight)
}

// bias² and variance are without bias and add up to the mean squared error.
func TestRiskAddsUpAndIsUnbiased(t *testing.T) {
	r := riskOf([]float64{1, 2, 4}, 1)
	// m = 7/3, s² = (16/9 + 1/9 + 25/9)/2 = 7/3, the mean square (0 + 1 + 9)/3.
	for _, c := range [][2]float64{{r.Var.X, 7. / 3}, {r.Bias2.X, 16./9 - 7./9}, {r.MSE.X, 10. / 3},
		{r.Bias2.X + r.Var.X, r.MSE.X}} {
		if math.Abs(c[0]-c[1]) > 1e-14 {
			t.Errorf("%v, want %v", c[0], c[1])
		}
	}
	for _, lost := range [][]float64{nil, {1}, {1, 2, math.NaN()}} {
		if r := riskOf(lost, 1); !math.IsNaN(r.MSE.X) || !math.IsNaN(r.Bias2.X) {
			t.Errorf("a risk of %v from %v", r, lost)
		}
	}
}

func TestSlopeOfAPowerLaw(t *testing.T) {
	x := []float64{1, 10, 100, 1000}
	points := along(x, func(x float64) float64 { return 3 * math.Pow(x, -0.7) })
	for i := range points {
		points[i].y.SE = 0.2 * points[i].y.X
	}
	s := slopeOf(points)
	// Σ d² = 5 ln² 10, and every relative error is 0.2.
	if want := 0.2 / math.Sqrt(5) / math.Ln10; math.Abs(s.X+0.7) > 1e-12 || math.Abs(s.SE-want) > 1e-12 {
		t.Errorf("%v, want -0.7 ± %v", s, want)
	}
	points[2].y.X = math.NaN()
	if s := slopeOf(points); !math.IsNaN(s.X) {
		t.Errorf("a slope %v through a point without a number", s)
	}
}

// SGLD's risk is the exact one. Of 8 numbers that are nearly normal none is likely to
// be 4.5 standard errors off, which has a chance of about 5e-5.
func TestMeasuredRiskIsTheExactOne(t *testing.T) {
	if testing.Short() {
		t.Skip("a result of the paper, by no other code than elsewhere")
	}
	o := theoryOptions(1, 0)
	plan := riskPlan{o, []float64{0.05, 0.1, 0.3, 0.5}, 5000, 20}
	for i, eps := range plan.eps {
		runs := plan.at(i)
		runs.Lanes = runs.Lanes[:1]
		sum, e := plane.risk(measuredBy(t, o, runs), runs, 0), exactRisk(sgldOn, eps, plan.len, plan.runs)
		for _, z := range []float64{(sum.Bias2.X - e.Bias2.X) / e.Bias2.SE, (sum.Var.X - e.Var.X) / e.Var.SE} {
			if !(math.Abs(z) < 4.5) {
				t.Errorf("ε = %g: bias² %v and variance %v, exactly %v and %v", eps, sum.Bias2, sum.Var, e.Bias2, e.Var)
			}
		}
	}
}

// SGLD's exponents are the exact ones over the same T, within 4.5 standard errors;
// the errors are measured from 2·24 squares each, good to about a seventh.
func TestMeasuredRateIsTheExactOne(t *testing.T) {
	if testing.Short() {
		t.Skip("a result of the paper, by no other code than elsewhere")
	}
	o := theoryOptions(5, 0)
	plan := ratePlan{o, []float64{300, 1000, 3000}, 24}
	lanes, _ := rateLanes()
	lines := plan.measure(measuredBy(t, o, plan.all(lanes, rateSGLD)...), lanes, rateSGLD)
	gammas, _ := rateGammas()
	for k, g := range gammas {
		exact := slopeOf(rateCurveOf(g, plan.lens, 1).exact).X
		if z := (lines[k].fit.X - exact) / lines[k].fit.SE; !(math.Abs(z) < 4.5) {
			t.Errorf("γ = %.3g: T^(%v), exactly %v", g, lines[k].fit, exact)
		}
	}
}

// Theorem 1's exponents are those of its bound and of SGLD's exact error at T far
// beyond what is run. At γ = 1/5 the variance, which falls twice as fast, is still felt.
func TestTheoremRateIsThatOfItsBound(t *testing.T) {
	lens := []float64{1_000_000, 2_000_000}
	for g, tolerance := range map[float64]float64{1. / 5: 0.03, 1. / 3: 0.01} {
		c := rateCurveOf(g, lens, 1)
		for _, y := range [][]point{c.bound, c.exact} {
			if b := slopeOf(y).X; math.Abs(b-theoremRate(g)) > tolerance {
				t.Errorf("γ = %.3g: %v, want %v", g, b, theoremRate(g))
			}
		}
	}
}

// What V's following the gradient adds is κσ² to first order, Γ takes σ²(1-α) off, and
// the short memory's limits are 2σ² and (1+α)σ².
func TestGammaLaws(t *testing.T) {
	innerlooptest.Later(t, "a result of the paper, by no other code than elsewhere")
	o := theoryOptions(1, 0)
	measure := func(g gammaPlan) []gammaCell { return g.cells(measuredBy(t, o, g.sessions()...)) }
	for _, c := range measure(gammaPlan{o: o, alpha: []float64{0.995}, eps: []float64{0.2}, len: 100_000, runs: 6}) {
		// κ is 0.01 and 0.025, and what is of second order a few percent. Six runs make
		// standard errors good to a third.
		if law := c.law(); math.Abs(c.extra.Mean-law) > 0.05*law+6*c.extra.SE || math.Abs(law/c.kappa()-1) > 0.25 {
			t.Errorf("θ[%d]: extra error %+v, to first order %v, κ is %v", c.coordinate+1, c.extra, law, c.kappa())
		}
		// ε/(4σ) is 0.125 and 0.05, which the balance for Γ leaves out.
		if math.Abs(c.taken.Mean-0.005) > 0.2*0.005+6*c.taken.SE {
			t.Errorf("θ[%d]: Γ takes %+v away, 1-α is 0.005", c.coordinate+1, c.taken)
		}
	}
	for _, c := range measure(gammaPlan{o: o, alpha: []float64{0.5}, eps: []float64{0.003}, len: 200_000, runs: 6}) {
		// 1/κ is 0.015 and 0.006; the limits are approached from below.
		if math.Abs(c.off.Mean-2) > 0.1+6*c.off.SE || math.Abs(c.on.Mean-1.5) > 0.1+6*c.on.SE {
			t.Errorf("θ[%d]: E θ² is %+v σ² and with Γ %+v σ², want 2 and 1.5", c.coordinate+1, c.off, c.on)
		}
	}
}

// The ratio of two averages of the same runs, and its error where all of the second is
// the first's.
func TestPairedRatio(t *testing.T) {
	if r := pairedRatio([]float64{1, 3}, []float64{2, 6}, 0); r.X != 4 || r.SE > 1e-15 {
		t.Errorf("%v ± %v, want 4 ± 0", r.X, r.SE)
	}
}

// Each experiment has unique, valid jobs at both scales, and its report names what is
// missing and has no remark with a number that is none.
func TestTheoriesWithoutOutcomes(t *testing.T) {
	for _, e := range Experiments() {
		for _, scale := range []paper.Scale{paper.Quick, paper.Full} {
			o := theoryOptions(1, 2)
			o.Scale = scale
			papertest.Jobs(t, e, o, nil)
			if scale == paper.Full {
				continue // its exact curves take a while
			}
			rep := e.ReportOf(o, nil, nil)
			text := strings.Join(rep.Remarks, "\n")
			if !strings.Contains(text, "not run") || strings.Contains(text, "NaN") {
				t.Errorf("%s: %s", e.ID, text)
			}
			for _, table := range rep.Tables {
				for _, row := range table.Rows {
					if len(row) != len(table.Head) || strings.Contains(strings.Join(row, " "), "NaN") {
						t.Errorf("%s: row %q under %q", e.ID, row, table.Head)
					}
				}
			}
			if e.Protocol(o) == "" || len(rep.Figures) == 0 {
				t.Errorf("%s has no protocol or figure", e.ID)
			}
		}
	}
}

// A lane that diverged makes no risk.
func TestALostRunIsShownAsSuch(t *testing.T) {
	o := theoryOptions(1, 0)
	runs := plane.runs(o, []paper.Entry{paper.SGLD.With(paper.Values{sampler.KeyEps: 0.9})}, nil, 5000, 0, 2)
	r := riskOf(moments(measuredBy(t, o, runs), runs, 0, 0), 0.16)
	if got := r.text(r.MSE); got != "2 of 2 lost" {
		t.Errorf("%q", got)
	}
}

// The exact laws of thinned draws are the sums over the draws that are kept.
func TestThinnedLaws(t *testing.T) {
	const v, n, k = 0.16, 96, 8
	p := sgldOn(v, thinEps)
	sum, times := 0.0, 0.5
	for i := 0; i < n; i += k {
		for j := 0; j < n; j += k {
			c := p.v * math.Pow(p.a, math.Abs(float64(i-j)))
			sum += 2 * c * c * k * k / n / n
		}
	}
	for i := k; i < 4000; i += k {
		times += math.Pow(p.a, float64(i))
	}
	if got, want := exactThinMSE(v, n, k), (p.v-v)*(p.v-v)+sum; math.Abs(got-want) > 1e-12*want {
		t.Errorf("MSE %v, want %v", got, want)
	}
	if got, want := exactESS(v, n, k), n/k/(2*times); math.Abs(got-want) > 1e-12*want {
		t.Errorf("ESS %v, want %v", got, want)
	}
}

// Corollary 2's term, a sum of risks, the best step, and what Γ changes of the law at
// decreasing steps.
func TestTheoryParts(t *testing.T) {
	if got, want := corollary2(0.5), 2.0; got != want { // 0.25/0.125
		t.Errorf("corollary 2: %v, want %v", got, want)
	}
	a := risk{Bias2: number{X: 2}, Var: number{X: 3}, MSE: number{5, 3}, N: 4}
	if s := a.plus(a); s.Bias2.X != 4 || s.Var.X != 6 || s.MSE.X != 10 || math.Abs(s.MSE.SE-3*math.Sqrt2) > 1e-15 {
		t.Errorf("a sum %+v", s)
	}
	eps, least := bestExactStep(sgldOn, 20_000)
	for _, f := range []float64{0.5, 0.97, 1.03, 2} {
		if r := exactRisk(sgldOn, f*eps, 20_000, 2); r.MSE.X < least {
			t.Errorf("the risk %v at %v is less than %v at the best step, %v", r.MSE, f*eps, least, eps)
		}
	}
	plan := ratePlan{lens: []float64{1000}}
	line := rateLine{
		lane:  psgldOf("pSGLD + Γ", 0.99).With(paper.Values{keyGamma: 1}),
		risks: []risk{{Bias2: number{X: 1}, MSE: number{X: 1.5}}}, fit: number{0.3, 0.1},
	}
	curve := rateCurve{exact: []point{{x: 1000, y: number{X: 0.1}}}, kappa: []float64{21}}
	got, want := plan.remark(line, curve), "to first order ((1 − α)(T/Σε − 1))² = 0.0400."
	if !strings.Contains(got, want) {
		t.Errorf("no %q in %s", want, got)
	}
	line.lane.Values = paper.Values{keyAlpha: 0.99, sampler.KeyEps: 1}
	if got, want := plan.remark(line, curve), "to first order ((1 − α)T/Σε)² = 0.0441."; !strings.Contains(got, want) {
		t.Errorf("no %q in %s", want, got)
	}
	falls := []rateLine{{fit: number{-0.5, 0.1}}, {fit: number{-0.1, 0.1}}, {fit: number{math.NaN(), math.NaN()}}}
	got = plan.verdict(falls, line, curve)
	if !strings.HasPrefix(got, "SGLD's does in part, at 1 of 3 γ. That of pSGLD with α = 0.99 does not: ") ||
		!strings.HasSuffix(got, "it is 7.5 times SGLD's exact one.") {
		t.Error(got)
	}
}

// What may be zero is not on logarithmic axes, where those alone that came out above zero
// would be seen.
func TestRiskFigure(t *testing.T) {
	plan := riskPlan{eps: []float64{0.1, 0.2}, len: 1000, runs: 4}
	of := func(se float64) risk {
		return risk{Bias2: number{1, se}, Var: number{1, 0.1}, MSE: number{2, 0.1}}
	}
	f := plan.figure([][]risk{{of(0.6), of(0.4)}})
	for i, want := range [][]float64{{0.2}, {0.1, 0.2}, {0.1, 0.2}} {
		s := f.Panels[i].Series
		if x := s[len(s)-1].X; !slices.Equal(x, want) {
			t.Errorf("%s has ε = %v, want %v", f.Panels[i].Title, x, want)
		}
	}
}
