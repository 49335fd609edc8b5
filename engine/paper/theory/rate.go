package theory

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// The steps are ε_t = a (b + t)^-γ. With these values bias² and variance are about equal on N(0, 1) at γ = 1/3.
const (
	rateA = 2.0
	rateB = 1.0
)

// third is the best exponent of the bound.
const third = 1. / 3

// rateGammas are the exponents of which SGLD's rate is measured, and their names.
func rateGammas() ([]float64, []string) {
	return []float64{1. / 5, third, 1. / 2, 2. / 3}, []string{"γ = 1/5", "γ = 1/3", "γ = 1/2", "γ = 2/3"}
}

// polynomial is the schedule a (b + t)^-γ, whose first step is base.
func polynomial(gamma float64) (s sampler.Schedule, base float64) {
	return sampler.Schedule{Kind: "poly", B: rateB, Gamma: gamma}, rateA * libm.Pow(rateB, -gamma)
}

// decreasing is a lane with that schedule.
func decreasing(l paper.Entry, gamma float64) paper.Entry {
	s, base := polynomial(gamma)
	l = l.With(paper.Values{sampler.KeyEps: base})
	l.Schedule = s
	return l
}

// rateFreeze is the step at which V is frozen: after twice its memory, while the steps are
// large and V is near its mean.
const rateFreeze = 200

// rateLanes are SGLD at each γ, and pSGLD at γ = 1/3 in four ways.
func rateLanes() (sgld, psgld []paper.Entry) {
	gammas, names := rateGammas()
	for k, g := range gammas {
		l := decreasing(paper.SGLD, g)
		l.Title = "SGLD, " + names[k]
		sgld = append(sgld, l)
	}
	return sgld, list.Map([]paper.Entry{
		psgldOf("pSGLD", usualAlpha),
		psgldOf("pSGLD + Γ", usualAlpha).With(paper.Values{keyGamma: 1}),
		psgldOf("pSGLD, α = 0.9999", 0.9999),
		psgldOf(fmt.Sprintf("pSGLD, frozen at %d", rateFreeze), usualAlpha).With(paper.Values{keyFreeze: rateFreeze}),
	}, func(l paper.Entry) paper.Entry { return decreasing(l, third) })
}

// ratePlan is what theory-rate runs.
type ratePlan struct {
	o    paper.Options
	lens []float64 // T
	runs int
}

func ratePlanOf(o paper.Options) ratePlan {
	r := ratePlan{o, []float64{1000, 3000, 10_000, 30_000, 100_000}, o.RepeatsOr(16, 40)}
	if o.Scale == paper.Full {
		r.lens = append(r.lens, 300_000, 1_000_000)
	}
	return r
}

// The groups of lanes that have seeds of their own.
const (
	rateSGLD = iota
	ratePSGLD
	rateThinned // those of theory-thinning
)

// at are the sessions of a group of lanes with the i-th T. Each T and group has its
// own seeds, so that the points of a slope are independent.
func (r ratePlan) at(lanes []paper.Entry, group, i int) paper.Runs {
	return unit.runs(r.o, lanes, nil, uint64(r.lens[i]), group*len(r.lens)+i, r.runs)
}

// all are the sessions of a group with each T.
func (r ratePlan) all(lanes []paper.Entry, group int) []paper.Runs {
	return list.Map(list.Upto(len(r.lens)), func(i int) paper.Runs { return r.at(lanes, group, i) })
}

// last is the largest T.
func (r ratePlan) last() float64 { return r.lens[len(r.lens)-1] }

// fine are n whole numbers at equal ratios over the range of T.
func (r ratePlan) fine(n int) []float64 { return list.Map(ratios(r.lens[0], r.last(), n), math.Round) }

// theoremRate is the exponent with which theorem 1's bound falls,
//
//	MSE ≤ C (Σ ε_t²/S_T² E‖ΔV_t‖² + 1/S_T + (Σ ε_t²)²/S_T²),  S_T = Σ ε_t,
//
// at ε_t ∝ t^-γ. Since S_T ∝ T^(1-γ) and, below γ = ½, Σ ε_t² ∝ T^(1-2γ), the second term falls as T^-(1-γ) and the
// third as T^-2γ. At γ = ½ the third has a factor ln² T, and above it is the smaller. The first term, of gradient
// noise, is zero here and never falls more slowly. The best exponent is γ = 1/3, with T^(-2/3).
func theoremRate(gamma float64) float64 { return -min(1-gamma, 2*gamma) }

// A rateCurve is what is known of a schedule at some T.
type rateCurve struct {
	bound []point   // 1/S_T + (Σ ε_t²)²/S_T²
	exact []point   // SGLD's MSE of one coordinate of N(0, 1), started at 1
	kappa []float64 // T/S_T, the average of 1/ε_t weighted by ε_t
}

// rateCurveOf follows a schedule through lens, which increase, keeping every thin-th draw.
func rateCurveOf(gamma float64, lens []float64, thin uint64) rateCurve {
	var (
		c       rateCurve
		s, base = polynomial(gamma)
		e       = newWeightedSquare(1, 1)
		sum, sq float64
		t       uint64
	)
	for _, end := range lens {
		for ; t < uint64(end); t++ {
			eps := base * s.Factor(t, 1)
			sum, sq = sum+eps, sq+eps*eps
			w := 0.0
			if (t+1)%thin == 0 {
				w = eps
			}
			e.step(eps, w)
		}
		c.bound = append(c.bound, point{x: end, y: number{X: 1/sum + sq*sq/(sum*sum)}})
		c.exact = append(c.exact, point{x: end, y: number{X: e.mse()}})
		c.kappa = append(c.kappa, float64(t)/sum)
	}
	return c
}

// A rateLine is the measured error of a lane at every T.
type rateLine struct {
	lane  paper.Entry
	risks []risk  // of both coordinates together: twice that of one
	mse   []point // of one coordinate
	fit   number  // the exponent
}

// text is the mean squared error at the i-th T.
func (l rateLine) text(i int) string { return l.risks[i].text(l.mse[i].y) }

func (r ratePlan) measure(res *paper.Results, lanes []paper.Entry, group int) []rateLine {
	lines := make([]rateLine, len(lanes))
	for k, lane := range lanes {
		l := rateLine{lane: lane}
		for i, t := range r.lens {
			runs := r.at(lanes, group, i)
			x := unit.risk(res, runs, k)
			l.risks, l.mse = append(l.risks, x), append(l.mse, point{t, x.MSE.half(), runs.IDs()})
		}
		l.fit = slopeOf(l.mse)
		lines[k] = l
	}
	return lines
}

func (r ratePlan) protocol() string {
	return fmt.Sprintf("N(0, I), ε_t = %g (%g + t)^-γ. E θ_i² = 1 is estimated by Σ ε_t θ_i² / Σ ε_t over all "+
		"draws from (1, 1), in %d runs of two coordinates at each of %d lengths T up to %s. Exact gradients make "+
		"theorem 1's first term zero. The paper proves the bound and does not measure it.",
		rateA, rateB, r.runs, len(r.lens), claim.Whole(r.last()))
}

func (r ratePlan) sessions() []paper.Runs {
	sgld, psgld := rateLanes()
	return append(r.all(sgld, rateSGLD), r.all(psgld, ratePSGLD)...)
}

func (r ratePlan) report(res *paper.Results) paper.Report {
	lanes, others := rateLanes()
	sgld, psgld := r.measure(res, lanes, rateSGLD), r.measure(res, others, ratePSGLD)
	slope := paper.Table{
		Title: fmt.Sprintf("Exponents b of MSE ∝ T^b, from T = %s to %s", claim.Whole(r.lens[0]),
			claim.Whole(r.last())),
		Head: []string{"sampler", "theorem 1, T → ∞", "its bound over these T", "exact over these T", "measured",
			"off, in standard errors"},
		Note: "By least squares on logarithms, ± what the standard errors of the points make of the slope. The " +
			"bound's constants are not known, and all are 1 here. Exact is what SGLD's mean squared error is in " +
			"theory, which is known of SGLD alone. Off is measured less exact. The points of pSGLD with α = 0.99 " +
			"do not lie on a line: the next table has them.",
	}
	plain := figure.Panel{Title: "SGLD", X: logAxis("T"), Y: logAxis("MSE")}
	best := figure.Panel{Title: "γ = 1/3", X: logAxis("T"), Y: logAxis("MSE")}
	fine := r.fine(40)
	worst, fitted := 0.0, 0
	gammas, names := rateGammas()
	for k, g := range gammas {
		l := sgld[k]
		c := rateCurveOf(g, r.lens, 1)
		exact := slopeOf(c.exact)
		off := claim.NoNumber
		if z := (l.fit.X - exact.X) / l.fit.SE; !math.IsNaN(z) {
			worst, fitted = max(worst, math.Abs(z)), fitted+1
			off = fmt.Sprintf("%+.1f", z)
		}
		slope.Rows = append(slope.Rows,
			[]string{l.lane.Title, claim.Decimal(theoremRate(g), 3), claim.Decimal(slopeOf(c.bound).X, 3),
				claim.Decimal(exact.X, 3), exponent(l.fit), off})
		curve := rateCurveOf(g, fine, 1)
		plain.Series = append(plain.Series, measured(l.lane.Title, l.lane.Sampler, figure.Points, l.mse),
			expected("SGLD, exact", "", curve.exact))
		if g == third {
			exact, bias := expected("SGLD, exact", "", curve.exact),
				figure.Series{Name: "((1 − α)T/Σε)², α = 0.99", Style: figure.Line, X: fine, Paper: true}
			bias.Y = list.Map(curve.kappa, func(k float64) float64 { return square((1 - usualAlpha) * k) })
			best.Series = append(best.Series, exact, bias)
		}
	}
	var rep paper.Report
	last := len(r.lens) - 1
	mse := func(l rateLine) float64 { return l.mse[last].y.X }
	if best := claim.Least(sgld, mse); fitted > 0 {
		rep.Say(
			fmt.Sprintf("SGLD's measured exponents %s the exact ones over the same T: of %d the farthest is %.1f "+
				"standard errors off. Theorem 1's are those for T → ∞. The least error at T = %s is %s, at %s.",
				agree(worst), fitted, worst, claim.Whole(r.last()), sgld[best].mse[last].y, names[best]),
			"Assumption 1 does not allow the γ at which the bound falls fastest, γ = 1/3 with T^(-2/3): Σ ε_t² is "+
				"finite only above γ = 1/2, where the bound falls more slowly than T^(-1/2). What the bound needs "+
				"is Σ ε_t² / Σ ε_t → 0, which holds for 0 < γ ≤ 1.")
		c := rateCurveOf(third, r.lens, 1)
		rep.Verdict, rep.Instead = r.verdict(sgld, psgld[0], c), r.instead(psgld[0], c)
	}
	c := rateCurveOf(third, r.lens, 1)
	for _, l := range psgld {
		slope.Rows = append(slope.Rows,
			[]string{l.lane.Title + ", γ = 1/3", claim.Decimal(theoremRate(third), 3),
				claim.Decimal(slopeOf(c.bound).X, 3), "", exponent(l.fit), ""})
		best.Series = append(best.Series, measured(l.lane.Title, l.lane.Sampler, figure.Both, l.mse))
		rep.Say(r.remark(l, c))
	}
	columns := list.Map(append(sgld, psgld...), func(l rateLine) paper.Column {
		return paper.Column{Head: l.lane.Title, Cell: l.text}
	})
	points := paper.TableOf("Mean squared error of the estimate of E θ_i² = 1", len(r.lens),
		append([]paper.Column{r.column()}, columns...)...)
	points.Note = fmt.Sprintf("Means ± standard error over %d runs of two coordinates. pSGLD has γ = 1/3 and, "+
		"unless another is named, α = %g. Frozen at 200 has the V of step 200 from there on.", r.runs, usualAlpha)
	rep.Tables = []paper.Table{slope, points}
	rep.Figures = []figure.Figure{{ID: "theory-rate", Title: "Mean squared error as steps decrease, ε_t ∝ (1 + t)^-γ",
		Columns: 2, Panels: []figure.Panel{plain, best}}}
	return rep
}

func (r ratePlan) column() paper.Column {
	return paper.ColumnOf(r.lens, "T", claim.Whole[float64])
}

// verdict counts the γ at which SGLD's error falls, by an exponent of more than two standard
// errors, and compares pSGLD's with it at γ = 1/3.
func (r ratePlan) verdict(sgld []rateLine, psgld rateLine, exact rateCurve) string {
	if math.IsNaN(psgld.fit.X) {
		return ""
	}
	falls := list.Count(sgld, func(l rateLine) bool { return l.fit.X < -2*l.fit.SE })
	n := len(r.lens) - 1
	answer := "SGLD's does"
	if falls < len(sgld) {
		answer = "SGLD's does in part"
	}
	text := fmt.Sprintf("%s, at %d of %d γ. ", answer, falls, len(sgld))
	times := fmt.Sprintf("%.3g times SGLD's exact one", psgld.risks[n].MSE.X/2/exact.exact[n].y.X)
	least := claim.Least(psgld.risks, func(x risk) float64 { return x.MSE.X })
	switch end := psgld.risks[n].MSE; {
	case psgld.fit.X < -2*psgld.fit.SE:
		return text + fmt.Sprintf("That of pSGLD with α = %g does: at γ = 1/3, where theorem 1 has T^(-2/3), it "+
			"goes as T^(%s). At T = %s it is %s.", usualAlpha, exponent(psgld.fit), claim.Whole(r.last()), times)
	case least > 0 && claim.Sign(end.X-psgld.risks[least].MSE.X, libm.Hypot(end.SE, psgld.risks[least].MSE.SE)) > 0:
		return text + fmt.Sprintf("That of pSGLD with α = %g does not: at γ = 1/3, where theorem 1 has T^(-2/3), "+
			"it falls to %s at T = %s and rises again. At T = %s it is %s, %s.",
			usualAlpha, psgld.risks[least].MSE.half(), claim.Whole(r.lens[least]), claim.Whole(r.last()),
			end.half(), times)
	}
	return text + fmt.Sprintf("That of pSGLD with α = %g does not: at γ = 1/3, where theorem 1 has T^(-2/3), it "+
		"goes as T^(%s). At T = %s it is %s.", usualAlpha, exponent(psgld.fit), claim.Whole(r.last()), times)
}

// instead says why pSGLD's error does not fall.
func (r ratePlan) instead(psgld rateLine, exact rateCurve) string {
	n := len(r.lens) - 1
	last := psgld.risks[n]
	if !r.biased(psgld) {
		return ""
	}
	return fmt.Sprintf("Theorem 1 takes G for a function of the present θ. But as ε_t → 0 V follows the current "+
		"gradient, and E θ² tends to 2σ² (theory-gamma). pSGLD's mean squared error at T = %s is %s, of which "+
		"bias² is %s. To first order in 1 − α bias² is ((1 − α)T/Σε)² = %s. It grows as T^(2γ), and is too large a "+
		"number where it is not small.",
		claim.Whole(r.last()), last.MSE.half(), last.Bias2.half(),
		claim.Significant(square((1-usualAlpha)*exact.kappa[n]), 3))
}

// biased reports whether a line's error at the largest T is bias that does not fall as theorem 1 has it.
func (r ratePlan) biased(l rateLine) bool {
	last := l.risks[len(r.lens)-1]
	return l.fit.X > theoremRate(third)/2 && last.Bias2.X > last.MSE.X/2
}

// remark compares a pSGLD with SGLD at γ = 1/3. Because of V's finite memory E θ_t² is off by κ_t = (1-α)/ε_t to first
// order (theory-gamma), and its weighted average by Σ ε_t κ_t / S_T = (1-α) T/S_T.
func (r ratePlan) remark(l rateLine, sgld rateCurve) string {
	n := len(r.lens) - 1
	last := l.risks[n]
	if math.IsNaN(l.fit.X) {
		return "There is no exponent of " + l.lane.Title + ", since a point has no number."
	}
	said := fmt.Sprintf("%s, γ = 1/3: at T = %s the mean squared error is %s, %.3g times SGLD's exact one.",
		l.lane.Title, claim.Whole(r.last()), last.MSE.half(), last.MSE.X/2/sgld.exact[n].y.X)
	// Γ takes 1-α off at every step.
	name, kappa := "((1 − α)T/Σε)²", sgld.kappa[n]
	if l.lane.Values[keyGamma] != 0 {
		name, kappa = "((1 − α)(T/Σε − 1))²", kappa-1
	}
	law := claim.Significant(square((1-l.lane.Values[keyAlpha])*kappa), 3)
	switch {
	case r.biased(l):
		said += fmt.Sprintf(" Bias² is %s, to first order %s = %s.", last.Bias2.half(), name, law)
	case l.lane.Values[keyFreeze] == 0:
		said += fmt.Sprintf(" The bias comes later, as it does for any α below 1: %s is %s here, and grows as T^(2γ).",
			name, law)
	}
	return said
}
