package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

// A vec emits instructions for vectors of 8 lanes (AVX-512 F and DQ) or 4 lanes
// (AVX2) of 64 bits. Constants are memory operands, which AVX-512 broadcasts
// from 8 bytes and AVX2 reads whole.
type vec struct {
	lanes  int
	neon   bool // for arm64, where a vector of 4 lanes is two
	suffix string
	*constants
}

func (v vec) wide() bool { return v.lanes == 8 }

func (v vec) width() string {
	if v.wide() {
		return "eight"
	}
	return "four"
}

func (v vec) reg() reg.VecVirtual {
	if v.wide() {
		return ZMM()
	}
	return YMM()
}

func (v vec) regs(n int) []reg.VecVirtual {
	r := make([]reg.VecVirtual, n)
	for i := range r {
		r[i] = v.reg()
	}
	return r
}

// The methods below put the result of x and a constant c into d.

func (v vec) addFloat(c Mem, x, d Op) { v.pick(VADDPD, VADDPD_BCST)(c, x, d) }
func (v vec) subFloat(c Mem, x, d Op) { v.pick(VSUBPD, VSUBPD_BCST)(c, x, d) } // x - c
func (v vec) mulFloat(c Mem, x, d Op) { v.pick(VMULPD, VMULPD_BCST)(c, x, d) }
func (v vec) mulLow(c Mem, x, d Op)   { v.pick(VPMULUDQ, VPMULUDQ_BCST)(c, x, d) }
func (v vec) add(c Mem, x, d Op)      { v.pick(VPADDQ, VPADDQ_BCST)(c, x, d) }
func (v vec) and(c Mem, x, d Op)      { v.pick(three(VPAND), VPANDQ_BCST)(c, x, d) }
func (v vec) or(c Mem, x, d Op)       { v.pick(three(VPOR), VPORQ_BCST)(c, x, d) }
func (v vec) xor(c Mem, x, d Op)      { v.pick(three(VPXOR), VPXORQ_BCST)(c, x, d) }

func (v vec) pick(narrow, wide func(...Op)) func(...Op) {
	if v.wide() {
		return wide
	}
	return narrow
}

func three(f func(a, b, c Op)) func(...Op) {
	return func(o ...Op) { f(o[0], o[1], o[2]) }
}

// move copies a vector between registers and aligned memory.
func (v vec) move(a, b Op) {
	if v.wide() {
		VMOVDQA64(a, b)
	} else {
		VMOVDQA(a, b)
	}
}

// xorInto makes d the exclusive or of x and d.
func (v vec) xorInto(x, d Op) {
	if v.wide() {
		VPXORQ(x, d, d)
	} else {
		VPXOR(x, d, d)
	}
}

// spread copies a 32-bit number to all lanes of a new register.
func (v vec) spread(x reg.Register) reg.VecVirtual {
	d := v.reg()
	if v.wide() {
		VPBROADCASTD(x, d)
	} else {
		low := XMM()
		VMOVD(x, low)
		VPBROADCASTD(low, d)
	}
	return d
}

// setSlot stores a 32-bit number for all lanes.
func (v vec) setSlot(x reg.Register, m Mem) {
	if v.wide() {
		MOVL(x, m)
	} else {
		VMOVDQA(v.spread(x), m)
	}
}

// loadSlot loads what setSlot stored.
func (v vec) loadSlot(m Mem, d Op) {
	if v.wide() {
		VPBROADCASTD(m, d)
	} else {
		VMOVDQA(m, d)
	}
}

// addSlot adds what setSlot stored, in 32 bits.
func (v vec) addSlot(m Mem, x, d Op) { v.pick(VPADDD, VPADDD_BCST)(m, x, d) }

// xorHigh makes d the exclusive or of d, the high halves of x and what setSlot stored. The
// chain of the rounds goes through x, so that what needs it comes last.
func (v vec) xorHigh(m Mem, x, d Op) {
	high := v.reg()
	VPSRLQ(U8(32), x, high)
	if v.wide() {
		VPTERNLOGD_BCST(U8(0x96), m, high, d)
	} else {
		VPXOR(m, d, d)
		VPXOR(high, d, d)
	}
}

// xorSign makes d the exclusive or of d and the sign bits of x; x may be lost.
func (v vec) xorSign(x, d Op) {
	if v.wide() {
		VPTERNLOGQ_BCST(U8(0x78), v.bits(signBit), x, d) // d ^ (x & sign)
	} else {
		VPAND(v.bits(signBit), x, x)
		VPXOR(x, d, d)
	}
}

// join makes low the low halves of low's lanes with those of high above them.
func (v vec) join(high, low Op) {
	VPSLLQ(U8(32), high, high)
	if v.wide() {
		VPTERNLOGQ_BCST(U8(0xe4), v.bits(lowHalf), high, low) // low where lowHalf, else high
	} else {
		VPBLENDD(U8(0xaa), high, low, low)
	}
}

// toFloat converts signed 64-bit integers to the nearest floats, in place.
//
// AVX2 has no such instruction. There, x = 2³² h + l with 0 ≤ l < 2³²; the bits
// of h, put below a float's exponent, make 2⁸⁴ + 2⁶³ + 2³² h, from which
// subtracting 2⁸⁴ + 2⁶³ + 2⁵² is exact, as all are multiples of 2³² and the
// difference is less than 2⁶⁴. The bits of l make 2⁵² + l. Their sum is x and
// is the only operation that rounds.
func (v vec) toFloat(x reg.VecVirtual) {
	if v.wide() {
		VCVTQQ2PD(x, x)
		return
	}
	if v.neon {
		neon.Two("scvtf.2d", x, x)
		return
	}
	low := v.reg()
	VPBLENDD(U8(0xaa), v.bits(float52), x, low)
	VPSRLQ(U8(32), x, x)
	v.xor(v.bits(float84and63), x, x)
	v.subFloat(v.bits(float84and63and52), x, x)
	VADDPD(low, x, x)
}

// storePair stores numbers 2i and 2i+1 of a vector.
func (v vec) storePair(i uint8, x reg.VecVirtual, to Mem) {
	switch {
	case i == 0:
		VMOVUPD(x.AsX(), to)
	case v.wide():
		VEXTRACTF64X2(U8(i), x, to)
	default:
		VEXTRACTF128(U8(i), x, to)
	}
}

// swap exchanges a and b in the lanes where the sign bit of by is set.
func (v vec) swap(by, a, b reg.VecVirtual) (reg.VecVirtual, reg.VecVirtual) {
	x, y := v.reg(), v.reg()
	if v.wide() {
		k := K()
		VPMOVQ2M(by, k)
		VBLENDMPD(b, a, k, x)
		VBLENDMPD(a, b, k, y)
	} else {
		VBLENDVPD(by, b, a, x)
		VBLENDVPD(by, a, b, y)
	}
	return x, y
}
