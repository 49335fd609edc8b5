package state

import (
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
)

// SetSchedule gives a lane another step-size schedule. One for all of several lanes leaves those alone that adapt
// their own step size.
type SetSchedule struct {
	Lane     int              `json:"lane"`
	Schedule sampler.Schedule `json:"schedule"`
}

var _ = recorded[SetSchedule]()

func (SetSchedule) Kind() string { return "set-schedule" }
func (c SetSchedule) lane() int  { return c.Lane }

func (c SetSchedule) apply(s *State) (Fact, error) {
	return s.change(c.Lane, func(_ int, set Setting) (Setting, error) {
		if m, _ := catalog.Find(set.Sampler); m.Metropolis && c.Lane == AllLanes && len(s.Lanes) > 1 {
			return set, nil
		}
		set.Schedule = c.Schedule
		return set, set.Validate(s.Problem)
	})
}
