package quantity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/metrics/predictive"
)

// TestTable checks that every entry says what it is, that no key or older key has two meanings, and that what it reads is
// finite where its needs hold and withheld elsewhere.
func TestTable(t *testing.T) {
	for _, all := range [][]Quantity{All[:], Coordinates[:]} {
		for _, fault := range prove(all) {
			t.Error(fault)
		}
	}
}

// prove is what is wrong with some quantities.
func prove(all []Quantity) (faults []string) {
	report := func(q *Quantity, format string, args ...any) {
		faults = append(faults, q.Key+": "+fmt.Sprintf(format, args...))
	}
	seen := map[string]bool{}
	for i := range all {
		q := &all[i]
		if q.Key == "" || q.Symbol == "" || q.Name == "" || q.Doc == "" {
			report(q, "an incomplete entry: %+v", q)
		}
		if strings.HasSuffix(q.Doc, ".") || strings.ToLower(q.Key) != q.Key || strings.ContainsAny(q.Doc+q.Note, "\n\t") {
			report(q, "%q, %q", q.Doc, q.Note)
		}
		for _, key := range append([]string{q.Key}, q.Aliases...) {
			if seen[key] {
				report(q, "the key %s has two meanings", key)
			}
			seen[key] = true
		}
		if (q.read == nil) == (q.score == nil) || (q.score != nil) != (q.Basis == Predictions) {
			report(q, "it is read in no way or two, or is a score without a prediction")
			continue
		}
		read := func(change func(s *State), known float64) metrics.Estimate {
			r := Of(newWhole(change, known))
			r.at(0)
			r.compare(0)
			r.stepBias[0], r.stepBias[1] = r.from.StepBias(0)
			return r.of(q, 0)
		}
		nothing := func(*State) {}
		if e := read(nothing, 0.5); !e.OK() || math.IsNaN(e.Value) || math.IsInf(e.Value, 0) || math.IsInf(e.Error, 0) {
			report(q, "where all is known it is %v", e)
		} else if q.Form == Share && !(e.Value >= 0 && e.Value <= 1) || q.Form == Count && e.Value != math.Trunc(e.Value) {
			report(q, "it is no share or count: %v", e)
		}
		for need := Facts(1); need != 0 && need <= q.Needs; need <<= 1 {
			if e := read(func(s *State) { s.Facts &^= need }, 0.5); q.Needs&need != 0 && e.Status != metrics.Absent {
				report(q, "where fact %#x does not hold it is %v", need, e)
			}
		}
		if e := read(nothing, nan); e.OK() && math.IsNaN(e.Value) {
			report(q, "where nothing is known it is %v", e)
		}
		e := read(func(s *State) { s.Diverged = metrics.Diverged }, 0.5)
		if q.Basis != Always && e.Status != metrics.Diverged && e.Status != metrics.Absent {
			report(q, "of a diverged lane it is %v", e)
		}
	}
	return faults
}

// TestWrongQuantities checks that a quantity that is wrong in one thing is found.
func TestWrongQuantities(t *testing.T) {
	always := func(v float64) func(*Reading, int) metrics.Estimate {
		return func(*Reading, int) metrics.Estimate { return metrics.Estimate{Value: v, Status: metrics.OK} }
	}
	if faults := prove(Coordinates[TrueMean : TrueMean+1]); faults != nil {
		t.Errorf("faults of a quantity without one: %q", faults)
	}
	for want, wrong := range map[string]func(q *Quantity){
		"an incomplete entry":    func(q *Quantity) { q.Doc = "" },
		"two meanings":           func(q *Quantity) { q.Aliases = []string{q.Key} },
		"in no way or two":       func(q *Quantity) { q.read = nil },
		"where all is known":     func(q *Quantity) { q.read = always(math.Inf(1)) },
		"no share or count":      func(q *Quantity) { q.Form = Count },
		"where nothing is known": func(q *Quantity) { q.read = always(nan) },
	} {
		q := Coordinates[TrueMean]
		wrong(&q)
		if faults := strings.Join(prove([]Quantity{q}), "\n"); !strings.Contains(faults, want) {
			t.Errorf("%q is not in the faults %q", want, faults)
		}
	}
}

// whole is a lane of which every fact holds, and every number that it is asked for is the same.
type whole struct {
	fake
	chains   metrics.Chains
	compared metrics.Comparison
	known    float64
}

// newWhole is such a lane but for a change.
func newWhole(change func(s *State), known float64) whole {
	s := State{
		Facts: math.MaxUint32, Step: 4000, Kept: 4000, Draws: 4000, Seconds: known, Rate: known, Epoch: known,
		WindowSeconds: known, WindowGradients: known, GradientRate: known, WaitShare: known, Eps: known, Drift: known, Noise: known,
		GMin: known, GMax: known, LogPost: known, Loss: known, ELBO: known, ELBOError: known, Acceptance: known,
		EBFMI: metrics.Known(known, known, 100), Expected: metrics.Known(known, known, 100),
	}
	change(&s)
	w := independent()
	w.fake, w.known = fake{state: s, act: metrics.Known(0.5, known, 4000)}, known
	return w
}

// independent has two chains of independent normal draws.
var independent = sync.OnceValue(func() (w whole) {
	r := rand.New(rand.NewPCG(1, 2))
	columns := [2][]float64{}
	for i := range columns {
		b := metrics.NewBlock(1, 2000)
		for range 2000 {
			columns[i] = append(columns[i], r.NormFloat64())
			b.Push(columns[i][len(columns[i])-1:])
		}
		w.chains = append(w.chains, metrics.NewChain(1))
		w.chains[i].Add(b)
	}
	w.compared = new(metrics.Comparer).Compare(columns[:])
	return w
})

func (w whole) of() metrics.Estimate                           { return metrics.Known(w.known, w.known, 4000) }
func (w whole) Chains() metrics.Chains                         { return w.chains }
func (w whole) Comparison(int) metrics.Comparison              { return w.compared }
func (w whole) StepBias(int) (mean, variance metrics.Estimate) { return w.of(), w.of() }
func (w whole) Temperature() metrics.Estimate                  { return w.of() }
func (w whole) Location() metrics.Estimate                     { return w.of() }
func (w whole) Errors() (cov, mean float64)                    { return w.known, w.known }
func (w whole) Distances() Distances                           { return Distances{w.known, w.known, w.of(), w.of()} }
func (w whole) Tails(int) metrics.Estimate {
	k := w.of()
	k.Value, k.Error = 0.2, 0.1 // moments exist, for all that its error says
	return k
}
func (w whole) Bias() float64                      { return w.known }
func (w whole) TrueMoments(int) (mean, sd float64) { return w.known, w.known }

func (w whole) Slowest() Slowest {
	c := w.compared
	return Slowest{ACT: w.act, ESS: metrics.ESSOf(w.act), Agreement: Agreement{RHat: c.RHat, Bulk: c.BulkESS, Tail: c.TailESS, Nested: c.RHat}}
}

func (w whole) Function() Function {
	return Function{Mean: w.of(), Band: w.of(), RHat: w.of(), ESS: w.of(), NLL: w.of(), Coverage: w.of()}
}
func (w whole) Scores() Scores {
	one := predictive.Scores{Error: w.known, NLL: w.known, Brier: w.known, ECE: w.known, Draws: w.state.Draws}
	return Scores{one, one, one}
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
func (fake) Tails(int) metrics.Estimate           { return metrics.Estimate{} }
func (fake) StepBias(int) (m, v metrics.Estimate) { return }
func (fake) Location() metrics.Estimate           { return metrics.Known(0.5, 1, 100) }
func (fake) Errors() (cov, mean float64)          { return 0.5, 0.25 }
func (fake) Distances() Distances                 { return Distances{W2: 0.1, Sliced: 0.2} }
func (fake) Bias() float64                        { return nan }
func (fake) Chains() metrics.Chains               { return metrics.Chains{metrics.NewChain(1)} }
func (fake) Temperature() metrics.Estimate        { return metrics.Known(1, 0.1, 100) }
func (fake) TrueMoments(int) (mean, sd float64)   { return 0, 1 }
func (fake) Function() Function                   { return Function{} }
func (fake) Scores() Scores                       { return Scores{Test: predictive.Scores{Error: 0.1, Draws: 3}} }
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
		"diverged": {of(Sampling, func(s *State) { s.Diverged = metrics.Diverged }), long,
			statuses{MaxACT: metrics.Diverged, CovError: metrics.Diverged, TestError: metrics.Diverged,
				Loss: metrics.OK, StepsTaken: metrics.OK}},
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
		point.Score(&Scores{Test: predictive.Scores{Error: 0.1, Draws: 3}})
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
