package sampler

import (
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
)

// Every path does what glideGeneric does, to the bit and with its sums.
func TestGlidePathsAgree(t *testing.T) {
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
				q := thrust{n: eight(50000), prior: eight(0.7), half: eight(2e-6), keep: eight(0.9), spread: eight(4e-4)}
				from := noise.Group * int(r.Int32N(1<<20))
				var z *noise.Schedule
				if c&2 != 0 {
					z = new(noise.Schedule)
					noise.New(r.Uint64(), 3, noise.Langevin).At(r.Uint64()).Schedule(z)
				}
				var a, b travel
				glides(path, theta, v, mean, from, &q, &a, z)
				glideGeneric(wantTheta, wantV, mean, from, &q, &b, z)
				whole("θ")
				wholeV("v")
				wholeMean("ḡ")
				for i := range theta {
					if !same(theta[i], wantTheta[i]) || !same(v[i], wantV[i]) {
						t.Fatalf("%s, length %d, case %d: θ[%d] = %g, want %g; v = %g, want %g", path, n, c, i, theta[i], wantTheta[i], v[i], wantV[i])
					}
				}
				for k := range lanes {
					if !same(a.drift[k], b.drift[k]) || !same(a.inject[k], b.inject[k]) || !same(a.virial[k], b.virial[k]) || !same(a.kinetic[k], b.kinetic[k]) {
						t.Fatalf("%s, length %d, case %d: sums of lane %d differ", path, n, c, k)
					}
				}
				if a.motion().bad != b.motion().bad {
					t.Fatalf("%s, length %d, case %d: lost is %v, want %v", path, n, c, a.motion().bad, b.motion().bad)
				}
			}
		}
	}
}

// callSize32 is more than a call in assembly takes.
const callSize32 = 128 * noise.Group

// glideGeneric moves θ and v as glide does, to the bit, and sums what it sums.
func TestGlideGenericIsGlide(t *testing.T) {
	const n = 200
	r := rand.New(rand.NewPCG(3, 6))
	c := course[float32]{theta: start32(n), v: start32(n), mean: start32(n)}
	for i := range n {
		c.v[i], c.mean[i] = float32(r.NormFloat64()), float32(r.NormFloat64())
	}
	theta, v := slices.Clone(c.theta), slices.Clone(c.v)
	plain := rate[float32]{n: 300, prior: 0.7, half: 2e-3, keep: 0.9, spread: 0.03}
	q := thrust{n: eight(300), prior: eight(0.7), half: eight(2e-3), keep: eight(0.9), spread: eight(0.03)}
	var key noise.Schedule
	noise.New(1, 3, noise.Langevin).At(9).Schedule(&key)
	z := make([]float32, n)
	key.Float32(z, 128)
	want := plain.glide(c, z)
	var t2 travel
	glideGeneric(theta, v, c.mean, 128, &q, &t2, &key)
	if !slices.Equal(theta, c.theta) || !slices.Equal(v, c.v) {
		t.Error("θ or v differ")
	}
	got := t2.motion()
	for what, x := range map[string][2]float64{
		"‖drift‖²": {got.drift, want.drift}, "‖noise‖²": {got.inject, want.inject}, "‖v‖²": {got.kinetic, want.kinetic},
	} {
		// Sums of n positive terms in float32, in two orders.
		if math.Abs(x[0]-x[1]) > n*0x1p-24*x[1] {
			t.Errorf("%s = %g, want %g", what, x[0], x[1])
		}
	}
	if math.Abs(got.virial-want.virial) > 1e-2 { // terms of 30 and less
		t.Errorf("θ·∇U = %g, want %g", got.virial, want.virial)
	}
}

// A coordinate that is lost is seen wherever it is.
func TestGlideSeesEveryCoordinate(t *testing.T) {
	const n = 2*noise.Group + 5
	for _, path := range paths() {
		for _, z := range []*noise.Schedule{nil, new(noise.Schedule)} {
			for i := range n {
				for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(-1)), -Limit} {
					theta := make([]float32, n)
					theta[i] = bad
					var s travel
					if glides(path, theta, make([]float32, n), make([]float32, n), 0, new(thrust), &s, z); !s.motion().bad {
						t.Fatalf("%s: θ[%d] = %g passes", path, i, bad)
					}
				}
			}
		}
	}
}

// As TestAVX2UsesNoMore.
func TestGlideAVX2UsesNoMore(t *testing.T) {
	source, err := os.ReadFile("glide_amd64.s")
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
		if more := regexp.MustCompile(`\b([XY](1[6-9]|[23]\d)|Z\d+|K[0-7]|VFN?M\w+)\b`).FindString(code); more != "" {
			t.Errorf("%s uses %s", name, more)
		}
	}
	if found != 2 {
		t.Errorf("%d functions, want 2", found)
	}
}
