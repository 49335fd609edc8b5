package regression

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// fig3 is the paper's figure 3: the learning curves of table 1.
var fig3 = paper.Experiment{
	ID:       "fig3",
	Title:    "Learning curves, BLR on a9a",
	Source:   "section 5.2, figure 3",
	Readings: []paper.Reading{paper.Authors, paper.Text},
	Question: "Does pSGLD converge in less than 4,000 iterations, and does SGLD take at least twice as many?",
	Protocol: a9aProtocol, Jobs: jobs(a9aTarget, a9aRuns), Report: reportFig3,
}

// A learning is a row's curve over its seeds: test error in percent.
type learning struct {
	steps []float64
	err   []claim.OverSeeds // at each step
	seeds [][]float64       // by seed, at each step
}

// learningOf puts the curves of a row's seeds together. Seeds that diverged are left out.
func learningOf(r *paper.Results, runs paper.Runs) learning {
	var l learning
	for _, id := range runs.IDs() {
		if _, ok := r.Lane(id, 0); !ok {
			continue
		}
		c, ok := r.Curve(id)
		if !ok || len(c.TestError) == 0 {
			continue
		}
		if l.steps == nil {
			l.steps = list.Map(c.Step, func(s uint64) float64 { return float64(s) })
		}
		if len(c.TestError) != len(l.steps) {
			r.Miss("of another length than the first", id)
			continue
		}
		l.seeds = append(l.seeds, list.Map(c.TestError, func(x engine.Num) float64 { return 100 * float64(x) }))
	}
	for i := range l.steps {
		l.err = append(l.err, claim.Over(list.Map(l.seeds, func(s []float64) float64 { return s[i] })))
	}
	return l
}

// at is the error at a step, or at the last point before it.
func (l learning) at(step float64) claim.OverSeeds {
	e := claim.OverSeeds{Mean: math.NaN()}
	for i, s := range l.steps {
		if s <= step {
			e = l.err[i]
		}
	}
	return e
}

// settled is the step from which a curve stays within so many points of its end.
func (l learning) settled(points float64) claim.OverSeeds {
	var steps []float64
	for _, seed := range l.seeds {
		end := seed[len(seed)-1]
		i := len(seed)
		for i > 0 && math.Abs(seed[i-1]-end) <= points {
			i--
		}
		if i == len(seed) { // its end is no number
			steps = append(steps, math.NaN())
			continue
		}
		steps = append(steps, l.steps[i])
	}
	return claim.Over(steps)
}

// reaches is the first step at which the error is at most the target. A seed that does not reach it is lost.
func (l learning) reaches(target float64) claim.OverSeeds {
	var steps []float64
	for _, seed := range l.seeds {
		at := math.NaN()
		for i, x := range seed {
			if x <= target {
				at = l.steps[i]
				break
			}
		}
		steps = append(steps, at)
	}
	return claim.Over(steps)
}

func reportFig3(o paper.Options, r *paper.Results) paper.Report {
	spec := r.Target(a9aTarget)
	panel := figure.Panel{Title: "test error of the averaged prediction", X: figure.Axis{Label: "iterations"},
		Y: figure.Axis{Label: "test error, %"}}
	if spec == a9aTarget {
		panel.Y.Min, panel.Y.Max = 14.6, 16.2
	}
	t := paper.Table{
		Title: "Test error, %, after so many iterations, and the iteration from which it is settled",
		Head:  []string{"method", "1,000", "2,000", "4,000", "8,000", "15,000"},
		Note: "Means ± standard error over the seeds. An error is settled to 0.28 points from the iteration from " +
			"which it stays within 0.28 points of its end. That is the binomial standard error of the test set. " +
			"0.1 points are about as much as averaged predictions vary. The variational methods predict by their " +
			"newest q, which does not settle to 0.1. The first draw that counts is at iteration 550.",
	}
	t.Head = append(t.Head, list.Map(a9aSettled[:], func(points float64) string {
		return fmt.Sprintf("settled to %g", points)
	})...)
	of := map[string]learning{}
	for _, row := range a9aRows(o.Reading) {
		l := learningOf(r, row.runs(o, spec))
		of[row.Title] = l
		errors := list.Map([]float64{1000, 2000, 4000, 8000, a9aSteps},
			func(step float64) string { return l.at(step).Text(2) })
		settled := list.Map(a9aSettled[:], func(points float64) string { return l.settled(points).Text(0) })
		t.Rows = append(t.Rows, slices.Concat([]string{row.Title}, errors, settled))
		if len(l.seeds) > 0 {
			s := paper.SeriesOver(row.Title, row.Sampler, figure.Line, l.steps, l.err, nil)
			s.Sessions = [][]string{row.runs(o, spec).IDs()}
			s.Err = nil // hundreds would hide the curves; the table has them
			panel.Series = append(panel.Series, s)
		}
	}
	rep := paper.Report{
		Tables: []paper.Table{t},
		Figures: []figure.Figure{{ID: "fig3",
			Title: "Figure 3: learning curves, BLR on a9a" + paper.InPlace(spec, a9aTarget), Columns: 1,
			Panels: []figure.Panel{panel}}},
	}
	rep.Verdict = paper.StandsIn(spec, a9aTarget)
	suffixes := []string{""}
	if o.Reading == paper.Text { // its ε by the letter has a number of SGLD alone
		suffixes = append(suffixes, " ("+paper.AsStep+")")
	}
	for _, suffix := range suffixes {
		a, b := "pSGLD"+suffix, "SGLD"+suffix
		switch answer, said := convergence(a, b, of[a], of[b]); {
		case said == "":
		case spec == a9aTarget:
			if rep.Verdict = answer + ". " + said; answer == claim.Depends {
				rep.Verdict = answer + " on what is called converged. " + said
			}
		default:
			rep.Say(said)
		}
	}
	return rep
}

// convergence tests the paper's claim that pSGLD converges in less than 4,000 iterations
// and that SGLD takes at least twice as long. The paper does not say what converged means,
// so said has numbers for each tolerance of a9aSettled. answer is what they come to.
func convergence(a, b string, p, g learning) (answer, said string) {
	if len(p.seeds) == 0 || len(g.seeds) == 0 {
		return "", ""
	}
	end := p.err[len(p.err)-1]
	if !end.OK() {
		return "", ""
	}
	var under, double []int
	for _, points := range a9aSettled {
		settled := p.settled(points)
		if !settled.OK() {
			return "", ""
		}
		under = append(under, claim.Sign(a9aClaim-settled.Mean, settled.SE))
		said += fmt.Sprintf(" %s stays within %g points of its end from iteration %s on. %s", a, points,
			iteration(settled), b)
		if reached := g.reaches(end.Mean + points); reached.N <= reached.Lost {
			double = append(double, 1)
			said += fmt.Sprintf(" does not come as low in %s with most seeds.", claim.Whole(a9aSteps))
		} else {
			double = append(double, claim.Sign(reached.Mean-2*settled.Mean, libm.Hypot(reached.SE, 2*settled.SE)))
			said += fmt.Sprintf(" first comes as low at %s, %.1f times as late.", iteration(reached),
				reached.Mean/settled.Mean)
		}
	}
	return claim.Agreed(append(under, double...)), strings.TrimSpace(said)
}

// iteration is a number of iterations over the seeds.
func iteration(s claim.OverSeeds) string {
	text := claim.Whole(math.Round(s.Mean))
	if s.N > 1 && s.SE > 0 {
		text += " ± " + claim.Whole(math.Round(s.SE))
	}
	return text
}
