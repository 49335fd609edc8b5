package simd

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// The numbers of Exp32 of package libm and of log1p32 of package step32.
var (
	exponential = []float32{5.0000001201e-1, 1.6666665459e-1, 4.1665795894e-2, 8.3334519073e-3, 1.3981999507e-3, 1.9875691500e-4}
	log1p       = []float32{1, -0.499995023, 0.333192706, -0.248443693, 0.191114306, -0.136747703, 0.0783616677, -0.0295885075, 0.00525345793}
)

// Exp is Exp32 of package libm.
func (v Vec) Exp(x Reg) Reg {
	const whole = 3 << 22
	t := v.Do(Add, v.Do(Mul, x, v.Float(math.Log2E)), v.Float(whole))
	n := v.Do(Sub, t, v.Float(whole))
	r := v.Do(Sub, x, v.Do(Mul, n, v.Float(0.693359375)))
	r = v.Do(Sub, r, v.Do(Mul, n, v.Float(-2.12194440e-4)))
	p := v.Do(Mul, v.Do(Mul, v.Polynomial(exponential, r), r), r)
	p = v.Do(Add, v.Do(Add, p, r), v.Float(1))
	return v.Do(Mul, p, v.Do(Add32, v.shift(VPSLLD, 23, t), v.Bits(0x3f800000)))
}

// Log is log32 of package step32.
func (v Vec) Log(x Reg) Reg {
	b := v.Do(Sub32, x, v.Bits(sqrtHalf))
	e := v.ToFloat(v.shift(VPSRAD, 23, b))
	m := v.Do(Add32, v.Do(And, b, v.Bits(mantissa)), v.Bits(sqrtHalf))
	m = v.Do(Sub, m, v.Float(1))
	p := v.Do(Mul, v.Do(Mul, v.Polynomial(logarithm, m), m), v.Float(0.5))
	return v.Do(Sub, v.Do(Mul, e, v.Float(math.Ln2)), p)
}

// Softplus is softplus32 of package step32.
func (v Vec) Softplus(x Reg) (value, slope Reg) {
	y := v.Do(Xor, v.Do(And, x, v.Bits(1<<31-1)), v.Bits(1<<31))
	y = v.Exp(v.Do(Max, v.Spread(v.Float(-80)), y))
	r := v.Do(Div, v.Spread(v.Float(1)), v.Do(Add, y, v.Float(1)))
	slope = v.Choose(x, r, v.Do(Mul, r, y))
	value = v.Do(Mul, v.Polynomial(log1p, y), y)
	return v.Do(Add, v.Do(Max, v.Spread(v.Float(0)), x), value), slope
}

// Choose returns b in the lanes where by has the sign bit, and a in the others.
func (v Vec) Choose(by, a, b Reg) Reg {
	d := v.New()
	for i := range by {
		if v.Wide() {
			k := K()
			VPTESTMD_BCST(Mem(v.Bits(1<<31)), by[i], k)
			v.turns.end()
			VBLENDMPS(b[i], a[i], k, d[i])
		} else {
			VBLENDVPS(by[i], b[i], a[i], d[i])
		}
		v.turns.end()
	}
	return d
}
