// Package function compares methods on networks that one can see, by the functions that they find.
package function

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Experiments has the one of the package, which is not the paper's.
func Experiments() []paper.Experiment {
	return []paper.Experiment{{
		ID: "see", Title: "Methods on networks that one can see", Source: "not of the paper",
		Question: "Which methods find the function of a small network, and which the band about it?",
		Readings: []paper.Reading{paper.Text},
		Protocol: func(o paper.Options) string { return planOf(o).protocol() },
		Jobs:     paper.JobsOf(func(o paper.Options) []paper.Runs { return planOf(o).runs() }),
		Report:   func(o paper.Options, r *paper.Results) paper.Report { return planOf(o).report(r) },
	}}
}

// A method has a row of the table, with what is to be said of its band.
type method struct {
	paper.Entry
	why string
}

// methods are compared. What a method's band is by itself, and not by its step, is said of it.
var methods = []method{
	{paper.Entry{Title: "HMC", Sampler: "hmc"}, "on all data, without bias"},
	{paper.SGLD, ""},
	{paper.PSGLD, "without Γ"},
	{paper.Entry{Title: "pSGLD with Γ", Sampler: "psgld", Values: paper.Values{"gamma": 1}}, ""},
	{paper.Entry{Title: "SGHMC", Sampler: "sghmc"}, ""},
	{paper.Entry{Title: "SGNHT", Sampler: "sgnht"}, ""},
	{paper.Entry{Title: "cSGLD", Sampler: "csgld"}, "cycles of 100,000 steps, the first half of each without draws"},
	{paper.Entry{Title: "dropout", Sampler: "sgd-dropout"},
		"one point, and no band; half of its few units are dropped"},
	{paper.Entry{Title: "distilled pSGLD", Sampler: "distill:psgld"}, "the student is one point, and has no band"},
	{paper.Entry{Title: "BBB", Sampler: "bbb"}, "q is normal about one mode, without correlations"},
	{paper.Entry{Title: "MAP", Sampler: "sgd"}, "one point, and no band"},
	{paper.Entry{Title: "ensemble of 5", Sampler: "ensemble"},
		"nothing spreads its members as the posterior does"},
}

// seeTargets have the rows of a table each.
var seeTargets = []string{"regress", "classify"}

type plan struct {
	o     paper.Options
	steps uint64
}

func planOf(o paper.Options) plan {
	if o.Scale == paper.Full {
		return plan{o, 1_000_000}
	}
	return plan{o, 200_000}
}

// stepsOf are fewer where a step takes many gradients.
func (p plan) stepsOf(m method) uint64 {
	if m.Sampler == "hmc" {
		return p.steps / 50
	}
	return p.steps
}

func (p plan) at(target string, m method) paper.Runs {
	l := m.Entry
	if m.Sampler == "hmc" {
		l = l.With(paper.Values{"burn-in": 1000, "thin": 1})
	}
	return paper.Runs{Name: fmt.Sprintf("see %s %s %s", target, m.Title, p.o.Scale), Target: target,
		Lanes: []paper.Entry{l}, Steps: p.stepsOf(m), Seed: p.o.Seed, N: p.o.RepeatsOr(3, 3)}
}

func (p plan) runs() []paper.Runs {
	return list.Flat(seeTargets, func(target string) []paper.Runs {
		return list.Map(methods, func(m method) paper.Runs { return p.at(target, m) })
	})
}

func (p plan) protocol() string {
	return fmt.Sprintf("Each method at its default settings, %s steps (HMC %s), with minibatches but for HMC, %d "+
		"seeds. Errors are against long HMC chains, on a grid of inputs.", claim.Whole(p.steps), claim.Whole(p.steps/50),
		p.o.RepeatsOr(3, 3))
}

func value(id quantity.ID) func(engine.LaneResult) float64 {
	return func(l engine.LaneResult) float64 { return l.Values[id].Trusted() }
}

func (p plan) report(r *paper.Results) (rep paper.Report) {
	best, least := []string{}, 0.0
	for _, target := range seeTargets {
		t := paper.Table{Title: target, Head: []string{"method", "fn_error", "of the mean", "of the band", "coverage",
			"NLL held out", "gradients", "remark"},
			Note: "Means over the seeds ± standard error. fn_error is the larger of the two errors, parts of the truth's " +
				"own band. Coverage is of the 90% band, or of the least set of classes with 90%, on held-out data. A " +
				"gradient is of a minibatch, but of HMC of all data. — is a number that cannot be trusted."}
		for _, m := range methods {
			runs := p.at(target, m)
			number := func(of func(engine.LaneResult) float64) string { return r.Over(runs, of).Text(3) }
			nll := quantity.FnNLL
			if target != seeTargets[0] {
				nll = quantity.NLL
			}
			gradients := func(l engine.LaneResult) float64 { return float64(l.Gradients) }
			why := m.why
			for _, l := range r.Lanes(runs) {
				if e := l.Values[quantity.FnError]; !e.OK() {
					why = strings.TrimPrefix(why+"; of a seed the error is withheld: "+e.Status.String(), "; ")
					break
				}
			}
			error := r.Over(runs, value(quantity.FnError))
			if error.OK() && target == seeTargets[0] && (len(best) == 0 || error.Mean < least) {
				best, least = []string{m.Title}, error.Mean
			}
			t.Rows = append(t.Rows, []string{m.Title, number(value(quantity.FnError)), number(value(quantity.FnMeanError)),
				number(value(quantity.FnBandError)), number(value(quantity.Coverage)), number(value(nll)),
				claim.Decimal(r.Over(runs, gradients).Mean, 0), cmp.Or(why, claim.NoNumber)})
		}
		rep.Tables = append(rep.Tables, t)
	}
	if len(best) > 0 {
		rep.Verdict = fmt.Sprintf("On regress %s has the least error, %s of the truth's band.", best[0],
			claim.Significant(least, 2))
	}
	return rep
}
