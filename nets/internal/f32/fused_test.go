package f32

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// onceRounded is x·y + z by big numbers, which round at the end alone.
func onceRounded(x, y, z float32) float32 {
	if exact := float64(x)*float64(y) + float64(z); math.IsInf(exact, 0) || exact != exact || exact == 0 {
		return float32(exact) // in float64 the product of two float32 is exact, and a sum is 0 only if it is 0
	}
	const all = 1000 // more bits than from 2²⁵⁶ to 2⁻²⁹⁸
	term := func(v float32) *big.Float { return new(big.Float).SetPrec(all).SetFloat64(float64(v)) }
	p := term(x)
	p.Mul(p, term(y))
	out, _ := p.Add(p, term(z)).Float32()
	return out
}

// fusedCases are factors and summands at which rounding twice, flushing denormals or
// overflowing early shows.
func fusedCases() [][3]float32 {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	zero := float32(math.Copysign(0, -1))
	const most, least, normal = math.MaxFloat32, math.SmallestNonzeroFloat32, 0x1p-126
	cases := [][3]float32{
		{0, 0, 0}, {zero, 1, zero}, {zero, 1, 0}, {1, 1, -1}, {zero, zero, zero}, {1, 0, -3},
		{inf, 0, 1}, {inf, 1, -inf}, {inf, 1, 1}, {1, 1, inf}, {nan, 1, 1}, {1, 1, nan}, {most, most, -inf},
		{most, most, most}, {most, -most, most}, {most, 1, most}, {most, 1, 0x1p102}, {most, 1, 0x1p103},
		{most, 2, -most},
		{most, 1, 0x1p103 - 0x1p79}, {most, 1 + 0x1p-23, 0}, {0x1p64, 0x1p64, -0x1p104}, {0x1p64, 0x1p64, -0x1p103},
		{least, least, least}, {least, least, 0}, {-least, least, 0}, {least, 0.5, 0}, {3 * least, 0.5, 0},
		{least, 0.5, least},
		{least, least, normal}, {least, -least, normal}, {least, 1, normal}, {normal, 0.5, -normal},
		{normal, 1 - 0x1p-24, 0},
		{normal, 1 - 0x1p-24, least}, {0x1p-75, 0x1p-75, 0}, {0x1p-75, 0x1.000002p-75, 0}, {0x1p-75, 0x1.fffffep-76, 0},
	}
	// Ties that are broken beyond float64: x·y = 2⁴⁷ - 2j² beside z of 24 bits.
	for j := range 8 {
		x, y := float32(1<<24-2*j), float32(1<<23+j)
		for _, scale := range []float32{0x1p-48, 0x1p-47, 0x1p-46, 0x1p-49} {
			for _, z := range []float32{1 << 23, 1<<23 + 1, 1<<23 + 2, 1<<24 - 1, 1<<24 - 2} {
				for _, down := range []float32{1, 0x1p-60, 0x1p-100, 0x1p-126, 0x1p-140, 0x1p-149, 0x1p100} {
					for _, sign := range []float32{1, -1} {
						cases = append(cases, [3]float32{sign * x, y * scale * down, z * down},
							[3]float32{x, y * scale * down, -sign * z * down})
					}
				}
			}
		}
	}
	return cases
}

// Sums whose exact value is a hair beside a midpoint are what rounding twice gets wrong.
func TestFusedRoundsOnce(t *testing.T) {
	check := func(x, y, z float32) (twice bool) {
		t.Helper()
		got, want := fused(x, y, z), onceRounded(x, y, z)
		if !alike(got, want) {
			t.Fatalf("%g·%g + %g (%x %x %x) is %g (%x), want %g (%x)",
				x, y, z, math.Float32bits(x), math.Float32bits(y), math.Float32bits(z),
				got, math.Float32bits(got), want, math.Float32bits(want))
		}
		return !alike(float32(float64(x)*float64(y)+float64(z)), want)
	}
	wrong := 0
	for _, c := range fusedCases() {
		if check(c[0], c[1], c[2]) {
			wrong++
		}
	}
	if wrong < 100 {
		t.Errorf("%d of %d cases tell rounding once from rounding twice", wrong, len(fusedCases()))
	}
	r := rand.New(rand.NewPCG(71, 72))
	for range 100_000 {
		// Exponents are near each other, so that the terms overlap, at any size.
		near := 1 + r.IntN(254)
		draw := func(exponent int) float32 {
			return math.Float32frombits(uint32(min(max(exponent, 0),
				255))<<23 | r.Uint32()&(1<<31|1<<23-1)&^(1<<r.IntN(24)-1))
		}
		a := 1 + r.IntN(254)
		check(draw(a), draw(near-a+127), draw(near+r.IntN(60)-30))
	}
}

// A product with K = 2 whose first term is z·1 ends in the processor's own instruction.
func FuzzFused(f *testing.F) {
	for _, c := range fusedCases()[:200] {
		f.Add(math.Float32bits(c[0]), math.Float32bits(c[1]), math.Float32bits(c[2]))
	}
	ws := NewWorkspace()
	f.Fuzz(func(t *testing.T, i, j, k uint32) {
		x, y, z := math.Float32frombits(i), math.Float32frombits(j), math.Float32frombits(k)
		want := onceRounded(x, y, z)
		if got := fused(x, y, z); !alike(got, want) {
			t.Fatalf("%x·%x + %x is %x, want %x", i, j, k, math.Float32bits(got), math.Float32bits(want))
		}
		if z == 0 || active == generic {
			return // 0 + -0 is 0
		}
		dst := []float32{0}
		active.product(newProduct(plain, Mat(1, 1, dst), Mat(1, 2, []float32{z, x}), Mat(2, 1, []float32{1, y}),
			false), ws)
		if !alike(dst[0], want) {
			t.Fatalf("%x·%x + %x is %x by the processor, want %x",
				i, j, k, math.Float32bits(dst[0]), math.Float32bits(want))
		}
	})
}

func BenchmarkFused(b *testing.B) {
	x, y := make([]float32, 1024), make([]float32, 1024)
	fill(rand.New(rand.NewPCG(73, 74)), x)
	for _, p := range []path{generic, exact} {
		b.Run(p.String(), func(b *testing.B) { measure(b, 2*len(x), func() { p.addTimes(y, 1e-3, x) }) })
	}
}
