package targets

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/targets/landscape"
)

// twins are targets of this package and formulas of the same densities, up to a constant.
var twins = []struct{ built, typed string }{
	{"gaussian:cov=2,-0.9,-0.9,0.7", "density:-0.5*(0.7*x^2 + 1.8*x*y + 2*y^2)/0.59"},
	{"banana", "density:-0.5*(x/s)^2 - 0.5*(y - b*x^2)^2;b=0.5;s=1.5"},
	{"banana:b=-1;s1=0.8", "density:normal(x, 0, 0.8) + normal(y, -x^2, 1)"},
	{"mixture", "density:logsumexp(normal(x, -2, 1) + normal(y, 0, 1), normal(x, 2, 0.7) + normal(y, 0, 0.7))"},
	{"funnel", "density:normal(y, 0, 1) + normal(x, 0, exp(y/2))"},
}

// The trapezoid rule is right to many digits, but for the funnel's neck.
func TestQuadrature(t *testing.T) {
	if testing.Short() {
		t.Skip("integrals over planes")
	}
	for _, c := range twins {
		truth, ref := open(t, c.built, Options{}).F64.(Truth).Truth(), open(t, c.typed, Options{}).Reference
		if ref == nil {
			t.Errorf("%s: no truth", c.typed)
			continue
		}
		for i, m := range truth.Mean {
			sd := math.Sqrt(truth.Cov[3*i])
			if math.Abs(ref.Mean[i]-m) > max(2*ref.Error, 1e-9)*sd ||
				math.Abs(ref.SD[i]-sd) > max(2*ref.Error, 1e-9)*sd {
				t.Errorf("%s: coordinate %d has mean %v and sd %v with an error of %v, want %v and %v",
					c.typed, i, ref.Mean[i], ref.SD[i], ref.Error, m, sd)
			}
		}
		if c.built[0] != 'f' && ref.Error > 1e-6 {
			t.Errorf("%s: an error of %v", c.typed, ref.Error)
		}
	}
	r := open(t, "density:gamma(x, 3, 2)", Options{}).Reference
	if r == nil || math.Abs(r.Mean[0]-1.5) > 1e-4 || math.Abs(r.SD[0]-math.Sqrt(0.75)) > 1e-4 {
		t.Errorf("gamma: %+v", r)
	}
	// Too heavy tails, no density, no plane, and a formula that takes too long.
	for _, spec := range []string{
		"density:cauchy(x, 0, 1)", "density:normal(y, 0, 3) + normal(x, 0, exp(y/2))",
		"density:cauchy(x,0,1) + cauchy(y,0,1)", "density:x + y", "density:-x^2 + 0*y", "density:x^2 - y^2",
		"density:-t1^2 - t2^2 - t3^2",
		"density:" + strings.Repeat("sin(x)*", 1) + strings.Repeat("(x+0.1)/(2+y^2)-", 3000) + "x^2-y^2",
	} {
		if p := open(t, spec, Options{}); p.Reference != nil {
			t.Errorf("%.40s: truth %+v", spec, p.Reference)
		}
	}
}

// Modes, widths and steps are found where they are, and the frame holds the mass.
func TestExplore(t *testing.T) {
	for _, c := range []struct {
		spec string
		mode []float64
		eps  [2]float64 // bounds
	}{
		{"density:-(1-x)^2 - b*(y-x^2)^2;b=5", []float64{1, 1}, [2]float64{1e-3, 1e-2}},
		{"density:-100*(x-500)^2", []float64{500}, [2]float64{2e-3, 2e-2}},
		{"density:gamma(x, 3, 2)", []float64{1}, [2]float64{1e-3, 0.3}},
		{"density:-(t1-7)^2 - (t2-t1)^2 - (t3-t2)^4", []float64{7, 7, 7}, [2]float64{0.005, 0.3}},
		{"density:-t1^2 - t5^2 - t4^2 - t3^2 - (t2+3)^2;d=5", []float64{0, -3, 0, 0, 0}, [2]float64{0.1, 0.5}},
		{"density:-t1^2 - (t2-t1^2)^2 - t3^2", []float64{0, 0, 0}, [2]float64{0.005, 0.05}},
		{"density:poisson(3, exp(x)) + normal(x, 0, 10)", []float64{1.0912}, [2]float64{0.05, 0.3}},
	} {
		p := open(t, c.spec, Options{})
		l := landscape.Explore(p.F64.(*Typed).tape, nil)
		for i, want := range c.mode {
			if math.Abs(l.Mode[i]-want) > 0.05*max(1, math.Abs(want)) {
				t.Errorf("%s: mode %v, want %v", c.spec, l.Mode, c.mode)
				break
			}
		}
		if e := p.Defaults.Eps; e < c.eps[0] || e > c.eps[1] {
			t.Errorf("%s: ε %v, want it in %v", c.spec, e, c.eps)
		}
	}
	for _, c := range twins {
		a, b := open(t, c.built, Options{}), open(t, c.typed, Options{})
		truth, f := a.F64.(Truth).Truth(), b.Frame
		for i, side := range [][2]float64{{f.X0, f.X1}, {f.Y0, f.Y1}} {
			m, sd := truth.Mean[i], math.Sqrt(truth.Cov[3*i])
			if side[0] > m-2*sd || side[1] < m+2*sd || side[1]-side[0] > 14*sd {
				t.Errorf("%s: the frame's side %v, mean %v and sd %v", c.typed, side, m, sd)
			}
		}
	}
}

// With the default step both samplers stay near the density, as on the built-in ones.
func TestTypedDefaultsRun(t *testing.T) {
	steps := 100_000
	if testing.Short() {
		steps = 20_000
	}
	for _, c := range twins {
		for _, alpha := range []float64{0, 0.99} {
			p := open(t, c.typed, Options{})
			w := walk{target: p.F64, eps: p.Defaults.Eps, alpha: alpha, steps: steps, bound: 1e3}
			if at := w.run(point(p, 5), 5, nil); at >= 0 {
				t.Errorf("%s, α %v, ε %v: diverged at step %d", c.typed, alpha, w.eps, at)
			}
		}
	}
}

// A start is finite where the density has an edge.
func TestTypedStart(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	p := open(t, "density:gamma(x, 1.5, 2) + beta(y, 2, 2)", Options{})
	theta := make([]float64, 2)
	for range 1000 {
		p.Init(theta, []float64{3 * r.NormFloat64(), 3 * r.NormFloat64()})
		if y := p.F64.(LogDensity[float64]).LogLik(theta); math.IsNaN(y) || math.IsInf(y, 0) {
			t.Fatalf("the start %v has log density %v", theta, y)
		}
	}
}

func TestTypedSpec(t *testing.T) {
	for spec, want := range map[string]string{
		"density: -(1-x)^2\t-b*(y-x^2)^2 ; b = 5 ": "density:-(1-x)^2 -b*(y-x^2)^2;b=5",
		"density:-t1^2;d=3":                        "density:-t1^2;d=3",
		"density:-t3^2;d=3":                        "density:-t3^2",
		"density:-x^2/(2*v);v=1e-3":                "density:-x^2/(2*v);v=0.001",
	} {
		p := open(t, spec, Options{})
		if p.Spec != want || open(t, p.Spec, Options{}).Spec != want {
			t.Errorf("%q is %q, want %q", spec, p.Spec, want)
		}
	}
	for spec, want := range map[string]string{
		"density":    "target density: column 1: the formula ends, want a number, a name or (",
		"density:x*": "target density: column 3: the formula ends, want a number, a name or (",
		"density:-b*x^2": `target density: column 2: "b" is neither a coordinate (x, y, t1 …), a constant (pi, e) ` +
			`nor a setting; add ;b=VALUE`,
		"density:-b*x^2;b=x":    `target density: b must be a number from -1e+12 to 1e+12, got "x"`,
		"density:-b*x^2;b=1;q=": `target density: unknown setting "q"; want one of d, b`,
		"density:-x^2;q=1":      `target density: unknown setting "q"; want d`,
		"density:-x^2;exp=1":    "target density: setting exp has the name of a function; want another name",
		"density:-x^2;d=2":      `target density: d must be 1, got "2"`,
		"density:-t1^2;d=1001":  `target density: d must be a whole number from 1 to 1000, got "1001"`,
		"density:-d*x^2;d=1":    `target density: column 2: "d" is the number of dimensions; want another name`,
	} {
		p, err := Open(spec, Options{})
		var misuse *SpecError
		if err == nil || err.Error() != want || p != nil || !errors.As(err, &misuse) {
			t.Errorf("%s: %v\nwant %s", spec, err, want)
		}
	}
}

// Any text is refused in one line, or opened.
func FuzzOpenDensity(f *testing.F) {
	for _, c := range twins {
		f.Add(strings.TrimPrefix(c.typed, "density:"))
	}
	f.Add("-x^2*a;a=1;d=1")
	f.Add("log(x)-x;;d=")
	f.Add("1/0*x")
	f.Add("-1e300*x^2-y^4")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Open("density:"+text, Options{})
		switch {
		case err != nil && strings.ContainsAny(err.Error(), "\n\x1b"):
			t.Errorf("%q: %q", text, err)
		case err != nil:
		case !(p.Defaults.Eps > 0) || p.Dim() == 2 && !(p.Frame.X1 > p.Frame.X0 && p.Frame.Y1 > p.Frame.Y0):
			t.Errorf("%q: ε %v, frame %v", text, p.Defaults.Eps, p.Frame)
		}
	})
}

// What a formula lacks to be a density is said where it can be told.
func TestTypedNotes(t *testing.T) {
	for spec, want := range map[string]string{
		"density:-t1^2-t3^2":       "t2 is not in the formula: it is flat along it, and no density",
		"density:-t1^2;0<t2<1;d=2": "",
		"density:-x^2-y^2":         "",
		"density:log(-x)":          "the formula rises beyond x = -1e+08: it is no density",
	} {
		if p := open(t, spec, Options{}); p.Note != want {
			t.Errorf("%s: %q, want %q", spec, p.Note, want)
		}
	}
}
