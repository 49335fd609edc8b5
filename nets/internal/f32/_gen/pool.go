package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

// squares emits a loop over the squares of a line of pooled pixels and over the
// vectors of their channels. The body gets where the four pixels' vectors are; the
// other pointers move on by themselves, as pooled pixels are dense.
func (v vec) squares(x reg.GPVirtual, body func(pixel [4]Mem)) {
	line, channels := param("line"), param("channels")
	repeat("square", param("squares"), func() {
		n := GP64()
		MOVQ(channels, n)
		Label("vector")
		body([4]Mem{
			{Base: x}, {Base: x, Index: channels, Scale: 1},
			{Base: x, Index: line, Scale: 1}, {Base: x, Index: line, Scale: 1},
		})
		v.advance(x)
		SUBQ(U8(v.bytes()), n)
		JNZ(LabelRef("vector"))
		ADDQ(channels, x) // past the second pixel
	})
}

// number returns a vector of an integer in every lane.
func (v vec) number(n uint32) reg.VecVirtual {
	r, low, x := GP32(), XMM(), v.reg()
	MOVL(U32(n), r)
	VMOVD(r, low)
	VPBROADCASTD(low, x)
	return x
}

func (v vec) maxPool() {
	v.text("maxPool", "func(dst *float32, which *byte, x *float32, line, channels, squares int)",
		"pools squares side by side, whose pixels are channels bytes apart, a multiple of a",
		"vector, and line bytes to the next line.")
	dst, which, x := param("dst"), param("which"), param("x")
	q := []reg.VecVirtual{nil, v.number(1), v.number(2), v.number(3)}
	below := GP64() // from a pixel to the one below and beside
	MOVQ(param("line"), below)
	ADDQ(param("channels"), below)
	const greater, unordered = 0x1e, 3
	v.squares(x, func(pixel [4]Mem) {
		pixel[3].Index = below
		best, at := v.reg(), v.reg()
		VMOVUPS(pixel[0], best)
		v.zero(at)
		for i := 1; i < 4; i++ {
			p := v.reg()
			VMOVUPS(pixel[i], p)
			if v.wide {
				k, nan := K(), K()
				VCMPPS(U8(greater), best, p, k)
				VCMPPS(U8(unordered), p, p, nan)
				KORW(k, nan, k)
				VMOVAPS(p, k, best)
				VMOVDQA32(q[i], k, at)
			} else {
				k, nan := v.reg(), v.reg()
				VCMPPS(U8(greater), best, p, k)
				VCMPPS(U8(unordered), p, p, nan)
				VORPS(k, nan, k)
				VBLENDVPS(k, p, best, best)
				VBLENDVPS(k, q[i], at, at)
			}
		}
		VMOVUPS(best, Mem{Base: dst})
		switch {
		case v.wide:
			VPMOVDB(at, Mem{Base: which})
		case v.neon:
			neon.Three("uzp1.8h", at, at, at)
			neon.Three("uzp1.16b", at, at, at)
			neon.StoreLane(at, Mem{Base: which})
		default:
			high := XMM()
			VEXTRACTI128(U8(1), at, high)
			VPACKSSDW(high, at.AsX(), high)
			VPACKUSWB(high, high, high)
			VMOVQ(high, Mem{Base: which})
		}
		v.advance(dst)
		ADDQ(U8(v.bytes()/4), which)
	})
	end()
}

func (v vec) maxPoolBack() {
	v.text("maxPoolBack", "func(dx, dy *float32, which *byte, line, channels, squares int)",
		"is the way back of maxPool: dy at the pixel that which names, 0 at the others.")
	dx, dy, which := param("dx"), param("dy"), param("which")
	q := make([]reg.VecVirtual, 4)
	for i := range q {
		q[i] = v.number(uint32(i))
	}
	below := GP64()
	MOVQ(param("line"), below)
	ADDQ(param("channels"), below)
	v.squares(dx, func(pixel [4]Mem) {
		pixel[3].Index = below
		d, at := v.reg(), v.reg()
		VMOVUPS(Mem{Base: dy}, d)
		if v.neon {
			neon.LoadLane(Mem{Base: which}, at)
			neon.Two("uxtl.8h", at, at)
			neon.Two("uxtl.4s", at, at)
		} else {
			VPMOVZXBD(Mem{Base: which}, at)
		}
		for i := range q {
			p := v.reg()
			if v.wide {
				k := K()
				VPCMPEQD(q[i], at, k)
				VMOVAPS_Z(d, k, p)
			} else {
				VPCMPEQD(q[i], at, p)
				VANDPS(d, p, p)
			}
			VMOVUPS(p, pixel[i])
		}
		v.advance(dy)
		ADDQ(U8(v.bytes()/4), which)
	})
	end()
}
