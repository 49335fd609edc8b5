package sampler

import "github.com/psgld/psgld-tui/targets"

// learning is the default h of a method, the learning rate, by kind of target:
// on networks, on other targets with data and on densities without. 0 leaves what
// the target says.
type learning struct{ network, data, density float64 }

// learnAt is a Method.Suit that sets the step size, ε = 2h/N.
func learnAt(h learning) func(*targets.Problem, map[string]float64) {
	return func(p *targets.Problem, values map[string]float64) {
		lr := h.density
		switch {
		case p.F32 != nil:
			lr = h.network
		case p.HasData():
			lr = h.data
		}
		if lr > 0 {
			values[KeyEps] = 2 * lr / float64(p.N())
		}
	}
}
