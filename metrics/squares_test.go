package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The error of the sd is its spread over seeds, whatever the chain does between neighbours, and that of all draws
// and not of every fourth. On N(0, 1) with ρ_t = ρ^t the mean of squares has the variance 2/n (1+ρ²)/(1-ρ²).
func TestSDError(t *testing.T) {
	if testing.Short() {
		t.Skip("a calibration over many chains")
	}
	const n = 100_000
	runs := calibrationRuns / 2
	for _, rho := range []float64{0, 0.9, -0.9, 0.99} {
		want := math.Sqrt(2/float64(n)*(1+rho*rho)/(1-rho*rho)) / 2
		square, sds, every4, errorOfAll := 0.0, 0.0, 0.0, 0.0
		var by Comparer
		for s := range uint64(runs) {
			x := make([]float64, n)
			v, r := 0.0, rand.New(rand.NewPCG(s, 21))
			for k := range x {
				v = rho*v + math.Sqrt(1-rho*rho)*r.NormFloat64()
				x[k] = 30 + v
			}
			c := NewChain(1)
			c.Add(&Block{Dim: 1, Cap: n, N: n, X: x, W: ones(n)})
			e := Chains{c}.SDError(0)
			if !e.OK() {
				t.Fatalf("ρ = %v: %+v", rho, e)
			}
			square += e.Value * e.Value / float64(runs)
			sds += math.Pow(math.Sqrt(c.Var(0))-1, 2) / float64(runs)
			if s > 0 {
				continue
			}
			few := make([]float64, 0, n/4)
			for k := 3; k < n; k += 4 {
				few = append(few, x[k])
			}
			errorOfAll, every4 = by.Compare([][]float64{x}).SD.Error, by.Compare([][]float64{few}).SD.Error
		}
		got := math.Sqrt(square)
		t.Logf("ρ = %5.2f: error %.5f, want %.5f, spread %.5f; of one chain by all draws %.5f, by every fourth %.5f",
			rho, got, want, math.Sqrt(sds), errorOfAll, every4)
		// One is good to 9%, and leans to the large side as the maximum of several fits.
		if got/want < 0.95 || got/want > 1.12 {
			t.Errorf("ρ = %v: error %v, want %v", rho, got, want)
		}
	}
	// Two chains have half the variance.
	c := [2]*Chain{NewChain(1), NewChain(1)}
	x := ar1(0.5, n, 1)
	for k := range c {
		c[k].Add(&Block{Dim: 1, Cap: n, N: n, X: x, W: ones(n)})
	}
	one, two := Chains(c[:1]).SDError(0), Chains(c[:]).SDError(0)
	if math.Abs(two.Value/one.Value*math.Sqrt2-1) > 1e-9 {
		t.Errorf("one chain %+v, two %+v", one, two)
	}
	short := NewChain(1)
	short.Add(&Block{Dim: 1, Cap: n, N: 60, X: x, W: ones(n)})
	if e := (Chains{short}).SDError(0); e.Status != TooShort {
		t.Errorf("of 60 draws %+v", e)
	}
	w := ones(n)
	for k := range w[:n/2] {
		w[k] = 2
	}
	uneven := NewChain(1)
	uneven.Add(&Block{Dim: 1, Cap: n, N: n, X: x, W: w})
	if e := (Chains{uneven}).SDError(0); e.Status != Uneven {
		t.Errorf("of draws that weigh differently %+v", e)
	}
	copied := NewChain(1)
	copied.Set(c[0].Clone())
	if e := (Chains{copied}).SDError(0); e != one {
		t.Errorf("a copy has %+v, want %+v", e, one)
	}
}

// The error of the covariance error is its spread over seeds, and the noise is what it is on average of exact draws:
// of independent ones, of autoregressions, and of SGLD on a normal density, whose stationary variance v/(1 - ε/4v) is
// too large, so that the noise is a part of the error alone.
func TestCovErrorOf(t *testing.T) {
	if testing.Short() {
		t.Skip("a calibration over many chains")
	}
	for _, k := range []struct {
		name string
		n    int
		rho  [2]float64 // of each coordinate
		sd   [2]float64
		bias float64 // of cov_error, exactly
	}{
		{"independent draws", 200, [2]float64{}, [2]float64{1, 0.4}, 0},
		{"independent draws", 20_000, [2]float64{}, [2]float64{1, 0.4}, 0},
		{"autoregression", 3000, [2]float64{0.9, 0.7}, [2]float64{1, 0.4}, 0},
		{"autoregression that alternates", 3000, [2]float64{-0.9, 0.7}, [2]float64{1, 0.4}, 0},
		{"sgld, ε = 0.1", 8000, [2]float64{0.95, 0.6875}, [2]float64{math.Sqrt(1 / 0.975), math.Sqrt(0.16 / 0.84375)},
			1/0.975 - 1 + 0.16/0.84375 - 0.16},
		{"sgld, ε = 0.3", 20_000, [2]float64{0.85, 0.0625}, [2]float64{math.Sqrt(1 / 0.925), math.Sqrt(0.16 / 0.53125)},
			1/0.925 - 1 + 0.16/0.53125 - 0.16},
	} {
		const runs = 200
		truth := []float64{1, 0, 0, 0.16}
		var errors, squares, variance, noise, unbiased float64
		for seed := range uint64(runs) {
			c, r := NewChain(2), rand.New(rand.NewPCG(seed, 42))
			b := NewBlock(2, k.n)
			b.N = k.n
			for i := range 2 {
				v := 0.0
				for s := -200; s < k.n; s++ {
					v = k.rho[i]*v + k.sd[i]*math.Sqrt(1-k.rho[i]*k.rho[i])*r.NormFloat64()
					if s >= 0 {
						b.X[i*k.n+s] = v
					}
				}
			}
			copy(b.W, ones(k.n))
			c.Add(b)
			var cov [4]float64
			c.Cov(cov[:])
			se, part := Chains{c}.CovErrorOf(cov[:], truth)
			if !se.OK() || !part.OK() {
				t.Fatalf("%s: %+v, %+v", k.name, se, part)
			}
			e := CovError(cov[:], truth)
			errors, squares, variance = errors+e/runs, squares+e*e/runs, variance+se.Value*se.Value/runs
			noise += part.Value / runs
			unbiased += CovError(cov[:], []float64{k.sd[0] * k.sd[0], 0, 0, k.sd[1] * k.sd[1]}) / runs
		}
		spread := math.Sqrt(squares - errors*errors)
		t.Logf("%s, %d draws: error %.4f, of which %.4f is exact; spread %.4f, said %.4f; noise %.4f, said %.4f",
			k.name, k.n, errors, k.bias, spread, math.Sqrt(variance), unbiased, noise)
		if r := math.Sqrt(variance) / spread; r < 0.8 || r > 1.4 {
			t.Errorf("%s: an error of %v times the spread over seeds", k.name, r)
		}
		if r := noise / unbiased; r < 0.9 || r > 1.2 {
			t.Errorf("%s: %v times as much noise as there is without bias", k.name, r)
		}
	}
}
