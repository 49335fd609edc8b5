package choose

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// The list of samplers, of methods that are always the same.
func TestSamplerList(t *testing.T) {
	methods := []sampler.Method{
		{Name: "one", Title: "ONE", Doc: "the first of the samplers",
			Equation: "θ' = θ + " + strings.Repeat("a long equation ", 9), Source: "Someone 2014, a title"},
		{Name: "step", Title: "Step", Kind: sampler.Optimising, Doc: "an optimiser", Equation: "θ' = θ + h ḡ",
			Source: "Another 1951, a title"},
		{
			Name:     "nets:alone",
			Title:    "NETS",
			Doc:      "a sampler that is not for here",
			Equation: "θ' = θ",
			Source:   "A third 2015, a title",
			Unfit: func(*targets.Problem) string {
				return "is for networks alone, which have many more layers than a density in the plane"
			},
		},
		{Name: "family", Title: "Family", Kind: sampler.Variational, Doc: "q = N(μ, C Cᵀ), fitted",
			Equation: "μ' = μ + g", Source: "A fourth 2014, a title"},
		{Name: "two", Title: "TWO", Doc: "the second of the samplers", Equation: "θ' = θ",
			Source: "Someone 2015, a title"},
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
		d := &control.Desk{Theme: theme.New(true, true, false), Screen: control.Screen{Width: w, Height: h}}
		c := dialog.NewChooser(d, "sampler", methodChoices(methods, p, take))
		d.Open(c)
		return d, c
	}
	press := func(c *dialog.Chooser, key string) { control.ByKey(c.Bindings(), key).Do() }
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		for _, o := range []struct{ name, text string }{{"samplers", ""}, {"samplers-unfit", "nets"},
			{"samplers-filtered", "s"}} {
			d, c := list(size[0], size[1])
			c.Update(tea.PasteMsg{Content: o.text})
			screen := plane.NewPlane(size[0], size[1])
			c.Draw(screen.Sub(plane.Rect{W: size[0], H: size[1] - 1}), &pane.Frame{Theme: d.Theme})
			goldentest.Text(t, fmt.Sprintf("%s-%dx%d", o.name, size[0], size[1]), screen.RenderPlain())
			if o.name != "samplers-unfit" {
				continue
			}
			press(c, "enter")
			n := d.Notices.Own
			if d.Keys.Layer == nil || taken != "" || !n.Bad ||
				!strings.HasPrefix(n.Text, "NETS is for networks alone") {
				t.Errorf("a method that does not fit: taken %q, it says %q", taken, n.Text)
			}
		}
	}
	d, c := list(80, 24)
	for _, key := range []string{"down", "down", "enter"} {
		press(c, key)
	}
	if d.Keys.Layer != nil || taken != "step" {
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
		d := &control.Desk{Theme: theme.New(true, true, false), Screen: control.Screen{Width: 120, Height: 36}}
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
