package stage

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/internal/planetest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// The card of a lane that diverged names the bound with its numbers, and says
// whether half the step size is below it.
func TestDivergedCardSaysWhy(t *testing.T) {
	f := stageFrame(scenetest.Of("diverged"))
	for _, c := range []struct {
		d    state.Divergence
		want []string
		not  string
	}{
		{state.Divergence{Step: 7, Coordinate: "theta[1]", Value: -1.2e8, Eps: 0.7,
			Bound: sampler.Bound{Kind: sampler.VarianceBound, Eps: 0.64}},
			[]string{"step 7", "θ₁ is -1.2e8", "ε = 0.7 ≥ 4σ² = 0.64", "-1.19 θ", "0.35 < 0.64", "r: back 200",
				"R: restart"}, "too large here"},
		{state.Divergence{Step: 7, Coordinate: "theta[1]", Value: 1.2e8, Eps: 3,
			Bound: sampler.Bound{Kind: sampler.VarianceBound, Eps: 0.64}}, []string{"1.5, still ≥ 0.64"}, "< 0.64"},
		{state.Divergence{Step: 7, Coordinate: "x3", Value: math.NaN(), Eps: 0.002,
			Bound: sampler.Bound{Kind: sampler.DampedBound, Eps: 0.001}},
			[]string{"x3 is not a number", "G is 1/λ", "4σ²λ = 0.001"}, ""},
		{state.Divergence{Step: 7, Coordinate: "x3", Value: 2e8, Eps: 0.002},
			[]string{"ε = 0.002 is too large here"}, "≥"},
		{state.Divergence{Step: 7, Eps: 0.002},
			[]string{"beside θ is out of bounds", "ε = 0.002 is too large here", "half the ε"}, "≥"},
	} {
		v := f.Snap.Lanes[1]
		v.Diverged, v.Setting = &c.d, v.Setting.With("eps", c.d.Eps)
		p := plane.NewPlane(70, 14)
		drawCard(p.Region(), &f, &v)
		got := strings.Join(strings.Fields(strings.ReplaceAll(p.RenderPlain(), "│", "")), " ")
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%+v: no %q in\n%s", c.d, want, p.RenderPlain())
			}
		}
		if c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%+v: %q in\n%s", c.d, c.not, p.RenderPlain())
		}
	}
}

// In one row all lanes that are laid over each other have their statistics, and of
// what is too long there is some.
func TestOverlaidLanesHaveStatistics(t *testing.T) {
	for _, c := range []struct {
		scene string
		w     int
		want  []string
	}{
		{"gaussian", 78, []string{"● cov. error", "▲ cov. error", "τ"}},
		{"diverged", 38, []string{"● cov. error", "▲ diverged at"}},
		{"four", 78, []string{"● max τ", "▲ max τ", "■ max τ", "◆ max τ"}},
	} {
		f := stageFrame(scenetest.Of(c.scene))
		f.Overlay = true
		got := statsRow(&f, c.w)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in %s", c.scene, want, got)
			}
		}
	}
}

// Draws that are thinned are said to be of no more than there are.
func TestShownText(t *testing.T) {
	s := scenetest.Of("gaussian")
	f, v := stageFrame(s), s.Lanes[0]
	for n, want := range map[int]string{95: "every 12th of the last 1,140", 96: "every 12th of the last 1,145"} {
		v.Kept = 1145
		if got := (&scene{plane: true}).shownText(&f, &v, n, 12, 80); !strings.HasSuffix(got, want) {
			t.Errorf("%d draws: %q, want %q", n, got, want)
		}
	}
}

func stageFrame(s *engine.Snapshot) pane.Frame {
	return pane.Frame{Keys: planetest.Keys, Snap: s, Theme: theme.New(true, true, false), Linked: true, LogY: true}
}

// statsRow is the row of all lanes' statistics.
func statsRow(f *pane.Frame, w int) string {
	p := plane.NewPlane(w, 1)
	new(scene).overlayStats(p.Region(), f)
	return p.RenderPlain()
}
