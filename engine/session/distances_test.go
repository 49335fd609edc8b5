package session

import (
	"context"
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
)

// TestDistances compares the distances of long chains with those of the distributions that they are known to have.
func TestDistances(t *testing.T) {
	innerlooptest.Skip(t, "long chains")
	p := open(t, "gaussian")
	cfg := brief(p, "sgld")
	cfg.Lanes[0] = cfg.Lanes[0].With(sampler.KeyEps, 0.4)
	cfg.Steps = 200_000
	end := func(cfg state.Config, looks bool) *engine.Snapshot {
		s, err := New(cfg, p, Runtime{})
		if err != nil {
			t.Fatal(err)
		}
		if looks {
			s.Send(state.Watch{Y: 1})
			go func() {
				for s.Snapshot().Phase != state.Done {
					<-s.Changed()
				}
			}()
		}
		if err := s.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		return s.Snapshot()
	}
	snap := end(cfg, false)
	v := &snap.Lanes[0]
	truth := p.Exact()
	cov := make([]float64, 4)
	sgld, _ := catalog.Find("sgld")
	par := state.ValuesInForce(p, sgld, cfg.Lanes[0])
	if !sgld.StationaryCov(cov, p.Impl(), &par) {
		t.Fatal("no closed form")
	}
	// 20,000 draws, 10 steps apart, are worth about as many: sds of 0.65 and 1.05 are known to 0.004 and 0.006.
	want := metrics.GaussianW2(truth.Mean, cov, truth.Mean, truth.Cov)
	if e := v.Values[quantity.W2]; math.Abs(e.Value-want) > 0.02 {
		t.Errorf("W2 is %+v, want %v", e, want)
	}
	// Along u the sds differ by √(u'Vu) - √(u'Wu). 20,000 draws of their own distribution, whose sd along a direction is 0.86,
	// are 0.86·√((ln ln n + 1.27)/n) = 0.0115 away if they are independent, and these are nearly.
	sum, n := 0.0, 1000
	for k := range n {
		s, c := math.Sincos(math.Pi * float64(k) / float64(n))
		d := math.Sqrt(c*c*cov[0]+s*s*cov[3]) - math.Sqrt(c*c*truth.Cov[0]+s*s*truth.Cov[3])
		sum += d * d / float64(n)
	}
	if e, want := v.Values[quantity.SlicedW2], math.Hypot(math.Sqrt(sum), 0.0115); math.Abs(e.Value/want-1) > 0.05 {
		t.Errorf("sliced W2 is %+v, want %v", e, want)
	} else {
		t.Logf("sliced W2 is %.4f, want %.4f", e.Value, want)
	}
	// Looking changes neither the end nor the curves.
	seen := end(cfg, true).Lanes[0]
	for _, id := range []quantity.ID{quantity.W2, quantity.SlicedW2} {
		if a, b := v.Values[id], seen.Values[id]; a.Value != b.Value {
			t.Errorf("%s is %v, and %v if somebody looks", quantity.All[id].Key, a.Value, b.Value)
		}
		for i := range v.History {
			a, _ := v.History[i].Values.Of(id)
			if b, _ := seen.History[i].Values.Of(id); math.Float64bits(a) != math.Float64bits(b) {
				t.Fatalf("point %d: %s is %v, and %v if somebody looks", i, quantity.All[id].Key, a, b)
			}
		}
	}
	cfg.Lanes[0].Schedule = sampler.Schedule{Kind: "halve", Every: 10_000}
	v = &end(cfg, false).Lanes[0]
	if s := v.Values[quantity.SlicedW2].Status; s != metrics.Uneven {
		t.Errorf("under a schedule the sliced distance is %v", v.Values[quantity.SlicedW2])
	}
}

// TestDistancesElsewhere checks where there are none.
func TestDistancesElsewhere(t *testing.T) {
	p := open(t, "blr:synthetic")
	l := oneLane(t, brief(p, "sgld"), brief(p, "sgld").Lanes[0], p)
	l.Advance(100)
	v := l.Measures().View(false, nil)
	for _, id := range []quantity.ID{quantity.W2, quantity.SlicedW2} {
		if e := v.Values[id]; e.Status != metrics.Absent {
			t.Errorf("without a truth %s is %v", quantity.All[id].Key, e)
		}
	}
	l.Close()
}
