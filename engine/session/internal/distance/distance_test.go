package distance

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// byQuantiles is the sliced distance of draws from N(0, Σ) by 64 directions and the exact quantiles, with s² = u'Σu and
// z_i = Φ⁻¹(i/n): along u the mean square of the projections y_i, less 2 s Σ y_i (φ(z_i) - φ(z_i+1)), plus s².
func byQuantiles(x [][]float64, cov []float64) float64 {
	const directions = 64
	n, sum := len(x[0]), 0.0
	density := func(i int) float64 {
		if i == 0 || i == n {
			return 0
		}
		z := mathext.NormalQuantile(float64(i) / float64(n))
		return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
	}
	y := make([]float64, n)
	for k := range directions {
		b, a := math.Sincos(math.Pi * float64(k) / directions)
		s := math.Sqrt(a*a*cov[0] + 2*a*b*cov[1] + b*b*cov[3])
		for i := range y {
			y[i] = a*x[0][i] + b*x[1][i]
		}
		slices.Sort(y)
		square := s * s
		for i, v := range y {
			square += v*v/float64(n) - 2*s*v*(density(i)-density(i+1))
		}
		sum += square / directions
	}
	return math.Sqrt(sum)
}

// The sliced distance of a lane at rest is that of the same draws by exact quantiles, but for the error of the target's
// own draws, which adds 3% to what 20,000 exact draws have.
func TestSlicedIsThatByQuantiles(t *testing.T) {
	innerlooptest.Skip(t, "many draws")
	p, err := targets.Open("gaussian", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := p.Impl().(targets.Exact)
	truth := &Truth{Reference: p.Exact(), Exact: g}
	const n, runs = 20_000, 3
	widths := []float64{1, 1.02, 1.2}
	if innerlooptest.Only() {
		widths = widths[2:]
	}
	for _, wide := range widths {
		got, want := 0.0, 0.0
		for seed := range uint64(runs) {
			r := rand.New(rand.NewPCG(seed, 80))
			x, b := [][]float64{make([]float64, n), make([]float64, n)}, metrics.NewBlock(2, n)
			var at [2]float64
			for k := range n {
				g.Exact(at[:], []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
				for i, v := range at {
					x[i][k], b.X[i*n+k] = wide*v, wide*v
				}
				b.W[k] = 1
			}
			b.N = n
			c, kept := metrics.NewChain(2), metrics.NewKeeper(2, 1<<15)
			c.Add(b)
			kept.Add(b)
			d := truth.Distances(metrics.Chains{c}, []*metrics.Keeper{kept}, make([]float64, 4), true)
			got += d.Sliced * d.Sliced / runs
			outside := byQuantiles(x, truth.Cov)
			want += outside * outside / runs
		}
		t.Logf("%g times as wide: %.5f, by quantiles %.5f", wide, math.Sqrt(got), math.Sqrt(want))
		if ratio := math.Sqrt(got / want); math.Abs(ratio-1) > 0.05 {
			t.Errorf("%g times as wide: %v times that by quantiles", wide, ratio)
		}
	}
}
