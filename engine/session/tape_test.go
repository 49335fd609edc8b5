package session

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/state"
)

// at goes to a place of the tape and waits until the session stands there.
func (l *live) at(to uint64) *engine.Snapshot {
	l.t.Helper()
	return l.do(func(s *engine.Snapshot) bool { return !s.Tape.Seeking && s.Phase != state.Running && s.Tape.At == to }, state.Seek{To: to})
}

// A session that was turned, rewound, restarted and given other lanes and
// targets is played back and forth: wherever it stands, it stands as it did when it
// was first there.
func TestSeek(t *testing.T) {
	for _, race := range []bool{false, true} {
		p := open(t, "gaussian")
		c := config(p, 0, nil, "psgld", "sgld")
		c.Race = race
		l := start(t, c, Runtime{})
		look := func(s *engine.Snapshot) []float64 {
			var all []float64
			for _, v := range s.Lanes {
				all = append(all, v.Now[0], v.Now[1], float64(v.Step), v.Setting.Eps(), float64(v.Draws))
			}
			return all
		}
		been := map[uint64][]float64{}
		note := func() {
			s := l.do(in(state.Paused), state.Pause{})
			if s.Tape.At != s.Tape.End {
				t.Fatalf("a live session stands at %d of %d", s.Tape.At, s.Tape.End)
			}
			been[s.Tape.At] = look(s)
		}
		run := func(n uint64) {
			before := l.do(nil).Tape.At
			l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Tape.At == before+n }, state.StepBy{N: n})
			note()
		}
		l.do(in(state.Paused), state.Pause{})
		l.do(nil, state.Restart{Seed: 1}) // whatever ran before the pause
		run(100)
		l.do(nil, state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.2})
		run(57)
		l.do(nil, state.AddLane{Name: "sgld"})
		run(43)
		l.do(nil, state.Rewind{Lane: 0, Steps: 30, EpsFactor: 0.5})
		run(10)
		l.do(nil, state.Restart{Seed: 7})
		run(200)
		l.do(nil, state.RemoveLane{Lane: 0})
		run(90)
		l.do(nil, state.SetTarget{Target: "banana"})
		run(300)
		end := l.do(nil).Tape.End
		places := []uint64{}
		for at := range been {
			places = append(places, at)
		}
		slices.Sort(places)
		for _, at := range []int{0, 5, 2, 4, 1, 6, 3, 3, 0, 6} {
			s := l.at(places[at])
			if s.Tape.End != end || len(s.Tape.Events) != 7 {
				t.Errorf("race %v: the tape has %d steps and %d events, want %d and 7", race, s.Tape.End, len(s.Tape.Events), end)
			}
		}
		for _, at := range places {
			l.at(at - 1)
			s := l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused }, state.Pause{})
			if s.Tape.At != at-1 {
				t.Errorf("race %v: at %d, want %d", race, s.Tape.At, at-1)
			}
		}
		if s := l.at(end); !race && !slices.Equal(look(s), been[end]) {
			t.Errorf("race %v: at the end %v, was %v", race, look(s), been[end])
		}
		// A branch: what was to come is gone.
		l.at(places[1] - 20)
		s := l.do(nil, state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.1})
		if s.Tape.End != places[1]-20 || s.Replaying != 0 {
			t.Errorf("race %v: a branch at %d has an end at %d and %d events to come", race, places[1]-20, s.Tape.End, s.Replaying)
		}
		_ = l.stop()
	}
}

// Load plays a recording in the place of the session that was there, and what is
// recorded from then on is the loaded session.
func TestLoad(t *testing.T) {
	p := open(t, "gaussian")
	played := script(t, config(p, 0, nil, "psgld"), p, 500, []state.Command{state.SetParam{Lane: 0, Key: "eps", Value: 0.2}, state.Restart{Seed: 3}, state.SetParam{Lane: 0, Key: "alpha", Value: 0.9}})
	rec := played.Recording("test")
	l := start(t, config(p, 0, nil, "sgld", "psgld"), Runtime{})
	l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Step > 1000 })
	s := l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Replaying == 0 }, state.Load{Config: rec.Config, Problem: p, Script: rec.Script()})
	if len(s.Lanes) != 1 || s.Tape.At != s.Tape.End {
		t.Fatalf("%d lanes, tape %+v", len(s.Lanes), s.Tape)
	}
	if err := l.stop(); err == nil {
		t.Fatal("the session ended by itself")
	}
	if got := l.Recording("test"); !slices.Equal(got.Digests, rec.Digests) || len(got.Events) != len(rec.Events) {
		t.Errorf("digests %v, want %v", got.Digests, rec.Digests)
	}
	if _, err := l.Session.do(state.Load{Config: rec.Config}); err == nil {
		t.Error("no target was loaded")
	}
}

// Turns are named by their lane and command, those to come as those that were.
func TestTurns(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "psgld", "sgld"), Runtime{})
	l.do(in(state.Paused), state.Pause{})
	l.do(nil, state.Restart{Seed: 1})
	for _, c := range []state.Command{state.SetParam{Lane: 1, Key: "eps", Value: 0.2}, state.RemoveLane{Lane: 0}, state.SetParam{Lane: 0, Key: "eps", Value: 0.1}, state.AddLane{Name: "psgld"}, state.SetSampler{Lane: 1, Name: "sgld"}, state.Undo{}} {
		at := l.do(nil).Tape.At
		l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Tape.At == at+20 }, state.StepBy{N: 20})
		l.do(nil, c)
	}
	then := l.do(nil).Tape
	want := []int{state.AllLanes, 1, 0, 1, 0, 0, state.AllLanes}
	for i, lane := range want {
		if then.Events[i].Lane != lane {
			t.Errorf("event %d, %#v, is for lane %d, want %d", i, then.Events[i].Command, then.Events[i].Lane, lane)
		}
	}
	l.at(then.End - 90)
	back := l.do(nil).Tape
	if !reflect.DeepEqual(back.Events, then.Events) {
		t.Errorf("the events are %v, were %v", back.Events, then.Events)
	}
	// What can be saved there is the whole session.
	to := make(chan engine.Saved, 1)
	l.do(nil, engine.Save{Version: "v", To: to})
	rec := (<-to).Recording
	if len(rec.Events) != len(want) || rec.Version != "v" {
		t.Errorf("in the midst of the tape %d events are saved, want %d", len(rec.Events), len(want))
	}
	if err := Verify(t.Context(), rec, Runtime{}); err != nil {
		t.Error(err)
	}
	_ = l.stop()
}

// A recording that is not what the session does is no reason to end what a user
// looks at.
func TestStrayedReplay(t *testing.T) {
	p := open(t, "gaussian")
	rec := script(t, config(p, 0, nil, "psgld"), p, 500, []state.Command{state.SetParam{Lane: 0, Key: "eps", Value: 0.2}, state.Restart{Seed: 3}}).Recording("test")
	for _, spoil := range []func(*state.Event){
		func(e *state.Event) { e.Digests = []string{"0"} },
		func(e *state.Event) { e.At, e.Digests = []uint64{600, 600}, []string{"", ""} },
		func(e *state.Event) { e.Command = state.SetParam{Lane: 0, Key: "eps", Value: -1} },
	} {
		events := rec.Script()
		spoil(&events[1])
		l := start(t, rec.Config, Runtime{Replay: events})
		s := l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Replaying == 0 })
		if s.Notice.Err() == nil || s.Tape.At != s.Tape.End {
			t.Errorf("it stands at %d of %d and says %+v", s.Tape.At, s.Tape.End, s.Notice)
		}
		l.do(func(s *engine.Snapshot) bool { return s.Tape.At > s.Tape.End-1 && s.Phase == state.Running }, state.Resume{})
		_ = l.stop()
	}
}

// Turns have a mark in common if no step lies between them, or if the one goes on
// with the other while the session runs; and a replay has the same marks.
func TestMarksOfOneTurn(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "psgld"), Runtime{})
	l.do(in(state.Paused), state.Pause{})
	changes := func(s *engine.Snapshot) (all []state.Change) {
		for _, m := range s.Marks {
			all = append(all, m.Change)
		}
		return all
	}
	step := func() {
		at := l.do(nil).Tape.At
		l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Tape.At == at+5 }, state.StepBy{N: 5})
	}
	l.do(nil, state.SetParam{Lane: 0, Key: "eps", Value: 0.2})
	l.do(nil, state.SetParam{Lane: 0, Key: "eps", Value: 0.25}) // no step lies between
	step()
	l.do(nil, state.SetParam{Lane: 0, Key: "eps", Value: 0.1}) // some do, however soon it came
	step()
	l.do(nil, state.SetParam{Lane: 0, Key: "eps", Value: 0.5})
	s := l.do(nil, state.SetParam{Lane: 0, Key: "eps", Value: 0.1}) // as it was
	of := func(from, to float64) state.Change {
		return state.ParamChange{Sampler: "psgld", Key: "eps", From: from, To: to}
	}
	if got := changes(s); !slices.Equal(got, []state.Change{of(0.3, 0.25), of(0.25, 0.1)}) {
		t.Errorf("marks %v", got)
	}
	step()
	// Two values that are almost the same are two.
	l.do(nil, state.SetParam{Lane: 0, Key: "eps", Value: 0.1234567891})
	step()
	l.do(nil, state.SetParam{Lane: 0, Key: "eps", Value: 0.3})
	l.do(nil, state.SetParam{Lane: 0, Key: "eps", Value: 0.1234567892})
	step()
	l.do(nil, state.SetSampler{Lane: 0, Name: "sgld"})
	s = l.do(nil, state.Undo{}) // as it was
	if got := changes(s); !slices.Equal(got[2:], []state.Change{of(0.1, 0.1234567891), of(0.1234567891, 0.1234567892)}) {
		t.Errorf("marks %v", got)
	}
	l.do(in(state.Running), state.Resume{})
	for _, eps := range []float64{0.11, 0.12, 0.13} {
		l.do(nil, state.SetParam{Lane: 0, Key: "eps", Value: eps})
	}
	s = l.do(in(state.Paused), state.Pause{})
	want := changes(s)
	at := s.Tape.At
	if err := l.stop(); err == nil {
		t.Fatal("the session ended by itself")
	}
	rec := l.Recording("test")
	b, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	if rec, err = engine.ReadRecording(bytes.NewReader(b)); err != nil {
		t.Fatal(err)
	}
	again := start(t, rec.Config, Runtime{Replay: rec.Script()})
	got := again.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Tape.At == at })
	if !slices.Equal(changes(got), want) {
		t.Errorf("a replay has marks %v, there were %v", changes(got), want)
	}
	_ = again.stop()
}

// The newest step is taken apart where few steps were asked for, and only there,
// however the machine cuts them into chunks.
func TestFewStepsAreTakenApart(t *testing.T) {
	innerlooptest.Skip(t, "long runs")
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "psgld", "sgld"), Runtime{})
	l.do(in(state.Paused), state.Pause{})
	l.do(nil, state.Restart{Seed: 1})
	for _, c := range []struct {
		n   uint64
		few bool
	}{{300, false}, {1, true}, {5000, false}, {256, true}, {257, false}, {20_000, false}, {7, true}} {
		at := l.do(nil).Tape.At
		s := l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Tape.At == at+c.n }, state.StepBy{N: c.n})
		for _, v := range s.Lanes {
			if (v.Motion != nil) != c.few {
				t.Errorf("after %d steps lane %d has the motion %v", c.n, v.ID, v.Motion)
			}
		}
	}
	for _, by := range []uint64{1, 200, 300, 4000, 1} {
		to := l.do(nil).Tape.At - by
		s := l.at(to)
		for _, v := range s.Lanes {
			if (v.Motion != nil) != (by <= follows) {
				t.Errorf("%d steps back lane %d has the motion %v", by, v.ID, v.Motion)
			}
		}
	}
	_ = l.stop()
}
