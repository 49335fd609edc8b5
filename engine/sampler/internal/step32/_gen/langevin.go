package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/engine/noise/_gen/simd"
)

// steps emits the functions of the Langevin step and of the displacers.
func steps(vecs []simd.Vec) {
	for _, v := range vecs {
		for _, pre := range []bool{false, true} {
			for _, noise := range []bool{false, true} {
				langevin{sweep: sweepOf(v), pre: pre, noise: noise}.emit()
			}
		}
	}
	for _, v := range vecs {
		for _, d := range displacements(v) {
			d.emit()
		}
	}
}

// A langevin is a function to emit: with a preconditioner or without, with noise or
// without.
type langevin struct {
	sweep
	pre, noise             bool
	theta, v, mean, second reg.Register
}

// The numbers of a step32.Langevin, in its order.
const (
	langevinAlpha = iota
	langevinBeta
	langevinLambda
	langevinN
	langevinPrior
	langevinHalf
	langevinSpread
)

// The parts of step32.Sums, in its order.
const (
	drift = iota
	inject
	least
	greatest
	farthest
	numSums
)

// sweepOf returns a sweep that reports in step32.Sums.
func sweepOf(v simd.Vec) sweep { return sweep{Vec: v, terms: least, extremes: numSums - least} }

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
	begin(name+m.Suffix, langevinParameters,
		"Langevin.generic on n groups"+but)
	m.theta, m.mean = m.vector("theta"), m.vector("mean")
	ahead := 1
	if m.pre {
		m.v, m.second = m.vector("v"), m.vector("second")
		if m.Wide() { // the steps' instructions are many
			ahead = 2
		}
	}
	m.loop(m.noise, !m.noise || m.Many(), ahead, func(v simd.Vec, z func() simd.Reg, at int, sum []simd.Reg) {
		one := m
		one.Vec = v
		one.step(z, at, sum)
	})
}

// step emits the step of Size coordinates at an offset in bytes.
func (m *langevin) step(z func() simd.Reg, at int, sum []simd.Reg) {
	// All loads come before the first store: vectors often begin at the same place
	// of a page, and a processor may then take a load for one of what was stored.
	x := m.Load(Mem{Base: m.theta, Disp: at})
	mean := m.Load(Mem{Base: m.mean, Disp: at})
	u := m.Do(simd.Sub, m.Do(simd.Mul, mean, m.par(langevinN)), m.Do(simd.Mul, x, m.par(langevinPrior)))
	var g simd.Reg
	if m.pre {
		g = m.gain(at)
		m.fold(least, simd.Min, g)
		m.fold(greatest, simd.Max, g)
		u = m.Do(simd.Mul, u, g)
	}
	d := m.Do(simd.Mul, u, m.par(langevinHalf))
	m.add(sum, drift, m.Do(simd.Mul, d, d))
	if z != nil {
		var w simd.Reg
		if m.pre {
			w = m.Do(simd.Mul, z(), m.Sqrt(m.Do(simd.Mul, g, m.par(langevinSpread))))
		} else {
			w = m.Do(simd.Mul, z(), m.par(langevinSpread))
		}
		m.add(sum, inject, m.Do(simd.Mul, w, w))
		d = m.Do(simd.Add, d, w)
	}
	if m.crowded(z) {
		x = m.Load(Mem{Base: m.theta, Disp: at})
	}
	x = m.Do(simd.Add, x, d)
	m.Store(x, Mem{Base: m.theta, Disp: at})
	m.fold(farthest, simd.Max32, m.magnitude(x))
}

// gain emits V = αV + βḡ², 0 if it would be denormal, and returns G = 1/(λ+√V).
func (m *langevin) gain(at int) simd.Reg {
	v := m.Do(simd.Mul, m.Load(Mem{Base: m.v, Disp: at}), m.par(langevinAlpha))
	s := m.Load(Mem{Base: m.second, Disp: at})
	v = m.Do(simd.Add, v, m.Do(simd.Mul, m.Do(simd.Mul, s, m.par(langevinBeta)), s))
	v = m.ZeroBelow(m.Float(0x1p-126), v)
	m.Store(v, Mem{Base: m.v, Disp: at})
	return m.Do(simd.Div, m.Spread(m.Float(1)), m.Do(simd.Add, m.Sqrt(v), m.par(langevinLambda)))
}
