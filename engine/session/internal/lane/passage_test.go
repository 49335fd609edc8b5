package lane

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

// Through the burn-in a lane's states can be looked at: every one of a short one,
// and one in so many of a long one. None of them is a draw, the draws and where the
// lane goes are those that they would be, and the first draw ends it.
func TestPassage(t *testing.T) {
	p := open(t, "gaussian")
	for _, c := range []struct{ burn, thin, held, every uint64 }{{burn: 10, thin: 3, held: 10, every: 1}, {burn: 3000, thin: 7, held: 1000, every: 3}} {
		cfg := config(p, 0, map[string]float64{sampler.KeyBurnIn: float64(c.burn), sampler.KeyThin: float64(c.thin)}, "sgld")
		begun := func(cfg state.Config) Runner {
			r := oneLane(t, cfg, cfg.Lanes[0], p)
			t.Cleanup(r.Close)
			r.Measures().Watch(state.Watch{Y: 1})
			return r
		}
		r := begun(cfg)
		r.Advance(c.burn)
		v := r.Measures().View(true, nil)
		if n := uint64(len(v.Passage[0])); n != c.held || uint64(len(v.Passage[1])) != n || v.Draws != 0 || v.Kept != 0 || len(v.TrailX) != 0 {
			t.Errorf("burn-in %d: %d states are held, want %d; %d draws, %d on the trail", c.burn, n, c.held, v.Draws, len(v.TrailX))
		}
		one := begun(config(p, 0, nil, "sgld"))
		one.Advance(c.every)
		first := one.Measures().View(false, nil).Now
		if v.Passage[0][0] != first[0] || v.Passage[1][0] != first[1] {
			t.Errorf("burn-in %d begins at %v, %v, want %v", c.burn, v.Passage[0][0], v.Passage[1][0], first)
		}
		kept := r.Copy()
		r.Advance(c.thin - 1)
		if v := r.Measures().View(true, nil); uint64(len(v.Passage[0])) != c.held || v.Draws != 0 {
			t.Errorf("before the first draw %d states are held, and there are %d draws", len(v.Passage[0]), v.Draws)
		}
		r.Advance(1)
		if v := r.Measures().View(true, nil); v.Passage[0] != nil || v.Draws != 1 || v.Step != c.burn+c.thin {
			t.Errorf("at the first draw %d states are held; %d draws at step %d", len(v.Passage[0]), v.Draws, v.Step)
		}
		one.Advance(c.burn + c.thin - c.every)
		if got, want := r.Measures().Digest(), one.Measures().Digest(); got.Digest != want.Digest {
			t.Errorf("burn-in %d leads to %x, without it %x", c.burn, got, want)
		}
		if r.Restore(kept); uint64(len(r.Measures().View(true, nil).Passage[0])) != c.held {
			t.Errorf("revived with %d states", len(r.Measures().View(true, nil).Passage[0]))
		}
		r.Rewind(c.burn / 2)
		if v := r.Measures().View(true, nil); v.Passage[0] != nil {
			t.Errorf("after a rewind %d states are held", len(v.Passage[0]))
		}
		if r.Advance(c.burn / 4); len(r.Measures().View(true, nil).Passage[0]) == 0 {
			t.Error("nothing is held after a rewind")
		}
	}
}

// A burn-in costs no allocation once there is something to hold.
func TestPassageDoesNotAllocate(t *testing.T) {
	p := open(t, "gaussian")
	cfg := config(p, 0, map[string]float64{sampler.KeyBurnIn: 1e6}, "sgld")
	r := oneLane(t, cfg, cfg.Lanes[0], p)
	defer r.Close()
	r.Measures().Watch(state.Watch{Y: 1})
	l := r.(*lane[float64])
	l.Advance(2000)
	if n := alloctest.PerRun(100, func() { trace.Hold(&l.Passage, l.First.State.Theta, l.Step(), l.Tracked, 0) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// Through the burn-in of a network there are the losses of its minibatches, each with its step.
func TestPassageHasLosses(t *testing.T) {
	innerlooptest.Skip(t, "a network")
	p := open(t, "mlp:8")
	cfg := config(p, 0, map[string]float64{sampler.KeyBurnIn: 40, sampler.KeyThin: 10}, "sgld")
	r := oneLane(t, cfg, cfg.Lanes[0], p)
	defer r.Close()
	r.Measures().Watch(state.Watch{Y: 1})
	r.Advance(30)
	v := r.Measures().View(true, nil)
	if len(v.PassageLoss) != 30 || len(v.PassageSteps) != 30 || v.PassageSteps[29] != 30 {
		t.Fatalf("losses %v at steps %v", v.PassageLoss, v.PassageSteps)
	}
	// Before anything is learned about ln 10 a datum, of ten classes.
	if first := v.PassageLoss[0]; math.Abs(first-math.Log(10)) > 1 {
		t.Errorf("it begins at %g", first)
	}
	if r.Advance(20); r.Measures().View(true, nil).PassageLoss != nil {
		t.Error("there are losses of the burn-in beside draws")
	}
}
