// Command _gen writes the SIMD forms of noise.pairsGeneric: the same operations
// in the same order on several blocks at a time, so that the normals are the
// same bits.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

// batch is how many blocks a call makes at most, as in package noise.
const batch = 96

func main() {
	ConstraintExpr("!noasm")
	c := newConstants()
	if neon.Asked() {
		vec{lanes: 4, neon: true, suffix: neon.Suffix, constants: c}.pairs()
	} else {
		vec{lanes: 8, suffix: "AVX512", constants: c}.pairs()
		vec{lanes: 4, suffix: "AVX2", constants: c}.pairs()
	}
	neon.Generate()
}

// pairs emits the function: three loops as in pairsGeneric, which hand words and
// radii to each other through the frame. Each loop's turns are independent and
// short, so that the processor overlaps several.
func (v vec) pairs() {
	TEXT("pairs"+v.suffix, 0, "func(dst *float64, n, stride int, c0, d0, c1, d1, c2, c3, k0, k1 uint32)")
	Pragma("noescape")
	Doc("pairs" + v.suffix + " is pairsGeneric for n > 0, " + v.width() + " blocks at a time.")
	dst := Load(Param("dst"), GP64())
	n := Load(Param("n"), GP64())
	stride := Load(Param("stride"), GP64())
	SHLQ(U8(3), stride)

	f := v.frame()
	bytes := GP64() // of one word of each block
	MOVQ(n, bytes)
	SHLQ(U8(3), bytes)
	v.words(f, bytes)
	v.radii(f, bytes)
	v.turns(f, n, dst, stride)

	VZEROUPPER()
	RET()
}

// A frame is the function's memory: the two words of each block, the first of
// which becomes its radius, and the numbers that are the same for all blocks.
type frame struct {
	base       reg.Register
	step       int // bytes from one slot to the next
	first, sec int // offsets of the words
	slots      int // offset of the slots
}

// The slots of a frame.
const (
	stride0 = iota // what the counter's words grow by from one vector to the next
	stride1
	const2 // the constant words of the counter
	const3
	keys     // of ten rounds, two each
	numSlots = keys + 20
)

// frame allocates the function's memory, aligned so that no vector straddles
// cache lines.
func (v vec) frame() frame {
	f := frame{step: 4, first: 0, sec: 8 * batch, slots: 16 * batch}
	if !v.wide() {
		f.step = 32
	}
	local := AllocLocal(f.slots + numSlots*f.step + 64)
	base := GP64()
	LEAQ(local.Offset(63), base)
	ANDQ(I8(-64), base)
	f.base = base
	return f
}

func (f frame) slot(i int) Mem { return Mem{Base: f.base, Disp: f.slots + i*f.step} }

// loop emits body for off = 0, stride, … below end.
func loop(label string, end reg.Register, stride int, body func(off reg.Register)) {
	off := GP64()
	XORQ(off, off)
	Label(label)
	body(off)
	ADDQ(U32(stride), off)
	CMPQ(off, end)
	JLT(LabelRef(label))
}
