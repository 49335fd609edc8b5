//go:build unix

package session

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/targets/child/childtest"
)

// openChild opens a child as a target, with a limit for each answer.
func openChild(t *testing.T, w childtest.Way, limit time.Duration) *targets.Problem {
	t.Helper()
	commands := &child.Commands{Limit: limit, Any: true}
	p, err := targets.Open("exec:"+w.Command(), targets.Options{Commands: commands})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.F64.(targets.Outside[float64]).Close)
	return p
}

// onChild is a config with lanes of samplers on a problem.
func onChild(p *targets.Problem, steps uint64, samplers ...string) state.Config {
	c := state.Config{Target: p.Spec, Seed: 1, Init: "random", Steps: steps}
	for _, name := range samplers {
		c.Lanes = append(c.Lanes, state.DefaultSetting(p, name))
	}
	return c
}

// A model outside of the process goes as the same one within it does, to the bit.
func TestOutsideIsAsWithin(t *testing.T) {
	within, err := targets.Open("gaussian:cov=1,0,0,2", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := openChild(t, childtest.Normal(2), time.Minute)
	for _, name := range []string{"sgld", "psgld", "sghmc", "hmc"} {
		for _, chains := range []int{1, 3} {
			var theta [2][]float64
			for k, q := range []*targets.Problem{p, within} {
				c := onChild(q, 700, name)
				c.Chains, c.Init = chains, "0.3,-0.4"
				c.Lanes[0] = state.DefaultSetting(within, name)
				s, err := New(c, q, Runtime{})
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Run(t.Context()); err != nil {
					t.Fatal(err)
				}
				theta[k] = s.NewestThetas()[0].F64
			}
			for i := range theta[0] {
				if math.Abs(theta[0][i]-theta[1][i]) > 1e-9 {
					t.Errorf("%s, %d chains: θ = %v outside, %v within", name, chains, theta[0], theta[1])
				}
			}
		}
	}
}

// A lane whose gradient fails stops where it was and says why; the other lane goes on.
func TestLaneStopsWhereItsChildFails(t *testing.T) {
	for _, fault := range []string{"die", "nan", "text"} {
		w := childtest.Normal(2)
		w.Fault, w.After, w.Once = fault, 100, filepath.Join(t.TempDir(), "was")
		p := openChild(t, w, time.Minute)
		s, err := New(onChild(p, 400, "sgld", "psgld"), p, Runtime{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		stopped := 0
		for _, l := range s.Result("").Lanes {
			switch d := l.Diverged; {
			case d == nil && l.Steps == 400:
			case l.Values[quantity.MaxACT].Status != metrics.Stopped:
				t.Errorf("%s: τ is withheld as %s", fault, l.Values[quantity.MaxACT].Status)
			case d != nil && l.Steps < 110 && l.Steps > 80 && strings.HasPrefix(d.Reason(), "exec:") && d.Step == l.Steps+1:
				stopped++
			default:
				t.Errorf("%s: lane %s has %d steps, %+v", fault, l.Lane, l.Steps, d)
			}
		}
		if stopped != 1 {
			t.Errorf("%s: %d lanes stopped, want 1", fault, stopped)
		}
	}
}

// After a rewind the lane goes on, with another process.
func TestLaneGoesOnAfterARewind(t *testing.T) {
	w := childtest.Normal(1)
	w.Fault, w.After, w.Once = "die", 300, filepath.Join(t.TempDir(), "was")
	p := openChild(t, w, time.Minute)
	s, err := New(onChild(p, 600, "sgld"), p, Runtime{Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	l := running(t, s)
	l.do(func(snap *engine.Snapshot) bool { return snap.Lanes[0].Diverged != nil })
	snap := l.do(in(state.Done), state.Rewind{Lane: 0, Steps: 50, EpsFactor: 1})
	if l := snap.Lanes[0]; l.Step != 600 || l.Diverged != nil {
		t.Errorf("step %d, %+v", l.Step, l.Diverged)
	}
}

// A child that hangs holds up neither commands nor the end of the session, and a step that is
// interrupted is made again, with the same result.
func TestCommandsAndEndDoNotWaitForAChild(t *testing.T) {
	w := childtest.Normal(1)
	w.Fault, w.After = "hang", 200
	p := openChild(t, w, time.Hour) // whoever waited for it would do so for longer than a test waits
	s, err := New(onChild(p, 0, "sgld", "hmc"), p, Runtime{Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	l := running(t, s)
	time.Sleep(300 * time.Millisecond) // it hangs
	for _, c := range []state.Command{state.Pause{}, state.SetParam{Lane: 0, Key: sampler.KeyEps, Value: 0.02}, state.Resume{}} {
		l.do(nil, c)
	}
	ended := make(chan error, 1)
	go func() { ended <- l.stop() }()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(hung):
		t.Fatal("the end waits for the child")
	}
	for _, v := range s.Snapshot().Lanes {
		if v.Diverged != nil {
			t.Errorf("lane %d: %v", v.ID, v.Diverged.Reason())
		}
	}
}

func TestInterruptedSessionRepeats(t *testing.T) {
	innerlooptest.Skip(t, "a child that is slow")
	t.Parallel() // as it waits for its child most of the time
	digests := func(interrupt bool) []engine.Digest {
		w := childtest.Normal(1)
		if interrupt {
			w.Fault = "slow"
		}
		p := openChild(t, w, time.Minute)
		cfg := onChild(p, 6, "sgld", "hmc")
		cfg.Lanes[1].Values["leapfrog"] = 1
		cfg.Chains = 2
		s, err := New(cfg, p, Runtime{})
		if err != nil {
			t.Fatal(err)
		}
		if interrupt {
			go func() {
				for range 30 {
					time.Sleep(130 * time.Millisecond)
					s.Send(state.Watch{X: 0, Y: 0})
				}
			}()
		}
		if err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s.Recording("").Digests
	}
	a, b := digests(false), digests(true)
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("digest %d: %v, interrupted %v", i, a[i], b[i])
		}
	}
}

// Only a command interrupts a step. Whatever else wakes the session, no gradient is asked for
// twice.
func TestNoNewsInterruptsAStep(t *testing.T) {
	innerlooptest.Skip(t, "a child that is slow")
	w := childtest.Normal(1)
	w.Fault = "slow"
	p := openChild(t, w, time.Minute)
	cfg := onChild(p, 2, "hmc")
	cfg.Lanes[0].Values["leapfrog"] = 3
	s, err := New(cfg, p, Runtime{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), hung)
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			s.inbox.Poke()
			time.Sleep(time.Millisecond)
		}
	}()
	if err := s.Run(ctx); err != nil {
		t.Error(err)
	}
	// Each of the two steps has three, the first begins with one more. Asked again for each poke they would
	// be hundreds. The seconds are those of the lane, which are more than those of the gradients.
	l := s.Result("").Lanes[0]
	if asked := l.Values[quantity.GradientsPerSecond].Value * l.Seconds; !(asked < 14) {
		t.Errorf("%.1f gradients were asked for", asked)
	}
}

// Digests count only where the child says that it repeats itself.
func TestRecordingOfAChild(t *testing.T) {
	for _, repeats := range []bool{true, false} {
		w := childtest.Normal(1)
		w.Repeats = repeats
		p := openChild(t, w, time.Minute)
		s, err := New(onChild(p, 100, "sgld"), p, Runtime{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		rec := s.Recording("")
		if err := Verify(t.Context(), rec, Runtime{Commands: &child.Commands{Any: true}}); (err == nil) != repeats || !repeats && !strings.Contains(err.Error(), "does not say that it repeats itself") {
			t.Errorf("repeats %v: %v", repeats, err)
		}
		if forbidden := (*targets.Forbidden)(nil); repeats && !errors.As(Verify(t.Context(), rec, Runtime{}), &forbidden) {
			t.Error("a recording started a command")
		}
	}
}

func TestCostOfTheOutside(t *testing.T) {
	p := openChild(t, childtest.Normal(2), time.Minute)
	s, err := New(onChild(p, 500, "sgld"), p, Runtime{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	v := s.Result("").Lanes[0].Values
	if rate, share := v[quantity.GradientsPerSecond].Value, v[quantity.OutsideShare].Value; !(rate > 100) || !(share > 0.2) || share > 1 {
		t.Errorf("%v gradients a second, a share of %v outside", rate, share)
	}
}
