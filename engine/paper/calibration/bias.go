// Package calibration holds what the program estimates to known truths, over settings drawn at random.
package calibration

import (
	"fmt"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Experiments lists them.
func Experiments() []paper.Experiment {
	return []paper.Experiment{{
		ID:       "bias",
		Title:    "Calibration of the estimated bias of the step size",
		Source:   "not in the paper: --bias against known biases",
		Readings: []paper.Reading{paper.Text},
		Question: "Do the 95% intervals of --bias cover a known bias in 95% of cases, and how many are given?",
		Protocol: func(o paper.Options) string { return biasOf(o).protocol() },
		Jobs:     func(o paper.Options) ([]study.Job, error) { return biasOf(o).jobs() },
		Report:   func(o paper.Options, r *paper.Results) paper.Report { return biasOf(o).report(r) },
	}, {
		ID:       "coverage",
		Title:    "Coverage of the standard errors",
		Source:   "not in the paper: each ± that the program shows",
		Readings: []paper.Reading{paper.Text},
		Question: "Does each quantity lie within 1.96 of its standard errors of its mean in 95% of runs, and how " +
			"often is it shown and wrong?",
		Protocol: func(o paper.Options) string { return coverageOf(o).protocol() },
		Jobs:     paper.JobsOf(func(o paper.Options) []paper.Runs { return coverageOf(o).runs() }),
		Report:   func(o paper.Options, r *paper.Results) paper.Report { return coverageOf(o).report(r) },
	}}
}

func (b bias) protocol() string {
	z := b.size
	return fmt.Sprintf("%d settings at random: Gaussians, bananas, %s and %s, SGLD and pSGLD in turn, ε widening "+
		"the narrowest variance by %g to %g to first order. Estimates are of one run of %s steps (on data %s to "+
		"%s). Truths are exact, or of %d other runs and HMC. σ² = %d, T = 1, batches of %d or more by subset.",
		len(b.settings), synthetic, australian, leastWidening, mostWidening, claim.Whole(z.density),
		claim.Whole(z.least), claim.Whole(z.most), runs, priorVar, leastBatch)
}

// jobs are the sessions, without those whose data are not here.
func (b bias) jobs() (all []study.Job, err error) {
	for _, r := range b.sessions() {
		jobs, err := paper.Jobs(b.o.Targets, []paper.Runs{r})
		if err != nil && !study.Absent(err) {
			return nil, err
		}
		all = append(all, jobs...)
	}
	return all, nil
}

func (b bias) report(r *paper.Results) paper.Report {
	var rep paper.Report
	posteriors := map[string]moments{}
	var all []outcome
	for _, s := range b.settings {
		if !r.Planned(b.estimate(s).IDs()[0]) {
			continue
		}
		if _, known := posteriors[s.target.spec]; !known && s.batch > 0 {
			posteriors[s.target.spec] = momentsOf(r, b.hmc(s.target.spec))
		}
		all = append(all, b.outcome(r, s, posteriors[s.target.spec]))
	}
	if left := len(b.settings) - len(all); left > 0 {
		rep.Say(fmt.Sprintf("The data of %s were not found. Settings left out: %d.", australian, left))
	}
	rep.Tables = []paper.Table{summaries(all), each(all)}
	rep.Figures = []figure.Figure{b.figureOf(all)}
	mean, variance := summaryOf(all, ofMean), summaryOf(all, ofVariance)
	if mean.covered.OK() && variance.covered.OK() {
		answer := "Yes"
		for _, x := range []claim.OverSeeds{mean.covered, variance.covered} {
			if x.Mean < 0.95-2*x.SE {
				answer = "No"
			}
		}
		rep.Verdict = answer +
			fmt.Sprintf(": of the nominal 95%% intervals %s%% cover the bias of the mean and %s%% that of the "+
				"variance. On average a setting gives %s%% and %s%% of its intervals: where a chain is too short, "+
				"none is.",
				percent(mean.covered), percent(variance.covered), percent(mean.told), percent(variance.told))
	}
	for k, what := range kinds {
		if s := summaryOf(all, k); s.sharp > 0 {
			rep.Say(fmt.Sprintf("The true bias of the %s is known to half of the estimate's standard error or "+
				"better for %[3]d intervals. Of these %[2]d cover it.", what, s.sharplyCovered, s.sharp))
		}
	}
	rep.Say(untold(all))
	return rep
}

// groups are the outcomes of each family and method, in the families' order, then all.
func groups(all []outcome) (names [][2]string, of [][]outcome) {
	for _, f := range families {
		for _, l := range []paper.Entry{paper.SGLD, paper.PSGLD} {
			its := slices.DeleteFunc(slices.Clone(all), func(o outcome) bool {
				return o.setting.family != f.name || o.setting.lane.Sampler != l.Sampler
			})
			if len(its) > 0 {
				names, of = append(names, [2]string{f.name, l.Title}), append(of, its)
			}
		}
	}
	return append(names, [2]string{"all", "both"}), append(of, all)
}

// summaries is the table of how well the estimate does.
func summaries(all []outcome) paper.Table {
	t := paper.Table{
		Title: "How many intervals are given, and how many of these cover the true bias",
		Head: []string{"target", "method", "bias of", "settings", "given, %", "of these covering, %",
			"covering a sharp truth", "true bias, absolute", "error", "its standard error", "that of the true bias"},
		Note: "Each coordinate's mean and variance has an interval: the estimate ± 1.96 √(SE² + SE² of the true " +
			"bias). Shares are means over the settings ± standard error, in which each setting weighs the same. A " +
			"truth is sharp if its standard error is below half of the estimate's. " +
			"The last four columns are medians over coordinates, of a mean in standard deviations of the target " +
			"and of a variance relative to the target's.",
	}
	names, of := groups(all)
	for g, its := range of {
		for k, what := range kinds {
			s := summaryOf(its, k)
			t.Rows = append(t.Rows, []string{
				names[g][0], names[g][1], what, fmt.Sprint(len(its)), percent(s.told), percent(s.covered),
				fmt.Sprintf("%d of %d", s.sharplyCovered, s.sharp),
				claim.Significant(s.bias, 2), claim.Significant(s.err, 2), claim.Significant(s.se, 2),
				claim.Significant(s.truthSE, 2),
			})
		}
	}
	return t
}

// percent writes a share.
func percent(x claim.OverSeeds) string {
	if !x.OK() {
		return claim.NoNumber
	}
	x.Lost = 0
	return x.Times(100).Text(1)
}

// each is the table of all settings.
func each(all []outcome) paper.Table {
	t := paper.Table{
		Title: "Each setting",
		Head: []string{"no.", "target", "method", "ε", "batch", "mean: given", "mean: covering", "mean: farthest",
			"variance: given", "variance: covering", "variance: farthest"},
		Note: "There is an interval for each coordinate. Given counts those that are given, covering those of them " +
			"that cover the true bias. Farthest is the error farthest from 0, in standard errors of estimate and " +
			"truth together.",
	}
	for _, o := range all {
		batch := claim.NoNumber
		if o.setting.batch > 0 {
			batch = fmt.Sprintf("%d of %d", o.setting.batch, o.setting.target.n)
		}
		row := []string{fmt.Sprint(o.setting.i + 1), o.setting.target.spec, o.setting.lane.Title,
			claim.Exactly(o.setting.eps()), batch}
		for k := range kinds {
			told, judged, covered, far := o.count(k)
			row = append(row, fmt.Sprintf("%d of %d", told, len(o.of[k])), fmt.Sprintf("%d of %d", covered, judged),
				claim.Decimal(far, 1))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// figureOf shows the estimates against the true biases, of the narrowest coordinate of each
// setting, and how all errors are distributed.
func (b bias) figureOf(all []outcome) figure.Figure {
	f := figure.Figure{ID: "bias", Title: "The estimated bias of the step size against the true one", Columns: 3}
	for k, title := range [len(kinds)]string{ofMean: "mean, in standard deviations", ofVariance: "variance, relative"} {
		f.Panels = append(f.Panels, b.scatter(all, k, title))
	}
	f.Panels = append(f.Panels, standardised(all))
	return f
}

// scatter has a point for each setting whose narrowest coordinate has an interval, of the run that
// estimates and those that the truth is of. The axes hold all true biases.
func (b bias) scatter(all []outcome, kind int, title string) figure.Panel {
	p := figure.Panel{Title: title, X: figure.Axis{Label: "true bias"},
		Y: figure.Axis{Label: "estimate ± standard error of both"}}
	lo, hi := 0.0, 0.0
	for _, l := range []paper.Entry{paper.SGLD, paper.PSGLD} {
		s := figure.Series{Name: l.Title, Of: l.Sampler, Style: figure.Points}
		for _, o := range all {
			if o.setting.lane.Sampler != l.Sampler || len(o.of[kind]) == 0 {
				continue
			}
			if v := o.of[kind][o.narrowest]; v.judged() {
				s.X, s.Y, s.Err = append(s.X, v.truth.X), append(s.Y, v.told.X),
					append(s.Err, libm.Hypot(v.told.SE, v.truth.SE))
				s.Sessions = append(s.Sessions, b.sessionsOf(o.setting))
				lo, hi = min(lo, v.truth.X), max(hi, v.truth.X)
			}
		}
		p.Series = append(p.Series, s)
	}
	margin := 0.1 * (hi - lo)
	lo, hi = lo-margin, hi+margin
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = lo, hi, lo, hi
	p.Series = append(p.Series,
		figure.Series{Name: "estimate = truth", Style: figure.Line, Paper: true, X: []float64{lo, hi},
			Y: []float64{lo, hi}})
	return p
}

// standardised is the histogram of the standardised errors, each setting weighing the same, beside
// the standard normal density. Errors beyond ±4 are in the last bins.
func standardised(all []outcome) figure.Panel {
	const limit, bins = 4.0, 16
	width := 2 * limit / bins
	p := figure.Panel{Title: "standardised errors", X: figure.Axis{Label: "(estimate - true bias)/standard error"},
		Y: figure.Axis{Label: "density"}}
	edges := list.Map(list.Upto(bins+1), func(i int) float64 { return -limit + width*float64(i) })
	for k, what := range kinds {
		density, settings := make([]float64, bins), 0.0
		for _, o := range all {
			_, judged, _, _ := o.count(k)
			if judged == 0 {
				continue
			}
			settings++
			for _, v := range o.of[k] {
				if v.judged() {
					at := int((min(max(v.z(), -limit), limit) + limit) / width)
					density[min(at, bins-1)] += 1 / (float64(judged) * width)
				}
			}
		}
		for i := range density {
			density[i] /= max(settings, 1)
		}
		p.Series = append(p.Series, figure.Series{Name: what, Style: figure.Steps, X: edges, Y: density})
	}
	normal := figure.Series{Name: "standard normal", Style: figure.Line, Paper: true}
	for i := range 81 {
		x := -limit + float64(i)/10
		normal.X, normal.Y = append(normal.X, x), append(normal.Y, libm.Exp(-x*x/2)/math.Sqrt(2*math.Pi))
	}
	p.Series = append(p.Series, normal)
	return p
}
