package libm

import "math"

// Sincos returns sin x and cos x by Cephes' polynomials, for |x| < 2²⁹, and NaN for other
// x.
func Sincos(x float64) (sin, cos float64) {
	size := math.Abs(x)
	if !(size < 1<<29) {
		return math.NaN(), math.NaN()
	}
	// x is j π/4 and the rest z ∈ [-π/4, π/4], with j even. π/4 comes in three parts.
	const (
		a = 7.85398125648498535156e-1
		b = 3.77489470793079817668e-8
		c = 2.69515142907905952645e-15
	)
	j := uint64(size * (4 / math.Pi))
	j += j & 1
	y := float64(j)
	z := ((size - float64(y*a)) - float64(y*b)) - float64(y*c)
	zz := float64(z * z)
	const (
		s1 = -1.66666666666666307295e-1
		s2 = 8.33333333332211858878e-3
		s3 = -1.98412698295895385996e-4
		s4 = 2.75573136213857245213e-6
		s5 = -2.50507477628578072866e-8
		s6 = 1.58962301576546568060e-10
		c1 = 4.16666666666665929218e-2
		c2 = -1.38888888888730564116e-3
		c3 = 2.48015872888517045348e-5
		c4 = -2.75573141792967388112e-7
		c5 = 2.08757008419747316778e-9
		c6 = -1.13585365213876817300e-11
	)
	cos = 1 - float64(0.5*zz) + float64(float64(zz*zz)*madd(madd(madd(madd(madd(c6, zz, c5), zz, c4), zz, c3), zz, c2), zz, c1))
	sin = z + float64(float64(z*zz)*madd(madd(madd(madd(madd(s6, zz, s5), zz, s4), zz, s3), zz, s2), zz, s1))
	switch j & 7 {
	case 2:
		sin, cos = cos, -sin
	case 4:
		sin, cos = -sin, -cos
	case 6:
		sin, cos = -cos, sin
	}
	if math.Signbit(x) {
		sin = -sin
	}
	return sin, cos
}

// Cos is cos x, as Sincos makes it.
func Cos(x float64) float64 {
	_, cos := Sincos(x)
	return cos
}
