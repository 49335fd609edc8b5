// Package regression has the experiments of section 5.2: Bayesian logistic regression.
package regression

import (
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/study"
)

// Experiments lists them in the paper's order.
func Experiments() []paper.Experiment { return []paper.Experiment{fig2a, fig2b, table1, fig3} }

// standIn is sampled where data are absent.
const standIn = "blr:synthetic"

// jobs are sessions on a target, or on the one that stands in for it.
func jobs(wanted string, runs func(o paper.Options,
	spec string) []paper.Runs) func(paper.Options) ([]study.Job, error) {
	return func(o paper.Options) ([]study.Job, error) {
		all, err := paper.Jobs(o.Targets, runs(o, wanted))
		if err != nil && study.Absent(err) {
			return paper.Jobs(o.Targets, runs(o, standIn))
		}
		return all, err
	}
}
