package regression

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/list"
)

// fig2a is the paper's figure 2(a): what an effective sample of the slowest
// weight costs.
var fig2a = paper.Experiment{
	ID: "fig2a", Title: "Time per minimum effective sample, BLR on Australian credit", Source: "section 5.2, figure 2(a)", Readings: []paper.Reading{paper.Text},
	Question: "Does pSGLD take fewer iterations, and less time, than SGLD for an effective sample of the slowest weight?",
	Protocol: func(o paper.Options) string {
		return fig2Protocol(o) + " Iterations decide, not the clock: milliseconds stand beside, as measured on the machine that ran them."
	},
	Jobs: jobs(australian, fig2Runs), Report: reportFig2a,
}

// A mixing is the number of iterations, and the time, for each effective sample of the
// slowest weight, over runs.
type mixing struct {
	runs   int // that there are
	short  int // of them too short to tell
	lost   int // of them without a number for another reason
	median float64
	bound  float64         // what too short ones are above
	mean   claim.OverSeeds // of the others
	ms     claim.OverSeeds // milliseconds, measured where the runs were made
}

// mixingOf measures the mixing of runs. A run of n draws is too short if n < 150 τ; it then
// takes 2τ > n/75 iterations for each effective sample. Since that is a lower bound, the
// median is known if fewer than half of the runs are too short.
func mixingOf(r *paper.Results, runs paper.Runs) mixing {
	m := mixing{median: math.NaN(), bound: (float64(runs.Steps) - runs.Lanes[0].Values[sampler.KeyBurnIn]) / (metrics.TrustedTimes / 2)}
	var iterations, ms, known []float64
	for _, id := range runs.IDs() {
		l, ok := r.Lane(id, 0)
		if !ok && l.Diverged == nil {
			continue
		}
		m.runs++
		minESS, per := l.Values[quantity.MinESS], iterationsPer(l)
		// A results file from before reasons were kept has none: Unknown, as good as always of
		// a short run.
		short := minESS.Status == metrics.TooShort || minESS.Status == metrics.Unknown
		switch {
		case ok && short:
			m.short++
			iterations = append(iterations, math.Inf(1))
		case !ok || math.IsNaN(per):
			m.lost++
			iterations = append(iterations, math.Inf(1))
		default:
			iterations, known = append(iterations, per), append(known, per)
			ms = append(ms, 1000*l.Seconds/float64(l.Steps)*per)
		}
	}
	m.mean, m.ms = claim.Over(known), claim.Over(ms)
	if len(iterations) > 0 {
		slices.Sort(iterations)
		if k := len(iterations); !math.IsInf(iterations[k/2], 1) {
			m.median = (iterations[k/2] + iterations[(k-1)/2]) / 2
		}
	}
	return m
}

// mixed reports whether most of the runs are long enough.
func (m mixing) mixed() bool { return !math.IsNaN(m.median) }

// text is the number of iterations: the mean if all runs have one, the median if most
// have, and else the bound.
func (m mixing) text() string {
	switch {
	case m.runs == 0:
		return claim.NoNumber
	case m.short+m.lost == 0:
		return m.mean.Short(3)
	case m.mixed():
		return fmt.Sprintf("median %s (%s)", claim.Significant(m.median, 3), m.without())
	case m.short == 0:
		return fmt.Sprintf("%s (%s)", claim.NoNumber, m.without())
	case m.short < m.runs:
		return fmt.Sprintf("> %s in %d of %d", claim.Significant(m.bound, 3), m.short, m.runs)
	}
	return fmt.Sprintf("> %s (%s)", claim.Significant(m.bound, 3), m.without())
}

func (m mixing) without() string {
	var parts []string
	if m.short > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d too short", m.short, m.runs))
	}
	if m.lost > 0 {
		parts = append(parts, fmt.Sprintf("%d lost", m.lost))
	}
	return strings.Join(parts, ", ")
}

// time is the milliseconds for each effective sample, if all runs have them.
func (m mixing) time() string {
	if m.runs == 0 || m.short+m.lost > 0 {
		return claim.NoNumber
	}
	return m.ms.Short(2)
}

// cost is a point of the figure. Of iterations it has the number that text writes; of time
// it has none unless all runs have one.
func (m mixing) cost(time bool) claim.OverSeeds {
	all := m.runs > 0 && m.short+m.lost == 0
	switch {
	case !m.mixed() || time && !all:
		return claim.Over(nil)
	case time:
		return m.ms
	case all:
		return m.mean
	}
	return claim.OverSeeds{Mean: m.median, N: 1}
}

func reportFig2a(o paper.Options, r *paper.Results) paper.Report {
	spec := r.Target(australian)
	f := fig2Of(o, spec)
	short, long := gridsOf(f, func(runs paper.Runs) mixing { return mixingOf(r, runs) })
	table := func(title string, g grid[mixing]) paper.Table {
		return g.table(title, gridColumn[mixing]{"", mixing.text}, gridColumn[mixing]{"ms", mixing.time})
	}
	least, most := fig2Eps[0], fig2Eps[len(fig2Eps)-1]
	x := figure.Axis{Label: "ε", Log: true, Min: least, Max: most}
	panel := func(title, label string, time bool) figure.Panel {
		p := figure.Panel{Title: title, X: x, Y: figure.Axis{Label: label, Log: true}}
		for k, l := range fig2Lanes {
			for _, g := range []struct {
				name string
				grid[mixing]
			}{{l.Title, short}, {l.Title + ", long", long}} {
				y := list.Map(g.of[k], func(m mixing) claim.OverSeeds { return m.cost(time) })
				if s := paper.SeriesOver(g.name, l.Sampler, figure.Both, g.eps, y); len(s.X) > 0 { // the legend names what is there
					p.Series = append(p.Series, s)
				}
			}
		}
		return p
	}
	times := panel("time against ε", "ms per effective sample", true)
	iterations := panel("iterations against ε", "iterations per effective sample", false)
	iterations.Series = append(iterations.Series, figure.Series{
		Name: "too short to tell above", Style: figure.Line, Paper: true, X: []float64{least, most}, Y: []float64{fig2Told, fig2Told},
	})
	rep := paper.Report{
		Tables: []paper.Table{
			table(fmt.Sprintf("Iterations per effective sample of the slowest weight, %d iterations", fig2Steps), short),
			table(fmt.Sprintf("The same, %d iterations of which a tenth is burn-in", f.longSteps), long),
		},
		Figures: []figure.Figure{{ID: "fig2a", Title: "Figure 2(a): cost of an effective sample" + paper.InPlace(spec, australian), Columns: 3, Panels: []figure.Panel{times, iterations, f.equalBiasPanel(r)}}},
	}
	equal := f.equalBiases(r)
	if len(equal) > 0 {
		rep.Tables = append(rep.Tables, equalBiasTable(equal))
	}
	rep.Verdict = strings.TrimSpace(shortInText(short) + " " + equalBiasSaid(equal))
	rep.Say(paper.StandsIn(spec, australian))
	for k, l := range fig2Lanes {
		from := slices.IndexFunc(short.of[k], mixing.mixed)
		switch {
		case from >= 0:
			text := fmt.Sprintf("Of %s most runs of %d iterations are long enough to tell from ε = %s up.", l.Title, fig2Steps, claim.Exactly(fig2Eps[from]))
			if truth, ok := f.posterior(r); ok {
				if e := truth.errorOf(r, f.short(l, fig2Eps[from])); e.width.OK() {
					text += fmt.Sprintf(" Its draws are %s times as wide as the posterior there. If that is far from 1, what it samples well is another distribution.", e.width.Text(2))
				}
			}
			rep.Say(text)
		case short.of[k][0].runs > 0:
			rep.Say(fmt.Sprintf("Of %s most runs of %d iterations are too short to tell at every ε up to %s.", l.Title, fig2Steps, claim.Exactly(most)))
		}
	}
	for i, e := range fig2LongEps {
		a, b := long.of[0][i], long.of[1][i]
		switch {
		case a.mixed() && b.mixed():
			rep.Say(fmt.Sprintf("At ε = %s long chains take %s iterations per effective sample with SGLD and %s with pSGLD, %s.", claim.Exactly(e), a.text(), b.text(), timesFewer(a.median/b.median)))
		case b.mixed() && a.short > 0 && a.short == a.runs:
			if x := a.bound / b.median; x > 1 {
				rep.Say(fmt.Sprintf("At ε = %s long chains take %s iterations per effective sample with pSGLD, at least %s times fewer than with SGLD, whose %d runs are too short to tell.", claim.Exactly(e), b.text(), claim.Significant(x, 2), a.runs))
			}
		}
	}
	rep.Say("An effective size does not see bias: fig2b has the errors of the same runs.")
	return rep
}

// fig2Told is the number of iterations for an effective sample above which a short chain
// cannot tell it.
const fig2Told = 2 * fig2Steps / float64(metrics.TrustedTimes)

// shortInText says how many runs in the text's range are too short.
func shortInText(g grid[mixing]) string {
	var runs, short [2]int
	for k, of := range g.of {
		for i, e := range g.eps {
			if inText(e) {
				runs[k] += of[i].runs
				short[k] += of[i].short
			}
		}
	}
	if runs[0]+runs[1] == 0 {
		return ""
	}
	text := fmt.Sprintf("In the text's range, ε from 1e-7 to 1e-4, %d of %d runs of SGLD and %d of %d of pSGLD are too short: their %d draws are fewer than %d τ.",
		short[0], runs[0], short[1], runs[1], fig2Steps, metrics.TrustedTimes)
	if short[0]+short[1] > 0 {
		text += fmt.Sprintf(" Of such runs one can say that an effective sample takes more than %s iterations, and no more. The paper gives a number at each of these ε and does not say how it was estimated.",
			claim.Significant(fig2Told, 3))
	}
	return text
}

// timesFewer writes the ratio of SGLD's iterations to pSGLD's.
func timesFewer(x float64) string {
	if x < 1 {
		return "about " + claim.Significant(1/x, 2) + " times more"
	}
	return "about " + claim.Significant(x, 2) + " times fewer"
}
