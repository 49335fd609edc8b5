package lane

import (
	"fmt"
	"testing"

	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/state"
)

// Witnesses that wait take all draws with which they would have done something, and none wait where companions take
// each draw.
func TestPatientWitnessesMissNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		config state.Config
	}{{"hmc", state.Config{}}, {"hmc", state.Config{Chains: 3}}, {"psgld", state.Config{Bias: true}},
		{"adam", state.Config{}}} {
		var ends [2]string
		for i, wait := range []bool{true, false} {
			l := benchLane(t, "gaussian", c.name, c.config).(*lane[float64])
			if _, ok := l.stepper.(inTurn[float64]); c.config.Bias && !ok {
				t.Errorf("%s: companions go by strides", c.name)
			}
			for range 3000 {
				if !wait {
					l.records.InForce(false)
				}
				l.Advance(1)
			}
			l.Took = record.Times{}
			v := l.measures.View(false, nil)
			ends[i] = fmt.Sprint(l.records.Digest(), v.Values, v.Coords, l.measures.Temperature())
			for _, p := range v.History {
				ends[i] += fmt.Sprint(" ", p.Step)
			}
		}
		if ends[0] != ends[1] || len(ends[0]) < 1000 {
			t.Errorf("%s with %d chains: %s\nwith all draws %s", c.name, c.config.ChainCount(), ends[0], ends[1])
		}
	}
}
