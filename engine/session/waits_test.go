package session

import (
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// written is a source of as many draws as were written, of two coordinates.
type written struct {
	rows atomic.Uint64
	poke func()
}

var _ targets.Source = (*written)(nil)

func (w *written) Chains() int                  { return 1 }
func (w *written) Rows() uint64                 { return w.rows.Load() }
func (w *written) Ended() bool                  { return false }
func (w *written) Tells() [targets.NumTold]bool { return [targets.NumTold]bool{} }
func (w *written) Notify(f func())              { w.poke = f }
func (w *written) Skipped() int                 { return 0 }
func (w *written) Failed() error                { return nil }
func (w *written) Files() []targets.SourceFile  { return nil }
func (w *written) Row(dst []float64, _ *targets.Told, _ int, t uint64) error {
	for i := range dst {
		dst[i] = float64((t*7 + uint64(i)*3) % 11)
	}
	return nil
}

// Watched draws that were shown are gone back to, rewound and shown again, at the speed that is asked for, and those
// that come meanwhile wait: the draws of a place are the same each time.
func TestWatchedDrawsAreGoneBackTo(t *testing.T) {
	from := &written{poke: func() {}}
	p := targets.OfColumns("draws", []string{"a", "b"})
	p.Source = from
	from.rows.Add(1000)
	s, err := New(state.Config{Target: p.Spec, Seed: 1, Init: "random", Chains: 1, Lanes: []state.Setting{
		state.DefaultSetting(p, catalog.Source.Name).With(sampler.KeyThin, 1)}}, p,
		Runtime{Interactive: true, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	l := running(t, s)
	at := func(n uint64) func(*engine.Snapshot) bool {
		return func(s *engine.Snapshot) bool { return s.Lanes[0].Step == n && s.Lanes[0].Draws == n }
	}
	stands := func(n uint64, s *engine.Snapshot) {
		t.Helper()
		var want [2]float64
		_ = from.Row(want[:], nil, 0, n-1) // it has no error
		if now := s.Lanes[0].Now; now != want {
			t.Errorf("draw %d is %v, want %v", n, now, want)
		}
	}
	stands(1000, l.do(at(1000)))
	stands(400, l.do(at(400), state.Pause{}, state.Seek{To: 400}))
	from.rows.Add(500)
	stands(407, l.do(at(407), state.StepBy{N: 7}))
	stands(1000, l.do(at(1000), state.Resume{})) // to the end of what was shown
	stands(1500, l.do(at(1500), state.Resume{}))
	seen := l.do(nil, state.Pause{}, state.Rewind{Lane: 0, Steps: 300, EpsFactor: 1}).Lanes[0]
	if seen.Step != 1200 || seen.Draws != 0 { // a window of its own begins
		t.Errorf("300 draws back: %d, %d draws", seen.Step, seen.Draws)
	}
	l.do(nil, state.SetSpeed{PerSecond: 1e6})
	stands(1500, l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Step == 1500 && s.Lanes[0].Draws == 300 },
		state.Resume{}))
	if s := l.do(nil, state.Undo{}); s.Notice.Err() != nil || s.CanUndo {
		t.Errorf("undo of the way back: %+v", s.Notice)
	}
}

// Whoever has only each fourth of the draws kept sees those of all that there are, though no more come, and so of lanes
// beside the watched one. A way back turns no ε.
func TestThinningIsOfAllWatchedDraws(t *testing.T) {
	from := &written{poke: func() {}}
	p := open(t, "gaussian")
	p.Source = from
	from.rows.Add(1000)
	s, err := New(state.Config{Target: p.Spec, Seed: 1, Init: "random", Chains: 1, Lanes: []state.Setting{
		state.DefaultSetting(p, catalog.Source.Name).With(sampler.KeyThin, 1), state.DefaultSetting(p, "sgld")}}, p,
		Runtime{Interactive: true, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	l := running(t, s)
	has := func(draws uint64) func(*engine.Snapshot) bool {
		return func(s *engine.Snapshot) bool {
			return s.Lanes[0].Step == 1000 && s.Lanes[0].Draws == draws && s.Lanes[1].Draws == draws
		}
	}
	l.do(has(1000))
	l.do(has(250), state.SetParam{Lane: state.AllLanes, Key: sampler.KeyThin, Value: 4})
	l.do(has(1000), state.Undo{})
	seen := l.do(nil, state.Pause{}, state.Rewind{Lane: 0, Steps: 300, EpsFactor: 1})
	if went, ok := seen.Notice.Fact.(state.Rewound); !ok || went.Lanes[0].Eps != went.Lanes[0].FromEps {
		t.Errorf("the way back is told as %+v", seen.Notice)
	}
}

// The rate of draws that another program makes is how fast it makes them, and not how fast they are read: "630+ further
// steps, 1s" was said of a file that grew by 360 a second.
func TestTheRateOfWatchedDrawsIsTheirWriters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := new(written)
		p := targets.OfColumns("draws", []string{"a", "b"})
		p.Source = from
		cfg := state.Config{Target: p.Spec, Seed: 1, Init: "random", Chains: 1, Lanes: []state.Setting{
			state.DefaultSetting(p, catalog.Source.Name).With(sampler.KeyThin, 1)}}
		s, err := New(cfg, p, Runtime{Interactive: true, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		goesOn(t, s)
		synctest.Wait()
		for range 30 {
			from.rows.Add(36)
			from.poke()
			time.Sleep(100 * time.Millisecond)
			s.Snapshot()
			synctest.Wait()
		}
		snap := s.Snapshot()
		if math.Abs(snap.Rate-360) > 40 {
			t.Errorf("at 360 draws a second the rate is %g", snap.Rate)
		}
	})
}
