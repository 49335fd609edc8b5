// Command momentum writes the SIMD forms of the momentum step: the same operations
// in the same order on many coordinates at a time, so that the steps are the same
// bits.
package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/engine/noise/_gen/simd"
)

func main() {
	ConstraintExpr("!noasm")
	for _, v := range simd.Vecs() {
		for _, noise := range []bool{false, true} {
			momentum{Vec: v, noise: noise}.emit()
		}
	}
	Generate()
}

// A momentum is a function to emit, with noise or without.
type momentum struct {
	simd.Vec
	noise bool

	theta, v, mean, numbers, sums reg.Register
}

// The numbers of a step32.Momentum, in its order.
const (
	n = iota
	prior
	half
	keep
	spread
)

// The parts of step32.MomentumSums, in its order. The first four have Group/2 lanes and
// the last, of which the order does not matter, half as many.
const (
	drift = iota
	inject
	virial
	kinetic
	farthest

	additive = farthest
)

func (g momentum) emit() {
	name, but := "momentum", ""
	if !g.noise {
		name += "Noiseless"
		but = " without noise"
	}
	TEXT(name+g.Suffix, attr.NOSPLIT, "func(theta, v, mean *float32, n int, numbers, sums *float32, schedule *uint32, block uint32)")
	Pragma("noescape")
	Doc(name + g.Suffix + " is Momentum.generic on n groups" + but + ".")
	g.theta, g.v, g.mean = Load(Param("theta"), GP64()), Load(Param("v"), GP64()), Load(Param("mean"), GP64())
	groups := Load(Param("n"), GP64())
	g.numbers, g.sums = Load(Param("numbers"), GP64()), Load(Param("sums"), GP64())
	next := func() {
		for _, p := range []reg.Register{g.theta, g.v, g.mean} {
			ADDQ(U32(4*simd.Group), p)
		}
	}
	if g.noise {
		schedule, block := Load(Param("schedule"), GP64()), Load(Param("block"), GP32())
		g.Groups(groups, schedule, block, 1, g.piece, next)
	} else {
		Label("group")
		for i := range simd.Group / 2 / g.Size() {
			g.piece(i, nil, nil)
		}
		next()
		DECQ(groups)
		JNZ(LabelRef("group"))
	}
	VZEROUPPER()
	RET()
}

// piece emits the step of the coordinates that have these normals, which are nil
// without noise.
func (g momentum) piece(i int, cos, sin simd.Reg) {
	one := g
	one.Vec = g.Part()
	for p := range g.Parts {
		k := i*g.Parts + p
		var sum [additive]simd.Reg
		for half, z := range []simd.Reg{cos, sin} {
			if z != nil {
				z = z[p : p+1]
			}
			one.step(z, 4*(simd.Group/2*half+g.Lanes*k), &sum)
		}
		for q, x := range sum {
			if x != nil {
				one.Store(one.Do(simd.Add, x, g.sum(q, k)), g.sum(q, k))
			}
		}
	}
}

// step emits the step of Size coordinates at an offset in bytes.
func (g momentum) step(z simd.Reg, at int, sum *[additive]simd.Reg) {
	// All loads come before the first store: vectors often begin at the same place
	// of a page, and a processor may then take a load for one of what was stored.
	x := g.Load(Mem{Base: g.theta, Disp: at})
	v := g.Load(Mem{Base: g.v, Disp: at})
	mean := g.Load(Mem{Base: g.mean, Disp: at})
	add := func(q int, term simd.Reg) {
		if sum[q] != nil {
			term = g.Do(simd.Add, sum[q], term)
		}
		sum[q] = term
	}
	u := g.Do(simd.Sub, g.Do(simd.Mul, mean, g.par(n)), g.Do(simd.Mul, x, g.par(prior)))
	add(virial, g.Do(simd.Mul, x, u))
	d := g.Do(simd.Add, g.Do(simd.Mul, v, g.par(keep)), g.Do(simd.Mul, u, g.par(half)))
	add(drift, g.Do(simd.Mul, d, d))
	if z != nil {
		w := g.Do(simd.Mul, z, g.par(spread))
		add(inject, g.Do(simd.Mul, w, w))
		d = g.Do(simd.Add, d, w)
	}
	add(kinetic, g.Do(simd.Mul, d, d))
	x = g.Do(simd.Add, x, d)
	g.Store(d, Mem{Base: g.v, Disp: at})
	g.Store(x, Mem{Base: g.theta, Disp: at})
	far := g.sum(farthest, 0)
	g.Store(g.Do(simd.Max32, g.Do(simd.And, x, g.Bits(1<<31-1)), far), far)
}

func (g momentum) par(i int) simd.Shared { return simd.Shared(Mem{Base: g.numbers, Disp: 32 * i}) }

// sum is where the k-th register of a sum is.
func (g momentum) sum(q, k int) Mem {
	return Mem{Base: g.sums, Disp: 4 * (simd.Group/2*q + g.Lanes*k)}
}
