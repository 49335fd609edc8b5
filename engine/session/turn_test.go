package session

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/state"
)

// A parameter of the target is turned in all lanes at once, with a mark and a window in each and
// one undo. It is recorded under its key, and replayed. Going back along the session brings the
// target back that was there, and a lane that is rewound goes on with the present one.
func TestTurnTarget(t *testing.T) {
	innerlooptest.Skip(t, "many sessions")
	for _, c := range []struct {
		spec, key string
		from, to  float64
		turned    string
	}{
		{"banana", "target.b", 0.5, 0.8, "banana:b=0.8"},
		{"gaussian", "target.noise", 0, 0.2, "gaussian:noise=0.2"},
		{"density:-x^2/2 - (y-b*x^2)^2;b=0.5", "target.b", 0.5, 1, "density:-x^2/2 - (y-b*x^2)^2;b=1"},
	} {
		t.Run(c.spec, func(t *testing.T) {
			l := start(t, config(open(t, c.spec), 0, nil, "psgld", "sgld"), Runtime{Interactive: true})
			p := l.Snapshot().Problem
			l.do(in(state.Paused), state.Pause{})
			begun := l.do(nil, state.Restart{Seed: 1}).Tape.At // after the steps that came before the pause
			on := func(n uint64) *engine.Snapshot {
				t.Helper()
				to := l.Snapshot().Lanes[0].Step + n
				return l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Lanes[0].Step == to }, state.StepBy{N: n})
			}
			is := func(s *engine.Snapshot, spec string, x float64) {
				t.Helper()
				if s.Problem.Spec != spec || s.Config.Target != spec || s.Problem.Opened() != p {
					t.Errorf("the target is %s, in the config %s, want %s", s.Problem.Spec, s.Config.Target, spec)
				}
				for i := range s.Lanes {
					if got := s.Lanes[i].Setting.Value(c.key); got != x {
						t.Errorf("%s of lane %d is %g, want %g", c.key, i, got, x)
					}
				}
			}
			is(on(3000), p.Spec, c.from)
			s := l.do(nil, state.SetParam{Lane: 1, Key: c.key, Value: c.to}) // of all lanes, whichever it is sent to
			is(s, c.turned, c.to)
			if len(s.Marks) != 2 || s.Lanes[0].Draws != 0 || s.Lanes[1].Previous.Draws != 3000 || !s.CanUndo {
				t.Errorf("marks %v, %d draws, before %+v", s.Marks, s.Lanes[0].Draws, s.Lanes[1].Previous)
			}
			if want := (state.ParamChange{Sampler: "sgld", Key: c.key, From: c.from, To: c.to}); s.Marks[1].Change != state.Change(want) {
				t.Errorf("the mark says %+v", s.Marks[1].Change)
			}
			is(on(2000), c.turned, c.to)
			is(l.do(nil, state.Undo{}), p.Spec, c.from)
			if l.Snapshot().Problem != p {
				t.Error("the undone target is not the one that was there")
			}
			on(1000)
			is(l.do(nil, state.Redo{}), c.turned, c.to)
			on(1000)
			is(l.do(nil, state.Rewind{Lane: 0, Steps: 5500, EpsFactor: 1}), c.turned, c.to)
			on(500)
			end := l.do(nil, state.SetParam{Lane: state.AllLanes, Key: c.key, Value: c.from})
			is(end, p.Spec, c.from)
			on(500)
			for key, want := range map[string]string{"target.q": "has no parameter", c.key: "must be"} {
				if s := l.do(nil, state.SetParam{Lane: state.AllLanes, Key: key, Value: -1e13}); s.Notice.Err() == nil || !strings.Contains(s.Notice.Err().Error(), want) {
					t.Errorf("%s = -1e13: %v", key, s.Notice.Err())
				}
			}
			is(l.Snapshot(), p.Spec, c.from)

			seek := func(to uint64) *engine.Snapshot {
				t.Helper()
				return l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Tape.At == to }, state.Seek{To: to})
			}
			at := l.Snapshot().Tape.At
			is(seek(begun+4000), c.turned, c.to)
			is(seek(begun+1000), p.Spec, c.from)
			is(seek(at), p.Spec, c.from)
			_ = l.stop()
			rec := l.Recording("test")
			b, err := json.Marshal(rec)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(string(b), `"`+c.key+`"`) != 2 { // the two turns
				t.Errorf("the recording is %s", b)
			}
			back, err := engine.ReadRecording(strings.NewReader(string(b)))
			if err != nil || !reflect.DeepEqual(back.Events, rec.Events) {
				t.Fatalf("read back: %v", err)
			}
			if err := Verify(t.Context(), back, Runtime{}); err != nil {
				t.Error(err)
			}
			if r := l.Result("test"); r.Config.Target != p.Spec || r.Config.Lanes[0].Has(c.key) {
				t.Errorf("the result's config is %+v", r.Config)
			}
		})
	}
}

// A method that needs gradients without noise keeps a target without.
func TestTurnTargetUnfit(t *testing.T) {
	l := start(t, config(open(t, "gaussian"), 0, nil, "hmc"), Runtime{})
	p := l.Snapshot().Problem
	l.do(in(state.Paused), state.Pause{})
	if s := l.do(nil, state.SetParam{Lane: state.AllLanes, Key: "target.noise", Value: 0.1}); s.Notice.Err() == nil || s.Problem != p {
		t.Errorf("%v", s.Notice.Err())
	}
	s := l.do(nil, state.SetParam{Lane: state.AllLanes, Key: "target.a", Value: 4})
	if s.Notice.Err() != nil || s.Problem.Spec != "gaussian:a=4" || s.Lanes[0].TrueCov[2] != 4 {
		t.Errorf("%v, %s, %v", s.Notice.Err(), s.Problem.Spec, s.Lanes[0].TrueCov)
	}
	_ = l.stop()
}
