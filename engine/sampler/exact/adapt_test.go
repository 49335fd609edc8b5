package exact

import (
	"math"
	"testing"
)

// Three steps of Hoffman and Gelman's algorithm 5 by hand. The weights of H̄ are
// 1/(m+t₀) and (m-1+t₀)/(m+t₀), so that (m+10) H̄_m is the sum of the a - α there
// were: with a = 0.8 and α = 0.2, 1, 0.5
//
//	H̄ = 0.6/11, 0.4/12, 0.7/13,  log δ = log(10·0.3) - 20 √m H̄.
func TestDualAveragingByHand(t *testing.T) {
	const warmup = 3
	num := make([]float64, metroNumbers)
	a := adaptation{num: num, target: 0.8, warmup: warmup, on: true}
	const delta = 0.3
	if got := a.eps(delta * delta); got != delta*delta {
		t.Errorf("the first ε is %g, want the one given, %g", got, delta*delta)
	}
	h := []float64{0.6 / 11, 0.4 / 12, 0.7 / 13}
	mean := 0.0
	for i, accept := range []float64{0.2, 1, 0.5} {
		m := float64(i + 1)
		log := math.Log(3) - 20*math.Sqrt(m)*h[i]
		// m^-¾ is 1, 0.5946 and 0.4387.
		eta := []float64{1, 0.5946035575013605, 0.43869133765083085}[i]
		mean = eta*log + (1-eta)*mean
		if !a.learn(accept) {
			t.Errorf("step %g is none of the warm-up", m)
		}
		eps := math.Exp(2 * log)
		if m == warmup {
			eps = math.Exp(2 * mean)
		}
		for _, c := range []struct {
			name      string
			got, want float64
		}{{"H̄", num[adaptError], h[i]}, {"log δ̄", num[adaptMean], mean}, {"ε", a.eps(delta * delta), eps}} {
			// Some ten roundings, of numbers of the order of 1.
			if math.Abs(c.got-c.want) > 1e-14 {
				t.Errorf("step %g: %s = %.16g, want %.16g", m, c.name, c.got, c.want)
			}
		}
	}
	if a.learn(0); a.eps(delta*delta) != math.Exp(2*num[adaptMean]) {
		t.Error("a step after the warm-up changes ε")
	}
}
