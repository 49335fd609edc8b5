package targets

import (
	"math"
	"testing"
)

// The variances are geometric, and everything is that of the plane where both are the same.
func TestDiagonal(t *testing.T) {
	p := open(t, "gaussian:d=50;cond=100", Options{})
	g := p.F64.(*Diagonal)
	if p.Dim() != 50 || math.Abs(g.v[0]-0.01) > 1e-17 || g.v[49] != 1 || math.Abs(g.v[25]/g.v[24]-math.Pow(100, 1.0/49)) > 1e-12 || p.Spec != "gaussian:d=50;cond=100" {
		t.Errorf("%s: variances %v", p.Spec, g.v)
	}
	plane := open(t, "gaussian:cov=0.25,0,0,1;noise=0.3", Options{}).F64.(*Gaussian)
	two := open(t, "gaussian:d=2;cond=4;noise=0.3", Options{}).F64.(*Diagonal)
	a, b := make([]float64, 4), make([]float64, 4)
	same := func(what string) {
		t.Helper()
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-14 {
				t.Errorf("%s: %v, in the plane %v", what, b, a)
			}
		}
		clear(a)
		clear(b)
	}
	theta, v := []float64{0.3, -0.4}, []float64{1, 2}
	plane.Grad(a, theta, nil)
	two.Grad(b, theta, nil)
	same("gradient")
	plane.GradHessian(a, a[2:], theta, nil)
	two.GradHessian(b, b[2:], theta, nil)
	same("Hessian's diagonal")
	plane.HessianVec(a, theta, v, nil)
	two.HessianVec(b, theta, v, nil)
	same("Hessian's product")
	plane.Fisher(a, theta, nil)
	two.Fisher(b, theta, nil)
	same("Fisher information")
	if !plane.SGLDCov(a, 0.1, 1) || !two.SGLDCov(b, 0.1, 1) || plane.MaxStep() != two.MaxStep() {
		t.Error("no stationary covariance")
	}
	same("stationary covariance")
	a[0], b[0] = plane.GradLogLik(a[2:], theta, nil), two.GradLogLik(b[2:], theta, nil)
	same("log density")
	copy(a, plane.Truth().Cov)
	copy(b, two.Truth().Cov)
	same("truth")
	plane.GradEach(a, []float64{1, 2, 3, 4})
	two.GradEach(b, []float64{1, 2, 3, 4})
	same("gradients at two points")
	if two.SGLDCov(b, two.MaxStep(), 1) {
		t.Error("a stationary covariance beyond the largest step")
	}
	for spec, want := range map[string]string{
		"gaussian:d=0":        `target gaussian: d must be a whole number from 1 to 1000, got "0"`,
		"gaussian:d=1001":     `target gaussian: d must be a whole number from 1 to 1000, got "1001"`,
		"gaussian:d=2.5":      `target gaussian: d must be a whole number from 1 to 1000, got "2.5"`,
		"gaussian:d=3;cond=0": `target gaussian: cond must be a number from 1 to 1e+06, got "0"`,
		"gaussian:d=3;a=2":    `target gaussian: unknown setting "a"; want one of d, cond, noise`,
	} {
		if _, err := Open(spec, Options{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", spec, err, want)
		}
	}
	for _, spec := range []string{"gaussian:d=1", "gaussian:d=1000;cond=1e6"} {
		p := open(t, spec, Options{})
		w := walk{target: p.F64, eps: p.Defaults.Eps, steps: 2000, bound: 100}
		if at := w.run(point(p, 1), 1, nil); at >= 0 {
			t.Errorf("%s diverged at step %d", spec, at)
		}
	}
}

// A parameter that is turned opens the same target with another value, and turned back it is the
// one that was opened.
func TestWith(t *testing.T) {
	for _, c := range []struct {
		spec, key string
		to        float64
		want      string
	}{
		{"gaussian", "target.a", 2, "gaussian:a=2"}, {"gaussian:a=2", "target.a", 1, "gaussian"}, {"gaussian:a=2", "target.noise", 0.1, "gaussian:a=2;noise=0.1"},
		{"gaussian:cov=1,0.9,0.9,1", "target.noise", 0.1, "gaussian:cov=1,0.9,0.9,1;noise=0.1"}, {"gaussian:d=5;cond=10", "target.cond", 20, "gaussian:d=5;cond=20"},
		{"banana", "target.b", -1, "banana:b=-1"}, {"mixture:gap=6", "target.w", 0.25, "mixture:gap=6;w=0.25"}, {"funnel", "target.s", 2, "funnel:s=2"},
		{"density:-a*x^2-b*y^2;a=1;b=2", "target.b", 3, "density:-a*x^2-b*y^2;a=1;b=3"},
	} {
		p := open(t, c.spec, Options{})
		q, err := p.With(c.key, c.to)
		if err != nil || q.Spec != c.want || q.Opened() != p || len(q.Params) != len(p.Params) {
			t.Errorf("%s with %s = %g: %v, %+v", c.spec, c.key, c.to, err, q)
			continue
		}
		first, at, _ := p.Param(c.key)
		if q.Values()[at] != c.to || q.Params[at].Default != first.Default || q.Params[at].Hi != first.Hi {
			t.Errorf("%s: %s is %v, declared as %+v", c.want, c.key, q.Values(), q.Params[at])
		}
		if back, err := q.With(c.key, first.Default); err != nil || back != p {
			t.Errorf("%s: turned back it is %+v (%v)", c.want, back, err)
		}
		if _, err := p.With(c.key, math.Inf(1)); err == nil {
			t.Errorf("%s: %s is infinite", c.spec, c.key)
		}
	}
	if _, err := open(t, "banana", Options{}).With("target.q", 1); err == nil {
		t.Error("a parameter that there is not")
	}
}
