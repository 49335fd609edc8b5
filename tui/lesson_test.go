package tui

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/panel"
)

// lessonSession is a lesson of the program with its first session.
func lessonSession(name string) (*lesson.Lesson, engine.Config, *targets.Problem) {
	l, err := lesson.Find(lesson.Builtin(), name)
	if err != nil {
		panic(err)
	}
	cfg, p, err := l.Scenes[0].Preset.Config(openHere)
	if err != nil {
		panic(err)
	}
	return l, cfg, p
}

func openHere(c engine.Config) (*targets.Problem, error) { return c.Open("") }

// lessonOn is a screen that begins with a lesson.
func lessonOn(t testing.TB, name string, s func(*engine.Session) session, w, h int) *model {
	t.Helper()
	l, cfg, p := lessonSession(name)
	e, err := engine.NewSession(cfg, p, engine.Runtime{Threads: 2, Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	m := newModel(t.Context(), s(e), Options{Dark: dark(), Environ: []string{"TERM=xterm-256color"}, Lesson: l})
	m.Init()
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return m
}

// asking is a screen in a lesson's first scene, on a session that never answers.
func asking(t testing.TB, w, h int) (*model, *recorder) {
	r := &recorder{}
	m := lessonOn(t, "two-curvatures", func(s *engine.Session) session { r.snap = s.Snapshot(); return r }, w, h)
	return m, r
}

// playing is a screen in a lesson on a session that runs.
func playing(t testing.TB, name string, w, h int) *model {
	var e *engine.Session
	m := lessonOn(t, name, func(s *engine.Session) session { e = s; return s }, w, h)
	running(t, e)
	return m
}

// waits ticks until something holds.
func waits(t testing.TB, m *model, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s:\n%s", what, m.text())
		}
		m.Update(tickMsg{m.feed.tag})
		m.Update(changedMsg{})
	}
}

// opens is what comes of opening the session that a lesson waits for.
func opens(m *model) tea.Msg {
	cfg, p, err := m.course.next.Scene().Preset.Config(openHere)
	return sceneMsg{m.course.serial, cfg, p, err}
}

func (m *model) presses(keys ...string) {
	for _, k := range keys {
		m.Update(press(k))
	}
}

// The session stands from its first step on until the question is answered.
func TestQuestionsHoldTheSession(t *testing.T) {
	m, r := asking(t, 120, 36)
	if want := []engine.Command{engine.Pause{}}; !reflect.DeepEqual(r.sent, want) {
		t.Fatalf("at the start it sent %#v, want %#v", r.sent, want)
	}
	m.presses("space", ".", "9")
	if len(r.sent) != 1 || m.course.run.Phase() != lesson.Asking {
		t.Errorf("an open question let %#v pass", r.sent[1:])
	}
	if m.presses("2"); m.focus.view != stageView || m.course.run.Phase() != lesson.Doing {
		t.Error("2 does not answer")
	}
	if want := []engine.Command{engine.Pause{}, engine.Resume{}}; !reflect.DeepEqual(r.sent, want) {
		t.Errorf("with the answer it sent %#v, want %#v", r.sent, want)
	}
	if m.presses("2"); m.focus.view != diagnosticsView {
		t.Error("after the answer 2 is not the second view")
	}
	m.presses("space")
	if want := (engine.Pause{}); r.sent[len(r.sent)-1] != want {
		t.Error("after the answer space does not pause")
	}
}

// A lesson from the first scene to the last, and what is said at its end.
func TestPlayALesson(t *testing.T) {
	m := playing(t, "start-at-the-mode", 120, 36)
	reached := func() bool { return m.course.run.Phase() == lesson.Told }
	if m.presses("h"); !strings.Contains(m.text(), "guess first") {
		t.Error("a hint before the answer says nothing")
	}
	m.presses("3")
	waits(t, m, "the first step is taken", reached)
	if !strings.Contains(m.text(), "100,000") || m.feed.shown.Speed != 1 {
		t.Errorf("the first scene tells\n%s", m.text())
	}
	m.presses("n", "2")
	waits(t, m, "200,000 draws are there", reached)
	m.presses("n")
	if p, _ := m.selected(); p.Key != "burn-in" {
		t.Errorf("the parameter selected is %s", p.Key)
	}
	m.presses("h")
	if !strings.Contains(m.text(), "The order matters") {
		t.Error("the hint does not show")
	}
	m.presses("enter", "2", "0", "0", "0", "enter", "R")
	waits(t, m, "the estimate is right", reached)
	for _, want := range []string{"well done", "You foresaw 2 of 2", "n next lesson"} {
		if !strings.Contains(m.text(), want) {
			t.Errorf("at the end %q is missing:\n%s", want, m.text())
		}
	}

	m.presses("backspace")
	if m.course.run.At() != 1 || m.course.holding {
		t.Error("going back does not show the scene before")
	}
	m.presses("n")
	if m.course.run.At() != 2 || m.course.waiting {
		t.Error("a scene that was left is not shown as it was")
	}

	m.presses("n")
	if !m.course.waiting || m.course.next.Lesson().Name != "ess-cannot-see-bias" {
		t.Fatal("the next lesson is not asked for")
	}
	m.Update(opens(m))
	waits(t, m, "its session is there", func() bool { return !m.course.unset })
	if m.focus.view != diagnosticsView || !m.course.holding || m.feed.shown.Phase != engine.Paused || m.feed.shown.Speed != 0 {
		t.Errorf("the next lesson begins with view %d, %s", m.focus.view, m.feed.shown.Phase)
	}

	m.presses("esc")
	if !m.course.on {
		t.Error("one esc left the lesson")
	}
	if m.presses("esc"); m.course.on || !strings.Contains(m.text(), "left lesson ess-cannot-see-bias") {
		t.Error("two did not")
	}
	waits(t, m, "the session goes on", func() bool { return m.feed.snap.Phase == engine.Running && m.feed.snap.Lanes[0].Step > 0 })
}

// A scene's session replaces the one at hand and sets the screen; a user who goes
// elsewhere is told so, and can begin again.
func TestSceneSetsTheScreen(t *testing.T) {
	s := newSession(t, "banana")
	running(t, s)
	m := newScreenOn(t, s, 120, 36)
	m.presses("3", "tab", "l", "X", "L", "<", "g", "w", "h", "o", "enter")
	if !m.course.waiting || m.course.on {
		t.Fatal("the list starts no lesson")
	}
	m.Update(opens(m))
	waits(t, m, "the lesson's session is there", func() bool { return m.course.on && !m.course.unset })
	f, shown := &m.focus, m.feed.shown
	if f.view != stageView || f.lane != 0 || f.separate || f.x != panel.ByStep || f.logX || f.linearY || shown.Speed != 0 || shown.Config.Target != "gaussian:a=0.5" {
		t.Errorf("the screen is not as at the start: %+v, %g steps/s on %s", *f, shown.Speed, shown.Config.Target)
	}
	waits(t, m, "the goal is reached", func() bool { return m.course.run.Phase() == lesson.Told })
	m.presses("n")
	m.Update(opens(m))
	waits(t, m, "the second scene is there", func() bool { return m.course.run.At() == 1 && !m.course.unset })
	m.presses("backspace")
	if m.course.same() || m.feed.shown.Phase != engine.Paused {
		t.Error("an earlier scene is read, and the question's session runs")
	}
	m.presses("n", "2")
	waits(t, m, "the second goal is reached", func() bool { return m.course.run.Phase() == lesson.Told })
	m.presses("n")
	if m.course.waiting || !f.separate || f.lane != 1 || f.param != "eps" {
		t.Errorf("the third scene sets %+v", *f)
	}

	m.presses("1")
	m.Update(opened(m, "mixture"))
	waits(t, m, "the target has changed", func() bool { return m.course.away })
	if !strings.Contains(m.text(), "A again, on the lesson's target") {
		t.Errorf("it does not say how to come back:\n%s", m.text())
	}
	m.presses("A")
	m.Update(opens(m))
	waits(t, m, "the scene begins again", func() bool { return !m.course.unset && m.feed.shown.Config.Target == "gaussian:a=2" })
	if m.course.run.At() != 1 || m.course.away {
		t.Errorf("again begins at scene %d", m.course.run.At()+1)
	}
}

// What a lesson sets is not the user's wish.
func TestLessonKeepsSettings(t *testing.T) {
	m := playing(t, "step-size-decay", 120, 36)
	waits(t, m, "the screen is set", func() bool { return !m.course.unset })
	if m.focus.view != diagnosticsView || !m.focus.logX {
		t.Fatal("the preset is not there")
	}
	if now := m.current(); now != m.settings.start {
		t.Errorf("%+v would be kept in place of %+v", now, m.settings.start)
	}
}

// A lesson that cannot be opened leaves all as it was.
func TestLessonWithoutItsData(t *testing.T) {
	s := newSession(t, "banana")
	running(t, s)
	m := newScreenOn(t, s, 120, 36)
	m.presses(":")
	m.Update(tea.PasteMsg{Content: "lesson race-on-a9a"})
	m.presses("enter")
	if !m.course.waiting {
		t.Fatal("the palette starts no lesson")
	}
	m.Update(sceneMsg{serial: m.course.serial, err: fmt.Errorf("a9a: not found")})
	if m.course.on || m.course.waiting || !strings.Contains(m.text(), "lesson race-on-a9a: a9a: not found") {
		t.Errorf("after a failure:\n%s", m.text())
	}
}

// The card takes at most half of the screen unless all of it is asked for, and on
// a small screen all but the footer.
func TestCardSizes(t *testing.T) {
	for _, c := range []struct{ w, h int }{{80, 24}, {120, 36}, {200, 60}, {60, 20}, {40, 12}, {20, 5}, {300, 24}} {
		m, _ := asking(t, c.w, c.h)
		sizes := 0
		for range 3 {
			at := m.cardRect(m.looked())
			if compact := panel.Arrange(c.w, c.h, m.looked()).Compact; !compact && m.course.card == cardBeside && at.H > c.h/2 || compact && !at.Empty() && at.H < c.h-1 {
				t.Errorf("at %d×%d the card has %+v", c.w, c.h, at)
			}
			if text := m.text(); at.Empty() == strings.Contains(text, "1-3 answer") && c.w >= 40 {
				t.Errorf("at %d×%d the card's keys and its room %+v differ:\n%s", c.w, c.h, at, text)
			}
			sizes++
			if m.presses("e"); m.course.card == cardBeside {
				break
			}
		}
		if m.course.card != cardBeside {
			t.Errorf("at %d×%d e does not come back to the first of %d sizes", c.w, c.h, sizes)
		}
	}
}

func TestLessonGoldens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		w, h := size[0], size[1]
		name := func(scene string) string { return fmt.Sprintf("lesson-%s-%dx%d", scene, w, h) }
		m, r := asking(t, w, h)
		golden(t, name("asking"), m.text())
		m.presses("1")
		for _, at := range []struct {
			scene string
			steps uint64
		}{{"doing", 2_000}, {"told", 60_000}} {
			s := after(t, m.feed.snap, at.steps)
			s.Version, s.Applied = m.feed.snap.Version+1, m.feed.sent
			r.snap = s
			m.Update(tickMsg{m.feed.tag})
			m.notices.clear()
			golden(t, name(at.scene), m.text())
		}
		m.presses("e")
		golden(t, name("whole"), m.text())
	}
}

// after is a snapshot of the same session after some steps, without the numbers
// that differ from run to run.
func after(t *testing.T, of *engine.Snapshot, steps uint64) *engine.Snapshot {
	e, err := engine.NewSession(of.Config, of.Problem, engine.Runtime{Threads: 1, Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	e.Send(engine.StepBy{N: steps}) // before the first step
	running(t, e)
	for saving := false; ; <-e.Changed() {
		s := e.Snapshot()
		if s.Phase != engine.Paused || s.Lanes[0].Step != steps {
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
			l.Rate, l.Seconds, l.ESSPerSec = 0, 0, 0
		}
		return &c
	}
}

// Whatever is pressed in a lesson, nothing panics and every frame fits.
func TestAnythingInALesson(t *testing.T) {
	n := 4_000
	if !testing.Short() {
		n = 20_000
	}
	m := playing(t, "two-curvatures", 80, 24)
	var list []*lesson.Lesson
	for _, l := range lesson.Builtin() {
		if !strings.Contains(fmt.Sprint(l.Scenes), "mlp:") && !strings.Contains(fmt.Sprint(l.Scenes), "blr:") {
			list = append(list, l)
		}
	}
	m.opts.Lessons = func() ([]*lesson.Lesson, error) { return list, nil }
	m.course.list = list
	rng := rand.New(rand.NewPCG(3, 4))
	var keys, own []string
	for _, b := range keymap.Table() {
		if b.Action != keymap.Quit {
			keys = append(keys, b.Keys...)
		}
		if b.Context == keymap.Lesson {
			own = append(own, b.Keys...)
		}
	}
	w, h := 80, 24
	var last tea.Msg
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
			m.mode = nil
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
			last = []tea.Msg{tea.MouseClickMsg(at), tea.MouseWheelMsg(at), tea.MouseMotionMsg(at), tea.MouseReleaseMsg(at)}[rng.IntN(4)]
		case k < 80 && m.course.waiting:
			if last = opens(m); rng.IntN(10) == 0 {
				last = sceneMsg{serial: m.course.serial, err: fmt.Errorf("the disk is gone")}
			}
		case k < 90:
			last = tickMsg{m.feed.tag}
		case k < 91 && i%5 == 0:
			last = opened(m, []string{"gaussian", "banana", "funnel"}[rng.IntN(3)])
		case k < 95 && !m.course.on && !m.course.waiting:
			m.mode = nil
			m.startLesson(list[rng.IntN(len(list))], list)
			last = opens(m)
		default:
			last = changedMsg{}
		}
		m.Update(last)
		if c := &m.course; c.on {
			scenes[fmt.Sprint(c.run.Lesson().Name, c.run.At(), c.run.Phase())] = true
		}
		if _, resized := last.(tea.WindowSizeMsg); resized || i%4 == 0 {
			if frame := m.View().Content; !fits(frame, w, h) {
				t.Fatalf("a frame for %d×%d is larger, after %#v:\n%s", w, h, last, frame)
			}
		}
	}
	if len(scenes) < enough {
		t.Errorf("the keys came to %d phases of scenes only", len(scenes))
	}
}

// BenchmarkLessonFrame is BenchmarkFrame in a lesson, at its end where there is
// most to say.
func BenchmarkLessonFrame(b *testing.B) {
	m, r := asking(b, 200, 60)
	m.presses("1")
	copies := [2]*engine.Snapshot{}
	for i := range copies {
		c := *r.snap
		c.Version, c.Phase, c.Applied = uint64(i+100), engine.Running, m.feed.sent
		copies[i] = &c
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		r.snap = copies[n%2]
		m.Update(tickMsg{m.feed.tag})
		m.View()
	}
}
