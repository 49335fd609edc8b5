package session

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/session/internal/measure"
	"github.com/psgld/psgld-tui/engine/state"
)

// How a session ends where enough is drawn. A lane says how many steps there are to its next look (quantity.NextLook),
// no chunk goes beyond that, and after the chunk the session looks: at all lanes, or in a race at the lanes that are
// due. What a look finds follows from the draws alone, and so from the Config and the commands. It holds until the lane
// goes on. A lane that has diverged does not count, and one that does not sample has nothing to find.

// met is whether Config.Until holds of each lane, in their order, as the newest look found if the lane has not gone on
// since.
type met [state.MaxLanes]bool

// untilLook is how many steps there are to the next look at a lane.
func untilLook(c *state.Config, r lane.Runner) uint64 {
	if !c.Until.Wanted() || r.Standing().Diverged != nil {
		return math.MaxUint64
	}
	return r.Standing().UntilLook
}

// ran looks at the lanes that ran, if one of them was due, which it reports.
func (m *met) ran(c *state.Config, jobs []job) (due bool) {
	is := func(j job) bool {
		return j.steps > 0 && j.lane.Standing().Diverged == nil && j.lane.Standing().PerChain == quantity.NextLook(j.had)
	}
	due = slices.ContainsFunc(jobs, is)
	for i, j := range jobs {
		switch {
		case c.Race && is(j) || !c.Race && due:
			m[i] = !j.lane.Standing().Samples || j.lane.Measures().Enough(c.Until)
		case j.steps > 0:
			m[i] = false
		}
	}
	return due
}

// look looks at once whether a new Until holds.
func (m *met) look(c *state.Config, all fleet) {
	for i, r := range all {
		m[i] = r.Standing().Samples && c.Until.Wanted() && r.Measures().Enough(c.Until)
	}
}

// enough reports whether each lane that samples was found to have drawn enough where it stands, and there is one.
func (m *met) enough(c *state.Config, all fleet) bool {
	some := false
	for i, r := range all {
		if r.Standing().Samples && !m[i] {
			return false
		}
		some = some || r.Standing().Samples
	}
	return some && c.Until.Wanted()
}

// lost reports whether all lanes that sample have diverged, and another lane has come to a look.
func (m *met) lost(c *state.Config, all fleet) bool {
	looked, gone := false, false
	for i, r := range all {
		n := r.Standing()
		if n.Samples {
			return false
		}
		gone = gone || n.Diverged != nil
		looked = looked || n.Diverged == nil && m[i]
	}
	return looked && gone && c.Until.Wanted()
}

// needs fills in how many draws each lane needs until enough is drawn. The lanes' time left is then that of the slowest
// of them, unless another limit comes first. It is NaN where it is not known. rate is the steps a second of all chains
// of a lane.
func needs(c *state.Config, all fleet, lanes []engine.LaneView, rate func(*engine.LaneView) float64) {
	most := math.Inf(-1)
	for i, r := range all {
		if !c.Until.Wanted() || !r.Standing().Samples {
			continue
		}
		v := &lanes[i]
		v.Enough = measure.Needed(v, c.Until, c.ChainCount())
		left := math.NaN()
		if rate := rate(v); v.Enough > 0 && rate > 0 {
			left = float64(v.Enough-min(v.Enough, v.Draws)) * v.Setting.Or(sampler.KeyThin, 1) / rate
		}
		most = max(most, left) // NaN stays
	}
	for i := range lanes {
		if v := &lanes[i]; most >= 0 && !(v.Left < most) {
			v.Left = most
		}
	}
}

// endedBy is what has ended the session, empty for one that may go on.
func (s *Session) endedBy() engine.Ending {
	switch {
	case s.now.Mode.Phase == state.AllDiverged:
		return engine.AllLost
	case s.now.Mode.Phase != state.Done && s.Ended():
		return engine.Interrupted
	case s.now.Mode.Phase != state.Done:
		return ""
	case s.met.enough(&s.now.Config, s.lanes):
		return engine.EndedByUntil
	case s.remaining() > 0 && !s.rt.Interactive && s.met.lost(&s.now.Config, s.lanes):
		return engine.AllLost
	case s.remaining() > 0:
		return engine.EndedBySeconds
	}
	// The lane that ran the longest has come to the nearer of two limits.
	for _, r := range s.lanes {
		if r.Standing().Diverged == nil && r.Standing().Step == s.now.Config.Steps {
			return engine.EndedBySteps
		}
	}
	if s.now.Problem.Source != nil {
		return engine.EndedByWriter
	}
	return engine.EndedByEpochs
}
