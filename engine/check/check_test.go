package check

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	draws "github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
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
	return claimOf(p, method, values)
}

func claimOf(p *targets.Problem, method string, values map[string]float64) Claim {
	lane := state.DefaultSetting(p, method)
	if lane.Has(sampler.KeyBurnIn) {
		lane = lane.With(sampler.KeyBurnIn, 0)
	}
	for k, v := range values {
		lane = lane.With(k, v)
	}
	return Claim{Config: state.Config{Seed: 1, Lanes: []state.Setting{lane}}, Problem: p}
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
	for _, f := range r.Facts {
		if strings.Contains(f.Name, "correlation of") && math.Abs(f.Found) > 1+1e-9 {
			t.Errorf("%s is %g", f.Name, f.Found)
		}
	}
	return r
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
	twice.pull(2)
	r := check(t, c, drawAs(t, c, &twice, 200))
	if r.Verdict != Inconsistent || !slices.Contains(r.Faults, driftTwice) {
		t.Errorf("%+v", r)
	}
	if f := r.Facts[0]; !(math.Abs(f.Found-2) < 1e-3) { // but for V at the start, of which 0.9¹⁰⁰ is left
		t.Errorf("%+v", f)
	}
	if r := check(t, c, draw(t, c, 15)); r.Verdict != TooFew || r.Needed <= 15 {
		t.Errorf("of 15 draws: %+v", r)
	}
	c = claim(t, "density:-(x-3)^2/2", "sgd", map[string]float64{"eps": 1.2})
	if r := check(t, c, draw(t, c, 500)); r.Verdict != TooFew || r.Needed != 0 {
		t.Errorf("of a path that stands at its optimum: %+v", r)
	}
}

// Of draws that no known fault explains, the factor of the noise or of the drift is told.
func TestOtherFactorsAreNamed(t *testing.T) {
	innerlooptest.Skip(t, "long runs")
	for key, change := range map[string]func(*setup){
		"noise-var": func(s *setup) { s.params.Temp *= 1.3 },
		"drift":     func(s *setup) { s.pull(1.3) },
	} {
		c := claim(t, "gaussian:cov=1,0.6,0.6,0.5", "sgld", map[string]float64{"eps": 0.1})
		s, err := newSetup(c)
		if err != nil {
			t.Fatal(err)
		}
		change(s)
		r := check(t, c, drawAs(t, c, s, 20_000))
		if r.Verdict != Inconsistent || len(r.Faults) == 0 || r.Faults[0].Key != key {
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
		claim(t, "gaussian", "psgld-adagrad", map[string]float64{"thin": 5}),
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

// What is wrong with the command line is told as well: another step size, draws of every fifth step, draws of each
// step.
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
		{d, map[string]float64{"eps": 0.07, "thin": 1},
			Fault{"step-size", "The step size is about 0.1.", "the ε of the draws"}},
		{fifth, right, Fault{"thin", "A draw is about 5 steps after the one before.",
			"the number of steps from a draw to the next"}},
		{d, map[string]float64{"eps": 0.1, "thin": 10},
			Fault{"thin", "The state after each step is a draw.", "the number of steps from a draw to the next"}},
	} {
		r := check(t, claim(t, "gaussian", "sgld", of.said), of.draws)
		if r.Verdict != Inconsistent || !slices.Contains(r.Faults, of.want) {
			t.Errorf("%v: %d, %v", of.said, r.Verdict, r.Faults)
		}
	}
}

// What other people's code has of faults is named by the draws of a generator of its own, in which nothing of the
// program's takes part: N(0, diag(0.16, 1)) from a start that is no draw.
func TestForeignFaults(t *testing.T) {
	type made struct {
		key, method string
		values      map[string]float64
		step        func(z *rand.Rand, t int, x, was, v []float64) // moves x; was and v are the method's own
	}
	grad := func(x []float64, i int) float64 { return -x[i] / []float64{0.16, 1}[i] }
	sgld := func(noise func(z *rand.Rand, t, i int) float64) func(*rand.Rand, int, []float64, []float64, []float64) {
		return func(z *rand.Rand, t int, x, _, _ []float64) {
			for i := range x {
				x[i] += 0.05*grad(x, i) + math.Sqrt(0.1)*noise(z, t, i)
			}
		}
	}
	var shared float64
	normals := make([]float64, 400)
	for i := range normals {
		normals[i] = rand.New(rand.NewPCG(7, uint64(i))).NormFloat64()
	}
	eps := map[string]float64{"eps": 0.1}
	momentum := map[string]float64{"eps": 0.02, "friction": 0.1}
	for _, c := range []made{
		{"root-missing", "psgld", eps, func(z *rand.Rand, _ int, x, _, v []float64) {
			for i := range x {
				g := grad(x, i)
				v[i] = 0.99*v[i] + 0.01*g*g
				x[i] += 0.05*g/(1e-5+v[i]) + math.Sqrt(0.1/(1e-5+v[i]))*z.NormFloat64()
			}
		}},
		{"", "sgld", eps, sgld(func(z *rand.Rand, _, _ int) float64 { return z.NormFloat64() })},
		{"noise-shared", "sgld", eps, sgld(func(z *rand.Rand, _, i int) float64 {
			if i == 0 {
				shared = z.NormFloat64()
			}
			return shared
		})},
		{"noise-repeats", "sgld", eps, sgld(func(_ *rand.Rand, t, i int) float64 { return normals[(2*t+i)%400] })},
		{"noise-mean", "sgld", eps, sgld(func(z *rand.Rand, _, _ int) float64 { return z.NormFloat64() + 0.3 })},
		{"noise-missing", "sgld", eps,
			sgld(func(z *rand.Rand, _, i int) float64 { return float64(i) * z.NormFloat64() })},
		{"stretch", "sgld", eps, sgld(func(z *rand.Rand, t, _ int) float64 {
			if t > 1000 && t < 1800 {
				return 2 * z.NormFloat64()
			}
			return z.NormFloat64()
		})},
		{"gradient-averaged", "sgld", eps, func(z *rand.Rand, t int, x, m, _ []float64) {
			for i := range x {
				m[i] = 0.9*m[i] + 0.1*grad(x, i)
				x[i] += 0.05*m[i] + math.Sqrt(0.1)*z.NormFloat64()
			}
		}},
		{"", "sghmc", momentum, func(z *rand.Rand, _ int, x, _, v []float64) {
			for i := range x {
				v[i] = 0.9*v[i] + 0.01*grad(x, i) + math.Sqrt(0.1*0.02)*z.NormFloat64()
				x[i] += v[i]
			}
		}},
		{"old-velocity", "sghmc", momentum, func(z *rand.Rand, _ int, x, _, v []float64) {
			for i := range x {
				g := grad(x, i)
				x[i] += v[i]
				v[i] = 0.9*v[i] + 0.01*g + math.Sqrt(0.1*0.02)*z.NormFloat64()
			}
		}},
		// Two at once: the old velocity and another step size.
		{"old-velocity", "sghmc", map[string]float64{"eps": 0.01, "friction": 0.1},
			func(z *rand.Rand, _ int, x, _, v []float64) {
				for i := range x {
					g := grad(x, i)
					x[i] += v[i]
					v[i] = 0.9*v[i] + 0.0085*g + math.Sqrt(0.1*0.017)*z.NormFloat64()
				}
			}},
	} {
		z := rand.New(rand.NewPCG(3, 5))
		x, was, v := []float64{1, -2}, make([]float64, 2), make([]float64, 2)
		var chain []float64
		for t := range 6000 {
			c.step(z, t, x, was, v)
			chain = append(chain, x...)
		}
		r := check(t, claim(t, "gaussian", c.method, c.values), Draws{Dim: 2, Chains: [][]float64{chain}})
		if c.key == "" {
			if r.Verdict != Consistent {
				t.Errorf("a right %s: verdict %d, %v, %v", c.method, r.Verdict, r.Faults, failing(r))
			}
			continue
		}
		if r.Verdict != Inconsistent || len(r.Faults) == 0 || r.Faults[0].Key != c.key {
			t.Errorf("%s in %s: verdict %d, %v, %v", c.key, c.method, r.Verdict, r.Faults, failing(r))
		}
	}
}

// failing are the facts that fail.
func failing(r *Report) (all []Fact) {
	for _, f := range r.Facts {
		if f.Fails {
			all = append(all, f)
		}
	}
	return all
}

// accusing are the facts of draws that fail.
func accusing(t *testing.T, c Claim, d Draws) []Fact {
	t.Helper()
	f, err := Follow(c, len(d.Chains))
	if err != nil {
		t.Fatal(err)
	}
	for k, chain := range d.Chains {
		if err := f.Add(t.Context(), k, chain); err != nil {
			t.Fatal(err)
		}
	}
	return failing(&Report{Facts: f.checker(t.Context()).hold(f.right, nil).facts})
}

// Draws that come a few at a time, of several chains in turn, are checked as if they had come at once, to the digit.
func TestDrawsThatCome(t *testing.T) {
	for method, spec := range map[string]string{"sgld": "gaussian", "psgld": "blr:synthetic", "sghmc": "banana",
		"psgld-adagrad": "gaussian", "hmc": "gaussian"} {
		c := claim(t, spec, method, map[string]float64{"thin": 1})
		c.Config.Chains = 2
		d := draw(t, c, 900)
		want := check(t, c, d)
		f, err := Follow(c, len(d.Chains))
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < 900; at += 130 {
			for k, chain := range d.Chains {
				if err := f.Add(t.Context(), k, chain[at*d.Dim:min(at+130, 900)*d.Dim]); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := f.Report(t.Context()); err != nil { // changes nothing
				t.Fatal(err)
			}
		}
		if got, err := f.Report(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", method, err, got, want)
		}
	}
}

// The faults of steps whose minibatches nobody knows, of trajectories and of energies are named, and so are those of a
// variant that is right otherwise.
func TestFaultsAreNamed(t *testing.T) {
	innerlooptest.Skip(t, "a run for each fault")
	proposing := func(change func(*setup)) func(*setup) {
		return func(s *setup) {
			s.heat = 1
			change(s)
		}
	}
	for _, c := range []struct {
		key, method, spec string
		eps               float64
		change            func(*setup)
	}{
		{"noise-shared", "hmc", "gaussian", 0.09, proposing(func(s *setup) { s.shared = true })},
		{"noise-shared", "hmc", "gaussian", 0.09, proposing(func(s *setup) { s.shared, s.fixed = true, true })},
		{"drift-twice", "hmc", "gaussian", 0.05, proposing(func(s *setup) { s.drift, s.fixed = 2, true })},
		{"half-kick-missing", "hmc", "gaussian", 0.09, proposing(func(s *setup) { s.kicks[1] = -0.5 })},
		{"half-kick-missing", "hmc", "gaussian", 0.09, proposing(func(s *setup) { s.kicks[1], s.fixed = -0.5, true })},
		{"stale-energy", "hmc", "gaussian", 0.55, proposing(func(s *setup) { s.stale = rejected })},
		{"stale-energy", "hmc", "gaussian", 0.4, proposing(func(s *setup) { s.stale, s.energy = frozen, -2 })},
		{"stale-energy", "mala", "banana", 0.6, proposing(func(s *setup) { s.stale = rejected })},
		{"stale-energy", "mala", "banana", 0.6, proposing(func(s *setup) { s.stale, s.energy = frozen, -1 })},
	} {
		of := claim(t, c.spec, c.method, map[string]float64{"eps": c.eps})
		s, err := newSetup(of)
		if err != nil {
			t.Fatal(err)
		}
		c.change(s)
		r := check(t, of, drawAs(t, of, s, 3000))
		if r.Verdict != Inconsistent || len(r.Faults) == 0 || r.Faults[0].Key != c.key {
			t.Errorf("%s in %s: verdict %d, %v, %v", c.key, c.method, r.Verdict, r.Faults, failing(r))
		}
	}
}

// Faults of the noise are named beside that of minibatches that nobody knows.
func TestMinibatchesHideNoFault(t *testing.T) {
	innerlooptest.Later(t, "a run for each fault")
	p, err := targets.Open("blr:synthetic", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	z := rand.New(rand.NewPCG(3, 5))
	normals := make([]float64, 100*p.Dim())
	for i := range normals {
		normals[i] = z.NormFloat64()
	}
	one := 0.0
	for key, noise := range map[string]func(t, i int) float64{
		"": func(int, int) float64 { return z.NormFloat64() },
		"noise-shared": func(_, i int) float64 {
			if i == 0 {
				one = z.NormFloat64()
			}
			return one
		},
		"noise-repeats":     func(t, i int) float64 { return normals[t%100*p.Dim()+i] },
		"noise-mean":        func(int, int) float64 { return z.NormFloat64() + 0.3 },
		"noise-missing":     func(int, int) float64 { return 0 },
		"gradient-averaged": func(int, int) float64 { return z.NormFloat64() },
		"last": func(_, i int) float64 {
			if i == p.Dim()-1 {
				return 0
			}
			return z.NormFloat64()
		},
	} {
		eps, batch := 0.001, 50
		c := claimOf(p, "sgld", map[string]float64{"eps": eps, "batch": float64(batch), "thin": 1})
		c.Config.Draw = draws.Subset
		s, err := newSetup(c)
		if err != nil {
			t.Fatal(err)
		}
		x, g, chain := make([]float64, p.Dim()), make([]float64, p.Dim()), []float64(nil)
		average, rows := make([]float64, p.Dim()), make([]int32, batch)
		for at := range 6000 {
			for i, r := range z.Perm(p.N())[:batch] {
				rows[i] = int32(r)
			}
			p.F64.Grad(g, x, rows)
			for i := range x {
				u := s.params.N*g[i] - s.params.PriorPrec*x[i]
				if key == "gradient-averaged" {
					average[i] += 0.2 * (u - average[i])
					u = average[i]
				}
				x[i] += eps/2*u + math.Sqrt(eps)*noise(at, i)
			}
			chain = append(chain, x...)
		}
		if key == "last" {
			key = "noise-missing"
		}
		switch r := check(t, c, Draws{Dim: p.Dim(), Chains: [][]float64{chain}}); {
		case key == "" && r.Verdict != Consistent:
			t.Errorf("a right run: verdict %d, %v, %v", r.Verdict, r.Faults, failing(r))
		case key != "" && (r.Verdict != Inconsistent || len(r.Faults) == 0 || r.Faults[0].Key != key):
			t.Errorf("%s: verdict %d, %v, %v", key, r.Verdict, r.Faults, failing(r))
		}
	}
}

// Noise of small minibatches, whose variance changes from step to step, accuses no right draws, and hides no noise of
// 1.3 times its variance.
func TestSmallMinibatches(t *testing.T) {
	for _, factor := range []float64{1, 1.3} {
		c := claim(t, "blr:synthetic", "sgld", map[string]float64{"eps": 0.005, "batch": 5, "thin": 1})
		s, err := newSetup(c)
		if err != nil {
			t.Fatal(err)
		}
		s.noise(factor)
		if facts := accusing(t, c, drawAs(t, c, s, 6000)); (facts != nil) != (factor > 1) {
			t.Errorf("noise of %v times its variance: %v", factor, facts)
		}
	}
	p, count := path{dense: 30}, -1
	for draw := range 5000 {
		at, own := p.covAt(draw)
		if own {
			count++
		}
		if at != count || draw < 60 && !own {
			t.Fatalf("draw %d has the covariance %d of %d, its own: %t", draw, at, count, own)
		}
	}
	if count > 60+30*7 {
		t.Errorf("%d covariances of 5,000 draws", count)
	}
}

// Coordinates whose V is left out of all facts say nothing on how it starts.
func TestStartOfMinibatches(t *testing.T) {
	for batch, adam := range map[float64]bool{5: false, 20: true} {
		c := claim(t, "blr:synthetic", "psgld", map[string]float64{"eps": 0.001, "batch": batch, "thin": 1})
		s, err := newSetup(c)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			d := drawAs(t, c, s, 2000)
			if r := check(t, c, d); r.Verdict == Inconsistent || (r.Variant != nil) != (s.method.Name != "psgld") {
				t.Errorf("%s at batch %v: verdict %d, %v", s.method.Name, batch, r.Verdict, r.Variant)
			}
			if !adam {
				break
			}
			s.method, s.params.Own = catalog.Must("psgld-adam"), s.params.Own[:3]
		}
	}
}

// Paths of a momentum are made anew too, and the method's own draws of another kind are refused.
func TestRetraceWithMomentum(t *testing.T) {
	for _, c := range []struct {
		method string
		values map[string]float64
	}{
		{"sgd", map[string]float64{"momentum": 0.8, "eps": 0.02}},
		{"rmsprop", map[string]float64{"momentum": 0.8, "alpha": 0.9, "eps": 0.002}},
		{"sghmc", map[string]float64{"temp": 0, "eps": 0.02}},
	} {
		of := claim(t, "banana", c.method, c.values)
		d := draw(t, of, 200)
		if r := check(t, of, d); r.Verdict != Consistent {
			t.Errorf("%s: %+v", c.method, r)
		}
		c.values["eps"] *= 2
		if r := check(t, claim(t, "banana", c.method, c.values), d); r.Verdict != Inconsistent {
			t.Errorf("%s at another step: %+v", c.method, r)
		}
	}
	c := claim(t, "banana", "sgd", map[string]float64{"thin": 2})
	if _, err := Check(t.Context(), c, Draws{Dim: 2}); err == nil {
		t.Error("every second step of a path was checked")
	}
}

// A preconditioner's first draws tell of a noise of twice its variance, before V has forgotten its start. V over 1-αᵗ
// and one thermostat for all coordinates are right all the same.
func TestFirstDrawsAndVariants(t *testing.T) {
	innerlooptest.Skip(t, "long runs")
	for _, c := range []struct {
		method, key string
		draws       int
		change      func(*setup)
	}{
		{"psgld", "noise-var-twice", 700, func(s *setup) { s.noise(2) }},
		{"psgld", "", 1000, func(*setup) {}},
		{"psgld", "other-start", 3000, func(s *setup) {
			s.method, s.params.Own = catalog.Must("psgld-adam"), s.params.Own[:3]
		}},
		{"mala", "other-acceptance", 3000, func(s *setup) { s.heat, s.barker = 1, true }},
		{"sgnht", "other-thermostat", 3000, func(s *setup) { s.setOwn("thermostat", 0) }},
		{"sgnht", "noise-var-twice", 3000, func(s *setup) { s.setOwn("thermostat", 0); s.noise(2) }},
	} {
		of := claim(t, "gaussian", c.method, map[string]float64{"eps": 0.1})
		s, err := newSetup(of)
		if err != nil {
			t.Fatal(err)
		}
		c.change(s)
		r, key := check(t, of, drawAs(t, of, s, c.draws)), ""
		if r.Variant != nil {
			key = r.Variant.Key
		} else if r.Faults != nil {
			key = r.Faults[0].Key
		}
		if key != c.key {
			t.Errorf("%s of %s: verdict %d, %v, %v", c.key, c.method, r.Verdict, r.Faults, failing(r))
		}
	}
}

// A setting that nobody said may have the method's own default. A fault is found with it too.
func TestUnsaidSettings(t *testing.T) {
	innerlooptest.Skip(t, "long runs")
	own := claim(t, "gaussian", "psgld", map[string]float64{"eps": 0.1, "thin": 1})
	of := claim(t, "gaussian", "psgld", map[string]float64{"eps": 0.1, "thin": 1, "alpha": 0.999})
	d := draw(t, own, 6000)
	if r := check(t, of, d); r.Verdict != Inconsistent {
		t.Errorf("alpha that was said: verdict %d", r.Verdict)
	}
	of.Unsaid = map[string]float64{"alpha": 0.99}
	if r := check(t, of, d); r.Verdict != Consistent || r.Variant == nil ||
		!strings.HasPrefix(r.Variant.What, "alpha is 0.99 and not 0.999: the method's own default") {
		t.Errorf("verdict %d, %v, %v", r.Verdict, r.Variant, failing(r))
	}
	s, err := newSetup(own)
	if err != nil {
		t.Fatal(err)
	}
	s.params.Temp = 2
	named(t, check(t, of, drawAs(t, own, s, 6000)), "noise-var-twice", "")
}
