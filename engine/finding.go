package engine

import (
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
)

// A Finding is what matters of a session, as a document has it: its Key is that of the table of engine/finding.
type Finding struct {
	Key        string         `json:"key"`
	Lane       string         `json:"lane,omitempty"`     // A to D; empty of all lanes together
	Quantities map[string]Num `json:"quantities"`         // its evidence by key; a standard error has "_se" behind it
	Proposes   string         `json:"proposes,omitempty"` // a command as it is typed; empty for none
	Text       string         `json:"text"`
}

// DrawsPerSecond is how many draws a lane makes in a second at the present speed, 0 where that is not known.
func (s *Snapshot) DrawsPerSecond(v *LaneView) float64 {
	if v.Diverged != nil || !(s.Rate > 0) {
		return 0
	}
	own, all, running := v.Values[quantity.StepsPerSecond].Trusted(), 0.0, 0.0
	for i := range s.Lanes {
		if u := &s.Lanes[i]; u.Diverged == nil {
			running++
			all += u.Values[quantity.StepsPerSecond].Trusted()
		}
	}
	steps := s.Rate / running
	if s.Config.Race && own > 0 && all > 0 { // each at its own speed
		steps = s.Rate * own / all
	}
	if most := s.Speed * float64(max(len(v.Chains), 1)); most > 0 {
		steps = min(steps, most)
	}
	return steps / max(v.Setting.Or(sampler.KeyThin, 1), 1)
}
