package noise

//go:generate go run -C _gen ./groups -out ../groups_amd64.s -stubs ../groups_stubs_amd64.go -pkg noise
//go:generate go run -C _gen ./groups neon -out ../groups_arm64.s -stubs ../groups_stubs_arm64.go -pkg noise

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// Group is the number of float32 normals that are made together, from groupBlocks blocks.
const (
	Group       = 64
	groupBlocks = 16
)

// groups is groupsGeneric by a path that the machine has.
func groups(p simd.Path, dst []float32, block uint32, k *Schedule) {
	if p == simd.Generic {
		groupsGeneric(dst, block, k)
	} else {
		groupsVectors(p, dst, block, &k[0][0])
	}
}

// groupsGeneric writes len(dst)/Group groups of normals to dst, the first from the 16 blocks that begin with number
// block. It defines the float32 normals to the bit, on every machine and in assembly. Every product is converted before
// anything is added to it, as in pairsGeneric.
//
// A block's words w0 … w3 make two pairs of normals, (w0, w2) and (w1, w3). Pair k of a
// group gives its normals k and 32+k, so that a vector register holds neighbours.
func groupsGeneric(dst []float32, block uint32, s *Schedule) {
	for len(dst) >= Group {
		var r, t [Group / 2]uint32
		for i := range groupBlocks {
			w0, w1, w2, w3 := s.block(block + uint32(i))
			r[2*i], r[2*i+1], t[2*i], t[2*i+1] = w0, w1, w2, w3
		}
		for k := range r {
			dst[k], dst[Group/2+k] = pair32(r[k], t[k])
		}
		dst = dst[Group:]
		block += groupBlocks
	}
}

// pair32 is Box and Muller's transform in single precision: with u = (⌊w/2⌋ + ½) 2⁻³¹ rounded to 24 bits, r = √(-2 ln
// u) and an angle of 30 bits within ±π/4 of an axis that v's high bits choose, the pair is r times the angle's cosine
// and sine in some order and sign. |z| ≤ 6.67, and z errs by less than 1.5·10⁻⁶ from exact arithmetic on u and v.
func pair32(w, v uint32) (a, b float32) {
	e, m := exponent32(w)
	r := sqrt32(float32(m*Logarithm32(m)) + float32(e*(-2*math.Ln2)))
	t := float32(float32(int32(v<<2)) * (math.Pi / 4 * 0x1p-31))
	z := float32(t * t)
	sin, cos := math.Float32bits(t*sine32(z)), math.Float32bits(cosine32(z))
	cos ^= v & (1 << 31)
	swap := (sin ^ cos) & -(v >> 30 & 1)
	return math.Float32frombits(cos^swap) * r, math.Float32frombits(sin^swap) * r
}

// exponent32 splits u = (⌊w/2⌋ + ½) 2⁻³¹ into 2ᵉ (1+m) with 1+m ∈ [√½, √2).
func exponent32(w uint32) (e, m float32) {
	const sqrtHalf = 0x3f3504f3
	b := math.Float32bits(float32(int32(w>>1))+0.5) - (sqrtHalf + 31<<23)
	return float32(int32(b) >> 23), math.Float32frombits(b&(1<<23-1)+sqrtHalf) - 1
}

// Logarithm32 is -2 ln(1+m)/m: the polynomial for which √(-2 ln u) errs least, by
// 7.5·10⁻⁸, given its first two numbers.
func Logarithm32(m float32) float32 {
	p := float32(m*0.20887165) - 0.32521608
	p = float32(p*m) + 0.34278286
	p = float32(p*m) - 0.39782968
	p = float32(p*m) + 0.49962726
	p = float32(p*m) - 0.66670835
	p = float32(p*m) + 1
	return float32(p*m) - 2
}

// sine32 is sin t/t at z = t² for |t| ≤ π/4, to 2·10⁻⁹ in the sine.
func sine32(z float32) float32 {
	p := float32(z*-0.00019496137) + 0.008331983
	p = float32(p*z) - 0.16666651
	return float32(p*z) + 1
}

// cosine32 is cos t at z = t² for |t| ≤ π/4, to 3.3·10⁻⁸.
func cosine32(z float32) float32 {
	p := float32(z*-0.0013598228) + 0.041656334
	p = float32(p*z) - 0.49999896
	return float32(p*z) + 1
}

func sqrt32(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// A Schedule is a stream prepared for its float32 normals, here and in assembly that makes them in registers. It holds
// the words that the cipher adds to blocks, each eight times. For the first three rounds it holds those words of the
// cipher's state that do not depend on the block.
type Schedule [4 + 15][8]uint32

// Schedule sets k to that of the stream.
func (s Stream) Schedule(k *Schedule) {
	var key [10][2]uint32
	k0, k1 := s.k0, s.k1
	for i := range key {
		key[i] = [2]uint32{k0, k1}
		k0, k1 = k0+weyl0, k1+weyl1
	}
	// Round 1 makes (x0, x1, ·, ·) of (block, step low, step high, place), and round 2 (·, ·, ·, y3) of that.
	p := uint64(uint32(s.step>>32)) * mul1
	x0, x1 := uint32(p>>32)^uint32(s.step)^key[0][0], uint32(p)
	q := uint64(x0) * mul0
	y3 := uint32(q)
	words := [len(k)]uint32{
		s.place ^ key[0][1],
		x1 ^ key[1][0],
		uint32(q>>32) ^ key[1][1],
		key[2][0],
		y3 ^ key[2][1],
	}
	for i := 3; i < 10; i++ {
		words[2*i-1], words[2*i] = key[i][0], key[i][1]
	}
	for i, w := range words {
		for j := range k[i] {
			k[i][j] = w
		}
	}
}

// block is the stream's block of a number.
func (k *Schedule) block(i uint32) (w0, w1, w2, w3 uint32) {
	p := uint64(i) * mul0
	w2, w3 = uint32(p>>32)^k[0][0], uint32(p)
	q := uint64(w2) * mul1
	w0, w1, w2 = uint32(q>>32)^k[1][0], uint32(q), w3^k[2][0]
	p, q = uint64(w0)*mul0, uint64(w2)*mul1
	w0, w1, w2, w3 = uint32(q>>32)^w1^k[3][0], uint32(q), uint32(p>>32)^k[4][0], uint32(p)
	for r := 5; r < len(k); r += 2 {
		w0, w1, w2, w3 = round(w0, w1, w2, w3, k[r][0], k[r+1][0])
	}
	return w0, w1, w2, w3
}

// groupCall is the most normals in a call of assembly. A call takes a few microseconds,
// in which the runtime cannot interrupt it.
const groupCall = 64 * Group

// GroupBlock is the first block of the group that begins with normal i.
func GroupBlock(i int) uint32 {
	if i%Group != 0 {
		panic("noise: normals begin within a group")
	}
	return uint32(i / Group * groupBlocks)
}

// Float32 writes to dst the stream's normals from number from on, a multiple of Group.
func (k *Schedule) Float32(dst []float32, from int) { k.float32By(simd.Active, dst, from) }

// float32By is Float32 by a path that the machine has.
func (k *Schedule) float32By(p simd.Path, dst []float32, from int) {
	block := GroupBlock(from)
	for len(dst) >= Group {
		n := min(len(dst)&^(Group-1), groupCall)
		groups(p, dst[:n], block, k)
		dst = dst[n:]
		block += uint32(n / Group * groupBlocks)
	}
	if len(dst) > 0 {
		var last [Group]float32
		groups(p, last[:], block, k)
		copy(dst, last[:])
	}
}
