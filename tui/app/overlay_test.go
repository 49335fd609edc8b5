package app

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/pane"
)

// What opens over the screen, alone, at the sizes that the design names.
func TestOverlays(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		for _, o := range []struct{ name, keys, text string }{
			{"help-short", "?", ""},
			{"help", "? ?", ""},
			{"target", "t", ""},
			{"target-file", "t", "blr:/data/heart.csv"},
			{"palette", ":", ""},
			{"palette-eps", ":", "eps 0"},
			{"palette-alpha", ":", "alp"},
		} {
			m, _ := rest(t, "gaussian")
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			typed(m, o.keys)
			typeKeys(m, o.text)
			m.Screen.Plane.Clear()
			m.Keys.Layer.Draw(m.stage(), &pane.Frame{Theme: m.Theme})
			goldentest.Text(t, fmt.Sprintf("%s-%dx%d", o.name, size[0], size[1]), m.Screen.Plane.RenderPlain())
		}
	}
}

// The palette offers the samplers by the beginning of their names, and refuses
// those that do not run here with the reason.
func TestPaletteSamplers(t *testing.T) {
	m, r := rest(t, "gaussian")
	ask := func(text string) []control.Choice {
		m.Keys.Layer = nil
		m.Update(press(":"))
		m.Update(tea.PasteMsg{Content: text})
		return m.Keys.Layer.(*dialog.Chooser).Shown()
	}
	if got := ask("sampler SGLD"); len(got) == 0 || got[0].Name != "sampler sgld" || got[0].Take == nil {
		t.Errorf("it offers %v", got)
	}
	m.Update(press("enter"))
	if len(r.sent) != 1 || r.sent[0] != (state.SetSampler{Lane: 0, Name: "sgld"}) {
		t.Errorf("sent %v", r.sent)
	}
	if got := ask("add psg"); len(got) == 0 || got[0].Name != "add psgld" {
		t.Errorf("it offers %v", got)
	}
	if got := ask("sampler psgdl"); len(got) != 1 || got[0].Take != nil ||
		got[0].Why != `unknown sampler "psgdl" (did you mean "psgld"?); s lists them` {
		t.Errorf("it offers %v", got)
	}
	if got := ask("point foo"); len(got) != 1 ||
		got[0].Why != "point needs regress or classify, whose data can be seen" {
		t.Errorf("it offers %v", got)
	}
	if got := ask(":sampler sgld"); len(got) == 0 || got[0].Name != "sampler sgld" || got[0].Take == nil {
		t.Errorf("behind a colon it offers %v", got)
	}
	for _, s := range catalog.Methods() {
		if why := s.Misfit(m.Feed.Foreseen.Problem); why != "" {
			if got := ask("sampler " + s.Name); len(got) == 0 || got[0].Take != nil || got[0].Why != s.Title+" "+why {
				t.Errorf("%s, which %s: it offers %v", s.Name, why, got)
			}
		}
	}
}

// The symbol of the strip stands for a parameter's name, and a key for what it does.
func TestPaletteTakesSymbolsAndKeys(t *testing.T) {
	for text, want := range map[string]state.Command{
		"ε 0.02":  state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.02},
		"T 0":     state.SetParam{Lane: state.AllLanes, Key: "temp"},
		"noise 5": state.SetParam{Lane: state.AllLanes, Key: "target.noise", Value: 5},
		"x":       state.RemoveLane{},
		".":       state.StepBy{N: 1},
	} {
		m, r := rest(t, "gaussian")
		m.Update(press(":"))
		m.Update(tea.PasteMsg{Content: text})
		typed(m, "enter")
		if len(r.sent) != 1 || r.sent[0] != want {
			t.Errorf(":%s sent %v, want %v", text, r.sent, want)
		}
	}
	m, _ := rest(t, "gaussian")
	typed(m, ": z enter")
	m.says(t, "nothing to undo")
	typed(m, ": λ")
	if got := m.Keys.Layer.(*dialog.Chooser).Shown()[0].Name; got != "lambda" {
		t.Errorf(":λ selects %q", got)
	}
}

// Enter runs what is typed to its end or was chosen, by its name or by another word for it. What is typed in part it
// types to its end.
func TestPaletteRunsWhatIsMeant(t *testing.T) {
	for text, want := range map[string]state.Command{
		"epsilon 0.02": state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.02}, "reset": state.Restart{Seed: 1},
		"temperature 0": state.SetParam{Lane: state.AllLanes, Key: "temp"},
	} {
		m, r := rest(t, "gaussian")
		m.Update(press(":"))
		m.Update(tea.PasteMsg{Content: text})
		typed(m, "enter")
		if len(r.sent) != 1 || r.sent[0] != want {
			t.Errorf(":%s sent %#v, want %#v", text, r.sent, want)
		}
	}
	for _, text := range []string{"bia", "plo", "sav", "paus", "und"} {
		m, r := rest(t, "gaussian")
		m.Update(press(":"))
		m.Update(tea.PasteMsg{Content: text})
		typed(m, "enter")
		list, open := m.Keys.Layer.(*dialog.Chooser)
		if len(r.sent) > 0 || open && list.Filter.String() == text && len(list.Shown()) > 0 {
			t.Errorf(":%s sent %v", text, r.sent)
		}
	}
	m, _ := rest(t, "gaussian")
	m.Update(press(":"))
	m.Update(tea.PasteMsg{Content: "batch 32"})
	typed(m, "enter")
	m.says(t, `the lane in focus has no parameter "batch"`)
	typed(m, "esc esc tab :") // lane B, of SGLD
	m.Update(tea.PasteMsg{Content: "alpha 0.9"})
	typed(m, "enter")
	m.says(t, `the lane in focus has no parameter "alpha"`)
	m, r := rest(t, "gaussian")
	m.Update(press(":"))
	m.Update(tea.PasteMsg{Content: "paus"})
	if typed(m, "up down enter"); len(r.sent) != 1 {
		t.Errorf("the chosen command sent %v", r.sent)
	}
}

// Tab types what is selected: a command, and then one of its values. What a command
// does can be read below the list as a whole.
func TestPaletteCompletes(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	c := func() *dialog.Chooser { return m.Keys.Layer.(*dialog.Chooser) }
	m.Update(press(":"))
	typeKeys(m, "palet")
	if !strings.Contains(m.text(), "│ colours; okabe-ito and tol suit the colour-blind ") {
		t.Errorf("the command is not described in\n%s", m.text())
	}
	for _, want := range []string{"set palette okabe-ito"} {
		if typed(m, "tab"); c().Filter.String() != want || c().Shown()[c().At].Name != "set palette okabe-ito" {
			t.Errorf("tab types %q and selects %q, want %q", c().Filter.String(), c().Shown()[c().At].Name, want)
		}
	}
	typed(m, "tab")
	m.says(t, "enter takes it")
	typed(m, "esc :")
	typeKeys(m, "pal")
	typed(m, "down tab enter")
	m.says(t, "palette tol")
	typed(m, ":")
	typeKeys(m, "temperature") // what its note holds
	typed(m, "tab 2 enter")
	if want := (state.SetParam{Lane: state.AllLanes, Key: "temp", Value: 2}); len(r.sent) != 1 || r.sent[0] != want {
		t.Errorf("sent %v", r.sent)
	}
	// What is not whole yet, or refused, is not to be taken.
	for text, want := range map[string]string{"eps": "eps wants a value", "eps abc": "abc"} {
		typed(m, ":")
		typeKeys(m, text)
		typed(m, "enter enter")
		m.says(t, want)
		typed(m, "esc")
	}
	typed(m, "t down tab")
	if c().Filter.String() == "" || c().Filter.String() != c().Shown()[0].Name {
		t.Errorf("of a target tab types %q", c().Filter.String())
	}
}

// Overlays at sizes with no room for a box.
func TestOverlaysFitAnywhere(t *testing.T) {
	innerlooptest.Numbers(t, "every size")
	for _, key := range []string{"?", "t", "s", "a", ":", "enter"} {
		m, _ := rest(t, "gaussian")
		m.Update(press(key))
		for _, w := range []int{0, 1, 2, 3, 7, 15, 16, 17, 40, 79, 300} {
			for h := range 30 {
				m.Update(tea.WindowSizeMsg{Width: w, Height: h})
				m.checked(t, key)
			}
		}
	}
}

// No key in the help does anything that is not seen there: it is turned, searched, closed.
func TestHelpTakesKeys(t *testing.T) {
	for _, key := range []string{"space", "right", "t", "1", "z", "r", "x", "tab", "F"} {
		m, r := rest(t, "gaussian")
		typed(m, "? "+key)
		if m.Keys.Layer == nil || len(r.sent) != 0 {
			t.Errorf("%s in the help: mode %T, sent %v", key, m.Keys.Layer, r.sent)
		}
	}
	m, _ := rest(t, "gaussian")
	for _, want := range []string{"Every minute", "Lanes and targets", "cov. error", "Every minute"} {
		if typed(m, "?"); !strings.Contains(m.text(), want) {
			t.Errorf("the next sheet of the help lacks %q", want)
		}
	}
	for _, key := range []string{"q", "esc", "enter"} {
		if quits := m.quits(key); m.Keys.Layer != nil || quits {
			t.Errorf("%s in the help: mode %T, quits %v", key, m.Keys.Layer, quits)
		}
		typed(m, "?")
	}
}

// The first sheet of the help is ten keys, and those of the view.
func TestHelpIsShort(t *testing.T) {
	m, _ := rest(t, "gaussian")
	of := map[control.Group]int{}
	for _, l := range control.ShortLines(m.Keys.Bindings, "here") {
		of[l.Group]++
	}
	if of["Every minute"] != 10 || of["here"] < 3 || of["here"] > 6 {
		t.Errorf("the help begins with %v", of)
	}
	before := of["here"]
	m.Update(press(gridKey))
	for _, l := range control.ShortLines(m.Keys.Bindings, "here") {
		if l.Group == "Every minute" &&
			(strings.Contains(l.Keys, "←") || strings.Contains(l.Keys, "+") || l.First == "enter") {
			t.Errorf("%s is said to %s, where it does something else", l.Keys, l.Help)
		}
		if strings.HasPrefix(l.Help, "sweep: ") {
			before--
		}
	}
	if before > 0 {
		t.Error("the keys of the sweep are not those of its view")
	}
}

// A typed value shows on the strip, and the footer says what is allowed.
func TestTypedValueShows(t *testing.T) {
	m, _ := rest(t, "gaussian")
	m.Update(press("enter"))
	typeKeys(m, "0.25")
	m.Update(press("left"))
	s := m.text()
	if !strings.Contains(s, "ε 0.2▏5") || !strings.Contains(s, "ε step size, positive · enter set · esc cancel") {
		t.Errorf("the screen is\n%s", s)
	}
}
