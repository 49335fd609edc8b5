package noise

import "math"

// batch is the number of blocks that go through the three loops of pairsGeneric at once.
// The blocks do not depend on each other, so that the processor works on several of them
// in each loop.
const batch = 96

// pairsGeneric writes the normals of the blocks with counters
// (c0 + i d0, c1 + i d1, c2, c3) to dst[2i] and dst[2i+1], at most batch of them.
//
// It defines the normals to the bit, on every machine and in assembly. The functions
// below therefore convert every product to float64 before anything is added to it: the
// compiler may otherwise fuse the two where the processor can (arm64, GOAMD64=v3).
func pairsGeneric(dst []float64, c0, d0, c1, d1, c2, c3, k0, k1 uint32) {
	var words [2 * batch]uint64
	u := words[:len(dst)/2]
	v := words[batch:][:len(u)]
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
		sin, cos := turn(x, sine(t, z), cosine(z))
		dst[2*i], dst[2*i+1] = r*cos, r*sin
	}
}

// madd is a b + c in two roundings.
func madd(a, b, c float64) float64 { return float64(a*b) + c }

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
	const (
		l1 = 6.666666666666735130e-01
		l2 = 3.999999999940941908e-01
		l3 = 2.857142874366239149e-01
		l4 = 2.222219843214978396e-01
		l5 = 1.818357216161805012e-01
		l6 = 1.531383769920937332e-01
		l7 = 1.479819860511658591e-01
	)
	s := f / (2 + f)
	z := s * s
	w := z * z
	r := madd(z, madd(w, madd(w, madd(w, l7, l5), l3), l1), float64(w*madd(w, madd(w, l6, l4), l2)))
	h := float64(0.5 * f * f)
	return float64(k*math.Ln2) - (h - float64(s*(h+r)) - f)
}

// angle is that of a word about the middle of its quadrant, in [-π/4, π/4). The
// quadrant is the word's two high bits and the angle the rest, signed.
func angle(v uint64) float64 { return float64(float64(int64(v<<2)) * (math.Pi / 4 * 0x1p-63)) }

// sine is sin t at z = t² for |t| ≤ π/4, by Cephes' polynomial, which holds to 2⁻⁵³.
func sine(t, z float64) float64 {
	const (
		s1 = -1.66666666666666307295e-1
		s2 = 8.33333333332211858878e-3
		s3 = -1.98412698295895385996e-4
		s4 = 2.75573136213857245213e-6
		s5 = -2.50507477628578072866e-8
		s6 = 1.58962301576546568060e-10
	)
	return madd(t*z, madd(z, madd(z, madd(z, madd(z, madd(z, s6, s5), s4), s3), s2), s1), t)
}

// cosine is cos t at z = t² for |t| ≤ π/4, by Cephes' polynomial, which holds to 2⁻⁵³.
func cosine(z float64) float64 {
	const (
		c1 = 4.16666666666665929218e-2
		c2 = -1.38888888888730564116e-3
		c3 = 2.48015872888517045348e-5
		c4 = -2.75573141792967388112e-7
		c5 = 2.08757008419747316778e-9
		c6 = -1.13585365213876817300e-11
	)
	return madd(z*z, madd(z, madd(z, madd(z, madd(z, madd(z, c6, c5), c4), c3), c2), c1), 1-float64(0.5*z))
}

// turn moves a sine and cosine to the quadrant of v. It has no branches, since the
// quadrant cannot be predicted.
func turn(v uint64, sin, cos float64) (float64, float64) {
	a, b := math.Float64bits(sin), math.Float64bits(cos)
	swap := (a ^ b) & -(v >> 62 & 1)
	a ^= swap ^ v&(1<<63)
	b ^= swap ^ (v^v<<1)&(1<<63)
	return math.Float64frombits(a), math.Float64frombits(b)
}
