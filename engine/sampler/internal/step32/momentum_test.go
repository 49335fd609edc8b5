package step32

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
)

// Every path does what the generic form does, to the bit and with its sums.
func TestMomentumPathsAgree(t *testing.T) {
	for _, path := range paths() {
		r := rand.New(rand.NewPCG(1, 6))
		for _, n := range []int{1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 1000, callSize32 + 67} {
			for c := range 8 {
				number := func(int) float32 { return float32(r.NormFloat64()) }
				if c&1 != 0 {
					number = func(int) float32 { return hostile(r) }
				}
				theta, whole := guarded(t, n, r.IntN(17), number)
				v, wholeV := guarded(t, n, r.IntN(17), number)
				mean, wholeMean := guarded(t, n, r.IntN(17), number)
				wantTheta, wantV := slices.Clone(theta), slices.Clone(v)
				q := Momentum{N: Eight(50000), Prior: Eight(0.7), Half: Eight(2e-6), Keep: Eight(0.9),
					Spread: Eight(4e-4)}
				from := noise.Group * int(r.Int32N(1<<20))
				var z *noise.Schedule
				if c&2 != 0 {
					z = new(noise.Schedule)
					noise.New(r.Uint64(), 3, noise.Langevin).At(r.Uint64()).Schedule(z)
				}
				var a, b MomentumSums
				q.Step(path, theta, v, mean, from, &a, z)
				q.generic(wantTheta, wantV, mean, from, &b, z)
				whole("θ")
				wholeV("v")
				wholeMean("ḡ")
				for i := range theta {
					if !same(theta[i], wantTheta[i]) || !same(v[i], wantV[i]) {
						t.Fatalf("%s, length %d, case %d: θ[%d] = %g, want %g; v = %g, want %g", path, n, c, i,
							theta[i], wantTheta[i], v[i], wantV[i])
					}
				}
				for k := range Lanes {
					if !same(a.Drift[k], b.Drift[k]) || !same(a.Noise[k], b.Noise[k]) ||
						!same(a.Kinetic[k], b.Kinetic[k]) {
						t.Fatalf("%s, length %d, case %d: sums of lane %d differ", path, n, c, k)
					}
				}
				if x, y := a.Total().Farthest, b.Total().Farthest; x != y && (x == x || y == y) {
					t.Fatalf("%s, length %d, case %d: the farthest is %g, want %g", path, n, c, x, y)
				}
			}
		}
	}
}

// callSize32 is more than a call in assembly takes.
const callSize32 = 128 * noise.Group

// A coordinate that is lost is seen wherever it is.
func TestMomentumSeesEveryCoordinate(t *testing.T) {
	const n = 2*noise.Group + 5
	for _, path := range paths() {
		for _, z := range []*noise.Schedule{nil, new(noise.Schedule)} {
			for i := range n {
				for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(-1)), -limit} {
					theta := make([]float32, n)
					theta[i] = bad
					var s MomentumSums
					if new(Momentum).Step(path, theta, make([]float32, n), make([]float32, n), 0, &s, z); s.Total().Farthest < limit {
						t.Fatalf("%s: θ[%d] = %g passes", path, i, bad)
					}
				}
			}
		}
	}
}
