package session

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/agreement"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// ranked is how many draws of a lane's chains are ranked in the first coordinate.
func ranked(v *engine.LaneView) (n uint64) {
	for _, c := range v.Chains {
		for _, count := range c.Ranks[0] {
			n += uint64(count)
		}
	}
	return n
}

// Where a lane stands still all draws are ranked that are kept, and what is shown is what its
// document says.
func TestRanksOfAllDraws(t *testing.T) {
	innerlooptest.Later(t, "long chains")
	p := open(t, "gaussian")
	for _, c := range []struct{ steps, every uint64 }{{500, 1}, {40_000, 1}, {270_000, 2}} {
		cfg := config(p, c.steps, nil, "sgld")
		cfg.Chains = 4
		s, r := run(t, cfg, p, Runtime{})
		v, l := &s.Snapshot().Lanes[0], &r.Lanes[0]
		if want := c.steps * 4 / c.every; v.RanksEvery != c.every || l.RanksEvery != c.every || ranked(v) != want {
			t.Errorf("%d steps: %d draws are ranked, one of %d and %d, want %d, one of %d", c.steps, ranked(v), v.RanksEvery, l.RanksEvery, want, c.every)
		}
		for _, id := range []quantity.CoordID{quantity.RHat, quantity.BulkESS, quantity.Q95} {
			a, b := v.Coords[0].Values[id], l.Coords[0][id]
			if a.Status != b.Status || a.OK() && (a.Value != b.Value || a.Draws != ranked(v)) {
				t.Errorf("%d steps: %s is %+v, in the document %+v", c.steps, quantity.Coordinates[id].Key, a, b)
			}
		}
	}
}

// Of an interrupted session, whose result somebody waits for, fewer draws are ranked, and its document says so.
func TestRanksOfAnInterruptedSession(t *testing.T) {
	p := open(t, "gaussian")
	cfg := config(p, 0, nil, "sgld")
	cfg.Chains = 4
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var drawn atomic.Int64
	sink := func(engine.ChainID, *targets.Problem, state.Setting) (engine.Sink, error) {
		return sinkFunc(func() {
			if drawn.Add(1) > 4*40_000 {
				stop()
			}
		}), nil
	}
	s, err := New(cfg, p, Runtime{Sink: sink})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(ctx); err == nil {
		t.Fatal("it was not interrupted")
	}
	l := s.Result("").Lanes[0]
	if e := l.Coords[0][quantity.BulkESS]; l.RanksEvery < 2 || !e.OK() || e.Draws*2 > agreement.AtEnd || e.Draws*2 < agreement.AtEnd/2 || e.Draws > l.Draws/l.RanksEvery {
		t.Errorf("of %d draws one of %d is ranked: %+v", l.Draws, l.RanksEvery, e)
	}
}

// While a lane runs the chains are compared beside it, by all draws of a moment ago.
func TestRanksBesideTheSampling(t *testing.T) {
	innerlooptest.Skip(t, "a long chain")
	p := open(t, "gaussian")
	cfg := config(p, 0, nil, "sgld")
	cfg.Chains = 4
	l := start(t, cfg, Runtime{Interactive: true})
	for ; ; time.Sleep(5 * time.Millisecond) {
		v := &l.Snapshot().Lanes[0]
		rhat := v.Coords[0].Values[quantity.RHat]
		// Without them 1,024 of each chain are.
		if n := ranked(v); n > agreement.AtOnce/2 && rhat.OK() && rhat.Draws == n && rhat.Value < metrics.RHatBound {
			if v.RanksEvery*n > v.Draws || v.RanksEvery == 0 {
				t.Errorf("%d are ranked, one of %d, of %d", n, v.RanksEvery, v.Draws)
			}
			break
		}
	}
	// A new window forgets them.
	v := &l.do(nil, state.Pause{}, state.Restart{Seed: 7}).Lanes[0]
	if ranked(v) != 0 {
		t.Errorf("after a restart %d of %d are ranked", ranked(v), v.Draws)
	}
}

// Where a lane of many draws has come to stand still before they were compared, that is done
// beside it too.
func TestRanksAfterAPause(t *testing.T) {
	innerlooptest.Skip(t, "a long chain")
	const steps = 200_000 // of which no draw is dropped
	p := open(t, "gaussian")
	set := state.DefaultSetting(p, "sgld")
	r := oneLane(t, state.Config{Target: "gaussian", Lanes: []state.Setting{set}, Chains: 4, Seed: 1}, set, p)
	r.Advance(steps)
	w := beside.New("the comparison", 0, func() {})
	defer w.Close()
	began, free := make(chan bool), make(chan bool)
	w.Ask([]beside.Task{func(func(time.Duration) bool) { close(began); <-free }}, true)
	<-began
	for _, running := range []bool{true, false} {
		if v := r.Measures().View(running, w); ranked(&v) == 0 || ranked(&v) > 4*agreement.Live {
			t.Errorf("running %v: %d draws are ranked in the view itself", running, ranked(&v))
		}
	}
	close(free)
	for w.Ask(nil, false); !w.Settled(); time.Sleep(time.Millisecond) {
	}
	v := r.Measures().View(false, w)
	if rhat := v.Coords[0].Values[quantity.RHat]; ranked(&v) != 4*steps || rhat.Draws != 4*steps || !w.Settled() {
		t.Errorf("%d draws are ranked of %d, R-hat is %+v", ranked(&v), v.Draws, rhat)
	}
}
