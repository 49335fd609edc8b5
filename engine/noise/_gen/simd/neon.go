package simd

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

// wordsNEON is words, with a word of the cipher in a lane of 32 bits: a product is made in
// two halves, whose low and high words are then sorted apart.
func (v Vec) wordsNEON(schedule, block reg.Register, i int) (radius, turn Reg) {
	next := 0
	key := func() Shared {
		k := Shared(Mem{Base: schedule, Disp: 32 * next})
		next++
		return k
	}
	one := v.Part()
	m0, m1 := one.Spread(v.Bits(mul0)), one.Spread(v.Bits(mul1))
	product := func(x, m Reg) (low, high Reg) {
		a, b := XMM(), XMM()
		low, high = one.New(), one.New()
		for _, f := range []struct {
			name    string
			x, y, d Op
		}{{"umull.2d", x[0], m[0], a}, {"umull2.2d", x[0], m[0], b}, {"uzp1.4s", a, b, low[0]}, {"uzp2.4s", a, b, high[0]}} {
			neon.Three(f.name, f.x, f.y, f.d)
			v.turns.end()
		}
		return low, high
	}
	xor := func(x Reg, y any) Reg { return one.Do(Xor, x, y) }

	first := one.New()
	VMOVD(block, first[0])
	VPBROADCASTD(first[0], first[0])
	v.turns.end()
	first = one.Do(Add32, first, v.blocks.Offset(4*i*v.Size()/2))
	x3, high := product(first, m0)
	x1, high2 := product(xor(high, key()), m1)
	x0 := xor(high2, key())
	x2 := xor(x3, key())
	for round := 2; round < 10; round++ {
		a, highA := product(x0, m0)
		b, highB := product(x2, m1)
		x0 = xor(xor(highB, x1), key())
		if round > 2 {
			highA = xor(highA, x3)
		}
		x2 = xor(highA, key())
		x1, x3 = b, a
	}
	join := func(x, y Reg) Reg {
		d := v.New()
		neon.Three("zip1.4s", x[0], y[0], d[0])
		neon.Three("zip2.4s", x[0], y[0], d[1])
		v.turns.end()
		return d
	}
	return join(x0, x1), join(x2, x3)
}
