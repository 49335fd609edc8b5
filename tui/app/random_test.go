package app

import (
	"image/color"
	"math/rand/v2"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/lesson"
)

// Whatever is pressed, clicked, pasted or resized, at any time of a running
// session, nothing panics, no frame is larger than the terminal, and every border is
// closed. With TestAnythingOnHostileSnapshots, TestAnythingInALesson and
// TestAnythingOnImages that is 10⁵ events with the tag slow. They are the same in every run: time goes on
// at ticks alone, and whatever runs beside the screen has come to rest before the next.
func TestAnything(t *testing.T) {
	n := events(60_000)
	dog := watch(t)
	synctest.Test(t, func(t *testing.T) {
		s := paced{newSession(t, "gaussian")}
		running(t, s.Session)
		testAnything(t, n, s, synctest.Wait, dog)
		time.Sleep(time.Minute) // until all timers have ended
	})
}

// The same beside a session that runs as fast as it can, for what depends on which of
// the two comes first.
func TestAnythingBesideALiveSession(t *testing.T) {
	innerlooptest.Skip(t, "random keys")
	n := events(3_000)
	s := newSession(t, "gaussian")
	running(t, s)
	testAnything(t, n, s, func() {}, watch(t))
}

// events is how many random events a test does: n with the tag slow, a twelfth of them without.
func events(n int) int {
	switch {
	case innerlooptest.Only():
		return n / 60
	case innerlooptest.Slow:
		return n
	}
	return n / 12
}

// paced is a session that goes no faster than 2,000 steps a second, so that it
// waits for the clock.
type paced struct{ *session.Session }

func (p paced) Send(c state.Command) (serial uint64) {
	if v, ok := c.(state.SetSpeed); ok && !(v.PerSecond > 0) {
		c = state.SetSpeed{PerSecond: 2000}
	}
	return p.Session.Send(c)
}

// testAnything does n random things; rest waits until nothing moves but for the clock.
func testAnything(t *testing.T, n int, s control.Session, rest func(), dog *watchdog) {
	s.Send(state.SetSpeed{})
	m := newScreenOn(t, s, 80, 24)
	m.Now = time.Now
	m.keeper().Outside.CommandLine = func(s *engine.Snapshot) (string, error) { return grammar.SteeredLine(s) }
	m.keeper().Outside.Write = func(dir string) (control.Written, error) { return control.Written{Where: dir}, nil }
	all := lesson.Builtin()
	m.opts.Lessons = func() ([]*lesson.Lesson, error) { return all, nil }
	rng := rand.New(rand.NewPCG(1, 2))

	keys := everyKey(m)
	commands := []string{
		"eps 0.05", "lr 0.01", "schedule halve:50", "schedule poly:1,2,0.5", "schedule no", "speed 100", "speed full",
		"speed -1", "seed 3", "run 20", "run x", "back 10 0.9", "back 10 x", "show 3 2", "watch 9 9", "sampler sgld",
		"open saved", "open gone", "history 100", "history 999999999999", "history x", "save cast out", "save picture a.png",
		"save pane b", "save table c", "save table d", "save x",
		"zoom in", "zoom left", "zoom all", "axes log x", "axes epochs", "axes x", "layout x",
		"sampler x", "add psgld", "sampler hmc", "add adam", "add dsvi", "sampler adam", "target x", "save session out",
		"batch 7", "prior-var 3", "v0 first", "grid steps 200", "grid cells 7", "grid cells 0", "grid x",
		"set theme light", "set theme auto", "set palette tol", "set octants on", "set octants auto",
		"set graphics off", "set ascii on", "set ascii off", "set fps 5", "pane lane A",
	}
	w, h := 80, 24
	var last tea.Msg
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("at %d×%d after %#v: %v\n%s", w, h, last, r, debug.Stack())
		}
	}()
	for i := range n {
		switch k := rng.IntN(100); {
		case k < 60:
			last = press(keys[rng.IntN(len(keys))])
		case k < 75:
			const typed = "0123456789.-e=: abcdefghijklmnopqrstuvwxyzTXLε²/"
			r := []rune(typed)
			last = press(string(r[rng.IntN(len(r))]))
		case k < 78:
			w, h = size(rng), size(rng)/3
			last = tea.WindowSizeMsg{Width: w, Height: h}
		case k < 80:
			last = tea.PasteMsg{Content: []string{"0.3", "eps 0.2\n", "\x1b[31m\x00", "gaussian:a=2", "1e400",
				""}[rng.IntN(6)]}
		case k < 92:
			at := tea.Mouse{X: rng.IntN(w+3) - 1, Y: h - rng.IntN(5), Button: tea.MouseButton(1 + rng.IntN(5))}
			if k&1 == 0 {
				at.Y = rng.IntN(h+3) - 1
			}
			last = mouseOf(at)[rng.IntN(4)]
		case k < 93:
			last = []tea.Msg{
				tea.BackgroundColorMsg{Color: color.White}, tea.BackgroundColorMsg{Color: color.Black},
				control.NoticeOverMsg{Tag: m.Notices.Tag}, control.ThenMsg(m.hovered),
				control.AfterMsg{}, control.ResumedMsg{},
			}[rng.IntN(6)]
		case k < 95:
			m.Keys.Layer = nil
			m.Update(press(":"))
			m.Update(tea.PasteMsg{Content: commands[rng.IntN(len(commands))]})
			last = press("enter")
		case k < 98:
			s.Snapshot() // of which the session has heard, whatever ran first
			time.Sleep(m.Feed.Interval)
			rest()
			last = control.TickMsg{Tag: m.Feed.Tag}
		case i%10 == 0:
			last = opened(t, m,
				[]string{"gaussian", "banana", "funnel", "mixture", "blr:synthetic", "nonsense"}[rng.IntN(6)])
		default:
			last = control.ChangedMsg{}
		}
		dog.during(last, func() { m.Update(last) })
		if z := &m.grid().Size; z.Steps == 0 || z.Steps > 200 {
			z.Steps = small.Steps
		}
		rest()
		if _, resized := last.(tea.WindowSizeMsg); resized || i%4 == 0 {
			dog.during(last, func() { m.checked(t, last) })
		}
	}
}

// size is a width or three heights: now and then tiny or huge.
func size(rng *rand.Rand) int {
	switch rng.IntN(10) {
	case 0:
		return rng.IntN(5)
	case 1:
		return rng.IntN(301)
	case 2, 3:
		return rng.IntN(80)
	}
	return 75 + rng.IntN(60)
}

// opened is the answer to the opening of a target.
func opened(t *testing.T, m *model, spec string) tea.Msg {
	return fetched(t, m.command(t, "target "+spec))
}
