package logistic

import "math"

// exp2Table holds 2^(j/32), correctly rounded.
var exp2Table = [32]float64{
	0x1.0000000000000p+0, 0x1.059b0d3158574p+0, 0x1.0b5586cf9890fp+0, 0x1.11301d0125b51p+0,
	0x1.172b83c7d517bp+0, 0x1.1d4873168b9aap+0, 0x1.2387a6e756238p+0, 0x1.29e9df51fdee1p+0,
	0x1.306fe0a31b715p+0, 0x1.371a7373aa9cbp+0, 0x1.3dea64c123422p+0, 0x1.44e086061892dp+0,
	0x1.4bfdad5362a27p+0, 0x1.5342b569d4f82p+0, 0x1.5ab07dd485429p+0, 0x1.6247eb03a5585p+0,
	0x1.6a09e667f3bcdp+0, 0x1.71f75e8ec5f74p+0, 0x1.7a11473eb0187p+0, 0x1.82589994cce13p+0,
	0x1.8ace5422aa0dbp+0, 0x1.93737b0cdc5e5p+0, 0x1.9c49182a3f090p+0, 0x1.a5503b23e255dp+0,
	0x1.ae89f995ad3adp+0, 0x1.b7f76f2fb5e47p+0, 0x1.c199bdd85529cp+0, 0x1.cb720dcef9069p+0,
	0x1.d5818dcfba487p+0, 0x1.dfc97337b9b5fp+0, 0x1.ea4afa2a490dap+0, 0x1.f50765b6e4540p+0,
}

// ExpAll replaces each x of z by eˣ with a relative error below 5e-15, for x
// limited to ±708 so that the result is a normal number; NaN stays NaN.
//
// x = n·ln2/32 + r with n an integer and |r| ≤ ln2/64, and eˣ = 2^⌊n/32⌋ · 2^((n mod 32)/32) · eʳ, with eʳ from its
// Taylor series to r⁵; what is left out is about r⁶/720 < 2.3e-15. There are no branches but the limits, so that the
// processor works on neighbouring elements at once. The conversions forbid fused multiply-add, as in design.margins.
func ExpAll(z []float64) {
	const (
		limit = 708
		per   = 0x1.71547652b82fep+5 // 32/ln2
		// ln2/32 in two parts; the first has so few bits that n times it is exact.
		hi = 0x1.62e42fef80000p-6
		lo = 0x1.1cf79abc9e3b4p-41
		// Adding 1.5·2⁵² rounds to an integer, which then stands in the low bits.
		round = 0x1.8p52
	)
	for i, x := range z {
		if x > limit {
			x = limit
		}
		if x < -limit {
			x = -limit
		}
		t := float64(x*per) + round
		bits := math.Float64bits(t)
		t -= round
		r := x - float64(t*hi)
		r -= float64(t * lo)
		r2 := r * r
		p := r + float64(r2*(0.5+float64(r*(1.0/6)))) + float64(r2*r2*(1.0/24+float64(r*(1.0/120))))
		s := exp2Table[bits&31]
		z[i] = math.Float64frombits(math.Float64bits(s+float64(s*p)) + bits>>5<<52)
	}
}

// SigmoidAll replaces each x of z by σ(x) = 1/(1 + e⁻ˣ) with a relative error below 1e-13 for |x| ≤ 708.
func SigmoidAll(z []float64) {
	for i, x := range z {
		z[i] = -x
	}
	ExpAll(z)
	for i, e := range z {
		z[i] = 1 / (1 + e)
	}
}
