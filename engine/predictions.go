package engine

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/targets"
)

// Prediction is what the lanes say of one test image.
type Prediction struct {
	Row   int // of the test set
	Label int
	// Apart is the largest total variation distance ½ Σ|p - q| between two
	// lanes' averaged probabilities; 0 with one lane.
	Apart float64
	Lanes []LanePrediction // nil entries for lanes without a draw
}

// LanePrediction is one lane's: averaged probabilities of the classes and their
// standard deviations over the draws.
type LanePrediction struct {
	Mean, SD []float64
}

const (
	// maxPredictions is how many images a snapshot has: those on which the lanes
	// are furthest apart, or, with one lane, the least certain ones.
	maxPredictions = 200
	// predictionsEvery bounds how often they are looked through.
	predictionsEvery = time.Second
)

// predictions returns the images to show: while the session runs, those of at
// most predictionsEvery ago.
func (s *Session) predictions() []Prediction {
	t, ok := s.prob.Impl().(interface {
		Classes() int
		Labels(targets.Split) []int32
	})
	if !s.watched.Predictions || !ok {
		return nil
	}
	if s.shown != nil && s.phase == Running && time.Since(s.shownMade) < predictionsEvery {
		return s.shown
	}
	labels, c := t.Labels(targets.Test), t.Classes()
	type probs struct{ mean, sd []float64 }
	all := make([]probs, len(s.lanes))
	any := false
	for i, r := range s.lanes {
		all[i].mean, all[i].sd = r.predictions()
		any = any || all[i].mean != nil
	}
	if !any {
		return nil
	}
	type rank struct {
		row   int
		apart float64
		doubt float64
	}
	ranks := make([]rank, len(labels))
	for r := range ranks {
		ranks[r].row = r
		for i, a := range all {
			if a.mean == nil {
				continue
			}
			p := a.mean[r*c:][:c]
			ranks[r].doubt = max(ranks[r].doubt, 1-slices.Max(p))
			for _, b := range all[:i] {
				if b.mean == nil {
					continue
				}
				d := 0.0
				for k, q := range b.mean[r*c:][:c] {
					d += math.Abs(p[k]-q) / 2
				}
				ranks[r].apart = max(ranks[r].apart, d)
			}
		}
	}
	slices.SortStableFunc(ranks, func(a, b rank) int {
		return cmp.Or(cmp.Compare(b.apart, a.apart), cmp.Compare(b.doubt, a.doubt))
	})
	shown := make([]Prediction, min(len(ranks), maxPredictions))
	for i := range shown {
		r := ranks[i].row
		shown[i] = Prediction{Row: r, Label: int(labels[r]), Apart: ranks[i].apart, Lanes: make([]LanePrediction, len(all))}
		for k, a := range all {
			if a.mean != nil {
				shown[i].Lanes[k] = LanePrediction{slices.Clone(a.mean[r*c:][:c]), slices.Clone(a.sd[r*c:][:c])}
			}
		}
	}
	s.shown, s.shownMade = shown, time.Now()
	return shown
}
