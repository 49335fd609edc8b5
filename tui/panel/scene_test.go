package panel

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/internal/frames"
	"github.com/psgld/psgld-tui/tui/internal/golden"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/stage"
)

// motionScene is a session of the Gaussian that was stopped after a single step,
// whose parts are worked out here: the drift of N(0, diag(σ²)) is -ε G θ/(2σ²),
// and Local is √(εG).
var motionScene = sync.OnceValue(func() *engine.Snapshot {
	s := frames.Copy(scenes.Play("gaussian", "psgld,sgld", 300))
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
		return scenes.Play("blr:synthetic", "psgld,sgld", 3000,
			engine.Event{At: scenes.At(2000, 2), Command: engine.SetParam{Lane: 1, Key: "eps", Value: 450}})
	})
	lostAll = sync.OnceValue(func() *engine.Snapshot {
		return scenes.Play("banana", "sgld,sgld", 3000,
			engine.Event{At: scenes.At(2000, 2), Command: engine.SetParam{Lane: engine.AllLanes, Key: "eps", Value: 1.5}})
	})
)

// stageShot is a stage in a state that one remembers.
type stageShot struct {
	name    string
	snap    func() *engine.Snapshot
	overlay bool
}

func stageShots() []stageShot {
	of := func(name string) func() *engine.Snapshot { return func() *engine.Snapshot { return scenes.Of(name) } }
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
			golden.Text(t, fmt.Sprintf("stage-%s-%dx%d", c.name, size[0], size[1]), picture(f, stage.New(), size[0], size[1]))
		}
		f.Theme = theme.New(true, true, true)
		golden.Text(t, "stage-"+c.name+"-ascii-120x36", picture(f, stage.New(), 120, 36))
		golden.Text(t, "stage-"+c.name+"-colour-120x36", inLooks(f, stage.New(), 120, 36, theme.Look{Dark: true}, theme.Look{}))
	}
	for _, c := range []struct {
		name    string
		snap    *engine.Snapshot
		overlay bool
		sizes   [][2]int
	}{
		{"banana", scenes.Of("four"), false, [][2]int{{200, 60}}},
		{"banana-overlay", scenes.Of("four"), true, [][2]int{{80, 24}, {200, 60}}},
		{"mixture", scenes.Of("one"), false, [][2]int{{80, 24}}},
		{"funnel", scenes.Of("three"), false, [][2]int{{80, 24}, {200, 60}}},
		{"blr-overlay", scenes.Of("blr"), true, [][2]int{{120, 36}}},
		{"network-overlay", scenes.Of("mlp"), true, [][2]int{{120, 36}}},
		{"diverged-overlay", scenes.Of("diverged"), true, [][2]int{{120, 36}}},
		{"lost-blr", lostBLR(), false, [][2]int{{80, 24}, {120, 36}}},
		{"lost-all", lostAll(), false, [][2]int{{120, 36}}},
	} {
		for _, size := range c.sizes {
			f := frameOf(c.snap)
			f.Overlay = c.overlay
			golden.Text(t, fmt.Sprintf("stage-%s-%dx%d", c.name, size[0], size[1]), picture(f, stage.New(), size[0], size[1]))
		}
	}
}

// In every state of the stage any snapshot is drawn within its screen.
func TestHostileStages(t *testing.T) {
	all := []*engine.Snapshot{motionScene(), scenes.Of("diverged"), lostBLR(), scenes.Of("four"), scenes.Of("early")}
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
		f := pane.Frame{Snap: s, Theme: theme.New(r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0), Lane: r.IntN(6) - 1, Overlay: r.IntN(2) == 0}
		if r.IntN(3) == 0 {
			f.Zoom[pane.CoordX], f.Cross = pane.Range{Lo: -1, Hi: 2}, pane.Cross{AxisX: pane.CoordX, AxisY: pane.CoordY, X: 0.3, Y: 0.1}
			f.Panes = new(pane.Panes)
		}
		v := stage.New()
		for range 4 {
			check(t, f, v, r.IntN(240), r.IntN(75))
		}
	}
}
