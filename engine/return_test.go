package engine

import (
	"slices"
	"testing"
)

// A session that another one has replaced comes back as it was left, with all
// that can be undone in it, and so does the other one.
func TestReturn(t *testing.T) {
	p := open(t, "gaussian")
	l := start(t, config(p, 0, nil, "psgld", "sgld"), Runtime{})
	l.do(in(Paused), Pause{})
	if s := l.do(nil, Return{}); !s.Notice.Bad {
		t.Fatalf("went back to nothing: %+v", s.Notice)
	}
	l.do(nil, Restart{1})
	l.do(nil, SetParam{AllLanes, "eps", 0.2})
	run := func(n uint64) *Snapshot {
		at := l.do(nil).Tape.At
		return l.do(func(s *Snapshot) bool { return s.Phase == Paused && s.Tape.At == at+n }, StepBy{n})
	}
	first := run(700)
	other := Load{Config: config(p, 0, nil, "sgld"), Problem: p, Paused: true}
	l.do(nil, other)
	second := run(50)
	same := func(what string, got, want *Snapshot) {
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
	returned := func() *Snapshot {
		l.do(nil, Return{})
		return l.do(func(s *Snapshot) bool { return s.Phase == Paused && !s.Tape.Seeking })
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
