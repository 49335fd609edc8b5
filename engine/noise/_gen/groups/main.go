// Command groups writes the SIMD forms of noise.groupsGeneric.
package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"github.com/psgld/psgld-tui/engine/noise/_gen/simd"
	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

func main() {
	ConstraintExpr("!noasm")
	for _, v := range simd.Vecs(neon.Asked()) {
		groups(v)
	}
	neon.Generate()
}

// groups emits the making of groups at dst.
func groups(v simd.Vec) {
	TEXT("groups"+v.Suffix, attr.NOSPLIT, "func(dst []float32, block uint32, schedule *uint32)")
	Pragma("noescape")
	Doc("groups" + v.Suffix + " is groupsGeneric.")
	dst := Load(Param("dst").Base(), GP64())
	n := Load(Param("dst").Len(), GP64())
	block := Load(Param("block"), GP32())
	schedule := Load(Param("schedule"), GP64())
	SHRQ(U8(6), n)
	JZ(LabelRef("done"))
	v.Groups(n, schedule, block, 1, func(i int, cos, sin func() simd.Reg) {
		v.Store(cos(), Mem{Base: dst, Disp: 4 * v.Size() * i})
		v.Store(sin(), Mem{Base: dst, Disp: 4 * (simd.Group/2 + v.Size()*i)})
	}, func() { ADDQ(U32(4*simd.Group), dst) })
	VZEROUPPER()
	Label("done")
	RET()
}
