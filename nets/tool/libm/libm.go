// Package libm has elementary functions whose results have the same bits on every
// processor and with every version of Go.
//
// Package math promises neither: its Exp and Log are assembly on some processors, its Go code is fused on others. A
// digest of draws, or a decision that a session takes, must therefore not hang on them. On amd64 with fused
// multiply-add the functions here agree with Go 1.26's to the bit, except where a comment says otherwise. Of package
// math, Abs, Ceil, Copysign, FMA, Floor, Frexp, Ldexp, Max, Min, Mod, Modf, Round, Sqrt and Trunc are exact or
// correctly rounded, and therefore safe.
package libm

import "math"

// ln 2 in two parts, the first with so few bits that its products by exponents are exact.
const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
)

// FDLIBM's polynomial of Log and Log1p: l1 z + … + l7 z⁷ with z = s², s = f/(2+f).
const (
	l1 = 6.666666666666735130e-01
	l2 = 3.999999999940941908e-01
	l3 = 2.857142874366239149e-01
	l4 = 2.222219843214978396e-01
	l5 = 1.818357216161805012e-01
	l6 = 1.531383769920937332e-01
	l7 = 1.479819860511658591e-01
)

// madd is a b + c in two roundings.
func madd(a, b, c float64) float64 { return float64(a*b) + c }

// LogTail is r of ln(1+f) = f - (h - s (h+r)), with s = f/(2+f) and h = f²/2.
func LogTail(s float64) float64 {
	z := s * s
	w := z * z
	return float64(z*madd(w, madd(w, madd(w, l7, l5), l3), l1)) + float64(w*madd(w, madd(w, l6, l4), l2))
}

// Log is the natural logarithm, by FDLIBM's method, with an error below 1 ulp. It is NaN
// for x < 0 and -Inf for 0. It is right for x below 2⁻¹⁰²² too, where Go's on amd64 is not.
func Log(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	k := 0.0
	if x < 0x1p-1022 {
		x *= 0x1p54
		k = -54
	}
	// x = 2ᵏ (1+f) with 1+f ∈ [√½, √2).
	const sqrtHalf = 0x3fe6a09e667f3bcd
	bits := math.Float64bits(x) + (0x3ff0000000000000 - sqrtHalf)
	k += float64(int64(bits>>52) - 1023)
	f := math.Float64frombits(bits&(1<<52-1)+sqrtHalf) - 1
	s := f / (2 + f)
	r := LogTail(s)
	h := float64(0.5 * f * f)
	return float64(k*ln2Hi) - ((h - (float64(s*(h+r)) + float64(k*ln2Lo))) - f)
}

// Log10 is the decimal logarithm, Log(x)/ln 10.
func Log10(x float64) float64 { return float64(Log(x) * (1 / math.Ln10)) }

// Log1p is ln(1+x) by FDLIBM's method, with an error below 1 ulp. It is NaN for x < -1 and -Inf for -1.
func Log1p(x float64) float64 {
	switch {
	case x < -1 || x != x:
		return math.NaN()
	case x == -1:
		return math.Inf(-1)
	case x > math.MaxFloat64:
		return x
	}
	const sqrt2 = 0x6a09e667f3bcd // the fraction's bits
	var (
		k, f = 0.0, x
		c    float64     // what is lost in 1+x
		rest uint64  = 1 // 0 where |f| < 2⁻²⁰
	)
	switch size := math.Abs(x); {
	case size < 0x1p-54:
		return x
	case size < 0x1p-29:
		return x - float64(float64(x*x)*0.5)
	case x > -2.928932188134524755992e-01 && x < 4.142135623730950488017e-01: // 1+x ∈ (√½, √2)
	default:
		u := x
		if size < 1<<53 {
			u = 1 + x
		}
		bits := math.Float64bits(u)
		e := int64(bits>>52) - 1023
		if size < 1<<53 {
			if c = x - (u - 1); e > 0 {
				c = 1 - (u - x)
			}
			c /= u
		}
		if rest = bits & (1<<52 - 1); rest < sqrt2 {
			u = math.Float64frombits(rest | 0x3ff<<52)
		} else {
			e++
			u = math.Float64frombits(rest | 0x3fe<<52)
			rest = (1<<52 - rest) >> 2
		}
		k, f = float64(e), u-1
	}
	h := float64(0.5 * f * f)
	if rest == 0 {
		if f == 0 {
			return float64(k*ln2Hi) + madd(k, ln2Lo, c)
		}
		r := float64(h * (1 - float64(0.66666666666666666*f)))
		return float64(k*ln2Hi) - ((r - madd(k, ln2Lo, c)) - f)
	}
	s := f / (2 + f)
	z := float64(s * s)
	r := float64(z * madd(z, madd(z, madd(z, madd(z, madd(z, madd(z, l7, l6), l5), l4), l3), l2), l1))
	if k == 0 {
		return f - (h - float64(s*(h+r)))
	}
	return float64(k*ln2Hi) - ((h - (float64(s*(h+r)) + madd(k, ln2Lo, c))) - f)
}

// Hypot is √(x² + y²), without overflow on the way. It is +Inf where one of them is infinite.
func Hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	switch {
	case x > math.MaxFloat64 || y > math.MaxFloat64:
		return math.Inf(1)
	case x < y:
		x, y = y, x
	case x == 0 && y == 0:
		return 0
	}
	q := y / x
	return float64(x * math.Sqrt(1+float64(q*q)))
}
