package session

import (
	"fmt"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/session/internal/measure"
	"github.com/psgld/psgld-tui/engine/state"
)

// shifts are those of the session's target, nil where its inputs cannot be shifted.
func (s *Session) shifts() *predict.Shifts {
	if s.shiftsOf != s.now.Problem {
		s.shift.Rest()
		s.shift, s.shiftsOf = nil, s.now.Problem
		if s.rt.Interactive {
			s.shift = predict.NewShifts(s.now.Problem, s.rt.DataDir, s.inbox.Poke)
		}
	}
	return s.shift
}

func (s *Session) setShift(c state.SetShift) error {
	h := s.shifts()
	if h == nil {
		return fmt.Errorf("%s has no images to shift", s.now.Problem.Spec)
	}
	return h.Ask(c.Shift, c.From)
}

// shiftOn reports whether images are shown shifted.
func (s *Session) shiftOn() bool { return s.now.Mode.Watch.Predictions && s.shifts().On() }

// predictions are what the lanes say of the images to show, if they are watched.
func (s *Session) predictions() []predict.Prediction {
	if !s.now.Mode.Watch.Predictions {
		return nil
	}
	lanes := ofMeasures(s, func(r measure.Reader) predict.Source { return r })
	return s.images.Show(s.now.Problem, lanes, s.shiftOn(), s.now.Mode.Phase == state.Running)
}

// shiftView is what the lanes say of shifted images.
func (s *Session) shiftView(shown []predict.Prediction) *predict.ShiftView {
	if s.ended { // the last snapshot keeps what there was
		return s.snap.Load().Shift
	}
	var q *predict.Question
	if s.shiftOn() {
		q = &predict.Question{Seed: s.now.Config.Seed, Running: s.now.Mode.Phase == state.Running, Shown: shown}
		q.Lanes = ofMeasures(s, func(r measure.Reader) *predict.Recent[float32] { return r.RecentDraws(q.Running) })
	}
	v, err := s.shifts().View(q)
	s.heard(err)
	return v
}
