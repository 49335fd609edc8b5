package libm

import "math"

// stirlingFrom is where Stirling's series in powers of 1/x² is right to all digits. Below it
// the recurrence Γ(x+1) = xΓ(x) leads there.
const stirlingFrom = 10

// series is Σ c_k z^k, the first c last.
func series(z float64, c ...float64) float64 {
	y := 0.0
	for _, a := range c {
		y = madd(y, z, a)
	}
	return y
}

// Lgamma is log Γ(x) for x > 0, by Stirling's series, with an absolute error of about
// 1e-14. It is +Inf for 0 and NaN for x < 0.
func Lgamma(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0 || x > math.MaxFloat64:
		return math.Inf(1)
	}
	p := 1.0
	for ; x < stirlingFrom; x++ {
		p = float64(p * x)
	}
	const halfLog2Pi = 0.91893853320467274178
	z := 1 / float64(x*x)
	tail := series(z, 1.0/156, -691.0/360360, 1.0/1188, -1.0/1680, 1.0/1260, -1.0/360, 1.0/12) / x
	return float64((x-0.5)*Log(x)) - x + halfLog2Pi + tail - Log(p)
}

// Digamma is the derivative of Lgamma for x > 0, and NaN for other x.
func Digamma(x float64) float64 {
	if !(x > 0) {
		return math.NaN()
	}
	below := 0.0
	for ; x < stirlingFrom; x++ {
		below += 1 / x
	}
	z := 1 / float64(x*x)
	return Log(x) - 0.5/x - float64(z*series(z, 1.0/12, -691.0/32760, 1.0/132, -1.0/240, 1.0/252, -1.0/120,
		1.0/12)) - below
}

// Trigamma is the derivative of Digamma for x > 0, and NaN for other x.
func Trigamma(x float64) float64 {
	if !(x > 0) {
		return math.NaN()
	}
	below := 0.0
	for ; x < stirlingFrom; x++ {
		below += 1 / float64(x*x)
	}
	z := 1 / float64(x*x)
	return (1+series(z, 7.0/6, -691.0/2730, 5.0/66, -1.0/30, 1.0/42, -1.0/30, 1.0/6, 0)+0.5/x)/x + below
}
