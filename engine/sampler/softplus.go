package sampler

import "math"

// softplus returns ln(1 + eˣ) and its derivative, the logistic function of x.
func softplus(x float64) (value, slope float64) {
	y := math.Exp(-math.Abs(x))
	value, slope = math.Max(x, 0)+math.Log1p(y), 1/(1+y)
	if x < 0 {
		slope *= y
	}
	return value, slope
}

// softplusInverse is the x > 0 of which y is the softplus.
func softplusInverse(y float64) float64 { return y + math.Log(-math.Expm1(-y)) }

// softplus32 is softplus to within 4·10⁻⁷ of the numbers themselves. It defines the
// bits on every machine and in assembly, as moveGeneric does. Below x = -80 it is
// as there, above 10⁻³⁵.
func softplus32(x float32) (value, slope float32) {
	y := exp32(max(-float32(math.Abs(float64(x))), -80))
	r := 1 / (1 + y)
	slope = r
	if math.Signbit(float64(x)) {
		slope = float32(r * y)
	}
	return max(x, 0) + float32(y*log1p32(y)), slope
}

// exp32 is eˣ for -80 ≤ x ≤ 0, within 2⁻²³ of itself. x = n ln 2 + r with
// |r| ≤ ½ ln 2, and eʳ by Cephes' polynomial of expf.
func exp32(x float32) float32 {
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
	p = float32(float32(p*r)*r) + r
	p += 1
	return float32(p * math.Float32frombits(math.Float32bits(t)<<23+0x3f800000))
}

// log1p32 is ln(1+y)/y for 0 ≤ y ≤ 1, within 10⁻⁷ of itself: a polynomial through
// its values at Chebyshev's points.
func log1p32(y float32) float32 {
	p := float32(0.00525345793)
	p = float32(p*y) - 0.0295885075
	p = float32(p*y) + 0.0783616677
	p = float32(p*y) - 0.136747703
	p = float32(p*y) + 0.191114306
	p = float32(p*y) - 0.248443693
	p = float32(p*y) + 0.333192706
	p = float32(p*y) - 0.499995023
	return float32(p*y) + 1
}

// log32 is ln x for positive x that are not denormal, within 2·10⁻⁷ of 1 or of
// itself: x = 2ᵉ (1+m) with 1+m ∈ [√½, √2), and package noise's polynomial of
// -2 ln(1+m)/m.
func log32(x float32) float32 {
	const sqrtHalf = 0x3f3504f3
	b := math.Float32bits(x) - sqrtHalf
	e, m := float32(int32(b)>>23), math.Float32frombits(b&(1<<23-1)+sqrtHalf)-1
	p := float32(m*0.20887165) - 0.32521608
	p = float32(p*m) + 0.34278286
	p = float32(p*m) - 0.39782968
	p = float32(p*m) + 0.49962726
	p = float32(p*m) - 0.66670835
	p = float32(p*m) + 1
	p = float32(p*m) - 2
	return float32(e*math.Ln2) - float32(float32(p*m)*0.5)
}
