package theory

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
)

// thinEps is the step of the constant-step part.
const thinEps = 0.1

// thinBurnIn is many times the mixing time at that step.
const thinBurnIn = 1000

// thinPlan is what theory-thinning runs.
type thinPlan struct {
	len  int // steps after the burn-in
	runs int
	rate ratePlan
}

func thinPlanOf(o paper.Options) thinPlan {
	if o.Scale == paper.Full {
		return thinPlan{204_800, o.RepeatsOr(80), ratePlanOf(o)}
	}
	return thinPlan{51_200, o.RepeatsOr(24), ratePlanOf(o)}
}

// thinMany are the draws from which on the measured sizes are held to the exact ones.
const thinMany = 1500

// thinGroups are the thinnings of a session's four lanes. They divide both lengths.
func thinGroups() [][]int { return [][]int{{1, 4, 16, 64}, {2, 8, 32, 128}} }

// thinSamplers are those that are thinned; the first has exact laws.
func thinSamplers() []theoryLane { return []theoryLane{plainSGLD(), psgldOf("pSGLD", 0.99)} }

// sessions have one chain, whose noise all lanes share, thinned in four ways. Both
// groups of a run have its seed, and so the same chain again.
func (r thinPlan) sessions(o paper.Options, p *targets.Problem, m, group int) theorySession {
	s := theorySession{same: true, start: startAt(theoryTruth(p)), steps: uint64(thinBurnIn + r.len), runs: r.runs, scale: o.Scale, seed: o.Seed + uint64(m*r.runs)}
	for _, k := range thinGroups()[group] {
		s.lanes = append(s.lanes, thinSamplers()[m].with(paper.Values{sampler.KeyEps: thinEps, sampler.KeyBurnIn: thinBurnIn, sampler.KeyThin: float64(k)}))
	}
	return s
}

// thinRates are the thinnings whose rate is measured as steps decrease.
func thinRates() []int { return []int{1, 10, 100} }

func thinRateLanes() []theoryLane {
	var all []theoryLane
	for _, k := range thinRates() {
		l := plainSGLD().withSteps(1. / 3).with(paper.Values{sampler.KeyThin: float64(k)})
		l.title = fmt.Sprintf("every %d", k)
		if k == 1 {
			l.title = "all draws"
		}
		all = append(all, l)
	}
	return all
}

// thinRateGroup keeps its seeds apart from those of theory-rate.
const thinRateGroup = 2

func theoryThinning() paper.Experiment {
	return paper.Experiment{
		ID: "theory-thinning", Title: "What thinning costs",
		Source: "section 4.2, corollary 3", Readings: []paper.Reading{paper.Text},
		Protocol: func(o paper.Options) string {
			r := thinPlanOf(o)
			return fmt.Sprintf("N(0, diag(0.16, 1)) at ε = %g: %d runs of %d steps after %d, of which every k-th is kept, k = 1 … 128, from the same chain; effective sample sizes of θ_i and errors of E θ_i². N(0, I) with ε_t = %g (%g + t)^(-1/3): errors against T with thinned draws. The paper proves the corollary and does not measure it.",
				thinEps, r.runs, r.len, thinBurnIn, rateA, rateB)
		},
		Jobs: func(o paper.Options) ([]study.Job, error) {
			p, err := theoryTarget(o)
			if err != nil {
				return nil, err
			}
			q, err := rateTarget(o)
			if err != nil {
				return nil, err
			}
			var jobs []study.Job
			r := thinPlanOf(o)
			for m := range thinSamplers() {
				for g := range thinGroups() {
					jobs = append(jobs, r.sessions(o, p, m, g).jobs(p)...)
				}
			}
			for i := range r.rate.lens {
				jobs = append(jobs, r.rate.sessions(o, q, thinRateLanes(), thinRateGroup, i).jobs(q)...)
			}
			return jobs, nil
		},
		Report: reportThinning,
	}
}

// A thinCell is a sampler's coordinate at a thinning.
type thinCell struct {
	sampler, coordinate, k int
	ess                    claim.OverSeeds // of θ_i
	risk                   estimatorRisk
	ratio, ratioSE         float64 // of the MSE of E θ_i² to that of all draws
}

// pairedRatio is r = Σ b / Σ a of the runs' squared errors, with the standard error
// of Σ (b - r a) over that of a: both are of the same chains.
func pairedRatio(a, b []float64, truth float64) (r, se float64) {
	if len(a) != len(b) {
		return math.NaN(), math.NaN()
	}
	square := func(x []float64) (y []float64) {
		for _, v := range x {
			y = append(y, (v-truth)*(v-truth))
		}
		return y
	}
	a, b = square(a), square(b)
	base := claim.Over(a)
	r = claim.Over(b).Mean / base.Mean
	rest := make([]float64, len(a))
	for i := range a {
		rest[i] = (b[i] - r*a[i]) / base.Mean
	}
	return r, claim.Over(rest).SE
}

func (r thinPlan) cells(o paper.Options, p *targets.Problem, res *paper.Results) []thinCell {
	var all []thinCell
	for m := range thinSamplers() {
		for c, v := range theoryTruth(p) {
			moment := func(l engine.LaneResult) float64 { return secondMoment(l, c) }
			base := laneEstimates(res, r.sessions(o, p, m, 0).jobs(p), 0, moment)
			for n := range thinGroups()[0] {
				for g, ks := range thinGroups() {
					jobs := r.sessions(o, p, m, g).jobs(p)
					x := laneEstimates(res, jobs, n, moment)
					cell := thinCell{sampler: m, coordinate: c, k: ks[n], risk: riskOf(x, v)}
					cell.ess = claim.Over(laneEstimates(res, jobs, n, func(l engine.LaneResult) float64 {
						if c >= len(l.Coords) {
							return math.NaN()
						}
						return l.Coords[c][quantity.ESS].Trusted()
					}))
					cell.ratio, cell.ratioSE = pairedRatio(base, x, v)
					all = append(all, cell)
				}
			}
		}
	}
	return all
}

// exactESS is that of n/k draws of SGLD, every k-th of n, for the mean of θ:
// (n/k) (1-a^k)/(1+a^k).
func exactESS(sigma2 float64, n, k int) float64 {
	p := sgldOn(sigma2, thinEps).thinned(k)
	return float64(n/k) / (2 * p.act())
}

// exactThinMSE is that of the estimate of E θ² = σ² by n/k draws.
func exactThinMSE(sigma2 float64, n, k int) float64 {
	p := sgldOn(sigma2, thinEps)
	return (p.v-sigma2)*(p.v-sigma2) + p.thinned(k).squareVar(n/k)
}

func reportThinning(o paper.Options, outcomes map[string]study.Outcome) paper.Report {
	p, err := theoryTarget(o)
	if err != nil {
		return paper.Report{Findings: []string{err.Error()}}
	}
	q, err := rateTarget(o)
	if err != nil {
		return paper.Report{Findings: []string{err.Error()}}
	}
	plan, res, truth := thinPlanOf(o), paper.ResultsOf(outcomes), theoryTruth(p)
	cells := plan.cells(o, p, res)
	lines := plan.rate.measure(o, q, res, thinRateLanes(), thinRateGroup)
	rep := paper.Report{Tables: []paper.Table{thinTable(plan, truth, cells), thinRateTable(plan, lines)}, Figures: []figure.Figure{thinFigure(plan, truth, cells, lines)}}
	rep.Findings = append(thinFindings(plan, truth, cells, lines), res.Findings()...)
	return rep
}

func thinTable(plan thinPlan, truth []float64, cells []thinCell) paper.Table {
	t := paper.Table{
		Title: fmt.Sprintf("%d steps at ε = %g, every k-th kept: effective sample size for the mean of θ_i, and MSE of the estimate of E θ_i² as a multiple of that from all draws, ± standard error over %d runs", plan.len, thinEps, plan.runs),
		Head:  []string{"sampler", "coordinate", "k", "draws", "ESS", "exact", "MSE / MSE(k=1)", "exact"},
	}
	for _, c := range cells {
		ess, ratio := "", ""
		if c.sampler == 0 {
			v := truth[c.coordinate]
			ess = claim.Significant(exactESS(v, plan.len, c.k), 4)
			ratio = claim.Decimal(exactThinMSE(v, plan.len, c.k)/exactThinMSE(v, plan.len, 1), 3)
		}
		r := claim.Decimal(c.ratio, 3)
		if c.k > 1 && !math.IsNaN(c.ratio) {
			r += " ± " + claim.Decimal(c.ratioSE, 3)
		}
		t.Rows = append(t.Rows, []string{thinSamplers()[c.sampler].title, fmt.Sprintf("θ[%d]", c.coordinate+1), fmt.Sprint(c.k), fmt.Sprint(plan.len / c.k), c.ess.Short(4), ess, r, ratio})
	}
	return t
}

func thinRateTable(plan thinPlan, lines []rateLine) paper.Table {
	t := paper.Table{Title: "SGLD with ε_t ∝ t^(-1/3) on N(0, I): MSE of the estimate of E θ_i² with thinned draws, and its exponent in T", Head: []string{"T"}}
	fits, exact := []string{"exponent"}, []string{"exact"}
	x := floats(plan.rate.lens)
	for k, l := range lines {
		t.Head = append(t.Head, l.lane.title, "exact")
		c := rateCurveOf(1./3, plan.rate.lens, uint64(thinRates()[k]))
		fits = append(fits, l.fit.text(), claim.Decimal(slopeOf(x, c.exact, nil).B, 3))
		exact = append(exact, "", "")
	}
	for i, n := range plan.rate.lens {
		row := []string{fmt.Sprint(n)}
		for k, l := range lines {
			c := rateCurveOf(1./3, plan.rate.lens[:i+1], uint64(thinRates()[k]))
			r := l.risks[i]
			row = append(row, r.text(r.MSE/2, r.MSSE/2), claim.Significant(c.exact[i], 3))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Rows = append(t.Rows, fits)
	return t
}

func thinFigure(plan thinPlan, truth []float64, cells []thinCell, lines []rateLine) figure.Figure {
	log := func(label string) figure.Axis { return figure.Axis{Label: label, Log: true} }
	ess := figure.Panel{Title: fmt.Sprintf("effective sample size, ε = %g", thinEps), X: log("thinning k"), Y: log("ESS")}
	mse := figure.Panel{Title: "error of E θ²", X: log("thinning k"), Y: log("MSE / MSE(k=1)")}
	rate := figure.Panel{Title: "SGLD, γ = 1/3", X: log("T"), Y: log("MSE")}
	ks := ratios(1, 128, 8) // the powers of two
	for c, v := range truth {
		var e, r []float64
		for _, k := range ks {
			n := int(math.Round(k))
			e = append(e, exactESS(v, plan.len, n))
			r = append(r, exactThinMSE(v, plan.len, n)/exactThinMSE(v, plan.len, 1))
		}
		name := fmt.Sprintf("SGLD, θ[%d], exact", c+1)
		ess.Series = append(ess.Series, paper.Loggable(name, ks, e, nil, figure.Line, true))
		mse.Series = append(mse.Series, paper.Loggable(name, ks, r, nil, figure.Line, true))
	}
	for m, l := range thinSamplers() {
		for c := range truth {
			var x, e, ese, r, rse []float64
			for _, cell := range cells {
				if cell.sampler == m && cell.coordinate == c {
					x = append(x, float64(cell.k))
					e, ese = append(e, cell.ess.Mean), append(ese, cell.ess.SE)
					r, rse = append(r, cell.ratio), append(rse, cell.ratioSE)
				}
			}
			name := fmt.Sprintf("%s, θ[%d]", l.title, c+1)
			ess.Series = append(ess.Series, paper.Loggable(name, x, e, ese, figure.Points, false))
			mse.Series = append(mse.Series, paper.Loggable(name, x, r, rse, figure.Points, false))
		}
	}
	fine := lensOf(plan.rate.lens, 30)
	for k, l := range lines {
		y, se := l.mse()
		rate.Series = append(rate.Series, paper.Loggable(l.lane.title, floats(plan.rate.lens), y, se, figure.Points, false))
		thin := uint64(thinRates()[k])
		rate.Series = append(rate.Series, paper.Loggable(l.lane.title+", exact", floats(fine), rateCurveOf(1./3, fine, thin).exact, nil, figure.Line, true))
	}
	return figure.Figure{ID: "theory-thinning", Title: "Thinning", Columns: 3, Panels: []figure.Panel{ess, mse, rate}}
}

func thinFindings(plan thinPlan, truth []float64, cells []thinCell, lines []rateLine) []string {
	var found []string
	at := func(m, c, k int) thinCell {
		for _, cell := range cells {
			if cell.sampler == m && cell.coordinate == c && cell.k == k {
				return cell
			}
		}
		panic("theory: no such thinning")
	}
	// Few draws leave the estimate of a size too large on average: it divides by a noisy τ.
	var worst, few float64
	for _, c := range cells {
		if c.sampler != 0 || c.ess.N < 2 {
			continue
		}
		off := c.ess.Mean/exactESS(truth[c.coordinate], plan.len, c.k) - 1
		if plan.len/c.k >= thinMany {
			worst = max(worst, math.Abs(off))
		} else {
			few = max(few, off)
		}
	}
	if worst > 0 {
		s := fmt.Sprintf("SGLD's measured effective sizes are (n/k)(1-a^k)/(1+a^k) within %.1f%% where %d draws or more are kept.", 100*worst, thinMany)
		if few > 0 {
			s += fmt.Sprintf(" With fewer the estimate is up to %.0f%% too large.", 100*few)
		}
		found = append(found, s)
	}
	for m, l := range thinSamplers() {
		for c := range truth {
			one, some, most := at(m, c, 1), at(m, c, 16), at(m, c, 128)
			if one.ess.N < 1 || some.ess.N < 1 || most.ess.N < 1 {
				continue
			}
			tau := float64(plan.len) / (2 * one.ess.Mean)
			found = append(found, fmt.Sprintf("%s, θ[%d], τ = %.3g: every 16th draw keeps %.0f%% of the effective size and makes the MSE of E θ² %s times as large; every 128th keeps %.0f%%, and %s times.",
				l.title, c+1, tau, 100*some.ess.Mean/one.ess.Mean, theoryText(some.ratio, some.ratioSE), 100*most.ess.Mean/one.ess.Mean, theoryText(most.ratio, most.ratioSE)))
		}
	}
	found = append(found, "A thinned chain has \"a similar ESS\", as section 4.2 says, while k is below 2τ, the distance between independent draws. For SGLD the part that is kept is tanh(x)/x with x = k/(2τ) and small steps: 76% at k = 2τ, and 2τ/k far beyond, where all that is left is the number of draws.")
	for k, l := range lines {
		if math.IsNaN(l.fit.B) {
			continue
		}
		lens := plan.rate.lens
		c, all := rateCurveOf(1./3, lens, uint64(thinRates()[k])), rateCurveOf(1./3, lens, 1)
		s := fmt.Sprintf("ε_t ∝ t^(-1/3), %s: MSE ∝ T^(%s), exactly T^(%.3f) over these T.", l.lane.title, l.fit.text(), slopeOf(floats(lens), c.exact, nil).B)
		if n := len(lens) - 1; k > 0 {
			s += fmt.Sprintf(" Exactly, the MSE is %.3g times that of all draws at T = %d and %.3g times at T = %d: the form is kept, as corollary 3 has it, and the loss fades as 1/ε_t passes k.", c.exact[0]/all.exact[0], lens[0], c.exact[n]/all.exact[n], lens[n])
		}
		found = append(found, s)
	}
	return found
}
