package libm

import "math"

// Atan is the arctangent, by Cephes' rational approximation, with an error below 1 ulp.
func Atan(x float64) float64 {
	const (
		tan3pi8 = 2.41421356237309504880
		more    = 6.123233995736765886130e-17 // π/2 beyond a float64
	)
	size := math.Abs(x)
	var y float64
	switch {
	case size == 0:
		return x
	case size <= 0.66:
		y = smallAtan(size)
	case size > tan3pi8:
		y = math.Pi/2 - smallAtan(1/size) + more
	default:
		y = math.Pi/4 + smallAtan((size-1)/(size+1)) + 0.5*more
	}
	return math.Copysign(y, x)
}

// smallAtan is Atan for |x| ≤ 0.66.
func smallAtan(x float64) float64 {
	const (
		p0 = -8.750608600031904122785e-01
		p1 = -1.615753718733365076637e+01
		p2 = -7.500855792314704667340e+01
		p3 = -1.228866684490136173410e+02
		p4 = -6.485021904942025371773e+01
		q0 = +2.485846490142306297962e+01
		q1 = +1.650270098316988542046e+02
		q2 = +4.328810604912902668951e+02
		q3 = +4.853903996359136964868e+02
		q4 = +1.945506571482613964425e+02
	)
	z := float64(x * x)
	z = float64(z*madd(madd(madd(madd(p0, z, p1), z, p2), z, p3), z, p4)) / madd(madd(madd(madd(z+q0, z, q1), z, q2),
		z, q3), z, q4)
	return float64(x*z) + x
}
