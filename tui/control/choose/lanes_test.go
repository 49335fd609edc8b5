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
	groups := []catalog.Group{{Name: "samplers", Methods: []sampler.Method{
		{Name: "one", Title: "ONE", Doc: "the first of the samplers",
			Equation: "θ' = θ + " + strings.Repeat("a long equation ", 9), Source: "Someone 2014, a title"},
		{Name: "two", Title: "TWO", Doc: "the second of the samplers", Equation: "θ' = θ",
			Source: "Someone 2015, a title"},
	}}, {Name: "optimisers", Methods: []sampler.Method{
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
	}}, {Name: "families", Methods: []sampler.Method{
		{Name: "family", Title: "Family", Kind: sampler.Variational, Doc: "q = N(μ, C Cᵀ), fitted",
			Equation: "μ' = μ + g", Source: "A fourth 2014, a title"},
	}}}
	for _, g := range groups {
		for i := range g.Methods {
			g.Methods[i].New64 = func(targets.Target[float64]) sampler.Kernel[float64] { return nil }
		}
	}
	taken := ""
	take := func(name string) tea.Cmd { taken = name; return nil }
	p, err := targets.Open("gaussian", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list := func(w, h int) (*control.Desk, *dialog.Chooser) {
		d := &control.Desk{Theme: theme.New(true, true, false), Screen: control.Screen{Width: w, Height: h}}
		c := dialog.NewChooser(d, "sampler", methodChoices(groups, p, take))
		c.Select("one")
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
	for _, key := range []string{"down", "down", "enter", "down", "enter"} {
		press(c, key)
	}
	if d.Keys.Layer != nil || taken != "step" {
		t.Errorf("the first of the optimisers is %q, want step", taken)
	}
}

// A line stands for each group until it is unfolded, one at a time, what does not run on the target is the last, and
// what is typed finds methods in all of them, by the name of the group too.
func TestSamplersAreFolded(t *testing.T) {
	for _, spec := range []string{"gaussian", "mlp:4"} {
		p, err := targets.Open(spec, targets.Options{Dataset: map[bool]string{true: "strokes"}[spec != "gaussian"]})
		if err != nil {
			t.Fatal(err)
		}
		d := &control.Desk{Theme: theme.New(true, true, false), Screen: control.Screen{Width: 120, Height: 36}}
		c := dialog.NewChooser(d, "sampler", methodChoices(catalog.Groups(), p, func(string) tea.Cmd { return nil }))
		c.Select("sgld")
		unfolded := func() (group string) {
			for i, ch := range c.Shown() {
				if ch.Folds != "" {
					group += "|"
				} else if group += ch.Name + " "; (ch.Why != "") != (ch.Group == "not on this target") {
					t.Errorf("%s: line %d, %s, is in %s", spec, i, ch.Name, ch.Group)
				}
			}
			return group
		}
		press := func(key string) { control.ByKey(c.Bindings(), key).Do() }
		if got := unfolded(); !strings.HasPrefix(got, "|psgld sgld ||||") || c.Shown()[c.At].Name != "sgld" {
			t.Errorf("%s: %s, at %d", spec, got, c.At)
		}
		for _, key := range []string{"down", "down", "enter"} { // the references, and the paper's are put away
			press(key)
		}
		if got := unfolded(); spec == "gaussian" && !strings.HasPrefix(got, "|||hmc mala |") {
			t.Errorf("%s: %s", spec, got)
		}
		if press("enter"); strings.Trim(unfolded(), "|") != "" {
			t.Errorf("%s: enter leaves %s", spec, unfolded())
		}
		for text, least := range map[string]int{"distill": 8, "optim": 5} {
			c = dialog.NewChooser(d, "sampler", c.All)
			c.Update(tea.PasteMsg{Content: text})
			if n := len(c.Shown()); n < least || c.Shown()[0].Folds != "" {
				t.Errorf("%s: %d choices are called %s", spec, n, text)
			}
		}
	}
}
