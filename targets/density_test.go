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
