package stage

import (
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// motionScene is a session of the Gaussian that was stopped after a single step,
// whose parts are worked out here: the drift of N(0, diag(σ²)) is -ε G θ/(2σ²),
// and Local is √(εG).
var motionScene = sync.OnceValue(func() *engine.Snapshot {
	s := frametest.Copy(scenetest.Play("gaussian", "psgld,sgld", 300))
	s.Phase = state.Paused
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
	divergedBLR = sync.OnceValue(func() *engine.Snapshot {
		return scenetest.Play("blr:synthetic", "psgld,sgld", 3000,
			state.Event{At: scenetest.At(2000, 2), Command: state.SetParam{Lane: 1, Key: "eps", Value: 450}})
	})
	divergedAll = sync.OnceValue(func() *engine.Snapshot {
		return scenetest.Play("banana", "sgld,sgld", 3000,
			state.Event{At: scenetest.At(2000, 2),
				Command: state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 1.5}})
	})
)

// onALine is of a target of one coordinate.
var onALine = sync.OnceValue(func() *engine.Snapshot {
	return scenetest.Play("density:logsumexp(normal(x,-m,1), normal(x,m,1));m=2", "psgld,sgld", 3000)
})

// divergedChains has lanes of four chains, one of which has diverged.
var divergedChains = sync.OnceValue(func() *engine.Snapshot {
	return scenetest.Chains(4, "gaussian", "psgld,sgld", 3000,
		state.Event{At: scenetest.At(2000, 2), Command: state.SetParam{Lane: 1, Key: "eps", Value: 0.7}})
})

// Chains have shades of their lane's colour and numbers, also where colour or characters are
// missing.
func TestPicturesOfChains(t *testing.T) {
	for _, c := range []struct {
		name    string
		snap    *engine.Snapshot
		overlay bool
	}{{"chains", scenetest.Of("chains"), false}, {"chains-overlay", scenetest.Of("modes"), true},
		{"chains-diverged", divergedChains(), false}} {
		f := viewtest.Frame(c.snap)
		f.Overlay = c.overlay
		viewtest.Golden(t, c.name, f, New(), viewtest.W, viewtest.H)
		if c.name == "chains" {
			viewtest.Looks(t, c.name+"-colour", f, New(), viewtest.W, viewtest.H, theme.Look{Dark: true},
				theme.Look{NoColor: true}, theme.Look{Dark: true, Depth: theme.Basic})
			f.Theme = theme.New(true, true, true)
			viewtest.Golden(t, c.name+"-ascii", f, New(), 80, 20)
		}
	}
}

// The stage in its four states, without styles and in ASCII, and in the colours of a
// dark and a light background; and what else it can show.
func TestPictures(t *testing.T) {
	for _, c := range []struct {
		name    string
		snap    *engine.Snapshot
		overlay bool
	}{
		{"gaussian", scenetest.Of("gaussian"), false}, {"overlay", scenetest.Of("gaussian"), true},
		{"motion", motionScene(), false}, {"diverged", scenetest.Of("diverged"), false},
	} {
		f := viewtest.Frame(c.snap)
		f.Overlay = c.overlay
		viewtest.Golden(t, c.name, f, New(), viewtest.W, viewtest.H)
		viewtest.Looks(t, c.name+"-colour", f, New(), viewtest.W, viewtest.H, theme.Look{Dark: true}, theme.Look{})
		f.Theme = theme.New(true, true, true)
		viewtest.Golden(t, c.name+"-ascii", f, New(), viewtest.W, viewtest.H)
	}
	for _, c := range []struct {
		name    string
		snap    *engine.Snapshot
		overlay bool
		w, h    int
	}{
		{"gaussian", scenetest.Of("gaussian"), false, 80, 20}, {"gaussian", scenetest.Of("gaussian"), false, 200, 56},
		{"overlay", scenetest.Of("gaussian"), true, 80, 20}, {"overlay", scenetest.Of("gaussian"), true, 200, 56},
		{"motion", motionScene(), false, 80, 20}, {"diverged", scenetest.Of("diverged"), false, 80, 20},
		{"banana", scenetest.Of("four"), false, 200, 56}, {"banana-overlay", scenetest.Of("four"), true, 120, 32},
		{"mixture", scenetest.Of("one"), false, 80, 20}, {"funnel", scenetest.Of("three"), false, 120, 32},
		{"blr-overlay", scenetest.Of("blr"), true, 120, 32}, {"network-overlay", scenetest.Of("mlp"), true, 120, 32},
		{"diverged-overlay", scenetest.Of("diverged"), true, 120, 32}, {"diverged-blr", divergedBLR(), false, 120, 32},
		{"diverged-all", divergedAll(), false, 120, 32},
		{"line", onALine(), false, 80, 20}, {"line", onALine(), false, 120, 32},
		{"line-overlay", onALine(), true, 200, 56},
	} {
		f := viewtest.Frame(c.snap)
		f.Overlay = c.overlay
		viewtest.Golden(t, c.name, f, New(), c.w, c.h)
	}
}

// In every state of the stage any snapshot is drawn within its screen.
func TestHostileStages(t *testing.T) {
	all := []*engine.Snapshot{motionScene(), scenetest.Of("diverged"), divergedBLR(), scenetest.Of("four"),
		scenetest.Of("early"), scenetest.Of("chains"), divergedChains()}
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 5))
		s := frametest.Copy(all[r.IntN(len(all))])
		for i := range s.Lanes {
			v := &s.Lanes[i]
			if r.IntN(2) == 0 {
				v.Motion = &engine.Motion{From: [2]float64{0.1, -1}, Drift: [2]float64{-1, 2}}
			}
			if r.IntN(3) == 0 {
				v.Diverged = &state.Divergence{Step: 5, Chain: r.IntN(5) - 1, Coordinate: v.Names[r.IntN(2)],
					Value: 1e9, Eps: 1, Bound: sampler.Bound{Kind: sampler.VarianceBound, Eps: 0.5}}
			}
			if r.IntN(8) == 0 {
				v.TrailX, v.TrailY = v.TrailX[:min(1, len(v.TrailX))], v.TrailY[:min(1, len(v.TrailY))]
			}
			if r.IntN(8) == 0 {
				v.Draws, v.Kept, v.Step = 1e9, 1e9, 1e9
			}
		}
		frametest.Spoil(reflect.ValueOf(s).Elem(), r, [...]float64{0, 0.02, 0.2, 0.7, 1}[r.IntN(5)])
		f := pane.Frame{Snap: s, Theme: theme.New(r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0), Lane: r.IntN(6) - 1,
			Attention: pane.Attention{Overlay: r.IntN(2) == 0}}
		if r.IntN(3) == 0 {
			f.Zoom[pane.CoordX], f.Cross = pane.Range{Lo: -1, Hi: 2},
				pane.Cross{AxisX: pane.CoordX, AxisY: pane.CoordY, X: 0.3, Y: 0.1}
			f.Panes = new(pane.Panes)
		}
		v := New()
		for range 4 {
			viewtest.Check(t, f, v, r.IntN(240), r.IntN(75))
		}
	}
}

// BenchmarkFrame is the stage in every state, of 200×60 in colour.
func BenchmarkFrame(b *testing.B) {
	four := viewtest.Frame(scenetest.Of("four"))
	for name, change := range map[string]func(*pane.Frame){
		"gaussian":  func(f *pane.Frame) { f.Snap = scenetest.Of("gaussian") },
		"chains":    func(f *pane.Frame) { f.Snap = scenetest.Of("chains") },
		"motion":    func(f *pane.Frame) { f.Snap = motionScene() },
		"diverged":  func(f *pane.Frame) { f.Snap = scenetest.Of("diverged") },
		"overlay":   func(f *pane.Frame) { f.Overlay = true },
		"projector": func(f *pane.Frame) { f.Projector, f.Theme = true, theme.Of(theme.Look{Dark: true, Thick: true}) },
		"one pane":  func(f *pane.Frame) { f.Pane, f.Full = "lane A", true },
		"values": func(f *pane.Frame) {
			f.Pane, f.Cross = "lane A", pane.Cross{AxisX: pane.CoordX, AxisY: pane.CoordY, X: 0.5, Y: 0.5}
		},
		"card": func(f *pane.Frame) { f.Snap, f.Card = scenetest.Of("turned"), true },
	} {
		f := four
		change(&f)
		viewtest.Bench(b, name, f, New())
	}
}
