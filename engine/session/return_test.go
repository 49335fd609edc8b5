package session

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// A session that another one has replaced comes back as it was left, with all
// that can be undone in it, and so does the other one.
func TestReturn(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "psgld", "sgld"), Runtime{})
	l.do(in(state.Paused), state.Pause{})
	if s := l.do(nil, state.Return{}); s.Notice.Err() == nil {
		t.Fatalf("went back to nothing: %+v", s.Notice)
	}
	l.do(nil, state.Restart{Seed: 1})
	l.do(nil, state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.2})
	run := func(n uint64) *engine.Snapshot {
		at := l.do(nil).Tape.At
		return l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Tape.At == at+n }, state.StepBy{N: n})
	}
	first := run(700)
	other := state.Load{Config: config(p, 0, nil, "sgld"), Problem: p, Paused: true}
	l.do(nil, other)
	second := run(50)
	same := func(what string, got, want *engine.Snapshot) {
		t.Helper()
		if len(got.Lanes) != len(want.Lanes) || got.Tape.At != want.Tape.At || got.Tape.End != want.Tape.End || got.CanUndo != want.CanUndo {
			t.Fatalf("%s: %d lanes, tape %+v; want %d and %+v", what, len(got.Lanes), got.Tape, len(want.Lanes), want.Tape)
		}
		for i, v := range got.Lanes {
			if w := want.Lanes[i]; v.Now != w.Now || v.Step != w.Step || v.Draws != w.Draws || v.Setting.Eps() != w.Setting.Eps() {
				t.Errorf("%s: lane %d is %v at %d, want %v at %d", what, i, v.Now, v.Step, w.Now, w.Step)
			}
		}
	}
	returned := func() *engine.Snapshot {
		l.do(nil, state.Return{})
		return l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && !s.Tape.Seeking })
	}
	same("the first", returned(), first)
	same("the second", returned(), second)
	l.at(20) // not a place of the first
	l.at(50)
	other.Passing = true
	l.do(nil, other)
	same("the first, after one that passed", returned(), first)
	slow := 10.0
	other.Passing, other.Speed = false, &slow
	if s := l.do(nil, other); s.Speed != slow {
		t.Errorf("the other one's speed is %g", s.Speed)
	}
	if s := returned(); s.Speed != 0 {
		t.Errorf("the first one's speed is %g after it was left", s.Speed)
	}
	_ = l.stop()
	if got := l.Recording("test"); len(got.Events) != 2 || !slices.Equal(got.End, []uint64{700, 700}) {
		t.Errorf("recorded %d events up to %v", len(got.Events), got.End)
	}
}

// A session that cannot be begun, here for want of a sink, leaves the one at hand as
// it is.
func TestWhatCannotBeginReplacesNothing(t *testing.T) {
	p := open(t, "gaussian")
	var left atomic.Int64 // sinks that there are
	left.Store(6)
	l := start(t, config(p, 0, nil, "psgld", "sgld"), Runtime{Sink: func(engine.ChainID, *targets.Problem, state.Setting) (engine.Sink, error) {
		if left.Add(-1) < 0 {
			return nil, errors.New("no sink")
		}
		return steps{new([]uint64)}, nil
	}})
	l.do(in(state.Paused), state.Pause{})
	l.do(nil, state.Load{Config: config(p, 0, nil, "sgld", "psgld"), Problem: p, Paused: true})
	l.do(func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Tape.At == 70 }, state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.2}, state.StepBy{N: 70})
	want := l.do(nil)
	for _, sinks := range []int64{0, 1} { // none, and one for the first of two lanes
		for _, c := range []state.Command{
			state.Load{Config: config(p, 0, nil, "psgld", "sgld"), Problem: p}, state.Return{}, state.Seek{To: 10}, state.Restart{Seed: 7}, state.SetTarget{Target: "banana"},
		} {
			left.Store(sinks)
			got := l.do(nil, c)
			if r, ok := got.Notice.Fact.(state.Refused); !ok || r.Err.Error() != "no sink" {
				t.Fatalf("%T with %d sinks: %+v", c, sinks, got.Notice)
			}
			if got.Problem != want.Problem || got.Phase != want.Phase || got.CanUndo != want.CanUndo || got.CanReturn != want.CanReturn || got.Speed != want.Speed ||
				!reflect.DeepEqual(got.Config, want.Config) || !reflect.DeepEqual(got.Tape, want.Tape) || !reflect.DeepEqual(got.Marks, want.Marks) {
				t.Errorf("%T with %d sinks left\n%+v\nof\n%+v", c, sinks, got, want)
			}
			for i, v := range got.Lanes {
				if w := want.Lanes[i]; v.Now != w.Now || v.Step != w.Step || v.ID != w.ID || v.Draws != w.Draws {
					t.Errorf("%T with %d sinks left lane %d at %v of step %d, want %v of %d", c, sinks, i, v.Now, v.Step, w.Now, w.Step)
				}
			}
		}
	}
	left.Store(10)
	if s := l.do(func(s *engine.Snapshot) bool { return !s.Tape.Seeking }, state.Return{}); s.Notice.Err() != nil || s.Lanes[0].Setting.Sampler != "psgld" {
		t.Errorf("went back to %+v: %+v", s.Config, s.Notice)
	}
	if err := l.stop(); err != context.Canceled {
		t.Error(err)
	}
}
