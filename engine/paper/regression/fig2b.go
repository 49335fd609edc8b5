package regression

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// fig2b is the paper's figure 2(b): the error of the weights' posterior means.
var fig2b = paper.Experiment{
	ID:       "fig2b",
	Title:    "Error of the weights, BLR on Australian credit",
	Source:   "section 5.2, figure 2(b)",
	Readings: []paper.Reading{paper.Text},
	Question: "Is pSGLD's error of the weights lower than SGLD's after as many iterations?",
	Protocol: fig2Protocol, Jobs: jobs(australian, fig2Runs), Report: reportFig2b,
}

func reportFig2b(o paper.Options, r *paper.Results) paper.Report {
	spec := r.Target(australian)
	f := fig2Of(o, spec)
	var rep paper.Report
	rep.Say(paper.StandsIn(spec, australian))
	truth, ok := f.posterior(r)
	if !ok {
		rep.Say("Without the draws of HMC there is no truth to hold the weights to.")
		return rep
	}
	short, long := gridsOf(f, func(runs paper.Runs) weightError { return truth.errorOf(r, runs) })
	table := func(title string, g grid[weightError]) paper.Table {
		return g.table(title, func(all []weightError) []paper.Column {
			return []paper.Column{
				paper.ColumnOf(all, "", func(x weightError) string { return x.rms.Short(3) }),
				paper.ColumnOf(all, "mean of runs", func(x weightError) string { return claim.Significant(x.bias, 3) }),
				paper.ColumnOf(all, "width", func(x weightError) string { return x.width.Text(2) }),
			}
		})
	}
	reference, _ := fig2Reference()
	compared := spec == australian && len(reference) == len(truth.mean)
	rep.Tables = []paper.Table{
		table(fmt.Sprintf("Error of the weights after %s iterations", claim.Whole(fig2Steps)), short),
		table(fmt.Sprintf("The same after %s iterations", claim.Whole(f.longSteps)), long),
		truth.table(compared),
	}
	rep.Tables[0].Note = "The error is the root mean square over the weights of a run's mean less the truth, mean " +
		"± standard error over the runs. Mean of runs is the error of the mean of all runs, in which noise " +
		"averages out and bias stays. " +
		"Width is the draws' standard deviation over the truth's, mean of the weights. A width above 1 is bias. " +
		"Below 1 the run is too short to have spread out."
	panel := figure.Panel{Title: "error of the weights", X: figure.Axis{Label: "ε", Log: true},
		Y: figure.Axis{Label: "root mean square error", Log: true}}
	width := figure.Panel{Title: "width of the draws", X: figure.Axis{Label: "ε", Log: true},
		Y: figure.Axis{Label: "standard deviation over the truth's", Log: true}}
	var lines [2]claim.Line
	for k, l := range fig2Lanes {
		rms := list.Map(short.of[k], func(x weightError) claim.OverSeeds { return x.rms })
		wide := list.Map(short.of[k], func(x weightError) claim.OverSeeds { return x.width })
		bias := list.Map(short.of[k], func(x weightError) claim.OverSeeds { return claim.Over([]float64{x.bias}) })
		lines[k] = claim.Line{Name: l.Title, Y: rms}
		mean := paper.SeriesOver(l.Title+", mean of runs", l.Sampler, figure.Line, fig2Eps, bias, short.runs[k])
		mean.Err = nil
		panel.Series = append(panel.Series,
			paper.SeriesOver(l.Title, l.Sampler, figure.Both, fig2Eps, rms, short.runs[k]), mean)
		width.Series = append(width.Series,
			paper.SeriesOver(l.Title, l.Sampler, figure.Both, fig2Eps, wide, short.runs[k]))
	}
	width.Series = append(width.Series,
		figure.Series{Name: "truth", Style: figure.Line, Paper: true, X: []float64{fig2Eps[0], fig2Eps[len(fig2Eps)-1]},
			Y: []float64{1, 1}})
	rep.Figures = []figure.Figure{{ID: "fig2b",
		Title: "Figure 2(b): error of the weights" + paper.InPlace(spec, australian), Columns: 2,
		Panels: []figure.Panel{panel, width}}}
	order := claim.OrderOf("error of the weights", inText, fig2Eps, lines[1], lines[0])
	if order.Claimed > 0 {
		answer := "Yes"
		if order.Holds < order.Claimed {
			answer = "Not everywhere"
		}
		rep.Verdict = fmt.Sprintf("%s after the text's %s iterations: pSGLD's error of the weights is lower than "+
			"SGLD's at %s ε of the text's range.", answer, claim.Whole(fig2Steps), order.Share())
		at := func(k int) claim.Line {
			return claim.Line{Name: fig2Lanes[k].Title,
				Y: list.Map(long.of[k], func(x weightError) claim.OverSeeds { return x.rms })}
		}
		if later := claim.OrderOf("", inText, fig2LongEps, at(1), at(0)); later.Claimed > 0 {
			rep.Verdict += fmt.Sprintf(" After %s it is lower at %s.", claim.Whole(f.longSteps), later.Share())
		}
		rep.Instead = bestOf(short)
	}
	rep.Say(order.String())
	for i, e := range fig2LongEps {
		a, b := long.of[0][i], long.of[1][i]
		if a.rms.OK() && b.rms.OK() && (e == fig2TextMax || i == len(fig2LongEps)-1) {
			rep.Say(fmt.Sprintf("Long chains at ε = %s have errors of %s (SGLD) and %s (pSGLD). Their draws are %s "+
				"and %s times as wide as the posterior.",
				claim.Shown(e), a.rms.Short(3), b.rms.Short(3), a.width.Text(2), b.width.Text(2)))
		}
	}
	rep.Say(fmt.Sprintf("Three things can make the draws too wide: the noise of minibatches of %d and the length "+
		"of the step, which grow with ε and G, and with pSGLD a V that follows the gradient (theory-gamma). These "+
		"runs do not tell one from another.", fig2Batch), truth.remark(compared))
	return rep
}

// bestOf compares both methods where each is at its best.
func bestOf(g grid[weightError]) string {
	rms := func(x weightError) float64 { return x.rms.Mean }
	i, j := claim.Least(g.of[0], rms), claim.Least(g.of[1], rms)
	if i < 0 || j < 0 {
		return ""
	}
	a, b := g.of[0][i], g.of[1][j]
	which := map[int]string{-1: "pSGLD's is the lower one", 0: "that is a tie",
		1: "SGLD's is the lower one"}[claim.Sign(b.rms.Mean-a.rms.Mean, libm.Hypot(a.rms.SE, b.rms.SE))]
	return fmt.Sprintf("The same ε is a longer step with pSGLD, so that the two are to be compared each at its "+
		"best ε. There SGLD's error is %s (ε = %s) and pSGLD's %s (ε = %s): %s. Their draws are %s and %s times as "+
		"wide as the posterior.",
		a.rms.Short(3), claim.Shown(g.eps[i]), b.rms.Short(3), claim.Shown(g.eps[j]), which, a.width.Text(2),
		b.width.Text(2))
}

// fig2Reference is the posterior mean and standard deviation of another
// program's chain of 30,000 draws of HMC, good to 0.01 to 0.03 (PAPER §5).
func fig2Reference() (mean, sd []float64) {
	return []float64{-0.196, 0.000, 0.006, -0.187, 0.384, 0.757, 0.083, 0.267, 1.747, 0.163, 0.682, -0.150, 0.153,
			-0.350, 2.664},
		[]float64{0.183, 0.131, 0.141, 0.136, 0.134, 0.155, 0.150, 0.166, 0.156, 0.173, 0.287, 0.132, 0.128,
			0.148, 0.857}
}

// table lists the truth, beside the reference where it is compared.
func (t posterior) table(compared bool) paper.Table {
	columns := []paper.Column{
		{Head: "weight", Cell: func(i int) string { return t.names[i] }},
		{Head: "mean ± standard error", Cell: func(i int) string {
			return claim.Decimal(t.mean[i], 4) + " ± " + claim.Decimal(t.se[i], 4)
		}},
		{Head: "sd", Cell: func(i int) string { return claim.Decimal(t.sd[i], 3) }},
	}
	if compared {
		mean, sd := fig2Reference()
		columns = append(columns,
			paper.Column{Head: "another program's mean", Cell: func(i int) string { return claim.Decimal(mean[i], 3) }},
			paper.Column{Head: "its sd", Cell: func(i int) string { return claim.Decimal(sd[i], 3) }})
	}
	tab := paper.TableOf("The truth: posterior mean and standard deviation (sd) of each weight by HMC", len(t.mean),
		columns...)
	tab.Note = "Features are standardised, and an intercept is added. ± is the standard error over the chains of HMC."
	return tab
}

// remark says how good the truth is.
func (t posterior) remark(compared bool) string {
	at := claim.Least(t.se, func(se float64) float64 { return -se })
	text := fmt.Sprintf("The largest standard error of the truth is %s (%s).", claim.Significant(t.se[at], 2),
		t.names[at])
	mean, _ := fig2Reference()
	if !compared {
		return text
	}
	far, which := 0.0, 0
	for i, m := range mean {
		if d := math.Abs(m - t.mean[i]); d >= far {
			far, which = d, i
		}
	}
	return text + fmt.Sprintf(" Another program's HMC, good to 0.01 to 0.03, differs from it by at most %s (%s).",
		claim.Significant(far, 2), t.names[which])
}
