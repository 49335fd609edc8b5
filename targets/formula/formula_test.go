package formula

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

// tapeOf compiles a formula that must parse.
func tapeOf(tb testing.TB, text string, values map[string]float64) *Tape {
	tb.Helper()
	f, err := Parse(text)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return f.Compile(f.Dim, values)
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64 // at x = 0.7, y = -1.3, with b = 5
	}{
		{"x", 0.7}, {"-x^2 + 0*y", -0.49}, {"2^-x + 0*y", math.Pow(2, -0.7)}, {"-2^2 + x - x", -4},
		{"2^3^2 + 0*x", 512},
		{"x - y - 1", 1}, {"x / y / 2", -0.7 / 1.3 / 2}, {"(x + y) * b", -3}, {"x*y*pi", -0.91 * math.Pi},
		{"e^x + 0*y", math.Exp(0.7)},
		{"y^3 + 0*x", -2.197}, {"y^-2 + 0*x", 1 / 1.69}, {"--x + +y", -0.6}, {"1.5e1*x + .5*y", 10.5 - 0.65},
		{"-(1-x)^2 - b*(y-x^2)^2", -0.09 - 5*1.79*1.79},
		{"logsumexp(x, y, 0)", math.Log(math.Exp(0.7) + math.Exp(-1.3) + 1)}, {"min(x, y, 3) + max(x, y)", -0.6},
		{"normal(x, 0.2, 2) + 0*y", -0.5*0.0625 - math.Log(2*math.Sqrt(2*math.Pi))},
		{"cauchy(x, 0, 2) + 0*y", -math.Log(2 * math.Pi * (1 + 0.35*0.35))},
		{"student_t(x, 1, 0, 2) - cauchy(x, 0, 2) + 0*y", 0},
		{"laplace(x, 1, 2) + 0*y", -math.Log(4) - 0.15}, {"gamma(x, 1, 2) - exponential(x, 2) + 0*y", 0},
		{"beta(x, 2, 3) + 0*y", math.Log(12 * 0.7 * 0.09)},
		{"logistic(x, 0, 1) - log(sigmoid(x)) - log(sigmoid(-x)) + 0*y", 0},
		{"lognormal(x, 0, 1) - normal(log(x), 0, 1) + log(x) + 0*y", 0},
		{"poisson(3, x) + 0*y", 3*math.Log(0.7) - 0.7 - math.Log(6)}, {"bernoulli_logit(1, y) - log(sigmoid(y)) + 0*x", 0},
		{"tan(x) + sinh(y) + cosh(x) + tanh(y) + atan(x)",
			math.Tan(0.7) + math.Sinh(-1.3) + math.Cosh(0.7) + math.Tanh(-1.3) + math.Atan(0.7)},
		{"abs(y) + sqrt(x) + log1p(x) + expm1(y) + softplus(y)",
			1.3 + math.Sqrt(0.7) + math.Log1p(0.7) + math.Expm1(-1.3) + math.Log1p(math.Exp(-1.3))},
	} {
		if !strings.Contains(c.text, "y") {
			c.text += " + 0*y"
		}
		if got := tapeOf(t, c.text, map[string]float64{"b": 5}).Value([]float64{0.7, -1.3}); math.Abs(got-c.want) >
			1e-14*max(1, math.Abs(c.want)) {
			t.Errorf("%s is %.17g, want %.17g", c.text, got, c.want)
		}
	}
}

func TestDensitiesAreNaNBeyondTheirSupport(t *testing.T) {
	for _, c := range []struct {
		text   string
		beyond float64
	}{
		{"exponential(x, 2)", -0.5}, {"gamma(x, 1, 2)", -0.5}, {"gamma(x, 3, 2)", -0.5}, {"lognormal(x, 0, 1)", -0.5},
		{"beta(x, 1, 1)", -0.5}, {"beta(x, 1, 1)", 1.5}, {"beta(x, 2, 5)", 1.5},
	} {
		if got := tapeOf(t, c.text, nil).Value([]float64{c.beyond}); !math.IsNaN(got) {
			t.Errorf("%s is %v at x = %v, want NaN", c.text, got, c.beyond)
		}
		f, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Symbols(nil).Value.at([]float64{c.beyond}, nil); !math.IsNaN(got) {
			t.Errorf("%s is %v at x = %v as an expression, want NaN", c.text, got, c.beyond)
		}
	}
}

// random is a formula in x and y of about n operations, finite near the origin.
func random(r *rand.Rand, n int) string {
	if n <= 0 {
		return [...]string{"x", "y", "x", "y", "0.7", "2", "b"}[r.IntN(7)]
	}
	k := r.IntN(n)
	a, b := random(r, k), random(r, n-1-k)
	switch r.IntN(22) {
	case 0, 1, 2:
		return "(" + a + " + " + b + ")"
	case 3, 4:
		return "(" + a + " - " + b + ")"
	case 5, 6, 7:
		return a + "*" + b
	case 8:
		return "(" + a + ")/(1.5 + (" + b + ")^2)"
	case 9:
		return "(" + a + ")^2"
	case 10:
		return "(1.1 + sin(" + a + "))^(" + b + ")"
	case 11:
		return "-(" + a + ")^3"
	case 12:
		return "logsumexp(" + a + ", " + b + ", 0.3)"
	case 13:
		return "normal(" + a + ", " + b + ", 1.3)"
	case 14:
		return "student_t(" + a + ", 3, " + b + ", 0.8)"
	case 15:
		return "lgamma(1 + exp(sin(" + a + ")))"
	case 16:
		return "log(1.2 + cos(" + a + "))"
	case 17:
		return "tan(0.5*sin(" + a + ")) + cosh(sin(" + b + "))"
	case 18:
		return "gamma(1 + sigmoid(" + a + "), 2, 3 + tanh(" + b + "))"
	}
	f := [...]string{"exp(sin", "log1p(softplus", "expm1(tanh", "sqrt(softplus", "sin(tanh", "sinh(sin", "atan(tanh",
		"sigmoid(cos"}
	return f[r.IntN(len(f))] + "(" + a + "))"
}

// A central difference of step h errs by h²/6 of the third derivative and by rounding, of
// 1e-16/h: for h = 1e-5 by 1e-10 of the size of value and derivatives.
func TestDerivatives(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const h = 1e-5
	for n := 0; n < 100; {
		text := random(r, 1+r.IntN(12)) + " + x*y/10"
		tape := tapeOf(t, text, map[string]float64{"b": 1.7})
		theta := []float64{0.8 * r.NormFloat64(), 0.8 * r.NormFloat64()}
		g, hess, again := make([]float64, 2), make([]float64, 2), make([]float64, 2)
		tape.GradHessian(g, hess, theta)
		value := tape.Grad(again, theta)
		if size := math.Abs(value) + math.Abs(g[0]) + math.Abs(g[1]) + math.Abs(hess[0]) +
			math.Abs(hess[1]); !(size < 100) {
			continue // differences are too rough there
		}
		n++
		if value != tape.Value(theta) || g[0] != again[0] || g[1] != again[1] {
			t.Errorf("%s: the value or the gradient is another, %v and %v", text, g, again)
		}
		at := func(i int, by float64) []float64 {
			x := append([]float64(nil), theta...)
			x[i] += by
			return x
		}
		for i := range theta {
			up, down, column, unit := make([]float64, 2), make([]float64, 2), make([]float64, 2), make([]float64, 2)
			unit[i] = 1
			if want := (tape.Value(at(i, h)) - tape.Value(at(i, -h))) / (2 * h); math.Abs(g[i]-want) >
				1e-6*max(1, math.Abs(want)) {
				t.Errorf("%s at %v: ∂%d is %v, by differences %v", text, theta, i, g[i], want)
			}
			tape.Grad(up, at(i, h))
			tape.Grad(down, at(i, -h))
			tape.HessianVec(column, theta, unit)
			for j := range column {
				if want := (up[j] - down[j]) / (2 * h); math.Abs(column[j]-want) > 1e-5*max(1, math.Abs(want)) {
					t.Errorf("%s at %v: ∂%d∂%d is %v, by differences %v", text, theta, i, j, column[j], want)
				}
			}
			if math.Abs(hess[i]-column[i]) > 1e-12*max(1, math.Abs(hess[i])) {
				t.Errorf("%s: the Hessian's diagonal has %v, its product %v", text, hess[i], column[i])
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":              "column 1: the formula ends, want a number, a name or (",
		"   ":           "column 4: the formula ends, want a number, a name or (",
		"2":             "column 1: the formula has no coordinate; want x, or x and y, or t1 … tD",
		"y":             "column 1: y stands there without x; want x, or x and y, or t1 … tD",
		"x + t1":        "column 5: x stands beside t1; want x, or x and y, or t1 … tD",
		"t1001":         `column 1: "t1001" is beyond t1000, the last coordinate there can be`,
		"x + * y":       `column 5: "*" stands there, want a number, a name or (`,
		"x + ":          "column 5: the formula ends, want a number, a name or (",
		"2x":            `column 2: "x" stands there, want + - * / ^ or the end`,
		"x y":           `column 3: "y" stands there, want + - * / ^ or the end`,
		"(x":            "column 3: the formula ends, want + - * / ^ or )",
		"x)":            `column 2: ")" stands there, want + - * / ^ or the end`,
		"exp(x":         "column 6: the formula ends, want + - * / ^ , or )",
		"exp x":         `column 5: "x" stands there, want ( after the function exp`,
		"normal(x, 1)":  "column 1: normal has 2 values, want normal(a, m, s)",
		"x + exp(x, 2)": "column 5: exp has 2 values, want exp(a)",
		"x ? 1 : 2": `column 3: "?" is not part of any formula; ` +
			`want numbers, names, + - * / ^ ( ) and commas`,
		"let a = 2; x": `column 1: "let" stands there, want a number, a name or (`,
		"x[0]": `column 2: "[" is not part of any formula; ` +
			`want numbers, names, + - * / ^ ( ) and commas`,
		"x | exp()": `column 3: "|" is not part of any formula; ` +
			`want numbers, names, + - * / ^ ( ) and commas`,
		"x in y":                 `column 3: "in" stands there, want + - * / ^ or the end`,
		"x**2":                   `column 2: "**" stands there, want ^ for a power, as in x^2`,
		"y*x²":                   `column 4: "²" stands there, want ^ for a power, as in x^2`,
		"x // 2":                 `column 4: "/" stands there, want a number, a name or (`,
		"1e400*x":                `column 1: "1e400" is no number that can be used`,
		"123456789012345678901x": `column 1: "123456789012345678901" is too long, write it as 1e20`,
		"α*x": `column 1: "α" is not part of any formula; ` +
			`want numbers, names, + - * / ^ ( ) and commas`,
		"x + \x1b[31m": `column 5: "·" is not part of any formula; ` +
			`want numbers, names, + - * / ^ ( ) and commas`,
		"(x, 2)":  `column 3: "," stands there, want + - * / ^ or )`,
		"1.2.3*x": `column 4: ".3" stands there, want + - * / ^ or the end`,
	} {
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
	if _, err := Parse("x + count(x)"); err == nil ||
		!strings.HasPrefix(err.Error(), `column 5: "count" is no function; want one of exp, log`) {
		t.Error(err)
	}
}

// What nests deep is refused before the parser recurses, and what is only long is not.
func TestLimits(t *testing.T) {
	deep := func(n int, open, shut string) string { return strings.Repeat(open, n) + "x" + strings.Repeat(shut, n) }
	for _, text := range []string{deep(1e4, "(", ")"), deep(1001, "exp(", ")"), deep(3e4, "-", ""),
		"x" + strings.Repeat("^x", 3e4), "x" + strings.Repeat("^-x", 600), deep(2e4, "2^(", ")")} {
		if _, err := Parse(text); err == nil ||
			!strings.HasSuffix(err.Error(), "lie more than 1000 deep") && !strings.Contains(err.Error(), "bytes") {
			t.Errorf("%.20s…: %v", text, err)
		}
	}
	for _, text := range []string{deep(1e6, "(", ")"), strings.Repeat("x+", 1e6)} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), "bytes, want at most 65536") {
			t.Errorf("%.20s…: %v", text, err)
		}
	}
	sum := strings.Repeat("x^2+-y^2*exp(-x)+", 3000) + "x"
	tape := tapeOf(t, sum, nil)
	if got, want := tape.Value([]float64{1, 2}), 3000*(1-4*math.Exp(-1))+1; math.Abs(got-want) > 1e-9*want &&
		math.Abs(got-want) > 1e-8 {
		t.Errorf("the long sum is %v, want %v", got, want)
	}
	tapeOf(t, deep(990, "(", ")"), nil)
	tapeOf(t, "x"+strings.Repeat("*-x", 5000), nil)
}

func TestParams(t *testing.T) {
	f, err := Parse("-a*x^2 - bb*y^2*a + e - pi")
	if err != nil || f.Dim != 2 || fmt.Sprint(f.Params) != "[{a 2} {bb 10}]" {
		t.Errorf("%v, %+v", err, f)
	}
	if f, err = Parse("-t3^2 - t1^2"); err != nil || f.Dim != 3 || !f.Indexed {
		t.Errorf("%v, %+v", err, f)
	}
	if f, err = Parse("-t1^2 + t01 + t0 + t"); err != nil || f.Dim != 1 || len(f.Params) != 3 {
		t.Errorf("%v, %+v", err, f)
	}
}

// Points at which a slope is infinite or a branch is not taken give finite gradients where the
// formula has one.
func TestEdges(t *testing.T) {
	g := make([]float64, 2)
	for text, want := range map[string][2]float64{
		"x^0 + y^1 + 0*x": {0, 1}, "x^3*0 + y*2": {0, 2}, "logsumexp(x, -1e300*1e300, y)": {0.5, 0.5},
		"min(sqrt(x), -1) + y": {0, 1}, "abs(x) + y": {0, 1},
	} {
		if tapeOf(t, text, nil).Grad(g, []float64{0, 0}); g[0] != want[0] || g[1] != want[1] {
			t.Errorf("%s: gradient %v at the origin, want %v", text, g, want)
		}
	}
}

func TestAllocations(t *testing.T) {
	tape := tapeOf(t, "normal(x, 0, 1.5) + normal(y, b*x^2, 1)", map[string]float64{"b": 0.5})
	theta, g, h := []float64{0.3, 0.4}, make([]float64, 2), make([]float64, 2)
	if n := alloctest.PerRun(1000, func() {
		tape.Grad(g, theta)
		tape.GradHessian(g, h, theta)
		tape.HessianVec(g, theta, h)
		tape.Value(theta)
	}); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}

// No text crashes, and what parses compiles to a gradient of the right length.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"-(1-x)^2 - b*(y-x^2)^2", "logsumexp(normal(x,0,1), normal(x,3,.5)-2)", "t1*t2^t3", "((((x))))", "x ? 1 : 2",
		"let a = 1; x", "x | map(#)",
		"exp(", "1e5e5x", "--x^-2^-3", "sum(x)", "min(x,", "x..y", "/*", "x//y", "t0 + t1000",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		formula, err := Parse(text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\x1b") || strings.Contains(err.Error(), "cannot be read") ||
				strings.Contains(err.Error(), "no arithmetic") {
				t.Errorf("%q: %q", text, err)
			}
			return
		}
		values := map[string]float64{}
		for i, p := range formula.Params {
			values[p.Name] = float64(i) + 0.5
		}
		tape := formula.Compile(formula.Dim, values)
		theta, g, h := make([]float64, formula.Dim), make([]float64, formula.Dim), make([]float64, formula.Dim)
		for i := range theta {
			theta[i] = 0.3 + float64(i)
		}
		y := tape.Grad(g, theta)
		tape.HessianVec(h, theta, theta)
		if v := tape.Value(theta); v != y && (v == v || y == y) {
			t.Errorf("%q is %v and %v", text, v, y)
		}
	})
}

func BenchmarkGrad(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"banana", "-0.5*(x/1.5)^2 - 0.5*(y-0.5*x^2)^2"},
		{"mixture", "logsumexp(log(0.5) + normal(x,-2,1)+normal(y,0,1), log(0.5)+normal(x,2,0.7)+normal(y,0,0.7))"},
		{"funnel", "-0.5*y^2 - y/2 - 0.5*x^2*exp(-y)"},
	} {
		b.Run(c.name, func(b *testing.B) {
			tape := tapeOf(b, c.text, nil)
			g, theta := make([]float64, 2), []float64{0.4, -0.3}
			b.ReportAllocs()
			for b.Loop() {
				tape.Grad(g, theta)
			}
		})
	}
}
