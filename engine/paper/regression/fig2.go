package regression

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/study"
)

// fig2a is the paper's figure 2(a): what an effective sample of the slowest
// weight costs.
func fig2a() paper.Experiment {
	return paper.Experiment{
		ID: "fig2a", Title: "Time per minimum effective sample, BLR on Australian credit", Source: "section 5.2, figure 2(a)", Readings: []paper.Reading{paper.Text},
		Protocol: func(o paper.Options) string {
			return creditProtocol(o) + " Iterations decide, not the clock: milliseconds stand beside, as measured on the machine that ran them."
		},
		Jobs: creditJobs,
		Report: func(o paper.Options, outcomes map[string]study.Outcome) paper.Report {
			return reportFig2a(o, paper.SpecIn(outcomes, creditTarget, creditStandIn), paper.ResultsOf(outcomes))
		},
	}
}

// fig2b is the paper's figure 2(b): the error of the weights' posterior means.
func fig2b() paper.Experiment {
	return paper.Experiment{
		ID: "fig2b", Title: "Error of the weights, BLR on Australian credit", Source: "section 5.2, figure 2(b)", Readings: []paper.Reading{paper.Text},
		Protocol: func(o paper.Options) string {
			return creditProtocol(o) + " The error is the root mean square over the weights of posterior mean less truth."
		},
		Jobs: creditJobs,
		Report: func(o paper.Options, outcomes map[string]study.Outcome) paper.Report {
			return reportFig2b(o, paper.SpecIn(outcomes, creditTarget, creditStandIn), paper.ResultsOf(outcomes))
		},
	}
}

func inText(eps float64) bool { return eps >= creditTextMin && eps <= creditTextMax }

// shortInText adds up the runs of a method in the text's range, and those too short.
func shortInText(eps []float64, m []mixing) (runs, short int) {
	for i, e := range eps {
		if inText(e) {
			runs += m[i].runs
			short += m[i].short
		}
	}
	return runs, short
}

// mixesFrom is the smallest ε at which most runs are long enough to tell, NaN for
// none.
func mixesFrom(eps []float64, m []mixing) float64 {
	for i, e := range eps {
		if m[i].mixed() {
			return e
		}
	}
	return math.NaN()
}

func reportFig2a(o paper.Options, spec string, r *paper.Results) paper.Report {
	n := creditPlanOf(o)
	rep := paper.Report{Findings: paper.StandsIn(spec, creditTarget)}
	short, long := map[string][]mixing{}, map[string][]mixing{}
	for _, row := range creditRows {
		for _, eps := range creditEps {
			short[row.Name] = append(short[row.Name], mixingOf(r, spec, n.short(o, row.Sampler, eps)))
		}
		for _, eps := range creditLongEps {
			long[row.Name] = append(long[row.Name], mixingOf(r, spec, n.longer(o, row.Sampler, eps)))
		}
	}
	table := func(title string, eps []float64, of map[string][]mixing) paper.Table {
		t := paper.Table{Title: title, Head: []string{"ε", "in the text"}}
		for _, row := range creditRows {
			t.Head = append(t.Head, row.Name, "ms")
		}
		for i, e := range eps {
			cells := []string{claim.Exactly(e), "no"}
			if inText(e) {
				cells[1] = "yes"
			}
			for _, row := range creditRows {
				cells = append(cells, of[row.Name][i].text(), of[row.Name][i].time())
			}
			t.Rows = append(t.Rows, cells)
		}
		return t
	}
	rep.Tables = []paper.Table{
		table(fmt.Sprintf("Iterations per effective sample of the slowest weight, %d iterations", creditSteps), creditEps, short),
		table(fmt.Sprintf("The same, %d iterations of which a tenth is burn-in", n.longSteps), creditLongEps, long),
	}
	x := figure.Axis{Label: "ε", Log: true, Min: creditEps[0], Max: creditEps[len(creditEps)-1]}
	iterations := figure.Panel{Title: "iterations per minimum effective sample", X: x, Y: figure.Axis{Label: "iterations per effective sample", Log: true}}
	times := figure.Panel{Title: "time per minimum effective sample", X: x, Y: figure.Axis{Label: "ms per effective sample", Log: true}}
	for _, row := range creditRows {
		for _, p := range []struct {
			to   *figure.Panel
			time bool
		}{{&iterations, false}, {&times, true}} {
			for _, s := range []figure.Series{
				mixingSeries(row.Name, creditEps, short[row.Name], p.time), mixingSeries(row.Name+", long", creditLongEps, long[row.Name], p.time),
			} {
				if len(s.X) > 0 { // the legend names what is there
					p.to.Series = append(p.to.Series, s)
				}
			}
		}
	}
	bound := figure.Series{Name: "too short to tell above", Style: figure.Line, Paper: true, X: []float64{creditEps[0], creditEps[len(creditEps)-1]}, Y: []float64{creditSteps / 25, creditSteps / 25}}
	iterations.Series = append(iterations.Series, bound)
	rep.Figures = []figure.Figure{{ID: "fig2a", Title: "Figure 2(a): cost of an effective sample" + paper.InPlace(spec, creditTarget), Columns: 2, Panels: []figure.Panel{times, iterations}}}

	g, p := short[paper.SGLD.Name], short[paper.PSGLD.Name]
	runsG, shortG := shortInText(creditEps, g)
	runsP, shortP := shortInText(creditEps, p)
	if runsG+runsP > 0 {
		rep.Findings = append(rep.Findings, fmt.Sprintf("In the text's range, ε from 1e-7 to 1e-4, %d of %d runs of SGLD and %d of %d of pSGLD are too short: their %d draws are fewer than 50 τ, "+
			"and an effective sample takes more than %s iterations.",
			shortG, runsG, shortP, runsP, creditSteps, claim.Exactly(creditSteps/25)))
		if shortG+shortP > 0 {
			rep.Findings[len(rep.Findings)-1] += " No effective size of such runs is to be trusted. The paper gives one at each of these ε and does not say how it was estimated."
		}
	}
	for _, row := range creditRows {
		from := mixesFrom(creditEps, short[row.Name])
		if math.IsNaN(from) {
			if short[row.Name][0].runs > 0 {
				rep.Findings = append(rep.Findings, fmt.Sprintf("%s does not mix in %d iterations, in that most runs can be measured, at any ε up to %s.", row.Name, creditSteps, claim.Exactly(creditEps[len(creditEps)-1])))
			}
			continue
		}
		text := fmt.Sprintf("%s mixes in %d iterations, in that most runs can be measured, from ε = %s up.", row.Name, creditSteps, claim.Exactly(from))
		if truth, ok := n.truthOf(o, spec, r); ok {
			if e := n.errorsOf(r, spec, truth, n.short(o, row.Sampler, from)); e.width.OK() {
				text += fmt.Sprintf(" Its draws are %s times as wide as the posterior there: what it samples well is another distribution, if that is far from 1.", e.width.Text(2))
			}
		}
		rep.Findings = append(rep.Findings, text)
	}
	for i, e := range creditLongEps {
		a, b := long[paper.SGLD.Name][i], long[paper.PSGLD.Name][i]
		switch {
		case a.mixed() && b.mixed():
			rep.Findings = append(rep.Findings, fmt.Sprintf("At ε = %s long chains take %s iterations per effective sample with SGLD and %s with pSGLD: %s.", claim.Exactly(e), a.text(), b.text(), timesFewer(a.median/b.median)))
		case b.mixed() && a.short > 0 && a.short == a.runs:
			text := fmt.Sprintf("At ε = %s long chains take %s iterations per effective sample with pSGLD, and %s with SGLD", claim.Exactly(e), b.text(), a.text())
			if x := a.bound / b.median; x > 1 {
				text += fmt.Sprintf(": at least %s times fewer", claim.Significant(x, 2))
			}
			rep.Findings = append(rep.Findings, text+".")
		}
	}
	rep.Findings = append(rep.Findings, "An effective size does not see bias: fig2b has the errors of the same runs.")
	rep.Findings = append(rep.Findings, r.Findings()...)
	return rep
}

// timesFewer words the ratio of SGLD's iterations to pSGLD's.
func timesFewer(x float64) string {
	if x < 1 {
		return "about " + claim.Significant(1/x, 2) + " times more"
	}
	return "about " + claim.Significant(x, 2) + " times fewer"
}

// mixingSeries is a line of the figure, with the numbers of its table: the mean and
// its standard error where all runs have a number, the median where most have, and no
// time there, of which the long ones are not known.
func mixingSeries(name string, eps []float64, m []mixing, time bool) figure.Series {
	s := figure.Series{Name: name, Style: figure.Both}
	for i, x := range m {
		all := x.runs > 0 && x.short+x.lost == 0
		switch {
		case !x.mixed() || time && !all:
		case time:
			s.X, s.Y, s.Err = append(s.X, eps[i]), append(s.Y, x.ms.Mean), append(s.Err, x.ms.SE)
		case all:
			s.X, s.Y, s.Err = append(s.X, eps[i]), append(s.Y, x.mean.Mean), append(s.Err, x.mean.SE)
		default:
			s.X, s.Y, s.Err = append(s.X, eps[i]), append(s.Y, x.median), append(s.Err, 0)
		}
	}
	return s
}

// A weightError is how wrong the weights of chains are.
type weightError struct {
	rms   claim.OverSeeds // of each run
	bias  float64         // of the runs' mean
	width claim.OverSeeds // of the draws, as a share of the truth's
}

func (n creditPlan) errorsOf(r *paper.Results, spec string, t creditTruth, chains []creditChain) weightError {
	var lanes []engine.LaneResult
	var ids []string
	for _, c := range chains {
		ids = append(ids, c.id(spec))
		if l, ok := r.Lane(c.id(spec), 0); ok {
			lanes = append(lanes, l)
		}
	}
	return weightError{rms: r.Over(ids, t.error), bias: t.bias(lanes), width: r.Over(ids, t.width)}
}

func reportFig2b(o paper.Options, spec string, r *paper.Results) paper.Report {
	n := creditPlanOf(o)
	rep := paper.Report{Findings: paper.StandsIn(spec, creditTarget)}
	truth, ok := n.truthOf(o, spec, r)
	if !ok {
		rep.Findings = append(rep.Findings, "Without the draws of HMC there is no truth to hold the weights to.")
		rep.Findings = append(rep.Findings, r.Findings()...)
		return rep
	}
	short, long := map[string][]weightError{}, map[string][]weightError{}
	for _, row := range creditRows {
		for _, eps := range creditEps {
			short[row.Name] = append(short[row.Name], n.errorsOf(r, spec, truth, n.short(o, row.Sampler, eps)))
		}
		for _, eps := range creditLongEps {
			long[row.Name] = append(long[row.Name], n.errorsOf(r, spec, truth, n.longer(o, row.Sampler, eps)))
		}
	}
	table := func(title string, eps []float64, of map[string][]weightError) paper.Table {
		t := paper.Table{Title: title, Head: []string{"ε", "in the text"}}
		for _, row := range creditRows {
			t.Head = append(t.Head, row.Name, "of the runs' mean", "width of draws")
		}
		for i, e := range eps {
			cells := []string{claim.Exactly(e), "no"}
			if inText(e) {
				cells[1] = "yes"
			}
			for _, row := range creditRows {
				x := of[row.Name][i]
				cells = append(cells, x.rms.Short(3), claim.Significant(x.bias, 3), x.width.Text(2))
			}
			t.Rows = append(t.Rows, cells)
		}
		return t
	}
	rep.Tables = []paper.Table{
		table(fmt.Sprintf("Error of the weights after %d iterations, mean ± standard error over runs; width is the draws' standard deviation over the truth's, mean of the weights", creditSteps), creditEps, short),
		table(fmt.Sprintf("The same after %d iterations", n.longSteps), creditLongEps, long),
		truthTable(spec, truth),
	}
	panel := figure.Panel{Title: "error of the weights", X: figure.Axis{Label: "ε", Log: true}, Y: figure.Axis{Label: "root mean square error", Log: true}}
	width := figure.Panel{Title: "width of the draws", X: figure.Axis{Label: "ε", Log: true}, Y: figure.Axis{Label: "standard deviation over the truth's", Log: true}}
	for _, row := range creditRows {
		var rms, wide, bias []claim.OverSeeds
		for _, x := range short[row.Name] {
			rms, wide = append(rms, x.rms), append(wide, x.width)
			bias = append(bias, claim.Over([]float64{x.bias}))
		}
		panel.Series = append(panel.Series, paper.SeriesOver(row.Name, figure.Both, creditEps, rms))
		b := paper.SeriesOver(row.Name+", mean of runs", figure.Line, creditEps, bias)
		b.Err = nil
		panel.Series = append(panel.Series, b)
		width.Series = append(width.Series, paper.SeriesOver(row.Name, figure.Both, creditEps, wide))
	}
	width.Series = append(width.Series, figure.Series{Name: "truth", Style: figure.Line, Paper: true, X: []float64{creditEps[0], creditEps[len(creditEps)-1]}, Y: []float64{1, 1}})
	rep.Figures = []figure.Figure{{ID: "fig2b", Title: "Figure 2(b): error of the weights" + paper.InPlace(spec, creditTarget), Columns: 2, Panels: []figure.Panel{panel, width}}}
	lines := map[string]claim.Line{}
	for _, row := range creditRows {
		l := claim.Line{Name: row.Name}
		for i := range creditEps {
			l.Y = append(l.Y, short[row.Name][i].rms)
		}
		lines[row.Name] = l
	}
	g, p := lines[paper.SGLD.Name], lines[paper.PSGLD.Name]
	rep.Findings = append(rep.Findings, claim.Dominance("error of the weights", " of the text's range", inText, creditEps, p, g)...)
	if text := bestOf(g, p, short); text != "" {
		rep.Findings = append(rep.Findings, text)
	}
	for i, e := range creditLongEps {
		if a, b := long[paper.SGLD.Name][i], long[paper.PSGLD.Name][i]; a.rms.OK() && b.rms.OK() && (e == creditTextMax || i == len(creditLongEps)-1) {
			rep.Findings = append(rep.Findings, fmt.Sprintf("Long chains at ε = %s have errors of %s (SGLD) and %s (pSGLD), and draws %s and %s times as wide as the posterior; a width above 1 is bias, of the noise of minibatches of %d, which grows with ε and G, of the step itself and, of pSGLD, of leaving Γ out.",
				claim.Exactly(e), a.rms.Short(3), b.rms.Short(3), a.width.Text(2), b.width.Text(2), creditBatch))
		}
	}
	rep.Findings = append(rep.Findings, truthFinding(spec, truth))
	rep.Findings = append(rep.Findings, r.Findings()...)
	return rep
}

// bestOf compares both methods where each is at its best.
func bestOf(g, p claim.Line, of map[string][]weightError) string {
	best := func(l claim.Line) int {
		at := -1
		for i, e := range l.Y {
			if e.OK() && (at < 0 || e.Mean < l.Y[at].Mean) {
				at = i
			}
		}
		return at
	}
	i, j := best(g), best(p)
	if i < 0 || j < 0 {
		return ""
	}
	a, b := g.Y[i], p.Y[j]
	which := "pSGLD's is the lower"
	switch d := b.Mean - a.Mean; {
	case math.Abs(d) <= 2*math.Hypot(a.SE, b.SE):
		which = "a tie"
	case d > 0:
		which = "SGLD's is the lower"
	}
	return fmt.Sprintf("Each at its best ε, SGLD's error is %s (ε = %s) and pSGLD's %s (ε = %s): %s. Their draws are %s and %s times as wide as the posterior there.",
		a.Short(3), claim.Exactly(creditEps[i]), b.Short(3), claim.Exactly(creditEps[j]), which, of[g.Name][i].width.Text(2), of[p.Name][j].width.Text(2))
}

// creditReference is the posterior mean and standard deviation of another
// program's chain of 30,000 draws of HMC, good to 0.01 to 0.03 (PAPER §5).
func creditReference() (mean, sd []float64) {
	return []float64{-0.196, 0.000, 0.006, -0.187, 0.384, 0.757, 0.083, 0.267, 1.747, 0.163, 0.682, -0.150, 0.153, -0.350, 2.664},
		[]float64{0.183, 0.131, 0.141, 0.136, 0.134, 0.155, 0.150, 0.166, 0.156, 0.173, 0.287, 0.132, 0.128, 0.148, 0.857}
}

func truthTable(spec string, t creditTruth) paper.Table {
	tab := paper.Table{Title: "The truth: posterior mean and standard deviation by HMC", Head: []string{"weight", "mean ± standard error", "sd"}}
	mean, sd := creditReference()
	compared := spec == creditTarget && len(mean) == len(t.mean)
	if compared {
		tab.Head = append(tab.Head, "reference mean", "sd")
	}
	for i, m := range t.mean {
		row := []string{t.names[i], claim.Decimal(m, 4) + " ± " + claim.Decimal(t.se[i], 4), claim.Decimal(t.sd[i], 3)}
		if compared {
			row = append(row, claim.Decimal(mean[i], 3), claim.Decimal(sd[i], 3))
		}
		tab.Rows = append(tab.Rows, row)
	}
	return tab
}

func truthFinding(spec string, t creditTruth) string {
	se, at := 0.0, 0
	for i := range t.se {
		if t.se[i] >= se {
			se, at = t.se[i], i
		}
	}
	text := fmt.Sprintf("The truth's largest standard error, over the chains of HMC, is %s (%s).", claim.Significant(se, 2), t.names[at])
	mean, _ := creditReference()
	if spec != creditTarget || len(mean) != len(t.mean) {
		return text
	}
	far, which := 0.0, 0
	for i, m := range mean {
		if d := math.Abs(m - t.mean[i]); d >= far {
			far, which = d, i
		}
	}
	return text + fmt.Sprintf(" An independent program's HMC differs from it by at most %s (%s), and is itself good to 0.01 to 0.03.", claim.Significant(far, 2), t.names[which])
}
