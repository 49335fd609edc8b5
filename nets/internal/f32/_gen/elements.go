package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// elements emit functions on whole vectors that both paths have.
var elements = []func(vec){vec.axpy, vec.addBiasReLU, vec.reluBack, vec.addRows, vec.keepMarked, vec.maxPool, vec.maxPoolBack}

// emitted are the functions that text began, without their path, in order.
var emitted []struct{ name, signature string }

// text begins a function, with the name of the path behind its own.
func (v vec) text(name, signature string, doc ...string) {
	emitted = append(emitted, struct{ name, signature string }{name, signature})
	TEXT(name+v.name(), NOSPLIT, signature)
	Pragma("noescape")
	Doc(append([]string{name + v.name() + " " + doc[0]}, doc[1:]...)...)
}

// param loads a parameter of 64 bits.
func param(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// fields returns where the fields of 8 bytes are of the struct that a parameter points to, and what
// loads one.
func fields(name string) (field func(i int) Mem, load func(i int) reg.GPVirtual) {
	base := param(name)
	field = func(i int) Mem { return Mem{Base: base, Disp: 8 * i} }
	return field, func(i int) reg.GPVirtual {
		r := GP64()
		MOVQ(field(i), r)
		return r
	}
}

// repeat emits body n > 0 times, counting n down.
func repeat(label string, n reg.Register, body func()) {
	Label(label)
	body()
	DECQ(n)
	JNZ(LabelRef(label))
}

// end emits the return.
func end() {
	VZEROUPPER()
	RET()
}

// advance moves pointers by a vector.
func (v vec) advance(pointers ...reg.Register) {
	for _, p := range pointers {
		ADDQ(U8(v.bytes()), p)
	}
}

func (v vec) axpy() {
	v.text("axpy", "func(y, x *float32, vectors int, a float32)", "adds a x to y, with two roundings.")
	y, x, n := param("y"), param("x"), param("vectors")
	a := v.reg()
	s := Load(Param("a"), XMM())
	VBROADCASTSS(s, a)
	repeat("loop", n, func() {
		p := v.reg()
		VMULPS(Mem{Base: x}, a, p)
		VADDPS(Mem{Base: y}, p, p)
		VMOVUPS(p, Mem{Base: y})
		v.advance(x, y)
	})
	end()
}

func (v vec) addBiasReLU() {
	v.text("addBiasReLU", "func(y *float32, stride, rows, vectors int, bias *float32)",
		"makes rows, which are stride bytes apart, max(0, y + bias).")
	y, stride, rows := param("y"), param("stride"), param("rows")
	zero := v.reg()
	v.zero(zero)
	repeat("row", rows, func() {
		at, n, bias := GP64(), param("vectors"), param("bias")
		MOVQ(y, at)
		repeat("loop", n, func() {
			s := v.reg()
			VMOVUPS(Mem{Base: at}, s)
			VADDPS(Mem{Base: bias}, s, s)
			VMAXPS(s, zero, s) // the sum where it is NaN or -0
			VMOVUPS(s, Mem{Base: at})
			v.advance(at, bias)
		})
		ADDQ(stride, y)
	})
	end()
}

func (v vec) reluBack() {
	v.text("reluBack", "func(dy *float32, strideD int, y *float32, strideY, rows, vectors int)",
		"makes dy 0 where y ≤ 0, in rows that are so many bytes apart.")
	dy, y, rows := param("dy"), param("y"), param("rows")
	strideD, strideY := param("strideD"), param("strideY")
	zero := v.reg()
	v.zero(zero)
	const notLessOrEqual = 6
	repeat("row", rows, func() {
		atD, atY, n := GP64(), GP64(), param("vectors")
		MOVQ(dy, atD)
		MOVQ(y, atY)
		repeat("loop", n, func() {
			d, x := v.reg(), v.reg()
			VMOVUPS(Mem{Base: atY}, x)
			if v.wide {
				k := K()
				VCMPPS(U8(notLessOrEqual), zero, x, k)
				VMOVUPS_Z(Mem{Base: atD}, k, d)
			} else {
				VCMPPS(U8(notLessOrEqual), zero, x, x)
				VANDPS(Mem{Base: atD}, x, d)
			}
			VMOVUPS(d, Mem{Base: atD})
			v.advance(atD, atY)
		})
		ADDQ(strideD, dy)
		ADDQ(strideY, y)
	})
	end()
}

func (v vec) addRows() {
	v.text("addRows", "func(dst, y *float32, stride, rows, vectors int)",
		"adds the sum of rows, which are stride bytes apart, to dst.")
	dst, y, stride, n := param("dst"), param("y"), param("stride"), param("vectors")
	repeat("loop", n, func() {
		s, at, rows := v.reg(), GP64(), param("rows")
		v.zero(s)
		MOVQ(y, at)
		repeat("row", rows, func() {
			VADDPS(Mem{Base: at}, s, s)
			ADDQ(stride, at)
		})
		VADDPS(Mem{Base: dst}, s, s)
		VMOVUPS(s, Mem{Base: dst})
		v.advance(dst, y)
	})
	end()
}
