package app

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/control"
)

// unwritten is what would be lost by quitting.
type unwritten struct {
	seconds float64 // of sampling since the session was written
	asked   uint64  // the press that was held back; the next one quits
}

// worthAsking is how much sampling is not lost without a word.
const worthAsking = time.Minute

// note adds what has been sampled since a snapshot, but along a tape, which is
// written or was played before.
func (u *unwritten) note(before, now *engine.Snapshot) {
	if before.Problem == now.Problem && !control.Ahead(&before.Tape) {
		u.seconds += max(0, sampledFor(now)-sampledFor(before))
	}
}

// sampledFor is the sampling time of the lane that has sampled longest.
func sampledFor(s *engine.Snapshot) float64 {
	most := 0.0
	for i := range s.Lanes {
		most = max(most, s.Lanes[i].Seconds)
	}
	return most
}

// quit ends the program. Where something of worth would be lost it says so first,
// and ends at the next key that asks for it.
func (m *model) quit() tea.Cmd {
	u := &m.unwritten
	var lost []string
	written := m.opts.Recorded || m.opts.Write == nil
	if d := time.Duration(u.seconds * float64(time.Second)); !written && d >= worthAsking {
		lost = append(lost, fmt.Sprintf("%s of sampling", d.Round(time.Second)))
	}
	if !written && m.Feed.Branched {
		lost = append(lost, "a branch")
	}
	w := ""
	if len(lost) > 0 {
		w = m.Key("write") + " writes, "
		lost[0] = "not written: " + lost[0]
	}
	for _, loss := range m.Losses {
		if text := loss(); text != "" {
			lost = append(lost, text)
		}
	}
	if u.asked > 0 && u.asked+1 == m.Press || len(lost) == 0 {
		return tea.Quit
	}
	u.asked = m.Press
	m.Close()
	return m.Say(true, fmt.Sprintf("%s; %s%s again quits", strings.Join(lost, ", "), w, m.Key("quit")))
}
