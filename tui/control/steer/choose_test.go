package steer

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/internal/golden"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

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
	take := func(name string) tea.Cmd { taken = name; return nil }
	p, err := targets.Open("gaussian", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list := func(w, h int) (*control.Desk, *dialog.Chooser) {
		d := &control.Desk{Theme: theme.New(true, true, false), Width: w, Height: h}
		c := dialog.NewChooser(d, "sampler", methodChoices(methods, p, take))
		d.Open(c)
		return d, c
	}
	press := func(c *dialog.Chooser, key string) { control.ByKey(c.Bindings(), key).Do() }
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		for _, o := range []struct{ name, text string }{{"samplers", ""}, {"samplers-unfit", "nets"}, {"samplers-filtered", "s"}} {
			d, c := list(size[0], size[1])
			c.Update(tea.PasteMsg{Content: o.text})
			screen := plane.NewPlane(size[0], size[1])
			c.Draw(screen.Sub(plane.Rect{W: size[0], H: size[1] - 1}), &pane.Frame{Theme: d.Theme})
			golden.Text(t, fmt.Sprintf("%s-%dx%d", o.name, size[0], size[1]), screen.RenderPlain())
			if o.name != "samplers-unfit" {
				continue
			}
			press(c, "enter")
			if n := d.Notices.Own; d.Layer == nil || taken != "" || !n.Bad || !strings.HasPrefix(n.Text, "NETS is for networks alone") {
				t.Errorf("a method that does not fit: taken %q, it says %q", taken, n.Text)
			}
		}
	}
	d, c := list(80, 24)
	for _, key := range []string{"down", "down", "enter"} {
		press(c, key)
	}
	if d.Layer != nil || taken != "step" {
		t.Errorf("the third of the list is %q, want step, below the samplers", taken)
	}
}

// Distilled samplers are one line as long as nothing is typed, and what does not run on the
// target is at the end.
func TestSamplersAreFolded(t *testing.T) {
	for _, spec := range []string{"gaussian", "mlp:4"} {
		p, err := targets.Open(spec, targets.Options{Dataset: map[bool]string{true: "strokes"}[spec != "gaussian"]})
		if err != nil {
			t.Fatal(err)
		}
		d := &control.Desk{Theme: theme.New(true, true, false), Width: 120, Height: 36}
		c := dialog.NewChooser(d, "sampler", methodChoices(catalog.Methods(), p, func(string) tea.Cmd { return nil }))
		folds, fits := 0, true
		for _, ch := range c.Shown() {
			if ch.Folds != "" {
				folds++
			} else if strings.HasPrefix(ch.Name, distilled) {
				t.Errorf("%s: %s is listed", spec, ch.Name)
			}
			if fit := ch.Why == ""; fit && !fits {
				t.Errorf("%s: %s comes after what does not run", spec, ch.Name)
			} else {
				fits = fit
			}
		}
		if folds != 1 || c.Shown()[0].Name != "psgld" {
			t.Errorf("%s: %d lines for what is distilled, %s first", spec, folds, c.Shown()[0].Name)
		}
		c.Update(tea.PasteMsg{Content: "distill"})
		if n := len(c.Shown()); n < 8 || c.Shown()[0].Folds != "" {
			t.Errorf("%s: %d choices are called distill", spec, n)
		}
	}
}

// What is wrong with a formula stands beside it while it is typed, and the last ones that were
// sampled come first.
func TestFormulaList(t *testing.T) {
	d := &control.Desk{Theme: theme.New(true, true, false), Width: 100, Height: 40}
	d.Settings.Kept.Formulas = []string{"-x^4"}
	c := &Steer{Desk: d, refused: map[string]string{}}
	d.Settings.Remember("-x^2*b;b=2")
	c.pickFormula()
	list := d.Layer.(*dialog.Chooser)
	if all := list.Shown(); len(all) != 2+len(textbook) || all[0].Name != "-x^2*b;b=2" || all[1].Name != "-x^4" {
		t.Errorf("%d formulas, %+v", len(all), all[:2])
	}
	for _, ch := range list.Shown() {
		if ch.Why != "" || ch.Take == nil {
			t.Errorf("%s: %s", ch.Name, ch.Why)
		}
	}
	for text, why := range map[string]string{
		"-x^2":    "",
		"-x^2*q":  `column 6: "q" is neither a coordinate (x, y, t1 …), a constant (pi, e) nor a setting; add ;q=VALUE`,
		"-x^2 +*": `column 7: "*" stands there, want a number, a name or (`,
	} {
		if ch := list.Typed(text)[0]; ch.Why != why || (ch.Take == nil) != (why != "") {
			t.Errorf("%s: %q", text, ch.Why)
		}
	}
	for i := range 20 {
		d.Settings.Remember(fmt.Sprintf("-x^2*%d", i))
	}
	d.Settings.Remember("-x^2*18")
	if all := d.Settings.LastFormulas(); len(all) != 8 || all[0] != "-x^2*18" || all[1] != "-x^2*19" || all[2] != "-x^2*17" {
		t.Errorf("remembered %q", all)
	}
	if kept := d.Settings.Kept.Formulas; len(kept) != 1 {
		t.Errorf("kept %q", kept)
	}
}

// A command that is typed as a model may start. One that is pasted, or remembered from before, is
// not allowed by being chosen, and is shown with nothing hidden in it.
func TestModelList(t *testing.T) {
	for _, c := range []struct {
		paste, kept bool
		command     string
	}{{command: "python3 model.py"}, {paste: true, command: "python3 model.py"}, {kept: true, command: "sh \x1b[8m -c x"}} {
		d := &control.Desk{Theme: theme.New(true, true, false), Width: 100, Height: 40, Commands: &child.Commands{}}
		s := &Steer{Desk: d, refused: map[string]string{}}
		d.Feed.Foreseen = new(engine.Snapshot)
		if c.kept {
			d.Settings.Kept.Models = []string{c.command}
		}
		s.pickModel()
		l := d.Layer.(*dialog.Chooser)
		if all := l.Shown(); !c.kept && (len(all) != len(models) || all[0].Take != nil) {
			t.Errorf("before there is a model it offers %+v", all)
		}
		switch {
		case c.paste:
			l.Update(tea.PasteMsg{Content: c.command})
		case !c.kept:
			for _, r := range c.command {
				l.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		}
		ch := l.Shown()[0]
		if c.kept && ch.Name != `"sh \x1b[8m -c x"` {
			t.Errorf("it is shown as %s", ch.Name)
		}
		ch.Take()
		if got, want := d.Commands.Allows(c.command), !c.paste && !c.kept; got != want {
			t.Errorf("%+v: allowed %v, want %v", c, got, want)
		}
	}
	var s control.Settings
	s.RememberModel("a")
	s.RememberModel("b")
	s.RememberModel("a")
	if got := s.LastModels(); len(got) != 2 || got[0] != "a" {
		t.Errorf("remembered %q", got)
	}
}
