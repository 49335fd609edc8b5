package predict

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Prediction is what the lanes say of one test image.
type Prediction struct {
	Row   int // of the test set
	Label int
	// Disagreement is the largest total variation distance ½ Σ|p - q| between two
	// lanes' averaged probabilities; 0 with one lane.
	Disagreement float64
	Lanes        []LanePrediction // nil entries for lanes without a draw
}

// LanePrediction is one lane's: averaged probabilities of the classes and their standard deviations over the draws.
type LanePrediction struct {
	Mean, SD []float64
}

const (
	// MaxImages is how many images are shown: those on which the lanes disagree
	// most, or, with one lane, the least certain ones.
	MaxImages = 200
	// Every bounds how often they are looked through.
	Every = time.Second
)

// A Source has the averaged test probabilities and their standard deviations over the
// draws, row by row; nil without a draw.
type Source interface {
	Predictions() (mean, sd []float64)
}

// Images are the test images that are shown.
type Images struct {
	shown []Prediction
	made  time.Time
}

// Outdate has what is shown worked out anew at the next Show: it is of another window, or of other lanes.
func (m *Images) Outdate() { m.made = time.Time{} }

// Show returns the images to show, and what the lanes say of them: while the session runs, those of at most Every ago.
// Before the first draw of any lane they are the first of the test set. With keep, and while no lane has a draw, they
// are those that were shown. Nil is for a target without images.
func (m *Images) Show(p *targets.Problem, lanes []Source, keep, running bool) []Prediction {
	t, ok := p.Impl().(interface {
		targets.Pictures
		Classes() int
		Labels(dataset.Split) []int32
	})
	if !ok {
		return nil
	}
	if m.shown != nil && running && time.Since(m.made) < Every {
		return m.shown
	}
	labels, c := t.Labels(dataset.Test), t.Classes()
	all := make([]laneProbs, len(lanes))
	any := false
	for i, r := range lanes {
		all[i].mean, all[i].sd = r.Predictions()
		any = any || all[i].mean != nil
	}
	var rows []int
	if m.shown != nil && (keep || !any) {
		rows = rowsOf(m.shown)
	} else {
		rows = mostDisputed(all, len(labels), c)
	}
	m.shown = make([]Prediction, len(rows))
	for i, r := range rows {
		m.shown[i] = Prediction{Row: r, Label: int(labels[r]), Disagreement: disagreement(all, r, c),
			Lanes: make([]LanePrediction, len(all))}
		for k, a := range all {
			if a.mean != nil {
				m.shown[i].Lanes[k] = LanePrediction{slices.Clone(a.mean[r*c:][:c]), slices.Clone(a.sd[r*c:][:c])}
			}
		}
	}
	if m.made = time.Now(); !any {
		m.made = time.Time{} // the first draw is seen at once
	}
	return m.shown
}

// laneProbs are a lane's averaged probabilities of every test row and their standard deviations; nil without a draw.
type laneProbs struct{ mean, sd []float64 }

// mostDisputed ranks rows of c classes by how much the lanes disagree on them, and
// those alike by how little a lane is certain of.
func mostDisputed(all []laneProbs, rows, c int) []int {
	type rank struct {
		row                 int
		disagreement, doubt float64
	}
	ranks := make([]rank, rows)
	for r := range ranks {
		ranks[r] = rank{row: r, disagreement: disagreement(all, r, c)}
		for _, a := range all {
			if a.mean != nil {
				ranks[r].doubt = max(ranks[r].doubt, 1-slices.Max(a.mean[r*c:][:c]))
			}
		}
	}
	slices.SortStableFunc(ranks, func(a, b rank) int {
		return cmp.Or(cmp.Compare(b.disagreement, a.disagreement), cmp.Compare(b.doubt, a.doubt))
	})
	return list.Map(ranks[:min(len(ranks), MaxImages)], func(r rank) int { return r.row })
}

// rowsOf are the rows of images.
func rowsOf(all []Prediction) []int {
	return list.Map(all, func(p Prediction) int { return p.Row })
}

// disagreement is the largest total variation distance between two lanes on row r.
func disagreement(all []laneProbs, r, c int) float64 {
	most := 0.0
	for i, a := range all {
		for _, b := range all[:i] {
			if a.mean == nil || b.mean == nil {
				continue
			}
			d := 0.0
			for k, q := range b.mean[r*c:][:c] {
				d += float64(math.Abs(a.mean[r*c+k]-q) / 2)
			}
			most = max(most, d)
		}
	}
	return most
}
