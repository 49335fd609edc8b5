package app

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// A turn and as many notches back give the very value, wherever between the notches
// that lies, in each of linked lanes.
func TestTurnsBackAreExact(t *testing.T) {
	for _, key := range []string{"eps", "alpha", "lambda", "temp", "thin", "burn-in"} {
		for _, x := range [...][2]float64{{1.0 / 60, 1.0 / 300}, {0.95123, 0.3}, {0.1005, 0.7}} {
			if key == "thin" || key == "burn-in" {
				x = [2]float64{37, 1234}
			}
			for _, keys := range []string{"left right", "right left", "left left right right", "shift+left shift+right",
				"left left left left left shift+right", "shift+right left left left left left",
				"right right left left left right"} {
				m, _ := rest(t, "gaussian")
				m.Focus.Param = key
				lanesAt(m, key, x[0], x[1])
				before := m.Feed.Foreseen
				typed(m, keys)
				for i := range before.Lanes {
					l := &before.Lanes[i]
					all := state.Params(before.Problem, l.Setting.Sampler)
					at := slices.IndexFunc(all, func(q param.Param) bool { return q.Key == key })
					if at < 0 {
						continue
					}
					p := all[at]
					// An end of the scale may have cut a coarse turn short.
					if c := p.Turn(x[i], 5); c == p.Hi || p.Turn(x[i], -5) == p.Lo {
						continue
					}
					if got := m.Feed.Foreseen.Lanes[i].Setting.Value(key); got != x[i] {
						t.Errorf("%s of lane %d: %s leads from %v to %v", key, i, keys, x[i], got)
					}
				}
			}
		}
	}
}

// At the end of a scale turns go on from there, and never the wrong way.
func TestTurnsAtTheEnd(t *testing.T) {
	m, _ := rest(t, "gaussian")
	p, _ := m.Selected()
	lanesAt(m, "eps", 0.95*p.Hi, 0.95*p.Hi)
	value := func() float64 { return m.Lane().Setting.Value("eps") }
	if typed(m, "shift+right"); value() != p.Hi {
		t.Fatalf("ε is %v", value())
	}
	for range 8 {
		was := value()
		if typed(m, "left"); value() >= was {
			t.Fatalf("← leads from %v to %v", was, value())
		}
	}
	// What was set otherwise is where turns begin.
	m, r := rest(t, "gaussian")
	lanesAt(m, "eps", 0.3, 0.3)
	typed(m, "right enter 2 enter left")
	want := state.SetParam{Lane: state.AllLanes, Key: "eps", Value: p.Turn(2, -1)}
	if got := r.sent[len(r.sent)-1]; got != want {
		t.Errorf("sent %#v, want %#v", got, want)
	}
}

// The turns of a held arrow, of a burst and of a drag go on with one gesture. What comes
// later, turns something else, or comes after another key begins one of its own.
func TestGestures(t *testing.T) {
	m, r := rest(t, "gaussian")
	set(m, "eps", 0.1)
	press := func(keys string, after time.Duration) {
		for _, key := range strings.Fields(keys) {
			m.later(after)
			typed(m, key)
		}
	}
	for _, c := range []struct {
		keys  string
		after time.Duration
		want  []bool
	}{
		{"right right right left", 30 * time.Millisecond, []bool{false, true, true, true}},
		{"right right", 2 * time.Second, []bool{false, false}},
		{"right down right", 30 * time.Millisecond, []bool{false, false}},
		{"up right l right l", 30 * time.Millisecond, []bool{false, false}},
		{"right z right", 30 * time.Millisecond, []bool{false, false, false}},
	} {
		m.later(time.Minute)
		r.inGesture, m.Feed.Foreseen.CanUndo = nil, true
		press(c.keys, c.after)
		if !slices.Equal(r.inGesture, c.want) {
			t.Errorf("%s, each after %v: %v go on, want %v", c.keys, c.after, r.inGesture, c.want)
		}
	}
	// A click on a slider begins a gesture, and its drag goes on with it however long it takes.
	m.later(time.Minute)
	m.Focus.Param = "eps"
	m.View()
	r.inGesture = nil
	x, y := at(t, m, "▕")
	m.Update(tea.MouseClickMsg{X: x + 1, Y: y, Button: tea.MouseLeft})
	for k := range 3 {
		m.later(time.Hour)
		m.Update(tea.MouseMotionMsg{X: x + 4*k + 4, Y: y, Button: tea.MouseLeft})
	}
	m.Update(tea.MouseReleaseMsg{X: x + 12, Y: y, Button: tea.MouseLeft})
	m.Update(tea.MouseClickMsg{X: x + 2, Y: y, Button: tea.MouseLeft})
	if want := []bool{false, true, true, true, false}; !slices.Equal(r.inGesture, want) {
		t.Errorf("of a click, a drag and a click %v go on, want %v", r.inGesture, want)
	}
}
