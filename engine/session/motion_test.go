package session

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
)

// Looking at steps one by one changes nothing, and their two parts add up: SGLD's
// drift from x on N(0, σ²) is -ε x/(2σ²), and at T = 0 there is nothing else.
func TestMotion(t *testing.T) {
	p := open(t, "gaussian")
	for _, name := range []string{"sgld", "psgld", "sghmc", "hmc"} {
		c := config(p, 0, map[string]float64{"eps": 0.1}, name)
		l := start(t, c, Runtime{})
		l.do(in(state.Paused), state.Pause{})
		l.do(nil, state.Restart{Seed: 5})
		for n := uint64(1); n <= 300; n++ {
			s := l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Step == n }, state.StepBy{N: 1})
			m := s.Lanes[0].Motion
			if (m == nil) != (name == "hmc") {
				t.Fatalf("%s: motion %v at step %d", name, m, n)
			}
			if name == "sgld" {
				for k, v := range []float64{0.16, 1} {
					if want := -0.1 * m.From[k] / (2 * v); math.Abs(m.Drift[k]-want) > 1e-12 {
						t.Fatalf("step %d: drift %g, want %g", n, m.Drift[k], want)
					}
				}
			}
		}
		cold := l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Step == 303 }, state.SetParam{Lane: state.AllLanes, Key: sampler.KeyTemp, Value: 0}, state.StepBy{N: 3})
		if m := cold.Lanes[0].Motion; name == "sgld" && (m.From[0]+m.Drift[0] != cold.Lanes[0].Now[0] || m.From[1]+m.Drift[1] != cold.Lanes[0].Now[1]) {
			t.Errorf("at T = 0 %+v leads to %v", m, cold.Lanes[0].Now)
		}
		_ = l.stop()
		rec := l.Recording("test")
		if err := Verify(t.Context(), rec, Runtime{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A step is not taken apart by a setting or a method that it was not taken with.
func TestMotionIsOfItsSetting(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "sghmc"), Runtime{})
	l.do(in(state.Paused), state.Pause{})
	l.do(nil, state.Restart{Seed: 5})
	at := uint64(0)
	step := func() *engine.Motion {
		at++
		return l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Step == at }, state.StepBy{N: 1}).Lanes[0].Motion
	}
	for _, c := range []state.Command{state.SetParam{Lane: 0, Key: "eps", Value: 0.05}, state.SetSampler{Lane: 0, Name: "sgnht"}, state.SetSampler{Lane: 0, Name: "psgld"}, state.SetSampler{Lane: 0, Name: "csgld"}, state.Undo{}, state.SetSchedule{Lane: 0, Schedule: sampler.Schedule{Kind: "halve", Every: 3}}} {
		if step() == nil {
			t.Fatalf("before %T: no motion after a single step", c)
		}
		if s := l.do(nil, c); s.Lanes[0].Motion != nil {
			t.Errorf("%T: the step before it is taken apart with what came after", c)
		}
	}
}
