// Package simd emits vector code in float32 for generators: arithmetic in the
// form of expressions, and the normals of package noise in registers. A product
// and a sum always round apart, as in the Go code that defines the results.
package simd

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

// A Vec emits instructions for registers of 16 lanes (AVX-512 F and DQ), 8 lanes (AVX2)
// or 4 lanes (NEON) of 32 bits. A value takes several registers side by side where
// there are enough, so that the processor works on one while it waits for another.
type Vec struct {
	Lanes, Parts int
	Suffix       string // of function names
	*constants
	odd   reg.OpmaskVirtual // the lanes 1, 3, …; of 16 lanes only
	turns *turns
}

// Vecs are those of arm64 that functions are emitted for, or of amd64. Their table of constants is
// the last global that may be declared.
func Vecs(onNEON bool) []Vec {
	c := newConstants(onNEON)
	if onNEON {
		return []Vec{{Lanes: 4, Parts: 2, Suffix: neon.Suffix, constants: c, turns: new(turns)}}
	}
	return []Vec{
		{Lanes: 16, Parts: 2, Suffix: "AVX512", constants: c, turns: new(turns)},
		{Lanes: 8, Parts: 1, Suffix: "AVX2", constants: c, turns: new(turns)},
	}
}

// A Reg is a value: a register for each part.
type Reg []reg.VecVirtual

// A Shared is a number in memory for all lanes: 32 bits, there eight times.
type Shared Mem

// Wide is whether registers have 16 lanes.
func (v Vec) Wide() bool { return v.Lanes == 16 }

func (v Vec) neon() bool { return v.Lanes == 4 }

// Many is whether there are 32 registers and not 16.
func (v Vec) Many() bool { return v.Wide() || v.neon() }

// Size is how many numbers a value has.
func (v Vec) Size() int { return v.Lanes * v.Parts }

// Part is the Vec of values of one part, which x[p:p+1] is of a value x.
func (v Vec) Part() Vec {
	v.Parts = 1
	return v
}

func (v Vec) one() reg.VecVirtual {
	switch {
	case v.Wide():
		return ZMM()
	case v.neon():
		return XMM()
	}
	return YMM()
}

// New is a value that is not set.
func (v Vec) New() Reg {
	r := make(Reg, v.Parts)
	for i := range r {
		r[i] = v.one()
	}
	return r
}

// An Operation is a function of two operands. Its names differ where the
// instructions are bitwise.
type Operation struct{ avx2, avx512, shared func(...Op) }

// The operations. Min and Max return the second operand where one is NaN, and
// Sub32, And and so on take the lanes as whole numbers.
var (
	Add = Operation{VADDPS, VADDPS, VADDPS_BCST}
	Sub = Operation{VSUBPS, VSUBPS, VSUBPS_BCST}
	Mul = Operation{VMULPS, VMULPS, VMULPS_BCST}
	Div = Operation{VDIVPS, VDIVPS, VDIVPS_BCST}
	Min = Operation{VMINPS, VMINPS, VMINPS_BCST}
	Max = Operation{VMAXPS, VMAXPS, VMAXPS_BCST}

	Add32 = Operation{VPADDD, VPADDD, VPADDD_BCST}
	Sub32 = Operation{VPSUBD, VPSUBD, VPSUBD_BCST}
	Max32 = Operation{VPMAXUD, VPMAXUD, VPMAXUD_BCST}
	And   = Operation{three(VPAND), VPANDD, VPANDD_BCST}
	Xor   = Operation{three(VPXOR), VPXORD, VPXORD_BCST}
	// MulLow is the product of the low halves of lanes of 64 bits.
	MulLow = Operation{VPMULUDQ, VPMULUDQ, VPMULUDQ_BCST}
)

func three(f func(a, b, c Op)) func(...Op) {
	return func(o ...Op) { f(o[0], o[1], o[2]) }
}

// Do returns x ∘ y; y is a Reg, a Shared or, part after part, a Mem.
func (v Vec) Do(o Operation, x Reg, y any) Reg {
	d := v.New()
	v.Into(d, o, x, y)
	return d
}

// Into sets d = x ∘ y, with y as in Do.
func (v Vec) Into(d Reg, o Operation, x Reg, y any) {
	f := o.avx2
	if v.Wide() {
		f = o.avx512
	}
	for i := range d {
		switch y := y.(type) {
		case Reg:
			f(y[i], x[i], d[i])
		case Mem:
			f(y.Offset(4*v.Lanes*i), x[i], d[i])
		case Shared:
			if v.Wide() {
				f = o.shared
			}
			f(Mem(y), x[i], d[i])
		default:
			panic("simd: no such operand")
		}
		v.turns.end()
	}
}

// ZeroBelow returns x with 0 in place of what is less than c; NaN stays.
func (v Vec) ZeroBelow(c Shared, x Reg) Reg {
	const notLess = 5
	d := v.New()
	for i := range x {
		switch {
		case v.neon():
			neon.Three("fcmgt.4s", Mem(c), x[i], d[i])
			v.turns.end()
			neon.Three("bic.16b", x[i], d[i], d[i])
		case v.Wide():
			k := K()
			VCMPPS_BCST(U8(notLess), Mem(c), x[i], k)
			v.turns.end()
			VMOVAPS_Z(x[i], k, d[i])
		default:
			VCMPPS(U8(notLess), Mem(c), x[i], d[i])
			VANDPS(x[i], d[i], d[i])
		}
		v.turns.end()
	}
	return d
}

// Polynomial is c[0] + x (c[1] + x (c[2] + …)).
func (v Vec) Polynomial(c []float32, x Reg) Reg {
	last := len(c) - 1
	p := v.Do(Mul, x, v.Float(c[last]))
	for i := last - 1; ; i-- {
		p = v.Do(Add, p, v.Float(c[i]))
		if i == 0 {
			return p
		}
		p = v.Do(Mul, p, x)
	}
}

// Sqrt is √x.
func (v Vec) Sqrt(x Reg) Reg { return v.unary(VSQRTPS, x) }

// ToFloat converts signed whole numbers to the nearest floats.
func (v Vec) ToFloat(x Reg) Reg { return v.unary(VCVTDQ2PS, x) }

func (v Vec) unary(f func(...Op), x Reg) Reg {
	d := v.New()
	for i := range d {
		f(x[i], d[i])
		v.turns.end()
	}
	return d
}

// shift emits a shift of x by a constant, VPSLLD and so on.
func (v Vec) shift(f func(...Op), n int, x Reg) Reg {
	d := v.New()
	for i := range d {
		f(U8(n), x[i], d[i])
		v.turns.end()
	}
	return d
}

// Spread is x in all lanes.
func (v Vec) Spread(x Shared) Reg {
	d := v.New()
	for i := range d {
		if v.Wide() {
			VBROADCASTSS(Mem(x), d[i])
		} else {
			VMOVUPS(Mem(x), d[i])
		}
	}
	return d
}

// Load is the value at an address, part after part.
func (v Vec) Load(from Mem) Reg {
	d := v.New()
	for i := range d {
		VMOVUPS(from.Offset(4*v.Lanes*i), d[i])
	}
	return d
}

// Store stores a value as Load loads it.
func (v Vec) Store(x Reg, to Mem) {
	for i := range x {
		VMOVUPS(x[i], to.Offset(4*v.Lanes*i))
	}
}

// swap returns a and b exchanged in the lanes where bit 30 of by is set.
func (v Vec) swap(by, a, b Reg) (Reg, Reg) {
	x, y := v.New(), v.New()
	for i := range by {
		switch {
		case v.neon():
			neon.Three("cmtst.4s", by[i], Mem(v.Bits(1<<30)), x[i])
			v.turns.end()
			neon.Three("eor.16b", a[i], b[i], y[i])
			v.turns.end()
			neon.Three("and.16b", x[i], y[i], y[i])
			v.turns.end()
			neon.Three("eor.16b", a[i], y[i], x[i])
			v.turns.end()
			neon.Three("eor.16b", b[i], y[i], y[i])
			v.turns.end()
		case v.Wide():
			k := K()
			VPTESTMD_BCST(Mem(v.Bits(1<<30)), by[i], k)
			VBLENDMPS(b[i], a[i], k, x[i])
			v.turns.end()
			VBLENDMPS(a[i], b[i], k, y[i])
			v.turns.end()
		default:
			t := YMM()
			VPSLLD(U8(1), by[i], t)
			VBLENDVPS(t, b[i], a[i], x[i])
			VBLENDVPS(t, a[i], b[i], y[i])
		}
	}
	return x, y
}

// flip returns x with its sign changed where by has the sign bit.
func (v Vec) flip(by, x Reg) Reg {
	sign := v.Bits(1 << 31)
	if !v.Wide() {
		return v.Do(Xor, v.Do(And, by, sign), x)
	}
	for i := range x {
		VPTERNLOGD_BCST(U8(0x78), Mem(sign), by[i], x[i]) // x ^ (by & sign)
		v.turns.end()
	}
	return x
}
