package app

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// sweepSize is how much of a grid is run.
type sweepSize struct {
	points int
	steps  uint64 // of a cell
	seeds  int
}

// The bounds of a grid's size. With more points cells would be less than half a
// notch apart.
const (
	mostPoints  = 81
	leastPoints = 3
	leastSteps  = 50
	mostSteps   = 5_000_000
	mostSeeds   = 100
)

// What a grid has unless it is said. A notch from cell to cell goes over two decades on
// both sides. Where that would take longer than usualWork there are fewer repeats, then
// fewer cells, then fewer steps.
const (
	usualSteps = 20_000
	spread     = 40  // notches from end to end
	usualWork  = 100 // seconds on one core: less than a minute on two
)

var usualSizes = [...]sweepSize{{points: 41, seeds: 5}, {points: 41, seeds: 3}, {points: 21, seeds: 3}, {points: 13, seeds: 3}}

// usualSize is the size of a grid on the session's target.
func usualSize(s *engine.Snapshot, asked sweepSize) sweepSize {
	run, least := 0.0, uint64(0) // seconds for a step of all lanes
	for i := range s.Lanes {
		l := &s.Lanes[i].Setting
		run += stepSeconds(s.Problem, l)
		// Draws begin after the burn-in, and there must be some to tell of.
		draws := l.Or(sampler.KeyBurnIn, 0) + 2*l.Or(sampler.KeyThin, 1)
		least = max(least, uint64(min(draws, mostSteps)))
	}
	for i, z := range usualSizes {
		if asked.points > 0 {
			z.points = asked.points
		}
		if asked.seeds > 0 {
			z.seeds = asked.seeds
		}
		steps := usualWork / (run * float64(z.points*z.seeds))
		if steps < float64(max(usualSteps, least)) && i < len(usualSizes)-1 {
			continue
		}
		if z.steps = asked.steps; z.steps == 0 {
			z.steps = max(round125(min(steps, usualSteps)), least, leastSteps)
		}
		return z
	}
	return asked // there are usual sizes
}

// stepSeconds is about how long a step of a lane takes on one core of a machine of
// today, measured on the targets that there are: on a network the product of weights
// and minibatch, passes over the weights, and the gathering of the minibatch; on other
// data the gradient, and the statistics of a draw.
func stepSeconds(p *targets.Problem, l *engine.Lane) float64 {
	if !p.HasData() {
		return 0.5e-6
	}
	d, n := float64(p.Dim()), float64(p.N())
	if b := l.Or(sampler.KeyBatch, 0); b > 0 {
		n = min(n, b)
	}
	if p.F32 != nil {
		return 2e-11*d*n + 1.5e-9*d + 1e-6*n
	}
	return 1e-9*d*n + 0.5e-6*d/max(l.Or(sampler.KeyThin, 1), 1)
}

// round125 is the largest of 1, 2, 5, 10, … that is not above x.
func round125(x float64) uint64 {
	if !(x >= 1) {
		return 1
	}
	e := math.Pow(10, math.Floor(math.Log10(x)))
	for _, k := range [...]float64{5, 2, 1} {
		if k*e <= x {
			return uint64(k * e)
		}
	}
	return uint64(e)
}
