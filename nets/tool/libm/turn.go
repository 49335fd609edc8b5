package libm

import "math"

// Sine is sin t at z = t² for |t| ≤ π/4, by Cephes' polynomial, which holds to 2⁻⁵³.
func Sine(t, z float64) float64 {
	const (
		s1 = -1.66666666666666307295e-1
		s2 = 8.33333333332211858878e-3
		s3 = -1.98412698295895385996e-4
		s4 = 2.75573136213857245213e-6
		s5 = -2.50507477628578072866e-8
		s6 = 1.58962301576546568060e-10
	)
	return madd(t*z, madd(z, madd(z, madd(z, madd(z, madd(z, s6, s5), s4), s3), s2), s1), t)
}

// Cosine is cos t at z = t² for |t| ≤ π/4, by Cephes' polynomial, which holds to 2⁻⁵³.
func Cosine(z float64) float64 {
	const (
		c1 = 4.16666666666665929218e-2
		c2 = -1.38888888888730564116e-3
		c3 = 2.48015872888517045348e-5
		c4 = -2.75573141792967388112e-7
		c5 = 2.08757008419747316778e-9
		c6 = -1.13585365213876817300e-11
	)
	return madd(z*z, madd(z, madd(z, madd(z, madd(z, madd(z, c6, c5), c4), c3), c2), c1), 1-float64(0.5*z))
}

// quarter splits |x| < 2²⁹ into n quarter turns and a rest t ∈ [-π/4, π/4]. t is NaN for other x.
func quarter(x float64) (n int64, t float64) {
	size := math.Abs(x)
	if !(size < 1<<29) {
		return 0, math.NaN()
	}
	// π/4 comes in three parts.
	const (
		a = 7.85398125648498535156e-1
		b = 3.77489470793079817668e-8
		c = 2.69515142907905952645e-15
	)
	j := int64(size * (4 / math.Pi))
	j += j & 1
	y := float64(j)
	return j >> 1 & 3, ((size - float64(y*a)) - float64(y*b)) - float64(y*c)
}

// Sincos returns sin x and cos x by Cephes' polynomials, for |x| < 2²⁹, and NaN for other x.
func Sincos(x float64) (sin, cos float64) {
	n, t := quarter(x)
	z := float64(t * t)
	sin, cos = Sine(t, z), Cosine(z)
	switch n {
	case 1:
		sin, cos = cos, -sin
	case 2:
		sin, cos = -sin, -cos
	case 3:
		sin, cos = -cos, sin
	}
	if math.Signbit(x) {
		sin = -sin
	}
	return sin, cos
}

// Cos is cos x, as Sincos makes it.
func Cos(x float64) float64 {
	n, t := quarter(x)
	z := float64(t * t)
	switch n {
	case 0:
		return Cosine(z)
	case 1:
		return -Sine(t, z)
	case 2:
		return -Cosine(z)
	}
	return Sine(t, z)
}
