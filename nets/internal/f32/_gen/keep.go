package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
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
	if v.neon {
		v.keepMarkedNEON(x, marks, n, scale)
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

// keepMarkedNEON has the marks of two vectors in a byte.
func (v vec) keepMarkedNEON(x, marks, n reg.GPVirtual, scale reg.VecVirtual) {
	var bit [2]reg.VecVirtual
	for i := range bit {
		bits := GP64()
		MOVQ(U64(0x08040201<<(4*i)), bits)
		bit[i] = v.reg()
		VMOVQ(bits, bit[i])
		neon.Two("uxtl.8h", bit[i], bit[i])
		neon.Two("uxtl.4s", bit[i], bit[i])
	}
	Label("loop")
	byte, all := GP32(), v.reg()
	MOVBLZX(Mem{Base: marks}, byte)
	VMOVD(byte, all)
	VPBROADCASTD(all, all)
	for i := range bit {
		k, p := v.reg(), v.reg()
		VPAND(bit[i], all, k)
		VPCMPEQD(bit[i], k, k)
		VMOVUPS(Mem{Base: x}, p)
		VMULPS(p, scale, p)
		VANDPS(k, p, p)
		VMOVUPS(p, Mem{Base: x})
		v.advance(x)
		DECQ(n)
		if i == 0 {
			JZ(LabelRef("done"))
		}
	}
	INCQ(marks)
	TESTQ(n, n)
	JNZ(LabelRef("loop"))
	Label("done")
	end()
}
