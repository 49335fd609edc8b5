package export

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/targets"
)

// TestDrawsFail checks that a disk that fails ends the run and leaves nothing,
// not even the folder.
func TestDrawsFail(t *testing.T) {
	for _, late := range []bool{false, true} {
		dir := t.TempDir()
		var out Output
		sink, err := DrawsTo(&out, filepath.Join(dir, "a", "b"), CSV, 1)
		if err != nil {
			t.Fatal(err)
		}
		p, err := targets.Open("gaussian", targets.Options{})
		if err != nil {
			t.Fatal(err)
		}
		cfg := state.Config{Target: p.Spec, Init: "zero", Steps: 1 << 40,
			Lanes: []state.Setting{state.DefaultSetting(p, "sgld")}}
		if late {
			cfg.Steps = 10 // all is still in the buffer when the run ends
		}
		rt := session.Runtime{Sink: func(at engine.ChainID, p *targets.Problem,
			set state.Setting) (engine.Sink, error) {
			s, err := sink(at, p, set)
			s.(*DrawsFile).w.Reset(fullDisk{})
			return s, err
		}}
		s, err := session.New(cfg, p, rt)
		if err != nil {
			t.Fatal(err)
		}
		err = s.Run(t.Context())
		if late {
			err = errors.Join(err, out.Commit(s))
		}
		out.Abort()
		if err == nil || !strings.Contains(err.Error(), "A-sgld.csv: no space left") ||
			!strings.HasPrefix(err.Error(), "--draws: cannot write ") {
			t.Errorf("the error is %v", err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v were left behind, %v", left, err)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestDrawAllocates checks that a draw is written without allocating.
func TestDrawAllocates(t *testing.T) {
	var out Output
	sink, err := DrawsTo(&out, t.TempDir(), CSV, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Abort()
	p, err := targets.Open("gaussian", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := sink(engine.ChainID{Lane: 0, Chains: 1}, p, state.DefaultSetting(p, "sgld"))
	if err != nil {
		t.Fatal(err)
	}
	s.(*DrawsFile).w.Reset(io.Discard)
	theta := []float64{math.Pi, -math.E * 1e-9}
	if n := alloctest.PerRun(10_000, func() {
		if err := s.Draw(engine.Drawn{Step: 1 << 40, Eps: 0.3, Accept: 1, LogPost: math.NaN()}, theta); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a draw", n)
	}
}
