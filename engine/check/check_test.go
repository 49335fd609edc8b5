package check

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// claim is that of a method on a target, with values that are not its defaults there.
func claim(t *testing.T, spec, method string, values map[string]float64) Claim {
	t.Helper()
	p, err := targets.Open(spec, targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lane := state.DefaultSetting(p, method)
	if lane.Has(sampler.KeyBurnIn) {
		lane = lane.With(sampler.KeyBurnIn, 0)
	}
	for k, v := range values {
		lane = lane.With(k, v)
	}
	return Claim{state.Config{Seed: 1, Lanes: []state.Setting{lane}}, p}
}

// draw runs the method of a claim as a session does, from its start.
func draw(t *testing.T, c Claim, draws int) Draws {
	t.Helper()
	s, err := newSetup(c)
	if err != nil {
		t.Fatal(err)
	}
	return drawAs(t, c, s, draws)
}

// drawAs runs a setup, which may have a fault. Its noise is that of no simulation.
func drawAs(t *testing.T, c Claim, s *setup, draws int) Draws {
	t.Helper()
	d := Draws{Dim: c.Problem.Dim()}
	target := s.problem.F64
	if f, ok := target.(targets.Forker[float64]); ok {
		fork := f.Fork(1)
		defer fork.Close()
		target = fork
	}
	for k := range c.Config.ChainCount() {
		start, err := c.Config.Start(c.Problem, k)
		if err != nil {
			t.Fatal(err)
		}
		m := newMachine(s, target, 1000, k, make([]float64, d.Dim))
		m.start(start)
		m.state.Step = 0
		var chain []float64
		for range draws {
			for range s.thin {
				if !m.step() {
					t.Fatalf("%s on %s diverged", s.method.Name, s.problem.Spec)
				}
			}
			chain = append(chain, m.state.Theta...)
		}
		d.Chains = append(d.Chains, chain)
	}
	return d
}

func check(t *testing.T, c Claim, d Draws) *Report {
	t.Helper()
	r, err := Check(context.Background(), c, d)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What is expected of SGLD on N(0, diag(0.16, 1)) is what is known exactly: the variance σ²/(1-ε/(4σ²)), of which each draw is
// 1-ε/(2σ²) of the one before, a step of which the drift is all and whose noise has the variance ε, and with k = ε/(2σ²) the
// virial E θ²/σ² as the temperature.
func TestExpectedOfSGLD(t *testing.T) {
	const eps = 0.1
	c := claim(t, "gaussian", "sgld", map[string]float64{"eps": eps})
	r := check(t, c, draw(t, c, 40_000))
	if r.Verdict != Consistent || len(r.Faults) > 0 {
		t.Errorf("%+v", r)
	}
	temperature := 0.0
	for i, variance := range []float64{0.16, 1} {
		name := c.Problem.Names[i]
		stationary := variance / (1 - eps/(4*variance))
		temperature += stationary / variance / 2
		for _, want := range []struct {
			fact      string
			value, se float64
		}{
			{"mean of " + name, 0, 0},
			{"variance of " + name, stationary, 1e-12},
			// Of the simulation's 80,000 draws, for an AR(1) with ρ: √((1-ρ²)/n).
			{"lag-1 autocorrelation of " + name, 1 - eps/(2*variance), math.Sqrt(eps / variance / 80_000)},
		} {
			f := find(t, r, want.fact)
			if !(math.Abs(f.Expected-want.value) <= 4*want.se*max(1, want.value)) {
				t.Errorf("%s: %g is expected, want %g", want.fact, f.Expected, want.value)
			}
			if exact := want.se <= 1e-12; exact != (f.Simulated == 0) || !exact && !(f.Simulated < 3*want.se) {
				t.Errorf("%s is expected with a standard error of %g", want.fact, f.Simulated)
			}
		}
	}
	// √(2/n) for the variance of n normals, and for their slope on what they are about; the temperature's error is that of the variances.
	for fact, want := range map[string][2]float64{"one-step drift": {1, 0.02}, oneStepNoise: {1, 0.005}, "configurational temperature": {temperature, 0.05}} {
		if f := find(t, r, fact); !(math.Abs(f.Expected-want[0]) <= 4*want[1]) {
			t.Errorf("%s: %g is expected, want %g", fact, f.Expected, want[0])
		}
	}
}

func find(t *testing.T, r *Report, name string) Fact {
	t.Helper()
	i := slices.IndexFunc(r.Facts, func(f Fact) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no %s in %+v", name, r.Facts)
	}
	return r.Facts[i]
}

// A fault that the draws of the program's own kernels have is the best explanation of them. Each setup has a third of the
// faults, another one than the setup before: the tag slow has all.
func TestFaultsAreNamed(t *testing.T) {
	innerlooptest.Skip(t, "a run for each fault")
	for turn, of := range []struct {
		spec, method string
		values       map[string]float64
	}{
		{"gaussian", "sgld", nil},
		{"banana", "psgld", map[string]float64{"eps": 0.02, "lambda": 0.01, "alpha": 0.9}},
		{"mixture", "sghmc", nil},
		{"gaussian:cov=1,0.8,0.8,1", "mala", map[string]float64{"eps": 0.1}},
	} {
		c := claim(t, of.spec, of.method, of.values)
		right, err := newSetup(c)
		if err != nil {
			t.Fatal(err)
		}
		every := 3
		if innerlooptest.Only() {
			every = 12
		} else if innerlooptest.Slow {
			every = 1
		}
		for i, h := range hypotheses(right) {
			if (i+turn)%every > 0 {
				continue
			}
			d := drawAs(t, c, h.setup, 40_000)
			k := newChecker(right, d)
			if err := k.simulate(context.Background()); err != nil {
				t.Fatal(err)
			}
			r := k.report()
			if r.Verdict == Inconsistent && len(r.Faults) > 0 && slices.Contains(r.Faults[0], h.faults[0]) {
				continue
			}
			// What leaves the stationary law as it is need not show in the path of a sampler with a ratio, nor what V does
			// from step to step in 40,000 of them.
			if r.Verdict != Inconsistent && slices.ContainsFunc(r.Unseen, func(u Unseen) bool { return u.Fault == h.faults[0] }) {
				continue
			}
			t.Errorf("%s on %s with %s: verdict %d, %v", of.method, of.spec, h.faults[0].Key, r.Verdict, r.Faults)
		}
	}
}

// Without noise each step is made anew: a right path is told from a wrong one by twenty steps.
func TestRetrace(t *testing.T) {
	c := claim(t, "banana", "rmsprop", map[string]float64{"alpha": 0.9, "eps": 0.02})
	if r := check(t, c, draw(t, c, 200)); r.Verdict != Consistent {
		t.Errorf("%+v", r)
	}
	right, err := newSetup(c)
	if err != nil {
		t.Fatal(err)
	}
	twice := *right
	twice.drift = 2
	r := check(t, c, drawAs(t, c, &twice, 200))
	if r.Verdict != Inconsistent || len(r.Faults) != 1 || !slices.Contains(r.Faults[0], driftTwice) {
		t.Errorf("%+v", r)
	}
	if f := r.Facts[0]; !(math.Abs(f.Found-2) < 1e-3) { // but for V at the start, of which 0.9¹⁰⁰ is left
		t.Errorf("%+v", f)
	}
	if r := check(t, c, draw(t, c, 15)); r.Verdict != TooFew || r.Needed <= 15 {
		t.Errorf("of 15 draws: %+v", r)
	}
}

// A start at the mode has a gradient of 0, so that the first step is one of G = 1/λ, and V remembers its gradients for long.
// Right draws are not accused of that, nor of a V that has not come round yet, whatever the seed.
func TestLongMemoryIsNotAccused(t *testing.T) {
	innerlooptest.Skip(t, "long runs")
	for seed := range uint64(4) {
		for alpha, want := range map[float64]Verdict{0.999: Consistent, 0.9999: TooFew} {
			c := claim(t, "gaussian:cov=1,0.6,0.6,0.5", "psgld", map[string]float64{"eps": 0.05, "alpha": alpha})
			c.Config.Seed, c.Config.Init = seed+1, "zero"
			r := check(t, c, draw(t, c, 30_000))
			if r.Verdict != want && r.Verdict != TooFew {
				t.Errorf("α = %g, seed %d: verdict %d, %+v", alpha, seed+1, r.Verdict, r.Facts)
			}
			if r.Verdict == TooFew && want == TooFew && r.Needed < 100_000 { // 10/(1-α)
				t.Errorf("α = %g: %d draws are needed", alpha, r.Needed)
			}
		}
	}
}

// Of draws that no known fault explains, the factor of the noise or of the drift is told.
func TestOtherFactorsAreNamed(t *testing.T) {
	innerlooptest.Skip(t, "long runs")
	for key, change := range map[string]func(*setup){
		"noise-var": func(s *setup) { s.params.Temp *= 1.3 },
		"drift":     func(s *setup) { s.drift = 1.3 },
	} {
		c := claim(t, "gaussian:cov=1,0.6,0.6,0.5", "sgld", map[string]float64{"eps": 0.1})
		s, err := newSetup(c)
		if err != nil {
			t.Fatal(err)
		}
		change(s)
		if r := check(t, c, drawAs(t, c, s, 20_000)); r.Verdict != Inconsistent || len(r.Faults) == 0 || r.Faults[0][0].Key != key {
			t.Errorf("%s: verdict %d, %v", key, r.Verdict, r.Faults)
		}
	}
}

// Few draws say nothing, and how many would.
func TestTooFew(t *testing.T) {
	c := claim(t, "gaussian", "sgld", map[string]float64{"eps": 0.001, "thin": 2})
	for _, n := range []int{0, 1, 2, 3, 63, 64, 500} {
		d := draw(t, c, n)
		if r := check(t, c, d); r.Verdict != TooFew || r.Needed <= n || r.Draws != n {
			t.Errorf("%d draws: %+v", n, r)
		}
	}
}

// What no sampler gives breaks nothing: draws that stand still, that are huge, of chains of one draw.
func TestOddDraws(t *testing.T) {
	c := claim(t, "gaussian", "sgld", nil)
	same, huge := make([]float64, 20_000), make([]float64, 20_000)
	for i := range huge {
		huge[i] = 1e12 * float64(i%7)
	}
	if r := check(t, c, Draws{Dim: 2, Chains: [][]float64{same}}); r.Verdict == Consistent {
		t.Errorf("draws that stand still: %+v", r)
	}
	if r := check(t, c, Draws{Dim: 2, Chains: [][]float64{huge}}); r.Verdict != Inconsistent {
		t.Errorf("huge draws: %+v", r)
	}
	single := slices.Repeat([][]float64{{0.1, -0.3}}, 100)
	if r := check(t, c, Draws{Dim: 2, Chains: single}); r.Verdict != TooFew {
		t.Errorf("chains of one draw: %+v", r)
	}
	// A banana's walls throw a chain that comes from where these draws are; the method itself is none the worse.
	c = claim(t, "banana", "sgld", nil)
	far := make([]float64, 20_000)
	for i := range far {
		far[i] = 1000 + float64(i%13)
	}
	if r := check(t, c, Draws{Dim: 2, Chains: [][]float64{far}}); r.Verdict != Inconsistent || r.Diverges {
		t.Errorf("far draws: %+v", r)
	}
}

// What cannot be checked is said in one line.
func TestRefusals(t *testing.T) {
	for _, c := range []Claim{
		claim(t, "gaussian", "csgld", nil),
		claim(t, "gaussian", "adam", nil),
		claim(t, "blr:synthetic", "dsvi", nil),
		claim(t, "gaussian", "psgld", map[string]float64{"freeze": 100}),
		claim(t, "mlp:10", "sgld", nil),
	} {
		_, err := Check(context.Background(), c, Draws{Dim: c.Problem.Dim()})
		if _, ok := errors.AsType[*state.Refusal](err); !ok {
			t.Errorf("%s on %s: %v", c.Config.Lanes[0].Sampler, c.Problem.Spec, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := claim(t, "gaussian", "sgld", nil)
	if _, err := Check(ctx, c, draw(t, c, 1000)); !errors.Is(err, context.Canceled) {
		t.Errorf("a check that was cancelled: %v", err)
	}
}

// What is wrong with the command line is told as well: another step size, draws of every fifth step, draws of each step.
func TestWrongSettings(t *testing.T) {
	innerlooptest.Skip(t, "a run for each setting")
	right := map[string]float64{"eps": 0.1, "thin": 1}
	d := draw(t, claim(t, "gaussian", "sgld", right), 40_000)
	fifth := Draws{Dim: 2, Chains: [][]float64{nil}}
	for at := 0; at < len(d.Chains[0]); at += 10 {
		fifth.Chains[0] = append(fifth.Chains[0], d.Chains[0][at:at+2]...)
	}
	for _, of := range []struct {
		draws Draws
		said  map[string]float64
		want  Fault
	}{
		{d, map[string]float64{"eps": 0.07, "thin": 1}, Fault{"step-size", "The step size is about 0.099.", "the ε of the draws"}},
		{fifth, right, Fault{"thin", "A draw is about 5 steps after the one before.", "the number of steps from a draw to the next"}},
		{d, map[string]float64{"eps": 0.1, "thin": 10}, Fault{"thin", "The state after each step is a draw.", "the number of steps from a draw to the next"}},
	} {
		r := check(t, claim(t, "gaussian", "sgld", of.said), of.draws)
		if r.Verdict != Inconsistent || len(r.Faults) == 0 || !slices.Contains(r.Faults[0], of.want) {
			t.Errorf("%v: %d, %v", of.said, r.Verdict, r.Faults)
		}
	}
}
