package pane

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Samples reports whether a lane's path is a Markov chain. Only a chain has τ and ESS.
func Samples(v *engine.LaneView) bool { return v.Kind == sampler.Sampling }

// Settled reports whether a lane has enough draws for estimates from all of them.
func Settled(v *engine.LaneView) bool { return v.Trust[quantity.Chain] == metrics.OK }

// KindName is the name of a kind of method, short enough for a table.
func KindName(k sampler.Kind) string {
	return [...]string{"sampler", "optimiser", "variational"}[min(k, sampler.Variational)]
}

// Count is how many lanes have all of some facts.
func (f *Frame) Count(all quantity.Facts) int {
	n := 0
	for _, v := range f.EachLane() {
		if v.Facts.Has(all) {
			n++
		}
	}
	return n
}

// Any reports whether some lane has all of some facts.
func (f *Frame) Any(all quantity.Facts) bool { return f.Count(all) > 0 }

// Has reports whether a lane has a quantity, or will have it once it can be trusted.
func Has(v *engine.LaneView, id quantity.ID) bool {
	q := &quantity.All[id]
	return v.Facts.Has(q.Needs) && v.Trust[q.Basis] != metrics.NotSampled
}

// Has reports whether some lane has a quantity.
func (f *Frame) Has(id quantity.ID) bool {
	return f.Some(func(v *engine.LaneView) bool { return Has(v, id) })
}

// Lists reports whether tables list a quantity: whether some lane has it.
func (f *Frame) Lists(id quantity.ID) bool {
	return f.Any(quantity.All[id].Needs|quantity.All[id].Shown) && f.Has(id)
}

// Scored is the quantity of the test set or, without a test set, of the training set.
func (f *Frame) Scored(test, training quantity.ID) quantity.ID {
	if f.Any(quantity.NoTestSet) {
		return training
	}
	return test
}

// absent draws the reason why a pane has no meaning for any lane.
func absent(g plane.Region, f *Frame, title, why string) {
	in := g.Box(f.Theme, plane.Box{Title: title})
	in = in.Pad(0, 1, 0, 1)
	if in.W() < 8 || in.H() < 1 {
		return
	}
	lines := plane.Wrap(g.Spell(why), in.W())
	at := in.Sub(plane.Rect{Y: max(in.H()-len(lines), 0) / 2, W: in.W(), H: len(lines)})
	if len(lines) == 1 {
		at.TextCenter(0, lines[0], f.Theme.Dim)
		return
	}
	for y, line := range lines {
		at.Text(0, y, line, f.Theme.Dim)
	}
}

// ShownLanes are the lanes of a histogram, two at most: the focused one and the first of the others, in their order.
func ShownLanes(f *Frame) []int {
	switch at := f.FocusAt(); {
	case len(f.Lanes()) < 2:
		return []int{at}
	case at == 0:
		return []int{0, 1}
	default:
		return []int{0, at}
	}
}

// DrawingLanes are the lanes of a marginal: those of ShownLanes, with optimisers
// replaced by the first lanes that have draws.
func DrawingLanes(f *Frame) (at []int) {
	take := func(i int) {
		if len(at) < 2 && f.Snap.Lanes[i].Kind != sampler.Optimising && !slices.Contains(at, i) {
			at = append(at, i)
		}
	}
	for _, i := range ShownLanes(f) {
		take(i)
	}
	for i := range f.Lanes() {
		take(i)
	}
	slices.Sort(at)
	return at
}
