package theory

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
)

// The steps are ε_t = a (b + t)^-γ. On N(0, 1) the first has a = 1 - ε/2 = 0, and at
// these values both parts of the error are of a size at γ = 1/3.
const (
	rateA = 2.0
	rateB = 1.0
)

// rateGammas are the exponents of which SGLD's rate is measured. 1/3 is the best of
// the bound's.
func rateGammas() []float64 { return []float64{1. / 5, 1. / 3, 1. / 2, 2. / 3} }

// polynomial is the schedule a (b + t)^-γ, whose first step is base.
func polynomial(gamma float64) (s sampler.Schedule, base float64) {
	return sampler.Schedule{Kind: "poly", B: rateB, Gamma: gamma}, rateA * math.Pow(rateB, -gamma)
}

// withSteps is the lane with that schedule.
func (l theoryLane) withSteps(gamma float64) theoryLane {
	s, base := polynomial(gamma)
	l = l.with(paper.Values{sampler.KeyEps: base})
	l.schedule = s
	return l
}

// ratePlan is what theory-rate runs.
type ratePlan struct {
	lens []uint64 // T
	runs int
}

func ratePlanOf(o paper.Options) ratePlan {
	if o.Scale == paper.Full {
		return ratePlan{[]uint64{1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000}, o.RepeatsOr(40)}
	}
	return ratePlan{[]uint64{1000, 3000, 10_000, 30_000, 100_000}, o.RepeatsOr(16)}
}

// rateTarget is N(0, I): both coordinates are runs of the same kind, and independent
// where G is diagonal.
func rateTarget(o paper.Options) (*targets.Problem, error) {
	return o.Targets.Open("gaussian:cov=1,0,0,1", "")
}

// sessions are those of a group of lanes with the i-th T. Each T and group has its
// own seeds, so that the points of a slope are independent; the lanes have the same
// noise.
func (r ratePlan) sessions(o paper.Options, p *targets.Problem, lanes []theoryLane, group, i int) theorySession {
	return theorySession{
		lanes: lanes, same: true, start: startAt(theoryTruth(p)), steps: r.lens[i], runs: r.runs, scale: o.Scale,
		seed: o.Seed + uint64((group*len(r.lens)+i)*r.runs),
	}
}

// rateLanes are SGLD at each γ, and pSGLD at γ = 1/3 in four ways.
func rateLanes() [][]theoryLane {
	var plain []theoryLane
	for _, g := range rateGammas() {
		l := plainSGLD().withSteps(g)
		l.title = "SGLD, γ = " + fraction(g)
		plain = append(plain, l)
	}
	var pre []theoryLane
	for _, l := range []theoryLane{
		psgldOf("pSGLD", usualAlpha),
		psgldOf("pSGLD + Γ", usualAlpha).with(paper.Values{theoryGamma: 1}),
		psgldOf("pSGLD, α = 0.9999", 0.9999),
		psgldOf(fmt.Sprintf("pSGLD, frozen at %d", rateFreeze), usualAlpha).with(paper.Values{theoryFreeze: rateFreeze}),
	} {
		pre = append(pre, l.withSteps(1./3))
	}
	return [][]theoryLane{plain, pre}
}

// rateFreeze is the step from which V stays: after twice its memory, while the steps
// are large and V is near its mean.
const rateFreeze = 200

// fraction writes 1/n and 2/3 as such.
func fraction(x float64) string {
	for n := 1; n < 10; n++ {
		for m := 1; m < n; m++ {
			if math.Abs(x-float64(m)/float64(n)) < 1e-12 {
				return fmt.Sprintf("%d/%d", m, n)
			}
		}
	}
	return claim.Exactly(x)
}

// theoremRate is the exponent with which theorem 1's bound falls,
//
//	MSE ≤ C (Σ ε_t²/S_T² E‖ΔV_t‖² + 1/S_T + (Σ ε_t²)²/S_T²),  S_T = Σ ε_t,
//
// at ε_t ∝ t^-γ: S_T ∝ T^(1-γ) and, below γ = ½, Σ ε_t² ∝ T^(1-2γ), so that the second
// term falls as T^-(1-γ) and the third as T^-2γ. At γ = ½ that is up to ln² T, and
// above it the third is the smaller. The first, of the gradients' noise, is zero
// here and else no slower. γ = 1/3 is best, with T^(-2/3).
func theoremRate(gamma float64) float64 { return -min(1-gamma, 2*gamma) }

// A rateCurve is what is known of a schedule at some T.
type rateCurve struct {
	bound []float64 // 1/S_T + (Σ ε_t²)²/S_T²
	exact []float64 // SGLD's MSE of one coordinate of N(0, 1), started at 1
	kappa []float64 // T/S_T, the average of 1/ε_t weighted by ε_t
}

// rateCurveOf follows a schedule through lens, which increase, keeping every thin-th draw.
func rateCurveOf(gamma float64, lens []uint64, thin uint64) rateCurve {
	var (
		c       rateCurve
		s, base = polynomial(gamma)
		e       = newWeightedSquare(1, 1)
		sum, sq float64
		t       uint64
	)
	for _, end := range lens {
		for ; t < end; t++ {
			eps := base * s.Factor(t, 1)
			sum, sq = sum+eps, sq+eps*eps
			w := 0.0
			if (t+1)%thin == 0 {
				w = eps
			}
			e.step(eps, w)
		}
		c.bound = append(c.bound, 1/sum+sq*sq/(sum*sum))
		c.exact = append(c.exact, e.mse())
		c.kappa = append(c.kappa, float64(t)/sum)
	}
	return c
}

// lensOf are whole numbers at equal ratios over the range of lens.
func lensOf(lens []uint64, n int) []uint64 {
	var all []uint64
	for _, x := range ratios(float64(lens[0]), float64(lens[len(lens)-1]), n) {
		all = append(all, uint64(math.Round(x)))
	}
	return all
}

func floats(x []uint64) []float64 {
	var y []float64
	for _, v := range x {
		y = append(y, float64(v))
	}
	return y
}

// A rateLine is the measured error of a lane at every T.
type rateLine struct {
	lane  theoryLane
	risks []estimatorRisk // of both coordinates together: twice that of one
	fit   powerLaw
}

func (l rateLine) mse() (y, se []float64) {
	for _, r := range l.risks {
		y, se = append(y, r.MSE/2), append(se, r.MSSE/2)
	}
	return y, se
}

// measure reads a group of lanes.
func (r ratePlan) measure(o paper.Options, p *targets.Problem, res *paper.Results, lanes []theoryLane, group int) []rateLine {
	lines := make([]rateLine, len(lanes))
	for k, l := range lanes {
		lines[k].lane = l
		for i := range r.lens {
			jobs := r.sessions(o, p, lanes, group, i).jobs(p)
			of := func(c int) estimatorRisk {
				return riskOf(laneEstimates(res, jobs, k, func(l engine.LaneResult) float64 { return secondMoment(l, c) }), 1)
			}
			lines[k].risks = append(lines[k].risks, of(0).plus(of(1)))
		}
		y, se := lines[k].mse()
		lines[k].fit = slopeOf(floats(r.lens), y, se)
	}
	return lines
}

func theoryRate() paper.Experiment {
	return paper.Experiment{
		ID: "theory-rate", Title: "Mean squared error against the number of steps, as steps decrease",
		Source: "section 4.1, theorem 1", Readings: []paper.Reading{paper.Text},
		Protocol: func(o paper.Options) string {
			r := ratePlanOf(o)
			return fmt.Sprintf("N(0, I), ε_t = %g (%g + t)^-γ, φ̂ = Σ ε_t θ_i² / Σ ε_t over all draws from θ = (1, 1), where θ_i² is its mean; %d runs of two coordinates at each of %d lengths up to T = %d, each length on its own seeds. Exact gradients, so that theorem 1's first term is zero. The paper proves the bound and does not measure it.",
				rateA, rateB, r.runs, len(r.lens), r.lens[len(r.lens)-1])
		},
		Jobs: func(o paper.Options) ([]study.Job, error) {
			p, err := rateTarget(o)
			if err != nil {
				return nil, err
			}
			var jobs []study.Job
			r := ratePlanOf(o)
			for g, lanes := range rateLanes() {
				for i := range r.lens {
					jobs = append(jobs, r.sessions(o, p, lanes, g, i).jobs(p)...)
				}
			}
			return jobs, nil
		},
		Report: reportRate,
	}
}

func reportRate(o paper.Options, outcomes map[string]study.Outcome) paper.Report {
	p, err := rateTarget(o)
	if err != nil {
		return paper.Report{Findings: []string{err.Error()}}
	}
	var (
		plan  = ratePlanOf(o)
		res   = paper.ResultsOf(outcomes)
		x     = floats(plan.lens)
		fine  = lensOf(plan.lens, 40)
		slope = paper.Table{
			Title: fmt.Sprintf("Exponents b of MSE ∝ T^b from T = %d to %d, by least squares on logarithms, ± what the points' standard errors make of it", plan.lens[0], plan.lens[len(plan.lens)-1]),
			Head:  []string{"sampler", "theorem 1, T → ∞", "its bound over these T", "exact over these T", "measured", "off by SE"},
		}
		points = paper.Table{Title: fmt.Sprintf("MSE of the estimate of E θ_i² = 1, ± standard error over %d runs of two coordinates", plan.runs), Head: []string{"T"}}
		fig    = figure.Figure{ID: "theory-rate", Title: "Mean squared error as steps decrease, a (b+t)^-γ", Columns: 2, Panels: []figure.Panel{
			{Title: "SGLD", X: figure.Axis{Label: "T", Log: true}, Y: figure.Axis{Label: "MSE", Log: true}},
			{Title: "γ = 1/3", X: figure.Axis{Label: "T", Log: true}, Y: figure.Axis{Label: "MSE", Log: true}},
		}}
		all   []rateLine
		found []string
	)
	groups := rateLanes()
	sgld := plan.measure(o, p, res, groups[0], 0)
	worst, fitted := 0.0, 0
	best := ""
	least := math.Inf(1)
	for k, g := range rateGammas() {
		l := sgld[k]
		c := rateCurveOf(g, plan.lens, 1)
		exact := slopeOf(x, c.exact, nil)
		z := (l.fit.B - exact.B) / l.fit.SE
		off := claim.NoNumber
		if !math.IsNaN(z) {
			worst, fitted = max(worst, math.Abs(z)), fitted+1
			off = fmt.Sprintf("%+.1f", z)
		}
		slope.Rows = append(slope.Rows, []string{l.lane.title, claim.Decimal(theoremRate(g), 3), claim.Decimal(slopeOf(x, c.bound, nil).B, 3), claim.Decimal(exact.B, 3), l.fit.text(), off})
		if last := l.risks[len(l.risks)-1].MSE / 2; last < least {
			best, least = fmt.Sprintf("γ = %s", fraction(g)), last
		}
		y, se := l.mse()
		curve := rateCurveOf(g, fine, 1)
		fig.Panels[0].Series = append(fig.Panels[0].Series, paper.Loggable(l.lane.title, x, y, se, figure.Points, false), paper.Loggable(l.lane.title+", exact", floats(fine), curve.exact, nil, figure.Line, true))
		if fraction(g) == "1/3" {
			fig.Panels[1].Series = append(fig.Panels[1].Series, paper.Loggable("SGLD, exact", floats(fine), curve.exact, nil, figure.Line, true))
			var law []float64
			for _, k := range curve.kappa {
				law = append(law, squareOf((1-usualAlpha)*k))
			}
			fig.Panels[1].Series = append(fig.Panels[1].Series, paper.Loggable("((1-α)T/S_T)², α = 0.99", floats(fine), law, nil, figure.Line, true))
		}
	}
	if fitted > 0 {
		found = append(found,
			fmt.Sprintf("SGLD's measured exponents %s those of its exact law over the same T: of %d the farthest is %.1f standard errors off; theorem 1's are reached as T → ∞. The least error measured at T = %d is that of %s, %s.", agree(worst), fitted, worst, plan.lens[len(plan.lens)-1], best, claim.Significant(least, 3)),
			"The best exponent of the bound, γ = 1/3 with T^(-2/3), is not one that assumption 1 allows: Σ ε_t² is finite only above γ = 1/2, where the bound falls slower than T^(-1/2). What the bound needs is Σ ε_t² / Σ ε_t → 0, which every γ above 0 up to 1 has."+fallen(sgld))
	}
	pre := plan.measure(o, p, res, groups[1], 1)
	target := rateCurveOf(1./3, plan.lens, 1)
	for _, l := range pre {
		slope.Rows = append(slope.Rows, []string{l.lane.title + ", γ = 1/3", claim.Decimal(theoremRate(1./3), 3), claim.Decimal(slopeOf(x, target.bound, nil).B, 3), "", l.fit.text(), ""})
		y, se := l.mse()
		fig.Panels[1].Series = append(fig.Panels[1].Series, paper.Loggable(l.lane.title, x, y, se, figure.Both, false))
		found = append(found, preFinding(plan, l, target))
	}
	all = append(sgld, pre...)
	for _, l := range all {
		points.Head = append(points.Head, l.lane.title)
	}
	for i, t := range plan.lens {
		row := []string{fmt.Sprint(t)}
		for _, l := range all {
			r := l.risks[i]
			row = append(row, r.text(r.MSE/2, r.MSSE/2))
		}
		points.Rows = append(points.Rows, row)
	}
	return paper.Report{Findings: append(found, res.Findings()...), Tables: []paper.Table{slope, points}, Figures: []figure.Figure{fig}}
}

// fallen says of how many lines the error falls, by more than twice the exponent's
// standard error.
func fallen(lines []rateLine) string {
	n := 0
	for _, l := range lines {
		if l.fit.B < -2*l.fit.SE {
			n++
		}
	}
	return fmt.Sprintf(" SGLD's measured error falls with T at %d of the %d γ.", n, len(lines))
}

// usualAlpha is the paper's α.
const usualAlpha = 0.99

func squareOf(x float64) float64 { return x * x }

// preFinding says how a pSGLD does at γ = 1/3 beside SGLD, whose law it has where G
// stays at 1. Where the memory of V is short, E θ_t² is off by κ_t = (1-α)/ε_t to first
// order (theory-gamma), and its weighted average by Σ ε_t κ_t / S_T = (1-α) T/S_T.
func preFinding(plan ratePlan, l rateLine, sgld rateCurve) string {
	n := len(plan.lens) - 1
	r := l.risks[n]
	if math.IsNaN(l.fit.B) {
		return l.lane.title + ": no exponent, since a point has no number."
	}
	s := fmt.Sprintf("%s at γ = 1/3: MSE ∝ T^(%s); at T = %d it is %s, %.3g times SGLD's.", l.lane.title, l.fit.text(), plan.lens[n], theoryText(r.MSE/2, r.MSSE/2), r.MSE/2/sgld.exact[n])
	// Γ takes 1-α off at every step.
	name, kappa := "((1-α)T/S_T)²", sgld.kappa[n]
	if l.lane.values[theoryGamma] != 0 {
		name, kappa = "((1-α)(T/S_T - 1))²", kappa-1
	}
	law := squareOf((1 - l.lane.values[theoryAlpha]) * kappa)
	if l.fit.B > theoremRate(1./3)/2 && r.Bias2 > r.MSE/2 {
		s += fmt.Sprintf(" %s of that is bias², for %s = %s to first order, which grows as T^(2γ): theorem 1 takes G for a function of the present θ, but as ε_t → 0 V follows the current gradient, towards a variance of 2σ² (theory-gamma). The rate does not hold for the algorithm as it is used.", theoryText(r.Bias2/2, r.Bias2SE/2), name, claim.Significant(law, 3))
	} else if l.lane.values[theoryFreeze] == 0 {
		s += fmt.Sprintf(" For any α below 1 the bias comes later: %s is %s here, and grows as T^(2γ).", name, claim.Significant(law, 3))
	}
	return s
}
