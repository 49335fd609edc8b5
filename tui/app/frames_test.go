package app

import (
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/plane"
)

// wrong draws the screen, if it must, and says what is wrong with it whatever it
// shows. An overlay takes the colour of borders from what it covers.
func (m *model) wrong() string {
	if content := m.View().Content; content != "" && content != m.Screen.Plane.Render() {
		return "the terminal is given something else than the screen"
	}
	var over []plane.Rect
	if at, ok := m.Screen.Panes.Find("before and after"); ok {
		over = append(over, at.Rect)
	}
	return frametest.Wrong(m.Screen.Plane, m.Theme, over...)
}

// checked fails the test if something is wrong with the screen.
func (m *model) checked(t *testing.T, after any) {
	t.Helper()
	if wrong := m.wrong(); wrong != "" {
		w, h := m.Screen.Width, m.Screen.Height
		t.Fatalf("at %d×%d, after %#v: %s\n%s", w, h, after, wrong, m.text())
	}
}

// anyMouse is a mouse message somewhere on a screen of w×h cells, or beside it.
func anyMouse(rng *rand.Rand, w, h int) tea.Msg {
	at := tea.Mouse{X: rng.IntN(w+3) - 1, Y: rng.IntN(h+3) - 1, Button: tea.MouseButton(1 + rng.IntN(5))}
	return mouseOf(at)[rng.IntN(4)]
}

// mouseOf are all that a mouse can do at a place.
func mouseOf(at tea.Mouse) []tea.Msg {
	return []tea.Msg{tea.MouseClickMsg(at), tea.MouseWheelMsg(at), tea.MouseMotionMsg(at), tea.MouseReleaseMsg(at)}
}

// everyKey are the keys of all bindings of some groups, of all without any, but for those
// that quit.
func everyKey(m *model, groups ...control.Group) (keys []string) {
	for _, b := range m.Keys.Bindings {
		if b.Help != "quit" && (len(groups) == 0 || slices.Contains(groups, b.Group)) {
			keys = append(keys, strings.Fields(b.Keys)...)
		}
	}
	return keys
}

// Whatever snapshots come, of a density, of data and of a network, in a lesson, on
// the tape, beside a grid and under what is open over the screen, and whatever is
// pressed meanwhile: nothing panics, no frame is larger than the terminal, and every
// border is closed.
func TestAnythingOnHostileSnapshots(t *testing.T) {
	innerlooptest.Numbers(t, "random keys")
	n := events(4_000)
	at := func(spec string) *engine.Snapshot { return stopped(t, spec, 3000) }
	begin := map[string]func(r *recorder) *model{
		"density": func(r *recorder) *model { r.snap = at("gaussian"); return newScreenOn(t, r, 80, 24) },
		"data":    func(r *recorder) *model { r.snap = at("blr:synthetic"); return newScreenOn(t, r, 80, 24) },
		"network": func(r *recorder) *model {
			r.snap = digitsAtRest()
			m := newScreenOn(t, r, 80, 24)
			m.Update(press("i"))
			return m
		},
		"lesson": func(r *recorder) *model {
			m := lessonOn(t, "two-curvatures",
				func(s *session.Session) control.Session { r.snap = s.Snapshot(); return r }, 80, 24)
			m.grid().Size = small
			return m
		},
	}
	for name, begin := range begin {
		t.Run(name, func(t *testing.T) {
			r := &recorder{}
			m := begin(r)
			whole, version := r.snap, r.snap.Version
			rng := rand.New(rand.NewPCG(7, uint64(len(name))))
			keys := everyKey(m)
			w, h := 80, 24
			var last any
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("at %d×%d after %#v: %v\n%s", w, h, last, p, debug.Stack())
				}
			}()
			for i := range n {
				if i%12 == 0 {
					m.Keys.Layer, m.Screen.Dirty = nil, true
				}
				var msg tea.Msg
				switch k := rng.IntN(20); {
				case k < 9:
					msg = press(keys[rng.IntN(len(keys))])
				case k < 11:
					msg = press([]string{"1", "2", "3", "4", "5", gridKey, "b", "?", ":", "f", "f", "f"}[rng.IntN(12)])
				case k < 13:
					msg = anyMouse(rng, w, h)
				case k < 15:
					w, h = 1+rng.IntN(300), 1+rng.IntN(100)
					if k < 14 {
						w, h = max(size(rng), 1), max(size(rng)/3, 1)
					}
					msg = tea.WindowSizeMsg{Width: w, Height: h}
				default:
					s := frametest.Hostile(whole, rng)
					if len(s.Lanes) == 0 || s.Problem == nil { // a session has lanes and a target
						s = whole
					}
					version++
					c := *s
					c.Version, c.Applied, c.Config = version, m.Feed.Sent, whole.Config
					for k := range c.Lanes { // which a lane always has
						of := &whole.Lanes[k]
						c.Lanes[k].ID, c.Lanes[k].Setting, c.Lanes[k].Watch = of.ID, of.Setting, of.Watch
					}
					c.Phase = []state.Phase{state.Running, state.Paused, state.Done}[rng.IntN(3)]
					if rng.IntN(2) == 0 {
						c.Tape = engine.Tape{At: uint64(rng.IntN(3000)), End: 3000, Events: s.Tape.Events,
							Seeking: rng.IntN(4) == 0, To: uint64(rng.IntN(3000))}
					}
					r.snap = &c
					m.Feed.Ticking = true
					msg = control.TickMsg{Tag: m.Feed.Tag}
				}
				last = msg
				m.Update(msg)
				if i%2 == 0 {
					m.checked(t, last)
				}
			}
		})
	}
}

// stopped is what a session of pSGLD and SGLD comes to after some steps.
func stopped(t *testing.T, spec string, steps uint64) *engine.Snapshot {
	return after(t, newSession(t, spec).Snapshot(), steps)
}

// A hole in any border of any view is found, so that looking for them means
// something.
func TestOpenBordersAreFound(t *testing.T) {
	innerlooptest.Skip(t, "every border")
	m, _ := rest(t, "gaussian")
	for _, key := range []string{"1", "2", "3", "4", "5"} {
		m.Update(press(key))
		m.checked(t, key)
		for _, p := range m.Screen.Panes.All() {
			for _, at := range [][2]int{
				{p.Rect.X, p.Rect.Y}, {p.Rect.X + p.Rect.W - 1, p.Rect.Y}, {p.Rect.X, p.Rect.Y + p.Rect.H - 1},
				{p.Rect.X, p.Rect.Y + 1}, {p.Rect.X + p.Rect.W - 1, p.Rect.Y + p.Rect.H - 2},
			} {
				m.Screen.Dirty = true
				m.View()
				m.Screen.Plane.Region().Set(at[0], at[1], ' ', plane.Style{})
				if frametest.Wrong(m.Screen.Plane, m.Theme) == "" {
					t.Fatalf("view %s: a hole at %v in the border of %q is not found", key, at, p.Name)
				}
			}
		}
	}
}
