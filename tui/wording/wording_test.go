package wording

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/finding"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study/tune"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

func TestNotice(t *testing.T) {
	eps := func(lane int, from, to float64) state.LaneChange {
		return state.LaneChange{Lane: lane, Change: state.ParamChange{Sampler: "psgld", Key: "eps", From: from, To: to}}
	}
	v0 := state.LaneChange{Change: state.ParamChange{Sampler: "psgld", Key: "v0", From: 0, To: 1}}
	poly := sampler.Schedule{Kind: "poly", B: 1, Gamma: 0.5}
	lost := &state.Divergence{Eps: 1.6, Bound: sampler.Bound{Kind: sampler.VarianceBound, Eps: 0.64}}
	for _, c := range []struct {
		fact state.Fact
		want string
	}{
		{nil, ""},
		{state.Changed{Step: 12400, Lanes: []state.LaneChange{eps(0, 0.3, 0.2)}, Of: 1}, "ε 0.3→0.2 @12,400"},
		{state.Changed{Step: 12400, Lanes: []state.LaneChange{v0}, Of: 1}, "V₀ zero→first @12,400"},
		{state.Changed{Step: 7, Lanes: []state.LaneChange{eps(0, 0.3, 0.2), eps(1, 0.3, 0.2)}, Of: 2}, "ε 0.3→0.2 @7"},
		{state.Changed{Step: 7, Lanes: []state.LaneChange{eps(2, 0.3, 0.2)}, Of: 2}, "C: ε 0.3→0.2 @7"},
		{state.Changed{Step: 50, Lanes: []state.LaneChange{eps(0, 0.1, 0.2), eps(2, 0.1, 0.3)}, Of: 3},
			"A ε 0.1→0.2; C ε 0.1→0.3 @50"},
		{state.Changed{By: state.Undone, Lanes: []state.LaneChange{eps(0, 0.2, 0.1)}, Of: 1}, "undo: A ε 0.2→0.1"},
		{state.Changed{By: state.Redone, Of: 1}, "redo: "},
		{state.Changed{Step: 7, Lanes: []state.LaneChange{eps(0, 0.3, 0.2)}, Of: 1, Locked: 10},
			"ε 0.3→0.2 @7; every draw falls on one place of an epoch of 10 batches, where their noise has cancelled"},
		{state.Changed{Step: 1, Lanes: []state.LaneChange{{Change: state.SamplerChange{From: "psgld", To: "sgld"}}},
			Of: 1}, "sampler pSGLD→SGLD @1"},
		{state.Changed{Step: 1, Lanes: []state.LaneChange{{Change: state.DataChange{From: 40, N: 41}}}, Of: 1},
			"data, N 40→41 @1; the truth is out of date: :truth hmc finds it"},
		{state.Changed{Step: 1, Lanes: []state.LaneChange{{Change: state.ScheduleChange{To: poly, Eps: 0.1}}}, Of: 1},
			"schedule const→poly:0.1,1,0.5 @1"},
		{state.LaneAdded{Lane: 2}, "lane C added"},
		{state.LaneRemoved{Lane: 1}, "lane B removed"},
		{state.TargetSet{Title: "banana", Note: "noted; --truth hmc estimates them",
			Unfit: []state.Unfitted{{Lane: 1, Sampler: "sgld", By: "psgld", Why: "needs data"}}},
			"banana; B is pSGLD: SGLD needs data; noted; :truth hmc estimates them"},
		{state.Restarted{Seed: 3}, "restarted with seed 3"},
		{state.Restarted{Seed: 3, Chains: 4}, "restarted with seed 3, 4 chains a lane"},
		{state.Restarted{Seed: 3, Chains: 1}, "restarted with seed 3, one chain a lane"},
		{state.UntilSet{Until: quantity.Until{quantity.ESS: 400}}, "runs until ess=400"},
		{state.UntilSet{}, "runs on, however much is drawn"},
		{state.Enough{Until: quantity.Until{quantity.MCSE: 0.01}, Step: 12345, Seconds: 0.25},
			"enough: mcse=0.01 at step 12,345, after 0.25 s of sampling"},
		{state.Rewound{Lanes: []state.LaneRewind{{Lane: 1,
			RewindChange: state.RewindChange{Step: 1200, FromEps: 0.1, Eps: 0.1}}}}, "B: back to step 1,200"},
		{state.Rewound{Lanes: []state.LaneRewind{{RewindChange: state.RewindChange{Step: 5, FromEps: 1.6, Eps: 0.8},
			Diverged: lost}}}, "A: back to step 5, ε 1.6→0.8, still not below 4σ² = 0.64"},
		{state.Rewound{Lanes: []state.LaneRewind{{RewindChange: state.RewindChange{Step: 5, FromEps: 1.6, Eps: 0.4},
			Diverged: lost}}}, "A: back to step 5, ε 1.6→0.4, below 4σ² = 0.64"},
		{state.Rewound{Lanes: []state.LaneRewind{{RewindChange: state.RewindChange{Step: 5, FromEps: 0.4, Eps: 0.4},
			Diverged: lost}}}, "A: back to step 5, ε 0.4, below 4σ² = 0.64"},
		{state.Rewound{Lanes: []state.LaneRewind{{RewindChange: state.RewindChange{Step: 5, FromEps: 1.6, Eps: 1.6},
			Diverged: lost}}}, "A: back to step 5"},
		{state.Rewound{Lanes: []state.LaneRewind{
			{RewindChange: state.RewindChange{Step: 5}}, {Lane: 1, RewindChange: state.RewindChange{Step: 5}},
			{Lane: 3, RewindChange: state.RewindChange{Step: 4}}}},
			"A, B: back to step 5; D: back to step 4"},
		{state.Loaded{Title: "banana", Seed: 2}, "banana, seed 2"},
		{state.Loaded{Title: "banana", Seed: 2, Back: true}, "banana, seed 2, as it was left"},
		{state.Refused{Err: errors.New("no")}, "no"},
		{state.ReplayEnded{Err: errors.New("no")}, "the recording ends here: no"},
	} {
		if got := Notice(engine.Notice{Fact: c.fact}); got != c.want {
			t.Errorf("%+v is worded %q, want %q", c.fact, got, c.want)
		}
	}
}

// Two values that are short for the same are written whole, and a mark of a way back
// has the step size that it goes on with.
func TestChange(t *testing.T) {
	for _, c := range []struct {
		change state.Change
		want   string
	}{
		{state.ParamChange{Sampler: "psgld", Key: "eps", From: 0.1, To: 0.1234567891}, "ε 0.1→0.123"},
		{state.ParamChange{Sampler: "psgld", Key: "eps", From: 0.1234567891, To: 0.1234567892},
			"ε 0.1234567891→0.1234567892"},
		{state.ParamChange{Sampler: "psgld", Key: "eps", From: 0.599, To: 0.599}, "ε back at 0.599"},
		{state.RewindChange{Step: 12400, FromEps: 0.3, Eps: 0.15}, "back to step 12,400, ε 0.15"},
	} {
		if got := Change(c.change); got != c.want {
			t.Errorf("%+v is worded %q, want %q", c.change, got, c.want)
		}
	}
}

// A value is written as it was typed, or with as many digits of a computed one as
// the strip has.
func TestShortValues(t *testing.T) {
	for _, c := range []struct {
		scale param.Scale
		x     float64
		want  string
	}{
		{param.Log, 1. / 300_000, "3.33e-06"},
		{param.Log, 0.3, "0.3"},
		{param.Log, 0.12345, "0.12345"},
		{param.Log, 2. / 3, "0.667"},
		{param.Log, 0.1 + 0.2, "0.3"},
		{param.Integer, 123_456_789, "1.23456789e+08"},
		{param.OneMinusLog, 0.99995, "0.99995"},
		{param.OneMinusLog, 1 - 1./30_000, "0.9999667"},
		{param.OneMinusLog, 1. / 3, "0.333"},
		{param.Linear, -1. / 3, "-0.333"},
	} {
		if got := short(param.Param{Scale: c.scale}, c.x); got != c.want {
			t.Errorf("%v is written %s, want %s", c.x, got, c.want)
		}
	}
}

func TestDuration(t *testing.T) {
	for _, c := range []struct {
		s    float64
		want string
	}{
		{0, "0s"}, {0.2, "1s"}, {59, "59s"}, {100, "1m40s"}, {3599.5, "1h00m"}, {7500, "2h05m"}, {90_000, "1d01h"},
		{math.NaN(), "–"}, {math.Inf(1), "–"}, {-1, "–"},
	} {
		if got := Duration(c.s); got != c.want {
			t.Errorf("%g s is written %q, want %q", c.s, got, c.want)
		}
	}
}

// A bias that is known may by chance be more than the error that has been measured, and is no part of it then.
func TestBiasIsNoPartOfALesserError(t *testing.T) {
	for _, c := range []struct {
		err  float64
		want string
	}{
		{0.32, "A's error is its bias, 0.34: a longer run does not lower it"},
		{0.339, "A's error is its bias, 0.34 of 0.34: a longer run does not lower it"},
		{0.36, "A's error is its bias, 0.34 of 0.36: a longer run does not lower it"},
	} {
		f := &finding.Found{Entry: &finding.Entry{Key: "bias"}, Evidence: []finding.Evidence{
			{Key: "cov_bias", Estimate: metrics.Exact(0.34)}, {Key: "cov_error", Estimate: metrics.Exact(c.err)}}}
		if got := Finding(f, nil); got != c.want {
			t.Errorf("of an error of %g: %s, want %s", c.err, got, c.want)
		}
	}
}

// The ε of a network is chosen on the test data, and is said to be.
func TestTunedOnTheTestData(t *testing.T) {
	a := tune.Answer{Criterion: quantity.NLL}
	if text := Tuned(&a); !strings.Contains(text, "of the test data") || !strings.Contains(text, "better than it is") {
		t.Errorf("%q", text)
	}
}
