package session

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
)

// turned is a turn of every lane's ε, within a gesture or not.
func turned(eps float64, inGesture bool) state.Command {
	c := state.SetParam{Lane: state.AllLanes, Key: "eps", Value: eps}
	if inGesture {
		return state.InGesture{Command: c}
	}
	return c
}

// The turns of a gesture have one mark, one undo and one window before them, and a replay has
// the same.
func TestGesture(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "psgld", "sgld"), Runtime{})
	l.do(in(state.Paused), state.Pause{})
	on := func(n uint64) *engine.Snapshot {
		t.Helper()
		to := l.Snapshot().Lanes[0].Step + n
		return l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Lanes[0].Step == to }, state.StepBy{N: n})
	}
	on(5000)
	for i, eps := range []float64{0.2, 0.1, 0.05} {
		l.do(nil, turned(eps, i > 0))
		on(3000)
	}
	s := l.do(nil, turned(0.04, false))
	for i := range s.Lanes {
		if n := s.Lanes[i].Previous.Draws; n != 3000 {
			t.Errorf("a turn of its own compares with %d draws, want 3,000", n)
		}
	}
	s = l.do(nil, state.Undo{}) // the turn after the gesture
	if got := s.Lanes[0].Setting.Eps(); got != 0.05 {
		t.Errorf("after an undo ε is %g, want 0.05", got)
	}
	s = l.do(nil, state.Undo{})
	if got := s.Lanes[0].Setting.Eps(); got != 0.3 || s.CanUndo {
		t.Errorf("after the gesture is undone ε is %g, want 0.3", got)
	}
	if s = l.do(nil, state.Redo{}); s.Lanes[1].Setting.Eps() != 0.05 {
		t.Errorf("after redo ε is %g, want 0.05", s.Lanes[1].Setting.Eps())
	}
	_ = l.stop()
	rec := l.Recording("test")
	b, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	back, err := engine.ReadRecording(strings.NewReader(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	if err := Verify(t.Context(), back, Runtime{}); err != nil {
		t.Error(err)
	}
}

// The window before a gesture stays, with one mark from the first value to the last.
func TestGestureComparesWithBefore(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "psgld"), Runtime{})
	l.do(in(state.Paused), state.Pause{})
	on := func(to uint64) *engine.Snapshot {
		t.Helper()
		return l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Lanes[0].Step == to }, state.StepBy{N: to - l.Snapshot().Lanes[0].Step})
	}
	first := l.Snapshot().Lanes[0].Step + 5000 // it may have made some steps before it was paused
	on(first)
	for i, eps := range []float64{0.2, 0.1, 0.05} {
		l.do(nil, turned(eps, i > 0))
		on(first + 2000*uint64(i+1))
	}
	s := l.Snapshot()
	v := &s.Lanes[0]
	if v.Previous.Draws != first || v.Previous.Setting.Eps() != 0.3 || v.Draws != 2000 {
		t.Errorf("%d draws at ε %g before and %d after the gesture, want %d at 0.3 and 2,000", v.Previous.Draws, v.Previous.Setting.Eps(), v.Draws, first)
	}
	if want := state.Change(state.ParamChange{Sampler: "psgld", Key: "eps", From: 0.3, To: 0.05}); len(s.Marks) != 1 || s.Marks[0].Change != want {
		t.Errorf("the marks are %+v, want one of %+v", s.Marks, want)
	}
	// What turns something else, or comes after another command, begins anew.
	l.do(nil, state.InGesture{Command: state.SetParam{Lane: 0, Key: "alpha", Value: 0.9}})
	l.do(nil, turned(0.06, true))
	for _, want := range []float64{0.05, 0.05, 0.3} {
		if s = l.do(nil, state.Undo{}); s.Lanes[0].Setting.Eps() != want {
			t.Errorf("ε is %g after an undo, want %g", s.Lanes[0].Setting.Eps(), want)
		}
	}
}

// After a rewind that mends, an undo does not go back to the ε that diverged, whatever was
// turned between.
func TestUndoAfterMending(t *testing.T) {
	p := open(t, "gaussian")
	for name, c := range map[string]struct {
		turns []state.Command
		want  []float64 // ε after the rewind, and after each undo
	}{
		"one turn":            {[]state.Command{turned(0.8, false)}, []float64{0.4, 0.3}},
		"another between":     {[]state.Command{turned(0.8, false), state.SetParam{Lane: 0, Key: "thin", Value: 2}}, []float64{0.4, 0.4, 0.3}},
		"turned down since":   {[]state.Command{turned(0.8, false), nil, turned(0.2, false)}, []float64{0.1, 0.3}},
		"both beyond":         {[]state.Command{turned(0.7, false), turned(0.9, false)}, []float64{0.45, 0.3}},
		"two turns too large": {[]state.Command{turned(0.5, false), turned(0.9, false)}, []float64{0.45, 0.5, 0.3}},
	} {
		l := start(t, config(p, 0, nil, "sgld"), Runtime{})
		for _, turn := range c.turns {
			if turn == nil {
				l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Diverged != nil })
				continue
			}
			l.do(nil, turn)
		}
		l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Diverged != nil })
		l.do(nil, state.Pause{})
		s := l.do(nil, state.Rewind{Lane: state.AllLanes, Steps: 200, EpsFactor: 0.5, Mends: true})
		for i, want := range c.want {
			if i > 0 {
				s = l.do(nil, state.Undo{})
			}
			if got := s.Lanes[0].Setting.Eps(); got != want {
				t.Errorf("%s: ε is %g after %d undos, want %g", name, got, i, want)
			}
		}
		if s.CanUndo {
			t.Errorf("%s: there is more to undo", name)
		}
		_ = l.stop()
		if err := Verify(t.Context(), l.Recording("test"), Runtime{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is set from now on is set at the step of each lane, and is logged so.
func TestFromNow(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "psgld", "sgld", "psgld-adam"), Runtime{})
	l.do(in(state.Paused), state.Pause{})
	to := l.Snapshot().Lanes[0].Step + 123
	l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Lanes[0].Step == to }, state.StepBy{N: 123})
	s := l.do(nil, state.SetParam{Lane: state.AllLanes, Key: "freeze", Value: state.FromNow})
	for _, i := range []int{0, 2} {
		if got := s.Lanes[i].Setting.Value("freeze"); got != float64(to) {
			t.Errorf("V of lane %d is frozen from step %g on, want %d", i, got, to)
		}
	}
	l.do(nil, state.SetParam{Lane: 2, Key: "freeze", Value: 0})
	if s = l.do(nil, state.SetParam{Lane: 2, Key: "freeze", Value: state.FromNow}); s.Lanes[2].Setting.Value("freeze") != float64(to) {
		t.Errorf("V of one lane is frozen from step %g on, want %d", s.Lanes[2].Setting.Value("freeze"), to)
	}
	if got := s.Tape.Events[len(s.Tape.Events)-1].Command; got != state.Command(state.SetParam{Lane: 2, Key: "freeze", Value: float64(to)}) {
		t.Errorf("the tape has %+v", got)
	}
	_ = l.stop()
	if err := Verify(t.Context(), l.Recording("test"), Runtime{}); err != nil {
		t.Error(err)
	}
}
