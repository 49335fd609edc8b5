package engine

import (
	"fmt"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/targets"
)

// SetShift has test images shifted before they are predicted, for the snapshot
// alone: the scores and the curves stay those of the images as they are. From is
// the place in Snapshot.Predictions of the first image that is looked at; those
// around it are predicted. A session without a screen knows no shift.
type SetShift struct {
	Shift targets.Shift
	From  int
}

func (SetShift) kind() string { return "" }

// ShiftView is what the lanes say of test images that are shifted. The numbers
// are those of the newest kept draws of each lane's window, of which a lane holds
// a few; of a lane that predicts by its newest state they are that state's.
type ShiftView struct {
	Asked   targets.Shift
	Kinds   []targets.ShiftKind // that there are for this target; the first is none
	Foreign string              // the other data set, empty without one

	// At is the shift of the images, which may be an earlier one while the newest is
	// worked out, and Images are some of Predictions in their order.
	At     targets.Shift
	Images []ShiftedImage
	// Sample is how many test images, evenly spread over the set, stand behind
	// Lanes, one for each lane of the snapshot; none before there are numbers.
	Sample int
	Lanes  []ShiftLane

	prober *prober // nil while nothing is asked for
}

// Settled reports whether nothing is being worked out any more for a session that
// stands still: its next snapshot has all that was asked for.
func (v *ShiftView) Settled() bool { return v == nil || v.prober == nil || v.prober.settled() }

// ShiftedImage is one test image after the shift. Lanes has an entry for each
// lane of the snapshot, empty for those without a draw.
type ShiftedImage struct {
	Row    int
	Pixels []uint8 // as targets.Pictures has them
	Lanes  []ShiftedPrediction
}

// ShiftedPrediction is what a lane says of it, with the uncertainties of
// metrics.Uncertainty.
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

// shifted is what a session knows of shifted images.
type shifted struct {
	problem *targets.Problem // whose kinds and foreign set these are
	kinds   []targets.ShiftKind
	foreign string

	asked  SetShift
	prober *prober // nil while nothing is asked for
	failed error   // that was told
	ended  bool
}

// shiftOn reports whether images are shown shifted.
func (s *Session) shiftOn() bool {
	return s.watched.Predictions && s.shift.problem == s.prob && s.shift.asked.Shift.Kind != targets.NoShift
}

// shiftable is the session's target, if its inputs can be shifted.
func (s *Session) shiftable() (targets.PicturePredictor[float32], bool) {
	t, ok := s.prob.F32.(targets.PicturePredictor[float32])
	if !ok || !s.rt.Interactive {
		return nil, false
	}
	_, forks := s.prob.F32.(targets.Forker[float32])
	return t, forks
}

// shiftKinds brings what is known of the target up to date.
func (s *Session) shiftKinds() []targets.ShiftKind {
	h := &s.shift
	if h.problem == s.prob {
		return h.kinds
	}
	h.close()
	*h = shifted{problem: s.prob}
	if _, ok := s.shiftable(); !ok {
		return nil
	}
	h.foreign = targets.ForeignTo(s.prob, s.rt.DataDir)
	h.kinds = []targets.ShiftKind{targets.NoShift, targets.ShiftRotate, targets.ShiftNoise, targets.ShiftBlur, targets.ShiftInvert}
	if h.foreign != "" {
		h.kinds = append(h.kinds, targets.ShiftForeign)
	}
	h.kinds = append(h.kinds, targets.ShiftStatic)
	return h.kinds
}

func (s *Session) setShift(c SetShift) error {
	kinds := s.shiftKinds()
	if kinds == nil {
		return fmt.Errorf("%s has no images to shift", s.prob.Spec)
	}
	if err := c.Shift.Check(); err != nil {
		return err
	}
	if !slices.Contains(kinds, c.Shift.Kind) {
		return fmt.Errorf("there is no data set beside %s with images like its own", s.prob.Dataset)
	}
	if c.Shift.Kind != s.shift.asked.Shift.Kind {
		s.shift.failed = nil
	}
	s.shift.asked = c
	return nil
}

// close ends the work and forgets what came of it.
func (h *shifted) close() {
	if h.prober != nil {
		h.prober.close()
		h.prober = nil
	}
}

// end is close for good: the session's last snapshot keeps what there was.
func (h *shifted) end() {
	h.close()
	h.ended = true
}

// news reports whether there are numbers that no snapshot has.
func (h *shifted) news() bool { return h.prober != nil && h.prober.fresh() }

// shiftView asks for what is wanted and returns what there is.
func (s *Session) shiftView(shown []Prediction) *ShiftView {
	h := &s.shift
	if h.ended {
		return s.snap.Load().Shift
	}
	kinds := s.shiftKinds()
	if kinds == nil {
		return nil
	}
	v := &ShiftView{Asked: h.asked.Shift, Kinds: kinds, Foreign: h.foreign}
	if !s.shiftOn() {
		h.close()
		return v
	}
	if h.prober == nil {
		h.prober = newProber(s.prob, s.rt.DataDir, h.foreign, s.inbox.poke)
	}
	q := probe{shift: h.asked.Shift, seed: s.cfg.Seed, running: s.phase == Running, rows: h.prober.around(h.asked.From, shown)}
	for _, r := range s.lanes {
		q.lanes = append(q.lanes, r.recall(q.running))
	}
	v.prober = h.prober
	h.prober.ask(q)
	if err := h.prober.fill(v, q); err != nil && h.failed == nil {
		h.failed = err
		if p, ok := err.(*Panic); ok {
			s.failed = p
			s.inbox.poke() // a paused session looks no more before it waits
		} else {
			s.say(Refused{err})
		}
	}
	return v
}
