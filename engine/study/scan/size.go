package scan

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// A Size is how much is run. Where it is asked for, a zero stands for the usual.
type Size struct {
	Cells int
	Steps uint64 // of a cell
	Seeds int    // repeats of a cell
	// Range is the text of the values that were asked for; empty for those about the session's own.
	Range string
}

// The bounds of a size. With more cells they would be less than half a notch apart.
const (
	LeastCells, MostCells = 3, 81
	LeastSteps, MostSteps = 50, 5_000_000
	LeastSeeds, MostSeeds = 1, 100
)

// What a scan has by default. Neighbouring cells are a notch apart, over two decades on both sides. If that takes
// longer than usualWork, there are fewer repeats, then fewer cells, then fewer steps.
const (
	usualSteps = 50_000
	spread     = 40 // notches from end to end
	decade     = 10 // notches

	coarseRepeats = 3   // of the values that run first
	usualWork     = 100 // seconds on one core: less than a minute on two
)

var usual = [...]Size{{Cells: 41, Seeds: 5}, {Cells: 41, Seeds: 3}, {Cells: 21, Seeds: 3}, {Cells: 13, Seeds: 3}}

// Of is the size of a scan beside a session, with what is not asked for filled in. With the bias a step takes seven
// gradients.
func (asked Size) Of(s *engine.Snapshot, bias bool) Size {
	run, least := 0.0, uint64(LeastSteps) // seconds for a step of all lanes
	for i := range s.Lanes {
		l := &s.Lanes[i].Setting
		run += stepSeconds(s.Problem, l)
		// Draws begin after the burn-in, and there must be some to tell of.
		draws := l.Or(sampler.KeyBurnIn, 0) + 2*l.Or(sampler.KeyThin, 1)
		least = max(least, uint64(min(draws, MostSteps)))
	}
	if bias {
		run *= 7
	}
	if s.Problem.Function != nil { // half of a usual run tells a function
		least = max(least, s.Problem.Defaults.Steps/2)
	}
	for i, z := range usual {
		z = Size{cmp.Or(asked.Cells, z.Cells), asked.Steps, cmp.Or(asked.Seeds, z.Seeds), asked.Range}
		steps := usualWork / (run * float64(z.Cells*z.Seeds))
		if steps >= float64(max(usualSteps, least)) || i == len(usual)-1 {
			z.Steps = cmp.Or(z.Steps, max(round125(min(steps, usualSteps)), least))
			return z
		}
	}
	panic("scan: the last of the usual sizes is taken")
}

// Longer is the next number of steps among 1, 2, 5, 10, … within the bounds.
func Longer(n uint64) uint64 { return min(max(round125(2.5*float64(n)), LeastSteps), MostSteps) }

// stepSeconds is about how long a step of a lane takes on one core. The constants were measured. A network's step is
// the product of weights and minibatch, passes over the weights, and the gathering of the minibatch. Other data take
// the gradient and the statistics of a draw.
func stepSeconds(p *targets.Problem, l *state.Setting) float64 {
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
	if p.Function != nil { // tanh
		n *= 10
	}
	return 1e-9*d*n + 0.5e-6*d/max(l.Or(sampler.KeyThin, 1), 1)
}

// round125 is the largest of 1, 2, 5, 10, … that is not above x, 1 for x < 1 and NaN.
func round125(x float64) uint64 {
	n := uint64(1)
	for decade := n; float64(decade) <= x; decade *= 10 {
		for _, k := range [...]uint64{1, 2, 5} {
			if float64(k*decade) <= x {
				n = k * decade
			}
		}
	}
	return n
}

// values are those of a parameter about x: even turns of it on its scale, or all of a choice's. base is the place of x.
func values(p param.Param, x float64, cells int) (all []float64, base int) {
	if p.Scale == param.Choice {
		all = list.Map(list.Upto(len(p.Choices)), func(i int) float64 { return float64(i) })
		return all, min(max(int(x), 0), max(len(all)-1, 0))
	}
	notches := max(float64(spread)/float64(max(cells-1, 1)), 0.5)
	if notches > 1 {
		notches = math.Floor(notches)
	}
	walk := func(by float64) (out []float64) {
		from, turns, whole := x, 0.0, 0.0
		for at := x; len(out) < cells/2; out = append(out, at) {
			turns++
			next := p.Turn(from, by*turns) // of several turns each would be rounded
			step := math.Abs(p.Frac(next) - p.Frac(at))
			if next == at || (next > at) != (by > 0) || p.Scale != param.Integer && step < whole/2 {
				break // the end of the scale, or next to it
			}
			if p.Scale == param.Integer || from == 0 {
				from, turns = next, 0
			}
			at, whole = next, max(whole, step)
		}
		return out
	}
	all = walk(-notches)
	slices.Reverse(all)
	base = len(all)
	return append(append(all, x), walk(notches)...), base
}

// order lists the places of a sweep's plan: three repeats of every decade, or of every fourth cell, of every other one
// where there are few, three of those between, then the other repeats. Three tell an error, without which no cell can
// be called better than another. The first of them are coarse. Any first part of a repeat covers all of the range:
// every 2ᵏ-th cell from base on, then those halfway between.
func order(cells, base, seeds, apart int) (all []int, coarse int) {
	apart = cmp.Or(apart, min(max(cells/5, 1), 4)) // at least five cells come first
	part := func(at int) int {
		switch {
		case at%seeds >= coarseRepeats:
			return 2
		case (at/seeds-base)%apart != 0:
			return 1
		}
		return 0
	}
	between := func(at int) int { return -bits.TrailingZeros(uint(at/seeds - base)) }
	for at := range cells * seeds {
		if all = append(all, at); part(at) == 0 {
			coarse++
		}
	}
	slices.SortStableFunc(all, func(a, b int) int {
		return cmp.Or(part(a)-part(b), a%seeds-b%seeds, between(a)-between(b))
	})
	return all, coarse
}
