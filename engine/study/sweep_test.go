package study

import (
	"context"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

func gaussianSweep(t *testing.T, threads int) *Sweep {
	t.Helper()
	p, err := targets.Open("gaussian", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &Sweep{
		Config: state.Config{Target: p.Spec, Seed: 3, Steps: 2000, Lanes: []state.Setting{state.DefaultSetting(p, "psgld"), state.DefaultSetting(p, "sgld")}},
		Grid: Grid{
			{Key: "eps", Param: sampler.Common()[0], Values: []float64{0.1, 0.7}, Shown: []float64{0.1, 0.7}},
			{Key: "alpha", Param: param.Param{Key: "alpha"}, Values: []float64{0.9, 0.99, 0.999}, Shown: []float64{0.9, 0.99, 0.999}},
		},
		Problem: p, Repeats: 2, Threads: threads,
	}
}

// Every cell is the session that its values and seed make, on any number of
// threads.
func TestCellsAreSessions(t *testing.T) {
	innerlooptest.Skip(t, "a grid and its sessions")
	one, two := gaussianSweep(t, 1), gaussianSweep(t, 2)
	cells := func(s *Sweep) []Cell {
		r := s.Runner(All)
		outcomes, err := r.Run(context.Background())
		if err != nil || len(outcomes) != 12 || s.Total() != 12 {
			t.Fatalf("%d of %d done, %v", len(outcomes), s.Total(), err)
		}
		return s.Cells(outcomes)
	}
	a, b := cells(one), cells(two)
	if len(a) != 12 || len(b) != 12 {
		t.Fatalf("%d and %d cells", len(a), len(b))
	}
	for i := range a {
		cfg := one.Config
		cfg.Seed += uint64(i % 2)
		cfg.Lanes = []state.Setting{
			cfg.Lanes[0].With("eps", []float64{0.1, 0.7}[i/6]).With("alpha", []float64{0.9, 0.99, 0.999}[i/2%3]),
			cfg.Lanes[1].With("eps", []float64{0.1, 0.7}[i/6]),
		}
		s, err := session.New(cfg, one.Problem, session.Runtime{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		for k, l := range s.Result("").Lanes {
			if a[i].Lanes[k].Digest != l.Digest || b[i].Lanes[k].Digest != l.Digest || a[i].Seed != cfg.Seed {
				t.Errorf("cell %d, lane %d: digests %s and %s, the session has %s", i, k, a[i].Lanes[k].Digest, b[i].Lanes[k].Digest, l.Digest)
			}
		}
	}
}

func TestAnEndedContextKeepsWholeCells(t *testing.T) {
	s := gaussianSweep(t, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if cells, err := s.Runner(All).Run(ctx); err != nil || len(cells) != 0 {
		t.Errorf("%d cells, %v", len(cells), err)
	}
}

func TestValidateNamesTheFault(t *testing.T) {
	s := gaussianSweep(t, 1)
	s.Grid[0].Values[1] = -1
	if err := s.Validate(); err == nil || err.Error() != "eps must be positive, got -1" {
		t.Error(err)
	}
	s = gaussianSweep(t, 1)
	s.Repeats = MaxCells
	if s.Validate() == nil {
		t.Error("no error for too many cells")
	}
}
