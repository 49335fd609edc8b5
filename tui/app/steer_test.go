package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
)

// lanesAt gives the lanes of the snapshot values of their own.
func lanesAt(m *model, key string, x ...float64) {
	s := *m.Feed.Newest
	s.Lanes = slices.Clone(s.Lanes)
	for i := range s.Lanes {
		s.Lanes[i].Setting = s.Lanes[i].Setting.With(key, x[i])
	}
	m.Feed.Newest, m.Feed.Foreseen = &s, &s
}

// Linked lanes are turned by the same notches, each from its own value, with one
// command; where they come to the same it is the plain one.
func TestLinkedTurns(t *testing.T) {
	for _, c := range []struct {
		key  string
		from [2]float64
		keys string
		want state.Command
	}{
		{"eps", [2]float64{0.3, 0.1}, "right",
			state.SetEach{Key: "eps", Values: [state.MaxLanes]float64{0.378, 0.126}}},
		{"eps", [2]float64{0.3, 0.3}, "right", state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.378}},
		{"eps", [2]float64{0.3, 0.1}, "enter 1 enter", state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 1}},
		// A alone has it
		{"lambda", [2]float64{1e-5, 1e-3}, "left", state.SetParam{Lane: state.AllLanes, Key: "lambda", Value: 7.94e-6}},
		{"gamma", [2]float64{0, 1}, "right", state.SetParam{Lane: state.AllLanes, Key: "gamma", Value: 1}},
		{"thin", [2]float64{1, 10}, "right", state.SetEach{Key: "thin", Values: [state.MaxLanes]float64{2, 13}}},
	} {
		m, r := rest(t, "gaussian")
		lanesAt(m, c.key, c.from[0], c.from[1])
		if c.key == "lambda" || c.key == "gamma" {
			m.Feed.Newest.Lanes[1].Setting.Values = state.DefaultSetting(m.Feed.Newest.Problem, "sgld").Values
		}
		m.Focus.Param = c.key
		typed(m, c.keys)
		if n := len(r.sent); n != 1 || r.sent[0] != c.want {
			t.Errorf("%s from %v: %s sends %#v, want %#v", c.key, c.from, c.keys, r.sent, c.want)
		}
	}
	// Repeats accumulate before the session has answered; at the end of its scale a
	// lane stays, and the other goes on.
	m, r := rest(t, "gaussian")
	p, _ := m.Selected()
	lanesAt(m, "eps", p.Hi, 0.1)
	typed(m, "right right")
	if want := (state.SetEach{Key: "eps", Values: [state.MaxLanes]float64{p.Hi, 0.158}}); r.sent[1] != want {
		t.Errorf("sent %#v, want %#v", r.sent[1], want)
	}
	lanesAt(m, "eps", p.Hi, p.Hi)
	r.sent = nil
	typed(m, "right")
	if m.says(t, "the end of the slider"); len(r.sent) > 0 {
		t.Errorf("sent %#v", r.sent)
	}
}

// typed presses keys one after another.
func typed(m *model, keys string) {
	for _, k := range strings.Fields(keys) {
		m.Update(press(k))
	}
}

// A lane that has diverged goes back with half its ε, or with the one to which it
// was turned down since, as its card says.
func TestRescueKeepsALowerStep(t *testing.T) {
	for _, c := range []struct {
		eps  [2]float64
		lost [2]float64 // ε at which a lane has diverged, 0 for one that has not
		card string
		hint string
		want []state.Command
	}{
		{[2]float64{0.75, 0.75}, [2]float64{0, 0.75}, "half the ε, 0.375 < 0.64", "back 200 steps with half the ε",
			[]state.Command{state.Rewind{Lane: state.AllLanes, Steps: 200, EpsFactor: 0.5, Mends: true}}},
		{[2]float64{0.5, 0.5}, [2]float64{0, 0.75}, "the new ε, 0.5 < 0.64", "back 200 steps with the new ε",
			[]state.Command{state.Rewind{Lane: state.AllLanes, Steps: 200, EpsFactor: 1, Mends: true}}},
		{[2]float64{0.7, 0.75}, [2]float64{0.9, 0.75}, "half the ε, 0.375 < 0.64", "take them back", []state.Command{
			state.Rewind{Lane: 0, Steps: 200, EpsFactor: 1, Mends: true},
			state.Rewind{Lane: 1, Steps: 200, EpsFactor: 0.5, Mends: true},
		}},
	} {
		m, r := rest(t, "gaussian")
		lanesAt(m, "eps", c.eps[0], c.eps[1])
		for i, at := range c.lost {
			if at > 0 {
				m.Feed.Newest.Lanes[i].Diverged = &state.Divergence{Step: 900, Eps: at,
					Bound: sampler.Bound{Kind: sampler.VarianceBound, Eps: 0.64}}
			}
		}
		m.Screen.Dirty = true
		got := strings.Join(strings.Fields(strings.ReplaceAll(m.text(), "│", " ")), " ")
		if !strings.Contains(got, c.card) {
			t.Errorf("ε %v: no %q in\n%s", c.eps, c.card, m.text())
		}
		if h := m.hints(118)[0].Text(false); h != "r "+c.hint {
			t.Errorf("ε %v: the footer says %q, want %q", c.eps, h, c.hint)
		}
		m.Update(press("r"))
		if !slices.Equal(r.sent, c.want) {
			t.Errorf("ε %v: sent %#v, want %#v", c.eps, r.sent, c.want)
		}
	}
}

// What is typed for a value is refused as a whole: nothing of it is swallowed, so that 0,3 is not
// taken for 3.
func TestValuesAreRefusedAsTyped(t *testing.T) {
	for _, c := range []struct{ key, typed, says string }{
		{"eps", "0 , 3", `ε must be positive, got "0,3"`}, {"eps", "a b c", `ε must be positive, got "abc"`},
		{"eps", "1 backspace", `ε must be positive, got ""`},
		{"temp", "1 / N x", `T must be 0 or more, or 1/N, got "1/Nx"`},
	} {
		m, r := rest(t, "gaussian")
		m.Focus.Param = c.key
		typed(m, "enter "+c.typed+" enter")
		if m.says(t, c.says); m.Keys.Layer == nil || len(r.sent) > 0 {
			t.Errorf("%s: %q is taken: sent %v", c.key, c.typed, r.sent)
		}
	}
	m := tapeScreen(t)
	typed(m, "b 8 x enter")
	m.says(t, `the step must be a whole number, 0 or more, got "8x"`)
	if m.Keys.Layer == nil {
		t.Error("a step that is none closes the list")
	}
}
