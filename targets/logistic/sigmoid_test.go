package logistic

import (
	"math"
	"testing"
)

// math.Exp errs by less than 1 ulp, 2.2e-16, so that the bounds below are
// ours. The grid of 2·10⁵ irregular points meets every table entry.
func TestExpAllAndSigmoidAll(t *testing.T) {
	var worstExp, worstSigmoid float64
	var z, s [1]float64
	for i := -100_000; i <= 100_000; i++ {
		x := 708 * float64(i) / 100_000
		if i%2 == 0 {
			x /= 50 // more points where probabilities are not 0 or 1
		}
		z[0], s[0] = x, x
		ExpAll(z[:])
		SigmoidAll(s[:])
		worstExp = max(worstExp, math.Abs(z[0]/math.Exp(x)-1))
		worstSigmoid = max(worstSigmoid, math.Abs(s[0]*(1+math.Exp(-x))-1))
	}
	if !(worstExp < 5e-15) || !(worstSigmoid < 1e-13) {
		t.Errorf("relative errors %v (exp), %v (sigmoid)", worstExp, worstSigmoid)
	}
}

func TestSigmoidAllAtTheEnds(t *testing.T) {
	z := []float64{0, math.Inf(1), math.Inf(-1), 1e300, -1e300, math.NaN(), 0 / math.Inf(1), -800}
	SigmoidAll(z)
	for i, want := range []float64{0.5, 1, 0, 1, 0, math.NaN(), 0.5, 0} {
		if math.IsNaN(want) != math.IsNaN(z[i]) || math.Abs(z[i]-want) > 1e-300 {
			t.Errorf("element %d: %v, want %v", i, z[i], want)
		}
	}
}
