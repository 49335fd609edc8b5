package run

import (
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
)

// standing is a session that never answers but keeps what it is sent.
type standing struct {
	snap *engine.Snapshot
	sent []state.Command
}

func (s *standing) Send(c state.Command) uint64 {
	s.sent = append(s.sent, c)
	return uint64(len(s.sent))
}
func (s *standing) Snapshot() *engine.Snapshot { return s.snap }
func (s *standing) Changed() <-chan struct{}   { return nil }

// fresh is the controller of a fresh session, and what that is sent.
func fresh(t *testing.T) (*Run, *standing) {
	s := &standing{snap: &engine.Snapshot{}}
	d := &control.Desk{Feed: control.NewFeed(t.Context(), s, 0)}
	c := New(d, true, true)
	c.Update(control.BeginMsg{})
	return c, s
}

// A fresh session begins slowly and is at full speed after the last of its speeds.
func TestSlowStart(t *testing.T) {
	c, s := fresh(t)
	for range slowStart {
		c.eased()
	}
	want := slices.Clone(slowStart[:])
	for i, got := range s.sent {
		if got != (state.SetSpeed{PerSecond: want[i]}) {
			t.Errorf("command %d is %#v, want %v steps a second", i, got, want[i])
		}
	}
	if len(s.sent) != len(want) || c.Screen.Starting || want[len(want)-1] != 0 {
		t.Errorf("%d of %d speeds were sent, the start goes on: %v", len(s.sent), len(want), c.Screen.Starting)
	}
}

// A session that stands goes no faster, and goes on with its start when it runs again.
func TestSlowStartStands(t *testing.T) {
	c, s := fresh(t)
	paused, runs := *s.snap, *s.snap
	paused.Phase = state.Paused
	c.Feed.Foreseen = &paused
	c.eased()
	if len(s.sent) != 1 || !c.Screen.Starting {
		t.Fatalf("a session that stands was sent %v", s.sent)
	}
	c.Feed.Foreseen = &runs
	if c.resumed() == nil {
		t.Fatal("nothing goes on when it runs again")
	}
	c.eased()
	if len(s.sent) != 2 {
		t.Errorf("it was sent %v", s.sent)
	}
}

// Whoever asks for a speed has it, and another session runs at its own or at full speed.
func TestSlowStartIsTakenOver(t *testing.T) {
	slow := 10.0
	for _, x := range []struct {
		of   state.Command
		full bool
	}{{state.SetSpeed{PerSecond: 100}, false}, {state.Load{Speed: &slow}, false}, {state.Load{}, true},
		{state.Return{}, true}} {
		c, s := fresh(t)
		c.Feed.Send(x.of)
		c.eased()
		last := s.sent[len(s.sent)-1]
		if full := last == state.Command(state.SetSpeed{}); c.Screen.Starting || full != x.full || len(s.sent) > 3 {
			t.Errorf("after %#v the newest command is %#v", x.of, last)
		}
	}
	c, s := fresh(t)
	control.ByKey(c.Bindings(), ">").Do()
	if c.Screen.Starting || s.sent[len(s.sent)-1] != state.Command(state.SetSpeed{}) {
		t.Errorf("the key for a higher speed does not end the slow start: %v", s.sent)
	}
	c, s = fresh(t)
	c.Feed.Send(state.SetTarget{})
	if c.eased(); s.sent[len(s.sent)-1] != state.Command(state.SetSpeed{PerSecond: slowStart[1]}) || c.ease.next != 2 {
		t.Errorf("another target begins the slow start anew: %v", s.sent)
	}
	c, s = fresh(t)
	c.Feed.Send(state.Pause{})
	c.Feed.Send(state.SetParam{})
	if !c.Screen.Starting || len(s.sent) != 3 {
		t.Error("a pause or a turn ends the slow start")
	}
}
