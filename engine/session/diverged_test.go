package session

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
)

// A divergence has the bound that was crossed, and a rewind tells of it with the
// step sizes before and after.
func TestDivergenceInParts(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, map[string]float64{"eps": 1.6}, "sgld"), Runtime{})
	lost := func(s *engine.Snapshot) bool { return s.Lanes[0].Diverged != nil }
	d := l.do(lost).Lanes[0].Diverged
	if d.Coordinate != "theta[1]" || !(math.Abs(d.Value) >= sampler.Limit) || d.Eps != 1.6 || d.Bound.Kind != sampler.VarianceBound || math.Abs(d.Bound.Eps-0.64) > 1e-12 {
		t.Errorf("diverged: %+v", d)
	}
	for _, eps := range []float64{0.8, 0.4} {
		s := l.do(nil, state.Pause{}, state.Rewind{Lane: state.AllLanes, Steps: 200, EpsFactor: 0.5})
		back := state.RewindChange{Step: s.Lanes[0].Step, FromEps: 2 * eps, Eps: eps}
		if got, want := s.Notice.Fact.(state.Rewound).Lanes, (state.LaneRewind{RewindChange: back, Diverged: d}); len(got) != 1 || got[0] != want {
			t.Errorf("the notice is %+v, want %+v", got, want)
		}
		if eps > d.Bound.Eps {
			d = l.do(lost, state.Resume{}).Lanes[0].Diverged
		}
	}
	// Below the bound nothing is known of why: no bound.
	l.do(nil, state.SetParam{Lane: state.AllLanes, Key: sampler.KeyEps, Value: 0.7}, state.SetParam{Lane: state.AllLanes, Key: sampler.KeyTemp, Value: 1e20})
	if d := l.do(lost, state.SetParam{Lane: state.AllLanes, Key: sampler.KeyEps, Value: 0.5}, state.Resume{}).Lanes[0].Diverged; d.Bound != (sampler.Bound{}) || d.Eps != 0.5 {
		t.Errorf("diverged at ε = 0.5 and T = 1e20: %+v", d)
	}
}
