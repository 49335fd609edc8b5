package session

import (
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/session/internal/queue"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/timeline"
	"github.com/psgld/psgld-tui/targets"
)

// sessionState is all of a session that a keyframe holds beside its lanes. A copy of it
// is not changed by what is done to the session: nothing in it is changed in place.
type sessionState struct {
	now  state.State
	met  [state.MaxLanes]bool   // Until holds, by a lane's id, as the newest look found if the lane has not gone on since
	owed [state.MaxLanes]uint64 // steps of a lane that was interrupted in a chunk, by its id
}

// A sessionCopy is a session between two steps: what a keyframe holds.
type sessionCopy struct {
	sessionState
	lanes []lane.Copy
}

// Bytes implements timeline.State.
func (k *sessionCopy) Bytes() int {
	sum := 0
	for _, l := range k.lanes {
		sum += l.Bytes()
	}
	return sum
}

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

// newCourse begins a course with a script ahead.
func (s *Session) newCourse(cfg state.Config, p *targets.Problem, script []state.Event) course {
	b := timeline.DefaultBudget
	if s.rt.Memory != nil {
		b.Bytes, b.Least = s.fitted, 1 // where many share, one is better than none
	}
	cfg.Lanes = slices.Clone(cfg.Lanes)
	return course{start: cfg, begun: p, line: timeline.New[engine.LoggedCommand, *sessionCopy](engine.Logged(len(cfg.Lanes), script), b)}
}

// fit keeps the keyframes of the session and of the shelved ones within its part of the shared
// memory.
func (s *Session) fit() {
	if s.part == nil {
		return
	}
	bytes := timeline.Portion(s.part.Bytes(), mostShelved)
	if bytes == s.fitted {
		return
	}
	s.fitted = bytes
	s.line.Resize(s.place(), bytes)
	for i := range s.shelf {
		l := &s.shelf[i]
		l.line.Resize(l.at, bytes)
		l.line = l.line.Shelved(l.at)
	}
}

// keepsKeyframes reports whether the session has keyframes. One that writes its draws has none:
// they are written again when it goes back, from the first one on.
func (s *Session) keepsKeyframes() bool { return s.rt.Interactive && s.rt.Sink == nil }

// keepKeyframe makes a keyframe of the session as it stands, if that is due.
func (s *Session) keepKeyframe(ran time.Duration) {
	if !s.keepsKeyframes() || s.failed != nil {
		return
	}
	if at := s.place(); s.line.Due(at, ran, s.evaluating) {
		s.line.Keep(at, func() *sessionCopy {
			return &sessionCopy{sessionState: s.sessionState, lanes: ofLanes(s, lane.Runner.Copy)}
		})
	}
}

// warmUp is how many steps a lane runs until it holds as many recent draws as it
// does at most, where they are shown.
func (s *Session) warmUp() uint64 {
	if !s.shiftOn() {
		return 0
	}
	return slices.Max(standings(s, func(n lane.Standing) uint64 { return n.RecentSteps }))
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
	s.images, s.meter = predict.Images{}, queue.Meter{}
	s.line.Back(f.Done)
	return nil
}
