package step32

import (
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// limit is sampler.Limit.
const limit = 1e8

// paths are those that this machine has.
func paths() []simd.Path { return simd.Paths }

// same is whether two numbers have the same bits or are both not numbers, whose
// bits may differ from path to path.
func same(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b }

// guarded returns n numbers, those of f, at an odd place among guards, and a
// function that checks the guards.
func guarded(t *testing.T, n, odd int, f func(i int) float32) ([]float32, func(what string)) {
	const guard = 48 // more than any vector
	const canary = 0x7fc0dead
	all := slices.Repeat([]float32{math.Float32frombits(canary)}, guard+odd+n+guard)
	x := all[guard+odd:][:n:n]
	for i := range x {
		x[i] = f(i)
	}
	return x, func(what string) {
		t.Helper()
		for i, y := range all {
			if (i < guard+odd || i >= guard+odd+n) && math.Float32bits(y) != canary {
				t.Fatalf("%s: number %d of %d was written", what, i-guard-odd, n)
			}
		}
	}
}

// hostile numbers and ordinary ones.
func hostile(r *rand.Rand) float32 {
	odd := []float32{0, 1e-45, -3e-42, 1e-38, 1e-30, 3e38, -1e30, 1e19, float32(math.Inf(1)), float32(math.Inf(-1)),
		float32(math.NaN()), limit, -limit, 1}
	if r.IntN(10) == 0 {
		return odd[r.IntN(len(odd))]
	}
	return float32(r.NormFloat64())
}

// Every path does what the generic form does, to the bit and with its sums.
func TestLangevinPathsAgree(t *testing.T) {
	lengths := []int{1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 1000, 128*noise.Group + 67, 256 * noise.Group}
	for _, path := range paths() {
		r := rand.New(rand.NewPCG(1, 6))
		for _, n := range lengths {
			for c := range 64 {
				if n > 1000 && c >= 8 {
					break
				}
				wild, pre, still, apart, frozen := c&8 != 0, c&1 != 0, c&2 != 0, c&4 != 0, c&16 != 0
				number := func(int) float32 { return float32(r.NormFloat64()) }
				if wild {
					number = func(int) float32 { return hostile(r) }
				}
				theta, whole := guarded(t, n, r.IntN(17), number)
				v, wholeV := guarded(t, n, r.IntN(17), func(i int) float32 {
					return float32(math.Abs(float64(number(i))))
				})
				mean, _ := guarded(t, n, r.IntN(17), number)
				second := mean
				if apart {
					second, _ = guarded(t, n, r.IntN(17), number)
				}
				q := Langevin{
					Alpha: Eight(0.99), Beta: Eight(0.01), Lambda: Eight(1e-5),
					N: Eight(50000), Prior: Eight(0.7), Half: Eight(2e-6), Spread: Eight(4e-6),
				}
				if frozen {
					q.Alpha, q.Beta, second = Eight(1), Eight(0), v
				}
				got := Segment{Theta: theta, Mean: mean, From: noise.Group * int(r.Int32N(1<<20))}
				want := Segment{Theta: slices.Clone(theta), Mean: mean, From: got.From}
				if pre {
					got.V, got.Second = v, second
					want.V, want.Second = slices.Clone(v), second
					if frozen {
						want.Second = want.V
					}
				}
				var z *noise.Schedule
				if !still {
					z = new(noise.Schedule)
					noise.New(r.Uint64(), 3, noise.Langevin).At(r.Uint64()).Schedule(z)
				}
				var a, b Sums
				a.Clear()
				b.Clear()
				q.Step(path, got, &a, z)
				q.generic(want, &b, z)
				whole("θ")
				wholeV("V")
				for i := range theta {
					if !same(theta[i], want.Theta[i]) || pre && !same(v[i], want.V[i]) {
						t.Fatalf("%s, length %d, case %d: θ[%d] = %g, want %g; V = %g", path, n, c, i, theta[i],
							want.Theta[i], v[i])
					}
				}
				for k := range Lanes {
					if !same(a.Drift[k], b.Drift[k]) || !same(a.Noise[k], b.Noise[k]) {
						t.Fatalf("%s, length %d, case %d: sums of lane %d are %g %g, want %g %g", path, n, c, k,
							a.Drift[k], a.Noise[k], b.Drift[k], b.Noise[k])
					}
				}
				x, y := a.Total(), b.Total()
				if x.Least != y.Least || x.Greatest != y.Greatest || !same(x.Farthest, y.Farthest) {
					t.Fatalf("%s, length %d, case %d: totals %+v, want %+v", path, n, c, x, y)
				}
			}
		}
	}
}

// A coordinate that is lost is seen wherever it is.
func TestLangevinSeesEveryCoordinate(t *testing.T) {
	const n = 2*noise.Group + 5
	for _, path := range paths() {
		for _, z := range []*noise.Schedule{nil, new(noise.Schedule)} {
			for i := range n {
				for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(-1)), -limit} {
					c := Segment{Theta: make([]float32, n), Mean: make([]float32, n)}
					c.Theta[i] = bad
					var s Sums
					s.Clear()
					if new(Langevin).Step(path, c, &s, z); s.Total().Farthest < limit {
						t.Fatalf("%s: θ[%d] = %g passes", path, i, bad)
					}
				}
			}
		}
	}
}

// A vector register above 15 would need more than AVX2, and the assembler does
// not say so. A fused product and sum would not round as the generic form does.
func TestAVX2UsesNoMore(t *testing.T) {
	for file, want := range map[string]int{"steps_amd64.s": 10, "momentum_amd64.s": 2, "meanfield_amd64.s": 3} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, code := range strings.Split(string(source), "TEXT ·")[1:] {
			name, _, _ := strings.Cut(code, "(")
			if !strings.HasSuffix(name, "AVX2") {
				continue
			}
			found++
			code, _, _ = strings.Cut(code, "\n//")
			more := regexp.MustCompile(`\b([XY](1[6-9]|[23]\d)|Z\d+|K[0-7]|VFN?M\w+)\b`).FindString(code)
			if more != "" {
				t.Errorf("%s uses %s", name, more)
			}
		}
		if found != want {
			t.Errorf("%s has %d functions, want %d", file, found, want)
		}
	}
}

// In float64 no second moment ends at zero before it is zero.
func TestTiny(t *testing.T) {
	if TinyOf[float32]() != Tiny || TinyOf[float64]() != 0 {
		t.Errorf("tiny is %g and %g", TinyOf[float32](), TinyOf[float64]())
	}
}
