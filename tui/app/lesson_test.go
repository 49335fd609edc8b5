package app

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/tui/pane"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view"
)

// lessonSession is a lesson of the program with its first session.
func lessonSession(name string) (*lesson.Lesson, state.Config, *targets.Problem) {
	l, err := lesson.Find(lesson.Builtin(), name)
	if err != nil {
		panic(err)
	}
	cfg, p, err := l.Scenes[0].Preset.Session.Config(openHere)
	if err != nil {
		panic(err)
	}
	return l, cfg, p
}

func openHere(c state.Config) (*targets.Problem, error) { return c.Open("") }

// lessonOn is a screen that begins with a lesson.
func lessonOn(t testing.TB, name string, s func(*session.Session) control.Session, w, h int) *model {
	t.Helper()
	l, cfg, p := lessonSession(name)
	e, err := session.New(cfg, p, session.Runtime{Threads: 2, Interactive: true})
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
	m := lessonOn(t, "two-curvatures",
		func(s *session.Session) control.Session { r.snap = s.Snapshot(); return r }, w, h)
	return m, r
}

// playing is a screen in a lesson on a session that runs.
func playing(t testing.TB, name string, w, h int) *model {
	var e *session.Session
	m := lessonOn(t, name, func(s *session.Session) control.Session { e = s; return s }, w, h)
	running(t, e)
	return m
}

// waits ticks until something holds.
func waits(t testing.TB, m *model, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(ptytest.Patience); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s:\n%s", what, m.text())
		}
		m.Update(control.TickMsg{Tag: m.Feed.Tag})
		m.Update(control.ChangedMsg{})
	}
}

func (m *model) presses(keys ...string) (cmd tea.Cmd) {
	for _, k := range keys {
		_, cmd = m.Update(press(k))
	}
	return cmd
}

// The session stands from its first step on until the question is answered.
func TestQuestionsHoldTheSession(t *testing.T) {
	m, r := asking(t, 120, 36)
	if want := []state.Command{state.SetSpeed{PerSecond: 10000}, state.Pause{}}; !reflect.DeepEqual(r.sent, want) {
		t.Fatalf("at the start it sent %#v, want %#v", r.sent, want)
	}
	m.presses("space", ".", "9")
	if len(r.sent) != 2 || m.player().Scene.Run.Phase() != lesson.Asking {
		t.Errorf("an open question let %#v pass", r.sent[2:])
	}
	if m.presses("2"); m.Focus.View != view.Stage || m.player().Scene.Run.Phase() != lesson.Doing {
		t.Error("2 does not answer")
	}
	if want := []state.Command{state.SetSpeed{PerSecond: 10000}, state.Pause{}, state.Resume{}}; !reflect.DeepEqual(r.sent, want) {
		t.Errorf("with the answer it sent %#v, want %#v", r.sent, want)
	}
	// A digit that comes too late shows no view, unless it is pressed again.
	if m.presses("2"); m.Focus.View != view.Stage ||
		!strings.Contains(m.text(), "nothing is asked here; 2 again shows view 2, diagnostics") {
		t.Errorf("after the answer 2 leaves view %d:\n%s", m.Focus.View, m.text())
	}
	for _, keys := range []string{"3", "tab 3", "9 9"} {
		if m.presses(strings.Fields(keys)...); m.Focus.View != view.Stage {
			t.Errorf("%s shows view %d", keys, m.Focus.View)
		}
	}
	if m.presses("2", "2"); m.Focus.View != view.Diagnostics {
		t.Error("2 twice is not the second view")
	}
	if m.presses("2", "2"); m.Focus.View != view.Diagnostics ||
		!strings.HasSuffix(strings.TrimSpace(m.text()), "· nothing is asked here") {
		t.Errorf("a digit of the view at hand says\n%s", m.text())
	}
	m.Notices.Clear()
	m.Screen.Dirty = true
	if m.clickHint(t, viewsHint, 0); m.Focus.View != view.Stage {
		t.Errorf("a click on the footer's 1 leaves view %d", m.Focus.View)
	}
	m.presses("space")
	if want := (state.Pause{}); r.sent[len(r.sent)-1] != want {
		t.Error("after the answer space does not pause")
	}
}

// A choice lights up under the mouse, and a click on it answers; a click beside
// the choices does nothing.
func TestClickAnswers(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {60, 20}} {
		m, r := asking(t, size[0], size[1])
		x, y := -1, -1
		for row, line := range strings.Split(m.text(), "\n") {
			if at := strings.Index(line, "2  θ₂, the wide one"); at >= 0 {
				x, y = plane.Width(line[:at]), row
			}
		}
		if x < 0 {
			t.Fatalf("the second choice is not to be seen:\n%s", m.text())
		}
		m.Update(tea.MouseMotionMsg(tea.Mouse{X: x, Y: y}))
		m.Update(control.ThenMsg(m.hovered))
		if m.Screen.Hot != "choice:2" {
			t.Errorf("at %d×%d the mouse is on %q, want the second choice", size[0], size[1], m.Screen.Hot)
		}
		click := func(y int) { m.Update(tea.MouseClickMsg(tea.Mouse{X: x, Y: y, Button: tea.MouseLeft})) }
		if click(y - 2); m.player().Scene.Run.Phase() != lesson.Asking {
			t.Error("a click beside the choices answers")
		}
		if click(y); m.player().Scene.Run.Phase() != lesson.Doing || m.player().Scene.Run.Card().Picked != 1 {
			t.Errorf("at %d×%d a click does not answer: %+v", size[0], size[1], m.player().Scene.Run.Card())
		}
		want := []state.Command{state.SetSpeed{PerSecond: 10000}, state.Pause{}, state.Resume{}}
		if !reflect.DeepEqual(r.sent, want) {
			t.Errorf("with the click it sent %#v, want %#v", r.sent, want)
		}
		m.View()
		if m.Update(control.ThenMsg(m.hovered)); strings.HasPrefix(m.Screen.Hot, "choice:") {
			t.Error("an answered question still has a choice under the mouse")
		}
	}
}

// A lesson from the first scene to the last, and what is said at its end.
func TestPlayALesson(t *testing.T) {
	innerlooptest.Later(t, "it plays at a set speed, as TestLessonOnATerminal does")
	t.Parallel() // it waits for a session of a set speed
	m := playing(t, "start-at-the-mode", 120, 36)
	reached := func() bool { return m.player().Scene.Run.Phase() == lesson.Revealed }
	if m.presses("h"); !strings.Contains(m.text(), "predict first") {
		t.Error("a hint before the answer says nothing")
	}
	m.presses("3")
	waits(t, m, "the first step is taken", reached)
	if !strings.Contains(m.text(), "100,000") || m.Feed.Foreseen.Speed != 1 {
		t.Errorf("the first scene tells\n%s", m.text())
	}
	m.presses("n", "2")
	waits(t, m, "200,000 draws are there", reached)
	m.presses("n")
	if p, _ := m.Selected(); p.Key != "burn-in" {
		t.Errorf("the parameter selected is %s", p.Key)
	}
	m.presses("h")
	if !strings.Contains(m.text(), "Select burn-in") {
		t.Error("the hint does not show")
	}
	m.presses(">", "enter", "5", "0", "0", "0", "enter")
	m.does("restart")
	waits(t, m, "the estimate is right", reached)
	for _, want := range []string{"well done", "You predicted 2 of 2", "n next lesson"} {
		if !strings.Contains(m.text(), want) {
			t.Errorf("at the end %q is missing:\n%s", want, m.text())
		}
	}

	m.presses("backspace")
	if m.player().Scene.Run.At != 1 || m.player().Scene.Holding {
		t.Error("going back does not show the scene before")
	}
	m.presses("n")
	if m.player().Scene.Run.At != 2 || m.Fetches != 0 {
		t.Error("a scene that was left is not shown as it was")
	}

	m.Update(fetched(t, m.presses("n")))
	if name := m.player().Scene.Run.Lesson.Name; name != "ess-cannot-see-bias" {
		t.Fatalf("the next lesson is %s", name)
	}
	waits(t, m, "its session is there", func() bool { return m.player().Scene.Unset == nil })
	if m.Focus.View != view.Diagnostics || !m.player().Scene.Holding || m.Feed.Foreseen.Phase != state.Paused ||
		m.Feed.Foreseen.Speed != 20_000 {
		t.Errorf("the next lesson begins with view %d, %s", m.Focus.View, m.Feed.Foreseen.Phase)
	}

	m.presses("esc")
	if !m.player().Scene.Playing {
		t.Error("one esc left the lesson")
	}
	if m.presses("esc"); m.player().Scene.Playing || !strings.Contains(m.text(), "left lesson ess-cannot-see-bias") {
		t.Error("two did not")
	}
	waits(t, m, "the session goes on", func() bool {
		return m.Feed.Newest.Phase == state.Running && m.Feed.Newest.Lanes[0].Step > 0
	})
}

// A scene's control.Session replaces the one at hand and sets the screen; a user who goes
// elsewhere is told so, and can begin again.
func TestSceneSetsTheScreen(t *testing.T) {
	s := newSession(t, "banana")
	running(t, s)
	m := newScreenOn(t, s, 120, 36)
	cmd := m.presses("3", "tab", "l", "<", "g", "w", "h", "o", "enter")
	if m.player().Scene.Playing {
		t.Fatal("the lesson is there before its session")
	}
	m.Update(fetched(t, cmd))
	waits(t, m, "the lesson's session is there", func() bool {
		return m.player().Scene.Playing && m.player().Scene.Unset == nil
	})
	f, shown := &m.Focus, m.Feed.Foreseen
	if f.View != view.Stage || f.Lane != 0 || f.Separate || f.XAxis != pane.ByStep || f.LogX || f.LinearY ||
		shown.Speed != 20_000 || shown.Config.Target != "gaussian:a=0.5" {
		t.Errorf("the screen is not as at the start: %+v, %g steps/s on %s", *f, shown.Speed, shown.Config.Target)
	}
	m.presses(">")
	waits(t, m, "the goal is reached", func() bool { return m.player().Scene.Run.Phase() == lesson.Revealed })
	m.Update(fetched(t, m.presses("n")))
	waits(t, m, "the second scene is there", func() bool {
		return m.player().Scene.Run.At == 1 && m.player().Scene.Unset == nil
	})
	m.presses("backspace")
	if !m.player().Scene.Run.Reread() || m.Feed.Foreseen.Phase != state.Paused {
		t.Error("an earlier scene is read, and the question's control.Session runs")
	}
	m.presses("n", "2", ">")
	waits(t, m, "the second goal is reached", func() bool { return m.player().Scene.Run.Phase() == lesson.Revealed })
	fetches := m.Fetches
	m.presses("n")
	if m.Fetches != fetches || !f.Separate || f.Lane != 1 || f.Param != "eps" {
		t.Errorf("the third scene sets %+v", *f)
	}

	m.presses("1")
	m.Update(opened(t, m, "mixture"))
	waits(t, m, "the target has changed", func() bool { return m.player().Scene.Away })
	if !strings.Contains(m.text(), "u again, on the lesson's target") {
		t.Errorf("it does not say how to come back:\n%s", m.text())
	}
	m.Update(fetched(t, m.presses("u")))
	waits(t, m, "the scene begins again", func() bool {
		return m.player().Scene.Unset == nil && m.Feed.Foreseen.Config.Target == "gaussian:a=2"
	})
	if m.player().Scene.Run.At != 1 || m.player().Scene.Away {
		t.Errorf("again begins at scene %d", m.player().Scene.Run.At+1)
	}
}

// What a lesson sets is not the user's wish.
func TestLessonKeepsSettings(t *testing.T) {
	m := playing(t, "step-size-decay", 120, 36)
	waits(t, m, "the screen is set", func() bool { return m.player().Scene.Unset == nil })
	if m.Focus.View != view.Diagnostics || !m.Focus.LogX {
		t.Fatal("the preset is not there")
	}
	if now := m.Current(); !reflect.DeepEqual(now, m.Settings.Start) {
		t.Errorf("%+v would be kept in place of %+v", now, m.Settings.Start)
	}
}

// A scene that is not done is told before it is left.
func TestSkipAScene(t *testing.T) {
	m, r := asking(t, 120, 36)
	m.presses("n")
	for _, want := range []string{"skipped: “Watch both lanes", "the answer: θ₂, the wide one",
		"Skipped: sentences with measured numbers are left out.", "n next"} {
		if !strings.Contains(m.text(), want) {
			t.Errorf("after n %q is missing:\n%s", want, m.text())
		}
	}
	if want := []state.Command{state.SetSpeed{PerSecond: 10000}, state.Pause{}, state.Resume{}}; m.player().Scene.Run.At != 0 || !reflect.DeepEqual(r.sent, want) {
		t.Errorf("n sent %#v, want %#v", r.sent, want)
	}
	if m.presses("h"); !strings.Contains(m.text(), "only waiting is left: A draws ≥ 50,000 and B draws ≥ 50,000") {
		t.Errorf("h does not say what is awaited:\n%s", m.text())
	}
	if m.presses("n"); m.player().Scene.Run.At != 1 || m.player().Scene.Run.Phase() != lesson.Asking {
		t.Error("n again does not go on")
	}
	m.presses("1")
	for w := 79; w <= 83; w++ { // the card is folded, and its keys are the footer's
		if m.Update(tea.WindowSizeMsg{Width: w, Height: 24}); !strings.Contains(m.text(), "n skip · h hint") ||
			!strings.Contains(m.text(), "e the lesson's card") {
			t.Errorf("%d columns leave the card without keys:\n%s", w, m.text())
		}
	}
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	m.presses("e", "n")
	if m.player().Scene.Run.At != 1 || !strings.Contains(m.text(), "you predicted: Nothing") ||
		!strings.Contains(m.text(), "skipped: “Raise ε to about 0.3") {
		t.Errorf("after an answer n shows\n%s", m.text())
	}
	m.presses("n", "n", "n", "n")
	if m.presses("n"); !m.player().Scene.Run.Done() || strings.Contains(m.text(), "well done") ||
		!strings.Contains(m.text(), "That was the last scene. You predicted 0 of 1") {
		t.Errorf("the last scene skipped:\n%s", m.text())
	}
}

// A lesson that cannot be opened leaves all as it was.
func TestLessonWithoutItsData(t *testing.T) {
	s := newSession(t, "banana")
	running(t, s)
	m := newScreenOn(t, s, 120, 36)
	m.player().Options.DataDir = t.TempDir()
	m.presses(":")
	m.Update(tea.PasteMsg{Content: "lesson race-on-a9a"})
	m.Update(fetched(t, m.presses("enter")))
	if m.player().Scene.Playing || !strings.Contains(m.text(), "lesson race-on-a9a: cannot read") {
		t.Errorf("after a failure:\n%s", m.text())
	}
}

// What a lesson says to press or to type is there: "press u", "then r", ":restart".
func TestLessonsNameKeysThatThereAre(t *testing.T) {
	m, _ := rest(t, "gaussian")
	said := regexp.MustCompile(`\b[Pp]ress ([a-zA-Z<>])\b|: ?([A-Z]) |:([a-z]+)`)
	for _, l := range lesson.Builtin() {
		for _, s := range l.Scenes {
			for _, text := range append([]string{s.Do}, s.Hints...) {
				for _, found := range said.FindAllStringSubmatch(text, -1) {
					key, name := found[1]+found[2], found[3]
					if !slices.ContainsFunc(control.All(m.Keys.Bindings), func(b control.Binding) bool {
						return key != "" && b.Has(key) || name != "" && b.Name == name
					}) {
						t.Errorf("%s: there is no %q, in %q", l.Name, found[0], text)
					}
				}
			}
		}
	}
}
