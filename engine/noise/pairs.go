package noise

//go:generate go run -C _gen . -out ../pairs_amd64.s -stubs ../stubs_amd64.go -pkg noise
//go:generate go run -C _gen . neon -out ../pairs_arm64.s -stubs ../stubs_arm64.go -pkg noise

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// batch is the number of blocks that go through the three loops of pairsGeneric at once. The blocks do not depend on
// each other, so that the processor works on several of them in each loop.
const batch = 96

// pairs is pairsGeneric by a path that the machine has. It panics unless n pairs, 1 to batch of them,
// have room in dst. The calls are direct, so that dst can stay on the caller's stack.
func pairs(p simd.Path, dst []float64, n, stride int, c0, d0, c1, d1, c2, c3, k0, k1 uint32) {
	if n < 1 || n > batch || stride < 1 || (n-1)*stride+2 > len(dst) {
		panic("noise: no room for the pairs, or no such number of them")
	}
	if p == simd.Generic {
		pairsGeneric(dst, n, stride, c0, d0, c1, d1, c2, c3, k0, k1)
	} else {
		pairsVectors(p, &dst[0], n, stride, c0, d0, c1, d1, c2, c3, k0, k1)
	}
}

// pairsGeneric writes the normals of the blocks with counters (c0 + i d0, c1 + i d1, c2, c3),
// for i < n <= batch, to dst[i·stride] and the place after it, one block after the other.
//
// It defines the normals to the bit, on every machine and in assembly. The functions
// below therefore convert every product to float64 before anything is added to it: the
// compiler may otherwise fuse the two where the processor can (arm64, GOAMD64=v3).
func pairsGeneric(dst []float64, n, stride int, c0, d0, c1, d1, c2, c3, k0, k1 uint32) {
	var words [2 * batch]uint64
	u := words[:n]
	v := words[batch:][:n]
	for i := range u {
		w0, w1, w2, w3 := philox(c0, c1, c2, c3, k0, k1)
		u[i], v[i] = uint64(w1)<<32|uint64(w0), uint64(w3)<<32|uint64(w2)
		c0 += d0
		c1 += d1
	}
	for i, x := range u {
		k, f := exponent(float64(int64(x>>11)+1) * 0x1p-53)
		u[i] = math.Float64bits(math.Sqrt(-2 * logAt(k, f)))
	}
	for i, x := range v {
		r := math.Float64frombits(u[i])
		t := angle(x)
		z := t * t
		sin, cos := turn(x, libm.Sine(t, z), libm.Cosine(z))
		dst[i*stride], dst[i*stride+1] = r*cos, r*sin
	}
}

// exponent splits x > 0 into 2ᵏ (1+f) with 1+f ∈ [√½, √2).
func exponent(x float64) (k, f float64) {
	const (
		sqrtHalf = 0x3fe6a09e667f3bcd
		// Makes the bits carry into the exponent at √½.
		shift = 0x3ff0000000000000 - sqrtHalf
	)
	bits := math.Float64bits(x) + shift
	return float64(int64(bits>>52) - 1023), math.Float64frombits(bits&(1<<52-1)+sqrtHalf) - 1
}

// logAt is k ln 2 + ln(1+f), by FDLIBM's polynomial in s² with s = f/(2+f).
func logAt(k, f float64) float64 {
	s := f / (2 + f)
	h := float64(0.5 * f * f)
	return float64(k*math.Ln2) - (h - float64(s*(h+libm.LogTail(s))) - f)
}

// angle is that of a word about the middle of its quadrant, in [-π/4, π/4). The
// quadrant is the word's two high bits and the angle the rest, signed.
func angle(v uint64) float64 { return float64(float64(int64(v<<2)) * (math.Pi / 4 * 0x1p-63)) }

// turn moves a sine and cosine to the quadrant of v. It has no branches, since the quadrant cannot be predicted.
func turn(v uint64, sin, cos float64) (float64, float64) {
	a, b := math.Float64bits(sin), math.Float64bits(cos)
	swap := (a ^ b) & -(v >> 62 & 1)
	a ^= swap ^ v&(1<<63)
	b ^= swap ^ (v^v<<1)&(1<<63)
	return math.Float64frombits(a), math.Float64frombits(b)
}
