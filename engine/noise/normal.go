package noise

import "math"

// Float is the arithmetic that normals are asked for in.
type Float interface{ ~float32 | ~float64 }

// Fill writes the stream's standard normals to dst. Normals 2b and 2b+1 come
// from block b by Box and Muller's transform,
//
//	r = √(-2 ln u), z_2b = r cos 2πv, z_2b+1 = r sin 2πv,
//
// with u ∈ (0, 1] and v ∈ [0, 1) of 53 and 62 bits, so |z| ≤ 8.58.
func Fill[F Float](s Stream, dst []F) {
	var z [2 * batch]float64
	for i := 0; i < len(dst); i += len(z) {
		n := min(len(z), len(dst)-i)
		s.pairs(z[:(n+1)&^1], uint32(i/2), 1, 0)
		for j, x := range z[:n] {
			dst[i+j] = F(x)
		}
	}
}

// pairs writes the normals of len(dst)/2 blocks to dst. The first is the block
// numbered block at the stream's step; from one to the next the number grows by
// dBlock and the step by dStep.
func (s Stream) pairs(dst []float64, block, dBlock, dStep uint32) {
	for len(dst) > 0 {
		n := min(len(dst)/2, batch)
		if dStep != 0 { // up to where the step's low half overflows
			n = int(min(uint64(n), 1<<32-uint64(uint32(s.step))))
		}
		pairsGeneric(dst[:2*n], block, dBlock, uint32(s.step), dStep, uint32(s.step>>32), s.place, s.k0, s.k1)
		dst = dst[2*n:]
		block += uint32(n) * dBlock
		s.step += uint64(n) * uint64(dStep)
	}
}

// batch is how many blocks go through the three loops of pairsGeneric at once.
// The blocks do not depend on each other, so in each loop the processor works
// on several of them.
const batch = 64

// pairsGeneric writes the normals of the blocks with counters
// (c0 + i d0, c1 + i d1, c2, c3) to dst[2i] and dst[2i+1].
func pairsGeneric(dst []float64, c0, d0, c1, d1, c2, c3, k0, k1 uint32) {
	var u, v [batch]uint64
	n := len(dst) / 2
	for i := range n {
		w0, w1, w2, w3 := philox(c0, c1, c2, c3, k0, k1)
		u[i%batch], v[i%batch] = uint64(w1)<<32|uint64(w0), uint64(w3)<<32|uint64(w2)
		c0 += d0
		c1 += d1
	}
	for i, x := range u[:n] {
		u[i] = math.Float64bits(math.Sqrt(-2 * logUnit(float64(int64(x>>11)+1)*0x1p-53)))
	}
	for i, x := range v[:n] {
		r := math.Float64frombits(u[i])
		sin, cos := sincosTurn(x)
		dst[2*i], dst[2*i+1] = r*cos, r*sin
	}
}

// logUnit is ln x for x ∈ [2⁻⁵³, 1]: x = 2ᵏ m with m ∈ [√½, √2), s = f/(2+f) at
// f = m-1, and FDLIBM's polynomial in s² for the remainder. Without its special
// cases it inlines, which halves the cost of a normal.
func logUnit(x float64) float64 {
	const (
		l1 = 6.666666666666735130e-01
		l2 = 3.999999999940941908e-01
		l3 = 2.857142874366239149e-01
		l4 = 2.222219843214978396e-01
		l5 = 1.818357216161805012e-01
		l6 = 1.531383769920937332e-01
		l7 = 1.479819860511658591e-01
		// The bits of √½, rounded to where the exponent's carry falls.
		shift = 0x3ff0000000000000 - 0x3fe6a09e667f3bcd
	)
	bits := math.Float64bits(x) + shift
	k := float64(int64(bits>>52) - 1023)
	f := math.Float64frombits(bits&(1<<52-1)+0x3fe6a09e667f3bcd) - 1
	s := f / (2 + f)
	z := s * s
	w := z * z
	r := z*(l1+w*(l3+w*(l5+w*l7))) + w*(l2+w*(l4+w*l6))
	h := 0.5 * f * f
	return k*math.Ln2 - (h - s*(h+r) - f)
}

// sincosTurn returns the sine and cosine of 2π v/2⁶⁴. The two high bits of v
// are the quadrant; the rest is an angle in [-π/4, π/4) about the quadrant's
// middle, for which Cephes' polynomials hold to 2⁻⁵³.
func sincosTurn(v uint64) (sin, cos float64) {
	const (
		s1 = -1.66666666666666307295e-1
		s2 = 8.33333333332211858878e-3
		s3 = -1.98412698295895385996e-4
		s4 = 2.75573136213857245213e-6
		s5 = -2.50507477628578072866e-8
		s6 = 1.58962301576546568060e-10
		c1 = 4.16666666666665929218e-2
		c2 = -1.38888888888730564116e-3
		c3 = 2.48015872888517045348e-5
		c4 = -2.75573141792967388112e-7
		c5 = 2.08757008419747316778e-9
		c6 = -1.13585365213876817300e-11
	)
	t := float64(int64(v<<2)) * (math.Pi / 4 * 0x1p-63)
	z := t * t
	sn := t + t*z*(s1+z*(s2+z*(s3+z*(s4+z*(s5+z*s6)))))
	cs := 1 - 0.5*z + z*z*(c1+z*(c2+z*(c3+z*(c4+z*(c5+z*c6)))))
	// Without branches: which quadrant comes next cannot be predicted.
	a, b := math.Float64bits(sn), math.Float64bits(cs)
	swap := (a ^ b) & -(v >> 62 & 1)
	a, b = a^swap, b^swap
	a ^= v >> 63 << 63
	b ^= (v>>63 ^ v>>62&1) << 63
	return math.Float64frombits(a), math.Float64frombits(b)
}

// prefetch is how many normals are made at once where a step needs few.
const prefetch = 256

// Normals hands out, step by step, the dim standard normals of a stream. The
// values are those of Fill at that step; Normals only makes several steps'
// worth at a time.
type Normals[F Float] struct {
	s      Stream
	dim    int
	row    int    // dim, rounded up to even
	lo, hi uint64 // steps in buf
	buf    []F
	pairs  []float64 // scratch
}

// NewNormals returns the normals of s for vectors of length dim.
func NewNormals[F Float](s Stream, dim int) *Normals[F] {
	row := (dim + 1) &^ 1
	n := row * max(1, prefetch/max(row, 1))
	return &Normals[F]{s: s, dim: dim, row: row, buf: make([]F, n), pairs: make([]float64, n)}
}

// At returns the normals of a step. The slice is good until the next call.
func (n *Normals[F]) At(step uint64) []F {
	if step < n.lo || step >= n.hi {
		n.fill(step)
	}
	o := int(step-n.lo) * n.row
	return n.buf[o : o+n.dim : o+n.dim]
}

func (n *Normals[F]) fill(step uint64) {
	steps := len(n.buf) / max(n.row, 1)
	if n.row == 2 {
		n.s.At(step).pairs(n.pairs, 0, 0, 1)
	} else {
		for i := range steps {
			n.s.At(step+uint64(i)).pairs(n.pairs[i*n.row:(i+1)*n.row], 0, 1, 0)
		}
	}
	for i, x := range n.pairs {
		n.buf[i] = F(x)
	}
	n.lo, n.hi = step, step+uint64(steps)
}
