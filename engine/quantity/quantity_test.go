package quantity

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/metrics"
)

// TestTable checks that every entry says what it is, and that no key or older key has two meanings.
func TestTable(t *testing.T) {
	for name, all := range map[string][]Quantity{"All": All[:], "Coordinates": Coordinates[:]} {
		seen := map[string]bool{}
		for i := range all {
			q := &all[i]
			if q.Key == "" || q.Symbol == "" || q.Name == "" || q.Doc == "" {
				t.Errorf("%s %d: an incomplete entry: %+v", name, i, q)
			}
			if (q.read == nil) == (q.score == nil) || (q.score != nil) != (q.Basis == Predictions) {
				t.Errorf("%s: %s is read in no way or two, or is a score without a prediction", name, q.Key)
			}
			if strings.HasSuffix(q.Doc, ".") || strings.ToLower(q.Key) != q.Key {
				t.Errorf("%s: %s: %q", name, q.Key, q.Doc)
			}
			for _, key := range append([]string{q.Key}, q.Aliases...) {
				if seen[key] {
					t.Errorf("%s: the key %s has two meanings", name, key)
				}
				seen[key] = true
			}
		}
	}
}

// fake is a lane of which only what trust rests on can be read.
type fake struct {
	Source
	state State
	act   metrics.Estimate
}

func (f fake) State() State                       { return f.state }
func (f fake) Slowest() Slowest                   { return Slowest{ACT: f.act, ESS: metrics.ESSOf(f.act)} }
func (fake) Comparison(int) metrics.Comparison    { return metrics.Comparison{} }
func (fake) StepBias(int) (m, v metrics.Estimate) { return }
func (fake) Location() metrics.Estimate           { return metrics.Known(0.5, 1, 100) }
func (fake) Errors() (cov, mean float64)          { return 0.5, 0.25 }
func (fake) Distances() (w2, sliced float64)      { return 0.1, 0.2 }
func (fake) Bias() float64                        { return nan }
func (fake) Chains() metrics.Chains               { return metrics.Chains{metrics.NewChain(1)} }
func (fake) Temperature() metrics.Estimate        { return metrics.Known(1, 0.1, 100) }
func (fake) TrueMoments(int) (mean, sd float64)   { return 0, 1 }
func (fake) Scores() Scores                       { return Scores{Test: metrics.Scores{Error: 0.1, Draws: 3}} }
func of(kind Facts, change func(s *State)) State {
	s := State{Facts: kind | Data | TestSet | Truth | CovTruth | Likelihood, Step: 100, Draws: 100, Loss: 2, ELBO: -3}
	change(&s)
	return s
}

// TestTrust checks what can be trusted of every kind of lane.
func TestTrust(t *testing.T) {
	long, short := metrics.Known(1.5, nan, 100), metrics.Withheld(metrics.TooShort, 100)
	nothing := func(*State) {}
	type statuses map[ID]metrics.Status
	for name, c := range map[string]struct {
		state State
		act   metrics.Estimate
		want  statuses
	}{
		"a chain":        {of(Sampling, nothing), long, statuses{MaxACT: metrics.OK, CovError: metrics.OK, TestError: metrics.OK, Loss: metrics.OK, ELBO: metrics.Absent, CovBias: metrics.Absent}},
		"a short chain":  {of(Sampling, nothing), short, statuses{MaxACT: metrics.TooShort, MinESS: metrics.TooShort, CovError: metrics.TooShort, TestError: metrics.OK, Loss: metrics.OK}},
		"without noise":  {of(Sampling, func(s *State) { s.Silent = true }), long, statuses{MaxACT: metrics.NoNoise, CovError: metrics.NoNoise, TestError: metrics.OK}},
		"an optimiser":   {of(Optimising, nothing), long, statuses{MaxACT: metrics.NotSampled, CovError: metrics.NotSampled, TestError: metrics.OK, Loss: metrics.OK}},
		"a family":       {of(Variational, nothing), short, statuses{MaxACT: metrics.NotSampled, CovError: metrics.OK, ELBO: metrics.OK}},
		"a young family": {of(Variational, func(s *State) { s.Draws = 24 }), long, statuses{CovError: metrics.TooShort, ELBO: metrics.OK}},
		"diverged":       {of(Sampling, func(s *State) { s.Diverged = true }), long, statuses{MaxACT: metrics.Diverged, CovError: metrics.Diverged, TestError: metrics.Diverged, Loss: metrics.OK, StepsTaken: metrics.OK}},
		"without a draw": {of(Sampling, func(s *State) { s.Draws = 0 }), short, statuses{CovError: metrics.TooShort, TestError: metrics.NoDraws}},
		"untrained":      {of(Sampling, func(s *State) { s.Untrained = true }), long, statuses{TestError: metrics.Untrained, CovError: metrics.OK}},
		"another truth":  {of(Sampling, func(s *State) { s.OtherTruth = true }), long, statuses{CovError: metrics.OtherTruth, MeanError: metrics.OtherTruth, MaxACT: metrics.OK}},
	} {
		values := Of(fake{state: c.state, act: c.act}).Values()
		for id, want := range c.want {
			if e := values[id]; e.Status != want || e.OK() != (e.Value == e.Value) {
				t.Errorf("%s: %s is %v, want %q", name, All[id].Key, e, want)
			}
		}
		point := PointOf(fake{state: c.state, act: c.act})
		if x, s := point.Of(CovError); s != values[CovError].Status || (s == metrics.OK) != (x == 0.5) {
			t.Errorf("%s: a point has the covariance error %v, %q", name, x, s)
		}
		point.Score(&Scores{Test: metrics.Scores{Error: 0.1, Draws: 3}})
		if x, s := point.Of(TestError); c.state.Draws > 0 && (s != values[TestError].Status || (s == metrics.OK) != (x == 0.1)) {
			t.Errorf("%s: a point has the test error %v, %q", name, x, s)
		}
	}
}

// TestOverSeeds checks a mean over repeats of which some have no number.
func TestOverSeeds(t *testing.T) {
	var o OverSeeds
	for _, e := range []metrics.Estimate{metrics.Exact(1), metrics.Withheld(metrics.TooShort, 9), metrics.Exact(3), metrics.Withheld(metrics.Constant, 9), metrics.Withheld(metrics.Drifting, 9)} {
		o.Add(e)
	}
	if o.Mean != 2 || o.SE != 1 || o.N != 2 || o.Untrusted != 2 || o.Why != metrics.TooShort {
		t.Errorf("%+v, want 2 ± 1 of 2, one too short and one drifting", o)
	}
}
