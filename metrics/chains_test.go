package metrics

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/stat"
)

// Nested R-hat by the letters of its paper: θ^(nmk), means with dots for what is averaged.
func TestNestedRHat(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 40))
	for _, size := range [][3]int{{2, 1, 50}, {4, 8, 1}, {3, 5, 7}, {16, 16, 3}} {
		k, m, n := size[0], size[1], size[2]
		chains := make([][][]float64, k)
		var means []float64
		within := 0.0
		for i := range chains {
			chains[i] = make([][]float64, m)
			var of, all []float64
			for j := range chains[i] {
				x := make([]float64, n)
				for l := range x {
					x[l] = r.NormFloat64() + 0.3*float64(i)
				}
				chains[i][j] = x
				of, all = append(of, stat.Mean(x, nil)), append(all, x...)
				if n > 1 {
					within += stat.Variance(x, nil) / float64(m) / float64(k)
				}
			}
			means = append(means, stat.Mean(all, nil))
			if m > 1 {
				within += stat.Variance(of, nil) / float64(k)
			}
		}
		want := math.Sqrt(1 + stat.Variance(means, nil)/within)
		if got := NestedRHat(chains); !got.OK() || !scalar.EqualWithinRel(got.Value, want, 1e-12) ||
			got.Draws != uint64(k*m*n) {
			t.Errorf("%d groups of %d chains of %d draws: %+v, want %v", k, m, n, got, want)
		}
	}
	// One draw of each of M stationary chains: R̂² - 1 is 1/M on average.
	const groups, m = 200, 50
	chains := make([][][]float64, groups)
	for k := range chains {
		for range m {
			chains[k] = append(chains[k], []float64{r.NormFloat64()})
		}
	}
	got := NestedRHat(chains).Value
	// The variance over 200 groups is good to √(2/200) = 10%.
	if v := got*got - 1; math.Abs(v*m-1) > 0.3 {
		t.Errorf("R̂² - 1 is %v, want 1/%d", v, m)
	}
	chains[3][4][0] = math.NaN()
	if s := NestedRHat(chains).Status; s != NotFinite {
		t.Errorf("with a NaN %q", s)
	}
	if s := NestedRHat([][][]float64{{{1}, {1}}, {{2}, {2}}}).Status; s != Constant {
		t.Errorf("of constants %q", s)
	}
	if s := NestedRHat([][][]float64{{{1}}, {{2}}}).Status; s != TooShort {
		t.Errorf("of a draw each %q", s)
	}
}

// Energies that are independent have E-BFMI 2, and a random walk in energy has 2(1-ρ).
func TestEBFMI(t *testing.T) {
	for _, rho := range []float64{0, 0.5, 0.9} {
		var e EBFMI
		for _, v := range ar1(rho, 100_000, 3) {
			e.Add(v + 1e4)
		}
		want := 2 * (1 - rho)
		// ρ̂ is good to √((1-ρ²)/n), at most 0.003.
		if got := e.Result(); !got.OK() || math.Abs(got.Value-want) > 0.02 {
			t.Errorf("ρ %v: E-BFMI %+v, want %v", rho, got, want)
		}
	}
	var e EBFMI
	for i := range 200 {
		if s := e.Result().Status; i < 100 && s != TooShort || i >= 100 && s != Constant {
			t.Errorf("%d equal energies: %q", i, s)
		}
		e.Add(3)
	}
	e.Add(math.Inf(1))
	if s := e.Result().Status; s != NotFinite {
		t.Errorf("an infinite energy: %q", s)
	}
	e.Reset()
	if e != (EBFMI{}) {
		t.Error("Reset leaves something")
	}
}

func TestRanks(t *testing.T) {
	var c Comparer
	// Sorted: 1 2 3 3 3 5 8 9; the 3s are ranks 3 to 5.
	if counts := c.RankCounts([][]float64{{1, 5, 3, 3}, {2, 3, 9, 8}}, 2)[0]; counts[0] != 3 || counts[1] != 1 {
		t.Errorf("ranks of the first chain %v, want 3 and 1: the tied 3s have rank 4 of 8", counts)
	}
	// Independent draws: bins within 4 standard errors of their expectation, and the share of the lowest ranks
	// within its band at 95% of the points, give or take what neighbours share.
	chains := make([][]float64, 4)
	const n = 4000
	for k := range chains {
		chains[k] = ar1(0, n, uint64(70+k))
	}
	all, fine := c.RankCounts(chains, 20), c.RankCounts(chains, 100)
	for k, bins := range all {
		total, out := 0, 0
		for _, v := range bins {
			total += v
			if math.Abs(float64(v)-200) > 4*math.Sqrt(200) {
				t.Errorf("chain %d: bins %v", k, bins)
				break
			}
		}
		if total != n {
			t.Errorf("%d draws in the bins", total)
		}
		sum := 0
		for j, v := range fine[k] {
			sum += v
			if u := float64(j+1) / 100; math.Abs(float64(sum)/n-u) > Band(u, n, 4) {
				out++
			}
		}
		if out > 35 {
			t.Errorf("chain %d: %d of 100 points outside of the band", k, out)
		}
	}
	chains[1][7] = math.NaN()
	if counts := c.RankCounts(chains, 1); counts[0][0] != 0 {
		t.Error("ranks of NaN")
	}
}
