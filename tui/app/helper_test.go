package app

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/control/keep"
	play "github.com/psgld/psgld-tui/tui/control/lesson"
	"github.com/psgld/psgld-tui/tui/control/sweep"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
	"github.com/psgld/psgld-tui/tui/view"
)

// gridKey is the key of the view that shows a grid.
var gridKey = strconv.Itoa(view.Sweep + 1)

// newSession makes a session of pSGLD and SGLD on a target.
func newSession(t testing.TB, spec string) *session.Session {
	t.Helper()
	p, err := targets.Open(spec, targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := state.Config{
		Target: spec, Seed: 1, Init: "random",
		Lanes: []state.Setting{state.DefaultSetting(p, "psgld"), state.DefaultSetting(p, "sgld")},
	}
	s, err := session.New(cfg, p, session.Runtime{Threads: 2, Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// running runs a session until the test ends.
func running(t testing.TB, s *session.Session) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != context.Canceled {
			t.Errorf("the session ended with %v", err)
		}
	})
}

// dark keeps the tests from asking a terminal.
func dark() *bool { b := true; return &b }

// newScreenOn is a model of a session at a size, in the middle of the screen's
// life but without a terminal. Its clock goes on with later alone.
func newScreenOn(t testing.TB, s control.Session, w, h int) *model {
	m := newModel(t.Context(), s, Options{Dark: dark(), Environ: []string{"TERM=xterm-256color"}})
	m.later(0)
	m.grid().Size = small
	m.Init()
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return m
}

// later moves the clock on.
func (m *model) later(d time.Duration) {
	now := m.Now().Add(d)
	m.Now = func() time.Time { return now }
}

// recorder stands for a session that never answers but keeps what it is sent.
type recorder struct {
	snap      *engine.Snapshot
	sent      []state.Command
	inGesture []bool // which of them go on with a gesture
	serial    uint64 // of the newest
}

func (r *recorder) Send(c state.Command) (serial uint64) {
	j, inGesture := c.(state.InGesture)
	if r.inGesture = append(r.inGesture, inGesture); inGesture {
		c = j.Command
	}
	r.sent, r.serial = append(r.sent, c), max(r.serial, r.snap.Applied)+1
	return r.serial
}
func (r *recorder) Snapshot() *engine.Snapshot { return r.snap }
func (r *recorder) Changed() <-chan struct{}   { return nil }

// viewsHint is the footer's hint of the views' keys, of a target without data.
var viewsHint = func() string {
	if n := len(view.Names()); n > 6 {
		return fmt.Sprintf("1-2 6-%d view", n)
	}
	return "1-2 6 view"
}()

// press makes the message of a key as Bubble Tea names it.
func press(name string) tea.KeyPressMsg {
	k, ok := namedKey(name)
	if !ok {
		panic(name + " is no key")
	}
	return k
}

// typeKeys presses a key for every character, then enter if asked.
func typeKeys(m *model, text string) {
	for _, r := range text {
		m.Update(press(string(r)))
	}
}

// command does what the palette does of a name with an argument.
func (m *model) command(t *testing.T, text string) tea.Cmd {
	t.Helper()
	name, argument, _ := strings.Cut(text, " ")
	for _, b := range control.All(m.Keys.Bindings) {
		if b.Name == name && b.With != nil {
			do, err := b.With(argument)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			return do()
		}
	}
	t.Fatalf("nothing is called %q", name)
	return nil
}

// opens does what opens something beside the screen, and hands that over.
func (m *model) opens(t *testing.T, text string) {
	t.Helper()
	m.Update(find[control.OpenedMsg](t, m.command(t, text)))
}

// small is the size of a grid for which no test waits long.
var small = scan.Size{Cells: 5, Steps: scan.LeastSteps, Seeds: 1}

// grid is the sweep of a screen.
func (m *model) grid() *sweep.Sweep {
	for _, c := range m.controllers {
		if s, ok := c.(*sweep.Sweep); ok {
			return s
		}
	}
	panic("no sweep")
}

// settle waits until the grid has run.
func (m *model) settle(t testing.TB) {
	m.tell(control.SettleMsg{Context: t.Context()})
	t.Cleanup(func() { m.tell(control.EndMsg{}) })
}

// player is the lesson of a screen.
func (m *model) player() *play.Player {
	for _, c := range m.controllers {
		if p, ok := c.(*play.Player); ok {
			return p
		}
	}
	panic("no lessons")
}

// fetched is what comes of what a command opens beside the screen.
func fetched(t testing.TB, cmd tea.Cmd) tea.Msg {
	t.Helper()
	got := make(chan tea.Msg, 1)
	go findOpened(cmd, got)
	select {
	case msg := <-got:
		return msg
	case <-time.After(ptytest.Patience):
		t.Fatal("nothing is opened")
		return nil
	}
}

// does does what the palette does of a name.
func (m *model) does(name string) tea.Cmd {
	m.Keys.Press++
	m.Notices.Answer()
	m.Screen.Dirty = true
	return m.followed(m.Keys.Do(name))
}

// text is the screen without styles.
func (m *model) text() string {
	m.View()
	return m.Screen.Plane.RenderPlain()
}

// fits reports whether a frame stays within w×h cells.
func fits(frame string, w, h int) bool {
	lines := strings.Split(frame, "\n")
	if len(lines) > h && frame != "" {
		return false
	}
	for _, l := range lines {
		if ansi.StringWidth(l) > w {
			return false
		}
	}
	return true
}

// answer is what comes of a command, however long it works; nil for one that only waits,
// for a time or for news, and does so for more than a moment.
func answer(cmd tea.Cmd) tea.Msg {
	if cmd == nil {
		return nil
	}
	wait := ptytest.Patience
	name := runtime.FuncForPC(reflect.ValueOf(cmd).Pointer()).Name()
	if strings.Contains(name, ".Tick.") || strings.Contains(strings.ToLower(name), "wait") {
		wait = 50 * time.Millisecond
	}
	got := make(chan tea.Msg, 1)
	go func() { got <- cmd() }()
	select {
	case msg := <-got:
		return msg
	case <-time.After(wait):
		return nil
	}
}

// end tells everybody that the program ends, and returns what could not be brought to its
// end.
func (m *model) end() (err error) {
	m.tell(control.EndMsg{Failed: func(e error) { err = errors.Join(err, e) }})
	return err
}

// keeper is what writes and reads.
func (m *model) keeper() *keep.Keep {
	for _, c := range m.controllers {
		if k, ok := c.(*keep.Keep); ok {
			return k
		}
	}
	return nil
}
