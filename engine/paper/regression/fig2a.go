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
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// fig2a is the paper's figure 2(a): what an effective sample of the slowest weight costs.
var fig2a = paper.Experiment{
	ID:       "fig2a",
	Title:    "Time per minimum effective sample, BLR on Australian credit",
	Source:   "section 5.2, figure 2(a)",
	Readings: []paper.Reading{paper.Text},
	Question: "Does pSGLD take fewer iterations, and less time, than SGLD for an effective sample of the slowest weight?",
	Protocol: fig2Protocol, Jobs: jobs(australian, fig2Runs), Report: reportFig2a,
}

// A mixing is the number of iterations, and the time, for each effective sample of the slowest weight, over runs.
type mixing struct {
	runs   int // that there are
	short  int // of them too short to tell
	lost   int // of them without a number for another reason
	median float64
	bound  float64         // what too short ones are above
	mean   claim.OverSeeds // of the others
	ms     claim.OverSeeds // milliseconds
}

// mixingOf measures the mixing of runs. A run of n draws is too short if n < 150 τ; it then
// takes 2τ > n/75 iterations for each effective sample. Since that is a lower bound, the
// median is known if fewer than half of the runs are too short. seconds are those of an iteration.
func mixingOf(r *paper.Results, runs paper.Runs, seconds float64) mixing {
	m := mixing{median: math.NaN(),
		bound: (float64(runs.Steps) - runs.Lanes[0].Values[sampler.KeyBurnIn]) / (metrics.TrustedTimes / 2)}
	var iterations, ms, known []float64
	for _, id := range runs.IDs() {
		l, ok := r.Lane(id, 0)
		if !ok && l.Diverged == nil {
			continue
		}
		m.runs++
		minESS, per := l.Values[quantity.MinESS], iterationsPer(l)
		// A results file from before reasons were kept has none: Unknown, as good as always of a short run.
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
			ms = append(ms, 1000*seconds*per)
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

// iteration is the time that an iteration of a method takes, in seconds: the least over all of its runs, since other
// work on the machine makes some runs many times longer. It is the same at every ε. It is NaN without a run.
func (f fig2) iteration(r *paper.Results, l paper.Entry) float64 {
	least := math.NaN()
	for _, eps := range fig2LongEps {
		for _, x := range r.Lanes(f.long(l, eps)) {
			if s := 1 / float64(x.StepsPerSecond); x.Steps > 0 && !(s >= least) {
				least = s
			}
		}
	}
	return least
}

// mixed reports whether most of the runs are long enough.
func (m mixing) mixed() bool { return !math.IsNaN(m.median) }

// text is the number of iterations: the mean if all runs have one, the median if most have, and else the bound.
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
	return fmt.Sprintf("> %s (all %d too short)", claim.Significant(m.bound, 3), m.short)
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
	seconds := map[string]float64{}
	for _, l := range fig2Lanes {
		seconds[l.Sampler] = f.iteration(r, l)
	}
	short, long := gridsOf(f, func(runs paper.Runs) mixing { return mixingOf(r, runs, seconds[runs.Lanes[0].Sampler]) })
	table := func(title string, g grid[mixing]) paper.Table {
		return alike(g.table(title, func(all []mixing) []paper.Column {
			return []paper.Column{paper.ColumnOf(all, "", mixing.text), paper.ColumnOf(all, "ms", mixing.time)}
		}))
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
				// the legend names what is there
				if s := paper.SeriesOver(g.name, l.Sampler, figure.Both, g.eps, y, g.runs[k]); len(s.X) > 0 {
					p.Series = append(p.Series, s)
				}
			}
		}
		return p
	}
	times := panel("time against ε", "ms per effective sample", true)
	iterations := panel("iterations against ε", "iterations per effective sample", false)
	iterations.Series = append(iterations.Series, figure.Series{
		Name:  fmt.Sprintf("%s iterations cannot tell more", claim.Whole(fig2Steps)),
		Style: figure.Line,
		Paper: true,
		X:     []float64{least, most},
		Y:     []float64{fig2Told, fig2Told},
	})
	rep := paper.Report{
		Tables: []paper.Table{
			table(fmt.Sprintf("Iterations per effective sample of the slowest weight, in runs of %s iterations",
				claim.Whole(fig2Steps)), short),
			table(fmt.Sprintf("The same in runs of %s iterations, of which a tenth is burn-in",
				claim.Whole(f.longSteps)), long),
		},
		Figures: []figure.Figure{{ID: "fig2a",
			Title: "Figure 2(a): cost of an effective sample" + paper.InPlace(spec, australian), Columns: 3,
			Panels: []figure.Panel{times, iterations, f.equalBiasPanel(r)}}},
	}
	rep.Tables[0].Note = fmt.Sprintf("A run of n draws is too short to tell its autocorrelation time τ if n < %d "+
		"τ. All that is known of it is that an effective sample takes 2τ > n/%d iterations. ms are milliseconds "+
		"per effective sample: the iterations times the least time of an iteration in the method's long runs, on "+
		"the machine that ran them.",
		metrics.TrustedTimes, metrics.TrustedTimes/2)
	rep.Tables[1].Note = "Means ± standard error over the runs. \"> x in k of n\" is where k of n runs are too short."
	equal := f.equalBiases(r)
	if len(equal) > 0 {
		rep.Tables = append(rep.Tables, equalBiasTable(equal))
	}
	rep.Verdict, rep.Instead = fig2aVerdict(f, short, equal), equalBiasSaid(equal)
	rep.Say(paper.StandsIn(spec, australian))
	for k, l := range fig2Lanes {
		from := slices.IndexFunc(short.of[k], mixing.mixed)
		switch {
		case from >= 0:
			text := fmt.Sprintf("%s: from ε = %s up most runs of %s iterations are long enough.", l.Title,
				claim.Shown(fig2Eps[from]), claim.Whole(fig2Steps))
			if truth, ok := f.posterior(r); ok {
				if e := truth.errorOf(r, f.short(l, fig2Eps[from])); e.width.OK() {
					text += fmt.Sprintf(" Their draws are %s times as wide as the posterior there.", e.width.Text(2))
				}
			}
			rep.Say(text)
		case short.of[k][0].runs > 0:
			rep.Say(fmt.Sprintf("%s: most runs of %s iterations are too short at every ε up to %s.", l.Title,
				claim.Whole(fig2Steps), claim.Shown(most)))
		}
	}
	for i, e := range fig2LongEps {
		a, b := long.of[0][i], long.of[1][i]
		switch at := slices.IndexFunc(equal, func(x equalBias) bool { return x.eps == e }); {
		case at >= 0:
			said := fmt.Sprintf("At ε = %s long chains take %s iterations per effective sample with SGLD and %s "+
				"with pSGLD, %s times fewer seed by seed.", claim.Shown(e), a.text(), b.text(), equal[at].same.Short(2))
			if a.ms.OK() && b.ms.OK() {
				said += fmt.Sprintf(" They take %s ms and %s ms.", a.time(), b.time())
			}
			rep.Say(said)
		case b.mixed() && a.short > 0 && a.short == a.runs:
			if x := a.bound / b.median; x > 1 {
				rep.Say(fmt.Sprintf("At ε = %s long chains take %s iterations per effective sample with pSGLD. "+
					"That is at least %s times fewer than with SGLD, whose %d runs are too short.", claim.Shown(e),
					b.text(), claim.Significant(x, 2), a.runs))
			}
		}
	}
	if a, b := seconds[fig2Lanes[0].Sampler], seconds[fig2Lanes[1].Sampler]; a > 0 && b > 0 {
		rep.Say(fmt.Sprintf("An iteration takes %s µs with SGLD and %s µs with pSGLD, the least times of the long runs.",
			claim.Significant(1e6*a, 2), claim.Significant(1e6*b, 2)))
	}
	rep.Say("An effective size does not see bias: fig2b has the errors of the same runs.")
	return rep
}

// alike is a table with one row for neighbours that differ in their first cell alone: its first
// cell is then from the first to the last.
func alike(t paper.Table) paper.Table {
	var rows [][]string
	for _, r := range t.Rows {
		if n := len(rows); n > 0 && slices.Equal(rows[n-1][1:], r[1:]) {
			first, _, _ := strings.Cut(rows[n-1][0], " to ")
			rows[n-1] = append([]string{first + " to " + r[0]}, r[1:]...)
			continue
		}
		rows = append(rows, r)
	}
	t.Rows = rows
	return t
}

// fig2Told is the number of iterations for an effective sample above which a short chain cannot tell it.
const fig2Told = 2 * fig2Steps / float64(metrics.TrustedTimes)

// fig2aVerdict says what the text's runs tell, and what long ones do.
func fig2aVerdict(f fig2, short grid[mixing], equal []equalBias) string {
	runs, few := 0, 0
	for _, of := range short.of {
		for i, e := range short.eps {
			if inText(e) {
				runs, few = runs+of[i].runs, few+of[i].short
			}
		}
	}
	said := ""
	switch {
	case runs > 0 && few == runs:
		said = fmt.Sprintf("Runs as short as the paper's cannot tell: all %d of %s iterations at the text's ε are "+
			"too short. ", runs, claim.Whole(fig2Steps))
	case runs > 0:
		said = fmt.Sprintf("Of %d runs of %s iterations at the text's ε %d are too short to tell. ", runs,
			claim.Whole(fig2Steps), few)
	}
	if len(equal) == 0 {
		return strings.TrimSpace(said)
	}
	var same, times []claim.OverSeeds
	for _, e := range equal {
		if times = append(times, e.times); e.same.OK() {
			same = append(same, e.same)
		}
	}
	said += fmt.Sprintf("In runs of %s pSGLD takes %s times fewer iterations per effective sample at equal bias",
		claim.Whole(f.longSteps), fromTo(times))
	if same == nil {
		return said + "."
	}
	return said + fmt.Sprintf(", and %s times fewer at equal ε.", fromTo(same))
}
