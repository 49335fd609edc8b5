package session

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// Companions that begin in mid-run tell the same bias, change no chain, and end and come again along the tape.
func TestBiasInMidRun(t *testing.T) {
	if testing.Short() {
		t.Skip("numbers, by no other goroutines than elsewhere")
	}
	c := biased(t, "gaussian:cov=1,0,0,1", 0.4, 0)
	c.Bias = false
	l := start(t, c, Runtime{})
	stands := func(at uint64) func(s *engine.Snapshot) bool {
		return func(s *engine.Snapshot) bool { return s.Phase == state.Paused && s.Lanes[0].Step == at }
	}
	l.do(stands(0), state.Pause{}, state.Restart{Seed: 1})
	none := l.do(stands(20_000), state.StepBy{N: 20_000})
	if e := none.Lanes[0].Coords[0].Values[quantity.StepBiasVar]; e.Applies() {
		t.Errorf("a bias is told that nobody asked for: %v", e)
	}
	l.do(nil, state.SetBias{On: true})
	at := stands(420_000)
	s := l.do(at, state.StepBy{N: 400_000})
	for i, v := range s.Lanes[0].Coords {
		const want = 1/(1-0.4/4) - 1
		if e := v.Values[quantity.StepBiasVar]; !e.OK() || !(math.Abs(e.Value-want) < 3*e.Error) || e.Error > 0.5*want {
			t.Errorf("coordinate %d: %v ± %v, want %v", i+1, e, e.Error, want)
		}
	}
	again := l.do(at, state.Seek{To: 10_000}, state.Seek{To: s.Tape.End})
	if got, want := again.Lanes[0].Coords[0].Values, s.Lanes[0].Coords[0].Values; got[quantity.StepBiasVar] !=
		want[quantity.StepBiasVar] {
		t.Errorf("along the tape: %v, was %v", got, want)
	}
	if u := l.do(nil, state.Undo{}); u.Config.Bias || u.Lanes[0].Facts.Has(quantity.Extrapolated) {
		t.Error("companions are left after an undo")
	}
	if err := l.stop(); err != context.Canceled {
		t.Fatal(err)
	}
	if err := Verify(context.Background(), l.Recording("test"), Runtime{}); err != nil {
		t.Error(err)
	}
	c.Steps = 420_000
	plain, _ := run(t, c, open(t, c.Target), Runtime{})
	if got, want := l.Recording("test").Digests, plain.Recording("test").Digests; got[len(got)-1] != want[len(want)-1] {
		t.Errorf("the chain is another: %v, want %v", got, want)
	}
}

// Whatever a method keeps, its companions begin with it in mid-run.
func TestCompanionsOfEachMethodBegin(t *testing.T) {
	innerlooptest.Numbers(t, "many sessions")
	everywhere(t, func(t *testing.T, m sampler.Method, p *targets.Problem) {
		if m.Misfit(p) != "" || p.F64 == nil || p.Outside() {
			return
		}
		l := oneLane(t, brief(p, m.Name), brief(p, m.Name).Lanes[0], p)
		alone := oneLane(t, brief(p, m.Name), brief(p, m.Name).Lanes[0], p)
		t.Cleanup(l.Close)
		t.Cleanup(alone.Close)
		on := brief(p, m.Name)
		on.Bias = true
		l.Advance(70)
		l.Compare(on, p)
		l.Advance(50)
		frame := l.Copy()
		l.Advance(20)
		want := told(l.Measures().View(false, nil))
		l.Restore(frame)
		if l.Advance(20); told(l.Measures().View(false, nil)) != want {
			t.Errorf("%s on %s: restored it tells otherwise", m.Name, p.Spec)
		}
		alone.Advance(140)
		if got, want := l.Measures().Digest(), alone.Measures().Digest(); got != want {
			t.Errorf("%s on %s: %v with companions, %v without", m.Name, p.Spec, got, want)
		}
	})
}

// A truth that comes in mid-run tells errors from then on, is undone, recorded by its name, and looked for on replay.
func TestTruthInMidRun(t *testing.T) {
	ref := &targets.Reference{Mean: []float64{0.1, 0.2}, SD: []float64{1, 1}, PriorVar: math.Inf(1), MinESS: 9999,
		RHat: 1}
	hmc := state.Truth{Sampler: "hmc", Draws: 4000}
	spec := "density:-x^4-y^2-x*y-a*x^2;a=1"
	l := start(t, config(open(t, spec), 0, nil, "sgld", "psgld"), Runtime{})
	own := l.Snapshot().Problem.Reference
	s := l.do(nil, state.SetTruth{Truth: hmc, Found: ref})
	if s.Problem.Reference != ref || s.Config.Truth.Draws != 4000 ||
		!s.Lanes[1].Values[quantity.MeanError].Applies() || !s.CanUndo {
		t.Errorf("a truth: %+v, %+v", s.Problem.Reference, s.Lanes[1].Values[quantity.MeanError])
	}
	s = l.do(nil, state.Rewind{Lane: 0, Steps: 100, EpsFactor: 0.5})
	if s.Problem.Reference != ref || !s.Lanes[0].Values[quantity.MeanError].Applies() {
		t.Errorf("it is lost on the way back: %+v", s.Problem.Reference)
	}
	s = l.do(nil, state.Undo{}, state.Undo{})
	if s.Problem.Reference != own || s.Config.Truth.Wanted() {
		t.Errorf("after undo: %+v, %+v", s.Problem.Reference, s.Config.Truth)
	}
	l.do(nil, state.Redo{})
	if s = l.do(nil, state.SetParam{Lane: state.AllLanes, Key: "target.a", Value: 2}); s.Problem.Reference == ref {
		t.Error("a truth of another target is held to")
	}
	to := make(chan engine.Saved, 1)
	l.do(nil, engine.Save{Version: "test", To: to})
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode((<-to).Recording); err != nil {
		t.Fatal(err)
	}
	rec, err := engine.ReadRecording(&b)
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	_, err = Play(context.Background(), rec, open(t, spec), Runtime{
		Truth: func(c state.Config, p *targets.Problem) (*targets.Reference, error) {
			if looked++; c.Truth.Draws != 4000 || p.Values()[0] != 1 {
				t.Errorf("it looks for %+v of %s", c.Truth, p.Spec)
			}
			return ref, nil
		}})
	if err != nil || looked != 1 {
		t.Errorf("the replay, which looks %d times: %v", looked, err)
	}
	if err := Verify(context.Background(), rec, Runtime{}); err != nil {
		t.Error(err)
	}
}
