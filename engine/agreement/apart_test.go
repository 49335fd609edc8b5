package agreement

import (
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/metrics"
)

// Of long chains R-hat passes what is many standard errors: four chains of one law agree, and those of which one has a
// mean a tenth of an sd off, which is 14 of its errors, do not.
func TestMeansApart(t *testing.T) {
	const chains, n = 4, 20_000
	for seed := range uint64(20) {
		for _, off := range []float64{0, 0.1} {
			c := Chains{Dim: 1}
			for k := range chains {
				rng := rand.New(rand.NewPCG(seed, uint64(k)))
				b := &metrics.Block{Dim: 1, Cap: n, N: n, X: make([]float64, n), W: make([]float64, n)}
				for i := range b.X {
					b.X[i], b.W[i] = rng.NormFloat64(), 1
				}
				for i := range b.X {
					if k == 0 {
						b.X[i] += off
					}
				}
				chain, keeper := metrics.NewChain(1), NewKeeper(chains, 1, metrics.DefaultKept)
				chain.Add(b)
				keeper.Add(b)
				c.Pool, c.Keepers = append(c.Pool, chain), append(c.Keepers, keeper)
			}
			c.Forget()
			a := c.Agreement(0, Moment{Draws: chains * n, Kept: chains * n})
			if want := []metrics.Status{metrics.OK, metrics.Disagree}; a.Status != want[min(1, int(10*off))] ||
				!(a.RHat.Value < metrics.RHatBound) {
				t.Errorf("seed %d, a mean off by %g: %v, R-hat %.4f", seed, off, a.Status, a.RHat.Value)
			}
		}
	}
}
