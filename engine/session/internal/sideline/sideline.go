// Package sideline has what is worked out beside a session's lanes: what they predict of single images, shifted or not,
// the Stein discrepancy of their draws, and the comparison of their chains.
package sideline

import (
	"context"
	"fmt"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/session/internal/measure"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A Sideline is what works beside the lanes of a session, for its screen. The session's goroutine alone may use it.
type Sideline struct {
	Interactive bool // there is a screen, for which images are shifted and chains are compared
	DataDir     string
	Poke        func()         // tells the session that there is news
	Heard       func(error)    // takes note of what has ended some of the work, nil for nothing
	Images      predict.Images // single images to show
	Stein       *stein.Watcher // of the target steinOf; nil unless it is watched

	steinOf  *targets.Problem
	shifts   *predict.Shifts // of the target shiftsOf
	shiftsOf *targets.Problem
	shown    *predict.ShiftView // the newest
	rank     *beside.Worker     // of comparisons of chains
	ended    bool

	claim     *claim           // on watched draws
	claimOf   *targets.Problem // whose draws these are
	checks    *beside.Worker   // of them
	stopCheck context.CancelFunc
}

// Shifts are those of a target, nil where its inputs cannot be shifted.
func (l *Sideline) Shifts(p *targets.Problem) *predict.Shifts {
	if l.shiftsOf != p {
		l.shifts.Rest()
		l.shifts, l.shiftsOf = nil, p
		if l.Interactive {
			l.shifts = predict.NewShifts(p, l.DataDir, l.Poke)
		}
	}
	return l.shifts
}

// Ask has the images shifted that are shown.
func (l *Sideline) Ask(p *targets.Problem, c state.SetShift) error {
	h := l.Shifts(p)
	if h == nil {
		return fmt.Errorf("%s has no images to shift", p.Spec)
	}
	return h.Ask(c.Shift, c.From)
}

// Shifted reports whether images are shown shifted.
func (l *Sideline) Shifted(s *state.State) bool {
	return s.Mode.Watch.Predictions && l.Shifts(s.Problem).On()
}

// Predict is what the lanes say of the images to show, if they are watched, and of shifted ones.
func (l *Sideline) Predict(s *state.State, lanes []measure.Reader) (shown []predict.Prediction, _ *predict.ShiftView) {
	running, shifted := s.Mode.Phase == state.Running, l.Shifted(s)
	if s.Mode.Watch.Predictions {
		shown = l.Images.Show(s.Problem, list.Map(lanes, func(r measure.Reader) predict.Source { return r }),
			shifted, running)
	}
	if l.ended { // what there was is kept
		return shown, l.shown
	}
	var q *predict.Question
	if shifted {
		q = &predict.Question{Seed: s.Config.Seed, Running: running, Shown: shown}
		q.Lanes = list.Map(lanes, func(r measure.Reader) *predict.Recent[float32] { return r.RecentDraws(running) })
	}
	var err error
	l.shown, err = l.Shifts(s.Problem).View(q)
	l.Heard(err)
	return shown, l.shown
}

// Ranker works out comparisons of the chains while lanes run, or stand still. It is nil where there is no screen to
// show them, or no chains to compare.
func (l *Sideline) Ranker(s *state.State, running bool) *beside.Worker {
	if l.rank == nil && l.Interactive && !l.ended && s.Problem.F64 != nil && s.Config.ChainCount() > 1 {
		l.rank = beside.New("the comparison of chains", 0, l.Poke)
	}
	l.Heard(l.rank.Look())
	l.rank.Ask(nil, running)
	return l.rank
}

// Discrepancy is that of each lane, as its view says what can be trusted of it; nil unless it is watched.
func (l *Sideline) Discrepancy(s *state.State, lanes []measure.Reader, views []engine.LaneView,
	running bool) *stein.View {
	watched := s.Mode.Watch.Discrepancy
	if l.Stein != nil && (!watched || l.steinOf != s.Problem) {
		l.Stein.Close()
		l.Stein = nil
	}
	if watched && !l.ended && l.Stein == nil && s.Problem.F64 != nil && !s.Problem.Outside() {
		l.Stein, l.steinOf = stein.New(s.Problem.F64, s.Problem.Scale, l.Poke), s.Problem
	}
	l.Heard(l.Stein.Worker().Look())
	if !watched {
		return nil
	}
	var curves []stein.LaneCurve
	var tasks []*stein.Task
	for i, r := range lanes {
		d, more := r.Discrepancy(views[i].Trust[quantity.Chain], running)
		curves, tasks = append(curves, d), append(tasks, more...)
	}
	return l.Stein.View(curves, tasks, running)
}

// News reports whether something was worked out since it was shown.
func (l *Sideline) News() bool {
	return l.shifts.News() || l.Stein.Worker().News() || l.rank.News() || l.checks.News()
}

// End ends the work.
func (l *Sideline) End() {
	l.shifts.Rest()
	l.rank.Close()
	l.endCheck()
	l.Stein.Close()
	l.rank, l.Stein, l.ended = nil, nil, true
}
