package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/engine/noise/_gen/simd"
)

// A displacement is a function to emit: a group of optimiser.elementwise with a
// displacer.
type displacement struct {
	sweep
	name                      string
	v, own, second, gain      bool // which vectors it has
	theta, mean               reg.Register
	vAt, ownAt, secAt, gainAt reg.Register
	rule                      func(d *displacement, u simd.Reg, at int) simd.Reg
}

// The numbers that all displacers have come first, in step32.Numbers' order.
const (
	allN = iota
	allPrior
	first
)

func displacements(v simd.Vec) []*displacement {
	s := sweepOf(v)
	return []*displacement{
		{sweep: s, name: "HeavyBall", own: true, rule: (*displacement).ball},
		{sweep: s, name: "RMSHeavyBall", v: true, own: true, second: true, rule: (*displacement).rmsBall},
		{sweep: s, name: "Adagrad", v: true, rule: (*displacement).adagrad},
		{sweep: s, name: "Adadelta", v: true, own: true, gain: true, rule: (*displacement).adadelta},
		{sweep: s, name: "Adam", v: true, own: true, rule: (*displacement).adam},
		{sweep: s, name: "Whitening", v: true, own: true, second: true, gain: true, rule: (*displacement).whitening},
	}
}

func (d *displacement) emit() {
	begin("displace"+d.name+d.Suffix, displaceParameters,
		"a group of optimiser.elementwise, n times")
	d.theta, d.mean = d.vector("theta"), d.vector("mean")
	load := func(has bool, name string, to *reg.Register) {
		if has {
			*to = d.vector(name)
		}
	}
	load(d.v, "v", &d.vAt)
	load(d.own, "own", &d.ownAt)
	load(d.second, "second", &d.secAt)
	load(d.gain, "gain", &d.gainAt)
	d.loop(false, true, 0, func(v simd.Vec, _ func() simd.Reg, at int, sum []simd.Reg) {
		one := *d
		one.Vec = v
		one.step(at, sum)
	})
}

// step emits the step of Size coordinates at an offset in bytes.
func (d *displacement) step(at int, sum []simd.Reg) {
	x := d.Load(Mem{Base: d.theta, Disp: at})
	mean := d.Load(Mem{Base: d.mean, Disp: at})
	u := d.Do(simd.Sub, d.Do(simd.Mul, mean, d.par(allN)), d.Do(simd.Mul, x, d.par(allPrior)))
	u = d.rule(d, u, at)
	d.add(sum, drift, d.Do(simd.Mul, u, u))
	x = d.Do(simd.Add, x, u)
	d.Store(x, Mem{Base: d.theta, Disp: at})
	d.fold(farthest, simd.Max32, d.magnitude(x))
}

// number is a displacer's own.
func (d *displacement) number(i int) simd.Shared { return d.par(first + i) }

func (d *displacement) product(x simd.Reg, y any) simd.Reg { return d.Do(simd.Mul, x, y) }

func (d *displacement) count(g simd.Reg) {
	d.fold(least, simd.Min, g)
	d.fold(greatest, simd.Max, g)
}

// average emits old·keep + (rest·x)·x, 0 if it would be denormal.
func (d *displacement) average(old simd.Reg, keep, rest int, x simd.Reg) simd.Reg {
	sum := d.Do(simd.Add, d.product(old, d.number(keep)), d.product(d.product(x, d.number(rest)), x))
	return d.ZeroBelow(d.Float(0x1p-126), sum)
}

// inverse emits 1/(λ+√v).
func (d *displacement) inverse(v simd.Reg, lambda int) simd.Reg {
	return d.Do(simd.Div, d.Spread(d.Float(1)), d.Do(simd.Add, d.Sqrt(v), d.number(lambda)))
}

// ball has the numbers μ and ε/2.
func (d *displacement) ball(u simd.Reg, at int) simd.Reg {
	w := Mem{Base: d.ownAt, Disp: at}
	u = d.Do(simd.Add, d.product(d.Load(w), d.number(0)), d.product(u, d.number(1)))
	d.Store(u, w)
	one := d.Spread(d.Float(1))
	d.count(one)
	return u
}

// rmsBall has the numbers μ, ε/2, α, β and λ.
func (d *displacement) rmsBall(u simd.Reg, at int) simd.Reg {
	vAt, wAt := Mem{Base: d.vAt, Disp: at}, Mem{Base: d.ownAt, Disp: at}
	w := d.Load(wAt)
	v := d.average(d.Load(vAt), 2, 3, d.Load(Mem{Base: d.secAt, Disp: at}))
	d.Store(v, vAt)
	g := d.inverse(v, 4)
	d.count(g)
	u = d.product(d.product(u, g), d.number(1))
	u = d.Do(simd.Add, d.product(w, d.number(0)), u)
	d.Store(u, wAt)
	return u
}

// adagrad has the numbers 1/N, h and λ.
func (d *displacement) adagrad(u simd.Reg, at int) simd.Reg {
	vAt := Mem{Base: d.vAt, Disp: at}
	x := d.product(u, d.number(0))
	v := d.Do(simd.Add, d.product(x, x), vAt)
	d.Store(v, vAt)
	g := d.inverse(v, 2)
	d.count(g)
	return d.product(d.product(g, d.number(1)), x)
}

// adadelta has the numbers 1/N, h, ρ, 1-ρ and λ.
func (d *displacement) adadelta(u simd.Reg, at int) simd.Reg {
	vAt, wAt := Mem{Base: d.vAt, Disp: at}, Mem{Base: d.ownAt, Disp: at}
	w := d.Load(wAt)
	x := d.product(u, d.number(0))
	v := d.average(d.Load(vAt), 2, 3, x)
	d.Store(v, vAt)
	lambda := d.number(4)
	g := d.Sqrt(d.Do(simd.Div, d.Do(simd.Add, w, lambda), d.Do(simd.Add, v, lambda)))
	d.count(g)
	d.Store(g, Mem{Base: d.gainAt, Disp: at})
	u = d.product(g, x)
	d.Store(d.average(w, 2, 3, u), wAt)
	return d.product(u, d.number(1))
}

// adam has the numbers 1/N, β₁, 1-β₁, β₂, 1-β₂, h and λ.
func (d *displacement) adam(u simd.Reg, at int) simd.Reg {
	vAt, wAt := Mem{Base: d.vAt, Disp: at}, Mem{Base: d.ownAt, Disp: at}
	w := d.Load(wAt)
	x := d.product(u, d.number(0))
	v := d.average(d.Load(vAt), 3, 4, x)
	w = d.Do(simd.Add, d.product(w, d.number(1)), d.product(x, d.number(2)))
	d.Store(v, vAt)
	d.Store(w, wAt)
	g := d.inverse(v, 6)
	d.count(g)
	return d.product(d.product(g, d.number(5)), w)
}

// whitening has the numbers α, β and λ.
func (d *displacement) whitening(u simd.Reg, at int) simd.Reg {
	vAt := Mem{Base: d.vAt, Disp: at}
	v := d.average(d.Load(vAt), 0, 1, d.Load(Mem{Base: d.secAt, Disp: at}))
	d.Store(v, vAt)
	root := d.Do(simd.Div, d.Spread(d.Float(1)), d.Sqrt(d.Do(simd.Add, d.Sqrt(v), d.number(2))))
	d.Store(root, Mem{Base: d.gainAt, Disp: at})
	d.count(d.product(root, root))
	d.Store(d.product(u, root), Mem{Base: d.ownAt, Disp: at})
	return d.Do(simd.Xor, u, u)
}
