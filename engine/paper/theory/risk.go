package theory

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// riskBurnIn is many times the slowest relaxation at the smallest step.
const riskBurnIn = 5000

// riskPlan is what theory-risk runs.
type riskPlan struct {
	o    paper.Options
	eps  []float64
	len  int // draws of a run
	runs int
}

func riskPlanOf(o paper.Options) riskPlan {
	if o.Scale == paper.Full {
		return riskPlan{o, []float64{0.003, 0.01, 0.02, 0.04, 0.06, 0.1, 0.2, 0.3, 0.45, 0.6}, 100_000,
			o.RepeatsOr(24, 80)}
	}
	return riskPlan{o, []float64{0.003, 0.01, 0.03, 0.06, 0.1, 0.2, 0.3, 0.6}, 20_000, o.RepeatsOr(24, 80)}
}

// riskLanes are the samplers whose risk is measured; the first has an exact one.
func riskLanes() []paper.Entry {
	return []paper.Entry{
		paper.SGLD, psgldOf("pSGLD", usualAlpha),
		psgldOf("pSGLD + Γ", usualAlpha).With(paper.Values{keyGamma: 1}), psgldOf("pSGLD, α = 0.9999", 0.9999),
	}
}

// at are the sessions of the i-th step size.
func (r riskPlan) at(i int) paper.Runs {
	lanes := list.Map(riskLanes(), func(l paper.Entry) paper.Entry {
		return l.With(paper.Values{sampler.KeyEps: r.eps[i], sampler.KeyBurnIn: riskBurnIn})
	})
	return plane.runs(r.o, lanes, nil, uint64(riskBurnIn+r.len), i, r.runs)
}

// chainOn is the exact chain of a sampler on a variance.
type chainOn func(sigma2, eps float64) autoregression

// exactRisk is the risk with T draws from stationarity: B² and V summed over the
// plane's coordinates, of the estimates of E θ_i² by the average of θ_i². The standard
// errors are those of riskOf's numbers over so many runs, for Gaussian estimates.
func exactRisk(chain chainOn, eps float64, n, runs int) risk {
	var r risk
	R := float64(runs)
	for _, v := range plane.variances {
		p := chain(v, eps)
		b, of := p.v-v, p.squareVar(n)
		r.Bias2 = r.Bias2.plus(number{b * b, math.Sqrt(4*b*b*of/R + 2*of*of/(R*R))})
		r.Var = r.Var.plus(number{of, of * math.Sqrt(2/(R-1))})
	}
	r.MSE.X = r.Bias2.X + r.Var.X
	return r
}

// bestExactStep is the step at which exactRisk is least, to 1%.
func bestExactStep(chain chainOn, n int) (eps, least float64) {
	least = math.Inf(1)
	for e := 1e-3; e < 0.63; e *= 1.01 {
		if r := exactRisk(chain, e, n, 2); r.MSE.X < least {
			eps, least = e, r.MSE.X
		}
	}
	return eps, least
}

func (r riskPlan) protocol() string {
	return fmt.Sprintf("N(0, diag(0.16, 1)): %d runs of %s draws after %s steps of burn-in at each of %d ε, from "+
		"(0.4, 1) with V₀ = ḡ₁². The samplers of a run have the same noise. Risks of the estimates of E θ_i² are "+
		"added over both coordinates. The paper has the decomposition and no such experiment.",
		r.runs, claim.Whole(r.len), claim.Whole(riskBurnIn), len(r.eps))
}

func (r riskPlan) sessions() []paper.Runs { return list.Map(list.Upto(len(r.eps)), r.at) }

func (r riskPlan) report(res *paper.Results) paper.Report {
	got := make([][]risk, len(riskLanes())) // by lane and step
	for i := range r.eps {
		for k := range got {
			got[k] = append(got[k], plane.risk(res, r.at(i), k))
		}
	}
	rep := r.remarks(got)
	rep.Tables, rep.Figures = []paper.Table{r.table(got)}, []figure.Figure{r.figure(got)}
	return rep
}

func (r riskPlan) table(got [][]risk) paper.Table {
	t := paper.Table{
		Title: fmt.Sprintf("Risk of the estimates of E θ₁² and E θ₂² from %s draws", claim.Whole(r.len)),
		Note: fmt.Sprintf("Means ± standard error over %d runs. Bias² is (mean − truth)² less the variance of the "+
			"mean, and can be below zero. The exact numbers are SGLD's. pSGLD has α = %g unless another is named.",
			r.runs, usualAlpha),
		Head: []string{"ε", "sampler", "bias²", "bias², exact", "variance", "variance, exact", "risk", "risk, exact"},
	}
	for i, eps := range r.eps {
		for k, l := range riskLanes() {
			x, exact := got[k][i], [3]string{}
			if k == 0 {
				e := exactRisk(sgldOn, eps, r.len, r.runs)
				exact = [3]string{claim.Significant(e.Bias2.X, 3), claim.Significant(e.Var.X, 3),
					claim.Significant(e.MSE.X, 3)}
			}
			t.Rows = append(t.Rows,
				[]string{claim.Exactly(eps), l.Title, x.text(x.Bias2), exact[0], x.text(x.Var), exact[1],
					x.text(x.MSE), exact[2]})
		}
	}
	return t
}

func (r riskPlan) figure(got [][]risk) figure.Figure {
	parts := []struct {
		title, axis string
		of          func(risk) number
	}{
		{"bias² (if 2 SE or more)", "bias²", func(r risk) number { return r.Bias2 }},
		{"variance", "variance", func(r risk) number { return r.Var }},
		{"risk", "risk", func(r risk) number { return r.MSE }},
	}
	f := figure.Figure{ID: "theory-risk",
		Title:   fmt.Sprintf("Bias² and variance of second moments from %s draws", claim.Whole(r.len)),
		Columns: len(parts)}
	fine := ratios(r.eps[0], r.eps[len(r.eps)-1], 60)
	for _, part := range parts {
		panel := figure.Panel{Title: part.title, X: logAxis("ε"), Y: logAxis(part.axis)}
		for _, c := range []struct {
			name, like string
			chain      chainOn
		}{{"SGLD, exact", "SGLD", sgldOn}, {"pSGLD, α → 1, exact", "pSGLD", averagedOn}} {
			panel.Series = append(panel.Series,
				expected(c.name, c.like,
					along(fine, func(e float64) float64 { return part.of(exactRisk(c.chain, e, r.len, r.runs)).X })))
		}
		for k, of := range got {
			var shown []point
			for i := range of {
				// Logarithmic axes cannot show a number that may be zero. To show only those
				// that happen to be positive would mislead.
				if n := part.of(of[i]); n.X >= 2*n.SE {
					shown = append(shown, point{r.eps[i], n, r.at(i).IDs()})
				}
			}
			l := riskLanes()[k]
			panel.Series = append(panel.Series, measured(l.Title, l.Sampler, figure.Both, shown))
		}
		f.Panels = append(f.Panels, panel)
	}
	return f
}

// remarks say whether measured and exact numbers agree, which part dominates where, and
// which step is best for each sampler.
func (r riskPlan) remarks(got [][]risk) (rep paper.Report) {
	worst, n := 0.0, 0
	for i, eps := range r.eps {
		e, x := exactRisk(sgldOn, eps, r.len, r.runs), got[0][i]
		for _, z := range []float64{(x.Bias2.X - e.Bias2.X) / e.Bias2.SE, (x.Var.X - e.Var.X) / e.Var.SE} {
			if !math.IsNaN(z) {
				worst, n = max(worst, math.Abs(z)), n+1
			}
		}
	}
	if n > 0 {
		rep.Say(fmt.Sprintf("SGLD's bias² and variance %s the exact ones, those of an autoregression of first "+
			"order with variance σ²/(1 − ε/(4σ²)). Of %d measured numbers the farthest is %.1f standard errors off.",
			agree(worst), n, worst))
	}
	smallest, largest := r.eps[0], r.eps[len(r.eps)-1]
	if first, last := got[0][0], got[0][len(r.eps)-1]; first.MSE.X > 0 && last.MSE.X > 0 {
		rep.Say(fmt.Sprintf("At ε = %g SGLD's bias² is %s and its variance %s. At ε = %g they are %s and %s.",
			smallest, first.Bias2, first.Var, largest, last.Bias2, last.Var))
	}
	for k, l := range riskLanes() {
		at := claim.Least(got[k], func(x risk) float64 { return x.MSE.X })
		if at < 0 {
			continue
		}
		x := got[k][at]
		s := fmt.Sprintf("%s has its least risk of those tried, %s, at ε = %g, with a bias² of %s and a variance of %s.",
			l.Title, x.MSE, r.eps[at], x.Bias2, x.Var)
		if small := got[k][0]; k > 0 && small.MSE.X > 0 {
			s += fmt.Sprintf(" At ε = %g its bias² is %s and its risk %s.", smallest, small.Bias2, small.MSE)
		}
		rep.Say(s)
	}
	rep.Verdict = r.verdict(got[0], got[1], got[3])
	if small := got[1][0]; rep.Verdict != "" && small.Bias2.X > small.MSE.X/2 {
		best, least := bestExactStep(sgldOn, r.len)
		with, lower := bestExactStep(averagedOn, r.len)
		rep.Instead = fmt.Sprintf("With a short memory of V a smaller step does not trade bias for variance, since "+
			"V then follows the current gradient (theory-gamma). With a long one it does, and preconditioning "+
			"lowers the least risk: by the exact formulas SGLD's is %s at ε = %.2g, and that of pSGLD as α → 1 is "+
			"%s at ε = %.2g.",
			claim.Significant(least, 3), best, claim.Significant(lower, 3), with)
	}
	return rep
}

// verdict compares SGLD and pSGLD, also with a long memory, at their best steps, and pSGLD at the smallest.
func (r riskPlan) verdict(sgld, psgld, long []risk) string {
	of := func(x risk) float64 { return x.MSE.X }
	a, b, c := claim.Least(sgld, of), claim.Least(psgld, of), claim.Least(long, of)
	if a < 0 || b < 0 || !(psgld[0].MSE.X > 0) {
		return ""
	}
	other := "does not"
	if psgld[0].Bias2.X <= psgld[0].MSE.X/2 {
		other = "does too"
	}
	text := fmt.Sprintf("With SGLD a smaller step does: the risk is least, %s, at ε = %g", sgld[a].MSE, r.eps[a])
	most := len(sgld) // from there on
	for most > 0 && sgld[most-1].Bias2.X > sgld[most-1].Var.X {
		most--
	}
	if most > 0 && most < len(sgld) {
		text += fmt.Sprintf(", and bias² is most of it from ε = %g up, variance below", r.eps[most])
	}
	text += fmt.Sprintf(". With pSGLD at α = %g it %s: the risk is least, %s, at ε = %g, where %.0f%% of it is "+
		"bias², and at ε = %g %.0f%% is.",
		usualAlpha, other, psgld[b].MSE, r.eps[b], 100*psgld[b].Bias2.X/psgld[b].MSE.X, r.eps[0],
		100*psgld[0].Bias2.X/psgld[0].MSE.X)
	if c >= 0 {
		text += fmt.Sprintf(" With α = 0.9999 the least risk is %s, at ε = %g.", long[c].MSE, r.eps[c])
	}
	return text
}
