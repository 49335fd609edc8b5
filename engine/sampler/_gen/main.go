// Command _gen writes the Langevin step of package sampler in assembly, in float64: the
// operations of the generic code in its order on four coordinates at a time, without fused
// multiply-add, so that the bits agree.
package main

import (
	"os"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/simd/_gen/neon"
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
	generate := Generate
	if onNEON = os.Args[1] == "neon"; onNEON {
		os.Args = append(os.Args[:1], os.Args[2:]...)
		generate = neon.Generate
	}
	langevin(false)
	langevin(true)
	generate()
}

// onNEON is whether the steps are for arm64. A vector of four numbers is two there.
var onNEON bool

// langevin emits the step with a preconditioner or without.
func langevin(pre bool) {
	name, signature := "plainVectors", "func(to, theta, drift, inject, mean, z *float64, n int, k *[8]float64)"
	doc := "plainVectors is langevin.plain for the first n coordinates, a multiple of 4, with noise, in vectors."
	vectors := []string{"to", "theta", "drift", "inject", "mean", "z"}
	if pre {
		name, signature = "preconditionedVectors", "func(to, theta, v, gain, drift, inject, mean, second, z *float64, n int, k *[8]float64)"
		doc = "preconditionedVectors is langevin.preconditioned for the first n coordinates, a multiple of 4, with noise and without Γ, in vectors."
		vectors = append(vectors, "v", "gain", "second")
	}
	TEXT(name, NOSPLIT, signature)
	Doc(doc)
	Pragma("noescape")
	at := map[string]GPVirtual{}
	for _, v := range vectors {
		at[v] = Load(Param(v), GP64()).(GPVirtual)
	}
	n, k := Load(Param("n"), GP64()), Load(Param("k"), GP64())
	off := GP64()
	XORQ(off, off)
	SHLQ(U8(3), n)
	vector := func(v string) Mem { return Mem{Base: at[v], Index: off, Scale: 1} }
	// number spreads a number of the step.
	number := func(i int) VecVirtual {
		d := YMM()
		VBROADCASTSD(Mem{Base: k, Disp: 8 * i}, d)
		return d
	}
	// written loads a vector that was written one number at a time: a whole load would
	// wait until the last of them has left the store buffer.
	written := func(v string) VecVirtual {
		m := vector(v)
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
	load := func(v string) VecVirtual {
		d := YMM()
		VMOVUPD(vector(v), d)
		return d
	}
	into := func(op func(a, b, c Op), a, b VecVirtual) VecVirtual {
		d := YMM()
		op(b, a, d)
		return d
	}
	mul := func(a, b VecVirtual) VecVirtual { return into(func(a, b, c Op) { VMULPD(a, b, c) }, a, b) }
	add := func(a, b VecVirtual) VecVirtual { return into(func(a, b, c Op) { VADDPD(a, b, c) }, a, b) }
	sub := func(a, b VecVirtual) VecVirtual { return into(func(a, b, c Op) { VSUBPD(a, b, c) }, a, b) }
	sqrt := func(a VecVirtual) VecVirtual {
		d := YMM()
		VSQRTPD(a, d)
		return d
	}
	Label(name + "loop")
	var g VecVirtual
	noise := number(root)
	if pre {
		y := written("second")
		v := add(mul(load("v"), number(alpha)), mul(mul(number(beta), y), y))
		VMOVUPD(v, vector("v"))
		one := YMM()
		bits := GP64()
		MOVQ(U64(0x3ff0000000000000), bits)
		low := XMM()
		VMOVQ(bits, low)
		VPBROADCASTQ(low, one)
		sum := add(number(lambda), sqrt(v))
		inverse := YMM()
		VDIVPD(sum, one, inverse)
		g = mul(inverse, number(scale))
		VMOVUPD(g, vector("gain"))
		noise = sqrt(mul(noise, g))
	}
	x := load("theta")
	d := sub(mul(number(data), written("mean")), mul(number(prior), x))
	if pre {
		d = mul(d, g)
	}
	d = mul(d, number(half))
	w := mul(noise, load("z"))
	VMOVUPD(d, vector("drift"))
	VMOVUPD(w, vector("inject"))
	VMOVUPD(add(x, add(d, w)), vector("to"))
	ADDQ(U32(8*lanes), off)
	CMPQ(off, n)
	JLT(LabelRef(name + "loop"))
	VZEROUPPER()
	RET()
}
