package measure

import (
	"math"
	"sync"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
)

// unlearntPoints is at how many of the newest points of the curves a loss must be no less than a constant's: that of a
// draw moves about its mean.
const unlearntPoints = 8

// ConstantLoss is the loss per datum of a constant prediction where the lane's own has stayed at it or above at the
// newest points of the window's curves; else 0. A step that is far too large holds it there, while θ stays finite.
func (m *Measures[F]) ConstantLoss() float64 {
	points := m.curve.history.Points()
	if m.Diverged != nil || len(points) < unlearntPoints {
		return 0
	}
	for _, p := range points[len(points)-unlearntPoints:] {
		if p.Step <= m.Window.Start || !(p.Of(quantity.Loss) >= m.constant()) {
			return 0
		}
	}
	return m.constant()
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
