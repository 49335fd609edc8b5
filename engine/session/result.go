package session

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/session/internal/measure"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Saved returns what can be written of a session whose Run has returned. The command Save asks one that runs.
func (s *Session) Saved(version string) engine.Saved {
	return engine.Saved{Recording: s.Recording(version), Result: s.Result(version),
		Draws: slices.Concat(measured(s.lanes, measure.Reader.Newest)...)}
}

// Result returns the end of a session whose Run has returned.
func (s *Session) Result(version string) engine.Result {
	c := s.config()
	c.Lanes = list.Map(c.Lanes, state.Setting.Off)
	by := s.endedBy()
	var found *engine.CheckResult
	if c := s.Snapshot().Check; c != nil {
		found = engine.CheckOf(c.Report)
	}
	return engine.Result{
		Version: version, Run: s.Recording(version).Run, Config: c, EndedBy: by,
		Lanes: measured(s.lanes, func(m measure.Reader) engine.LaneResult {
			return m.Result(by == engine.Interrupted)
		}),
		Truth: engine.TruthOf(s.now.Problem), Check: found,
	}
}

// Predicted returns what the lanes of a session with Runtime.Parts predict on the test set,
// after Run has returned; nil for a lane that predicts nothing there.
func (s *Session) Predicted() []*predict.Kept { return measured(s.lanes, measure.Reader.Predicted) }

// NewestThetas returns the lanes' θ of a session whose Run has returned. The caller does not change them.
func (s *Session) NewestThetas() []engine.NewestTheta {
	return measured(s.lanes, measure.Reader.NewestTheta)
}
