package app

import (
	"image/color"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
)

// next publishes a snapshot of the recorder.
func (r *recorder) next(change func(*engine.Snapshot)) {
	s := *r.snap
	s.Version++
	change(&s)
	r.snap = &s
}

// While the session rests nothing ticks, and nothing is drawn again.
func TestRestIsSilent(t *testing.T) {
	r := &recorder{snap: newSession(t, "gaussian").Snapshot()}
	r.next(func(s *engine.Snapshot) { s.Phase = state.Paused })
	m := newScreenOn(t, r, 80, 24)
	m.View()
	if m.Feed.Ticking || m.Feed.Start() != nil {
		t.Error("a paused session makes the screen tick")
	}
	if m.Update(control.NoticeOverMsg{Tag: m.Notices.Tag}); m.Screen.Dirty {
		t.Error("nothing happened, and the frame is drawn again")
	}

	m.Update(press("space"))
	if !m.Feed.Ticking {
		t.Fatal("a command does not make the screen tick")
	}
	r.next(func(s *engine.Snapshot) { s.Phase, s.Applied = state.Running, 1 })
	if _, next := m.Update(control.TickMsg{Tag: m.Feed.Tag}); next == nil {
		t.Error("a running session does not make the screen tick")
	}
	r.next(func(s *engine.Snapshot) { s.Phase = state.Paused })
	if m.Update(control.TickMsg{Tag: m.Feed.Tag}); m.Feed.Ticking {
		t.Error("the screen ticks on after the session paused")
	}
}

// A turn of ε shows at once with the step in force, though the session has not answered.
func TestATurnIsForeseen(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.presses("right", "right")
	m.View()
	text := ansi.Strip(m.drawn)
	if len(r.sent) != 2 || !strings.Contains(text, "ε 0.476") || strings.Contains(text, "now 0.3") {
		t.Errorf("%d commands; the screen is\n%s", len(r.sent), text)
	}
}

// Of two chains of ticks only the newer counts.
func TestStaleTicksAreDropped(t *testing.T) {
	m, r := rest(t, "gaussian")
	old := m.Feed.Tag
	m.Feed.Ticking = false
	m.Feed.Start()
	r.next(func(*engine.Snapshot) {})
	m.Screen.Dirty = false
	if _, next := m.Update(control.TickMsg{Tag: old}); next != nil || m.Screen.Dirty {
		t.Error("a stale tick counts")
	}
	if _, next := m.Update(control.TickMsg{Tag: m.Feed.Tag}); next == nil || !m.Screen.Dirty {
		t.Error("a new tick does not count")
	}
}

// A session that changes while nothing ticks, as a long single step does at its
// end, wakes the screen.
func TestChangeWakesTheScreen(t *testing.T) {
	r := &recorder{snap: newSession(t, "gaussian").Snapshot()}
	r.next(func(s *engine.Snapshot) { s.Phase = state.Paused })
	m := newScreenOn(t, r, 80, 24)
	m.View()
	r.next(func(s *engine.Snapshot) { s.Rate = 1 })
	if _, next := m.Update(control.ChangedMsg{}); next == nil || !m.Screen.Dirty {
		t.Error("a change does not wake the screen, or ends the waiting")
	}
}

// A frame is drawn once for each thing that changes it.
func TestFramesAreKept(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.View()
	for _, c := range []struct {
		name string
		msg  tea.Msg
	}{
		{"a tick without a snapshot", control.TickMsg{Tag: m.Feed.Tag}},
		{"the same size", tea.WindowSizeMsg{Width: 120, Height: 36}},
		{"the mouse", tea.MouseMotionMsg{X: 3, Y: 3}},
		{"a message of others", tea.FocusMsg{}},
		{"the same background", tea.BackgroundColorMsg{Color: color.Black}},
	} {
		if m.Update(c.msg); m.Screen.Dirty {
			t.Errorf("%s makes the screen draw", c.name)
		}
	}
	r.next(func(*engine.Snapshot) {})
	for _, c := range []struct {
		name string
		msg  tea.Msg
	}{
		{"a snapshot", control.TickMsg{Tag: m.Feed.Tag}},
		{"a key", press("down")},
		{"a size", tea.WindowSizeMsg{Width: 90, Height: 30}},
		{"a light background", tea.BackgroundColorMsg{Color: color.White}},
	} {
		m.View()
		if m.Update(c.msg); !m.Screen.Dirty {
			t.Errorf("%s does not make the screen draw", c.name)
		}
	}
}

// Notices go when their time is over, and an older timer does not end a newer
// notice.
func TestNoticesGo(t *testing.T) {
	m, r := rest(t, "gaussian")
	r.next(func(s *engine.Snapshot) { s.Notice = engine.Notice{Serial: 1, Fact: state.Restarted{Seed: 5}} })
	m.Update(control.TickMsg{Tag: m.Feed.Tag})
	old := control.NoticeOverMsg{Tag: m.Notices.Tag}
	m.Say(true, "no such file")
	if m.Update(old); !m.Notices.Showing {
		t.Error("an old timer ends a new notice")
	}
	if n := m.Notices.Text(m.Feed.Foreseen); n.Text != "no such file" {
		t.Errorf("the footer says %q", n.Text)
	}
	if m.Update(control.NoticeOverMsg{Tag: m.Notices.Tag}); m.Notices.Showing {
		t.Error("a notice stays")
	}
	if f := m.seen(m.arrange()); f.note.Text != "" {
		t.Error("the session's notice comes back")
	}
}

// The next frame waits until the terminal's line has carried the one before.
func TestTicksWaitForTheLine(t *testing.T) {
	r := &recorder{snap: newSession(t, "gaussian").Snapshot()}
	r.next(func(s *engine.Snapshot) { s.Phase = state.Running })
	m := newScreenOn(t, r, 80, 24)
	m.Feed.Ticking = false
	m.Feed.Written, m.Feed.Rate = new(atomic.Int64), 1000
	m.Feed.Written.Add(100)
	from := time.Now() // the tick counts from Start on
	next := m.Feed.Start()
	if next(); time.Since(from) < 100*time.Millisecond {
		t.Errorf("100 bytes at 1,000 a second, and the next tick came after %v", time.Since(from))
	}
	if rate := lineRate(80, 24); rate > 100e3 {
		t.Errorf("%v bytes a second at 80×24", rate)
	}
	if rate := lineRate(120, 36); rate > 200e3 {
		t.Errorf("%v bytes a second at 120×36", rate)
	}
}
