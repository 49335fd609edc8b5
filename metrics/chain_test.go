package metrics

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

// addSplit adds column-major draws to c in blocks of the lengths that next returns.
func addSplit(c *Chain, cols [][]float64, w []float64, next func() int) {
	for at := 0; at < len(w); {
		k := min(next(), len(w)-at)
		b := NewBlock(len(cols), k+3) // a capacity beyond N, so that columns are not adjacent
		b.N = k
		for i, x := range cols {
			copy(b.Col(i), x[at:])
		}
		copy(b.W, w[at:at+k])
		c.Add(b)
		at += k
	}
}

func chainOf(w []float64, cols ...[]float64) *Chain {
	c := NewChain(len(cols))
	addSplit(c, cols, w, func() int { return 1000 })
	return c
}

// MCSE is MCSEOf by what ACT says.
func (c *Chain) MCSE(i int) Estimate { return Chains{c}.MCSEOf(i, c.ACT(i)) }

func ones(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// ar1 returns n draws of the stationary chain x' = ρ x + √(1-ρ²) z.
func ar1(rho float64, n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 7))
	x := make([]float64, n)
	s := math.Sqrt(1 - rho*rho)
	v := r.NormFloat64()
	for t := range x {
		x[t] = v
		v = rho*v + s*r.NormFloat64()
	}
	return x
}

// stationary fills cols and weights with a mildly correlated chain.
func stationary(dim, n int, seed uint64) (cols [][]float64, w []float64) {
	r := rand.New(rand.NewPCG(seed, 11))
	w = make([]float64, n)
	for t := range w {
		w[t] = 0.01 + r.Float64()
	}
	for i := range dim {
		x := ar1(0.5, n, seed+100+uint64(i))
		if i > 0 {
			for t := range x {
				x[t] = 2*x[t] + 0.7*cols[i-1][t] - float64(i)
			}
		}
		cols = append(cols, x)
	}
	return cols, w
}

func TestMomentsAgainstGonum(t *testing.T) {
	for _, dim := range []int{1, 2, 3, 15, 64} {
		for _, n := range []int{1, 2, 5, 511, 512, 513, 3000} {
			cols, w := stationary(dim, n, 3)
			c := chainOf(w, cols...)
			data := mat.NewDense(n, dim, nil)
			for i, x := range cols {
				data.SetCol(i, x)
				if got, want := c.Mean(i), stat.Mean(x, w); !scalar.EqualWithinAbsOrRel(got, want, 1e-12, 1e-12) {
					t.Errorf("dim %d, n %d: mean %d is %v, want %v", dim, n, i, got, want)
				}
				if got, want := c.Var(i), stat.PopVariance(x, w); !scalar.EqualWithinAbsOrRel(got, want, 1e-12, 1e-12) {
					t.Errorf("dim %d, n %d: variance %d is %v, want %v", dim, n, i, got, want)
				}
			}
			cov := make([]float64, dim*dim)
			if !c.Cov(cov) {
				t.Fatalf("no covariance for %d coordinates", dim)
			}
			if n == 1 {
				continue
			}
			var want mat.SymDense
			stat.CovarianceMatrix(&want, data, w)
			sum := 0.0
			for _, v := range w {
				sum += v
			}
			for i := range dim {
				for j := range dim {
					// gonum divides by Σw-1.
					if got, want := cov[i*dim+j], want.At(i, j)*(sum-1)/sum; !scalar.EqualWithinAbsOrRel(
						got, want, 1e-11, 1e-11) {
						t.Errorf("dim %d, n %d: covariance %d,%d is %v, want %v", dim, n, i, j, got, want)
					}
				}
				if cov[i*dim+i] != c.Var(i) {
					t.Errorf("dim %d, n %d: the covariance's diagonal differs from Var", dim, n)
				}
			}
		}
	}
}

func TestVarianceAboveMaxCovDim(t *testing.T) {
	for _, dim := range []int{65, 66} {
		cols, w := stationary(dim, 1300, 5)
		c := chainOf(w, cols...)
		if c.Cov(make([]float64, dim*dim)) {
			t.Errorf("covariance of %d coordinates", dim)
		}
		for i, x := range cols {
			if got, want := c.Var(i), stat.PopVariance(x, w); !scalar.EqualWithinRel(got, want, 1e-12) {
				t.Errorf("dim %d: variance %d is %v, want %v", dim, i, got, want)
			}
			if got, want := c.Mean(i), stat.Mean(x, w); !scalar.EqualWithinRel(got, want, 1e-12) {
				t.Errorf("dim %d: mean %d is %v, want %v", dim, i, got, want)
			}
		}
	}
}

// A chain that starts a million standard deviations away must not lose digits to it.
func TestMomentsFarStart(t *testing.T) {
	x := ar1(0.3, 50_000, 1)
	x[0] = 1e6
	w := ones(len(x))
	c := chainOf(w, x)
	// The shift is 1e6, where a rounding step is 1.2e-10; each of 98 chunks rounds the mean once.
	if got, want := c.Mean(0), stat.Mean(x, w); math.Abs(got-want) > 98*0.6e-10 {
		t.Errorf("mean %v, want %v", got, want)
	}
	if got, want := c.Var(0), stat.PopVariance(x, w); !scalar.EqualWithinRel(got, want, 1e-12) {
		t.Errorf("variance %v, want %v", got, want)
	}
}

func TestZeroWeights(t *testing.T) {
	x := ar1(0.3, 2000, 1)
	w := make([]float64, len(x))
	c := chainOf(w, x)
	if !math.IsNaN(c.Mean(0)) || !math.IsNaN(c.Var(0)) {
		t.Errorf("without weight: mean %v, variance %v, want NaN", c.Mean(0), c.Var(0))
	}
	for i := 1300; i < 1700; i++ { // a start, and later a whole chunk, without weight
		w[i] = 0.5
	}
	c = chainOf(w, x)
	if got, want := c.Mean(0), stat.Mean(x[1300:1700], nil); !scalar.EqualWithinRel(got, want, 1e-12) {
		t.Errorf("mean %v, want %v", got, want)
	}
}

// report is everything a chain says about itself.
func report(c *Chain) []float64 {
	out := []float64{float64(c.Draws())}
	acf := make([]float64, 3000)
	for i := range c.Dim() {
		out = append(out, c.Mean(i), c.Var(i))
		for _, e := range []Estimate{c.ACT(i), c.ESS(i), c.MCSE(i), c.ACTLoose(i)} {
			out = append(out, e.Value, float64(e.Draws), float64(e.Status))
		}
		out = append(out, float64(c.stationarity(i)))
		n := c.ACF(i, 1, acf)
		out = append(out, float64(n))
		out = append(out, acf[:n]...)
	}
	cov := make([]float64, c.Dim()*c.Dim())
	c.Cov(cov)
	return append(out, cov...)
}

func sameBits(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range got {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Fatalf("%s: number %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestBlocksDoNotMatter(t *testing.T) {
	for _, dim := range []int{1, 2, 5} {
		cols, w := stationary(dim, 20_011, 9)
		whole := NewChain(dim)
		addSplit(whole, cols, w, func() int { return len(w) })
		want := report(whole)
		one := NewChain(dim)
		addSplit(one, cols, w, func() int { return 1 })
		sameBits(t, "blocks of one", report(one), want)
		for seed := range uint64(5) {
			r := rand.New(rand.NewPCG(seed, 1))
			c := NewChain(dim)
			addSplit(c, cols, w, func() int {
				if c.Draws() > 0 && r.IntN(4) == 0 { // asking in between must change nothing either
					if r.IntN(2) == 0 {
						c.ACT(r.IntN(dim)) // of one coordinate, which is then ahead of the others
					} else {
						report(c)
					}
				}
				return 1 + r.IntN(1<<r.IntN(11))
			})
			sameBits(t, "random blocks", report(c), want)
			c.NewWindow()
			addSplit(c, cols, w, func() int { return 1 + r.IntN(700) })
			sameBits(t, "after Reset", report(c), want)
		}
	}
}

func TestLargeOffset(t *testing.T) {
	x := ar1(0.9, 200_000, 4)
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = v + 1e8
	}
	w := ones(len(x))
	c := chainOf(w, x, y)
	// Adding 1e8 rounds each draw by up to 2^-27 = 7e-9 (sd 4e-9), independently.
	if got, want := c.Mean(1)-1e8, c.Mean(0); math.Abs(got-want) > 2e-8 {
		t.Errorf("mean - 1e8 is %v, want %v", got, want)
	}
	if got, want := c.Var(1), c.Var(0); math.Abs(got-want) > 1e-9 {
		t.Errorf("variance %v, want %v", got, want)
	}
	if got, want := c.ACT(1).Value, c.ACT(0).Value; !scalar.EqualWithinRel(got, want, 1e-8) {
		t.Errorf("τ %v, want %v", got, want)
	}
}

func TestNoDraws(t *testing.T) {
	c := NewChain(2)
	if !math.IsNaN(c.Mean(0)) || !math.IsNaN(c.Var(1)) || c.Cov(make([]float64, 4)) {
		t.Error("a chain without draws has moments")
	}
	if e := c.ACT(0); e.Status != TooShort || !math.IsNaN(e.Value) {
		t.Errorf("a chain without draws has τ %+v", e)
	}
	if n := c.ACF(0, 1, make([]float64, 10)); n != 0 {
		t.Errorf("a chain without draws has %d autocorrelations", n)
	}
	c.Add(NewBlock(2, 10))
	if c.Draws() != 0 {
		t.Error("an empty block counts")
	}
}

func TestNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, at := range []int{0, 3, 700, 4999} {
			x, y := ar1(0.5, 5000, 1), ar1(0.5, 5000, 2)
			x[at] = bad
			c := chainOf(ones(len(x)), x, y)
			for _, e := range []Estimate{c.ACT(0), c.ESS(0), c.MCSE(0), c.ACTLoose(0)} {
				if e.Status != NotFinite || !math.IsNaN(e.Value) || e.Draws != 5000 {
					t.Errorf("%v at draw %d: estimate %+v", bad, at, e)
				}
			}
			if finite(c.Mean(0)) || !math.IsNaN(c.Var(0)) {
				t.Errorf("%v at draw %d: mean %v, variance %v", bad, at, c.Mean(0), c.Var(0))
			}
			if c.ACF(0, 1, make([]float64, 5)) != 0 {
				t.Errorf("%v at draw %d: an autocorrelation", bad, at)
			}
			if !c.ACT(1).OK() || !finite(c.Mean(1)) || !finite(c.Var(1)) {
				t.Errorf("%v at draw %d spoils the other coordinate", bad, at)
			}
			c.NewWindow()
			addSplit(c, [][]float64{y, y}, ones(len(y)), func() int { return 64 })
			if !c.ACT(0).OK() {
				t.Errorf("%v at draw %d outlives Reset", bad, at)
			}
		}
	}
}

func TestConstant(t *testing.T) {
	for _, v := range []float64{0, 1, -3.7, 1e8, 1e300, 5e-324} {
		x := make([]float64, 3000)
		for i := range x {
			x[i] = v
		}
		c := chainOf(ones(len(x)), x)
		if s := c.ACT(0).Status; s != Constant {
			t.Errorf("all draws %v: status %q", v, s)
		}
		if got := c.Var(0); got != 0 {
			t.Errorf("all draws %v: variance %v", v, got)
		}
		if got := c.Mean(0); got != v {
			t.Errorf("all draws %v: mean %v", v, got)
		}
		if v == 0 {
			continue
		}
		for i := range x {
			if i%3 == 1 {
				x[i] = math.Nextafter(v, 2*v) // one rounding step of jitter
			}
		}
		if s := chainOf(ones(len(x)), x).ACT(0).Status; s == OK && v != 5e-324 {
			t.Errorf("draws jitter by one rounding step about %v: status %q", v, s)
		}
	}
}

func TestAddAndReportDoNotAllocate(t *testing.T) {
	for _, dim := range []int{2, 70} {
		c, b := NewChain(dim), benchBlock(dim, 777)
		for t := range b.W[:100] {
			b.W[t] = 0.1 // a schedule
		}
		cov, acf := make([]float64, dim*dim), make([]float64, 61)
		if n := alloctest.PerRun(50, func() {
			c.Add(b)
			c.Cov(cov)
			c.Mean(1)
			c.ESS(1)
			c.MCSE(1)
			c.stationarity(1)
			c.ACF(1, 1, acf)
		}); n != 0 {
			t.Errorf("%v allocations a block in %d dimensions", n, dim)
		}
	}
}

func TestCovError(t *testing.T) {
	if got := CovError([]float64{0.25, 0.1, 0.1, 0.5}, []float64{0.5, 0, 0, 1}); math.Abs(got-0.95) > 1e-15 {
		t.Errorf("covariance error %v, want 0.95", got)
	}
	if got := CovError([]float64{math.NaN()}, []float64{1}); !math.IsNaN(got) {
		t.Errorf("covariance error %v, want NaN", got)
	}
}

func TestStatusWords(t *testing.T) {
	for s, want := range map[Status]string{OK: "", TooShort: "too short", Constant: "constant",
		NotFinite: "not finite", 200: "Status(200)"} {
		if got := s.String(); got != want {
			t.Errorf("status %d reads %q, want %q", uint8(s), got, want)
		}
	}
	for s := range numStatuses {
		if got := ParseStatus(s.String()); got != s {
			t.Errorf("%q is read as %d, want %d", s.String(), got, s)
		}
	}
}
