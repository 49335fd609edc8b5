package libm

import "math"

// Exp is eˣ. With k the integer next to x/ln 2 and r = (x - k ln 2)/16, it is 2ᵏ (1+s)¹⁶, where s = eʳ - 1 by Taylor's
// series to r⁸ (Shibata 2010, ISC'10: 25–32). The error is about 1 ulp. Above 709.78 it is +Inf, and below -745.13 it
// is 0. It is right in [709.44, 709.78] too, where Go's on amd64 is +Inf.
//
// The products and sums that are fused are so by definition. math.FMA is an instruction
// where the processor has it, and slow where it does not.
func Exp(x float64) float64 {
	const (
		overflow = 7.09782712893384e+02
		log2e    = 1.4426950408889634073599246810018920
		hi       = 0.69314718055966295651160180568695068359375
		lo       = 0.28235290563031577122588448175013436025525412068e-12
		// Adding 1.5·2⁵² rounds to an integer, which then stands in the low bits.
		round = 0x1.8p52
	)
	switch {
	case x != x:
		return x
	case x > overflow:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	k := float64(x*log2e) + round
	e := int64(math.Float64bits(k)<<32) >> 32
	k -= round
	r := math.FMA(-lo, k, math.FMA(-hi, k, x)) * 0.0625
	p := math.FMA(2.4801587301587301587e-5, r, 1.9841269841269841270e-4)
	p = math.FMA(p, r, 1.3888888888888888889e-3)
	p = math.FMA(p, r, 8.3333333333333333333e-3)
	p = math.FMA(p, r, 4.1666666666666666667e-2)
	p = math.FMA(p, r, 1.6666666666666666667e-1)
	p = math.FMA(p, r, 0.5)
	p = math.FMA(p, r, 1)
	s := float64(r * p)
	// (1+s)² = 1 + s(s+2), four times.
	s = float64(s * (s + 2))
	s = float64(s * (s + 2))
	s = float64(s * (s + 2))
	s = math.FMA(s, s+2, 1)
	if uint64(e+1022) < 2046 {
		return s * math.Float64frombits(uint64(e+1023)<<52)
	}
	// 2ᵏ itself is no normal number.
	half := e >> 1
	return s * math.Float64frombits(uint64(half+1023)<<52) * math.Float64frombits(uint64(e-half+1023)<<52)
}

// Exp32 is eˣ for -86.6 ≤ x ≤ 0 in float32, within 2⁻²³ of itself. x = n ln 2 + r with
// |r| ≤ ½ ln 2, and eʳ by Cephes' polynomial of expf.
func Exp32(x float32) float32 {
	const (
		ln2High = 0.693359375
		ln2Low  = -2.12194440e-4
		whole   = 3 << 22 // adding it leaves no fraction
	)
	t := float32(x*math.Log2E) + whole
	n := t - whole
	r := x - float32(n*ln2High)
	r -= float32(n * ln2Low)
	p := float32(1.9875691500e-4)
	p = float32(p*r) + 1.3981999507e-3
	p = float32(p*r) + 8.3334519073e-3
	p = float32(p*r) + 4.1665795894e-2
	p = float32(p*r) + 1.6666665459e-1
	p = float32(p*r) + 5.0000001201e-1
	p = float32(float32(p*r)*r) + r + 1
	return float32(p * math.Float32frombits(math.Float32bits(t)<<23+0x3f800000))
}

// Expm1 is eˣ - 1 by FDLIBM's method, with an error below 1 ulp.
func Expm1(x float64) float64 {
	const (
		overflow = 7.09782712893383973096e+02
		all      = 3.88162421113569373274e+01 // 56 ln 2: e⁻ˣ is nothing beside 1
		inverse  = 1.44269504088896338700e+00 // 1/ln 2
		q1       = -3.33333333333331316428e-02
		q2       = 1.58730158725481460165e-03
		q3       = -7.93650757867487942473e-05
		q4       = 4.00821782732936239552e-06
		q5       = -2.01099218183624371326e-07
	)
	size := math.Abs(x)
	switch {
	case x != x:
		return x
	case x > overflow:
		return math.Inf(1)
	case x <= -all:
		return -1
	case size < 0x1p-54:
		return x
	}
	var (
		k int
		c float64 // what is lost in x - k ln 2
	)
	if size > 0.5*math.Ln2 {
		if k = int(math.Copysign(1, x)); size >= 1.5*math.Ln2 {
			k = int(float64(inverse*x) + math.Copysign(0.5, x))
		}
		high, low := x-float64(float64(k)*ln2Hi), float64(float64(k)*ln2Lo)
		x = high - low
		c = (high - x) - low
	}
	hx := float64(0.5 * x)
	z := float64(x * hx)
	r := 1 + float64(z*madd(z, madd(z, madd(z, madd(z, q5, q4), q3), q2), q1))
	t := 3 - float64(r*hx)
	e := float64(z * ((r - t) / (6 - float64(x*t))))
	if k == 0 {
		return x - (float64(x*e) - z)
	}
	e = float64(x*(e-c)) - c
	e -= z
	switch {
	case k == -1:
		return float64(0.5*(x-e)) - 0.5
	case k == 1 && x < -0.25:
		return -2 * (e - (x + 0.5))
	case k == 1:
		return 1 + float64(2*(x-e))
	case k <= -2 || k > 56:
		return scaled(1-(e-x), k) - 1
	case k < 20:
		return scaled((1-math.Float64frombits(uint64(1023-k)<<52))-(e-x), k)
	}
	return scaled(x-(e+math.Float64frombits(uint64(1023-k)<<52))+1, k)
}

// scaled is 2ᵏy, for a y and a result that are normal numbers.
func scaled(y float64, k int) float64 {
	return math.Float64frombits(math.Float64bits(y) + uint64(k)<<52)
}

// Pow is xʸ for x ≥ 0, and NaN for x < 0. The integer part of y goes by repeated squares, the rest by Exp and Log.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case y == 1:
		return x
	case x != x || y != y || x < 0:
		return math.NaN()
	case x == 0 || x > math.MaxFloat64 || math.Abs(y) >= 0x1p63:
		if (x < 1) == (y > 0) {
			return 0
		}
		return math.Inf(1)
	case y == 0.5:
		return math.Sqrt(x)
	case y == -0.5:
		return 1 / math.Sqrt(x)
	}
	whole, part := math.Modf(math.Abs(y))
	power, e := 1.0, 0 // the result so far is power·2ᵉ
	if part != 0 {
		if part > 0.5 {
			part--
			whole++
		}
		power = Exp(float64(part * Log(x)))
	}
	square, at := math.Frexp(x)
	for i := int64(whole); i != 0; i >>= 1 {
		if at < -1<<12 || 1<<12 < at { // beyond all numbers
			e += at
			break
		}
		if i&1 == 1 {
			power = float64(power * square)
			e += at
		}
		square = float64(square * square)
		at <<= 1
		if square < 0.5 {
			square += square
			at--
		}
	}
	if y < 0 {
		power, e = 1/power, -e
	}
	return math.Ldexp(power, e)
}
