package session

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// followed runs a session to so many steps, and returns its discrepancies once they are worked out.
func followed(t *testing.T, p *targets.Problem, c state.Config, watch bool, steps uint64) (*live, *stein.View) {
	t.Helper()
	s, err := New(c, p, Runtime{Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Send(state.Pause{})
	l := running(t, s)
	t.Cleanup(func() {
		if err := l.stop(); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	settled(l, state.Watch{Y: 1, Discrepancy: watch})
	l.do(func(s *engine.Snapshot) bool {
		return !slices.ContainsFunc(s.Lanes, func(v engine.LaneView) bool { return v.Step < steps && v.Diverged == nil })
	}, state.StepBy{N: steps})
	return l, settled(l, state.Pause{})
}

// settled sends a command and returns the discrepancies once they are worked out.
func settled(l *live, c state.Command) *stein.View {
	l.t.Helper()
	l.do(func(s *engine.Snapshot) bool { return s.Discrepancy.Settled() }, c)
	return l.do(nil, state.Pause{}).Discrepancy
}

// discrepant is a session of methods on a target.
func discrepant(p *targets.Problem, methods ...string) state.Config {
	c := state.Config{Target: p.Spec, Dataset: p.Dataset, Seed: 3, Init: "zero"}
	for _, m := range methods {
		c.Lanes = append(c.Lanes, state.DefaultSetting(p, m))
	}
	return c
}

// TestDiscrepancy holds a chain that is too wide and one without bias to what they are known to have.
func TestDiscrepancy(t *testing.T) {
	innerlooptest.Later(t, "numbers, by the goroutines of the test below")
	p := open(t, "gaussian")
	c := discrepant(p, "sgld", "hmc")
	c.Lanes[0] = c.Lanes[0].With(sampler.KeyEps, 0.3) // 1.88 times the variance of the first coordinate
	d, v := followed(t, p, c, true, 50_000)
	for i, l := range v.Lanes {
		if l.Status != metrics.OK || len(l.Points) < 3 {
			t.Fatalf("lane %d: %v, %d points", i, l.Status, len(l.Points))
		}
		n := l.Points[len(l.Points)-1]
		t.Logf("lane %d: %d points, the newest %+v", i, len(l.Points), n)
		if n.Draws < stein.Least || n.Draws > stein.Most || !(n.From < n.To) {
			t.Errorf("lane %d: %+v", i, n)
		}
		if above := n.KSD > n.To; above != (i == 0) {
			t.Errorf("lane %d: %+v, above its band: %v", i, n, above)
		}
	}
	// The same again, in other chunks, has the same points, and who does not look has the same draws.
	d2, again := followed(t, p, c, true, 50_000)
	for i := range v.Lanes {
		a, b := v.Lanes[i].Points, again.Lanes[i].Points
		for k := range min(len(a), len(b)) {
			a[k].Seconds, b[k].Seconds = 0, 0
		}
		if len(a) != len(b) {
			t.Errorf("lane %d: %d and %d points", i, len(a), len(b))
			continue
		}
		for k := range a {
			if a[k].Epoch, b[k].Epoch = 0, 0; a[k] != b[k] {
				t.Errorf("lane %d: %+v and %+v", i, a[k], b[k])
			}
		}
	}
	d3, none := followed(t, p, c, false, 50_000)
	if none != nil {
		t.Error("there is a discrepancy that nobody looks at")
	}
	for i := range c.Lanes {
		a, b, c := d.lanes[i].Measures().Digest(), d2.Session.lanes[i].Measures().Digest(), d3.Session.lanes[i].Measures().Digest()
		if a != b || a != c {
			t.Errorf("lane %d: digests %v, %v, and %v if nobody looks", i, a, b, c)
		}
	}
}

// TestDiscrepancyRests checks that nothing runs once a session that stands still is settled, nor when nobody looks.
func TestDiscrepancyRests(t *testing.T) { synctest.Test(t, testDiscrepancyRests) }

func testDiscrepancyRests(t *testing.T) {
	p := open(t, "gaussian")
	d, v := followed(t, p, discrepant(p, "sgld"), true, 50_000)
	if len(v.Lanes[0].Points) == 0 {
		t.Fatal("no point")
	}
	synctest.Wait()
	version := d.Snapshot().Version
	time.Sleep(time.Minute)
	synctest.Wait()
	if s := d.Snapshot(); s.Version != version || !s.Discrepancy.Settled() {
		t.Fatalf("a session that stands still is at version %d after %d", s.Version, version)
	}
	if s := d.do(nil, state.Watch{Y: 1}); s.Discrepancy != nil || d.side.Stein != nil {
		t.Errorf("who looks elsewhere has %+v", s.Discrepancy)
	}
	if s := d.do(nil, state.Watch{Y: 1, Discrepancy: true}); len(s.Discrepancy.Lanes[0].Points) != len(v.Lanes[0].Points) {
		t.Errorf("who looks again has %+v", s.Discrepancy)
	}
	// A new window has none of the old one's points.
	set := d.lanes[0].Standing().Setting
	s := d.do(nil, state.SetParam{Lane: 0, Key: sampler.KeyEps, Value: set.Eps() / 2})
	if len(s.Discrepancy.Lanes[0].Points) != 0 || s.Discrepancy.Lanes[0].Status != metrics.TooShort {
		t.Errorf("a new window has %+v", s.Discrepancy)
	}
}

// TestNoDiscrepancy checks why there is none.
func TestNoDiscrepancy(t *testing.T) {
	innerlooptest.Skip(t, "a session for each reason")
	gaussian := open(t, "gaussian")
	of := func(p *targets.Problem, method string, change func(l *state.Setting)) metrics.Status {
		c := discrepant(p, method)
		change(&c.Lanes[0])
		steps := uint64(20_000)
		if p.F64 == nil {
			steps = 3
		}
		_, v := followed(t, p, c, true, steps)
		if v.Lanes[0].Status != metrics.OK && len(v.Lanes[0].Points) > 0 {
			t.Errorf("%s: %v with points", method, v.Lanes[0].Status)
		}
		return v.Lanes[0].Status
	}
	with := func(key string, x float64) func(*state.Setting) {
		return func(l *state.Setting) { *l = l.With(key, x) }
	}
	for want, got := range map[metrics.Status]metrics.Status{
		metrics.NotSampled: of(gaussian, "rmsprop", func(*state.Setting) {}),
		metrics.Tempered:   of(gaussian, "sgld", with(sampler.KeyTemp, 0.5)),
		metrics.Uneven:     of(gaussian, "sgld", func(l *state.Setting) { l.Schedule = sampler.Schedule{Kind: "halve", Every: 5000} }),
		metrics.Diverged:   of(gaussian, "sgld", with(sampler.KeyEps, 5)),
		metrics.TooShort:   of(gaussian, "sgld", with(sampler.KeyEps, 0.001)),
		metrics.TooDear:    of(open(t, "mlp:4"), "sgld", func(*state.Setting) {}),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
