package main

import (
	"math"
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// words emits the first loop, Philox4x32-10. A 32-bit word of the cipher is the
// low half of a lane; what the high half holds does not matter until the end.
// Three vectors go through the rounds side by side.
func (v vec) words(f frame, end reg.Register) {
	vectors := 3
	if v.neon { // the processor has few registers of this size
		vectors = 2
	}
	var counter [2]reg.VecVirtual
	for i, name := range []string{"0", "1"} {
		c := Load(Param("c"+name), GP32())
		d := Load(Param("d"+name), GP32())
		counter[i] = v.reg()
		VPMULUDQ(v.numbers, v.spread(d), counter[i])
		VPADDD(v.spread(c), counter[i], counter[i])
		IMUL3L(U8(v.lanes), d, d)
		v.setSlot(d, f.slot(stride0+i))
		v.setSlot(Load(Param("c"+strconv.Itoa(2+i)), GP32()), f.slot(const2+i))
		k := Load(Param("k"+name), GP32())
		for round := range 10 {
			if round > 0 {
				ADDL(U32([]uint32{weyl0, weyl1}[i]), k)
			}
			v.setSlot(k, f.slot(keys+2*round+i))
		}
	}
	loop("words", end, vectors*8*v.lanes, func(off reg.Register) {
		x := make([][4]reg.VecVirtual, vectors)
		for i := range x {
			x[i] = [4]reg.VecVirtual(v.regs(4))
			for j := range counter {
				v.move(counter[j], x[i][j])
				v.addSlot(f.slot(stride0+j), counter[j], counter[j])
				v.loadSlot(f.slot(const2+j), x[i][2+j])
			}
		}
		for round := range 10 {
			for i, c := range x {
				v.mulLow(v.bits(mul0), c[0], c[0])
				v.mulLow(v.bits(mul1), c[2], c[2])
				v.xorHigh(f.slot(keys+2*round), c[2], c[1])
				v.xorHigh(f.slot(keys+2*round+1), c[0], c[3])
				x[i] = [4]reg.VecVirtual{c[1], c[2], c[3], c[0]}
			}
		}
		for i, c := range x {
			v.join(c[1], c[0])
			v.join(c[3], c[2])
			at := Mem{Base: f.base, Index: off, Scale: 1, Disp: i * 8 * v.lanes}
			v.move(c[0], at.Offset(f.first))
			v.move(c[2], at.Offset(f.sec))
		}
	})
}

// radii emits the second loop, √(-2 ln u) in the arithmetic of exponent and logAt.
func (v vec) radii(f frame, end reg.Register) {
	loop("radii", end, 8*v.lanes, func(off reg.Register) {
		at := Mem{Base: f.base, Index: off, Scale: 1, Disp: f.first}
		k := v.reg()
		v.move(at, k)
		VPSRLQ(U8(11), k, k)
		v.add(v.bits(one), k, k)
		v.toFloat(k)
		// The factor 2⁻⁵³ is in shift.
		v.add(v.bits(shift), k, k)
		m := v.reg()
		v.and(v.bits(mantissa), k, m)
		v.add(v.bits(sqrtHalf), m, m)
		VPSRLQ(U8(52), k, k)
		v.or(v.bits(float52), k, k)
		v.subFloat(v.bits(float52andBias), k, k)

		v.subFloat(v.float(1), m, m)
		s := v.reg()
		v.addFloat(v.float(2), m, s)
		VDIVPD(s, m, s)
		z, w := v.reg(), v.reg()
		VMULPD(s, s, z)
		VMULPD(z, z, w)
		odd, even := v.horner(logOdd, w), v.horner(logEven, w)
		VMULPD(z, odd, odd)
		VMULPD(w, even, even)
		VADDPD(even, odd, odd)
		h := v.reg()
		v.mulFloat(v.float(0.5), m, h)
		VMULPD(m, h, h)
		VADDPD(odd, h, odd)
		VMULPD(s, odd, odd)
		VSUBPD(odd, h, h)
		VSUBPD(m, h, h)
		v.mulFloat(v.float(math.Ln2), k, k)
		VSUBPD(h, k, k)
		v.mulFloat(v.float(-2), k, k)
		VSQRTPD(k, k)
		v.move(k, at)
	})
}

// turns emits the third loop: sines, cosines and their products with the radii, which it stores
// pair by pair.
func (v vec) turns(f frame, n, dst, stride reg.Register) {
	off := GP64()
	XORQ(off, off)
	at := Mem{Base: f.base, Index: off, Scale: 1}
	Label("turns")
	even, odd := v.turn(at.Offset(f.first), at.Offset(f.sec))
	for i := range v.lanes {
		v.storePair(uint8(i/2), []reg.VecVirtual{even, odd}[i%2], Mem{Base: dst})
		ADDQ(stride, dst)
		DECQ(n)
		JZ(LabelRef("clear"))
	}
	ADDQ(U32(8*v.lanes), off)
	JMP(LabelRef("turns"))
	Label("clear")
}

// turn emits the normals of the blocks with radii at r and angles at a: those of each second block
// from the first on, and those of the others.
func (v vec) turn(r, a Mem) (even, odd reg.VecVirtual) {
	word, t := v.reg(), v.reg()
	v.move(a, word)
	VPSLLQ(U8(2), word, t)
	v.toFloat(t)
	v.mulFloat(v.float(angle), t, t)
	z := v.reg()
	VMULPD(t, t, z)
	sin := v.horner(sine, z)
	tz := v.reg()
	VMULPD(z, t, tz)
	VMULPD(sin, tz, sin)
	VADDPD(sin, t, sin)
	cos := v.horner(cosine, z)
	half, zz := v.reg(), v.reg()
	VMULPD(z, z, zz)
	VMULPD(cos, zz, cos)
	v.mulFloat(v.float(-0.5), z, half)
	v.addFloat(v.float(1), half, half)
	VADDPD(cos, half, cos)

	// By the high bits of the word: the second swaps, the first is the sine's
	// sign, and the cosine's is their exclusive or.
	next := v.reg()
	VPSLLQ(U8(1), word, next)
	sin, cos = v.swap(next, sin, cos)
	v.xorInto(word, next)
	v.xorSign(next, cos)
	v.xorSign(word, sin)

	radius := v.reg()
	v.move(r, radius)
	VMULPD(radius, cos, cos)
	VMULPD(radius, sin, sin)
	even, odd = v.reg(), v.reg()
	VUNPCKLPD(sin, cos, even)
	VUNPCKHPD(sin, cos, odd)
	return even, odd
}

// horner emits c[0] + x (c[1] + x (c[2] + …)) with two roundings a step.
func (v vec) horner(c []float64, x reg.VecVirtual) reg.VecVirtual {
	p := v.reg()
	last := len(c) - 1
	v.mulFloat(v.float(c[last]), x, p)
	for i := last - 1; ; i-- {
		v.addFloat(v.float(c[i]), p, p)
		if i == 0 {
			return p
		}
		VMULPD(x, p, p)
	}
}
