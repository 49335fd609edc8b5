package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// transpose16 emits the transposition of 16 rows in squares of 16×16. The last
// square is read by mask.
func transpose16() {
	v := vec{wide: true}
	v.text("transpose16", "func(dst *float32, stride int, src *float32, rows *[16]int, n int)",
		"puts column k of 16 rows of n > 0 numbers at dst + k stride. The rows",
		"begin at offsets from src. Distances are in bytes. Up to 15 places after the last get 0.")
	dst, stride, src := param("dst"), param("stride"), param("src")
	rows, n := param("rows"), param("n")
	mask := K()
	all := GP32()
	MOVL(U32(0xffff), all)
	KMOVW(all, mask)
	Label("square")
	CMPQ(n, U8(16))
	JGE(LabelRef("whole"))
	bits := GP32()
	XORL(bits, bits)
	BTSL(n.As32(), bits)
	DECL(bits)
	KMOVW(bits, mask)
	Label("whole")
	r := v.regs(16)
	offset := GP64()
	for i := range r {
		MOVQ(Mem{Base: rows, Disp: 8 * i}, offset)
		VMOVUPS_Z(Mem{Base: src, Index: offset, Scale: 1}, mask, r[i])
	}
	for _, c := range columns16(r) {
		VMOVUPS(c, Mem{Base: dst})
		ADDQ(stride, dst)
	}
	ADDQ(U8(64), src)
	SUBQ(U8(16), n)
	JG(LabelRef("square"))
	end()
}

// columns16 transposes within quarters of 4×4 numbers and then the quarters.
func columns16(r []reg.VecVirtual) []reg.VecVirtual {
	v := vec{wide: true}
	// Column 4l+j of rows 4g … 4g+3 comes to quarter l of q[4g+j].
	q := quarters(v, r)
	out := v.regs(16)
	for j := range 4 {
		even, odd := v.regs(2), v.regs(2)
		for h := range 2 {
			a, b := q[8*h+j], q[8*h+4+j]
			VSHUFF32X4(U8(0x88), b, a, even[h])
			VSHUFF32X4(U8(0xdd), b, a, odd[h])
		}
		VSHUFF32X4(U8(0x88), even[1], even[0], out[j])
		VSHUFF32X4(U8(0x88), odd[1], odd[0], out[4+j])
		VSHUFF32X4(U8(0xdd), even[1], even[0], out[8+j])
		VSHUFF32X4(U8(0xdd), odd[1], odd[0], out[12+j])
	}
	return out
}

// quarters transposes every 4×4 square of each four rows.
func quarters(v vec, r []reg.VecVirtual) []reg.VecVirtual {
	pairs := v.regs(len(r))
	for i := 0; i < len(r); i += 2 {
		VUNPCKLPS(r[i+1], r[i], pairs[i])
		VUNPCKHPS(r[i+1], r[i], pairs[i+1])
	}
	q := v.regs(len(r))
	for g := 0; g < len(r); g += 4 {
		VUNPCKLPD(pairs[g+2], pairs[g], q[g])
		VUNPCKHPD(pairs[g+2], pairs[g], q[g+1])
		VUNPCKLPD(pairs[g+3], pairs[g+1], q[g+2])
		VUNPCKHPD(pairs[g+3], pairs[g+1], q[g+3])
	}
	return q
}

// transpose8 emits the transposition of 8 rows in squares of 8×8. The last square
// is read by mask.
func transpose8() {
	v := vec{}
	v.text("transpose8", "func(dst *float32, stride int, src *float32, rows *[16]int, n int, ones *int32)",
		"puts column k of 8 rows of n > 0 numbers at dst + k stride. The rows",
		"begin at offsets from src. Distances are in bytes. Up to 7 places after the last get 0.",
		"There are 8 ones before and 8 zeros after where the last argument points.")
	dst, stride, src := param("dst"), param("stride"), param("src")
	rows, n, ones := param("rows"), param("n"), param("ones")
	mask := v.reg()
	VMOVDQU(Mem{Base: ones, Disp: -32}, mask)
	Label("square")
	CMPQ(n, U8(8))
	JGE(LabelRef("whole"))
	SHLQ(U8(2), n)
	SUBQ(n, ones)
	VMOVDQU(Mem{Base: ones}, mask)
	XORQ(n, n)
	Label("whole")
	r := v.regs(8)
	offset := GP64()
	for i := range r {
		MOVQ(Mem{Base: rows, Disp: 8 * i}, offset)
		VMASKMOVPS(Mem{Base: src, Index: offset, Scale: 1}, mask, r[i])
	}
	q := quarters(v, r)
	for _, half := range []uint8{0x20, 0x31} {
		for j := range 4 {
			c := v.reg()
			VPERM2F128(U8(half), q[4+j], q[j], c)
			VMOVUPS(c, Mem{Base: dst})
			ADDQ(stride, dst)
		}
	}
	ADDQ(U8(32), src)
	SUBQ(U8(8), n)
	JG(LabelRef("square"))
	end()
}

// copyRows emits the copy of rows of up to 32 numbers by mask (AVX-512), or of up
// to 16 (AVX2), to places one after the other.
func (v vec) copyRows() {
	mask := "*int32"
	if v.wide {
		mask = "uint32"
	}
	v.text("copyRows", "func(dst, src *float32, stride, n int, mask "+mask+")",
		"copies n > 0 rows, which are stride bytes apart, to rows of two vectors. What",
		"the mask leaves out becomes 0.")
	dst, src, stride, n := param("dst"), param("src"), param("stride"), param("n")
	var load [2]func(from Mem, to reg.VecVirtual)
	if v.wide {
		m := Load(Param("mask"), GP32())
		for j := range load {
			k := K()
			KMOVW(m, k)
			SHRL(U8(16), m)
			load[j] = func(from Mem, to reg.VecVirtual) { VMOVUPS_Z(from, k, to) }
		}
	} else {
		m := Load(Param("mask"), GP64())
		for j := range load {
			k := v.reg()
			VMOVDQU(Mem{Base: m, Disp: j * v.bytes()}, k)
			load[j] = func(from Mem, to reg.VecVirtual) { VMASKMOVPS(from, k, to) }
		}
	}
	repeat("row", n, func() {
		x := v.regs(2)
		for j := range x {
			load[j](Mem{Base: src, Disp: j * v.bytes()}, x[j])
			VMOVUPS(x[j], Mem{Base: dst, Disp: j * v.bytes()})
		}
		ADDQ(stride, src)
		ADDQ(U32(2*v.bytes()), dst)
	})
	end()
}
