package sampler

import (
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every path does what the generic forms do, to the bit and with their sums.
func TestFieldPathsAgree(t *testing.T) {
	for _, path := range paths() {
		r := rand.New(rand.NewPCG(1, 16))
		for _, n := range []int{1, 2, 31, 32, 33, 63, 64, 65, 127, 200, 1000, 128*fieldLanes + 67} {
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
				a := fieldStretch{
					theta: vector(number(1)), z: vector(number(1)), mean: vector(number(1e-3)),
					mu: vector(number(1)), rho: vector(number(8)), muV: vector(square), rhoV: vector(square), muMean: make([]float32, n), rhoMean: make([]float32, n),
				}
				b := fieldStretch{
					theta: slices.Clone(a.theta), z: a.z, mean: a.mean,
					mu: slices.Clone(a.mu), rho: slices.Clone(a.rho), muV: slices.Clone(a.muV), rhoV: slices.Clone(a.rhoV), muMean: a.muMean, rhoMean: a.rhoMean,
				}
				q := fieldRule{
					alpha: eight(0.99), beta: eight(0.01), lambda: eight(1e-5), unbias: eight(1.3), lr: eight(1e-3), lrRho: eight(3e-4),
					temp: eight(2e-5), prior: eight(2e-5), more: eight(0.7), odds: eight(-6), slope: eight(3e3), half: eight(0.5),
					mixture: mixture,
				}
				var s, w fieldSums
				s.clear()
				w.clear()
				draw(path, a.theta, a.z, a.mu, a.rho)
				drawGeneric(b.theta, b.z, b.mu, b.rho)
				moveField(path, a, &q, &s)
				fieldGeneric(b, &q, &w)
				for _, g := range guards {
					g(path)
				}
				for i := range a.theta {
					if !same(a.theta[i], b.theta[i]) || !same(a.mu[i], b.mu[i]) || !same(a.rho[i], b.rho[i]) || !same(a.muV[i], b.muV[i]) || !same(a.rhoV[i], b.rhoV[i]) {
						t.Fatalf("%s, length %d, case %d: w[%d] = %g, want %g; μ %g, %g; ρ %g, %g", path, n, c, i, a.theta[i], b.theta[i], a.mu[i], b.mu[i], a.rho[i], b.rho[i])
					}
				}
				for k := range fieldLanes {
					// The logarithm of NaN is some number, by its bits.
					entropy := same(s.entropy[k], w.entropy[k]) || wild
					if !entropy || !same(s.drift[k], w.drift[k]) || !same(s.inject[k], w.inject[k]) || !same(s.virial[k], w.virial[k]) || !same(s.prior[k], w.prior[k]) {
						t.Fatalf("%s, length %d, case %d: the sums of lane %d differ: %v, want %v", path, n, c, k, s, w)
					}
				}
				if slices.Min(s.least[:]) != slices.Min(w.least[:]) || slices.Max(s.greatest[:]) != slices.Max(w.greatest[:]) || (slices.Max(s.farthest[:]) < math.Float32bits(Limit)) != (slices.Max(w.farthest[:]) < math.Float32bits(Limit)) {
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
		a, b := softplus(float64(float32(x)))
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
			b.Run(path+"/"+m, func(b *testing.B) {
				v := func() []float32 { return make([]float32, n) }
				c := fieldStretch{v(), v(), v(), v(), v(), v(), v(), v(), v()}
				for i := range c.rho {
					c.rho[i] = -3
				}
				var s fieldSums
				q := fieldRule{lambda: eight(1), mixture: m == "mix"}
				for b.Loop() {
					draw(path, c.theta, c.z, c.mu, c.rho)
					moveField(path, c, &q, &s)
				}
			})
		}
	}
}

// As TestAVX2UsesNoMore.
func TestFieldAVX2UsesNoMore(t *testing.T) {
	source, err := os.ReadFile("field_amd64.s")
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
	if found != 3 {
		t.Errorf("%d functions, want 3", found)
	}
}
