// Package simulation has the paper's experiments on Gaussians: section 5.1 and the supplement's part E.
package simulation

import "github.com/psgld/psgld-tui/engine/paper"

// simulations are the experiments on Gaussians of section 5.1 and the supplement's part E.
func Experiments() []paper.Experiment { return []paper.Experiment{fig1a(), fig1b(), suppFig1()} }
