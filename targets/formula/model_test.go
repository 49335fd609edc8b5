package formula

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

// drawn is data of n rows: numbers u and v, positive p, shares q, counts k of 5 and bits y.
func drawn(r *rand.Rand, n int) *Data {
	d := &Data{Rows: n, Columns: map[string][]float64{}}
	for range n {
		add := func(name string, x float64) { d.Columns[name] = append(d.Columns[name], x) }
		add("u", r.NormFloat64())
		add("v", r.NormFloat64())
		add("p", math.Exp(r.NormFloat64()))
		add("q", 0.05+0.9*r.Float64())
		add("k", float64(r.IntN(6)))
		add("y", float64(r.IntN(2)))
	}
	return d
}

// likelihoods are statements with an expression of any sign %s, a positive %s and a share %s.
var likelihoods = []string{
	"u ~ normal(%[1]s, %[2]s)", "v ~ student_t(3 + %[2]s, %[1]s, 1.3)", "u ~ cauchy(%[1]s, %[2]s)",
	"v ~ laplace(%[1]s, 0.7)", "u ~ logistic(%[1]s, %[2]s)", "p ~ lognormal(%[1]s, %[2]s)", "p ~ exponential(%[2]s)",
	"p ~ gamma(%[2]s, 1.2)", "p ~ inv_gamma(2, %[2]s)", "q ~ beta(%[2]s, 1 + %[3]s)", "k ~ poisson(%[2]s)",
	"k ~ poisson_log(%[1]s)", "k ~ binomial(5, %[3]s)", "y ~ bernoulli(%[3]s)", "y ~ bernoulli_logit(%[1]s)",
	"u ~ log_mix(%[3]s, normal(%[1]s, 1), student_t(4, 0.3, %[2]s))", "log(p) ~ normal(%[1]s, %[2]s)",
	"target += -(%[1]s)^2 + c*u - log1p(%[2]s)", "u ~ uniform(-9 - %[2]s, 9)",
}

// bounded are bounds that parameters s, t and w may have, so that s > 0 and 0 < w < 1.
var bounded = []string{"s > 0; s < t; 0 < w < 1", "0 < s; s < t; 1 > w > 0", "0 < s < t < 20; 0 < w < 1",
	"s > 0; -1 < t < 3; 0 < w; w < 1"}

// anyModel is a random model in the parameters a, b, s, t and w, with the setting c.
func anyModel(r *rand.Rand) string {
	one := func(all ...string) string { return all[r.IntN(len(all))] }
	eta := func() string {
		return one("a + b*u", "a - b*v + t*u*v", "b*u + a*v - t*q + c*w*p - 1", "a*sin(b*u) + t",
			"-(a + b*u)", "t*w - a/(1 + p)",
			"min(a, b*u) + max(t, v)/5")
	}
	scale := func() string { return one("s", "exp(b*u/3)", "0.3 + softplus(a)", "s*p + w", "sqrt(s)*(1 + u^2)") }
	share := func() string { return one("w", "sigmoid(a + u*b)", "w*q") }
	text := bounded[r.IntN(len(bounded))] + "; c = 1.5; s ~ gamma(2, 1); w ~ beta(2, 3); t ~ normal(a, 2)" +
		"; a ~ student_t(4, b, 1)" +
		"; b ~ normal(0, c); target += -t^2/20"
	for range 1 + r.IntN(3) {
		text += "; " + fmt.Sprintf(likelihoods[r.IntN(len(likelihoods))], eta(), scale(), share())
	}
	return text
}

func posterior(tb testing.TB, text string, d *Data) *Posterior {
	tb.Helper()
	m, err := ReadModel(strings.Split(text, ";"))
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	values := map[string]float64{}
	for _, s := range m.Set {
		values[s.Name] = s.Value
	}
	p, err := m.On(d, values)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return p
}

// Of a hundred random models the gradient is the central difference of the value, and the Hessian's product and
// diagonal those of the gradient: h = 1e-5 errs by 1e-10 of the third derivative, and rounding by 1e-11 of the value. A
// batch in pieces is the sum of its pieces, the gradient alone has the bits of that with the value, and the rows one by
// one add up to the sum.
func TestRandomModels(t *testing.T) {
	r := rand.New(rand.NewPCG(46, 3))
	const h = 1e-5
	for range 100 {
		text := anyModel(r)
		d := drawn(r, 1+r.IntN(300))
		p := posterior(t, text, d)
		dim := p.Dim()
		theta, v := make([]float64, dim), make([]float64, dim)
		for i := range theta {
			theta[i], v[i] = 0.5*r.NormFloat64(), r.NormFloat64()
		}
		var batch []int32
		if r.IntN(2) == 0 {
			for range 1 + r.IntN(2*d.Rows) {
				batch = append(batch, int32(r.IntN(d.Rows)))
			}
		}
		vector := func() []float64 { return make([]float64, dim) }
		g, again, hess, product := vector(), vector(), vector(), vector()
		value := p.GradLogLik(g, theta, batch)
		p.Grad(again, theta, batch)
		p.GradHessian(vector(), hess, theta, batch)
		p.HessianVec(product, theta, v, batch)
		at := func(i int, by float64) (float64, []float64) {
			x := append([]float64(nil), theta...)
			x[i] += by
			g := vector()
			return p.GradLogLik(g, x, batch), g
		}
		want := vector()
		for i := range theta {
			up, gUp := at(i, h)
			down, gDown := at(i, -h)
			if d := (up - down) / (2 * h); !(math.Abs(g[i]-d) <= 1e-6*max(1, math.Abs(value), math.Abs(d))) || g[i] != again[i] {
				t.Errorf("%s: ∂/∂%s is %v and %v, want %v", text, p.Params[i], g[i], again[i], d)
			}
			if d := (gUp[i] - gDown[i]) / (2 * h); !(math.Abs(hess[i]-d) <= 1e-5*max(1, math.Abs(value), math.Abs(d))) {
				t.Errorf("%s: ∂²/∂%s² is %v, want %v", text, p.Params[i], hess[i], d)
			}
			for j := range want {
				want[j] += v[i] * (gUp[j] - gDown[j]) / (2 * h)
			}
		}
		for i := range want {
			if !(math.Abs(product[i]-want[i]) <= 1e-5*max(1, math.Abs(value), math.Abs(want[i]))) {
				t.Errorf("%s: the Hessian's product is %v, want %v", text, product, want)
			}
		}
		sum := 0.0
		for i := range d.Rows {
			sum += p.GradLogLik(again, theta, []int32{int32(i)})
		}
		if got := p.LogLik(theta); !(math.Abs(got-sum) <= 1e-9*max(1, math.Abs(sum))) {
			t.Errorf("%s: the sum is %v, want %v", text, got, sum)
		}
		if p.Scale != nil {
			x, back := vector(), vector()
			p.Scale.Show(x, theta)
			if err := p.Scale.Step(back, x); err != nil {
				t.Errorf("%s: %v", text, err)
			}
			for i := range back {
				if !(math.Abs(back[i]-theta[i]) < 1e-9) {
					t.Errorf("%s: %s goes from %v to %v and back to %v", text, p.Params[i], theta[i], x[i], back[i])
				}
			}
		}
	}
}

// The density of a model is its formula, written by hand: a normal likelihood, and priors with the Jacobian of log s.
func TestModelIsItsFormula(t *testing.T) {
	d := drawn(rand.New(rand.NewPCG(1, 9)), 200)
	p := posterior(t, "u ~ normal(a + b*v, s); s > 0; s ~ cauchy(0, 2.5)", d)
	a, b, l := 0.3, -0.7, 0.2
	s := math.Exp(l)
	want := l - math.Log(math.Pi*2.5*(1+s*s/6.25))
	for i, u := range d.Columns["u"] {
		z := (u - a - b*d.Columns["v"][i]) / s
		want -= z*z/2 + l + math.Log(2*math.Pi)/2
	}
	if got := p.LogLik([]float64{a, b, l}); math.Abs(got-want) > 1e-10*math.Abs(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The scale on which parameters are stepped is written as one writes it by hand.
func TestStepped(t *testing.T) {
	p := posterior(t, "u ~ normal(a, 1 - s); 0 < a < 1; b ~ normal(0, 1); -1 < b < 2; s < 0; c > 3; c ~ normal(4, 1)",
		drawn(rand.New(rand.NewPCG(1, 9)), 5))
	const want = "stepped: log(a/(1 - a)) for a, log(-s) for s, log((b - -1)/(2 - b)) for b, log(c - 3) for c"
	if got := p.Stepped(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Where a part that no row changes is not defined, such as log s below 0, neither is the gradient, and a method that
// asks for no density does not sample its mirror image.
func TestGradientEndsWithTheDensity(t *testing.T) {
	d := drawn(rand.New(rand.NewPCG(1, 9)), 200)
	for _, text := range []string{"u ~ normal(a, s)", "u ~ normal(a, sqrt(s))", "u ~ laplace(a*v, s)",
		"u ~ student_t(4, a, s)"} {
		g := []float64{1, 1}
		if posterior(t, text, d).Grad(g, []float64{0.3, -1}, nil); g[0] == g[0] || g[1] == g[1] {
			t.Errorf("%s: the gradient at s = -1 is %v", text, g)
		}
	}
}

func TestRowsDoNotAllocate(t *testing.T) {
	p := posterior(t, "y ~ bernoulli_logit(a + b*u + c*v)", drawn(rand.New(rand.NewPCG(1, 9)), 1000))
	g, h, theta, batch := make([]float64, 3), make([]float64, 3), []float64{0.1, 0.2, 0.3}, []int32{5, 3, 999}
	if n := alloctest.PerRun(100, func() {
		p.Grad(g, theta, nil)
		p.Grad(g, theta, batch)
		p.GradHessian(g, h, theta, batch)
		p.LogLik(theta)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// A fault is one line with the statement and what is allowed.
func TestModelFaults(t *testing.T) {
	d := drawn(rand.New(rand.NewPCG(1, 9)), 20)
	d.Columns["p"][3] = -2
	for _, c := range []struct{ text, want string }{
		{"u ~ normal(a, 1); p ~ gamma(2, a)", `"p ~ gamma(2, a)": p is -2 in row 4, and gamma is for a number above 0`},
		{"u ~ poisson(a)", "and poisson is for a whole number from 0"},
		{"u ~ normal(a, s); s ~ gamma(2, 2)", "gamma is for a number above 0; add the bound s > 0"},
		{"u ~ normal(a, 1); a ~ uniform(0, 1)", "add the bound 0 < a < 1"},
		{"u ~ normal(a, 1); z1 ~ normal(z2, 1)", "the parameter z2 has no prior and no data, want z2 ~ distribution(…)"},
		{"u ~ normal(a, 1); r > 0", `"r" is neither a parameter nor a setting, want one of a`},
		{"a ~ normal(0, 1)", "no statement names a column"},
		{"u ~ normal(0, 1); a ~ normal(0, 1)", "no parameter stands in a statement with a column"},
		{"u ~ student(3, a, 1)", `column 5: "student" is not taken here; want student_t(a, k, m, s)`},
		{"u ~ normal(a*lag(v, 0), 1)", `column 14: "lag" is not taken here; want a column of data: and a`},
		{"u ~ normal(a)", "column 5: normal has 1 values, want normal(m, s)"},
		{"u ~ a + 1", "want a distribution behind ~"}, {"u ~ normal(a, 1) + 1", "want a distribution behind ~"},
		{"u + a ~ normal(0, 1)", "the left side has the parameter a in an expression"},
		{"u ~ normal(a, 1); a < b < a; b ~ normal(0, 1)", "in a circle"},
		{"u ~ normal(a, 1); 3 < a < 2", "want room between them"}, {"u ~ normal(a, 1); a >= 0", "want numbers and names"},
		{"log(p) ~ normal(a, 1)", "log(p) is NaN in row 4"},
		{"u ~ normal(a*log(p), 1)", "of the columns of row 4 is no finite number"},
		{"u ~ normal(a, 1); w = 3", "no statement has the name w"}, {"u ~ normal(a, 1); what", "want NAME ~ distribution"},
		{"u ~ normal(a*v, 1); v = 3", "setting v has the name of a column"},
	} {
		m, err := ReadModel(strings.Split(c.text, ";"))
		if err == nil {
			values := map[string]float64{}
			for _, s := range m.Set {
				values[s.Name] = s.Value
			}
			_, err = m.On(d, values)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	if _, err := Parse("bernoulli(1, x)"); err == nil || !strings.Contains(err.Error(), "bernoulli_logit") {
		t.Errorf("bernoulli in a formula: %v", err)
	}
}

func FuzzModel(f *testing.F) {
	f.Add("u ~ normal(a + b*lag(v, 2), s); s > 0; c = 2; X[,1] ~ poisson(exp(a))")
	f.Add("u ~ log_mix(w, normal(0, 1), cauchy(a, 2)); 0 < w < c; target += -a^2; c = 1")
	d := drawn(rand.New(rand.NewPCG(1, 9)), 5)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ReadModel(strings.Split(text, ";"))
		if err != nil {
			return
		}
		values := map[string]float64{}
		for _, s := range m.Set {
			values[s.Name] = s.Value
		}
		if p, err := m.On(d, values); err == nil {
			g := make([]float64, p.Dim())
			p.Grad(g, g, nil)
		}
	})
}

// BenchmarkLogistic is a gradient of a logistic regression of 14 features on 1,000 rows.
func BenchmarkLogistic(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 9))
	d := drawn(r, 1000)
	text := "y ~ bernoulli_logit(a"
	for k := range 14 {
		name := fmt.Sprintf("x%d", k)
		text += fmt.Sprintf(" + b%d*%s", k, name)
		for range d.Rows {
			d.Columns[name] = append(d.Columns[name], r.NormFloat64())
		}
	}
	p := posterior(b, text+")", d)
	g, theta := make([]float64, p.Dim()), make([]float64, p.Dim())
	for b.Loop() {
		p.Grad(g, theta, nil)
	}
}
