package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "github.com/psgld/psgld-tui/nets/tool/simd/_gen/f64"
	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

// A loop is a kernel of sums.go.
type loop struct{ Loop }

func begin(name, signature, doc string, parameters ...string) loop {
	Begin(name+"Vectors", signature, doc)
	return loop{NewLoop(append(parameters, "n")...)}
}

// state is the vectors that acc holds before and after the loop.
func (l loop) state(n int) []VecVirtual {
	s := make([]VecVirtual, n)
	for i := range s {
		s[i] = YMM()
		VMOVUPD(Mem{Base: l.At["acc"], Disp: 32 * i}, s[i])
	}
	return s
}

func (l loop) done(s []VecVirtual) {
	for i, x := range s {
		VMOVUPD(x, Mem{Base: l.At["acc"], Disp: 32 * i})
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

func addTo(s, x VecVirtual) { VADDPD(x, s, s) }

// sums emits the kernels of sums.go.
func sums() {
	l := begin("less", "func(dst, x *float64, n int, s float64)", "is less for n numbers, a multiple of 4.", "dst", "x")
	s := spread("s")
	l.Turns("lessloop", 4, func() { l.Store(Minus(l.Load("x", 0), s), "dst") })
	l.done(nil)

	l = begin("halve", "func(dst, x *float64, n int)", "is halve for n averages, a multiple of 4.", "dst", "x")
	half := Bits(0x3fe0000000000000)
	l.Turns("halveloop", 4, func() {
		a, b := YMM(), YMM()
		at := l.Place("x", 0, 2)
		VMOVUPD(at, a)
		if onNEON {
			c := YMM()
			VMOVUPD(at.Offset(32), c)
			neon.Three("pairsums", a, c, b)
		} else {
			VHADDPD(at.Offset(32), a, b)
			VPERMPD(U8(0xd8), b, b) // from pairs 0, 2, 1, 3
		}
		l.Store(Times(b, half), "dst")
	})
	l.done(nil)

	l = begin("sum", "func(acc *[8]float64, x *float64, n int)", "adds x[t] to acc[t%8], for n numbers, a multiple of 8.", "acc", "x")
	acc := l.state(2)
	l.Turns("sumloop", 8, func() {
		addTo(acc[0], l.Load("x", 0))
		addTo(acc[1], l.Load("x", 32))
	})
	l.done(acc)

	l = begin("extent", "func(acc *[10]float64, x *float64, n int)", "is sumVectors with the least number after the sums, and then the greatest.", "acc", "x")
	acc = l.state(2)
	var lo, hi [2]VecVirtual
	for i := range 2 {
		lo[i], hi[i] = YMM(), YMM()
		VBROADCASTSD(Mem{Base: l.At["acc"], Disp: 64}, lo[i])
		VBROADCASTSD(Mem{Base: l.At["acc"], Disp: 72}, hi[i])
	}
	least := func(x, s VecVirtual) { VMINPD(s, x, s) } // s where x is NaN
	most := func(x, s VecVirtual) { VMAXPD(s, x, s) }
	l.Turns("extentloop", 8, func() {
		for i := range 2 {
			x := l.Load("x", 32*i)
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
		VMOVSD(s[0].AsX(), Mem{Base: l.At["acc"], Disp: disp})
	}
	across(least, lo, 64)
	across(most, hi, 72)
	l.done(acc)

	l = begin("weightedSums", "func(acc *[16]float64, w, x, y *float64, n int)", "adds the terms of weightedSums to four partial sums each, for n draws, a multiple of 4.", "acc", "w", "x", "y")
	acc = l.state(4)
	l.Turns("weightedSumsloop", 4, func() {
		w := l.Load("w", 0)
		addTo(acc[0], w)
		addTo(acc[1], Times(w, w))
		addTo(acc[2], Times(w, l.Load("x", 0)))
		addTo(acc[3], Times(w, l.Load("y", 0)))
	})
	l.done(acc)

	l = begin("centre", "func(acc *[12]float64, dx, dy, wx, wy, w, x, y *float64, n int, mx, my float64)", "is centre, with four partial sums each, for n draws, a multiple of 4.", "acc", "dx", "dy", "wx", "wy", "w", "x", "y")
	acc = l.state(3)
	mx, my := spread("mx"), spread("my")
	l.Turns("centreloop", 4, func() {
		w := l.Load("w", 0)
		a, b := Minus(l.Load("x", 0), mx), Minus(l.Load("y", 0), my)
		va, vb := Times(w, a), Times(w, b)
		l.Store(a, "dx")
		l.Store(b, "dy")
		l.Store(va, "wx")
		l.Store(vb, "wy")
		addTo(acc[0], Times(va, a))
		addTo(acc[1], Times(vb, a))
		addTo(acc[2], Times(vb, b))
	})
	l.done(acc)

	l = begin("products", "func(acc *[16]float64, a, b, x, y *float64, n int)", "adds the terms of products to four partial sums each, for n draws, a multiple of 4.", "acc", "a", "b", "x", "y")
	acc = l.state(4)
	l.Turns("productsloop", 4, func() {
		a, b, x, y := l.Load("a", 0), l.Load("b", 0), l.Load("x", 0), l.Load("y", 0)
		addTo(acc[0], Times(a, x))
		addTo(acc[1], Times(a, y))
		addTo(acc[2], Times(b, x))
		addTo(acc[3], Times(b, y))
	})
	l.done(acc)
}
