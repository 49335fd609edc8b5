package f32

import "math"

// AddNormals adds sd·N(0, 1) to x, made from random words: one for each number, and one
// more if len(x) is odd. Words u and v make two normals by Box and Muller's formula,
//
//	√(-2 ln (u+½)/2³²) cos 2π(v+½)/2³²  and the same with sin,
//
// in float32: they err by at most 2⁻²¹ of the radius. The bits are the same on all paths.
func AddNormals(x []float32, sd float32, words []uint32) {
	sameLength("AddNormals", "words", len(words), (len(x)+1)&^1)
	for ; len(x) > 1; x, words = x[2:], words[2:] {
		radius := sd * boxMullerRadius(words[0])
		cos, sin := unitCircle(words[1])
		x[0] += float32(radius * cos)
		x[1] += float32(radius * sin)
	}
	if len(x) == 1 {
		cos, _ := unitCircle(words[1])
		x[0] += float32(sd * boxMullerRadius(words[0]) * cos)
	}
}

// boxMullerRadius is √(-2 ln (u+½)/2³²), with Cephes' polynomial of logf.
func boxMullerRadius(u uint32) float32 {
	// u+½ = m 2ᵉ with m from √½ to √2, which has the exponent and the fraction of a number in its bits.
	const sqrtHalf, one = 0x3f3504f3, 0x3f800000
	bits := math.Float32bits(float32(u) + 0.5)
	shifted := bits - sqrtHalf + one
	exponent := int32(shifted>>23) - 127 - 32
	e := float32(exponent)
	// r = m - 1, exact on both sides of 1.
	fraction := math.Float32bits(math.Float32frombits(shifted&(1<<23-1)+sqrtHalf) - 1)
	if missing := math.Float32bits((float32(^u) + 0.5) * (-1.0 / (1 << 32))); exponent == 0 {
		fraction = missing
	}
	r := math.Float32frombits(fraction)
	z := r * r
	p := float32(7.0376836292e-2)
	p = float32(p*r) - 1.1514610310e-1
	p = float32(p*r) + 1.1676998740e-1
	p = float32(p*r) - 1.2420140846e-1
	p = float32(p*r) + 1.4249322787e-1
	p = float32(p*r) - 1.6668057665e-1
	p = float32(p*r) + 2.0000714765e-1
	p = float32(p*r) - 2.4999993993e-1
	p = float32(p*r) + 3.3333331174e-1
	p = float32(float32(p*r) * z)
	const ln2High, ln2Low = 0.693359375, -2.12194440e-4
	p += float32(e * ln2Low)
	p -= float32(0.5 * z)
	ln := r + p + float32(e*ln2High)
	return float32(math.Sqrt(float64(-2 * ln)))
}

// unitCircle returns the cosine and the sine of 2π(v+½)/2³², with Cephes' polynomials of sinf and cosf.
func unitCircle(v uint32) (cos, sin float32) {
	quadrant := (v + 1<<29) >> 30
	// From the middle of the quadrant, -π/4 to π/4.
	t := float32((float32(int32(v-quadrant<<30)) + 0.5) * (2 * math.Pi / (1 << 32)))
	z := t * t
	s := float32(-1.9515295891e-4)
	s = float32(s*z) + 8.3321608736e-3
	s = float32(s*z) - 1.6666654611e-1
	s = float32(float32(s*z)*t) + t
	c := float32(2.443315711809948e-5)
	c = float32(c*z) - 1.388731625493765e-3
	c = float32(c*z) + 4.166664568298827e-2
	c = float32(float32(c*z)*z) - float32(0.5*z) + 1
	a, b := math.Float32bits(c), math.Float32bits(s)
	if quadrant&1 == 1 {
		a, b = b, a
	}
	// The cosine is negative in the second and third quadrant, the sine in the third and fourth.
	a ^= (quadrant + 1) >> 1 << 31
	b ^= quadrant >> 1 << 31
	return math.Float32frombits(a), math.Float32frombits(b)
}
