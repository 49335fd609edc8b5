package app

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
)

// says fails if the footer does not say something.
func (m *model) says(t *testing.T, want string) {
	t.Helper()
	if n := m.Notices.Text(m.Feed.Newest); !strings.Contains(n.Text, want) {
		t.Errorf("it says %q, want %q", n.Text, want)
	}
}

// Undo takes back values one by one, and behind the last of them goes back along
// the tape to before a lane or a target was changed. Redo goes forth again.
func TestUndoReachesOverLanesAndTargets(t *testing.T) {
	m := tapeScreen(t)
	m.Update(press("x"))
	until(t, m, "a lane less", func(s *engine.Snapshot) bool { return len(s.Lanes) == 1 })
	m.Feed.Send(state.StepBy{N: 50})
	standsAt(t, m, 1050)
	m.Update(press("z"))
	m.says(t, "before the lane was removed")
	if s := standsAt(t, m, 999); len(s.Lanes) != 2 || !s.CanUndo {
		t.Errorf("%d lanes", len(s.Lanes))
	}
	m.Update(press("Z"))
	if s := standsAt(t, m, 1050); len(s.Lanes) != 1 {
		t.Errorf("%d lanes", len(s.Lanes))
	}
	m.opens(t, "target banana")
	p := until(t, m, "another target", func(s *engine.Snapshot) bool { return s.Config.Target == "banana" }).Problem
	m.says(t, "press z to go back to the previous target")
	m.Update(press("z"))
	if s := standsAt(t, m, 1049); s.Problem == p {
		t.Error("still the other target")
	}
	m.says(t, "space goes on from here")
	m.Update(press("."))
	m.says(t, "a new branch begins at step 1,049; b has the old one")
	standsAt(t, m, 1050)
	m.Feed.Send(state.StepBy{N: 50})
	if s := standsAt(t, m, 1100); s.Problem == p || control.Ahead(&s.Tape) {
		t.Errorf("on %s, tape %+v", s.Config.Target, s.Tape)
	}
	m.does("return")
	if s := standsAt(t, m, 1049); !control.Ahead(&s.Tape) {
		t.Error("what was undone is lost")
	}
	m.Update(press("space"))
	until(t, m, "the tape's end", func(s *engine.Snapshot) bool { return s.Problem.Spec == p.Spec })
}

// A session that was replaced comes back, and the one that replaced it too. There
// is nothing to come back to before that.
func TestSessionBefore(t *testing.T) {
	m := tapeScreen(t)
	m.does("return")
	m.says(t, "there is no session before this one")
	p := m.Feed.Foreseen.Problem
	cfg := state.Config{Target: "gaussian", Seed: 4, Init: "random",
		Lanes: []state.Setting{state.DefaultSetting(p, "sgld")}}
	m.keeper().Outside.Open = func(string, *control.Loading) (state.Load, error) {
		return state.Load{Config: cfg, Problem: p, Paused: true}, nil
	}
	m.opens(t, "open saved")
	m.says(t, "b goes to any step of it, or back to the session before")
	until(t, m, "the loaded session", func(s *engine.Snapshot) bool { return len(s.Lanes) == 1 })
	m.does("return")
	s := standsAt(t, m, 1000)
	if len(s.Lanes) != 2 || s.Lanes[0].Setting.Eps() != 0.1 || len(s.Tape.Events) != 2 {
		t.Errorf("%d lanes, tape %+v", len(s.Lanes), s.Tape)
	}
	m.does("return")
	if s := standsAt(t, m, 0); len(s.Lanes) != 1 || s.Config.Seed != 4 {
		t.Errorf("%d lanes, seed %d", len(s.Lanes), s.Config.Seed)
	}
}

// A seek that is stopped says where, and how it goes on.
func TestStoppedSeekSaysWhere(t *testing.T) {
	r := &recorder{snap: newSession(t, "gaussian").Snapshot()}
	m := newScreenOn(t, r, 120, 36)
	c := *r.snap
	c.Version, c.Phase, c.Tape = c.Version+1, state.Running,
		engine.Tape{At: 4000, End: 50_000, Seeking: true, To: 20_000}
	r.snap = &c
	m.Feed.Pull()
	m.Update(press("space"))
	d := c
	d.Version, d.Phase, d.Applied, d.Tape.Seeking, d.Tape.At = c.Version+1, state.Paused, m.Feed.Sent, false, 4100
	r.snap = &d
	m.Update(control.ChangedMsg{})
	m.says(t, "stopped at 4,100 on the way to 20,000: space plays on from here, b goes elsewhere")
}

// Two escs at once come as alt+esc.
func TestTwoEscsAtOnce(t *testing.T) {
	m := newScreenOn(t, &recorder{snap: newSession(t, "gaussian").Snapshot()}, 120, 36)
	m.View()
	m.Update(press("f"))
	m.Update(press("?"))
	m.Update(tea.KeyPressMsg{Code: tea.KeyEscape, Mod: tea.ModAlt})
	if m.Keys.Layer != nil || m.Focus.Full {
		t.Errorf("the mode is %T, maximised %v", m.Keys.Layer, m.Focus.Full)
	}
}
