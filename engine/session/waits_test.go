package session

import (
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

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
func (w *written) Files() []targets.SourceFile  { return nil }
func (w *written) Row(dst []float64, _ *targets.Told, _ int, t uint64) error {
	for i := range dst {
		dst[i] = float64((t*7 + uint64(i)*3) % 11)
	}
	return nil
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
