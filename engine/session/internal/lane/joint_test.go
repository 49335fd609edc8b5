package lane

import (
	"fmt"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/state"
)

// A lane whose chains step side by side is the lane in which each steps by itself: states,
// statistics and where it diverges are the same.
func TestJointChains(t *testing.T) {
	innerlooptest.Skip(t, "every number of chains")
	sizes := []int{1, 2, 4, 5}
	if testing.Short() {
		sizes = sizes[1:3]
	}
	for _, c := range []struct {
		spec, method string
		with         map[string]float64
		schedule     string
	}{
		{"gaussian", "psgld", nil, ""},
		{"gaussian", "sgld", nil, ""},
		{"gaussian:noise=0.3", "psgld", map[string]float64{sampler.KeyThin: 7, sampler.KeyBurnIn: 300}, ""},
		{"gaussian:noise=0.3", "sgld", map[string]float64{sampler.KeyThin: 200}, ""},
		{"gaussian", "sgld", map[string]float64{sampler.KeyEps: 3.99}, ""}, // diverges
		{"gaussian", "psgld", nil, "halve:100"},
		{"banana", "psgld", map[string]float64{"gamma": 1}, ""},
		{"banana", "psgld-adagrad", nil, ""},
		{"mixture", "psgld-adam", map[string]float64{sampler.KeyTemp: 0}, ""},
		{"funnel", "psgld", map[string]float64{"v0": 1, "freeze": 700}, ""},
	} {
		p := open(t, c.spec)
		for _, chains := range sizes {
			var ends []string
			for _, joint := range []bool{true, false} {
				cfg := config(p, 0, nil, c.method)
				cfg.Chains = chains
				set := cfg.Lanes[0]
				for k, v := range c.with {
					set = set.With(k, v)
				}
				set.Schedule, _, _ = sampler.ParseSchedule(c.schedule)
				cfg.Lanes = []state.Setting{set}
				l := oneLane(t, cfg, set, p).(*lane[float64])
				if _, ok := l.stepper.(*sideBySide[float64]); !ok {
					t.Fatalf("%s on %s: the chains do not step side by side", c.method, c.spec)
				}
				if !joint {
					l.stepper = inTurn[float64]{l}
				}
				for _, n := range []uint64{1, 300, 2, 1200, 6000} {
					l.Advance(n)
				}
				l.Took = record.Times{} // and the rates with it
				v := l.measures.View(false, nil)
				ends = append(ends, fmt.Sprint(l.records.Digest(), l.Digests, v.Step, v.Kept, v.Diverged, v.Values, v.Coords, l.First.Info, l.measures.Temperature(), l.measures.Location(), l.First.Gradients))
				l.Close()
			}
			if ends[0] != ends[1] {
				t.Errorf("%s on %s with %v, %d chains: side by side\n%.600s\nby themselves\n%.600s", c.method, c.spec, c.with, chains, ends[0], ends[1])
			}
		}
	}
}
