package variational

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// softplus returns ln(1 + eˣ) and its derivative, the logistic function of x.
func softplus(x float64) (value, slope float64) {
	y := libm.Exp(-math.Abs(x))
	value, slope = math.Max(x, 0)+libm.Log1p(y), 1/(1+y)
	if x < 0 {
		slope *= y
	}
	return value, slope
}

// softplusInverse is the x with softplus(x) = y > 0.
func softplusInverse(y float64) float64 { return y + libm.Log(-libm.Expm1(-y)) }
