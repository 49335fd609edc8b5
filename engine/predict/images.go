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
	// Disagreement is that of the lanes; 0 with one lane.
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
	all := make([]LanePrediction, len(lanes)) // of all rows
	any := false
	for i, r := range lanes {
		all[i].Mean, all[i].SD = r.Predictions()
		any = any || all[i].Mean != nil
	}
	var rows []int
	if m.shown != nil && (keep || !any) {
		rows = rowsOf(m.shown)
	} else {
		rows = mostDisputed(all, len(labels), c)
	}
	m.shown = make([]Prediction, len(rows))
	for i, r := range rows {
		own := list.Map(row(nil, all, r, c), LanePrediction.clone)
		m.shown[i] = Prediction{Row: r, Label: int(labels[r]), Disagreement: Disagreement(own), Lanes: own}
	}
	if m.made = time.Now(); !any {
		m.made = time.Time{} // the first draw is seen at once
	}
	return m.shown
}

// row appends what lanes say of row r of c classes, nil entries of lanes without a draw.
func row(dst, all []LanePrediction, r, c int) []LanePrediction {
	for _, l := range all {
		if l.Mean != nil {
			l = LanePrediction{l.Mean[r*c:][:c], l.SD[r*c:][:c]}
		}
		dst = append(dst, l)
	}
	return dst
}

func (l LanePrediction) clone() LanePrediction {
	return LanePrediction{slices.Clone(l.Mean), slices.Clone(l.SD)}
}

// mostDisputed ranks rows of c classes by how much the lanes disagree on them, and
// those alike by how little a lane is certain of.
func mostDisputed(all []LanePrediction, rows, c int) []int {
	type rank struct {
		row                 int
		disagreement, doubt float64
	}
	ranks, lanes := make([]rank, rows), []LanePrediction(nil)
	for r := range ranks {
		lanes = row(lanes[:0], all, r, c)
		ranks[r] = rank{row: r, disagreement: Disagreement(lanes)}
		for _, l := range lanes {
			if l.Mean != nil {
				ranks[r].doubt = max(ranks[r].doubt, 1-slices.Max(l.Mean))
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

// Disagreement is the largest total variation distance ½ Σ|p - q| between the averages of two lanes with draws.
func Disagreement(lanes []LanePrediction) (most float64) {
	for i, a := range lanes {
		for _, b := range lanes[:i] {
			d := 0.0
			for k := range min(len(a.Mean), len(b.Mean)) {
				d += float64(math.Abs(a.Mean[k]-b.Mean[k]) / 2)
			}
			most = max(most, d)
		}
	}
	return most
}
