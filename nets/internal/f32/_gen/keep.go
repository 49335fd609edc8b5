package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func (v vec) keepMarked() {
	v.text("keepMarked", "func(x *float32, marks *uint64, vectors int, scale float32)",
		"multiplies x by scale where bits of the marks are set, and makes it 0 elsewhere.")
	x, marks, n := param("x"), param("marks"), param("vectors")
	scale := v.reg()
	VBROADCASTSS(Load(Param("scale"), XMM()), scale)
	if v.wide {
		repeat("loop", n, func() {
			k, p := K(), v.reg()
			KMOVW(Mem{Base: marks}, k)
			VMULPS_Z(Mem{Base: x}, scale, k, p)
			VMOVUPS(p, Mem{Base: x})
			v.advance(x)
			ADDQ(U8(2), marks)
		})
		end()
		return
	}
	// One bit of a byte for each lane.
	bits, low, bit := GP64(), XMM(), v.reg()
	MOVQ(U64(0x8040201008040201), bits)
	VMOVQ(bits, low)
	VPMOVZXBD(low, bit)
	repeat("loop", n, func() {
		k, p := v.reg(), v.reg()
		VPBROADCASTB(Mem{Base: marks}, k)
		VPAND(bit, k, k)
		VPCMPEQD(bit, k, k)
		VMULPS(Mem{Base: x}, scale, p)
		VANDPS(k, p, p)
		VMOVUPS(p, Mem{Base: x})
		v.advance(x)
		INCQ(marks)
	})
	end()
}
