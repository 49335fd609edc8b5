package run

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
)

// A session at full speed rests once the Monte Carlo error of all that is shown is below a tenth of a percent of a
// standard deviation, 1/√ESS, and nobody has done anything for so long: more draws would change no digit on the
// screen, and cost a processor.
const (
	restESS   = 1e6
	restAfter = time.Minute
)

// idle is since when nobody has done anything.
type idle struct {
	done  [2]uint64 // keys pressed and commands sent until then
	since time.Time
}

// rest pauses a session that has drawn enough.
func (c *Run) rest() tea.Cmd {
	s := c.Feed.Newest
	done := [2]uint64{uint64(c.Keys.Press), c.Feed.Sent}
	if done != c.idle.done || c.idle.since.IsZero() {
		c.idle = idle{done, c.Now()}
	}
	if !c.rests || c.Settings.Rest == "off" || c.Screen.Filming || c.Screen.Sweeping || s.Phase != state.Running ||
		s.Speed > 0 || s.Tape.Seeking || c.Now().Sub(c.idle.since) < restAfter {
		return nil
	}
	for i := range s.Lanes {
		v := &s.Lanes[i]
		if v.Kind != sampler.Sampling || !(v.Values[quantity.MinESS].Trusted() >= restESS) {
			return nil
		}
	}
	c.idle.since = c.Now()
	cmd := c.Feed.Send(state.Pause{})
	c.Screen.Dirty = true
	return tea.Batch(cmd, c.Notices.Stay("at rest: more draws would change no digit here; "+c.Keys.First("pause")+
		" goes on, "+c.Keys.First("set")+" rest off keeps it running", c.Feed.Sent))
}
