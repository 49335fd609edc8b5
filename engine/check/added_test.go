package check

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	draws "github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/targets"
)

// What people add to a step of sgld is told: a gradient that is cut, a step that falls, noise of another shape, and a
// state that is held within bounds.
func TestAddedToAStep(t *testing.T) {
	const steps, eps = 5000, 0.1
	cut := func(x, most float64) float64 { return min(max(x, -most), most) }
	for _, c := range []struct {
		key, what string
		grad      func(x, y float64) (float64, float64)
		eps       func(t int) float64
		noise     func(r *rand.Rand) float64
		bound     float64
	}{
		{key: "gradient-clipped", what: "Each coordinate of the gradient is cut to about",
			grad: func(x, y float64) (float64, float64) { return cut(-x/0.16, 1.5), cut(-y, 1.5) }},
		{key: "gradient-clipped", what: "The gradient is cut to a norm of about",
			grad: func(x, y float64) (float64, float64) {
				by := min(1, 1.5/math.Hypot(x/0.16, y))
				return -by * x / 0.16, -by * y
			}},
		{key: "step-size", what: "The step size falls, from about 0.09",
			eps: func(t int) float64 { return eps * math.Pow(1+float64(t)/300, -0.55) }},
		{key: "noise-shape", what: "its fourth moment, clipped, is 1.8",
			noise: func(r *rand.Rand) float64 { return math.Sqrt(3) * (2*r.Float64() - 1) }},
		{key: "noise-shape", what: "its fourth moment, clipped, is 1,",
			noise: func(r *rand.Rand) float64 { return float64(2*r.IntN(2) - 1) }},
		{key: "draws-bounded", what: "theta[2] is held at", bound: 1.8},
	} {
		r, x, y := rand.New(rand.NewPCG(1, 2)), 0.0, 0.0
		d := Draws{Dim: 2, Chains: make([][]float64, 1)}
		for t := range steps {
			e, u, v := eps, -x/0.16, -y
			if c.eps != nil {
				e = c.eps(t)
			}
			if c.grad != nil {
				u, v = c.grad(x, y)
			}
			noise := r.NormFloat64
			if c.noise != nil {
				noise = func() float64 { return c.noise(r) }
			}
			x, y = x+e/2*u+math.Sqrt(e)*noise(), y+e/2*v+math.Sqrt(e)*noise()
			if c.bound > 0 {
				x, y = cut(x, c.bound), cut(y, c.bound)
			}
			d.Chains[0] = append(d.Chains[0], x, y)
		}
		got := check(t, claim(t, "gaussian", "sgld", map[string]float64{"eps": eps}), d)
		if got.Verdict != Inconsistent || len(got.Faults) == 0 || got.Faults[0].Key != c.key ||
			!strings.Contains(got.Faults[0].What, c.what) {
			t.Errorf("%s, %s: %+v", c.key, c.what, got.Faults)
		}
	}
}

// Ratios of acceptance that are wrong are told from each other, and so are rejections that leave no draw.
func TestWrongRatios(t *testing.T) {
	for _, c := range []struct {
		key, what, method string
		eps               float64
		change            func(*setup)
	}{
		{"hastings-wrong", "a ½ is missing", "mala", 0.2, func(s *setup) { s.ratio = 2 }},
		{"hastings-wrong", "without its ½", "mala", 0.2, func(s *setup) { s.known = 2 }},
		{"hastings-wrong", "ε² in place of ε", "mala", 0.2, func(s *setup) { s.ratio = 5 }},
		{"hastings-wrong", "the wrong sign", "mala", 0.2, func(s *setup) { s.back = -1 }},
		{"hastings-wrong", "the gradient at θ for", "mala", 0.2, func(s *setup) { s.ahead = true }},
		{"hastings-reversed", "ratio of acceptance is upside down", "hmc", 0.09, func(s *setup) { s.upside = true }},
		{"rejects-dropped", "leaves no draw", "mala", 0.2, func(s *setup) { s.dropped = true }},
		{"half-kick-missing", "is left out", "hmc", 0.09, func(s *setup) { s.kicks[0] = -0.5 }},
		{"half-kick-missing", "in turn", "hmc", 0.09, func(s *setup) { s.kicks = [2]float64{0.5, -0.5} }},
	} {
		of := claim(t, "gaussian", c.method, map[string]float64{"eps": c.eps})
		s, err := newSetup(of)
		if err != nil {
			t.Fatal(err)
		}
		s.heat = 1
		c.change(s)
		d := drawAs(t, of, s, 3000)
		if s.dropped {
			d.Chains[0] = moves(d.Chains[0], d.Dim)
		}
		named(t, check(t, of, d), c.key, c.what)
	}
}

// moves are the draws of a chain without those that are the draw before.
func moves(chain []float64, dim int) []float64 {
	all := chain[:dim:dim]
	for x := range slices.Chunk(chain[dim:], dim) {
		if !slices.Equal(x, all[len(all)-dim:]) {
			all = append(all, x...)
		}
	}
	return all
}

// named fails where draws are not accused by the key and the words of a fault.
func named(t *testing.T, r *Report, key, what string) {
	t.Helper()
	if r.Verdict != Inconsistent || len(r.Faults) == 0 || r.Faults[0].Key != key ||
		!strings.Contains(r.Faults[0].What, what) {
		t.Errorf("%s, %s: verdict %d, %+v, %+v, %v", key, what, r.Verdict, r.Faults, r.Variant, failing(r))
	}
}

// A number of a claim that is not that of the draws is told, on all data.
func TestOtherSettings(t *testing.T) {
	for _, c := range []struct {
		key, what, method, setting string
		eps, claimed, value        float64
	}{
		{"setting", "friction is about 0.2", "sghmc", "friction", 0.02, 0.1, 0.2},
		{"setting", "of the newest square", "psgld", "alpha", 0.1, 0.99, 0.9},
		{"setting", "of the newest square", "psgld", "alpha", 0.1, 0.99, 0.999},
		{"setting", "rate is about 0.02", "sgnht", "rate", 0.02, 0.005, 0.02},
	} {
		values := map[string]float64{"eps": c.eps, c.setting: c.value, "thin": 1}
		d := draw(t, claim(t, "gaussian", c.method, values), 6000)
		values[c.setting] = c.claimed
		named(t, check(t, claim(t, "gaussian", c.method, values), d), c.key, c.what)
	}
}

// Chains one after another in a file, and a coordinate whose scale is another are told, and the
// thermostat of the paper is a variant.
func TestOthersSteps(t *testing.T) {
	z := rand.New(rand.NewPCG(7, 5))
	run := func(n int, step func(t int, x, v []float64)) Draws {
		x, v, chain := []float64{0.2, -0.5}, make([]float64, 2), []float64(nil)
		for t := range n {
			step(t, x, v)
			chain = append(chain, x...)
		}
		return Draws{Dim: 2, Chains: [][]float64{chain}}
	}
	langevin := func(scale float64) func(t int, x, v []float64) {
		return func(_ int, x, v []float64) {
			x[0] += -0.05*x[0]/scale + math.Sqrt(0.1)*z.NormFloat64()
			x[1] += -0.05*x[1] + math.Sqrt(0.1)*z.NormFloat64()
		}
	}
	sgld := claim(t, "gaussian", "sgld", map[string]float64{"eps": 0.1, "thin": 1})
	right := langevin(0.16)
	named(t, check(t, sgld, run(4000, func(t int, x, v []float64) {
		if t == 1500 || t == 2500 {
			x[0], x[1] = 3, 7
		}
		right(t, x, v)
	})), "stretch", "but 2, which are too far, as where another chain begins: after draw 1,500, 2,500.")
	named(t, check(t, sgld, run(4000, langevin(0.4))), "drift", "The drift in theta[1] is 0.")

	eps, xi := 0.02, []float64{0.1, 0.1}
	r := check(t, claim(t, "gaussian", "sgnht", map[string]float64{"eps": eps, "rate": 0.01, "thin": 1}),
		run(6000, func(_ int, x, v []float64) {
			for i, g := range []float64{-x[0] / 0.16, -x[1]} {
				v[i] = (1-xi[i])*v[i] + eps/2*g + math.Sqrt(0.1*eps)*z.NormFloat64()
				x[i] += v[i]
				xi[i] += 0.01 * (2*v[i]*v[i]/eps - 1)
			}
		}))
	if r.Verdict != Consistent || r.Variant == nil || !strings.Contains(r.Variant.What, "as in its paper") {
		t.Errorf("the paper's thermostat: verdict %d, %v, %v", r.Verdict, r.Variant, failing(r))
	}
}

// Steps with minibatches tell their size, the prior's, that of the steps, and the order of data.
func TestOthersMinibatches(t *testing.T) {
	innerlooptest.Later(t, "a run for each fault")
	const eps, batch = 0.004, 40
	p, err := targets.Open("blr:synthetic", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key, what   string
		eps, prior  float64
		batch       int
		clip, falls float64
		order       bool
	}{
		{key: "prior-size", what: "The gradient of the prior has", prior: 10},
		{key: "batch-size", what: "A minibatch has about 1", batch: 12},
		{key: "step-size", what: "about 0.0064", eps: 1.6 * eps},
		{key: "step-size", what: "falls, from about 0.00", falls: 3000},
		{key: "gradient-clipped", what: "to a norm of about", clip: 8},
		{key: "noise-repeats", what: "in one order", order: true},
	} {
		e, n, prior := cmp.Or(c.eps, eps), cmp.Or(c.batch, batch), cmp.Or(c.prior, 1)
		z := rand.New(rand.NewPCG(3, 5))
		x, g, chain := make([]float64, p.Dim()), make([]float64, p.Dim()), []float64(nil)
		rows := make([]int32, n)
		for t := range 6000 {
			by := e
			if c.falls > 0 {
				by *= math.Exp(-float64(t) / c.falls)
			}
			for i, k := range z.Perm(p.N())[:n] {
				if rows[i] = int32(k); c.order {
					rows[i] = int32((t*n + i) % p.N())
				}
			}
			p.F64.Grad(g, x, rows)
			norm := 0.0
			for i, y := range x {
				g[i] = float64(p.N())*g[i] - prior*y
				norm = math.Hypot(norm, g[i])
			}
			cut := 1.0
			if c.clip > 0 {
				cut = min(1, c.clip/norm)
			}
			for i := range x {
				x[i] += by/2*cut*g[i] + math.Sqrt(by)*z.NormFloat64()
			}
			chain = append(chain, x...)
		}
		of := claimOf(p, "sgld", map[string]float64{"eps": eps, "batch": batch, "thin": 1, "prior-var": 1})
		of.Config.Draw = draws.Subset
		named(t, check(t, of, Draws{Dim: p.Dim(), Chains: [][]float64{chain}}), c.key, c.what)
	}
}

// Epochs of whole minibatches alone, which leave out what remains of a permutation, are another shuffle of a right
// psgld.
func TestWholeMinibatchesAlone(t *testing.T) {
	const eps, batch, alpha, lambda = 1e-3, 70, 0.99, 1e-5
	p, err := targets.Open("blr:synthetic", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	z, n := rand.New(rand.NewPCG(7, 5)), float64(p.N())
	x, g, v, chain := make([]float64, p.Dim()), make([]float64, p.Dim()), make([]float64, p.Dim()), []float64(nil)
	var rows []int32
	for t := range 6000 {
		if len(rows) < batch {
			rows = rows[:0]
			for _, k := range z.Perm(p.N()) {
				rows = append(rows, int32(k))
			}
		}
		p.F64.Grad(g, x, rows[:batch])
		rows = rows[batch:]
		for i := range x {
			mean := g[i] - x[i]/n
			if v[i] = alpha*v[i] + (1-alpha)*mean*mean; t == 0 {
				v[i] = mean * mean
			}
			by := 1 / (lambda + math.Sqrt(v[i]))
			x[i] += eps/2*by*n*mean + math.Sqrt(eps*by)*z.NormFloat64()
		}
		chain = append(chain, x...)
	}
	of := claimOf(p, "psgld", map[string]float64{"eps": eps, "batch": batch, "alpha": alpha, "lambda": lambda,
		"thin": 1, "prior-var": 1})
	r := check(t, of, Draws{Dim: p.Dim(), Chains: [][]float64{chain}})
	if r.Verdict != Consistent {
		t.Errorf("verdict %d, %v, %v", r.Verdict, r.Faults, failing(r))
	}
}

// A noise of the wrong variance alone has no other mean, slope or correlation than chance makes.
func TestVarianceIsOneFact(t *testing.T) {
	c := claim(t, "gaussian", "sgld", map[string]float64{"eps": 0.1})
	s, err := newSetup(c)
	if err != nil {
		t.Fatal(err)
	}
	s.params.Temp = 25
	for _, n := range []int{8, 300} {
		r := check(t, c, drawAs(t, c, s, n))
		failed := map[string]bool{}
		for _, f := range r.Facts {
			failed[f.Name] = f.Fails
			if f.Fails && !strings.Contains(f.Name, "variance") && !strings.Contains(f.Name, "moment") {
				t.Errorf("of %d draws: %+v", n, f)
			}
		}
		if !failed["variance of the noise"] {
			t.Errorf("of %d draws: %+v", n, r)
		}
	}
}

// Rows in another order than the chain's follow each other as independent draws do. So do draws that are far apart.
func TestUnordered(t *testing.T) {
	for _, method := range []string{"sgld", "mala"} {
		of := claim(t, "gaussian", method, map[string]float64{"eps": 0.1})
		d := draw(t, of, 3000)
		rows := slices.Collect(slices.Chunk(d.Chains[0], d.Dim))
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		d.Chains[0] = slices.Concat(rows...)
		r := check(t, of, d)
		if !slices.Contains(r.Faults, unordered) {
			t.Errorf("%s: verdict %d, %+v, %v", method, r.Verdict, r.Faults, failing(r))
		}
	}
}

// A variant is not accepted where a fault makes the draws far likelier: of sgnht with the old velocity one thermostat
// for all coordinates was.
func TestVariantIsWeighed(t *testing.T) {
	innerlooptest.Skip(t, "long runs")
	const eps, a, rate = 0.02, 0.1, 0.005
	of := claim(t, "banana", "sgnht", map[string]float64{"eps": eps, "diffusion": a, "rate": rate, "thermostat": 1})
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(1, seed))
		d, g := Draws{Dim: 2, Chains: make([][]float64, 1)}, make([]float64, 2)
		theta, v, xi := make([]float64, 2), make([]float64, 2), []float64{a, a}
		for range 4000 {
			of.Problem.F64.Grad(g, theta, nil)
			for i, was := range v {
				v[i] = (1-min(xi[i], 1))*was + eps/2*g[i] + math.Sqrt(a*eps)*r.NormFloat64()
				theta[i] += was
				xi[i] += rate * ((2-xi[i])*v[i]*v[i]/eps - 1)
			}
			d.Chains[0] = append(d.Chains[0], theta...)
		}
		named(t, check(t, of, d), "old-velocity", "")
	}
}
