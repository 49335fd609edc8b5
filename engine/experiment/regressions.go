package experiment

// regressions are the experiments on Bayesian logistic regression of section 5.2.
func regressions() []Experiment { return []Experiment{fig2a(), fig2b(), table1(), fig3()} }
