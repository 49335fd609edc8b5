// Package regression has the paper's experiments on Bayesian logistic regression: section 5.2.
package regression

import "github.com/psgld/psgld-tui/engine/paper"

// regressions are the experiments on Bayesian logistic regression of section 5.2.
func Experiments() []paper.Experiment { return []paper.Experiment{fig2a(), fig2b(), table1(), fig3()} }
