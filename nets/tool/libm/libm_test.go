package libm

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

// functions are those of the package, package math's of the same name, and an argument
// for each draw: of all sizes, and of those that are asked for.
var functions = []struct {
	name      string
	f, std    func(x, y float64) float64
	arguments func(r *rand.Rand) (x, y float64)
	hash      uint64 // of results for hashed arguments
}{
	{"Exp", one(Exp), one(math.Exp), func(r *rand.Rand) (float64, float64) {
		return either(r, 750*(2*r.Float64()-1)), 0
	}, 0xfb49de88a7b88f2e},
	{"Expm1", one(Expm1), one(math.Expm1), func(r *rand.Rand) (float64, float64) {
		return either(r, 5*r.NormFloat64()), 0
	}, 0x6f78eb8edc3cb168},
	{"Log", one(Log), one(math.Log), func(r *rand.Rand) (float64, float64) {
		return either(r, math.Exp(r.NormFloat64())), 0
	}, 0x3483a58546ee8495},
	{"Log10", one(Log10), one(math.Log10), func(r *rand.Rand) (float64, float64) {
		return either(r, math.Exp(r.NormFloat64())), 0
	}, 0x4d6b50737f203dcc},
	{"Log1p", one(Log1p), one(math.Log1p), func(r *rand.Rand) (float64, float64) {
		return either(r, math.Expm1(3*r.NormFloat64())), 0
	}, 0x3f41758218068b05},
	{"Pow", Pow, math.Pow, func(r *rand.Rand) (float64, float64) {
		return either(r, math.Exp(r.NormFloat64())), either(r, 10*r.NormFloat64())
	}, 0x9eb7ab611885c610},
	{"whole Pow", Pow, math.Pow, func(r *rand.Rand) (float64, float64) {
		return 1 - r.Float64()/10, math.Floor(r.ExpFloat64() * 1e4)
	}, 0x41f625c94337f689},
	{"Hypot", Hypot, math.Hypot, func(r *rand.Rand) (float64, float64) {
		return either(r, r.NormFloat64()), either(r, r.NormFloat64())
	}, 0x4089960f2317db4d},
	{"Cos", one(Cos), one(math.Cos), func(r *rand.Rand) (float64, float64) {
		return turns(either(r, 4*r.NormFloat64())), 0
	}, 0x3d2d8dc4ea7638d7},
	{"Sin", one(sine), one(math.Sin), func(r *rand.Rand) (float64, float64) {
		return turns(either(r, 4*r.NormFloat64())), 0
	}, 0xdc7af092efabcfe8},
	{"Atan", one(Atan), one(math.Atan), func(r *rand.Rand) (float64, float64) {
		return either(r, 4*r.NormFloat64()), 0
	}, 0xa7c0e9c7f842af13},
}

func one(f func(float64) float64) func(x, y float64) float64 {
	return func(x, _ float64) float64 { return f(x) }
}

func sine(x float64) float64 {
	sin, _ := Sincos(x)
	return sin
}

// either is x, any number or a special one.
func either(r *rand.Rand, x float64) float64 {
	switch special := [...]float64{0, math.Copysign(0, -1), 1, -1, 0.5, 2, math.Inf(1), math.Inf(-1), math.NaN(),
		5e-324, math.MaxFloat64}; r.IntN(8) {
	case 0:
		return math.Float64frombits(r.Uint64())
	case 1:
		return special[r.IntN(len(special))]
	}
	return x
}

// turns keeps an angle where Sincos is defined.
func turns(x float64) float64 {
	if math.Abs(x) >= 1<<29 {
		return math.Mod(x, 1<<29)
	}
	return x
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// TestStandard compares bits with those of package math where that has them: on amd64
// with fused multiply-add and this version of Go.
func TestStandard(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("package math rounds otherwise on " + runtime.GOARCH)
	}
	n := 1 << 20
	if testing.Short() {
		n = 1 << 17
	}
	for _, c := range functions {
		r := rand.New(rand.NewPCG(1, 2))
		for range n {
			x, y := c.arguments(r)
			switch {
			case c.name == "Exp" && 709.4 < x && x < 709.79: // where Go's is +Inf
				continue
			case math.Abs(x) < 0x1p-1022 && x != 0: // where Go's logarithm is wrong
				continue
			case math.Signbit(x) && c.name == "Pow":
				continue
			}
			if got, want := c.f(x, y), c.std(x, y); !same(got, want) {
				t.Errorf("%s(%v, %v) = %v, package math has %v", c.name, x, y, got, want)
				break
			}
		}
	}
}

// TestEverywhere holds the bits on any machine.
func TestEverywhere(t *testing.T) {
	for _, c := range functions {
		h := fnv.New64a()
		r := rand.New(rand.NewPCG(3, 4))
		for range 1 << 14 {
			// Arguments must not hang on package math: their bits are drawn.
			sign := r.Uint64() & (1 << 63)
			x := math.Float64frombits(sign | uint64(1023-30+r.IntN(42))<<52 | r.Uint64()>>12)
			y := math.Float64frombits(r.Uint64()&(1<<63) | uint64(1023-10+r.IntN(22))<<52 | r.Uint64()>>12)
			if c.name == "whole Pow" {
				y = math.Floor(y)
			}
			v := c.f(x, y)
			if v != v {
				v = math.NaN() // whose payload is the processor's
			}
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
			h.Write(b[:])
		}
		if got := h.Sum64(); got != c.hash {
			t.Errorf("%s: the hash is %#x, want %#x", c.name, got, c.hash)
		}
	}
}

// TestGamma compares Lgamma with package math's, and what are its derivatives with differences
// of step h, which err by h²/6 of the third derivative and by rounding, 1e-14/h.
func TestGamma(t *testing.T) {
	r, h := rand.New(rand.NewPCG(5, 6)), fnv.New64a()
	for range 1 << 14 {
		x := math.Float64frombits(uint64(1023-6+r.IntN(14))<<52 | r.Uint64()>>12)
		if want, _ := math.Lgamma(x); math.Abs(Lgamma(x)-want) > 2e-14*max(1, math.Abs(want)) {
			t.Errorf("Lgamma(%v) = %v, want %v", x, Lgamma(x), want)
		}
		step := 1e-4 * x
		if want := (Lgamma(x+step) - Lgamma(x-step)) / (2 * step); math.Abs(Digamma(x)-want) >
			1e-6*max(1, math.Abs(want)) {
			t.Errorf("Digamma(%v) = %v, by differences %v", x, Digamma(x), want)
		}
		if want := (Digamma(x+step) - Digamma(x-step)) / (2 * step); math.Abs(Trigamma(x)-want) >
			1e-6*max(1, math.Abs(want)) {
			t.Errorf("Trigamma(%v) = %v, by differences %v", x, Trigamma(x), want)
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(Lgamma(x)+Digamma(x)+Trigamma(x)))
		h.Write(b[:])
	}
	if got, want := h.Sum64(), uint64(0x2d9049f5486e6b0c); got != want {
		t.Errorf("the hash is %#x, want %#x", got, want)
	}
	for _, c := range [][2]float64{
		{Digamma(1), -0.57721566490153286}, {Trigamma(1), math.Pi * math.Pi / 6},
		{Digamma(100), 4.6001618527380874002}, {Lgamma(0.5), math.Log(math.Pi) / 2},
	} {
		if math.Abs(c[0]-c[1]) > 8e-15*max(1, math.Abs(c[1])) {
			t.Errorf("got %.17g, want %.17g", c[0], c[1])
		}
	}
	if !math.IsInf(Lgamma(0), 1) || Lgamma(-1) == Lgamma(-1) || Digamma(0) == Digamma(0) ||
		Trigamma(-1) == Trigamma(-1) {
		t.Error("beyond the domain")
	}
}

func TestExact(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{Exp(709.7), 1.6549840276802644e+308}, {Exp(709.78), 1.7928227943945155e+308}, {Exp(710), math.Inf(1)},
		{Exp(-745), 5e-324}, {Exp(-746), 0}, {Exp(0), 1}, {Exp(math.Inf(-1)), 0},
		{Log(5e-324), -744.4400719213812}, {Log(0), math.Inf(-1)},
		{Pow(-2, 2), math.NaN()},
	} {
		if !same(c.got, c.want) && math.Abs(c.got/c.want-1) > 1e-15 {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	if sin, cos := Sincos(1e9); sin == sin || cos == cos {
		t.Error("an angle beyond 2²⁹ has a sine")
	}
}

func BenchmarkExp(b *testing.B) {
	for _, f := range []struct {
		name string
		f    func(float64) float64
	}{{"libm", Exp}, {"math", math.Exp}} {
		b.Run(f.name, func(b *testing.B) {
			x := 0.0
			for i := range b.N {
				x += f.f(float64(i&1023)/100 - 5)
			}
			sink = x
		})
	}
}

func BenchmarkLog(b *testing.B) {
	for _, f := range []struct {
		name string
		f    func(float64) float64
	}{{"libm", Log}, {"math", math.Log}, {"libm1p", Log1p}, {"math1p", math.Log1p}} {
		b.Run(f.name, func(b *testing.B) {
			x := 0.0
			for i := range b.N {
				x += f.f(float64(i&1023)/100 + 0.1)
			}
			sink = x
		})
	}
}

var sink float64
