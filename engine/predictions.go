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
// most predictionsEvery ago. Before the first draw of any lane they are the first of
// the test set, and after a turn those that were shown, without a prediction.
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
	_, images := s.prob.Impl().(targets.Pictures)
	labels, c := t.Labels(targets.Test), t.Classes()
	all := make([]laneProbs, len(s.lanes))
	any := false
	for i, r := range s.lanes {
		all[i].mean, all[i].sd = r.predictions()
		any = any || all[i].mean != nil
	}
	if !any && !images { // an image is seen without a prediction too
		return nil
	}
	var rows []int
	if s.shown != nil && (s.shiftOn() || !any) {
		for _, p := range s.shown { // so that an image stays where it is while it is shifted
			rows = append(rows, p.Row)
		}
	} else {
		rows = mostDisputed(all, len(labels), c)
	}
	shown := make([]Prediction, len(rows))
	for i, r := range rows {
		shown[i] = Prediction{Row: r, Label: int(labels[r]), Apart: apart(all, r, c), Lanes: make([]LanePrediction, len(all))}
		for k, a := range all {
			if a.mean != nil {
				shown[i].Lanes[k] = LanePrediction{slices.Clone(a.mean[r*c:][:c]), slices.Clone(a.sd[r*c:][:c])}
			}
		}
	}
	if s.shown, s.shownMade = shown, time.Now(); !any {
		s.shownMade = time.Time{} // the first draw is seen at once
	}
	return shown
}

// laneProbs are a lane's averaged probabilities of every test row and their
// standard deviations; nil without a draw.
type laneProbs struct{ mean, sd []float64 }

// mostDisputed ranks rows of c classes by how far apart the lanes are on them,
// and those alike by how little a lane is certain of.
func mostDisputed(all []laneProbs, rows, c int) []int {
	type rank struct {
		row          int
		apart, doubt float64
	}
	ranks := make([]rank, rows)
	for r := range ranks {
		ranks[r] = rank{row: r, apart: apart(all, r, c)}
		for _, a := range all {
			if a.mean != nil {
				ranks[r].doubt = max(ranks[r].doubt, 1-slices.Max(a.mean[r*c:][:c]))
			}
		}
	}
	slices.SortStableFunc(ranks, func(a, b rank) int {
		return cmp.Or(cmp.Compare(b.apart, a.apart), cmp.Compare(b.doubt, a.doubt))
	})
	var first []int
	for _, r := range ranks[:min(len(ranks), maxPredictions)] {
		first = append(first, r.row)
	}
	return first
}

// apart is the largest total variation distance between two lanes on row r.
func apart(all []laneProbs, r, c int) float64 {
	most := 0.0
	for i, a := range all {
		for _, b := range all[:i] {
			if a.mean == nil || b.mean == nil {
				continue
			}
			d := 0.0
			for k, q := range b.mean[r*c:][:c] {
				d += math.Abs(a.mean[r*c+k]-q) / 2
			}
			most = max(most, d)
		}
	}
	return most
}
