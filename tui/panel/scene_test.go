package panel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/internal/frames"
	"github.com/psgld/psgld-tui/tui/internal/golden"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// motionScene is a session of the Gaussian that was stopped after a single step,
// whose parts are worked out here: the drift of N(0, diag(σ²)) is -ε G θ/(2σ²),
// and Local is √(εG).
var motionScene = sync.OnceValue(func() *engine.Snapshot {
	s := frames.Copy(play("gaussian", "psgld,sgld", 300))
	s.Phase = engine.Paused
	for i := range s.Lanes {
		v := &s.Lanes[i]
		n := len(v.TrailX)
		m := &engine.Motion{From: [2]float64{v.TrailX[n-2], v.TrailY[n-2]}}
		for k, variance := range []float64{0.16, 1} {
			m.Drift[k] = -v.Local[k] * v.Local[k] * m.From[k] / (2 * variance)
		}
		v.Motion = m
	}
	return s
})

// Lanes that have diverged where no bound is known, one of them and all.
var (
	lostBLR = sync.OnceValue(func() *engine.Snapshot {
		return play("blr:synthetic", "psgld,sgld", 3000,
			engine.Event{At: at(2000, 2), Command: engine.SetParam{Lane: 1, Key: "eps", Value: 450}})
	})
	lostAll = sync.OnceValue(func() *engine.Snapshot {
		return play("banana", "sgld,sgld", 3000,
			engine.Event{At: at(2000, 2), Command: engine.SetParam{Lane: engine.AllLanes, Key: "eps", Value: 1.5}})
	})
)

// stageShot is a stage in a state that one remembers.
type stageShot struct {
	name    string
	snap    func() *engine.Snapshot
	overlay bool
}

func stageShots() []stageShot {
	of := func(name string) func() *engine.Snapshot { return func() *engine.Snapshot { return sceneOf(name) } }
	return []stageShot{
		{"gaussian", of("gaussian"), false},
		{"overlay", of("gaussian"), true},
		{"motion", motionScene, false},
		{"diverged", of("diverged"), false},
	}
}

// The stage in its four states at the sizes that the design names, without styles
// and in ASCII, and in the colours of a dark and a light background.
func TestStagePictures(t *testing.T) {
	for _, c := range stageShots() {
		f := frameOf(c.snap())
		f.Overlay = c.overlay
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
			golden.Text(t, fmt.Sprintf("stage-%s-%dx%d", c.name, size[0], size[1]), picture(f, NewStage(), size[0], size[1]))
		}
		f.Theme = theme.New(true, true, true)
		golden.Text(t, "stage-"+c.name+"-ascii-120x36", picture(f, NewStage(), 120, 36))
		golden.Text(t, "stage-"+c.name+"-colour-120x36", inLooks(f, NewStage(), 120, 36, theme.Look{Dark: true}, theme.Look{}))
	}
	for _, c := range []struct {
		name    string
		snap    *engine.Snapshot
		overlay bool
		sizes   [][2]int
	}{
		{"banana", sceneOf("four"), false, [][2]int{{200, 60}}},
		{"banana-overlay", sceneOf("four"), true, [][2]int{{80, 24}, {200, 60}}},
		{"mixture", sceneOf("one"), false, [][2]int{{80, 24}}},
		{"funnel", sceneOf("three"), false, [][2]int{{80, 24}, {200, 60}}},
		{"blr-overlay", sceneOf("blr"), true, [][2]int{{120, 36}}},
		{"network-overlay", sceneOf("mlp"), true, [][2]int{{120, 36}}},
		{"diverged-overlay", sceneOf("diverged"), true, [][2]int{{120, 36}}},
		{"lost-blr", lostBLR(), false, [][2]int{{80, 24}, {120, 36}}},
		{"lost-all", lostAll(), false, [][2]int{{120, 36}}},
	} {
		for _, size := range c.sizes {
			f := frameOf(c.snap)
			f.Overlay = c.overlay
			golden.Text(t, fmt.Sprintf("stage-%s-%dx%d", c.name, size[0], size[1]), picture(f, NewStage(), size[0], size[1]))
		}
	}
}

// The card of a lane that diverged names the bound with its numbers, and says
// whether half the step size is below it.
func TestLostCardSaysWhy(t *testing.T) {
	f := frameOf(sceneOf("diverged"))
	for _, c := range []struct {
		d    engine.Divergence
		want []string
		not  string
	}{
		{engine.Divergence{Step: 7, Coordinate: "theta[1]", Value: -1.2e8, Eps: 0.7, Bound: sampler.Bound{Kind: sampler.VarianceBound, Eps: 0.64}},
			[]string{"step 7", "θ₁ is -1.2e8", "ε = 0.7 ≥ 4σ² = 0.64", "-1.19 θ", "0.35 < 0.64", "r: back 200", "b: back", "R: restart"}, "too large here"},
		{engine.Divergence{Step: 7, Coordinate: "theta[1]", Value: 1.2e8, Eps: 3, Bound: sampler.Bound{Kind: sampler.VarianceBound, Eps: 0.64}}, []string{"1.5, still ≥ 0.64"}, "< 0.64"},
		{engine.Divergence{Step: 7, Coordinate: "x3", Value: math.NaN(), Eps: 0.002, Bound: sampler.Bound{Kind: sampler.DampedBound, Eps: 0.001}}, []string{"x3 is not a number", "G is 1/λ", "4σ²λ = 0.001"}, ""},
		{engine.Divergence{Step: 7, Coordinate: "x3", Value: 2e8, Eps: 0.002}, []string{"ε = 0.002 is too large here"}, "≥"},
		{engine.Divergence{Step: 7, Eps: 0.002}, []string{"beside θ is out of bounds", "ε = 0.002 is too large here", "half the ε"}, "≥"},
	} {
		v := f.Snap.Lanes[1]
		v.Diverged, v.Setting = &c.d, v.Setting.With("eps", c.d.Eps)
		p := plane.NewPlane(70, 14)
		new(lostScene).card(p.Region(), &f, &v)
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

// In every state of the stage any snapshot is drawn within its screen.
func TestHostileStages(t *testing.T) {
	all := []*engine.Snapshot{motionScene(), sceneOf("diverged"), lostBLR(), sceneOf("four"), sceneOf("early")}
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 5))
		s := frames.Copy(all[r.IntN(len(all))])
		for i := range s.Lanes {
			v := &s.Lanes[i]
			if r.IntN(2) == 0 {
				v.Motion = &engine.Motion{From: [2]float64{0.1, -1}, Drift: [2]float64{-1, 2}}
			}
			if r.IntN(3) == 0 {
				v.Diverged = &engine.Divergence{Step: 5, Coordinate: v.Names[r.IntN(2)], Value: 1e9, Eps: 1, Bound: sampler.Bound{Kind: sampler.VarianceBound, Eps: 0.5}}
			}
			if r.IntN(8) == 0 {
				v.TrailX, v.TrailY = v.TrailX[:min(1, len(v.TrailX))], v.TrailY[:min(1, len(v.TrailY))]
			}
			if r.IntN(8) == 0 {
				v.Draws, v.Kept, v.Step = 1e9, 1e9, 1e9
			}
		}
		frames.Spoil(reflect.ValueOf(s).Elem(), r, [...]float64{0, 0.02, 0.2, 0.7, 1}[r.IntN(5)])
		f := Frame{Snap: s, Theme: theme.New(r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0), Lane: r.IntN(6) - 1, Overlay: r.IntN(2) == 0}
		if r.IntN(3) == 0 {
			f.Zoom[CoordX], f.Cross = Range{-1, 2}, Cross{CoordX, CoordY, 0.3, 0.1}
			f.Panes = new(Panes)
		}
		v := NewStage()
		for range 4 {
			check(t, f, v, r.IntN(240), r.IntN(75))
		}
	}
}
