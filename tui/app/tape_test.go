package app

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// until ticks the screen until it shows what is wanted.
func until(t *testing.T, m *model, what string, ok func(*engine.Snapshot) bool) *engine.Snapshot {
	t.Helper()
	for end := time.Now().Add(ptytest.Patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		look(m)
		if s := m.Feed.Foreseen; !m.Feed.Awaiting() && ok(s) {
			return s
		}
	}
	t.Fatalf("waited in vain for %s: %+v, %v", what, m.Feed.Newest.Tape, m.Feed.Newest.Phase)
	return nil
}

// standsAt waits until the session stands at a place.
func standsAt(t *testing.T, m *model, to uint64) *engine.Snapshot {
	t.Helper()
	return until(t, m, "a place", func(s *engine.Snapshot) bool {
		return s.Tape.At == to && !s.Tape.Seeking && s.Phase != state.Running
	})
}

// tapeScreen is a screen on a session of 1,000 steps in which ε was turned at
// step 300 and step 700.
func tapeScreen(t *testing.T) *model {
	s := newSession(t, "gaussian")
	s.Send(state.Pause{})
	running(t, s)
	for s.Snapshot().Applied < 1 {
		<-s.Changed()
	}
	m := newScreenOn(t, s, 120, 36)
	for _, c := range []struct {
		to  uint64
		eps float64
	}{{300, 0.2}, {700, 0.1}, {1000, 0}} {
		m.Feed.Send(state.StepBy{N: c.to - m.Feed.Foreseen.Tape.At})
		standsAt(t, m, c.to)
		if c.eps > 0 {
			m.command(t, fmt.Sprint("eps ", c.eps))
			until(t, m, "a turn", func(*engine.Snapshot) bool { return true })
		}
	}
	return m
}

// The keys go along a session that was recorded, and wherever it stands it is as
// it was.
func TestScrub(t *testing.T) {
	m := tapeScreen(t)
	end := standsAt(t, m, 1000).Lanes[0]
	m.Update(press("b"))
	if got := m.text(); !strings.Contains(got, "the end") || !strings.Contains(got, "2/2 ε 0.1") {
		t.Errorf("the tape at its end:\n%s", got)
	}
	for _, c := range []struct {
		key string
		to  uint64
	}{
		{"left", 990}, {"left", 980}, {"shift+left", 880}, {"right", 890}, {"pgup", 990}, {",", 989}, {".", 990},
		{"p", 699}, {"p", 299},
		{"home", 0}, {"n", 299}, {"n", 699}, {".", 700}, {"end", 1000}, {"home", 0}, {"shift+right", 100},
	} {
		m.Update(press(c.key))
		standsAt(t, m, c.to)
	}
	typeKeys(m, "2")
	m.Update(press("5"))
	m.Update(press("0"))
	if got := m.text(); !strings.Contains(got, "to step 250") {
		t.Errorf("while a step is typed:\n%s", got)
	}
	m.Update(press("enter"))
	if s := standsAt(t, m, 250); s.Lanes[0].Step != 250 || s.Lanes[0].Setting.Eps() == 0.1 {
		t.Errorf("at 250 the lane is at step %d with ε %g", s.Lanes[0].Step, s.Lanes[0].Setting.Eps())
	}
	for _, bad := range []string{"99999", "1x", "-3"} {
		m.Update(press("enter"))
		m.Update(tea.PasteMsg{Content: bad})
		m.Update(press("enter"))
		if n := m.Notices.Text(m.Feed.Newest); !n.Bad || m.Keys.Layer == nil {
			t.Errorf("%q is taken: %q", bad, n.Text)
		}
		m.Update(press("esc"))
	}
	// Space plays it to its end, and beyond.
	m.Update(press("space"))
	s := standsAt(t, m, 1000)
	if s.Lanes[0].Now != end.Now || s.Lanes[0].Draws != end.Draws {
		t.Errorf("at the end the newest draw is %v of %d, was %v of %d", s.Lanes[0].Now, s.Lanes[0].Draws,
			end.Now, end.Draws)
	}
	m.Update(press("."))
	standsAt(t, m, 1001)
	m.Update(press("esc"))
	if m.Focus.Scrub {
		t.Error("esc does not leave the tape")
	}
}

// It plays backwards too, and stops at the start.
func TestPlayBack(t *testing.T) {
	innerlooptest.Skip(t, "a session in real time")
	m := tapeScreen(t)
	m.Update(press("b"))
	m.Feed.Interval = time.Millisecond
	_, cmd := m.Update(press("backspace"))
	places := []uint64{m.Feed.Foreseen.Tape.At}
	var late []tea.Msg
	for m.Feed.Back {
		late = messages(cmd)
		for _, msg := range late {
			if _, next := m.Update(msg); next != nil {
				cmd = next
			}
		}
		s := until(t, m, "a bit", func(s *engine.Snapshot) bool { return !s.Tape.Seeking && s.Phase != state.Running })
		places = append(places, s.Tape.At)
		if len(places) > 200 {
			t.Fatalf("it does not come to the start: %v", places)
		}
	}
	if n := len(places); n < 100 || places[1] != 990 || places[n-1] != 0 {
		t.Errorf("it plays %v", places)
	}
	for _, msg := range late {
		m.Update(msg)
	}
	if m.Feed.Back {
		t.Error("a tick that came late begins again")
	}
}

// The mouse takes the knob.
func TestTapeMouse(t *testing.T) {
	m := tapeScreen(t)
	m.Update(press("b"))
	m.View()
	click := func(x int) tea.Mouse { return tea.Mouse{X: x, Y: 1, Button: tea.MouseLeft} }
	m.Update(tea.MouseClickMsg(click(60)))
	s := until(t, m, "a place", func(s *engine.Snapshot) bool {
		return !s.Tape.Seeking && s.Phase == state.Paused && s.Tape.At < 1000
	})
	first := s.Tape.At
	if first < 300 || first > 700 {
		t.Errorf("a click in the middle goes to %d", first)
	}
	m.Update(tea.MouseMotionMsg(click(80)))
	until(t, m, "another place", func(s *engine.Snapshot) bool { return !s.Tape.Seeking && s.Tape.At > first })
	m.Update(tea.MouseMotionMsg(tea.Mouse{X: 500, Y: 20, Button: tea.MouseLeft}))
	standsAt(t, m, 1000)
	m.Update(tea.MouseReleaseMsg(click(500)))
	m.Update(tea.MouseMotionMsg(click(60)))
	standsAt(t, m, 1000)
}

// A turn in the midst of a tape makes a branch, and tells how what was to come there
// comes back.
func TestBranch(t *testing.T) {
	m := tapeScreen(t)
	m.Feed.Seek(500)
	standsAt(t, m, 500)
	if got := m.text(); !strings.Contains(got, "1,000") {
		t.Errorf("the tape is not shown while there is more of it:\n%s", got)
	}
	m.Update(press("right"))
	m.says(t, "a new branch begins at step 500; :return brings back the old one (500 steps, 1 change)")
	m.Update(press("right")) // before the session has answered
	m.Update(press("left"))
	s := until(t, m, "a branch", func(s *engine.Snapshot) bool { return s.Tape.End == 500 })
	if s.Lanes[0].Setting.Eps() == 0.2 || s.Replaying != 0 {
		t.Errorf("ε is %g, %d events to come", s.Lanes[0].Setting.Eps(), s.Replaying)
	}
	// Without a future nothing is said of one.
	m.Update(press("right"))
	until(t, m, "a turn", func(s *engine.Snapshot) bool { return s.CanUndo })
	if n := m.Notices.Text(m.Feed.Newest); strings.Contains(n.Text, "branch") {
		t.Errorf("a turn at the end of the tape says %q", n.Text)
	}
	m.does("return")
	s = until(t, m, "the tape", func(s *engine.Snapshot) bool {
		return s.Tape.End == 1000 && s.Tape.At == 500 && !s.Tape.Seeking
	})
	if s.Lanes[0].Setting.Eps() != 0.2 || len(s.Tape.Events) != 2 {
		t.Errorf("back at ε %g with %d turns", s.Lanes[0].Setting.Eps(), len(s.Tape.Events))
	}
	m.does("return")
	until(t, m, "the branch", func(s *engine.Snapshot) bool {
		return s.Tape.End == 500 && s.Tape.At == 500 && !s.Tape.Seeking
	})
}

// What else there is to say of the command that makes a branch, or of what comes of it,
// stands in front of the branch.
func TestBranchIsToldBesideTheRest(t *testing.T) {
	for what, act := range map[string]func(m *model){
		"lanes race by the clock": func(m *model) { m.does("race") },
		"takes effect at restart": func(m *model) {
			m.Update(press(":"))
			typeKeys(m, "v0 first")
			m.Update(press("enter"))
		},
		"go back to the previous target": func(m *model) { m.opens(t, "target banana") },
		"the session now has the cell": func(m *model) {
			m.Update(press(gridKey))
			m.Update(press("left"))
			m.Update(press("enter"))
		},
	} {
		m := tapeScreen(t)
		m.Feed.Seek(500)
		standsAt(t, m, 500)
		act(m)
		until(t, m, what, func(s *engine.Snapshot) bool { return s.CanReturn })
		m.says(t, what)
		m.says(t, "; a new branch begins at step 500; :return brings back the old one (500 steps, 1 change)")
		if m.Update(press("l")); m.Focus.Separate {
			if n := m.Notices.Text(m.Feed.Newest); strings.Contains(n.Text, "branch") {
				t.Errorf("the next key says %q", n.Text)
			}
		}
		m.tell(control.EndMsg{})
	}
}

// Keys go from turn to turn, and say where there is none.
func TestTurnByTurn(t *testing.T) {
	r := &recorder{snap: newSession(t, "gaussian").Snapshot()}
	m := newScreenOn(t, r, 120, 36)
	turns := func(at ...uint64) (all []engine.LoggedCommand) {
		for _, at := range at {
			all = append(all, engine.LoggedCommand{At: at})
		}
		return all
	}
	for _, c := range []struct {
		key   string
		at    uint64
		turns []engine.LoggedCommand
		to    uint64 // the present place for none
		say   string
	}{
		{"p", 0, nil, 0, "the start of the tape"},
		{"p", 0, turns(0), 0, "the start of the tape"},
		{"p", 9, turns(0), 0, "the start of the tape"},
		{"p", 9, turns(0, 5), 4, "one step before the change at 5: . takes that step"},
		{"p", 4, turns(5), 4, "nothing was changed before this"},
		{"n", 0, turns(0, 5, 8), 4, "one step before the change at 5: . takes that step"},
		{"n", 4, turns(5, 8), 7, "one step before the change at 8: . takes that step"},
		{"n", 7, turns(5, 8), 7, "one step before the change at 8: . takes that step; nothing was changed after it"},
		{"n", 0, turns(1), 0, "one step before the change at 1: . takes that step; nothing was changed after it"},
		{"n", 8, turns(5, 8), 8, "nothing was changed after this"},
	} {
		s := *r.snap
		s.Version, s.Applied, s.Phase = s.Version+1, m.Feed.Sent, state.Paused
		s.Tape = engine.Tape{At: c.at, End: 10, Events: c.turns}
		r.snap, r.sent = &s, nil
		m.Feed.Pull()
		m.Focus.Scrub = true
		m.Update(press(c.key))
		if n := m.Notices.Text(m.Feed.Newest); n.Text != c.say {
			t.Errorf("%s at %d of %v says %q, want %q", c.key, c.at, c.turns, n.Text, c.say)
		}
		if sought := len(r.sent) == 1; sought != (c.to != c.at) || sought && r.sent[0] != (state.Seek{To: c.to}) {
			t.Errorf("%s at %d of %v sends %v, want to be at %d", c.key, c.at, c.turns, r.sent, c.to)
		}
	}
}

// A long way back shows how far it is, and can be stopped.
func TestSeekStops(t *testing.T) {
	r := &recorder{snap: newSession(t, "gaussian").Snapshot()}
	m := newScreenOn(t, r, 120, 36)
	c := *r.snap
	c.Version, c.Phase, c.Tape = 9, state.Running, engine.Tape{At: 4000, End: 50_000, Seeking: true, To: 20_000}
	r.snap = &c
	m.Feed.Pull()
	m.Focus.Scrub, m.Screen.Dirty = true, true
	if got := m.text(); !strings.Contains(got, "going to 20,000, 20 %") {
		t.Errorf("on the way:\n%s", got)
	}
	for _, key := range []string{"space", "esc"} {
		r.sent = nil
		r.next(func(s *engine.Snapshot) { s.Applied = m.Feed.Sent })
		m.Feed.Pull()
		m.Update(press(key))
		if len(r.sent) != 1 || r.sent[0] != (state.Pause{}) || !m.Focus.Scrub {
			t.Errorf("%s sends %v", key, r.sent)
		}
	}
}

// A recording is opened beside the session, which stays if that fails.
func TestLoad(t *testing.T) {
	m := tapeScreen(t)
	p, err := targets.Open("banana", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := state.Config{Target: "banana", Seed: 4, Init: "random",
		Lanes: []state.Setting{state.DefaultSetting(p, "sgld")}}
	m.keeper().Outside.Open = func(path string, _ *control.Loading) (state.Load, error) {
		if path != "saved" {
			return state.Load{}, errors.New("cannot read " + path + ": no such file or directory")
		}
		script := []state.Event{
			{At: []uint64{40}, Command: state.SetParam{Key: "eps", Value: 0.01}},
			{At: []uint64{100}, Command: state.Pause{}},
		}
		return state.Load{Config: cfg, Problem: p, Script: script}, nil
	}
	m.keeper().Outside.Sessions = func() []control.Saved {
		return []control.Saved{{Path: "saved", About: "banana, sgld, 100 steps"}}
	}
	open := func(cmd tea.Cmd) {
		t.Helper()
		for _, msg := range messages(cmd) {
			if l, ok := msg.(control.OpenedMsg); ok {
				m.Update(l)
				return
			}
		}
		t.Fatal("nothing is opened")
	}
	open(m.command(t, "open gone"))
	if n := m.Notices.Text(m.Feed.Newest); !n.Bad || n.Text != "cannot read gone: no such file or directory" ||
		m.Feed.Foreseen.Tape.End != 1000 {
		t.Errorf("it says %q", n.Text)
	}
	m.does("open")
	if got := m.text(); !strings.Contains(got, "banana, sgld, 100 steps") {
		t.Errorf("the list of sessions:\n%s", got)
	}
	_, cmd := m.Update(press("enter"))
	open(cmd)
	until(t, m, "the recording's start", func(s *engine.Snapshot) bool {
		return s.Phase == state.Paused && s.Tape.At == 0 && s.Tape.End == 100
	})
	m.says(t, "the start of saved: space plays it, end goes to its end")
	m.Update(press("end"))
	s := until(t, m, "the recording's end", func(s *engine.Snapshot) bool {
		return s.Phase == state.Paused && s.Tape.At == 100
	})
	if s.Problem != p || s.Config.Seed != 4 || s.Lanes[0].Setting.Eps() != 0.01 {
		t.Errorf("%s, seed %d, ε %g", s.Problem.Title, s.Config.Seed, s.Lanes[0].Setting.Eps())
	}
	// A name that is on no list can be typed.
	m.does("open")
	m.Update(tea.PasteMsg{Content: filepath.Join("some", "where")})
	_, cmd = m.Update(press("enter"))
	open(cmd)
	if n := m.Notices.Text(m.Feed.Newest); !strings.HasPrefix(n.Text, "cannot read some") {
		t.Errorf("it says %q", n.Text)
	}
}

// messages carries out commands and lists what came of those that come soon.
func messages(cmd tea.Cmd) []tea.Msg {
	switch msg := answer(cmd).(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		var out []tea.Msg
		for _, c := range msg {
			out = append(out, messages(c)...)
		}
		return out
	default:
		return []tea.Msg{msg}
	}
}
