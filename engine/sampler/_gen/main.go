// Command _gen writes the Langevin step of package sampler in assembly, in float64: the
// operations of the generic code in its order on four coordinates at a time, without fused
// multiply-add, so that the bits agree.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "github.com/psgld/psgld-tui/nets/tool/simd/_gen/f64"
	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

// lanes is how many coordinates a vector has.
const lanes = 4

// The numbers of a step, in the order of numbers in package sampler.
const (
	half = iota
	data
	prior
	root // √(Tε) where G = 1, else Tε
	alpha
	beta
	lambda
	scale
)

func main() {
	ConstraintExpr("!noasm")
	onNEON = neon.Asked()
	langevin(false)
	langevin(true)
	neon.Generate()
}

// onNEON is whether the steps are for arm64. A vector of four numbers is two there.
var onNEON bool

// langevin emits the step with a preconditioner or without.
func langevin(pre bool) {
	name, signature := "plainVectors", "func(to, theta, drift, inject, mean, z *float64, n int, k *[8]float64)"
	doc := "is langevin.plain for the first n coordinates, a multiple of 4, with noise, in vectors."
	parameters := []string{"to", "theta", "drift", "inject", "mean", "z"}
	if pre {
		name, signature = "preconditionedVectors", "func(to, theta, v, gain, drift, inject, mean, second, z *float64, n int, k *[8]float64)"
		doc = "is langevin.preconditioned for the first n coordinates, a multiple of 4, with noise and without Γ, in vectors."
		parameters = append(parameters, "v", "gain", "second")
	}
	Begin(name, signature, doc)
	l := NewLoop(append(parameters, "n", "k")...)
	// number spreads a number of the step.
	number := func(i int) VecVirtual {
		d := YMM()
		VBROADCASTSD(Mem{Base: l.At["k"], Disp: 8 * i}, d)
		return d
	}
	// written loads a vector that was written one number at a time: a whole load would
	// wait until the last of them has left the store buffer.
	written := func(v string) VecVirtual {
		m := l.Place(v, 0, 1)
		low, high, d := XMM(), XMM(), YMM()
		if onNEON { // its parts have two numbers
			VMOVUPD(m, d)
			return d
		}
		VMOVSD(m, low)
		VMOVHPD(m.Offset(8), low, low)
		VMOVSD(m.Offset(16), high)
		VMOVHPD(m.Offset(24), high, high)
		VINSERTF128(U8(1), high, low.AsY(), d)
		return d
	}
	l.Turns(name+"loop", lanes, func() {
		var g VecVirtual
		noise := number(root)
		if pre {
			y := written("second")
			v := Plus(Times(l.Load("v", 0), number(alpha)), Times(Times(number(beta), y), y))
			l.Store(v, "v")
			one := Bits(0x3ff0000000000000)
			sum := Plus(number(lambda), Sqrt(v))
			inverse := YMM()
			VDIVPD(sum, one, inverse)
			g = Times(inverse, number(scale))
			l.Store(g, "gain")
			noise = Sqrt(Times(noise, g))
		}
		x := l.Load("theta", 0)
		d := Minus(Times(number(data), written("mean")), Times(number(prior), x))
		if pre {
			d = Times(d, g)
		}
		d = Times(d, number(half))
		w := Times(noise, l.Load("z", 0))
		l.Store(d, "drift")
		l.Store(w, "inject")
		l.Store(Plus(x, Plus(d, w)), "to")
	})
	VZEROUPPER()
	RET()
}
