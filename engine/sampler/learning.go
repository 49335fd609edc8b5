package sampler

import "github.com/psgld/psgld-tui/targets"

// LearningRates are the default h of a method by kind of target: on networks, on
// other targets with data and on densities without. 0 leaves what the target says.
type LearningRates struct{ Network, Data, Density float64 }

// Suit is a Method.Suit that sets the step size, ε = 2h/N.
func (h LearningRates) Suit(p *targets.Problem, values map[string]float64) {
	lr := h.Density
	switch {
	case p.F32 != nil:
		lr = h.Network
	case p.HasData():
		lr = h.Data
	}
	if lr > 0 {
		values[KeyEps] = 2 * lr / float64(p.N())
	}
}
