package session

import (
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/session/internal/queue"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/timeline"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// sessionState is all of a session that a keyframe holds beside its lanes. A copy of it
// is not changed by what is done to the session: nothing in it is changed in place.
type sessionState struct {
	now  state.State
	met  met
	owed [state.MaxLanes]uint64 // steps of a lane that was interrupted in a chunk, by its ID
}

// A sessionCopy is a session between two steps: what a keyframe holds.
type sessionCopy struct {
	sessionState
	lanes []lane.Copy
}

func (k *sessionCopy) Bytes() int { return list.Sum(k.lanes, lane.Copy.Bytes) }

// BytesBeyond implements timeline.State: what keyframes share are the lanes' checkpoints.
func (k *sessionCopy) BytesBeyond(other *sessionCopy) int {
	sum := 0
	for i, l := range k.lanes {
		var o lane.Copy
		if other != nil && i < len(other.lanes) {
			o = other.lanes[i]
		}
		sum += l.BytesBeyond(o)
	}
	return sum
}

// keepKeyframe makes a keyframe of the session as it stands, if that is due.
func (s *Session) keepKeyframe(ran time.Duration) {
	if !s.rt.keyframes() || s.failed != nil {
		return
	}
	if at := s.place(); s.line.Due(at, ran, s.lanes.evaluating) {
		s.line.Keep(at, func() *sessionCopy {
			return &sessionCopy{sessionState: s.sessionState, lanes: list.Map(s.lanes, lane.Runner.Copy)}
		})
	}
}

// warmUp is how many steps a lane runs until it holds as many recent draws as it does at most, where they are shown.
func (s *Session) warmUp() uint64 {
	if !s.side.Shifted(&s.now) {
		return 0
	}
	return slices.Max(standings(s.lanes, func(n lane.Standing) uint64 { return n.RecentSteps }))
}

// restore makes the session what a keyframe holds. What it has done since is ahead
// again. After an error it is as it was.
func (s *Session) restore(f *timeline.Keyframe[*sessionCopy]) error {
	k := f.State
	to, kept := k.now.From(s.now), make([]lane.Runner, len(k.lanes))
	for i, c := range k.lanes {
		at := slices.Index(s.now.IDs(), to.Lanes[i].ID)
		if at >= 0 && s.now.Problem.Opened() == to.Problem.Opened() && c.Fits(s.lanes[at]) {
			kept[i] = s.lanes[at]
		}
	}
	if err := s.replace(s.stopped(), to, kept); err != nil {
		return err
	}
	s.met, s.owed = k.met, k.owed
	for i, r := range s.lanes {
		r.Restore(k.lanes[i])
	}
	s.side.Images, s.clock.Meter = predict.Images{}, queue.Meter{}
	s.line.Back(f.Done)
	return nil
}
