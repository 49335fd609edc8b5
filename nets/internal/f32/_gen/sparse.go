package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

// The fields of struct strip in package f32, in order; each has 8 bytes.
const (
	stripC = iota
	stripRowC
	stripB
	stripEntries
	stripMarks
	stripStepMarks
	stripRows
	stripMask
	stripTail
	stripAdd
	stripSoon
)

// The most vectors of a strip's kernels. A sum is ready for the next entry after some
// cycles, which the other sums are to fill: NEON's are short and so more.
const widest512, widestAVX2, widestNEON = 8, 10, 16

func (v vec) stripName(columns int) string {
	return fmt.Sprintf("strip%d%s", columns*v.bytes()/4, v.name())
}

// strip emits the kernel for a strip of C so many vectors wide. A row stays in
// registers while its entries are gone through.
func (v vec) strip(columns int) {
	wide := columns * v.bytes() / 4
	v.text(fmt.Sprintf("strip%d", wide), "func(s *uintptr)", fmt.Sprintf("computes a strip of up to %d columns.", wide))
	field, load := fields("s")
	last := columns - 1
	var mask reg.OpmaskVirtual
	tail := v.reg()
	switch {
	case v.neon: // its strips have no rest
	case v.wide:
		mask = K()
		KMOVW(load(stripMask).As32(), mask)
	default:
		VMOVDQU(Mem{Base: load(stripTail)}, tail)
	}
	c, rowC := load(stripC), load(stripRowC)
	b := load(stripB)
	marks, stepMarks := load(stripMarks), load(stripStepMarks)
	rows, soon := load(stripRows), load(stripSoon)
	sums := v.regs(columns)

	Label("row")
	// The loop counts from minus the entries' bytes up to 0.
	i, after := GP64(), GP64()
	MOVLQSX(Mem{Base: marks}, i)
	MOVLQSX(Mem{Base: marks, Disp: 4}, after)
	SUBQ(after, i)
	SHLQ(U8(3), i)
	SHLQ(U8(3), after)
	ADDQ(field(stripEntries), after)
	CMPQ(field(stripAdd), U8(0))
	JE(LabelRef("zero"))
	TESTQ(i, i)
	JZ(LabelRef("next"))
	for j, s := range sums {
		at := Mem{Base: c, Disp: j * v.bytes()}
		switch {
		case j < last || v.neon:
			VMOVUPS(at, s)
		case v.wide:
			VMOVUPS_Z(at, mask, s)
		default:
			VMASKMOVPS(at, tail, s)
		}
	}
	JMP(LabelRef("entries"))
	Label("zero")
	for _, s := range sums {
		v.zero(s)
	}
	TESTQ(i, i)
	JZ(LabelRef("store"))
	Label("entries")
	at, x := GP64(), v.reg()
	entry := Mem{Base: after, Index: i, Scale: 1}
	MOVLQSX(entry, at)
	if v.neon {
		neon.LoadLane(entry.Offset(4), x)
	} else {
		VBROADCASTSS(entry.Offset(4), x)
	}
	// Without an index below, for which some processors split an instruction.
	LEAQ(Mem{Base: b, Index: at, Scale: 4}, at)
	for j, s := range sums {
		m := Mem{Base: at, Disp: j * v.bytes()}
		switch {
		case v.neon && j%2 == 1: // with the one before
		case v.neon && j < last:
			y := v.regs(2)
			neon.LoadPair(m, y[0], y[1])
			neon.AddLane(y[0], x, s)
			neon.AddLane(y[1], x, sums[j+1])
		case v.neon:
			y := v.reg()
			VMOVUPS(m, y)
			neon.AddLane(y, x, s)
		case j < last:
			VFMADD231PS(m, x, s)
		case v.wide:
			VFMADD231PS(m, x, mask, s)
		default:
			y := v.reg()
			VMASKMOVPS(m, tail, y)
			VFMADD231PS(y, x, s)
		}
	}
	ADDQ(U8(8), i)
	JNZ(LabelRef("entries"))
	Label("store")
	for j, s := range sums {
		at := Mem{Base: c, Disp: j * v.bytes()}
		switch {
		case j < last || v.neon:
			VMOVUPS(s, at)
		case v.wide:
			VMOVUPS(s, mask, at)
		default:
			VMASKMOVPS(s, tail, at)
		}
	}
	Label("next")
	for line := 0; line < columns*v.bytes(); line += 64 {
		PREFETCHT1(Mem{Base: soon, Disp: line})
	}
	ADDQ(rowC, soon)
	ADDQ(rowC, c)
	ADDQ(stepMarks, marks)
	DECQ(rows)
	JNZ(LabelRef("row"))
	end()
}

// listPixels emits the search for bytes that are not 0. AVX-512 only.
func listPixels() {
	v := vec{wide: true}
	v.text("listPixels", "func(dst *uint64, x *byte, n, start, stride int, table *[256]float32) int",
		"makes entries of those of n > 0 times sixteen bytes that are not 0,",
		"whose starts go from start on by stride, and returns how many. Up to 16 places more are written.")
	dst, x, n, table := param("dst"), param("x"), param("n"), param("table")
	start := GP64()
	MOVQ(dst, start)
	starts, step, low, high := ZMM(), ZMM(), ZMM(), ZMM()
	VMOVDQU32(pairs("pairsLow", 0), low)
	VMOVDQU32(pairs("pairsHigh", 8), high)
	lanes := ZMM()
	VPMOVZXBD(iota16(), lanes)
	stride, count := param("stride"), GP64()
	VPBROADCASTD(stride.As32(), starts)
	VPMULLD(lanes, starts, starts)
	VPBROADCASTD(param("start").As32(), lanes)
	VPADDD(lanes, starts, starts)
	SHLQ(U8(4), stride)
	VPBROADCASTD(stride.As32(), step)
	Label("bytes")
	bytes, found, left := ZMM(), K(), K()
	VPMOVZXBD(Mem{Base: x}, bytes)
	VPTESTMD(bytes, bytes, found)
	KMOVW(found, count.As32())
	TESTL(count.As32(), count.As32())
	JZ(LabelRef("next"))
	KMOVW(found, left)
	values, first, out := ZMM(), ZMM(), ZMM()
	VPXORD(values, values, values)
	VGATHERDPS(Mem{Base: table, Index: bytes, Scale: 4}, left, values)
	VPCOMPRESSD_Z(values, found, values)
	VPCOMPRESSD_Z(starts, found, first)
	VMOVDQA32(first, out)
	VPERMT2D(values, low, out)
	VMOVDQU32(out, Mem{Base: dst})
	VPERMT2D(values, high, first)
	VMOVDQU32(first, Mem{Base: dst, Disp: 64})
	POPCNTL(count.As32(), count.As32())
	LEAQ(Mem{Base: dst, Index: count, Scale: 8}, dst)
	Label("next")
	VPADDD(step, starts, starts)
	ADDQ(U8(16), x)
	DECQ(n)
	JNZ(LabelRef("bytes"))
	SUBQ(start, dst)
	SHRQ(U8(3), dst)
	Store(dst, ReturnIndex(0))
	end()
}

// prefetch emits the request for cache lines.
func prefetch() {
	TEXT("prefetchLines", NOSPLIT, "func(x *uint8, lines int)")
	Pragma("noescape")
	Doc("prefetchLines brings lines > 0 lines from x on into the first-level cache.")
	x, lines := param("x"), param("lines")
	repeat("line", lines, func() {
		PREFETCHT0(Mem{Base: x})
		ADDQ(U8(64), x)
	})
	RET()
}

// iota16 is where the bytes 0 … 15 are.
func iota16() Mem {
	at := GLOBL("iota16", attr.RODATA|attr.NOPTR)
	for i := range 16 {
		DATA(i, U8(i))
	}
	return at
}

// pairs is where a permutation is that takes number i of the first of two vectors and of
// the second in turn, from a half on.
func pairs(name string, half int) Mem {
	at := GLOBL(name, attr.RODATA|attr.NOPTR)
	for i := range 16 {
		DATA(4*i, U32(half+i/2+16*(i%2)))
	}
	return at
}
