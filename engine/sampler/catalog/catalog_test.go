package catalog_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
	"github.com/psgld/psgld-tui/engine/sampler/langevin"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

func TestDistilledMethods(t *testing.T) {
	p := samplertest.Open(t, "mlp:20")
	dense, err := targets.Open("blr:synthetic", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range catalog.Methods() {
		name := "distill:" + m.Name
		d, ok := catalog.Find(name)
		if ok != (langevin.CanDistil(m) && !strings.HasPrefix(m.Name, "distill:")) {
			t.Errorf("%s: %v", name, ok)
		}
		if !ok {
			continue
		}
		if d.Misfit(p) != m.Misfit(p) || d.Misfit(dense) == "" || d.Kind != sampler.Sampling || d.Plain != m.Plain {
			t.Errorf("%s: %q, %q", name, d.Misfit(p), d.Misfit(dense))
		}
		if c, rest, ok := catalog.Cut(name + ":jitter=1"); !ok || c.Name != name || rest != "jitter=1" {
			t.Errorf("%s is read as %s and %q", name, c.Name, rest)
		}
	}
}

// Every parameter turns within its bounds, and is read back as it is written.
func TestParametersTurn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, m := range catalog.Methods() {
		for _, p := range append(sampler.Common(), m.Params...) {
			x := p.Default
			for range 300 {
				step := []float64{-5, -1, 1, 5}[r.IntN(4)]
				y := p.Turn(x, step)
				if err := p.Check(y); err != nil {
					t.Fatalf("%s: turning %g by %g: %v", p.Key, x, step, err)
				}
				if p.Scale != param.Choice && (y-x)*step < 0 {
					t.Fatalf("%s: turning %g by %g goes to %g", p.Key, x, step, y)
				}
				if f := p.Frac(y); f < 0 || f > 1 || math.IsNaN(f) {
					t.Fatalf("%s: Frac(%g) = %g", p.Key, y, f)
				}
				if back, err := p.Parse(p.Format(y)); err != nil || back != y {
					t.Fatalf("%s: %g reads back as %g, %v", p.Key, y, back, err)
				}
				x = y
			}
		}
	}
}

// On draws without a density no method runs but that of draws.
func TestDrawsAlone(t *testing.T) {
	p := targets.OfColumns("draws of a.csv", []string{"a", "b"})
	for _, m := range catalog.Methods() {
		if m.Misfit(p) == "" {
			t.Errorf("%s runs on %s", m.Name, p.Spec)
		}
	}
	if p.Source = (struct{ targets.Source }{}); catalog.Source.Misfit(p) != "" {
		t.Errorf("draws do not run: %s", catalog.Source.Misfit(p))
	}
}
