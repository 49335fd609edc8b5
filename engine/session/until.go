package session

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// How a session ends where enough is drawn. A lane says how many steps there are to its next look (quantity.NextLook),
// no chunk goes beyond that, and after the chunk the session looks: at all lanes, or in a race at the lanes that are
// due. What a look finds follows from the draws alone, and so from the Config and the commands. It holds until the lane
// goes on. A lane that has diverged does not count, and one that does not sample has nothing to find.

// looking reports whether the session looks whether it is enough.
func (s *Session) looking() bool { return s.now.Config.Until.Wanted() }

// untilLook is how many steps there are to the next look at a lane.
func (s *Session) untilLook(r lane.Runner) uint64 {
	if !s.looking() || r.Standing().Diverged != nil {
		return math.MaxUint64
	}
	return r.Standing().UntilLook
}

// lookAt looks at the lanes that ran, if one of them was due.
func (s *Session) lookAt(jobs []job) {
	if !s.looking() || s.behind() > 0 { // the lanes that were interrupted come to the place of the look first
		return
	}
	due := func(j *job) bool {
		return j.steps > 0 && j.lane.Standing().Diverged == nil && j.lane.Standing().PerChain == quantity.NextLook(j.had)
	}
	any := slices.ContainsFunc(jobs, func(j job) bool { return due(&j) })
	for i := range jobs {
		at := s.now.Lanes[i].ID
		switch j := &jobs[i]; {
		case s.now.Config.Race && due(j) || !s.now.Config.Race && any:
			s.met[at] = !j.lane.Standing().Samples || j.lane.Measures().Enough(s.now.Config.Until)
		case j.steps > 0:
			s.met[at] = false
		}
	}
	if any && s.enough() && !s.line.Seeking && len(s.line.Ahead()) == 0 {
		s.sayEnough()
	}
}

func (s *Session) sayEnough() {
	end := slices.Max(standings(s, func(n lane.Standing) uint64 { return n.Step }))
	s.say(state.Enough{Until: s.now.Config.Until, Step: end, Seconds: s.seconds()})
}

// enough reports whether each lane that samples was found to have drawn enough where it stands, and there is one.
func (s *Session) enough() bool {
	some := false
	for i, r := range s.lanes {
		if r.Standing().Samples && !s.met[s.now.Lanes[i].ID] {
			return false
		}
		some = some || r.Standing().Samples
	}
	return some && s.looking()
}

// lost reports whether all lanes that sample have diverged, and another lane has come to a look. On a screen the
// session goes on, since they can be taken back.
func (s *Session) lost() bool {
	if !s.looking() || s.rt.Interactive || slices.ContainsFunc(s.lanes, func(r lane.Runner) bool { return r.Standing().Samples }) {
		return false
	}
	looked, gone := false, false
	for i, r := range s.lanes {
		gone = gone || r.Standing().Diverged != nil
		looked = looked || r.Standing().Diverged == nil && s.met[s.now.Lanes[i].ID]
	}
	return looked && gone
}

// look looks at once whether a new Until holds.
func (s *Session) look(u quantity.Until) {
	for i, r := range s.lanes {
		s.met[s.now.Lanes[i].ID] = r.Standing().Samples && s.looking() && r.Measures().Enough(u)
	}
	if s.enough() {
		s.sayEnough()
	}
}

// needs fills in how many draws each lane needs until enough is drawn. The lanes' time left is then that of the slowest
// of them, unless another limit comes first. It is NaN where it is not known.
func (s *Session) needs(lanes []engine.LaneView) {
	most := math.Inf(-1)
	for i, r := range s.lanes {
		if !s.looking() || !r.Standing().Samples {
			continue
		}
		v := &lanes[i]
		v.Enough = needed(v, s.now.Config.Until, s.now.Config.ChainCount())
		left := math.NaN()
		if rate := s.rate(v); v.Enough > 0 && rate > 0 {
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

// needed is how many draws the window of a lane needs in all until u holds, at a look; 0 where that is not known. It
// goes by the slowest coordinate and by R-hat of the watched ones or of all chains: effective draws grow with draws,
// standard errors fall with the root of their number, and R-hat falls to 1 with its inverse.
func needed(v *engine.LaneView, u quantity.Until, chains int) uint64 {
	n, most := float64(v.Draws), 0.0
	grow := func(by float64, e metrics.Estimate) {
		if !e.OK() {
			by = math.NaN()
		}
		most = max(most, n*by)
	}
	ess, rhat := v.Values[quantity.MinESS], v.Values[quantity.MaxRHat]
	if x := u[quantity.MCSE]; x > 0 {
		grow(1/float64(x*x)/ess.Value, ess)
	}
	if x := u[quantity.ESS]; x > 0 {
		if bulk := v.Values[quantity.MinBulkESS]; bulk.OK() && bulk.Draws == v.Draws {
			ess = bulk
		}
		grow(x/ess.Value, ess)
	}
	if x := u[quantity.RHat]; x > 0 {
		if chains == 1 {
			rhat = v.Coords[0].Values[quantity.RHat]
			if e := v.Coords[1].Values[quantity.RHat]; !e.OK() || e.Value > rhat.Value {
				rhat = e
			}
		}
		grow((rhat.Value-1)/(x-1), rhat)
	}
	if !(most < param.MaxInteger) {
		return 0
	}
	of := uint64(chains)
	return of * quantity.NextLook(max(uint64(most), v.Draws, of)/of-1)
}

// endedBy is what has ended the session, empty for one that may go on.
func (s *Session) endedBy() engine.Ending {
	switch {
	case s.now.Mode.Phase == state.AllDiverged:
		return engine.AllLost
	case s.now.Mode.Phase != state.Done && s.ended:
		return engine.Interrupted
	case s.now.Mode.Phase != state.Done:
		return ""
	case s.enough():
		return engine.EndedByUntil
	case s.remaining() > 0 && s.lost():
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
	return engine.EndedByEpochs
}
