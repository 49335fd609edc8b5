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

// The list says what was turned and when, goes there, and to any step that is typed, and wherever the session stands it
// is as it was.
func TestHistory(t *testing.T) {
	m := tapeScreen(t)
	end := standsAt(t, m, 1000).Lanes[0]
	m.Update(press("b"))
	got := m.text()
	for _, line := range []string{"step 0      the start", "step 300    ε 0.200", "step 700    ε 0.100",
		"▸ step 1,000  the end"} {
		if !strings.Contains(got, line) {
			t.Errorf("the list has no %q:\n%s", line, got)
		}
	}
	for _, key := range []string{"up", "up", "enter"} {
		m.Update(press(key))
	}
	m.says(t, "step 300 of 1,000: space plays on from here, and a change begins a new branch")
	if s := standsAt(t, m, 300); s.Lanes[0].Step != 300 || s.Lanes[0].Setting.Eps() != 0.2 {
		t.Errorf("at 300 the lane is at step %d with ε %g", s.Lanes[0].Step, s.Lanes[0].Setting.Eps())
	}
	for _, c := range []struct {
		key string
		to  uint64
	}{{",", 299}, {",", 298}, {".", 299}} {
		m.Update(press(c.key))
		standsAt(t, m, c.to)
	}
	m.Update(press("b"))
	if got := m.text(); !strings.Contains(got, "▸ step 299    here") || !strings.Contains(got, "1/2 ε 0.200 @300") {
		t.Errorf("in the midst:\n%s", got)
	}
	typeKeys(m, "250")
	m.Update(press("enter"))
	if s := standsAt(t, m, 250); s.Lanes[0].Step != 250 || s.Lanes[0].Setting.Eps() == 0.2 {
		t.Errorf("at 250 the lane is at step %d with ε %g", s.Lanes[0].Step, s.Lanes[0].Setting.Eps())
	}
	for _, bad := range []string{"99999", "1x", "-3"} {
		m.Update(press("b"))
		typeKeys(m, bad)
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
	m.Feed.Seek(0)
	standsAt(t, m, 0)
	m.Update(press(","))
	m.says(t, "the start of the session")
}

// The mouse takes the knob.
func TestTapeMouse(t *testing.T) {
	m := tapeScreen(t)
	m.Feed.Seek(999)
	standsAt(t, m, 999)
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
	m.says(t, "a new branch begins at step 500; b has the old one (500 steps, 1 change)")
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
		m.says(t, "; a new branch begins at step 500; b has the old one (500 steps, 1 change)")
		if m.Update(press("l")); m.Focus.Separate {
			if n := m.Notices.Text(m.Feed.Newest); strings.Contains(n.Text, "branch") {
				t.Errorf("the next key says %q", n.Text)
			}
		}
		m.tell(control.EndMsg{})
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
	m.Screen.Dirty = true
	if got := m.text(); !strings.Contains(got, "going to 20,000, 20 %") {
		t.Errorf("on the way:\n%s", got)
	}
	m.Update(press("space"))
	if len(r.sent) != 1 || r.sent[0] != (state.Pause{}) {
		t.Errorf("space sends %v", r.sent)
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
	m.says(t, "the start of saved: space plays it, b goes to any step of it, or back to the session before")
	m.Update(press("b"))
	m.Update(press("up")) // around to the session before
	m.Update(press("up"))
	m.Update(press("enter"))
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

// Each row of the history says what was turned, also where the one above says the same.
func TestHistorySaysEachTurn(t *testing.T) {
	m, _ := rest(t, "gaussian")
	s := *m.Feed.Newest
	s.Tape = engine.Tape{At: 9, End: 9}
	for at := range uint64(3) {
		s.Tape.Events = append(s.Tape.Events, engine.LoggedCommand{At: 3 + at, Lane: state.AllLanes,
			Event: state.Event{Command: state.Rewind{Lane: state.AllLanes, Steps: 200, EpsFactor: 0.5}}})
	}
	m.Feed.Newest, m.Feed.Foreseen = &s, &s
	typed(m, "b")
	if text := m.text(); strings.Count(text, "back 200, ε × 0.5 (") != 3 {
		t.Errorf("not every row says what was turned:\n%s", text)
	}
}
