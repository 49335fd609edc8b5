package app

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
	play "github.com/psgld/psgld-tui/tui/control/lesson"
	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/plane"
)

// The card takes at most half of the screen unless all of it is asked for, and on
// a small screen all but the footer.
func TestCardSizes(t *testing.T) {
	for _, c := range []struct{ w, h int }{{80, 24}, {120, 36}, {200, 60}, {60, 20}, {40, 12}, {28, 11}, {20, 5},
		{300, 24}} {
		m, _ := asking(t, c.w, c.h)
		sizes := 0
		for range 3 {
			text, at := m.text(), plane.Rect{}
			for _, z := range m.Screen.Plane.Zones() {
				if z.ID == "lesson" {
					at = z.Rect
				}
			}
			compact := m.Screen.Compact()
			if !compact && m.player().Scene.Card <= play.Beside && at.H > c.h/2 ||
				compact && !at.Empty() && at.H < c.h-1 {
				t.Errorf("at %d×%d the card has %+v", c.w, c.h, at)
			}
			if at.Empty() == strings.Contains(text, "1-3 answer") && c.w >= 28 {
				t.Errorf("at %d×%d the card's keys and its room %+v differ:\n%s", c.w, c.h, at, text)
			}
			sizes++
			if m.presses("e"); m.player().Scene.Card == play.Beside {
				break
			}
		}
		if m.player().Scene.Card != play.Beside {
			t.Errorf("at %d×%d e does not come back to the first of %d sizes", c.w, c.h, sizes)
		}
	}
}

// The whole card leaves the view room enough to show something, or none.
func TestWholeCardLeavesAViewOrNone(t *testing.T) {
	innerlooptest.Skip(t, "a session for each of seventeen heights")
	for h := 18; h <= 34; h++ {
		m, _ := asking(t, 80, h)
		m.presses("1", "n")
		for range 3 {
			text := m.text()
			if at := m.Screen.ViewRect; m.player().Scene.Card == play.Whole && at.H > 0 && at.H < 7 {
				t.Errorf("80×%d: the view has %d rows:\n%s", h, at.H, text)
			}
			m.presses("e")
		}
	}
}

func TestLessonGoldens(t *testing.T) {
	innerlooptest.Numbers(t, "pictures of each scene")
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		w, h := size[0], size[1]
		name := func(scene string) string { return fmt.Sprintf("lesson-%s-%dx%d", scene, w, h) }
		m, r := asking(t, w, h)
		goldentest.Screen(t, name("asking"), m.text())
		m.presses("1")
		for _, at := range []struct {
			scene string
			steps uint64
		}{{"doing", 2_000}, {"told", 60_000}} {
			m.later(3 * time.Second) // what is said stands for two
			s := after(t, m.Feed.Newest, at.steps)
			s.Version, s.Applied = m.Feed.Newest.Version+1, m.Feed.Sent
			r.snap = s
			m.Update(control.TickMsg{Tag: m.Feed.Tag})
			m.Update(control.ChangedMsg{}) // of a session that stands, which ends the ticks
			told := m.player().Scene.Run.Phase() == lesson.Revealed
			if m.Feed.Newest != s || told != (at.scene == "told") {
				t.Fatalf("at step %d the scene is told: %v", at.steps, told)
			}
			m.Notices.Clear()
			goldentest.Screen(t, name(at.scene), m.text())
		}
		m.presses("e")
		goldentest.Screen(t, name("whole"), m.text())
	}
}

// after is a snapshot of the same session after some steps, without the numbers
// that differ from run to run.
func after(t *testing.T, of *engine.Snapshot, steps uint64) *engine.Snapshot {
	e, err := session.New(of.Config, of.Problem, session.Runtime{Threads: 1, Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	e.Send(state.StepBy{N: steps}) // before the first step
	running(t, e)
	for saving := false; ; <-e.Changed() {
		s := e.Snapshot()
		if s.Phase != state.Paused || s.Lanes[0].Step != steps {
			continue
		}
		if !saving {
			saving = true
			e.Send(engine.Save{To: make(chan engine.Saved, 1)}) // which waits for all that is evaluated
		}
		if s.Applied < 2 {
			continue
		}
		c := *s
		c.Rate, c.Lanes = 0, slices.Clone(c.Lanes)
		for i := range c.Lanes {
			l := &c.Lanes[i]
			l.Seconds, l.Values = 0, l.Values.Timeless()
		}
		return &c
	}
}

// Whatever is pressed in a lesson, nothing panics and every frame fits.
func TestAnythingInALesson(t *testing.T) {
	innerlooptest.Skip(t, "random keys")
	n := events(20_000)
	m := playing(t, "two-curvatures", 80, 24)
	var list []*lesson.Lesson
	for _, l := range lesson.Builtin() {
		if !strings.Contains(fmt.Sprint(l.Scenes), "mlp:") && !strings.Contains(fmt.Sprint(l.Scenes), "blr:") ||
			l.Name == "race-on-a9a" {
			list = append(list, l)
		}
	}
	m.player().Options.DataDir = t.TempDir() // without a9a
	m.player().Options.Lessons = func() ([]*lesson.Lesson, error) { return list, nil }
	m.player().Scene.List = list
	rng := rand.New(rand.NewPCG(3, 4))
	keys, own := everyKey(m), everyKey(m, control.Teaching)
	w, h := 80, 24
	var last tea.Msg
	var fetch tea.Cmd // what is being opened
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("at %d×%d after %#v: %v\n%s", w, h, last, r, debug.Stack())
		}
	}()
	// How far the keys come depends on how fast the session runs beside them.
	const enough = 15
	scenes := map[string]bool{}
	for i := 0; i < n || len(scenes) < enough && i < 20*n; i++ {
		if i%8 == 0 {
			m.Keys.Layer = nil
		}
		switch k := rng.IntN(100); {
		case k < 40:
			last = press(own[rng.IntN(len(own))])
		case k < 65:
			last = press(keys[rng.IntN(len(keys))])
		case k < 70:
			w, h = size(rng), size(rng)/3
			last = tea.WindowSizeMsg{Width: w, Height: h}
		case k < 74:
			at := tea.Mouse{X: rng.IntN(w+3) - 1, Y: rng.IntN(h+3) - 1, Button: tea.MouseButton(1 + rng.IntN(5))}
			last = []tea.Msg{tea.MouseClickMsg(at), tea.MouseWheelMsg(at), tea.MouseMotionMsg(at),
				tea.MouseReleaseMsg(at)}[rng.IntN(4)]
		case k < 80 && fetch != nil:
			last, fetch = fetched(t, fetch), nil
		case k < 90:
			last = control.TickMsg{Tag: m.Feed.Tag}
		case k < 91 && i%5 == 0:
			last = opened(t, m, []string{"gaussian", "banana", "funnel"}[rng.IntN(3)])
		case k < 95 && !m.player().Scene.Playing && fetch == nil:
			m.Keys.Layer = nil
			last = fetched(t, m.player().Start(list[rng.IntN(len(list))], list))
		default:
			last = control.ChangedMsg{}
		}
		fetches := m.Fetches
		if _, cmd := m.Update(last); m.Fetches != fetches && m.Loading != nil {
			fetch = cmd
		}
		if c := &m.player().Scene; c.Playing {
			scenes[fmt.Sprint(c.Run.Lesson.Name, c.Run.At, c.Run.Phase())] = true
		}
		if _, resized := last.(tea.WindowSizeMsg); resized || i%4 == 0 {
			m.checked(t, last)
		}
	}
	if len(scenes) < enough {
		t.Errorf("the keys came to %d phases of scenes only", len(scenes))
	}
}

// The history has the session before a lesson, and going back to it leaves the lesson.
func TestSessionBeforeALesson(t *testing.T) {
	m, r := asking(t, 120, 36)
	s := *r.snap
	s.CanReturn = true
	r.snap, m.Feed.Newest, m.Feed.Foreseen = &s, &s, &s
	typed(m, "b down enter")
	if _, ok := r.sent[len(r.sent)-1].(state.Return); !ok || m.player().Scene.Playing {
		t.Errorf("sent %v", r.sent)
	}
}

// A lesson that cannot be found may be one that is wrong, which is said with it.
func TestBrokenLessons(t *testing.T) {
	m, _ := rest(t, "gaussian")
	m.player().Options.Lessons = func() ([]*lesson.Lesson, error) {
		return lesson.Builtin(), errors.New("mine.toml:3: a title is missing")
	}
	m.Update(press(":"))
	typeKeys(m, "lesson qqq")
	if text := m.text(); !strings.Contains(text, `unknown lesson "qqq"`) ||
		!strings.Contains(text, "mine.toml:3: a title is missing") {
		t.Errorf("it says\n%s", text)
	}
	typed(m, "esc")
	if typed(m, "g"); !strings.Contains(m.text(), "mine.toml:3: a title is missing") {
		t.Errorf("the list of lessons says\n%s", m.text())
	}
}

// A card that rests with rows left out before what is new scrolls up to its first row and down to where it rested.
func TestScrollACard(t *testing.T) {
	m, _ := asking(t, 80, 24)
	m.presses("1", "n")
	m.Notices.Clear()
	rest := m.text()
	if !strings.Contains(rest, "lines above") || strings.Contains(rest, "The target is a normal") {
		t.Fatalf("nothing is left out:\n%s", rest)
	}
	scroll := func(key string, until func() bool) {
		for range 20 {
			m.presses(key)
			if m.Notices.Clear(); until() {
				return
			}
		}
		t.Errorf("%s does not come to an end:\n%s", key, m.text())
	}
	for _, keys := range [][2]string{{"ctrl+u", "ctrl+d"}, {"pgup", "pgdown"}} {
		scroll(keys[0], func() bool { return strings.Contains(m.text(), "The target is a normal") })
		scroll(keys[1], func() bool { return m.text() == rest })
	}
}
