package engine

import (
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// A Sink receives the kept draws of a chain, in order. Its error stops the lane.
type Sink interface {
	// Draw takes θ, which it does not retain, and what is known of the draw.
	Draw(d Drawn, theta []float64) error
}

// SinkFor makes the sink of a chain of a new lane, given the lane's target and setting.
type SinkFor func(at ChainID, p *targets.Problem, set state.Setting) (Sink, error)

// Drawn is what is known of a draw beside θ.
type Drawn struct {
	Step      uint64
	Eps       float64 // ε_t
	Accept    float64 // the probability with which it was accepted, 1 for a method that accepts all
	Divergent bool    // its trajectory was given up
	LogPost   float64 // NaN if the target does not know it
}
