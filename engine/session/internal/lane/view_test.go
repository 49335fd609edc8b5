package lane

import (
	"math"
	"reflect"
	"testing"

	"github.com/psgld/psgld-tui/engine"
)

// A lane's trace covers all its draws and ends with the running mean that the lane reports. A
// rewind takes it back, and the same steps lead to the same trace, however often it is looked at.
func TestTrace(t *testing.T) {
	p := open(t, "gaussian")
	for _, chains := range []int{1, 3} {
		cfg := config(p, 0, map[string]float64{"thin": 3}, "psgld")
		cfg.Chains = chains
		begun := func() Runner {
			r := oneLane(t, cfg, cfg.Lanes[0], p)
			t.Cleanup(r.Close)
			return r
		}
		a, b := begun(), begun()
		a.Advance(9000)
		for range 90 {
			b.Advance(100)
			b.Measures().View(true, nil)
		}
		v, w := a.Measures().View(false, nil), b.Measures().View(false, nil)
		if !reflect.DeepEqual(v.Trace.Steps, w.Trace.Steps) || !reflect.DeepEqual(v.Trace.Coords[0].Lo, w.Trace.Coords[0].Lo) {
			t.Errorf("%d chains: the trace depends on when it is looked at", chains)
		}
		tr := &v.Trace
		n := len(tr.Steps) - 1
		if tr.Steps[n] != 9000 || tr.Last != 9000 || tr.Every != 3 || tr.Even < len(v.TrailX)/chains {
			t.Errorf("%d chains: it ends at step %d, the newest %d draws lie every %d up to %d", chains, tr.Steps[n], tr.Even, tr.Every, tr.Last)
		}
		for k, c := range tr.Coords {
			if mean := v.Coords[k].Values[0].Value; math.Abs(c.Mean[n]-mean) > 1e-12 {
				t.Errorf("%d chains: the running mean ends at %g, the mean is %g", chains, c.Mean[n], mean)
			}
			for i, lo := range c.Lo {
				if !(lo <= c.Hi[i]) {
					t.Fatalf("%d chains: bin %d from %g to %g", chains, i, lo, c.Hi[i])
				}
			}
		}
		a.Rewind(6001)
		v = a.Measures().View(false, nil)
		if n := len(v.Trace.Steps); v.Trace.Steps[n-1] > 6001 || v.Trace.Last != 6000 {
			t.Errorf("%d chains: after a rewind to 6001 the trace ends at %d, the draws at %d", chains, v.Trace.Steps[n-1], v.Trace.Last)
		}
		a.Advance(9)
		if v = a.Measures().View(false, nil); v.Trace.Last != 6009 || v.Trace.Steps[len(v.Trace.Steps)-1] != 6009 {
			t.Errorf("%d chains: it goes on to %d", chains, v.Trace.Last)
		}
		c := a.Copy()
		a.Advance(999)
		ended := a.Measures().View(false, nil)
		a.Restore(c)
		a.Advance(999)
		if again := a.Measures().View(false, nil); !reflect.DeepEqual(again.Trace, ended.Trace) || !reflect.DeepEqual(again.TrailX, ended.TrailX) {
			t.Errorf("%d chains: played again the trace is another", chains)
		}
		a.Measures().Watch(engine.Watch{Y: 1, Principal: true})
		if v := a.Measures().View(false, nil); v.Trace.Steps != nil {
			t.Errorf("%d chains: principal directions have a trace", chains)
		}
	}
}
