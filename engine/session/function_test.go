package session_test

import (
	"context"
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

func functionValues(t *testing.T, spec, method string, steps uint64, set map[string]float64) quantity.Values {
	t.Helper()
	return functionResult(t, spec, method, steps, 2, set).Values
}

func functionResult(t *testing.T, spec, method string, steps uint64, chains int,
	set map[string]float64) engine.LaneResult {
	t.Helper()
	p, err := targets.Open(spec, targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := state.DefaultSetting(p, method)
	for k, v := range set {
		l = l.With(k, v)
	}
	s, err := session.New(state.Config{Target: p.Spec, Lanes: []state.Setting{l}, Seed: 1, Steps: steps,
		Chains: chains}, p, session.Runtime{Threads: 1})
	if err == nil {
		err = s.Run(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.Result("").Lanes[0]
}

// A chain that is too short says how long it must be at least; 600,000 steps are enough.
func TestStepsNeededOfAFunction(t *testing.T) {
	innerlooptest.Numbers(t, "a network")
	for _, steps := range []uint64{30_000, 60_000} {
		r := functionResult(t, "regress", "sgld", steps, 1, nil)
		if e := r.Values[quantity.FnError]; e.OK() || r.StepsNeeded < 2*steps || r.StepsNeeded > 2_000_000 {
			t.Errorf("after %d steps it takes %d; the error is %+v", steps, r.StepsNeeded, e)
		}
	}
}

// HMC's draws are the truth's within their errors. Of chains that are short, or of another prior, there are none.
func TestFunctionErrors(t *testing.T) {
	innerlooptest.Later(t, "chains that agree in their functions")
	v := functionValues(t, "classify", "hmc", 2000, nil)
	for _, id := range []quantity.ID{quantity.FnMeanError, quantity.FnBandError} {
		if e := v[id]; !e.OK() || !(e.Value < 4*e.Error) || !(e.Error < 0.1) {
			t.Errorf("%s of HMC is %+v", quantity.All[id].Key, e)
		}
	}
	if r := v[quantity.FnRHat]; !r.OK() || !(r.Value < 1.05) {
		t.Errorf("R-hat of the function %+v", r)
	}
	if e := v[quantity.FnESS]; !e.OK() || !(e.Value > 200) || !(e.Value <= 2*float64(e.Draws)) {
		t.Errorf("effective draws of the function %+v", e)
	}
	if e := v[quantity.FnError]; e != v[quantity.FnMeanError] && e != v[quantity.FnBandError] {
		t.Errorf("the larger error is %+v", e)
	}
	if c := v[quantity.Coverage]; !(c.Value > 0.85 && c.Value <= 1) || v[quantity.FnNLL].Applies() {
		t.Errorf("coverage of a classification %+v", c)
	}
	if e := functionValues(t, "regress", "sgld", 30_000, nil)[quantity.FnError]; e.OK() || e.Status != metrics.Disagree {
		t.Errorf("of short chains, which disagree, the error is %+v", e)
	}
	other := functionValues(t, "regress", "sgld", 30_000, map[string]float64{sampler.KeyPriorVar: 2})
	if e := other[quantity.FnError]; e.OK() {
		t.Errorf("of another prior the error is %+v", e)
	}
}

// The function of a student and of a thinned network is a point's, which has no band. There is none before a
// student has learnt.
func TestFunctionOfAPoint(t *testing.T) {
	innerlooptest.Numbers(t, "runs of four networks")
	for _, method := range []string{"distill:psgld", "sgd-dropout"} {
		for _, spec := range []string{"regress", "classify"} {
			v := functionValues(t, spec, method, 4000, map[string]float64{"thin": 10, "burn-in": 0})
			if e := v[quantity.FnBandError]; !e.OK() || math.Abs(e.Value-1) > 1e-9 || v[quantity.FnRHat].OK() {
				t.Errorf("%s on %s: the band's error is %+v, R-hat %+v", method, spec, e, v[quantity.FnRHat])
			}
			if e := v[quantity.FnMeanError]; !(e.Value > 0 && e.Value < 5) {
				t.Errorf("%s on %s: the mean's error is %+v", method, spec, e)
			}
		}
	}
	v := functionValues(t, "regress", "distill:sgld", 500, map[string]float64{"thin": 10, "burn-in": 0})
	if e := v[quantity.FnError]; e.OK() {
		t.Errorf("before the student's first step the error is %+v", e)
	}
}

// A step too large has a band too wide.
func TestBandOfAStepTooLarge(t *testing.T) {
	innerlooptest.Later(t, "2.4 million steps of a network")
	v := functionValues(t, "regress", "sgld", 600_000, map[string]float64{sampler.KeyEps: 3e-4})
	wide := functionValues(t, "regress", "sgld", 600_000, map[string]float64{sampler.KeyEps: 1e-3})
	if a, b := v[quantity.FnBandError], wide[quantity.FnBandError]; !a.OK() || !b.OK() || !(b.Value > 2*a.Value) {
		t.Errorf("the band's error is %+v at a step of 3e-4 and %+v at 1e-3", a, b)
	}
	if c, n := v[quantity.Coverage], v[quantity.FnNLL]; !(c.Value > 0.7 && c.Value <= 1) || !(n.Value > 0 && n.Value < 1) {
		t.Errorf("coverage %+v, NLL %+v", c, n)
	}
}

// What is shown of HMC's draws as functions is the truth's within a few of their errors, and not there where nobody
// looks.
func TestFunctionView(t *testing.T) {
	innerlooptest.Later(t, "a network")
	p, err := targets.Open("classify", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	look := func(method string, steps uint64, w state.Watch) *engine.FunctionView {
		s, err := session.New(state.Config{Target: p.Spec, Lanes: []state.Setting{state.DefaultSetting(p, method)}, Seed: 1,
			Steps: steps}, p, session.Runtime{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		s.Send(w)
		if err := s.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		return s.Snapshot().Lanes[0].Function
	}
	if v := look("sgld", 7000, state.Watch{Y: 1, NoFunction: true}); v != nil {
		t.Error("what nobody looks at is worked out")
	}
	v := look("hmc", 2000, state.Watch{Y: 1})
	if v == nil || len(v.Newest) != 3 || len(v.Newest[0]) != len(p.Function.Mean) {
		t.Fatalf("shown are %+v", v)
	}
	off, spread, band, true90 := 0.0, 0.0, 0.0, 0.0
	for i, mean := range p.Function.Mean {
		off, spread = off+math.Abs(v.Mean[i]-mean), spread+p.Function.SD[i]
		band += v.Quantiles[4][i] - v.Quantiles[0][i]
		true90 += p.Function.Quantiles[i][2] - p.Function.Quantiles[i][0]
		for q := range 4 {
			if v.Quantiles[q][i] > v.Quantiles[q+1][i] {
				t.Fatalf("quantiles at place %d fall", i)
			}
		}
	}
	// HMC has about one effective draw in two there: 0.8 of an error of 1/√300, and about 2/√300 of a width.
	if off > 0.2*spread || math.Abs(band-true90) > 0.25*true90 {
		t.Errorf("the mean is off by %.3f of the truth's sd, the band is %.3f of the truth's", off/spread, band/true90)
	}
}
