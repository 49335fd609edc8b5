package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
)

// The authors' figures are of one run each, so that ours are held to them by the
// standard deviation of a run; SGLD's exact τ is the mean of both coordinates'.
func TestFig1aBesideTheAuthors(t *testing.T) {
	o := quick(Authors)
	o.Repeats = 4
	s := planeSettingOf(Authors)
	outcomes := map[string]Outcome{}
	put := func(row planeRow, mean float64, act engine.Num) {
		for k, id := range (planeChain{a: 1, row: row, eps: s.eps[0], draws: s.draws}).repeated(o) {
			// Of the mean entry: about mean, with s² = (2·0.03² + 2·0.01²)/3.
			e := engine.Num(4 * (mean + []float64{-0.03, -0.01, 0.01, 0.03}[k]))
			outcomes[id] = Outcome{ID: id, Lanes: []engine.LaneResult{{CovError: &e, ACT: []engine.Num{act, act}}}}
		}
	}
	put(planeSGLD, 0.58, 1.5)
	put(planePSGLD, 0.20, 2.4)
	rep := fig1a().Report(o, outcomes)
	sane(t, rep)
	scores := rep.Tables[0].Scores
	if len(scores) != 2 {
		t.Fatalf("scores %+v", scores)
	}
	// 0.048 below 0.628: within 2 √(0.0258² + 0.0129²) = 0.058, and not within 2 · 0.0129 √2.
	if x := scores[0]; x.Paper != 0.628 || math.Abs(x.Test-0.02582) > 1e-5 || math.Abs(x.SE-0.01291) > 1e-5 || x.Verdict != tie {
		t.Errorf("SGLD: %+v", x)
	}
	if x := scores[1]; x.Paper != 0.112 || x.Verdict != worse {
		t.Errorf("pSGLD: %+v", x)
	}
	// (2·0.16/0.6 - ½ + 2/0.6 - ½)/2 at ε = 0.6.
	if row := rep.Tables[1].Rows[0]; row[0] != "0.6" || row[2] != "1.43" {
		t.Errorf("τ: %q", row)
	}
	// A mean τ of 2.4 is that of SGLD at ε = 1.16/2.9 = 0.4.
	p, err := o.Targets.Open(planeChain{a: 1}.spec(s), "")
	if err != nil {
		t.Fatal(err)
	}
	at, _ := theoryOf(p, 0.4, s.draws)
	text := strings.Join(rep.Findings, "\n")
	for _, want := range []string{
		fmt.Sprintf("higher at ε = 0.6 (τ 2.4: 0.200, %s)", decimal(at.Error/4, 3)),
		"Of 2 figures released by the authors, one run each, 1 are within", // 0.048 and 0.088 of 0.0258 √(5/4)
		"(0.112 there, 0.200 ± 0.013 here, 3.0 of them)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

// The text's range of ε has its ends, the best ε has the least error, and a figure
// shows what its table does.
func TestFig2Parts(t *testing.T) {
	for eps, want := range map[float64]bool{1e-7: true, 1e-4: true, 3e-4: false, 9e-8: false} {
		if inText(eps) != want {
			t.Errorf("%g is in the text's range: %v", eps, !want)
		}
	}
	line := func(row planeRow, err ...float64) planeLine {
		l := planeLine{row: row}
		for _, x := range err {
			l.err = append(l.err, overSeeds{Mean: x, SE: 0.01, N: 5})
		}
		return l
	}
	of := map[string][]weightError{"SGLD": make([]weightError, 3), "pSGLD": make([]weightError, 3)}
	if got := bestOf(line(planeSGLD, 3, 1, 2), line(planePSGLD, 0.5, 2, 3), of); !strings.Contains(got, "1.00 ± 0.010 (ε = 3e-07) and pSGLD's 0.500 ± 0.010 (ε = 1e-07): pSGLD's is the lower") {
		t.Error(got)
	}
	if a, b := timesFewer(2.5), timesFewer(0.5); a != "about 2.5 times fewer" || b != "about 2.0 times more" {
		t.Errorf("%q and %q", a, b)
	}
	m := []mixing{
		{runs: 2, median: 30, mean: overSeeds{Mean: 40, SE: 4, N: 2}, ms: overSeeds{Mean: 8, SE: 1, N: 2}},
		{runs: 3, short: 1, median: 50, mean: overSeeds{Mean: 45, SE: 5, N: 2}, ms: overSeeds{Mean: 9, SE: 1, N: 2}},
		{runs: 3, short: 2, median: math.NaN(), mean: overSeeds{Mean: 45, N: 1}, ms: overSeeds{Mean: 9, N: 1}},
	}
	s := mixingSeries("x", []float64{1, 2, 3}, m, false)
	if !slices.Equal(s.X, []float64{1, 2}) || !slices.Equal(s.Y, []float64{40, 50}) || !slices.Equal(s.Err, []float64{4, 0}) {
		t.Errorf("iterations %+v", s)
	}
	if s := mixingSeries("x", []float64{1, 2, 3}, m, true); !slices.Equal(s.Y, []float64{8}) {
		t.Errorf("milliseconds %+v", s)
	}
}

// Where a claim holds is counted where the paper makes it, by two standard errors of the
// difference.
func TestDominance(t *testing.T) {
	eps := []float64{0.1, 0.2, 0.4}
	a := planeLine{row: planePSGLD, err: []overSeeds{{Mean: 1, SE: 0.3, N: 5}, {Mean: 1, SE: 0.3, N: 5}, {Mean: 3, SE: 0.3, N: 5}}}
	b := planeLine{row: planeSGLD, err: []overSeeds{{Mean: 2, SE: 0.3, N: 5}, {Mean: 1.8, SE: 0.3, N: 5}, {Mean: 2, SE: 0.3, N: 5}}} // ± 0.42
	of := func(l planeLine) []overSeeds { return l.err }
	for _, c := range []struct {
		claimed func(float64) bool
		want    string
	}{
		{func(e float64) bool { return e < 0.3 }, "at 1 of the 2 ε here."},
		{func(e float64) bool { return e < 0.15 }, "at all 1 ε here."},
		{func(e float64) bool { return e > 0.15 }, "at none of the 2 ε here."},
	} {
		got := dominance("error", " here", c.claimed, eps, a, b, of)[0]
		// Between 0.2 and 0.4 the difference goes from -0.8 to 1, zero at 0.2 · 2^(0.8/1.8).
		if !strings.HasSuffix(got, "claim that pSGLD's is lower holds "+c.want) || !strings.Contains(got, "lower at ε = 0.1; no different at ε = 0.2; higher at ε = 0.4 ") || !strings.Contains(got, "cross at ε ≈ 0.27.") {
			t.Error(got)
		}
	}
}

// What a margin over the seeds says, and what several say together.
func TestAgreed(t *testing.T) {
	for _, c := range []struct {
		margin, se float64
		want       int
	}{{1, 0.4, 1}, {1, 0.6, 0}, {-1, 0.6, 0}, {-1, 0.4, -1}} {
		if got := holdsBy(c.margin, c.se); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	for want, holds := range map[string][]int{"holds": {1, 1}, "does not hold": {-1, -1}, "is undecided": {0, 0}, "depends on what is called converged": {1, 0}} {
		if got := agreed(holds); got != want {
			t.Errorf("%v: %q, want %q", holds, got, want)
		}
	}
}

// A network's numbers are held to the paper's at full scale on MNIST alone, and to
// the test set that they are of.
func TestNetworkComparisons(t *testing.T) {
	tab := table2()
	for _, c := range []struct {
		scale Scale
		set   string
		want  bool
	}{{Full, "mnist", true}, {Quick, "mnist", false}, {Full, "strokes", false}} {
		o := Options{Reading: Authors, Scale: c.scale, Seed: 1}
		outcomes := map[string]Outcome{}
		for _, cell := range tab.grid(o) {
			id := tab.id(o, cell, c.set)
			outcomes[id] = madeUp(id, 0.014, 1)
		}
		n := tab.reportOf(o, outcomes)
		if n.comparable() != c.want || (len(n.tableOf("x").Scores) > 0) != c.want {
			t.Errorf("%s on %s: comparable %v, %d scores", c.scale, c.set, n.comparable(), len(n.tableOf("x").Scores))
		}
		if (n.elsewhere() != "") != c.want {
			t.Errorf("%s on %s: %q", c.scale, c.set, n.elsewhere())
		}
		cases := map[string]int{"mnist": 10_000, "strokes": 2_000}[c.set]
		if n.lines[0].cases != cases || math.Abs(n.lines[0].binomial()-100*math.Sqrt(0.014*0.986/float64(cases))) > 1e-12 {
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
	o := Options{Reading: Authors, Scale: Full, Seed: 1}
	tab := table2()
	for _, c := range []struct {
		distilled float64
		want      string
	}{
		{0.0145, "It holds in 0 of 1, undecided in 1. At 400-400 distilled pSGLD has 1.45% and pSGLD (σ² = 1) 1.40%, +0.05 ± 0.17, no difference seen: undecided."},
		{0.0090, "It holds in 1 of 1. At 400-400 distilled pSGLD has 0.90% and pSGLD (σ² = 1) 1.40%, -0.50 ± 0.15: holds."},
		{0.0200, "It holds in 0 of 1, the contrary in 1. "},
	} {
		outcomes := map[string]Outcome{}
		for _, cell := range tab.grid(o) {
			id, test := tab.id(o, cell, "mnist"), 0.0140
			switch cell.row.name {
			case rowDistilled:
				test = c.distilled
			case rowSGLD:
				test = map[string]float64{"400-400": 0.0139, "800-800": 0.0143, "1200-1200": 0.0144}[cell.size]
			}
			outcomes[id] = madeUp(id, test, 1)
		}
		e, err := FindExperiment("table2")
		if err != nil {
			t.Fatal(err)
		}
		rep := e.Report(o, outcomes)
		said := strings.Join(rep.Findings, "\n")
		for _, want := range []string{
			"maintains pSGLD's performance. " + c.want,
			"Claim: pSGLD does better than SGLD. It holds in 0 of 3, undecided in 3 (2 of which lean its way).",
			contestRule, "By chance alone about ",
		} {
			if !strings.Contains(said, want) {
				t.Errorf("no %q in:\n%s", want, said)
			}
		}
		if strings.Count(said, contestRule) != 1 || strings.Index(said, contestRule) > strings.Index(said, "Claim:") {
			t.Errorf("the rule is not said once and first:\n%s", said)
		}
		if row := find(t, rep.Tables[0], rowDistilled, "800-800"); row[2] != noNumber {
			t.Errorf("a step of what was not run: %q", row)
		}
	}
}

// The exact laws of thinned draws are the sums over the draws that are kept.
func TestThinnedLaws(t *testing.T) {
	const v, n, k = 0.16, 96, 8
	p := sgldOn(v, thinEps)
	square, times := 0.0, 0.5
	for i := 0; i < n; i += k {
		for j := 0; j < n; j += k {
			c := p.v * math.Pow(p.a, math.Abs(float64(i-j)))
			square += 2 * c * c * k * k / n / n
		}
	}
	for i := k; i < 4000; i += k {
		times += math.Pow(p.a, float64(i))
	}
	if got, want := exactThinMSE(v, n, k), (p.v-v)*(p.v-v)+square; math.Abs(got-want) > 1e-12*want {
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
	a := estimatorRisk{Bias: 1, Bias2: 2, Var: 3, MSE: 5, MSSE: 3, N: 4}
	if s := a.plus(a); s.Bias != 2 || s.Bias2 != 4 || s.Var != 6 || s.MSE != 10 || math.Abs(s.MSSE-3*math.Sqrt2) > 1e-15 {
		t.Errorf("a sum %+v", s)
	}
	truth := []float64{0.16, 1}
	eps, least := bestExactStep(sgldOn, truth, 20_000)
	for _, f := range []float64{0.5, 0.97, 1.03, 2} {
		if r := exactRisk(sgldOn, truth, f*eps, 20_000, 2); r.MSE < least {
			t.Errorf("the risk %v at %v is less than %v at the best step, %v", r.MSE, f*eps, least, eps)
		}
	}
	plan := ratePlan{lens: []uint64{1000}}
	line := rateLine{
		lane:  psgldOf("pSGLD + Γ", 0.99).with(set{theoryGamma: 1}),
		risks: []estimatorRisk{{Bias2: 1, MSE: 1.5}}, fit: powerLaw{0.3, 0.1},
	}
	curve := rateCurve{exact: []float64{0.1}, kappa: []float64{21}}
	if got, want := preFinding(plan, line, curve), "((1-α)(T/S_T - 1))² = 0.0400 to first order"; !strings.Contains(got, want) {
		t.Errorf("no %q in %s", want, got)
	}
	line.lane.values = set{theoryAlpha: 0.99, sampler.KeyEps: 1}
	if got, want := preFinding(plan, line, curve), "((1-α)T/S_T)² = 0.0441 to first order"; !strings.Contains(got, want) {
		t.Errorf("no %q in %s", want, got)
	}
	falls := []rateLine{{fit: powerLaw{-0.5, 0.1}}, {fit: powerLaw{-0.1, 0.1}}, {fit: powerLaw{math.NaN(), math.NaN()}}}
	if got := fallen(falls); !strings.Contains(got, "at 1 of the 3 γ") {
		t.Error(got)
	}
}

// Seeds are said to differ by what they do.
func TestTable1Spread(t *testing.T) {
	o := quick(Authors)
	o.Repeats = 2
	for _, c := range []struct {
		by   float64
		want string
	}{{0.0002, "up to 0.01 points, as they share the test set."}, {0.005, "up to 0.35 points, which is no less."}} {
		outcomes := map[string]Outcome{}
		for i, row := range adultRows(Authors) {
			for k, id := range row.ids(o, adultTarget) {
				x := engine.Num(0.148 + 0.0005*float64(i) + c.by*float64(k))
				outcomes[id] = Outcome{ID: id, Lanes: []engine.LaneResult{{TestError: &x}}}
			}
		}
		said := strings.Join(table1().Report(o, outcomes).Findings, "\n")
		if !strings.Contains(said, c.want) || !strings.Contains(said, "does not rank them") {
			t.Errorf("no %q in:\n%s", c.want, said)
		}
	}
}

// A contest is decided by more than two standard errors of the difference, and curves that
// come down together say nothing.
func TestContests(t *testing.T) {
	at := func(percent float64) networkLine {
		return networkLine{test: overSeeds{Mean: percent, N: 1}, cases: 10_000}
	}
	// √2 binomial errors of 0.12: 0.166, and a little less below 1.4%.
	for low, want := range map[float64]int{1.40 - 0.25: 0, 1.40 - 0.40: 1} {
		if got := (contest{a: at(low), b: at(1.40)}).holds(); got != want {
			t.Errorf("%.2f against 1.40: %d", low, got)
		}
		if got := (contest{a: at(1.40), b: at(low)}).holds(); got != -want {
			t.Errorf("1.40 against %.2f: %d", low, got)
		}
	}
	o := Options{Reading: Authors, Scale: Full, Seed: 1}
	tab := table2()
	outcomes := map[string]Outcome{}
	for _, cell := range tab.grid(o) {
		id, rate := tab.id(o, cell, "mnist"), 1.0
		if cell.row.name == rowSGLD && cell.size == "800-800" {
			rate = 1.05 // sooner by less than a point of the curve
		}
		outcomes[id] = madeUp(id, 0.014, rate)
	}
	if got := tab.reportOf(o, outcomes).faster("x", rowPair{rowPSGLD1, rowSGLD}); !strings.Contains(got, "It holds in 0 of 3, undecided in 3") || !strings.Contains(got, "By the curves of one seed") {
		t.Error(got)
	}
}

// SGLD takes at least twice as long where it does by two standard errors over the seeds.
func TestConvergence(t *testing.T) {
	curve := func(steps []float64, down float64) learning {
		l := learning{steps: steps}
		for range 3 {
			var e []float64
			for _, s := range steps {
				if s < down {
					e = append(e, 16)
				} else {
					e = append(e, 15)
				}
			}
			l.seeds = append(l.seeds, e)
		}
		for i := range steps {
			l.err = append(l.err, over([]float64{l.seeds[0][i], l.seeds[1][i], l.seeds[2][i]}))
		}
		return l
	}
	var steps []float64
	for s := 500.0; s <= adultSteps; s += 500 {
		steps = append(steps, s)
	}
	for down, want := range map[float64]string{5000: "\"at least double\" for SGLD holds.", 3500: "\"at least double\" for SGLD does not hold."} {
		if _, got := convergence("pSGLD", "SGLD", curve(steps, 2000), curve(steps, down)); !strings.HasSuffix(got, want) || !strings.Contains(got, "for pSGLD holds here") {
			t.Errorf("%v: %s", down, got)
		}
	}
}

// What may be zero is not on logarithmic axes, where those alone that came out above zero
// would be seen.
func TestRiskFigure(t *testing.T) {
	plan := riskPlan{eps: []float64{0.1, 0.2}, len: 1000, runs: 4}
	got := [][]estimatorRisk{{{Bias2: 1, Bias2SE: 0.6, Var: 1, VarSE: 0.1, MSE: 2, MSSE: 0.1}, {Bias2: 1, Bias2SE: 0.4, Var: 1, VarSE: 0.1, MSE: 2, MSSE: 0.1}}}
	f := riskFigure(plan, []float64{0.16, 1}, riskLanes()[:1], got)
	for i, want := range [][]float64{{0.2}, {0.1, 0.2}, {0.1, 0.2}} {
		s := f.Panels[i].Series
		if x := s[len(s)-1].X; !slices.Equal(x, want) {
			t.Errorf("%s has ε = %v, want %v", f.Panels[i].Title, x, want)
		}
	}
}
