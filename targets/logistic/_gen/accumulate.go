package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/f64"
)

// panel is how many columns are kept in registers while the rows go by.
const panel = 16

// ones is followed by as many zeros: a mask of n of 4 begins n before them.
var ones Mem

// accumulate goes over panels of columns, and for each over the rows, four at a
// time. The last panel has as many vectors as it needs, and the last vector of
// any is masked.
func accumulate(v f64.ISA) {
	name := "accumulate" + v.Name
	if v.Lanes == 4 {
		ones = GLOBL("maskWindow", RODATA|NOPTR)
		for i := range 8 {
			DATA(8*i, I64(i/4-1))
		}
	}
	f64.Begin(name, "func(dst *float64, w *float64, x *float64, quads int, cols int)", "adds Σ w·x over 4·quads rows of cols columns to dst.")
	dst := Load(Param("dst"), GP64())
	w := Load(Param("w"), GP64())
	x := Load(Param("x"), GP64())
	quads := Load(Param("quads"), GP64())
	left := Load(Param("cols"), GP64())
	row, row3 := GP64(), GP64()
	MOVQ(left, row)
	SHLQ(Imm(3), row)
	LEAQ(Mem{Base: row, Index: row, Scale: 2}, row3)
	most := panel / v.Lanes
	Label(name + "panel")
	for vectors := most; vectors > 1; vectors-- {
		CMPQ(left, Imm(uint64((vectors-1)*v.Lanes)))
		JG(LabelRef(fmt.Sprint(name, vectors)))
	}
	for vectors := 1; vectors <= most; vectors++ {
		label := fmt.Sprint(name, vectors)
		Label(label)
		var count Register // of columns in the last vector
		if v.Lanes > 2 {
			count = countOf(v, left, vectors)
		}
		columns := columnsOf(v, vectors, count)
		sums := make([]VecVirtual, vectors)
		for i := range sums {
			sums[i] = v.Reg()
			columns.load(Mem{Base: dst}, i, sums[i])
		}
		px, pw, n := GP64(), GP64(), GP64()
		MOVQ(x, px)
		MOVQ(w, pw)
		MOVQ(quads, n)
		Label(label + "rows")
		var ws [4]VecVirtual
		for r := range ws {
			ws[r] = v.Spread(Mem{Base: pw, Disp: 8 * r})
		}
		rows := [4]Mem{
			{Base: px},
			{Base: px, Index: row, Scale: 1},
			{Base: px, Index: row, Scale: 2},
			{Base: px, Index: row3, Scale: 1},
		}
		for i, s := range sums {
			product := func(r int) VecVirtual {
				p := v.Reg()
				columns.multiply(rows[r], i, ws[r], p)
				return p
			}
			a, b := product(0), product(1)
			VADDPD(b, a, a)
			c, d := product(2), product(3)
			VADDPD(d, c, c)
			VADDPD(c, a, a)
			VADDPD(a, s, s)
		}
		LEAQ(Mem{Base: px, Index: row, Scale: 4}, px)
		ADDQ(Imm(4*8), pw)
		DECQ(n)
		JNE(LabelRef(label + "rows"))
		for i, s := range sums {
			columns.store(s, Mem{Base: dst}, i)
		}
		if vectors < most {
			VZEROUPPER()
			RET()
		}
	}
	ADDQ(Imm(panel*8), x)
	ADDQ(Imm(panel*8), dst)
	SUBQ(Imm(panel), left)
	JG(LabelRef(name + "panel"))
	VZEROUPPER()
	RET()
}

// columns are the vectors of a panel, the last of which is masked.
type columns struct {
	last  int
	bytes int           // of a vector
	k     OpmaskVirtual // AVX-512
	mask  VecVirtual    // AVX2
}

// countOf emits how many of the columns that are left are in the last vector.
func countOf(v f64.ISA, left Register, vectors int) Register {
	count, full := GP64(), GP64()
	LEAQ(Mem{Base: left, Disp: -(vectors - 1) * v.Lanes}, count)
	MOVQ(U32(uint32(v.Lanes)), full)
	CMPQ(count, full)
	CMOVQGT(full, count)
	return count
}

// columnsOf makes the mask of count ones. NEON's vectors are whole.
func columnsOf(v f64.ISA, vectors int, count Register) columns {
	c := columns{last: vectors - 1, bytes: 8 * v.Lanes}
	if v.Lanes == 2 {
		c.last = vectors
		return c
	}
	if v.Lanes == 8 {
		all := GP64()
		MOVQ(I32(-1), all)
		BZHIQ(count, all, all)
		c.k = K()
		KMOVW(all.As32(), c.k)
		return c
	}
	at, back := GP64(), GP64()
	LEAQ(ones.Offset(32), at)
	MOVQ(count, back)
	SHLQ(Imm(3), back)
	SUBQ(back, at)
	c.mask = YMM()
	VMOVUPD(Mem{Base: at}, c.mask)
	return c
}

func (c columns) at(m Mem, i int) Mem {
	return m.Offset(c.bytes * i)
}

func (c columns) load(m Mem, i int, dst VecVirtual) {
	switch {
	case i < c.last:
		VMOVUPD(c.at(m, i), dst)
	case c.k != nil:
		VMOVUPD_Z(c.at(m, i), c.k, dst)
	default:
		VMASKMOVPD(c.at(m, i), c.mask, dst)
	}
}

// multiply writes w times vector i of a row to dst.
func (c columns) multiply(m Mem, i int, w, dst VecVirtual) {
	switch {
	case i < c.last:
		VMULPD(c.at(m, i), w, dst)
	case c.k != nil:
		VMULPD_Z(c.at(m, i), w, c.k, dst)
	default:
		VMASKMOVPD(c.at(m, i), c.mask, dst)
		VMULPD(w, dst, dst)
	}
}

func (c columns) store(src VecVirtual, m Mem, i int) {
	switch {
	case i < c.last:
		VMOVUPD(src, c.at(m, i))
	case c.k != nil:
		VMOVUPD(src, c.k, c.at(m, i))
	default:
		VMASKMOVPD(src, c.mask, c.at(m, i))
	}
}
