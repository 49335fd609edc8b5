package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Of halves that are independent and of one normal distribution F is above Fisher's quantile of 95% in 5% of runs.
func TestPartedF(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		chains int
		bound  float64
	}{{2, 18.513}, {4, 6.591}, {12, 2.717}} {
		const runs = 4000
		above := 0
		for range runs {
			x := make([][]float64, c.chains)
			for k := range x {
				x[k] = []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			}
			if partedF(x) > c.bound {
				above++
			}
		}
		if z := (float64(above)/runs - 0.05) / math.Sqrt(0.05*0.95/runs); math.Abs(z) > 3 {
			t.Errorf("%d chains: F is above its quantile of 95%% in %d of %d, z = %.1f", c.chains, above, runs, z)
		}
	}
}

// Chains that keep to one of four modes each are said to, by fewer effective draws than errors take, and chains of one
// distribution are not, though a part of them wanders slowly.
func TestParted(t *testing.T) {
	for _, c := range []struct {
		name          string
		chains, draws int
		apart         float64 // from mode to mode
		tau, slow     float64 // τ about a mode, and that of what wanders over all, 0 for none
		least, most   int
	}{
		{"a corner each", 12, 1100, 8, 4.2, 0, 75, 100}, // 130 effective draws each
		{"too short", 12, 110, 8, 4.2, 0, 0, 0},
		{"one distribution", 12, 1100, 0, 4.2, 0, 0, 0},
		{"a slow part", 4, 400, 0, 0.5, 1000, 0, 4},
		{"a slow part of twelve", 12, 400, 0, 0.5, 1000, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			const runs = 100
			r := rand.New(rand.NewPCG(3, 4))
			var compare Comparer
			said := 0
			for range runs {
				x := make([][]float64, c.chains)
				for k := range x {
					x[k] = make([]float64, c.draws)
					addAR1(r, x[k], c.tau, 1)
					if c.slow > 0 {
						addAR1(r, x[k], c.slow, 1)
					}
					for i := range x[k] {
						x[k][i] += c.apart * float64(k%4)
					}
				}
				if compare.Compare(x).RHat.Value >= 1.1 && compare.Parted(x) {
					said++
				}
			}
			if t.Log(said); said < c.least || said > c.most {
				t.Errorf("said of %d of %d, want %d to %d", said, runs, c.least, c.most)
			}
		})
	}
}
