// Command _gen writes the SIMD forms of the Langevin step and of the optimisers'
// displacers: the same operations in the same order on many coordinates at a time,
// so that the steps are the same bits.
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
	vecs := simd.Vecs()
	for _, v := range vecs {
		for _, pre := range []bool{false, true} {
			for _, noise := range []bool{false, true} {
				langevin{Vec: v, pre: pre, noise: noise}.emit()
			}
		}
	}
	for _, v := range vecs {
		for _, d := range displacements(v) {
			d.emit()
		}
	}
	Generate()
}

// A langevin is a function to emit: with a preconditioner or without, with noise or
// without.
type langevin struct {
	simd.Vec
	pre, noise bool

	theta, v, mean, second, rule, sums reg.Register
	held                               [numSums]simd.Reg // if holds
}

// The numbers of a step32.Langevin, in its order.
const (
	alpha = iota
	beta
	lambda
	n
	prior
	half
	spread
)

// The parts of step32.Sums, in its order. The first three have Group/2 lanes and
// the others, of which the order of additions does not matter, half as many.
const (
	drift = iota
	inject
	virial
	least
	greatest
	farthest
	numSums

	additive = least
)

func (m langevin) emit() {
	name, but := "langevin", ""
	if m.pre {
		name += "Preconditioned"
	} else {
		but = " without a preconditioner"
	}
	if !m.noise {
		name += "Noiseless"
		but += " at T = 0"
	}
	TEXT(name+m.Suffix, attr.NOSPLIT, "func(theta, v, mean, second *float32, n int, rule *float32, sums *float32, schedule *uint32, block uint32)")
	Pragma("noescape")
	Doc(name + m.Suffix + " is Langevin.generic on n groups" + but + ".")
	m.theta, m.mean = Load(Param("theta"), GP64()), Load(Param("mean"), GP64())
	if m.pre {
		m.v, m.second = Load(Param("v"), GP64()), Load(Param("second"), GP64())
	}
	groups := Load(Param("n"), GP64())
	m.rule, m.sums = Load(Param("rule"), GP64()), Load(Param("sums"), GP64())
	for q := additive; q < numSums && m.holds(); q++ {
		m.held[q] = m.Part().Load(m.sum(q, 0))
	}
	next := func() {
		for _, p := range []reg.Register{m.theta, m.v, m.mean, m.second} {
			if p != nil {
				ADDQ(U32(4*simd.Group), p)
			}
		}
	}
	if m.noise {
		ahead := 1
		if m.Wide() && m.pre { // the steps' instructions are many
			ahead = 2
		}
		schedule, block := Load(Param("schedule"), GP64()), Load(Param("block"), GP32())
		m.Groups(groups, schedule, block, ahead, m.piece, next)
	} else {
		Label("group")
		for i := range simd.Group / 2 / m.Size() {
			m.piece(i, nil, nil)
		}
		next()
		DECQ(groups)
		JNZ(LabelRef("group"))
	}
	for q := additive; q < numSums && m.holds(); q++ {
		m.Store(m.held[q], m.sum(q, 0))
	}
	VZEROUPPER()
	RET()
}

// piece emits the step of the coordinates that have these normals, which are nil
// without noise.
func (m langevin) piece(i int, cos, sin simd.Reg) {
	one := m
	one.Vec = m.Part()
	for p := range m.Parts {
		k := i*m.Parts + p
		var sum [additive]simd.Reg
		for half, z := range []simd.Reg{cos, sin} {
			if z != nil {
				z = z[p : p+1]
			}
			one.step(z, 4*(simd.Group/2*half+m.Lanes*k), &sum)
		}
		for q, x := range sum {
			if x != nil {
				one.Store(one.Do(simd.Add, x, m.sum(q, k)), m.sum(q, k))
			}
		}
	}
}

// step emits the step of Size coordinates at an offset in bytes.
func (m langevin) step(z simd.Reg, at int, sum *[additive]simd.Reg) {
	// All loads come before the first store: vectors often begin at the same place
	// of a page, and a processor may then take a load for one of what was stored.
	x := m.Load(Mem{Base: m.theta, Disp: at})
	mean := m.Load(Mem{Base: m.mean, Disp: at})
	add := func(q int, term simd.Reg) {
		if sum[q] != nil {
			term = m.Do(simd.Add, sum[q], term)
		}
		sum[q] = term
	}
	var g simd.Reg
	if m.pre {
		g = m.gain(at)
		m.fold(least, simd.Min, g)
		m.fold(greatest, simd.Max, g)
	}
	u := m.Do(simd.Sub, m.Do(simd.Mul, mean, m.par(n)), m.Do(simd.Mul, x, m.par(prior)))
	add(virial, m.Do(simd.Mul, x, u))
	if m.pre {
		u = m.Do(simd.Mul, u, g)
	}
	d := m.Do(simd.Mul, u, m.par(half))
	add(drift, m.Do(simd.Mul, d, d))
	if z != nil {
		var w simd.Reg
		if m.pre {
			w = m.Do(simd.Mul, z, m.Sqrt(m.Do(simd.Mul, g, m.par(spread))))
		} else {
			w = m.Do(simd.Mul, z, m.par(spread))
		}
		add(inject, m.Do(simd.Mul, w, w))
		d = m.Do(simd.Add, d, w)
	}
	x = m.Do(simd.Add, x, d)
	m.Store(x, Mem{Base: m.theta, Disp: at})
	m.fold(farthest, simd.Max32, m.Do(simd.And, x, m.Bits(1<<31-1)))
}

// gain emits V = αV + βḡ², 0 if it would be denormal, and returns G = 1/(λ+√V).
func (m langevin) gain(at int) simd.Reg {
	v := m.Do(simd.Mul, m.Load(Mem{Base: m.v, Disp: at}), m.par(alpha))
	s := m.Load(Mem{Base: m.second, Disp: at})
	v = m.Do(simd.Add, v, m.Do(simd.Mul, m.Do(simd.Mul, s, m.par(beta)), s))
	v = m.ZeroBelow(m.Float(0x1p-126), v)
	m.Store(v, Mem{Base: m.v, Disp: at})
	return m.Do(simd.Div, m.Spread(m.Float(1)), m.Do(simd.Add, m.Sqrt(v), m.par(lambda)))
}

func (m langevin) par(i int) simd.Shared { return simd.Shared(Mem{Base: m.rule, Disp: 32 * i}) }

// sum is where the k-th register of a sum is.
func (m langevin) sum(q, k int) Mem {
	if q >= additive {
		return Mem{Base: m.sums, Disp: 4 * simd.Group / 2 * (q + additive) / 2}
	}
	return Mem{Base: m.sums, Disp: 4 * (simd.Group/2*q + m.Lanes*k)}
}

// holds is whether there are registers to hold sums in.
func (m langevin) holds() bool { return m.Wide() || !m.noise }

// fold emits what takes an addition's place in a sum whose order does not matter.
func (m langevin) fold(q int, o simd.Operation, x simd.Reg) {
	if m.holds() {
		m.Into(m.held[q], o, x, m.held[q])
	} else {
		m.Store(m.Do(o, x, m.sum(q, 0)), m.sum(q, 0))
	}
}
