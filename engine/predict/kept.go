package predict

import (
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// Kept is what a chain predicts on the test set of N rows with C classes, as it is kept of a
// session that has ended. Probabilities are row after row.
type Kept struct {
	Labels   []int32
	Classes  int
	Averaged []float64   // N×C: Σ w_t p_t / Σ w_t over the kept draws
	Newest   []float64   // N×C: of the last draw alone
	Parts    [][]float32 // N×C each: the average over consecutive parts of the draws
	Weights  []float64   // Σ w_t of each part
}

// keptParts is how many parts of a chain there are at most, beside the draws that do not
// fill one. From as many draws on there are at least half as many.
const keptParts = 24

// KeepParts has the predictions of consecutive parts of the chain kept. It must be called
// before the first draw; without a test set it does nothing.
func (e *Evaluator[F]) KeepParts() {
	if e != nil && e.HasTest() {
		e.parts = metrics.NewParts(e.averages.of[targets.Test], keptParts)
	}
}

// Kept returns the predictions on the test set, if KeepParts was called and there are draws;
// nil otherwise. All that was asked for must be done.
func (e *Evaluator[F]) Kept() *Kept {
	if e == nil || e.parts == nil || e.averages.of[targets.Test].Draws() == 0 || e.opening > 0 {
		return nil
	}
	k := &Kept{Labels: e.predictor.Labels(targets.Test), Classes: e.predictor.Classes()}
	k.Averaged, k.Newest = e.averages.of[targets.Test].All()
	k.Parts, k.Weights = e.parts.All()
	return k
}
