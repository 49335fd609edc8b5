package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// sghmcLine is a chain of SGHMC with friction a at step size eps on N(0, v), from its stationary law, whose variance it
// returns.
func sghmcLine(r *rand.Rand, x []float64, a, eps, v float64) (stationary float64) {
	// (θ, u)' = A (θ, u) + b z with u' = (1-a) u - ε/2v θ + √(aε) z and θ' = θ + u'.
	h, s2 := eps/2/v, a*eps
	tt, tu, uu := v, 0.0, eps/2
	for range 200_000 {
		nuu := (1-a)*(1-a)*uu - 2*(1-a)*h*tu + h*h*tt + s2
		ntu := (1-a)*tu - h*tt + nuu
		tt, tu, uu = tt+2*((1-a)*tu-h*tt)+nuu, ntu, nuu
	}
	th := math.Sqrt(tt) * r.NormFloat64()
	u := tu/tt*th + math.Sqrt(uu-tu*tu/tt)*r.NormFloat64()
	s := math.Sqrt(s2)
	for t := range x {
		u = (1-a)*u - h*th + s*r.NormFloat64()
		th += u
		x[t] = th
	}
	return tt
}

// The errors of sd and quantiles of chains that swing cover what they are errors of: ranks of such a chain, and R's
// sum over lags, take it for one that does not.
func TestErrorsOfChainsThatSwing(t *testing.T) {
	const runs, n = 100, 20_000
	var c Comparer
	for _, w := range []struct{ friction, eps, v float64 }{{0.03, 0.1, 1}, {0.03, 0.1, 0.16}, {0.1, 0.1, 1},
		{0.1, 0.1, 0.16}} {
		x, names := make([]float64, n), []string{"sd", "5%", "95%"}
		shown, right := 0.0, make([]float64, len(names))
		for s := range uint64(runs) {
			v := sghmcLine(rand.New(rand.NewPCG(s, 77)), x, w.friction, w.eps, w.v)
			sd := math.Sqrt(v)
			r := c.Compare([][]float64{x})
			if !r.SD.OK() {
				continue
			}
			shown++
			for i, e := range []Estimate{r.SD, r.Q5, r.Q95} {
				if math.Abs(e.Value-[]float64{sd, -1.6448536 * sd, 1.6448536 * sd}[i]) <= 1.959964*e.Error {
					right[i]++
				}
			}
		}
		for i, name := range names {
			t.Logf("friction %v, variance %v, %s: %.2f of %v intervals are right", w.friction, w.v, name,
				right[i]/shown, shown)
			if right[i] < 0.85*shown || shown < runs/2 {
				t.Errorf("friction %v, variance %v, %s: %v of %v intervals are right", w.friction, w.v, name,
					right[i], shown)
			}
		}
	}
}
