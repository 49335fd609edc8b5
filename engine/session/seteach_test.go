package session

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
)

// One command gives each lane a value of its own, is undone as one, and is replayed.
// Its notice says which lane has come by what.
func TestSetEach(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "psgld", "sgld", "psgld"), Runtime{})
	l.do(in(state.Paused), state.Pause{})
	eps := func(s *engine.Snapshot, want ...float64) {
		t.Helper()
		for i, v := range s.Lanes {
			if got := v.Setting.Eps(); got != want[i] {
				t.Errorf("ε of lane %d is %g, want %g", i, got, want[i])
			}
		}
	}
	l.do(nil, state.Restart{Seed: 1})
	l.do(nil, state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.1})
	l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Lanes[0].Step == 50 }, state.StepBy{N: 50})
	s := l.do(nil, state.SetEach{Key: "eps", Values: [state.MaxLanes]float64{0.2, 0.1, 0.3}})
	eps(s, 0.2, 0.1, 0.3)
	want := state.Changed{Step: 50, Lanes: []state.LaneChange{{Lane: 0, Change: state.ParamChange{Sampler: "psgld", Key: "eps", From: 0.1, To: 0.2}}, {Lane: 2, Change: state.ParamChange{Sampler: "psgld", Key: "eps", From: 0.1, To: 0.3}}}, Of: 3}
	if !reflect.DeepEqual(s.Notice.Fact, want) {
		t.Errorf("it says %+v, want %+v", s.Notice.Fact, want)
	}
	s = l.do(nil, state.SetEach{Key: "alpha", Values: [state.MaxLanes]float64{0.9, 7, 0.9}}) // a lane without it takes no notice
	if s.Notice.Err() != nil || s.Lanes[2].Setting.Value("alpha") != 0.9 || s.Lanes[1].Setting.Has("alpha") {
		t.Errorf("α: %+v", s.Notice)
	}
	eps(l.do(nil, state.SetEach{Key: "eps", Values: [state.MaxLanes]float64{0.4, 0.4, -1}}), 0.2, 0.1, 0.3) // none, if one refuses it
	l.do(nil, state.Undo{})
	eps(l.do(nil, state.Undo{}), 0.1, 0.1, 0.1)
	eps(l.do(nil, state.Redo{}), 0.2, 0.1, 0.3)
	l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Lanes[0].Step == 350 }, state.StepBy{N: 300})
	_ = l.stop()
	rec := l.Recording("test")
	b, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	back, err := engine.ReadRecording(strings.NewReader(string(b)))
	if err != nil || !reflect.DeepEqual(back.Events, rec.Events) {
		t.Fatalf("read back: %v", err)
	}
	if err := Verify(t.Context(), back, Runtime{}); err != nil {
		t.Error(err)
	}
}
