package metrics

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

// pairs feeds a virial with a stationary chain of the normal density N(shift, wide² V) and the
// gradients of N(0, V), V = ((0.16, 0.1), (0.1, 1)), to which noise is added. Steps weigh 0.1 and, if
// uneven, in their last half a tenth of it.
func pairs(seed uint64, n int, shift [2]float64, wide, noise float64, uneven bool) *Virial {
	r := rand.New(rand.NewPCG(seed, 60))
	v := NewVirial(2)
	const a, b, c = 0.16, 0.1, 1.0
	det := a*c - b*b
	l11 := math.Sqrt(a)
	l21 := b / l11
	l22 := math.Sqrt(c - l21*l21)
	const rho = 0.8
	s := math.Sqrt(1 - rho*rho)
	z := [2]float64{r.NormFloat64(), r.NormFloat64()}
	var theta, g [2]float64
	for t := range n {
		for i := range z {
			z[i] = rho*z[i] + s*r.NormFloat64()
		}
		theta[0] = shift[0] + wide*l11*z[0]
		theta[1] = shift[1] + wide*(l21*z[0]+l22*z[1])
		g[0] = (c*theta[0]-b*theta[1])/det + noise*r.NormFloat64()
		g[1] = (a*theta[1]-b*theta[0])/det + noise*r.NormFloat64()
		w := 0.1
		if uneven && t > n/2 {
			w = 0.01
		}
		v.Add(w, theta[:], g[:])
	}
	return v
}

// Exact draws have temperature 1 and z about normal; wider ones have wide², wherever they are; shifted
// ones have temperature 1 and a large z.
func TestVirial(t *testing.T) {
	if testing.Short() {
		t.Skip("a calibration over many chains")
	}
	const n = 20_000
	for _, noise := range []float64{0, 3} {
		for _, uneven := range []bool{false, true} {
			for _, w := range []struct {
				shift [2]float64
				wide  float64
			}{{[2]float64{}, 1}, {[2]float64{}, 1.1}, {[2]float64{0.1, 0}, 1}, {[2]float64{0.1, -0.2}, 1.1},
				{[2]float64{}, 0.9}} {
				runs := calibrationRuns / 2
				var mean, square, se, z, zz, shown float64
				for run := range uint64(runs) {
					v := pairs(run, n, w.shift, w.wide, noise, uneven)
					e, l := v.Temperature(), v.Location()
					if !e.OK() || !l.OK() {
						continue
					}
					shown++
					mean += e.Value
					square += e.Value * e.Value
					se += e.Error * e.Error
					z += math.Abs(l.Value)
					zz += l.Value * l.Value
				}
				mean, se, z = mean/shown, math.Sqrt(se/shown), z/shown
				spread := math.Sqrt(square/shown - mean*mean)
				t.Logf("shift %v, wide %v, noise %v, uneven %v: temperature %.4f ± %.4f, "+
					"MCSE %.2f of the spread; |z| %.2f, rms %.2f", w.shift,
					w.wide, noise, uneven, mean, spread/math.Sqrt(shown), se/spread, z, math.Sqrt(zz/shown))
				if want := w.wide * w.wide; math.Abs(mean-want) > 4*spread/math.Sqrt(shown)+0.002 ||
					shown < 0.95*float64(runs) {
					t.Errorf("shift %v, wide %v, noise %v, uneven %v: temperature %v ± %v, want %v; shown in %v",
						w.shift, w.wide, noise, uneven, mean,
						spread/math.Sqrt(shown), want, shown)
				}
				// The spread is known to 1/√(2 runs).
				if tol := 3 / math.Sqrt(2*float64(runs)); math.Abs(se/spread-1.03) > tol {
					t.Errorf("shift %v, wide %v, noise %v: MCSE %v, spread %v", w.shift, w.wide, noise, se, spread)
				}
				moved := w.shift != [2]float64{}
				if !moved && math.Sqrt(zz/shown) > 1.2 || moved && noise == 0 && !uneven && z < 5 {
					t.Errorf("shift %v: |z| %v on average, rms %v", w.shift, z, math.Sqrt(zz/shown))
				}
			}
		}
	}
}

// About the origin a shift cancels what a spread too wide adds; about the mean it does not.
func TestVirialIsCentred(t *testing.T) {
	// N(0.5, 1.25) in place of N(1, 1): E θ U' = v + m(m-1) = 1.25 - 0.25.
	v, plain := NewVirial(1), 0.0
	const n = 100_000
	for _, x := range ar1(0.5, n, 4) {
		theta := 0.5 + math.Sqrt(1.25)*x
		v.Add(1, []float64{theta}, []float64{theta - 1})
		plain += theta * (theta - 1) / n
	}
	e, z := v.Temperature(), v.Location()
	if math.Abs(plain-1) > 0.03 || math.Abs(e.Value-1.25) > 4*e.Error || e.Error > 0.02 || z.Value > -20 {
		t.Errorf("about the origin %v, centred %+v, z %+v", plain, e, z)
	}
	if g := v.Gradient(0); math.Abs(g.Value+0.5) > 4*g.Error {
		t.Errorf("mean gradient %+v, want -0.5", g)
	}
}

func TestVirialStatus(t *testing.T) {
	v := NewVirial(2)
	if e := v.Temperature(); e.Status != TooShort {
		t.Errorf("without draws %+v", e)
	}
	if e := pairs(1, 50, [2]float64{}, 1, 0, false).Location(); e.Status != TooShort {
		t.Errorf("of 50 draws %+v", e)
	}
	for range 1000 {
		v.Add(1, []float64{1, 2}, []float64{1, 1})
	}
	if e, l := v.Temperature(), v.Location(); e.Status != Constant || l.Status != Constant {
		t.Errorf("of equal draws %+v, %+v", e, l)
	}
	v.Add(1, []float64{1, 2}, []float64{1, math.NaN()})
	if e, l := v.Temperature(), v.Location(); e.Status != NotFinite || l.Status != NotFinite {
		t.Errorf("with a NaN %+v, %+v", e, l)
	}
	v.Reset()
	w := pairs(1, 3000, [2]float64{1, 1}, 1, 0, true)
	v.Set(w)
	c := w.Clone()
	if v.Temperature() != w.Temperature() || c.Location() != w.Location() || v.Draws() != 3000 {
		t.Error("a copy differs")
	}
	theta, g := []float64{1, 2}, []float64{3, 4}
	if n := alloctest.PerRun(3000, func() { v.Add(0.1, theta, g) }); n != 0 {
		t.Errorf("Add allocates %v times", n)
	}
	if w.Draws() != 3000 || c.Temperature() != w.Temperature() {
		t.Error("a copy shares something")
	}
	for _, z := range []float64{2, 5, 30, 40, 100} {
		if got := sidak(z, 1); math.Abs(got-z) > 1e-9*z {
			t.Errorf("of one test, z %v becomes %v", z, got)
		}
	}
}

// Of exact draws the z of the location is standard normal, however many coordinates there are: it is 0 for none, and
// beyond 1 and 2 as often as a normal.
func TestLocationIsNormal(t *testing.T) {
	const n = 2000
	runs := 5 * calibrationRuns
	for _, dim := range []int{1, 2, 5} {
		var beyond [3]float64
		for run := range uint64(runs) {
			r := rand.New(rand.NewPCG(run, 75))
			v, theta := NewVirial(dim), make([]float64, dim)
			for range n {
				for i := range theta {
					theta[i] = r.NormFloat64()
				}
				v.Add(1, theta, theta)
			}
			z := v.Location()
			if z.Value == 0 || !z.OK() {
				t.Errorf("%d coordinates, run %d: %+v", dim, run, z)
			}
			for k := range beyond {
				if math.Abs(z.Value) > float64(k)/2+0.5 {
					beyond[k] += 1 / float64(runs)
				}
			}
		}
		t.Logf("%d coordinates: %.3f beyond 0.5, %.3f beyond 1, %.3f beyond 1.5", dim, beyond[0], beyond[1], beyond[2])
		for k, want := range [...]float64{0.617, 0.317, 0.134} {
			// Three binomial standard errors, and an MCSE that leans a few percent to the large side.
			if math.Abs(beyond[k]-want) > 3*math.Sqrt(want*(1-want)/float64(runs))+0.04 {
				t.Errorf("%d coordinates: %v are beyond %v, want %v", dim, beyond[k], float64(k)/2+0.5, want)
			}
		}
	}
}

func BenchmarkVirial(b *testing.B) {
	v := NewVirial(15)
	theta, g := make([]float64, 15), make([]float64, 15)
	r := rand.New(rand.NewPCG(1, 1))
	add := func() {
		for i := range theta {
			theta[i], g[i] = r.NormFloat64(), r.NormFloat64()
		}
		v.Add(1, theta, g)
	}
	for range 10_000 {
		add()
	}
	b.Run("Add", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			v.Add(1, theta, g)
		}
	})
	b.Run("Temperature", func(b *testing.B) {
		for b.Loop() {
			v.Temperature()
		}
	})
	b.Run("Location", func(b *testing.B) {
		for b.Loop() {
			v.Location()
		}
	})
}

// Mean is the covariance of θ and ∇U over all draws, by its definition.
func TestVirialMean(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	v := NewVirial(2)
	var w, x, g [1000][2]float64
	for k := range x {
		w[k][0] = 0.5 + r.Float64()
		for i := range 2 {
			x[k][i] = 100 + r.NormFloat64()
			g[k][i] = 3*(x[k][i]-99) + r.NormFloat64()
		}
		v.Add(w[k][0], x[k][:], g[k][:])
	}
	want := 0.0
	for i := range 2 {
		var sw, sx, sg, sxg float64
		for k := range x {
			sw += w[k][0]
			sx += w[k][0] * (x[k][i] - 100)
			sg += w[k][0] * g[k][i]
			sxg += w[k][0] * (x[k][i] - 100) * g[k][i]
		}
		want += (sxg/sw - sx/sw*sg/sw) / 2
	}
	if got := v.Mean(); math.Abs(got-want) > 1e-9 {
		t.Errorf("the centred virial is %g, want %g", got, want)
	}
	if c := v.Clone(); c.Mean() != v.Mean() {
		t.Errorf("of a copy it is %g", c.Mean())
	}
	if v.Reset(); !math.IsNaN(v.Mean()) {
		t.Errorf("without draws it is %g", v.Mean())
	}
}
