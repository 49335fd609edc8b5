package targets

import (
	"math"
	"strings"
	"testing"
)

// That the truth is not known is said only for as long as it is not.
func TestDensityWithoutTruth(t *testing.T) {
	p, err := Open("density:normal(t1,0,1)+normal(t2,t1,1)+normal(t3,t2,1)", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if note := p.Remark(); !strings.HasSuffix(note, "are not known; --truth hmc estimates them") {
		t.Errorf("without a truth: %q", note)
	}
	p.Reference = &Reference{}
	if note := p.Remark(); note != "" {
		t.Errorf("with a truth: %q", note)
	}
}

// Far out and at the edge of float64 the mixture's gradient stays that of the
// nearer component, without NaN.
func TestMixtureFarOut(t *testing.T) {
	p := open(t, "mixture", Options{})
	m := p.F64.(*Mixture)
	grad := make([]float64, 2)
	m.Grad(grad, []float64{-1e6, 3}, nil)
	if want := -m.p1 * (-1e6 + m.gap/2); math.Abs(grad[0]-want) > 1e-6 {
		t.Errorf("gradient %v, want %v", grad[0], want)
	}
}

// A mode of 3% of the mass is seen, though it is five standard deviations off the mean.
func TestFrameHoldsTheModes(t *testing.T) {
	for _, at := range []float64{-10, 10} {
		p := open(t, FormulaPrefix+"log(0.97*exp(-x^2/2)+0.03*exp(-(x-c)^2/2));c="+format(at), Options{})
		if f := p.Frame; f.X0 > min(0, at)-2 || f.X1 < max(0, at)+2 {
			t.Errorf("a mode at %v: the frame is %v", at, f)
		}
	}
}

// Mean and variance of densities with bounds are those of the coordinates, which are known exactly. There are none if
// a tail is too heavy for them.
func TestDensityWithBounds(t *testing.T) {
	for _, c := range []struct {
		spec           string
		mean, variance float64
	}{
		{"gamma(x, k, 1);x > 0;k=0.5", 0.5, 0.5}, {"gamma(x, 2, 1);x > 0", 2, 2},
		{"beta(x, 2, 5);0 < x < 1", 2. / 7, 10. / (49 * 8)},
		{"normal(x, 0, 1);x < 0", -math.Sqrt(2 / math.Pi), 1 - 2/math.Pi},
		{"cauchy(x, 0, 1);x > 0", 0, 0}, {"student_t(x, 2.1, 0, 1);x > 0", 0, 0},
	} {
		p := open(t, FormulaPrefix+c.spec, Options{})
		r := p.Known()
		if (r == nil) != (c.variance == 0) {
			t.Errorf("%s: a truth is known: %v", c.spec, r != nil)
		} else if r != nil && !(math.Abs(r.Mean[0]-c.mean) < 1e-6 && math.Abs(r.Cov[0]-c.variance) < 1e-6) {
			t.Errorf("%s: mean %v, variance %v, want %v and %v", c.spec, r.Mean, r.Cov, c.mean, c.variance)
		}
	}
	if _, err := Open("density:-x^2;x > c", Options{}); err == nil || !strings.Contains(err.Error(), `"c" is neither`) {
		t.Errorf("a bound by a name without a value: %v", err)
	}
}
