package measure

import (
	"math"
	"sync"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Of the newest unlearntPoints points of the curves, so many must have a loss that is no less than a constant's: that
// of a draw moves about its mean. That of a minibatch does too, and a network that has only its last biases left to
// learn by comes to 0.96 to 0.99 of a constant's, so that less than a twentieth below it is no better. Draws of a
// posterior lose TD/2N more than its mode on average, and one that its prior holds near a constant may be right: twice
// that is theirs.
const (
	unlearntPoints = 8
	unlearntAtMost = 2 // below
	minibatchShare = 0.95
)

// Unlearnt is the loss per datum of a constant prediction where the lane's own has stayed at it or above at the newest
// points of the window's curves. A step that is far too large holds it there, while θ stays finite. Else it is that of
// the points before the window, where the lane had learnt and now has lost half of that, at the same temperature. Both
// are 0 otherwise.
func (m *Measures[F]) Unlearnt() (constant, start float64) {
	points := m.curve.history.Points()
	now := len(points)
	for now > 0 && points[now-1].Step > m.Window.Start {
		now--
	}
	bound := m.constant()
	if m.Minibatches != nil {
		bound *= minibatchShare
	}
	bound += m.Params.Temp * float64(m.Problem.Dim()) / float64(m.Problem.N())
	stays := func(bound float64) bool {
		newest := points[len(points)-unlearntPoints:]
		learnt := func(p engine.Point) bool { return !(p.Of(quantity.Loss) >= bound) }
		return list.Count(newest, learnt) <= unlearntAtMost
	}
	switch before := m.Window.Before; {
	case m.Diverged != nil || len(points)-now < unlearntPoints || math.IsInf(bound, 1): // nothing is predicted
		return 0, 0
	case stays(bound):
		return m.constant(), 0
	case before == nil || now < unlearntPoints ||
		before.Setting.Or(sampler.KeyTemp, 0) != m.Setting.Or(sampler.KeyTemp, 0):
		return 0, 0
	}
	n := 0.
	for _, p := range points[now-unlearntPoints : now] {
		if loss := p.Of(quantity.Loss); !math.IsNaN(loss) { // of no draw
			start, n = start+loss, n+1
		}
	}
	if start /= n; start < bound && stays((start+bound)/2) {
		return 0, start
	}
	return 0, 0
}

// constantLoss returns what works out the entropy -Σ f ln f of the classes' shares f when it is first asked for: of the
// training labels, or of the test labels where the target tells these alone. It is +Inf where there are none.
func constantLoss[F sampler.Float](target targets.Target[F]) func() float64 {
	return sync.OnceValue(func() float64 {
		t, ok := target.(targets.Predictor[F])
		if !ok {
			return math.Inf(1)
		}
		labels := t.Labels(dataset.Train)
		if labels == nil {
			labels = t.Labels(dataset.Test)
		}
		if len(labels) == 0 {
			return math.Inf(1)
		}
		count, loss := make([]float64, t.Classes()), 0.0
		for _, c := range labels {
			count[c]++
		}
		for _, k := range count {
			if share := k / float64(len(labels)); share > 0 {
				loss -= float64(share * libm.Log(share))
			}
		}
		return loss
	})
}
