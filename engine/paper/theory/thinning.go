package theory

import (
	"fmt"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/tool/list"
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
		return thinPlan{204_800, o.RepeatsOr(24, 80), ratePlanOf(o)}
	}
	return thinPlan{51_200, o.RepeatsOr(24, 80), ratePlanOf(o)}
}

// thinMany is the least number of draws for which measured sizes are held to exact ones.
const thinMany = 1500

// thinGroups are the thinnings of a session's four lanes. They divide both lengths.
func thinGroups() [][]int { return [][]int{{1, 4, 16, 64}, {2, 8, 32, 128}} }

// thinLanes are those that are thinned; the first has exact laws.
func thinLanes() []paper.Entry { return []paper.Entry{paper.SGLD, psgldOf("pSGLD", usualAlpha)} }

// at are sessions of the m-th sampler. All lanes of a session are the same chain, thinned in
// four ways; so are both groups, which have the same seeds.
func (t thinPlan) at(m, group int) paper.Runs {
	lanes := list.Map(thinGroups()[group], func(k int) paper.Entry {
		return thinLanes()[m].With(paper.Values{sampler.KeyEps: thinEps, sampler.KeyBurnIn: thinBurnIn,
			sampler.KeyThin: float64(k)})
	})
	return plane.runs(t.rate.o, lanes, nil, uint64(thinBurnIn+t.len), m, t.runs)
}

// thinRates are the thinnings whose rate is measured as steps decrease.
func thinRates() []uint64 { return []uint64{1, 10, 100} }

func thinRateLanes() []paper.Entry {
	var all []paper.Entry
	for _, k := range thinRates() {
		l := decreasing(paper.SGLD, third).With(paper.Values{sampler.KeyThin: float64(k)})
		l.Title = fmt.Sprintf("every %dth draw", k)
		if k == 1 {
			l.Title = "all draws"
		}
		all = append(all, l)
	}
	return all
}

func (t thinPlan) protocol() string {
	return fmt.Sprintf("N(0, diag(0.16, 1)) at ε = %g: %d runs of %s steps after %s, of which every k-th is kept, "+
		"k = 1 to 128, all of the same chain. N(0, I) with ε_t = %g (%g + t)^(-1/3): errors against T with thinned "+
		"draws. The paper proves the corollary and does not measure it.",
		thinEps, t.runs, claim.Whole(t.len), claim.Whole(thinBurnIn), rateA, rateB)
}

func (t thinPlan) sessions() (all []paper.Runs) {
	for m := range thinLanes() {
		for g := range thinGroups() {
			all = append(all, t.at(m, g))
		}
	}
	return append(all, t.rate.all(thinRateLanes(), rateThinned)...)
}

func (t thinPlan) report(r *paper.Results) paper.Report {
	cells, lines := t.cells(r), t.rate.measure(r, thinRateLanes(), rateThinned)
	rep := t.remarks(cells, lines)
	rep.Tables, rep.Figures = []paper.Table{t.table(cells), t.rateTable(lines)}, []figure.Figure{t.figure(cells, lines)}
	return rep
}

// A thinCell is a sampler's coordinate at a thinning.
type thinCell struct {
	sampler, coordinate, k int
	ess                    claim.OverSeeds // of θ_i
	ratio                  number          // of the MSE of E θ_i² to that of all draws
	sessions               []string        // their IDs
}

// pairedRatio is r = Σ b / Σ a of the runs' squared errors, with the standard error
// of Σ (b - r a) over that of a: both are of the same chains.
func pairedRatio(a, b []float64, truth float64) number {
	if len(a) != len(b) {
		return number{math.NaN(), math.NaN()}
	}
	error2 := func(x float64) float64 { return square(x - truth) }
	a, b = list.Map(a, error2), list.Map(b, error2)
	base := claim.Over(a)
	r := claim.Over(b).Mean / base.Mean
	rest := list.Map(list.Upto(len(a)), func(i int) float64 { return (b[i] - r*a[i]) / base.Mean })
	return number{r, claim.Over(rest).SE}
}

func (t thinPlan) cells(r *paper.Results) []thinCell {
	var all []thinCell
	for m := range thinLanes() {
		for c, v := range plane.variances {
			base := moments(r, t.at(m, 0), 0, c)
			for n := range thinGroups()[0] {
				for g, ks := range thinGroups() {
					runs := t.at(m, g)
					all = append(all, thinCell{
						sampler:    m,
						coordinate: c,
						k:          ks[n],
						ratio:      pairedRatio(base, moments(r, runs, n, c), v),
						sessions:   runs.IDs(),
						ess: claim.Over(r.Each(runs, n, func(l engine.LaneResult) float64 {
							if c >= len(l.Coords) {
								return math.NaN()
							}
							return l.Coords[c][quantity.ESS].Trusted()
						})),
					})
				}
			}
		}
	}
	return all
}

// exactESS is that of n/k draws of SGLD, every k-th of n, for the mean of θ: (n/k) (1-a^k)/(1+a^k).
func exactESS(sigma2 float64, n, k int) float64 {
	p := sgldOn(sigma2, thinEps).thinned(k)
	return float64(n/k) / (2 * p.act())
}

// exactThinMSE is that of the estimate of E θ² = σ² by n/k draws.
func exactThinMSE(sigma2 float64, n, k int) float64 {
	p := sgldOn(sigma2, thinEps)
	return square(p.v-sigma2) + p.thinned(k).squareVar(n/k)
}

// exactThinRatio is it as a multiple of that from all draws.
func exactThinRatio(sigma2 float64, n, k int) float64 {
	return exactThinMSE(sigma2, n, k) / exactThinMSE(sigma2, n, 1)
}

func (t thinPlan) table(cells []thinCell) paper.Table {
	tab := paper.Table{
		Title: fmt.Sprintf("%s steps at ε = %g, of which every k-th is kept", claim.Whole(t.len), thinEps),
		Head: []string{"sampler", "coordinate", "k", "draws", "ESS", "ESS, exact", "MSE / MSE(k = 1)",
			"MSE ratio, exact"},
		Note: fmt.Sprintf("ESS is the effective sample size for the mean of θ_i, and MSE the mean squared error of "+
			"the estimate of E θ_i². The exact numbers are SGLD's. Where bias is most of the MSE, as with pSGLD "+
			"and with SGLD's θ₁, thinning hardly changes it. Means ± standard error over %d runs.", t.runs),
	}
	for _, c := range cells {
		ess, ratio := "", ""
		if c.sampler == 0 {
			v := plane.variances[c.coordinate]
			ess, ratio = claim.Significant(exactESS(v, t.len, c.k), 4), claim.Decimal(exactThinRatio(v, t.len, c.k), 3)
		}
		r := claim.Decimal(c.ratio.X, 3)
		if c.k > 1 && !math.IsNaN(c.ratio.X) {
			r += " ± " + claim.Decimal(c.ratio.SE, 3)
		}
		tab.Rows = append(tab.Rows,
			[]string{thinLanes()[c.sampler].Title, coordinates[c.coordinate], fmt.Sprint(c.k), fmt.Sprint(t.len / c.k),
				c.ess.Short(4), ess, r, ratio})
	}
	return tab
}

func (t thinPlan) rateTable(lines []rateLine) paper.Table {
	columns := []paper.Column{t.rate.column()}
	fits := []string{"exponent"}
	for k, l := range lines {
		c := rateCurveOf(third, t.rate.lens, thinRates()[k])
		columns = append(columns,
			paper.Column{Head: l.lane.Title, Cell: l.text},
			paper.Column{Head: l.lane.Title + ", exact", Cell: func(i int) string {
				return claim.Significant(c.exact[i].y.X, 3)
			}})
		fits = append(fits, exponent(l.fit), claim.Decimal(slopeOf(c.exact).X, 3))
	}
	tab := paper.TableOf("SGLD with ε_t ∝ t^(-1/3) on N(0, I): mean squared error of the estimate of E θ_i² with "+
		"thinned draws", len(t.rate.lens), columns...)
	tab.Rows = append(tab.Rows, fits)
	tab.Note = "Means ± standard error over the runs. The last row is the exponent b of MSE ∝ T^b, by least " +
		"squares on logarithms."
	return tab
}

func (t thinPlan) figure(cells []thinCell, lines []rateLine) figure.Figure {
	ess := figure.Panel{Title: fmt.Sprintf("effective sample size, ε = %g", thinEps), X: logAxis("thinning k"),
		Y: logAxis("ESS")}
	mse := figure.Panel{Title: "error of E θ²", X: logAxis("thinning k"), Y: logAxis("MSE / MSE(k=1)")}
	rate := figure.Panel{Title: "SGLD, γ = 1/3", X: logAxis("T"), Y: logAxis("MSE")}
	ks := list.Map(ratios(1, 128, 8), math.Round) // the powers of two
	for c, v := range plane.variances {
		like := "SGLD, " + coordinates[c]
		ess.Series = append(ess.Series,
			expected(like+", exact", like, along(ks, func(k float64) float64 { return exactESS(v, t.len, int(k)) })))
		mse.Series = append(mse.Series,
			expected(like+", exact", like,
				along(ks, func(k float64) float64 { return exactThinRatio(v, t.len, int(k)) })))
	}
	for m, l := range thinLanes() {
		for c := range plane.variances {
			var sizes, errors []point
			for _, cell := range cells {
				if cell.sampler == m && cell.coordinate == c {
					sizes = append(sizes, point{float64(cell.k), numberOf(cell.ess), cell.sessions})
					errors = append(errors, point{float64(cell.k), cell.ratio, cell.sessions})
				}
			}
			name := l.Title + ", " + coordinates[c]
			ess.Series = append(ess.Series, measured(name, l.Sampler, figure.Points, sizes))
			mse.Series = append(mse.Series, measured(name, l.Sampler, figure.Points, errors))
		}
	}
	fine := t.rate.fine(30)
	for k, l := range lines {
		rate.Series = append(rate.Series, measured(l.lane.Title, "", figure.Points, l.mse),
			expected(l.lane.Title+", exact", l.lane.Title, rateCurveOf(third, fine, thinRates()[k]).exact))
	}
	return figure.Figure{ID: "theory-thinning", Title: "Thinning: effective sample size and mean squared error",
		Columns: 3, Panels: []figure.Panel{ess, mse, rate}}
}

func (t thinPlan) remarks(cells []thinCell, lines []rateLine) (rep paper.Report) {
	at := func(m, c, k int) thinCell {
		return cells[slices.IndexFunc(cells, func(x thinCell) bool {
			return x.sampler == m && x.coordinate == c && x.k == k
		})]
	}
	// With few draws the estimate is too large on average, since it divides by a noisy τ.
	var worst, few float64
	for _, c := range cells {
		if c.sampler != 0 || c.ess.N < 2 {
			continue
		}
		off := c.ess.Mean/exactESS(plane.variances[c.coordinate], t.len, c.k) - 1
		if t.len/c.k >= thinMany {
			worst = max(worst, math.Abs(off))
		} else {
			few = max(few, off)
		}
	}
	if worst > 0 {
		s := fmt.Sprintf("SGLD's measured effective sizes are the exact (n/k)(1 − a^k)/(1 + a^k), a = 1 − ε/(2σ²), "+
			"within %.1f%% where %s draws or more are kept. They tend to be below, since the estimate of τ is the "+
			"larger of two.", 100*worst, claim.Whole(thinMany))
		if few > 0 {
			s += fmt.Sprintf(" With fewer the estimate is up to %.0f%% too large.", 100*few)
		}
		rep.Say(s)
	}
	for m, l := range thinLanes() {
		for c := range plane.variances {
			one, some, most := at(m, c, 1), at(m, c, 16), at(m, c, 128)
			if one.ess.N < 1 || some.ess.N < 1 || most.ess.N < 1 {
				continue
			}
			tau := float64(t.len) / (2 * one.ess.Mean)
			rep.Say(fmt.Sprintf("%s's %s, τ = %.3g: every 16th draw keeps %.0f%% of the effective size, and its "+
				"mean squared error of E θ² is %s times that of all draws. Every 128th draw keeps %.0f%%, and its "+
				"error is %s times that of all.",
				l.Title, coordinates[c], tau, 100*some.ess.Mean/one.ess.Mean, some.ratio,
				100*most.ess.Mean/one.ess.Mean, most.ratio))
		}
	}
	if one, some := at(0, 1, 1), at(0, 1, 16); one.ess.OK() && some.ess.OK() {
		most := at(0, 1, 128)
		rep.Verdict = fmt.Sprintf("Yes while every k-th draw is kept with k well below 2τ: of SGLD's θ₂, whose τ "+
			"is %.3g, every 16th draw keeps %.0f%% of the effective sample size, and every 128th %.0f%%. With "+
			"decreasing steps the rate is kept, and what thinning loses fades.",
			float64(t.len)/(2*one.ess.Mean), 100*some.ess.Mean/one.ess.Mean, 100*most.ess.Mean/one.ess.Mean)
		rep.Instead = "Section 4.2's \"similar ESS\" ends at k = 2τ, the distance between independent draws. For " +
			"small steps SGLD keeps the share tanh(x)/x of its effective size, with x = k/(2τ). That is 76% at k = " +
			"2τ, and 2τ/k far beyond, where all draws that are kept are independent."
	}
	lens := t.rate.lens
	all := rateCurveOf(third, lens, 1)
	for k, l := range lines {
		if math.IsNaN(l.fit.X) {
			continue
		}
		c := rateCurveOf(third, lens, thinRates()[k])
		s := fmt.Sprintf("With ε_t ∝ t^(-1/3), %s: the mean squared error goes as T^(%s), and in theory as "+
			"T^(%.3f) over these T.", l.lane.Title, exponent(l.fit), slopeOf(c.exact).X)
		if n := len(lens) - 1; k > 0 {
			s += fmt.Sprintf(" In theory it is %s times that of all draws at T = %s and %s times at T = %s: the "+
				"loss fades as 1/ε_t passes k.", claim.Significant(c.exact[0].y.X/all.exact[0].y.X, 3),
				claim.Whole(lens[0]), claim.Significant(c.exact[n].y.X/all.exact[n].y.X, 3), claim.Whole(lens[n]))
		}
		rep.Say(s)
	}
	return rep
}
