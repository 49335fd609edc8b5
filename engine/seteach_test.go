package engine

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// One command gives each lane a value of its own, is undone as one, and is replayed.
// Its notice says which lane has come by what.
func TestSetEach(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "psgld", "sgld", "psgld"), Runtime{})
	l.do(in(Paused), Pause{})
	eps := func(s *Snapshot, want ...float64) {
		t.Helper()
		for i, v := range s.Lanes {
			if got := v.Setting.Eps(); got != want[i] {
				t.Errorf("ε of lane %d is %g, want %g", i, got, want[i])
			}
		}
	}
	l.do(nil, Restart{1})
	l.do(nil, SetParam{AllLanes, "eps", 0.1})
	l.do(func(s *Snapshot) bool { return s.Phase == Paused && s.Lanes[0].Step == 50 }, StepBy{50})
	s := l.do(nil, SetEach{"eps", [MaxLanes]float64{0.2, 0.1, 0.3}})
	eps(s, 0.2, 0.1, 0.3)
	want := Changed{Step: 50, Lanes: []LaneChange{{0, ParamChange{"psgld", "eps", 0.1, 0.2}}, {2, ParamChange{"psgld", "eps", 0.1, 0.3}}}, Of: 3}
	if !reflect.DeepEqual(s.Notice.Fact, want) {
		t.Errorf("it says %+v, want %+v", s.Notice.Fact, want)
	}
	s = l.do(nil, SetEach{"alpha", [MaxLanes]float64{0.9, 7, 0.9}}) // a lane without it takes no notice
	if s.Notice.Err() != nil || s.Lanes[2].Setting.Value("alpha") != 0.9 || s.Lanes[1].Setting.Has("alpha") {
		t.Errorf("α: %+v", s.Notice)
	}
	eps(l.do(nil, SetEach{"eps", [MaxLanes]float64{0.4, 0.4, -1}}), 0.2, 0.1, 0.3) // none, if one refuses it
	l.do(nil, Undo{})
	eps(l.do(nil, Undo{}), 0.1, 0.1, 0.1)
	eps(l.do(nil, Redo{}), 0.2, 0.1, 0.3)
	l.do(func(s *Snapshot) bool { return s.Phase == Paused && s.Lanes[0].Step == 350 }, StepBy{300})
	_ = l.stop()
	rec := l.Recording("test")
	b, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadRecording(strings.NewReader(string(b)))
	if err != nil || !reflect.DeepEqual(back.Events, rec.Events) {
		t.Fatalf("read back: %v", err)
	}
	if err := Verify(t.Context(), back, Runtime{}); err != nil {
		t.Error(err)
	}
}
