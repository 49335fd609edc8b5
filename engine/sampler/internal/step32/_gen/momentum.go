package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/engine/noise/_gen/simd"
)

// momenta emits the functions of the momentum step.
func momenta(vecs []simd.Vec) {
	for _, v := range vecs {
		for _, noise := range []bool{false, true} {
			momentum{sweep: sweep{Vec: v, terms: momentumFarthest, extremes: 1}, noise: noise}.emit()
		}
	}
}

// A momentum is a function to emit, with noise or without.
type momentum struct {
	sweep
	noise          bool
	theta, v, mean reg.Register
}

// The numbers of a step32.Momentum, in its order.
const (
	momentumN = iota
	momentumPrior
	momentumHalf
	momentumKeep
	momentumSpread
)

// The parts of step32.MomentumSums after those that step32.Sums has too.
const (
	momentumKinetic = inject + 1 + iota
	momentumFarthest
)

func (m momentum) emit() {
	name, but := "momentum", ""
	if !m.noise {
		name += "Noiseless"
		but = " without noise"
	}
	begin(name+m.Suffix, momentumParameters,
		"Momentum.generic on n groups"+but)
	m.theta, m.v, m.mean = m.vector("theta"), m.vector("v"), m.vector("mean")
	m.loop(m.noise, false, 1, func(v simd.Vec, z func() simd.Reg, at int, sum []simd.Reg) {
		one := m
		one.Vec = v
		one.step(z, at, sum)
	})
}

// step emits the step of Size coordinates at an offset in bytes.
func (m *momentum) step(z func() simd.Reg, at int, sum []simd.Reg) {
	x := m.Load(Mem{Base: m.theta, Disp: at}) // all loads first, see langevin.step
	v := m.Load(Mem{Base: m.v, Disp: at})
	mean := m.Load(Mem{Base: m.mean, Disp: at})
	u := m.Do(simd.Sub, m.Do(simd.Mul, mean, m.par(momentumN)), m.Do(simd.Mul, x, m.par(momentumPrior)))
	d := m.Do(simd.Add, m.Do(simd.Mul, v, m.par(momentumKeep)), m.Do(simd.Mul, u, m.par(momentumHalf)))
	m.add(sum, drift, m.Do(simd.Mul, d, d))
	if z != nil {
		w := m.Do(simd.Mul, z(), m.par(momentumSpread))
		m.add(sum, inject, m.Do(simd.Mul, w, w))
		d = m.Do(simd.Add, d, w)
	}
	m.add(sum, momentumKinetic, m.Do(simd.Mul, d, d))
	if m.crowded(z) {
		x = m.Load(Mem{Base: m.theta, Disp: at})
	}
	x = m.Do(simd.Add, x, d)
	m.Store(d, Mem{Base: m.v, Disp: at})
	m.Store(x, Mem{Base: m.theta, Disp: at})
	m.fold(momentumFarthest, simd.Max32, m.magnitude(x))
}
