package predict

import (
	"fmt"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/targets"
)

// ShiftView is what the lanes say of test images that are shifted. The numbers are those of the newest kept draws of
// each lane's window, of which a lane holds a few; of a lane that predicts by its newest state they are that state's.
type ShiftView struct {
	Asked   targets.Shift
	Kinds   []targets.ShiftKind // that there are for this target; the first is none
	Foreign string              // the other data set, empty without one

	// At is the shift of the images, which may be an earlier one while the newest is
	// worked out, and Images are some of those shown in their order.
	At     targets.Shift
	Images []ShiftedImage
	// Sample is how many test images, evenly spread over the set, stand behind
	// Lanes, one for each lane; none before there are numbers.
	Sample int
	Lanes  []ShiftLane

	prober *prober // nil while nothing is asked for
}

// Settled reports whether nothing is being worked out any more for lanes that stand
// still: the next view has all that was asked for.
func (v *ShiftView) Settled() bool { return v == nil || v.prober == nil || v.prober.work.Settled() }

// ShiftedImage is one test image after the shift. Lanes has an entry for each lane, empty for those without a draw.
type ShiftedImage struct {
	Row    int
	Pixels []uint8 // as targets.Pictures has them
	Lanes  []ShiftedPrediction
}

// ShiftedPrediction is what a lane says of it, with the uncertainties of predictive.Uncertainty.
type ShiftedPrediction struct {
	LanePrediction
	Entropy, Mutual float64
}

// ShiftLane is a lane's uncertainty over the sample. What is not known is NaN.
type ShiftLane struct {
	Draws int          // behind Now
	Now   ShiftPoint   // at the amount asked for
	Curve []ShiftPoint // at the amounts of the kind's grid
}

// ShiftPoint is the mean over the sample, at an amount of shift.
type ShiftPoint struct {
	Amount     float64
	Error      float64 // share of images whose most probable class is not their own
	Entropy    float64 // H[p̄] in nats
	Mutual     float64 // I(y; θ) in nats
	Confidence float64 // the largest probability of the average
}

func noPoint(amount float64) ShiftPoint {
	nan := math.NaN()
	return ShiftPoint{amount, nan, nan, nan, nan}
}

// Shifts asks the recent draws of lanes about shifted test images of a target. A nil
// Shifts is that of a target without images.
type Shifts struct {
	problem *targets.Problem
	dataDir string
	poke    func() // tells that there is news
	kinds   []targets.ShiftKind
	foreign string

	asked  targets.Shift
	from   int     // place among the images shown of the first that is looked at
	prober *prober // nil while nothing is asked for
	failed error   // that was told
}

// NewShifts returns nil where a target's inputs cannot be shifted. It calls poke, on any goroutine, when there is news.
func NewShifts(p *targets.Problem, dataDir string, poke func()) *Shifts {
	_, pictures := p.F32.(targets.PicturePredictor[float32])
	if _, forks := p.F32.(targets.Forker[float32]); !pictures || !forks {
		return nil
	}
	h := &Shifts{problem: p, dataDir: dataDir, poke: poke, foreign: targets.ForeignTo(p, dataDir)}
	h.kinds = []targets.ShiftKind{targets.NoShift, targets.ShiftRotate, targets.ShiftNoise}
	if h.foreign != "" {
		h.kinds = append(h.kinds, targets.ShiftForeign)
	}
	return h
}

// Ask has images shifted, of those shown the ones around a place.
func (h *Shifts) Ask(s targets.Shift, from int) error {
	if err := s.Check(); err != nil {
		return err
	}
	if !slices.Contains(h.kinds, s.Kind) {
		return fmt.Errorf("there is no data set beside %s with images like its own", h.problem.Dataset)
	}
	if s.Kind != h.asked.Kind {
		h.failed = nil
	}
	h.asked, h.from = s, from
	return nil
}

// On reports whether images are shifted.
func (h *Shifts) On() bool { return h != nil && h.asked.Kind != targets.NoShift }

// News reports whether there are numbers that no view has.
func (h *Shifts) News() bool { return h != nil && h.prober != nil && h.prober.work.News() }

// Rest ends the work and drops what came of it.
func (h *Shifts) Rest() {
	if h != nil && h.prober != nil {
		h.prober.close()
		h.prober = nil
	}
}

// A Question is what a view of shifted images depends on beside the shift.
type Question struct {
	Seed    uint64
	Running bool // the lanes sample, and so the work rests between its pieces
	Shown   []Prediction
	Lanes   []*Recent[float32] // nil for a lane that is not asked
}

// View asks for what is wanted and returns what there is. Without a question nothing
// is worked out. An error is of something that has failed since the last view.
func (h *Shifts) View(q *Question) (*ShiftView, error) {
	if h == nil {
		return nil, nil
	}
	v := &ShiftView{Asked: h.asked, Kinds: h.kinds, Foreign: h.foreign}
	if q == nil {
		h.Rest()
		return v, nil
	}
	if h.prober == nil {
		h.prober = newProber(h.problem, h.dataDir, h.foreign, h.poke)
	}
	p := probe{*q, h.asked, h.prober.around(h.from, q.Shown)}
	v.prober = h.prober
	h.prober.ask(p)
	err := h.prober.fill(v, p)
	if err == nil || h.failed != nil {
		return v, nil
	}
	h.failed = err
	return v, err
}
