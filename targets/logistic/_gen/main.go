// Command _gen writes the kernels of dense logistic regression in assembly.
//
// Each does the products and sums of the generic code in its order, without
// fused multiply-add, so that the bits agree.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/f64"
	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

func main() {
	ConstraintExpr("!noasm")
	constants()
	isas := f64.ISAs(neon.Asked())
	for _, v := range isas {
		margins(v)
		accumulate(v)
	}
	for _, v := range isas {
		residuals(v)
	}
	neon.Generate()
}

// tile is how many rows a tile has, and a tally lanes.
const tile = 8

// margins writes the dot products of tiles' rows with θ. Four tiles at a time
// share the loads of θ and add in parallel.
func margins(v f64.ISA) {
	f64.Begin("margins"+v.Name, "func(z *float64, tiles *float64, theta *float64, count int, cols int)",
		"writes xᵀθ to z for the 8·count rows of count tiles of cols columns.")
	z := Load(Param("z"), GP64())
	tiles := Load(Param("tiles"), GP64())
	theta := Load(Param("theta"), GP64())
	count := Load(Param("count"), GP64())
	cols := Load(Param("cols"), GP64())
	size := GP64() // bytes of a tile
	MOVQ(cols, size)
	SHLQ(Imm(6), size)
	size3 := GP64()
	LEAQ(Mem{Base: size, Index: size, Scale: 2}, size3)
	for _, unroll := range []int{4, 1} {
		label := "margins" + v.Name + string(rune('0'+unroll))
		Label(label)
		CMPQ(count, Imm(uint64(unroll)))
		JLT(LabelRef(label + "done"))
		per := tile / v.Lanes
		sums := make([]VecVirtual, unroll*per)
		for i := range sums {
			sums[i] = v.Reg()
			VXORPD(low(sums[i]), low(sums[i]), low(sums[i]))
		}
		x, t, j := GP64(), GP64(), GP64()
		MOVQ(tiles, x)
		MOVQ(theta, t)
		MOVQ(cols, j)
		Label(label + "cols")
		b := v.Spread(Mem{Base: t})
		at := []Mem{
			{Base: x},
			{Base: x, Index: size, Scale: 1},
			{Base: x, Index: size, Scale: 2},
			{Base: x, Index: size3, Scale: 1},
		}
		for u := range unroll {
			for i := range per {
				p := v.Reg()
				VMULPD(at[u].Offset(i*v.Lanes*8), b, p)
				VADDPD(p, sums[u*per+i], sums[u*per+i])
			}
		}
		ADDQ(Imm(tile*8), x)
		ADDQ(Imm(8), t)
		DECQ(j)
		JNE(LabelRef(label + "cols"))
		for i, s := range sums {
			VMOVUPD(s, Mem{Base: z, Disp: i * v.Lanes * 8})
		}
		ADDQ(U32(uint32(unroll*tile*8)), z)
		if unroll == 4 {
			LEAQ(Mem{Base: tiles, Index: size, Scale: 4}, tiles)
		} else {
			ADDQ(size, tiles)
		}
		SUBQ(Imm(uint64(unroll)), count)
		JMP(LabelRef(label))
		Label(label + "done")
	}
	VZEROUPPER()
	RET()
}

// low is the lower half of a half of a register, by which all of it is cleared.
func low(r VecVirtual) Register { return r.AsX() }
