package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/simd/_gen/neon"
)

// A loop is a kernel that goes through its slices four numbers at a time, with AVX2 or NEON.
type loop struct {
	at  map[string]Register
	end Register
}

// begin emits what comes before the loop: pointers are the kernel's slices.
func begin(name, signature, doc string, pointers ...string) loop {
	TEXT(name+"Vectors", NOSPLIT, signature)
	Doc(name + "Vectors " + doc)
	Pragma("noescape")
	l := loop{at: map[string]Register{}}
	for _, p := range pointers {
		l.at[p] = Load(Param(p), GP64())
	}
	l.end = Load(Param("n"), GP64())
	return l
}

// turns emits the loop. A turn takes so many numbers of n.
func (l loop) turns(name string, numbers uint64, body func(off Register)) {
	off := GP64()
	XORQ(off, off)
	SHLQ(U8(3), l.end)
	Label(name + "loop")
	body(off)
	ADDQ(U32(8*numbers), off)
	CMPQ(off, l.end)
	JLT(LabelRef(name + "loop"))
}

func (l loop) load(p string, off Register, disp int) VecVirtual {
	d := YMM()
	VMOVUPD(Mem{Base: l.at[p], Index: off, Scale: 1, Disp: disp}, d)
	return d
}

func (l loop) store(x VecVirtual, p string, off Register) {
	VMOVUPD(x, Mem{Base: l.at[p], Index: off, Scale: 1})
}

// state is the vectors that acc holds before and after the loop.
func (l loop) state(n int) []VecVirtual {
	s := make([]VecVirtual, n)
	for i := range s {
		s[i] = YMM()
		VMOVUPD(Mem{Base: l.at["acc"], Disp: 32 * i}, s[i])
	}
	return s
}

func (l loop) done(s []VecVirtual) {
	for i, x := range s {
		VMOVUPD(x, Mem{Base: l.at["acc"], Disp: 32 * i})
	}
	VZEROUPPER()
	RET()
}

func spread(param string) VecVirtual {
	d := YMM()
	m, err := Param(param).Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSD(m.Addr, d)
	return d
}

func times(a, b VecVirtual) VecVirtual {
	d := YMM()
	VMULPD(b, a, d)
	return d
}

func minus(a, b VecVirtual) VecVirtual {
	d := YMM()
	VSUBPD(b, a, d)
	return d
}

func addTo(s, x VecVirtual) { VADDPD(x, s, s) }

// sums emits the kernels of sums.go.
func sums() {
	l := begin("less", "func(dst, x *float64, n int, s float64)", "is less for n numbers, a multiple of 4.", "dst", "x")
	s := spread("s")
	l.turns("less", 4, func(off Register) { l.store(minus(l.load("x", off, 0), s), "dst", off) })
	l.done(nil)

	l = begin("halve", "func(dst, x *float64, n int)", "is halve for n averages, a multiple of 4.", "dst", "x")
	half := YMM()
	bits, low := GP64(), XMM()
	MOVQ(U64(0x3fe0000000000000), bits)
	VMOVQ(bits, low)
	VPBROADCASTQ(low, half)
	l.turns("halve", 4, func(off Register) {
		a, b := YMM(), YMM()
		at := Mem{Base: l.at["x"], Index: off, Scale: 2}
		VMOVUPD(at, a)
		if onNEON {
			c := YMM()
			VMOVUPD(at.Offset(32), c)
			neon.Three("pairsums", a, c, b)
		} else {
			VHADDPD(at.Offset(32), a, b)
			VPERMPD(U8(0xd8), b, b) // from pairs 0, 2, 1, 3
		}
		l.store(times(b, half), "dst", off)
	})
	l.done(nil)

	l = begin("sum", "func(acc *[8]float64, x *float64, n int)", "adds x[t] to acc[t%8], for n numbers, a multiple of 8.", "acc", "x")
	acc := l.state(2)
	l.turns("sum", 8, func(off Register) {
		addTo(acc[0], l.load("x", off, 0))
		addTo(acc[1], l.load("x", off, 32))
	})
	l.done(acc)

	l = begin("extent", "func(acc *[10]float64, x *float64, n int)", "is sumVectors with the least number after the sums, and then the greatest.", "acc", "x")
	acc = l.state(2)
	var lo, hi [2]VecVirtual
	for i := range 2 {
		lo[i], hi[i] = YMM(), YMM()
		VBROADCASTSD(Mem{Base: l.at["acc"], Disp: 64}, lo[i])
		VBROADCASTSD(Mem{Base: l.at["acc"], Disp: 72}, hi[i])
	}
	least := func(x, s VecVirtual) { VMINPD(s, x, s) } // s where x is NaN
	most := func(x, s VecVirtual) { VMAXPD(s, x, s) }
	l.turns("extent", 8, func(off Register) {
		for i := range 2 {
			x := l.load("x", off, 32*i)
			addTo(acc[i], x)
			least(x, lo[i])
			most(x, hi[i])
		}
	})
	across := func(op func(x, s VecVirtual), s [2]VecVirtual, disp int) {
		op(s[1], s[0])
		for _, order := range []uint64{0x4e, 0xb1} {
			VPERMPD(U8(order), s[0], s[1])
			op(s[1], s[0])
		}
		VMOVSD(s[0].AsX(), Mem{Base: l.at["acc"], Disp: disp})
	}
	across(least, lo, 64)
	across(most, hi, 72)
	l.done(acc)

	l = begin("weightedSums", "func(acc *[16]float64, w, x, y *float64, n int)", "adds the terms of weightedSums to four partial sums each, for n draws, a multiple of 4.", "acc", "w", "x", "y")
	acc = l.state(4)
	l.turns("weightedSums", 4, func(off Register) {
		w := l.load("w", off, 0)
		addTo(acc[0], w)
		addTo(acc[1], times(w, w))
		addTo(acc[2], times(w, l.load("x", off, 0)))
		addTo(acc[3], times(w, l.load("y", off, 0)))
	})
	l.done(acc)

	l = begin("centre", "func(acc *[12]float64, dx, dy, wx, wy, w, x, y *float64, n int, mx, my float64)", "is centre, with four partial sums each, for n draws, a multiple of 4.", "acc", "dx", "dy", "wx", "wy", "w", "x", "y")
	acc = l.state(3)
	mx, my := spread("mx"), spread("my")
	l.turns("centre", 4, func(off Register) {
		w := l.load("w", off, 0)
		a, b := minus(l.load("x", off, 0), mx), minus(l.load("y", off, 0), my)
		va, vb := times(w, a), times(w, b)
		l.store(a, "dx", off)
		l.store(b, "dy", off)
		l.store(va, "wx", off)
		l.store(vb, "wy", off)
		addTo(acc[0], times(va, a))
		addTo(acc[1], times(vb, a))
		addTo(acc[2], times(vb, b))
	})
	l.done(acc)

	l = begin("products", "func(acc *[16]float64, a, b, x, y *float64, n int)", "adds the terms of products to four partial sums each, for n draws, a multiple of 4.", "acc", "a", "b", "x", "y")
	acc = l.state(4)
	l.turns("products", 4, func(off Register) {
		a, b, x, y := l.load("a", off, 0), l.load("b", off, 0), l.load("x", off, 0), l.load("y", off, 0)
		addTo(acc[0], times(a, x))
		addTo(acc[1], times(a, y))
		addTo(acc[2], times(b, x))
		addTo(acc[3], times(b, y))
	})
	l.done(acc)
}
