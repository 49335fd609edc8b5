package predict

import (
	"slices"

	"github.com/psgld/psgld-tui/metrics/predictive"
	"github.com/psgld/psgld-tui/targets/dataset"
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
		e.parts = predictive.NewParts(e.averages.of[dataset.Test], keptParts)
	}
}

// Kept returns the predictions on the test set, if KeepParts was called and there are draws;
// nil otherwise. All that was asked for must be done.
func (e *Evaluator[F]) Kept() *Kept {
	if e == nil || e.parts == nil || e.averages.of[dataset.Test].Draws() == 0 || e.opening > 0 {
		return nil
	}
	k := &Kept{Labels: e.predictor.Labels(dataset.Test), Classes: e.predictor.Classes()}
	k.Averaged, k.Newest = e.averages.of[dataset.Test].All()
	k.Parts, k.Weights = e.parts.All()
	return k
}

// Settled is what of the predictions decides which cases are wrong, and no more: each row of
// Averaged and Newest becomes 1 for its most probable class and 0 else, and the rows of Parts
// become 0 of those cases that all parts put into the same class, which is that of the average over any
// choice of parts. Scores of probabilities are lost. A file of it is some seven times smaller.
func (k *Kept) Settled() *Kept {
	s := &Kept{Labels: k.Labels, Classes: k.Classes, Weights: k.Weights, Averaged: certain(k.Averaged, k.Classes),
		Newest: certain(k.Newest, k.Classes)}
	for _, p := range k.Parts {
		s.Parts = append(s.Parts, make([]float32, len(p)))
	}
	for at := 0; at < len(k.Averaged); at += k.Classes {
		top := func(p []float32) int { return predictive.Argmax(p[at:][:k.Classes]) }
		if slices.ContainsFunc(k.Parts, func(p []float32) bool { return top(p) != top(k.Parts[0]) }) {
			for i, p := range k.Parts {
				copy(s.Parts[i][at:][:k.Classes], p[at:])
			}
		}
	}
	return s
}

// certain is 1 for the most probable class of each row, and 0 for the others.
func certain[F float32 | float64](probs []F, classes int) []F {
	all := make([]F, len(probs))
	for at := 0; at < len(probs); at += classes {
		all[at+predictive.Argmax(probs[at:][:classes])] = 1
	}
	return all
}
