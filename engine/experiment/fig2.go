package experiment

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine"
)

// fig2a is the paper's figure 2(a): what an effective sample of the slowest
// weight costs.
func fig2a() Experiment {
	return Experiment{
		ID: "fig2a", Title: "Time per minimum effective sample, BLR on Australian credit", Source: "section 5.2, figure 2(a)", Readings: []Reading{Paper},
		Protocol: func(o Options) string {
			return creditProtocol(o) + " Iterations decide, not the clock: milliseconds stand beside, as measured on the machine that ran them."
		},
		Jobs: creditJobs,
		Report: func(o Options, outcomes map[string]Outcome) Report {
			return reportFig2a(o, specIn(outcomes, creditTarget, creditStandIn), resultsOf(outcomes))
		},
	}
}

// fig2b is the paper's figure 2(b): the error of the weights' posterior means.
func fig2b() Experiment {
	return Experiment{
		ID: "fig2b", Title: "Error of the weights, BLR on Australian credit", Source: "section 5.2, figure 2(b)", Readings: []Reading{Paper},
		Protocol: func(o Options) string {
			return creditProtocol(o) + " The error is the root mean square over the weights of posterior mean less truth."
		},
		Jobs: creditJobs,
		Report: func(o Options, outcomes map[string]Outcome) Report {
			return reportFig2b(o, specIn(outcomes, creditTarget, creditStandIn), resultsOf(outcomes))
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

func reportFig2a(o Options, spec string, r *results) Report {
	n := creditPlanOf(o)
	rep := Report{Findings: standsIn(spec, creditTarget)}
	short, long := map[string][]mixing{}, map[string][]mixing{}
	for _, row := range creditRows {
		for _, eps := range creditEps {
			short[row.name] = append(short[row.name], mixingOf(r, spec, n.short(o, row.sampler, eps)))
		}
		for _, eps := range creditLongEps {
			long[row.name] = append(long[row.name], mixingOf(r, spec, n.longer(o, row.sampler, eps)))
		}
	}
	table := func(title string, eps []float64, of map[string][]mixing) Table {
		t := Table{Title: title, Head: []string{"ε", "in the text"}}
		for _, row := range creditRows {
			t.Head = append(t.Head, row.name, "ms")
		}
		for i, e := range eps {
			cells := []string{exactly(e), "no"}
			if inText(e) {
				cells[1] = "yes"
			}
			for _, row := range creditRows {
				cells = append(cells, of[row.name][i].text(), of[row.name][i].time())
			}
			t.Rows = append(t.Rows, cells)
		}
		return t
	}
	rep.Tables = []Table{
		table(fmt.Sprintf("Iterations per effective sample of the slowest weight, %d iterations", creditSteps), creditEps, short),
		table(fmt.Sprintf("The same, %d iterations of which a tenth is burn-in", n.longSteps), creditLongEps, long),
	}
	x := AxisOf{Label: "ε", Log: true, Min: creditEps[0], Max: creditEps[len(creditEps)-1]}
	iterations := Panel{Title: "iterations per minimum effective sample", X: x, Y: AxisOf{Label: "iterations per effective sample", Log: true}}
	times := Panel{Title: "time per minimum effective sample", X: x, Y: AxisOf{Label: "ms per effective sample", Log: true}}
	for _, row := range creditRows {
		for _, p := range []struct {
			to   *Panel
			time bool
		}{{&iterations, false}, {&times, true}} {
			for _, s := range []Series{
				mixingSeries(row.name, creditEps, short[row.name], p.time), mixingSeries(row.name+", long", creditLongEps, long[row.name], p.time),
			} {
				if len(s.X) > 0 { // the legend names what is there
					p.to.Series = append(p.to.Series, s)
				}
			}
		}
	}
	bound := Series{Name: "too short to tell above", Style: Line, Paper: true, X: []float64{creditEps[0], creditEps[len(creditEps)-1]}, Y: []float64{creditSteps / 25, creditSteps / 25}}
	iterations.Series = append(iterations.Series, bound)
	rep.Figures = []Figure{{ID: "fig2a", Title: "Figure 2(a): cost of an effective sample" + inPlace(spec, creditTarget), Columns: 2, Panels: []Panel{times, iterations}}}

	g, p := short[planeSGLD.name], short[planePSGLD.name]
	runsG, shortG := shortInText(creditEps, g)
	runsP, shortP := shortInText(creditEps, p)
	if runsG+runsP > 0 {
		rep.Findings = append(rep.Findings, fmt.Sprintf("In the text's range, ε from 1e-7 to 1e-4, %d of %d runs of SGLD and %d of %d of pSGLD are too short: their %d draws are fewer than 50 τ, "+
			"and an effective sample takes more than %s iterations.",
			shortG, runsG, shortP, runsP, creditSteps, exactly(creditSteps/25)))
		if shortG+shortP > 0 {
			rep.Findings[len(rep.Findings)-1] += " No effective size of such runs is to be trusted. The paper gives one at each of these ε and does not say how it was estimated."
		}
	}
	for _, row := range creditRows {
		from := mixesFrom(creditEps, short[row.name])
		if math.IsNaN(from) {
			if short[row.name][0].runs > 0 {
				rep.Findings = append(rep.Findings, fmt.Sprintf("%s does not mix in %d iterations, in that most runs can be measured, at any ε up to %s.", row.name, creditSteps, exactly(creditEps[len(creditEps)-1])))
			}
			continue
		}
		text := fmt.Sprintf("%s mixes in %d iterations, in that most runs can be measured, from ε = %s up.", row.name, creditSteps, exactly(from))
		if truth, ok := n.truthOf(o, spec, r); ok {
			if e := n.errorsOf(r, spec, truth, n.short(o, row.sampler, from)); e.width.OK() {
				text += fmt.Sprintf(" Its draws are %s times as wide as the posterior there: what it samples well is another distribution, if that is far from 1.", e.width.text(2))
			}
		}
		rep.Findings = append(rep.Findings, text)
	}
	for i, e := range creditLongEps {
		a, b := long[planeSGLD.name][i], long[planePSGLD.name][i]
		switch {
		case a.mixed() && b.mixed():
			rep.Findings = append(rep.Findings, fmt.Sprintf("At ε = %s long chains take %s iterations per effective sample with SGLD and %s with pSGLD: %s.", exactly(e), a.text(), b.text(), timesFewer(a.median/b.median)))
		case b.mixed() && a.short > 0 && a.short == a.runs:
			text := fmt.Sprintf("At ε = %s long chains take %s iterations per effective sample with pSGLD, and %s with SGLD", exactly(e), b.text(), a.text())
			if x := a.bound / b.median; x > 1 {
				text += fmt.Sprintf(": at least %s times fewer", significant(x, 2))
			}
			rep.Findings = append(rep.Findings, text+".")
		}
	}
	rep.Findings = append(rep.Findings, "An effective size does not see bias: fig2b has the errors of the same runs.")
	rep.Findings = append(rep.Findings, r.findings()...)
	return rep
}

// timesFewer words the ratio of SGLD's iterations to pSGLD's.
func timesFewer(x float64) string {
	if x < 1 {
		return "about " + significant(1/x, 2) + " times more"
	}
	return "about " + significant(x, 2) + " times fewer"
}

// mixingSeries is a line of the figure, with the numbers of its table: the mean and
// its standard error where all runs have a number, the median where most have, and no
// time there, of which the long ones are not known.
func mixingSeries(name string, eps []float64, m []mixing, time bool) Series {
	s := Series{Name: name, Style: Both}
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
	rms   overSeeds // of each run
	bias  float64   // of the runs' mean
	width overSeeds // of the draws, as a share of the truth's
}

func (n creditPlan) errorsOf(r *results, spec string, t creditTruth, chains []creditChain) weightError {
	var lanes []engine.LaneResult
	var ids []string
	for _, c := range chains {
		ids = append(ids, c.id(spec))
		if l, ok := r.lane(c.id(spec), 0); ok {
			lanes = append(lanes, l)
		}
	}
	return weightError{rms: r.over(ids, t.error), bias: t.bias(lanes), width: r.over(ids, t.width)}
}

func reportFig2b(o Options, spec string, r *results) Report {
	n := creditPlanOf(o)
	rep := Report{Findings: standsIn(spec, creditTarget)}
	truth, ok := n.truthOf(o, spec, r)
	if !ok {
		rep.Findings = append(rep.Findings, "Without the draws of HMC there is no truth to hold the weights to.")
		rep.Findings = append(rep.Findings, r.findings()...)
		return rep
	}
	short, long := map[string][]weightError{}, map[string][]weightError{}
	for _, row := range creditRows {
		for _, eps := range creditEps {
			short[row.name] = append(short[row.name], n.errorsOf(r, spec, truth, n.short(o, row.sampler, eps)))
		}
		for _, eps := range creditLongEps {
			long[row.name] = append(long[row.name], n.errorsOf(r, spec, truth, n.longer(o, row.sampler, eps)))
		}
	}
	table := func(title string, eps []float64, of map[string][]weightError) Table {
		t := Table{Title: title, Head: []string{"ε", "in the text"}}
		for _, row := range creditRows {
			t.Head = append(t.Head, row.name, "of the runs' mean", "width of draws")
		}
		for i, e := range eps {
			cells := []string{exactly(e), "no"}
			if inText(e) {
				cells[1] = "yes"
			}
			for _, row := range creditRows {
				x := of[row.name][i]
				cells = append(cells, x.rms.short(3), significant(x.bias, 3), x.width.text(2))
			}
			t.Rows = append(t.Rows, cells)
		}
		return t
	}
	rep.Tables = []Table{
		table(fmt.Sprintf("Error of the weights after %d iterations, mean ± standard error over runs; width is the draws' standard deviation over the truth's, mean of the weights", creditSteps), creditEps, short),
		table(fmt.Sprintf("The same after %d iterations", n.longSteps), creditLongEps, long),
		truthTable(spec, truth),
	}
	panel := Panel{Title: "error of the weights", X: AxisOf{Label: "ε", Log: true}, Y: AxisOf{Label: "root mean square error", Log: true}}
	width := Panel{Title: "width of the draws", X: AxisOf{Label: "ε", Log: true}, Y: AxisOf{Label: "standard deviation over the truth's", Log: true}}
	for _, row := range creditRows {
		var rms, wide, bias []overSeeds
		for _, x := range short[row.name] {
			rms, wide = append(rms, x.rms), append(wide, x.width)
			bias = append(bias, over([]float64{x.bias}))
		}
		panel.Series = append(panel.Series, seriesOver(row.name, Both, creditEps, rms))
		b := seriesOver(row.name+", mean of runs", Line, creditEps, bias)
		b.Err = nil
		panel.Series = append(panel.Series, b)
		width.Series = append(width.Series, seriesOver(row.name, Both, creditEps, wide))
	}
	width.Series = append(width.Series, Series{Name: "truth", Style: Line, Paper: true, X: []float64{creditEps[0], creditEps[len(creditEps)-1]}, Y: []float64{1, 1}})
	rep.Figures = []Figure{{ID: "fig2b", Title: "Figure 2(b): error of the weights" + inPlace(spec, creditTarget), Columns: 2, Panels: []Panel{panel, width}}}
	lines := map[string]line{}
	for _, row := range creditRows {
		l := line{name: row.name}
		for i := range creditEps {
			l.y = append(l.y, short[row.name][i].rms)
		}
		lines[row.name] = l
	}
	g, p := lines[planeSGLD.name], lines[planePSGLD.name]
	rep.Findings = append(rep.Findings, dominance("error of the weights", " of the text's range", inText, creditEps, p, g)...)
	if text := bestOf(g, p, short); text != "" {
		rep.Findings = append(rep.Findings, text)
	}
	for i, e := range creditLongEps {
		if a, b := long[planeSGLD.name][i], long[planePSGLD.name][i]; a.rms.OK() && b.rms.OK() && (e == creditTextMax || i == len(creditLongEps)-1) {
			rep.Findings = append(rep.Findings, fmt.Sprintf("Long chains at ε = %s have errors of %s (SGLD) and %s (pSGLD), and draws %s and %s times as wide as the posterior; a width above 1 is bias, of the noise of minibatches of %d, which grows with ε and G, of the step itself and, of pSGLD, of leaving Γ out.",
				exactly(e), a.rms.short(3), b.rms.short(3), a.width.text(2), b.width.text(2), creditBatch))
		}
	}
	rep.Findings = append(rep.Findings, truthFinding(spec, truth))
	rep.Findings = append(rep.Findings, r.findings()...)
	return rep
}

// bestOf compares both methods where each is at its best.
func bestOf(g, p line, of map[string][]weightError) string {
	best := func(l line) int {
		at := -1
		for i, e := range l.y {
			if e.OK() && (at < 0 || e.Mean < l.y[at].Mean) {
				at = i
			}
		}
		return at
	}
	i, j := best(g), best(p)
	if i < 0 || j < 0 {
		return ""
	}
	a, b := g.y[i], p.y[j]
	which := "pSGLD's is the lower"
	switch d := b.Mean - a.Mean; {
	case math.Abs(d) <= 2*math.Hypot(a.SE, b.SE):
		which = "a tie"
	case d > 0:
		which = "SGLD's is the lower"
	}
	return fmt.Sprintf("Each at its best ε, SGLD's error is %s (ε = %s) and pSGLD's %s (ε = %s): %s. Their draws are %s and %s times as wide as the posterior there.",
		a.short(3), exactly(creditEps[i]), b.short(3), exactly(creditEps[j]), which, of[g.name][i].width.text(2), of[p.name][j].width.text(2))
}

// creditReference is the posterior mean and standard deviation of another
// program's chain of 30,000 draws of HMC, good to 0.01 to 0.03 (PAPER §5).
func creditReference() (mean, sd []float64) {
	return []float64{-0.196, 0.000, 0.006, -0.187, 0.384, 0.757, 0.083, 0.267, 1.747, 0.163, 0.682, -0.150, 0.153, -0.350, 2.664},
		[]float64{0.183, 0.131, 0.141, 0.136, 0.134, 0.155, 0.150, 0.166, 0.156, 0.173, 0.287, 0.132, 0.128, 0.148, 0.857}
}

func truthTable(spec string, t creditTruth) Table {
	tab := Table{Title: "The truth: posterior mean and standard deviation by HMC", Head: []string{"weight", "mean ± standard error", "sd"}}
	mean, sd := creditReference()
	compared := spec == creditTarget && len(mean) == len(t.mean)
	if compared {
		tab.Head = append(tab.Head, "reference mean", "sd")
	}
	for i, m := range t.mean {
		row := []string{t.names[i], decimal(m, 4) + " ± " + decimal(t.se[i], 4), decimal(t.sd[i], 3)}
		if compared {
			row = append(row, decimal(mean[i], 3), decimal(sd[i], 3))
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
	text := fmt.Sprintf("The truth's largest standard error, over the chains of HMC, is %s (%s).", significant(se, 2), t.names[at])
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
	return text + fmt.Sprintf(" An independent program's HMC differs from it by at most %s (%s), and is itself good to 0.01 to 0.03.", significant(far, 2), t.names[which])
}
