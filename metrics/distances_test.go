package metrics

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mathext"
)

// steinOf is the discrepancy from N(0, diag(0.16, 1)) of n draws of N(shift, diag(0.16 wide, 1 +
// (wide-1)/7)): what SGLD at ε = 0.1 has is wide = 1/(1 - 0.1/0.64) = 1.185 and 1/(1 - 0.1/4) = 1.026.
func steinOf(seed uint64, n int, wide0, wide1, shift float64, replicates int) *Stein {
	r := rand.New(rand.NewPCG(seed, 70))
	k := NewStein([]float64{1, 1}, replicates, seed)
	for range n {
		theta := []float64{shift + 0.4*math.Sqrt(wide0)*r.NormFloat64(), math.Sqrt(wide1) * r.NormFloat64()}
		k.Add(theta, []float64{theta[0] / 0.16, theta[1]})
	}
	return k
}

// The figures of PAPER.md: exact draws have 0.093 ± 0.025, and SGLD's stationary distribution at ε = 0.1 0.131 ± 0.028.
func TestKSD(t *testing.T) {
	if testing.Short() {
		t.Skip("a calibration over many chains")
	}
	runs := 5 * calibrationRuns / 2
	for _, w := range []struct {
		name         string
		wide0, wide1 float64
		want, spread float64
	}{{"exact", 1, 1, 0.093, 0.025}, {"SGLD", 1 / (1 - 0.1/0.64), 1 / (1 - 0.025), 0.131, 0.028}} {
		mean, square, unbiased, u2 := 0.0, 0.0, 0.0, 0.0
		for s := range uint64(runs) {
			k := steinOf(s, 1000, w.wide0, w.wide1, 0, 0)
			v := k.KSD().Value
			mean += v / float64(runs)
			square += v * v / float64(runs)
			n := float64(k.n)
			u := k.sum / n / (n - 1) // the U-statistic, (1/n(n-1)) Σ_{i≠j} k₀, which is 0 on average for exact draws
			unbiased += u / float64(runs)
			u2 += u * u / float64(runs)
		}
		spread := math.Sqrt(square - mean*mean)
		t.Logf("%s: KSD %.3f ± %.3f, unbiased square %.5f ± %.5f",
			w.name, mean, spread, unbiased, math.Sqrt((u2-unbiased*unbiased)/float64(runs)))
		// The mean is good to spread/√runs, 0.001 of 500, and the figures are from fewer runs. With 100
		// runs the spread, whose distribution has a long tail, is good to 15%.
		if math.Abs(mean-w.want) > 3*w.spread/math.Sqrt(float64(runs))+0.003 || math.Abs(spread/w.spread-1) > 0.35 {
			t.Errorf("%s: KSD %v ± %v, want %v ± %v", w.name, mean, spread, w.want, w.spread)
		}
		if se := math.Sqrt((u2 - unbiased*unbiased) / float64(runs)); w.name == "exact" && math.Abs(unbiased) > 3*se {
			t.Errorf("the unbiased square of exact draws is %v ± %v on average", unbiased, se)
		}
	}
}

// k₀ by the definition, with derivatives by differences.
func TestSteinKernel(t *testing.T) {
	const d = 3
	scale := []float64{1, 2, 0.5}
	r := rand.New(rand.NewPCG(1, 71))
	score := func(x []float64) []float64 { // of some density, in the scaled coordinates
		return []float64{-x[0] * x[0] * x[0], 1 - x[1], math.Sin(x[2])}
	}
	kernel := func(x, y []float64) float64 {
		q := 1.0
		for i := range x {
			q += (x[i] - y[i]) * (x[i] - y[i])
		}
		return 1 / math.Sqrt(q)
	}
	const h = 1e-4
	moved := func(x []float64, i int, by float64) []float64 {
		y := append([]float64(nil), x...)
		y[i] += by
		return y
	}
	k := NewStein(scale, 0, 0)
	var all [][]float64
	sum := 0.0
	for range 5 {
		x := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		all = append(all, x)
		theta, grad := make([]float64, d), make([]float64, d)
		for i, s := range score(x) {
			theta[i], grad[i] = x[i]*scale[i], -s/scale[i]
		}
		k.Add(theta, grad)
	}
	for _, x := range all {
		for _, y := range all {
			sx, sy := score(x), score(y)
			for i := range d {
				dx := (kernel(moved(x, i, h), y) - kernel(moved(x, i, -h), y)) / (2 * h)
				dy := (kernel(x, moved(y, i, h)) - kernel(x, moved(y, i, -h))) / (2 * h)
				dxy := (kernel(moved(x, i, h), moved(y, i, h)) - kernel(moved(x, i, h), moved(y, i, -h)) -
					kernel(moved(x, i, -h), moved(y, i, h)) + kernel(moved(x, i, -h), moved(y, i, -h))) / (4 * h * h)
				sum += sx[i]*sy[i]*kernel(x, y) + sx[i]*dy + sy[i]*dx + dxy
			}
		}
	}
	if got, want := k.KSD().Value, math.Sqrt(sum)/5; !scalar.EqualWithinRel(got, want, 1e-6) {
		t.Errorf("KSD %v, want %v", got, want)
	}
}

func TestGaussianW2(t *testing.T) {
	// Along axes: Σ (m-n)² + Σ (√v - √w)².
	got := GaussianW2([]float64{1, 2}, []float64{4, 0, 0, 9}, []float64{0, 0}, []float64{1, 0, 0, 1})
	if want := math.Sqrt(1 + 4 + 1 + 4); !scalar.EqualWithinRel(got, want, 1e-14) {
		t.Errorf("diagonal: %v, want %v", got, want)
	}
	// Turned by an angle, both alike, it is the same; and of diag(a, b) and diag(b, a), that do commute, too.
	c, s := math.Cos(0.3), math.Sin(0.3)
	turned := func(a, b float64) []float64 {
		return []float64{c*c*a + s*s*b, c * s * (a - b), c * s * (a - b), s*s*a + c*c*b}
	}
	if got, want := GaussianW2([]float64{1, 2}, turned(4, 9), []float64{1, 2}, turned(1, 16)),
		math.Sqrt(2); !scalar.EqualWithinRel(got, want, 1e-7) {
		t.Errorf("turned: %v, want %v", got, want)
	}
	// Matrices that do not commute: tr (W^½ V W^½)^½ of 2×2 is √(tr VW + 2 √(det V det W)).
	v, w := []float64{2, 1, 1, 3}, []float64{5, -1, -1, 1}
	trace := v[0]*w[0] + v[1]*w[2] + v[2]*w[1] + v[3]*w[3]
	want := math.Sqrt(2 + 3 + 5 + 1 - 2*math.Sqrt(trace+2*math.Sqrt(5*4)))
	if got := GaussianW2([]float64{0, 0}, v, []float64{0, 0}, w); !scalar.EqualWithinRel(got, want, 1e-12) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := GaussianW2([]float64{0, 0}, v, []float64{0, 0}, v); got > 1e-7 {
		t.Errorf("a distribution is %v from itself", got)
	}
	// What sampling alone does: of 400 draws in 3 dimensions √(3 (1 + 1)/400).
	r, sum := rand.New(rand.NewPCG(1, 73)), 0.0
	identity := []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	for range 100 {
		c, b := NewChain(3), NewBlock(3, 400)
		b.N = 400
		for i := range b.X {
			b.X[i] = r.NormFloat64()
		}
		copy(b.W, ones(400))
		c.Add(b)
		cov := make([]float64, 9)
		c.Cov(cov)
		d := GaussianW2([]float64{c.Mean(0), c.Mean(1), c.Mean(2)}, cov, make([]float64, 3), identity)
		sum += d * d / 100
	}
	if want := 3 * 2 / 400.0; math.Abs(sum/want-1) > 0.2 { // its square has a relative spread of 0.5
		t.Errorf("400 draws are %v off, want %v", math.Sqrt(sum), math.Sqrt(want))
	}
	if got := GaussianW2([]float64{0, 0}, []float64{1, math.NaN(), math.NaN(), 1}, []float64{0, 0}, v); !math.IsNaN(
		got) {
		t.Errorf("NaN in, %v out", got)
	}
}

func TestSliced(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 72))
	normal := func(n int, shift, sd float64, dim int) [][]float64 {
		x := make([][]float64, dim)
		for i := range x {
			for range n {
				x[i] = append(x[i], sd*r.NormFloat64())
			}
		}
		for t := range x[0] {
			x[0][t] += shift
		}
		return x
	}
	// A shift by m along one axis of D: u·m, on average m²/D. And of the same draws nothing else.
	const dim, n = 5, 500
	a := normal(n, 0, 1, dim)
	b := make([][]float64, dim)
	for i := range b {
		b[i] = append(b[i], a[i]...)
		for t := range b[i] {
			if i == 2 {
				b[i][t] += 3
			}
		}
	}
	s := NewSliced(b, 400, 1)
	if e, want := s.Distance(a), 3/math.Sqrt(dim); math.Abs(e.Value-want) > 4*e.Error || !(e.Error > 0) {
		t.Errorf("shifted draws %+v apart, want %v", e, want)
	}
	if e := s.Distance(b); e.Value > 1e-7 {
		t.Errorf("draws %+v from themselves", e)
	}
	// Of the plane's evenly spread directions the mean of (u·m)² is |m|²/2 without an error.
	if e := NewSliced([][]float64{{3}, {4}}, 3, 1).Distance([][]float64{{0}, {0}}); !scalar.EqualWithinRel(
		e.Value, 5/math.Sqrt2, 1e-14) || e.Error != 0 {
		t.Errorf("points %+v apart, want %v", e, 5/math.Sqrt2)
	}
	// In one dimension, by hand: {0, 1} and {0, 1, 2, 3}: quantiles 0 0 1 1 against 0 1 2 3.
	one := NewSliced([][]float64{{3, 1, 0, 2}}, 10, 1)
	if e := one.Distance([][]float64{{1, 0}}); !scalar.EqualWithinRel(e.Value, math.Sqrt((0+1+1+4)/4.0), 1e-14) ||
		e.Error != 0 {
		t.Errorf("%+v, want %v", e, math.Sqrt(1.5))
	}
	// Many draws of N(0, 2²) in 3 dimensions from those of N(0, 1): (2-1)² along any direction.
	three := NewSliced(normal(20_000, 0, 1, 3), 50, 2)
	// The sds' own errors are √(2²+1)·√(1/2n) = 0.011.
	if e := three.Distance(normal(20_000, 0, 2, 3)); math.Abs(e.Value-1) > 0.04 {
		t.Errorf("twice as wide: %+v, want 1", e)
	}
	// 1,000 exact draws from the quantiles of their distribution.
	quantiles := make([]float64, 100_000)
	for k := range quantiles {
		quantiles[k] = mathext.NormalQuantile((float64(k) + 0.5) / float64(len(quantiles)))
	}
	exact := NewSliced([][]float64{quantiles}, 1, 1)
	sum, runs := 0.0, 100
	for range runs {
		sum += exact.Distance(normal(1000, 0, 1, 1)).Value
	}
	t.Logf("1,000 exact draws: %.4f", sum/float64(runs))
	if mean := sum / float64(runs); math.Abs(mean-0.0566) > 0.006 { // one has a spread of 0.02
		t.Errorf("exact draws are %v off on average, want 0.057", mean)
	}
	a[1][3] = math.NaN()
	if e := s.Distance(a); e.Status != NotFinite {
		t.Errorf("with a NaN %+v", e)
	}
	if e := one.Distance([][]float64{{}}); e.Status != TooShort {
		t.Errorf("without draws %+v", e)
	}
}

func BenchmarkKSD(b *testing.B) {
	for b.Loop() {
		steinOf(1, 1000, 1, 1, 0, 100)
	}
}

// BenchmarkSliced is the distance of 1,000 draws in the plane from 4,096.
func BenchmarkSliced(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	draws := func(n int) [][]float64 {
		x := make([][]float64, 2)
		for i := range x {
			for range n {
				x[i] = append(x[i], r.NormFloat64())
			}
		}
		return x
	}
	s, x := NewSliced(draws(4096), 8, 1), draws(1000)
	for b.Loop() {
		s.Distance(x)
	}
}

// Draws that hang together exceed the band, which is for independent ones.
func TestKSDBandOfCorrelatedDraws(t *testing.T) {
	if testing.Short() {
		t.Skip("a calibration over many chains")
	}
	runs, n := calibrationRuns, 400
	above := 0.0
	for s := range uint64(runs) {
		k := NewStein([]float64{1}, 100, s)
		for _, x := range ar1(0.6, n, 600+s) {
			k.Add([]float64{x}, []float64{x})
		}
		if _, to := k.Band(0, 0.95); k.KSD().Value > to.Value {
			above += 1 / float64(runs)
		}
	}
	if t.Logf("above the band: %.2f", above); above < 0.2 {
		t.Errorf("%v of exact draws are above the band", above)
	}
}
