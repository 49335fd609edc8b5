package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/internal/golden"
)

// What opens over the screen, alone, at the sizes that the design names.
func TestOverlays(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		for _, o := range []struct{ name, keys, text string }{
			{"help", "?", ""},
			{"target", "t", ""},
			{"target-file", "t", "blr:/data/heart.csv"},
			{"palette", ":", ""},
			{"palette-eps", ":", "eps 0"},
			{"palette-alpha", ":", "alp"},
		} {
			m, _ := rest(t, "gaussian")
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			m.Update(press(o.keys))
			typeKeys(m, o.text)
			m.screen.plane.Clear()
			m.mode.draw(m.screen.stage(), m.Theme)
			golden.Text(t, fmt.Sprintf("%s-%dx%d", o.name, size[0], size[1]), m.screen.plane.RenderPlain())
		}
	}
}

// The list of samplers, of methods that are always the same.
func TestSamplerList(t *testing.T) {
	methods := []sampler.Method{
		{Name: "one", Title: "ONE", Doc: "the first of the samplers", Equation: "θ' = θ + " + strings.Repeat("a long equation ", 9), Source: "Someone 2014, a title"},
		{Name: "step", Title: "Step", Kind: sampler.Optimising, Doc: "an optimiser", Equation: "θ' = θ + h ḡ", Source: "Another 1951, a title"},
		{
			Name: "nets:alone", Title: "NETS", Doc: "a sampler that is not for here", Equation: "θ' = θ", Source: "A third 2015, a title",
			Unfit: func(*targets.Problem) string {
				return "is for networks alone, which have many more layers than a density in the plane"
			},
		},
		{Name: "family", Title: "Family", Kind: sampler.Variational, Doc: "q = N(μ, C Cᵀ), fitted", Equation: "μ' = μ + g", Source: "A fourth 2014, a title"},
		{Name: "two", Title: "TWO", Doc: "the second of the samplers", Equation: "θ' = θ", Source: "Someone 2015, a title"},
	}
	for i := range methods {
		methods[i].New64 = func(targets.Target[float64]) sampler.Kernel[float64] { return nil }
	}
	taken := ""
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		for _, o := range []struct{ name, text string }{{"samplers", ""}, {"samplers-unfit", "nets"}, {"samplers-filtered", "s"}} {
			m, _ := rest(t, "gaussian")
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			m.mode = newChooser(m, "sampler", methodChoices(methods, m.Feed.Shown.Problem, func(_ *model, name string) tea.Cmd { taken = name; return nil }))
			typeKeys(m, o.text)
			m.screen.plane.Clear()
			m.mode.draw(m.screen.stage(), m.Theme)
			golden.Text(t, fmt.Sprintf("%s-%dx%d", o.name, size[0], size[1]), m.screen.plane.RenderPlain())
			if o.name == "samplers-unfit" {
				m.Update(press("enter"))
				if n, _ := m.Notices.Text(m.Feed.Shown); m.mode == nil || taken != "" || !n.Bad || !strings.HasPrefix(n.Text, "NETS is for networks alone") {
					t.Errorf("a method that does not fit: taken %q, it says %q", taken, n.Text)
				}
			}
		}
	}
	m, _ := rest(t, "gaussian")
	m.mode = newChooser(m, "sampler", methodChoices(methods, m.Feed.Shown.Problem, func(_ *model, name string) tea.Cmd { taken = name; return nil }))
	for _, key := range []string{"down", "down", "down", "enter"} {
		m.Update(press(key))
	}
	if m.mode != nil || taken != "step" {
		t.Errorf("the fourth of the list is %q, want step, below the samplers", taken)
	}
}

// A list with headings keeps the selection in sight, with the heading above it,
// and a click takes what it hits.
func TestGroupedListScrolls(t *testing.T) {
	m, _ := rest(t, "gaussian")
	m.Update(tea.WindowSizeMsg{Width: 60, Height: 14})
	m.Update(press("s"))
	c := m.mode.(*chooser)
	for i := range 2 * len(c.shown) {
		m.text()
		if at := c.line(c.at); at < c.top || at >= c.top+c.page {
			t.Fatalf("after %d moves line %d is not among %d to %d", i, at, c.top, c.top+c.page)
		}
		m.Update(press("down"))
	}
	m.text()
	if c.at != 0 || c.top != 0 {
		t.Errorf("once around, the list begins at line %d with choice %d", c.top, c.at)
	}
	m.Update(tea.MouseClickMsg{X: c.list.X + 3, Y: c.list.Y, Button: tea.MouseLeft})
	if m.mode == nil {
		t.Error("a click on a heading takes something")
	}
}

// The palette offers the samplers by the beginning of their names, and refuses
// those that do not run here with the reason.
func TestPaletteSamplers(t *testing.T) {
	m, r := rest(t, "gaussian")
	ask := func(text string) []choice {
		m.mode = nil
		m.Update(press(":"))
		m.Update(tea.PasteMsg{Content: text})
		return m.mode.(*chooser).shown
	}
	if got := ask("sampler SGLD"); len(got) == 0 || got[0].name != "sampler sgld" || got[0].take == nil {
		t.Errorf("it offers %v", got)
	}
	m.Update(press("enter"))
	if len(r.sent) != 1 || r.sent[0] != (engine.SetSampler{Lane: 0, Name: "sgld"}) {
		t.Errorf("sent %v", r.sent)
	}
	if got := ask("add psg"); len(got) == 0 || got[0].name != "add psgld" {
		t.Errorf("it offers %v", got)
	}
	if got := ask("sampler psgdl"); len(got) != 1 || got[0].take != nil || got[0].why != `unknown sampler "psgdl" (did you mean "psgld"?)` {
		t.Errorf("it offers %v", got)
	}
	for _, s := range catalog.Methods() {
		if why := s.Misfit(m.Feed.Shown.Problem); why != "" {
			if got := ask("sampler " + s.Name); len(got) == 0 || got[0].take != nil || got[0].why != s.Title+" "+why {
				t.Errorf("%s, which %s: it offers %v", s.Name, why, got)
			}
		}
	}
}

// Tab types what is selected: a command, and then one of its values. What a command
// does can be read below the list as a whole.
func TestPaletteCompletes(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	c := func() *chooser { return m.mode.(*chooser) }
	m.Update(press(":"))
	typeKeys(m, "palet")
	if !strings.Contains(m.text(), "│ colours: okabe-ito and tol for the colour-blind, contrast ") {
		t.Errorf("the command is not described in\n%s", m.text())
	}
	for _, want := range []string{"palette ", "palette okabe-ito"} {
		if typed(m, "tab"); c().filter.String() != want || c().shown[c().at].name != "palette okabe-ito" {
			t.Errorf("tab types %q and selects %q, want %q", c().filter.String(), c().shown[c().at].name, want)
		}
	}
	typed(m, "tab")
	m.says(t, "enter takes it")
	typed(m, "esc :")
	typeKeys(m, "pal")
	typed(m, "enter down tab enter")
	m.says(t, "palette tol")
	typed(m, ":")
	typeKeys(m, "temperature") // what its note holds
	typed(m, "tab 2 enter")
	if want := (engine.SetParam{Lane: engine.AllLanes, Key: "temp", Value: 2}); len(r.sent) != 1 || r.sent[0] != want {
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
	if c().filter.String() == "" || c().filter.String() != c().shown[0].name {
		t.Errorf("of a target tab types %q", c().filter.String())
	}
}

// Overlays at sizes with no room for a box.
func TestOverlaysFitAnywhere(t *testing.T) {
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

// A list keeps its selection in sight, and the help scrolls to its end and no
// further.
func TestListsScroll(t *testing.T) {
	m, _ := rest(t, "gaussian")
	m.Update(tea.WindowSizeMsg{Width: 60, Height: 12})
	m.Update(press(":"))
	c := m.mode.(*chooser)
	for i := range 2 * len(c.shown) {
		m.text()
		if c.at < c.top || c.at >= c.top+c.page {
			t.Fatalf("after %d moves the selected line %d is not among %d to %d", i, c.at, c.top, c.top+c.page)
		}
		m.Update(press("down"))
	}
	m.Update(press("esc"))
	m.Update(press("?"))
	h := m.mode.(*helpText)
	_, tall := h.columns(1)
	for range 2 * tall {
		m.text()
		m.Update(press("down"))
	}
	if h.top != h.most || h.most != tall-h.page {
		t.Errorf("the help ends at line %d of %d with %d in sight", h.top, tall, h.page)
	}
}

// A letter in the help leaves it and does what the help says of it.
func TestHelpTakesKeys(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.Update(press("?"))
	m.Update(press("space"))
	if m.mode != nil || len(r.sent) != 1 {
		t.Errorf("mode %v, sent %v", m.mode, r.sent)
	}
	m.Update(press("?"))
	m.Update(press("?"))
	if m.mode != nil {
		t.Error("? does not close the help")
	}
}

// A typed value shows on the strip, and the footer says what is allowed.
func TestTypedValueShows(t *testing.T) {
	m, _ := rest(t, "gaussian")
	m.Update(press("enter"))
	typeKeys(m, "0.25")
	m.Update(press("left"))
	if s := m.text(); !strings.Contains(s, "ε 0.2▏5") || !strings.Contains(s, "ε step size, positive · enter set · esc cancel") {
		t.Errorf("the screen is\n%s", s)
	}
}
