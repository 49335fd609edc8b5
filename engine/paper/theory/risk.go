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

// riskBurnIn is many times the slowest relaxation at the smallest step.
const riskBurnIn = 5000

// riskPlan is what theory-risk runs.
type riskPlan struct {
	eps  []float64
	len  int // draws of a run
	runs int
}

func riskPlanOf(o paper.Options) riskPlan {
	if o.Scale == paper.Full {
		return riskPlan{[]float64{0.003, 0.01, 0.02, 0.04, 0.06, 0.1, 0.2, 0.3, 0.45, 0.6}, 100_000, o.RepeatsOr(80)}
	}
	return riskPlan{[]float64{0.003, 0.01, 0.03, 0.06, 0.1, 0.2, 0.3, 0.6}, 20_000, o.RepeatsOr(24)}
}

// riskLanes are the samplers whose risk is measured; the first has an exact one.
func riskLanes() []theoryLane {
	as := psgldOf("pSGLD", 0.99)
	gamma := psgldOf("pSGLD + Γ", 0.99).with(paper.Values{theoryGamma: 1})
	return []theoryLane{plainSGLD(), as, gamma, psgldOf("pSGLD, α = 0.9999", 0.9999)}
}

// sessions are those of the i-th step size.
func (r riskPlan) sessions(o paper.Options, p *targets.Problem, i int) theorySession {
	s := theorySession{same: true, start: startAt(theoryTruth(p)), steps: uint64(riskBurnIn + r.len), seed: o.Seed + uint64(i*r.runs), runs: r.runs, scale: o.Scale}
	for _, l := range riskLanes() {
		s.lanes = append(s.lanes, l.with(paper.Values{sampler.KeyEps: r.eps[i], sampler.KeyBurnIn: riskBurnIn}))
	}
	return s
}

// chainOn is the exact chain of a sampler on a variance.
type chainOn func(sigma2, eps float64) autoregression

// exactRisk is the risk with T draws from stationarity: B² and V summed over the
// coordinates, of the estimates of E θ_i² by the average of θ_i². The standard
// errors are those of riskOf's numbers over so many runs, for Gaussian estimates.
func exactRisk(chain chainOn, truth []float64, eps float64, n, runs int) estimatorRisk {
	var r estimatorRisk
	R := float64(runs)
	for _, v := range truth {
		p := chain(v, eps)
		b, of := p.v-v, p.squareVar(n)
		r.Bias2 += b * b
		r.Var += of
		r.Bias2SE = math.Hypot(r.Bias2SE, math.Sqrt(4*b*b*of/R+2*of*of/(R*R)))
		r.VarSE = math.Hypot(r.VarSE, of*math.Sqrt(2/(R-1)))
	}
	r.MSE = r.Bias2 + r.Var
	return r
}

// bestExactStep is the step at which exactRisk is least, to 1%.
func bestExactStep(chain chainOn, truth []float64, n int) (eps, least float64) {
	least = math.Inf(1)
	for e := 1e-3; e < 0.63; e *= 1.01 {
		if r := exactRisk(chain, truth, e, n, 2); r.MSE < least {
			eps, least = e, r.MSE
		}
	}
	return eps, least
}

func theoryRisk() paper.Experiment {
	return paper.Experiment{
		ID: "theory-risk", Title: "Bias and variance of an estimate against the step size",
		Source: "section 4.2 and supplement D: risk = bias² + variance", Readings: []paper.Reading{paper.Text},
		Protocol: func(o paper.Options) string {
			r := riskPlanOf(o)
			return fmt.Sprintf("N(0, diag(0.16, 1)); %d runs of %d draws after %d steps of burn-in at each of %d step sizes, every run from (0.4, 1) with V₀ = ḡ₁² on its own seed, the samplers of a run on the same noise; φ = θ_i², risks summed over both coordinates. The paper has the decomposition and no such experiment.",
				r.runs, r.len, riskBurnIn, len(r.eps))
		},
		Jobs: func(o paper.Options) ([]study.Job, error) {
			p, err := theoryTarget(o)
			if err != nil {
				return nil, err
			}
			var jobs []study.Job
			r := riskPlanOf(o)
			for i := range r.eps {
				jobs = append(jobs, r.sessions(o, p, i).jobs(p)...)
			}
			return jobs, nil
		},
		Report: reportRisk,
	}
}

func reportRisk(o paper.Options, outcomes map[string]study.Outcome) paper.Report {
	p, err := theoryTarget(o)
	if err != nil {
		return paper.Report{Findings: []string{err.Error()}}
	}
	var (
		plan  = riskPlanOf(o)
		truth = theoryTruth(p)
		res   = paper.ResultsOf(outcomes)
		lanes = riskLanes()
		got   = make([][]estimatorRisk, len(lanes)) // by lane and step
	)
	for i := range plan.eps {
		jobs := plan.sessions(o, p, i).jobs(p)
		for k := range lanes {
			var sum estimatorRisk
			for c, v := range truth {
				r := riskOf(laneEstimates(res, jobs, k, func(l engine.LaneResult) float64 { return secondMoment(l, c) }), v)
				if c == 0 {
					sum = r
				} else {
					sum = sum.plus(r)
				}
			}
			got[k] = append(got[k], sum)
		}
	}
	rep := paper.Report{Tables: []paper.Table{riskTable(plan, truth, lanes, got)}, Figures: []figure.Figure{riskFigure(plan, truth, lanes, got)}}
	rep.Findings = append(riskFindings(plan, truth, lanes, got), res.Findings()...)
	return rep
}

func riskTable(plan riskPlan, truth []float64, lanes []theoryLane, got [][]estimatorRisk) paper.Table {
	t := paper.Table{
		Title: fmt.Sprintf("Risk of the estimates of E θ₁² and E θ₂² from %d draws, mean ± standard error over %d runs; B² is (mean - truth)² less the variance of the mean, and can be below zero", plan.len, plan.runs),
		Head:  []string{"ε", "sampler", "bias²", "exact", "variance", "exact", "risk", "exact"},
	}
	for i, eps := range plan.eps {
		for k, l := range lanes {
			r := got[k][i]
			b, v, s := "", "", ""
			if k == 0 {
				e := exactRisk(sgldOn, truth, eps, plan.len, plan.runs)
				b, v, s = claim.Significant(e.Bias2, 3), claim.Significant(e.Var, 3), claim.Significant(e.MSE, 3)
			}
			t.Rows = append(t.Rows, []string{claim.Exactly(eps), l.title, r.text(r.Bias2, r.Bias2SE), b, r.text(r.Var, r.VarSE), v, r.text(r.MSE, r.MSSE), s})
		}
	}
	return t
}

func riskFigure(plan riskPlan, truth []float64, lanes []theoryLane, got [][]estimatorRisk) figure.Figure {
	parts := []struct {
		title, axis string
		of          func(estimatorRisk) (x, se float64)
	}{
		{"bias² (if 2 SE or more)", "bias²", func(r estimatorRisk) (float64, float64) { return r.Bias2, r.Bias2SE }},
		{"variance", "variance", func(r estimatorRisk) (float64, float64) { return r.Var, r.VarSE }},
		{"risk", "risk", func(r estimatorRisk) (float64, float64) { return r.MSE, r.MSSE }},
	}
	f := figure.Figure{ID: "theory-risk", Title: fmt.Sprintf("Bias² and variance of second moments from %d draws", plan.len), Columns: len(parts)}
	fine := ratios(plan.eps[0], plan.eps[len(plan.eps)-1], 60)
	for _, part := range parts {
		panel := figure.Panel{Title: part.title, X: figure.Axis{Label: "ε", Log: true}, Y: figure.Axis{Label: part.axis, Log: true}}
		for _, c := range []struct {
			name  string
			chain chainOn
		}{{"SGLD, exact", sgldOn}, {"pSGLD, α → 1, exact", averagedOn}} {
			var line []float64
			for _, e := range fine {
				x, _ := part.of(exactRisk(c.chain, truth, e, plan.len, plan.runs))
				line = append(line, x)
			}
			panel.Series = append(panel.Series, paper.Loggable(c.name, fine, line, nil, figure.Line, true))
		}
		for k, l := range lanes {
			var y, se []float64
			var x []float64
			for i, r := range got[k] {
				// A number that may be zero has no place on logarithmic axes, and of several
				// that are those alone that happen to be positive would be shown.
				if v, e := part.of(r); v >= 2*e {
					x, y, se = append(x, plan.eps[i]), append(y, v), append(se, e)
				}
			}
			panel.Series = append(panel.Series, paper.Loggable(l.title, x, y, se, figure.Both, false))
		}
		f.Panels = append(f.Panels, panel)
	}
	return f
}

// riskFindings say whether the measured parts are the exact ones, where each of them
// dominates, and which step is best for each sampler.
func riskFindings(plan riskPlan, truth []float64, lanes []theoryLane, got [][]estimatorRisk) []string {
	var all []string
	worst, n := 0.0, 0
	for i, eps := range plan.eps {
		e, r := exactRisk(sgldOn, truth, eps, plan.len, plan.runs), got[0][i]
		for _, z := range []float64{(r.Bias2 - e.Bias2) / e.Bias2SE, (r.Var - e.Var) / e.VarSE} {
			if !math.IsNaN(z) {
				worst, n = max(worst, math.Abs(z)), n+1
			}
		}
	}
	if n > 0 {
		all = append(all, fmt.Sprintf("SGLD's bias² and variance %s those of the exact formulas, σ²/(1-ε/(4σ²)) - σ² and an AR(1)'s: of %d measured numbers the farthest is %.1f standard errors off.", agree(worst), n, worst))
	}
	first, last := got[0][0], got[0][len(plan.eps)-1]
	if first.MSE > 0 && last.MSE > 0 {
		all = append(all, fmt.Sprintf("SGLD trades bias for variance as section 4.2 has it: at ε = %g bias² is %s and the variance %s, at ε = %g they are %s and %s.",
			plan.eps[0], theoryText(first.Bias2, first.Bias2SE), theoryText(first.Var, first.VarSE),
			plan.eps[len(plan.eps)-1], theoryText(last.Bias2, last.Bias2SE), theoryText(last.Var, last.VarSE)))
	}
	best, least := bestExactStep(sgldOn, truth, plan.len)
	with, lower := bestExactStep(averagedOn, truth, plan.len)
	all = append(all, fmt.Sprintf("Preconditioning itself lowers the least risk: exactly, SGLD's is %s at ε = %.2g, and that of pSGLD with α → 1 %s at ε = %.2g.", claim.Significant(least, 3), best, claim.Significant(lower, 3), with))
	for k, l := range lanes {
		at := -1
		for i, r := range got[k] {
			if r.MSE > 0 && (at < 0 || r.MSE < got[k][at].MSE) {
				at = i
			}
		}
		if at < 0 {
			continue
		}
		r := got[k][at]
		s := fmt.Sprintf("%s: least risk %s at ε = %g of those tried, bias² %s and variance %s.", l.title, theoryText(r.MSE, r.MSSE), plan.eps[at], theoryText(r.Bias2, r.Bias2SE), theoryText(r.Var, r.VarSE))
		if small := got[k][0]; k > 0 && small.MSE > 0 {
			s += fmt.Sprintf(" At ε = %g its bias² is %s", plan.eps[0], theoryText(small.Bias2, small.Bias2SE))
			if share := small.Bias2 / small.MSE; share > 0.5 {
				s += fmt.Sprintf(", %.0f%% of the risk: a smaller step does not trade bias for variance here, since V then follows the current gradient (theory-gamma).", 100*share)
			} else {
				s += fmt.Sprintf(" of a risk of %s.", theoryText(small.MSE, small.MSSE))
			}
		}
		all = append(all, s)
	}
	return all
}
