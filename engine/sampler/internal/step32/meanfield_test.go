package step32

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Every path does what the generic forms do, to the bit and with their sums.
func TestMeanFieldPathsAgree(t *testing.T) {
	for _, path := range paths() {
		r := rand.New(rand.NewPCG(1, 16))
		for _, n := range []int{1, 2, 31, 32, 33, 63, 64, 65, 127, 200, 1000, 128*meanFieldLanes + 67} {
			for c := range 32 {
				wild, mixture := c&1 != 0, c&2 != 0
				number := func(scale float64) func(int) float32 {
					return func(int) float32 {
						if wild {
							return hostile(r)
						}
						return float32(r.NormFloat64() * scale)
					}
				}
				var guards []func(string)
				vector := func(f func(int) float32) []float32 {
					x, g := guarded(t, n, r.IntN(17), f)
					guards = append(guards, g)
					return x
				}
				square := func(int) float32 { x := number(1e-3)(0); return x * x }
				a := MeanFieldSegment{
					Theta: vector(number(1)), Z: vector(number(1)), Mean: vector(number(1e-3)),
					Mu:      vector(number(1)),
					Rho:     vector(number(8)),
					MuV:     vector(square),
					RhoV:    vector(square),
					MuMean:  make([]float32, n),
					RhoMean: make([]float32, n),
				}
				b := MeanFieldSegment{
					Theta: slices.Clone(a.Theta), Z: a.Z, Mean: a.Mean,
					Mu:      slices.Clone(a.Mu),
					Rho:     slices.Clone(a.Rho),
					MuV:     slices.Clone(a.MuV),
					RhoV:    slices.Clone(a.RhoV),
					MuMean:  a.MuMean,
					RhoMean: a.RhoMean,
				}
				q := MeanField{
					Alpha:   Eight(0.99),
					Beta:    Eight(0.01),
					Lambda:  Eight(1e-5),
					Unbias:  Eight(1.3),
					LR:      Eight(1e-3),
					LRRho:   Eight(3e-4),
					Temp:    Eight(2e-5),
					Prior:   Eight(2e-5),
					More:    Eight(0.7),
					Odds:    Eight(-6),
					Slope:   Eight(3e3),
					Half:    Eight(0.5),
					Mixture: mixture,
				}
				var s, w MeanFieldSums
				s.Clear()
				w.Clear()
				DrawMeanField(path, a.Theta, a.Z, a.Mu, a.Rho)
				drawGeneric(b.Theta, b.Z, b.Mu, b.Rho)
				q.Step(path, a, &s)
				q.generic(b, &w)
				for _, g := range guards {
					g(path.String())
				}
				for i := range a.Theta {
					if !same(a.Theta[i], b.Theta[i]) || !same(a.Mu[i], b.Mu[i]) || !same(a.Rho[i], b.Rho[i]) ||
						!same(a.MuV[i], b.MuV[i]) || !same(a.RhoV[i], b.RhoV[i]) {
						t.Fatalf("%s, length %d, case %d: w[%d] = %g, want %g; μ %g, %g; ρ %g, %g", path, n, c, i,
							a.Theta[i], b.Theta[i], a.Mu[i], b.Mu[i], a.Rho[i], b.Rho[i])
					}
				}
				for k := range meanFieldLanes {
					// The logarithm of NaN is some number, by its bits.
					entropy := same(s.Entropy[k], w.Entropy[k]) || wild
					if !entropy || !same(s.Drift[k], w.Drift[k]) || !same(s.Noise[k], w.Noise[k]) ||
						!same(s.Prior[k], w.Prior[k]) {
						t.Fatalf("%s, length %d, case %d: the sums of lane %d differ: %v, want %v", path, n, c, k, s, w)
					}
				}
				if slices.Min(s.Least[:]) != slices.Min(w.Least[:]) ||
					slices.Max(s.Greatest[:]) != slices.Max(w.Greatest[:]) || !same(s.Farthest(), w.Farthest()) {
					t.Fatalf("%s, length %d, case %d: %v %v", path, n, c, s, w)
				}
			}
		}
	}
}

func TestSoftplus32(t *testing.T) {
	worst := 0.0
	for x := -79.0; x < 100; x += 0.01037 {
		v, s := softplus32(float32(x))
		y := float64(float32(x))
		a, b := max(y, 0)+math.Log1p(math.Exp(-math.Abs(y))), 1/(1+math.Exp(-y))
		worst = max(worst, math.Abs(float64(v)/a-1), math.Abs(float64(s)/b-1))
	}
	for x := 1e-35; x < 1e30; x *= 1.0137 {
		l := math.Log(float64(float32(x)))
		if e := math.Abs(float64(log32(float32(x)))-l) / max(1, math.Abs(l)); e > 2e-7 {
			t.Errorf("log %g errs by %g", x, e)
		}
	}
	t.Log(worst)
	if worst > 4e-7 {
		t.Errorf("softplus errs by %g", worst)
	}
}

func BenchmarkField(b *testing.B) {
	const n = 478410
	for _, path := range paths() {
		for _, m := range []string{"gauss", "mix"} {
			b.Run(path.String()+"/"+m, func(b *testing.B) {
				v := func() []float32 { return make([]float32, n) }
				c := MeanFieldSegment{v(), v(), v(), v(), v(), v(), v(), v(), v()}
				for i := range c.Rho {
					c.Rho[i] = -3
				}
				var s MeanFieldSums
				q := MeanField{Lambda: Eight(1), Mixture: m == "mix"}
				for b.Loop() {
					DrawMeanField(path, c.Theta, c.Z, c.Mu, c.Rho)
					q.Step(path, c, &s)
				}
			})
		}
	}
}
