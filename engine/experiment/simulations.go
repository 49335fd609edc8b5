package experiment

// simulations are the experiments on Gaussians of section 5.1 and the supplement's part E.
func simulations() []Experiment { return []Experiment{fig1a(), fig1b(), suppFig1()} }
