package targets

import (
	"math"
	"testing"
)

// The variances are geometric.
func TestDiagonal(t *testing.T) {
	p := open(t, "gaussian:d=50;cond=100", Options{})
	g := p.F64.(*Diagonal)
	if p.Dim() != 50 || math.Abs(g.v[0]-0.01) > 1e-17 || g.v[49] != 1 ||
		math.Abs(g.v[25]/g.v[24]-math.Pow(100, 1.0/49)) > 1e-12 || p.Spec != "gaussian:d=50;cond=100" {
		t.Errorf("%s: variances %v", p.Spec, g.v)
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
		{"gaussian", "target.a", 2, "gaussian:a=2"}, {"gaussian:a=2", "target.a", 1, "gaussian"},
		{"gaussian:a=2", "target.noise", 0.1, "gaussian:a=2;noise=0.1"},
		{"gaussian:cov=1,0.9,0.9,1", "target.noise", 0.1, "gaussian:cov=1,0.9,0.9,1;noise=0.1"},
		{"gaussian:d=5;cond=10", "target.cond", 20, "gaussian:d=5;cond=20"},
		{"banana", "target.b", -1, "banana:b=-1"}, {"mixture:gap=6", "target.w", 0.25, "mixture:gap=6;w=0.25"},
		{"funnel", "target.s", 2, "funnel:s=2"},
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
