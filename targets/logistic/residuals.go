package logistic

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// lanes is the number of partial products and sums that a tally keeps: element k of a block goes to lane k mod 8. It
// fixes the order of rounding for every SIMD path.
const lanes = 8

// A tally collects a log-likelihood beside a gradient. With the signed margin m = (2y - 1) z, z = xᵀθ and p = σ(z),
//
//	log p(y | x, θ) = min(m, 0) + log max(p, 1-p),
//
// since log σ(m) = min(m, 0) - log(1 + e^(-|m|)) and max(p, 1-p) = 1/(1 + e^(-|m|)). The second term lies in [-log 2,
// 0], so that the logarithm of many rows is taken as one, that of a product.
//
// A factor next to 1 is rounded to 2⁻⁵³, so the sum over n rows errs by at most about n·2⁻⁵² absolutely, beside the
// rounding of a sum. That is much for the log-likelihood of perfectly separated data, for which LogLik keeps all
// digits, and nothing for the difference of two energies.
type tally struct {
	factor [lanes]float64 // Π max(p, 1-p) of the rows since the last fold
	below  [lanes]float64 // Σ min(m, 0)
}

// newTally is that of no rows.
func newTally() tally { return tally{factor: [lanes]float64{1, 1, 1, 1, 1, 1, 1, 1}} }

// foldedTally is what has been taken from tallies.
type foldedTally struct {
	log, factor float64
}

// fold takes the factors of a block of at most blockRows rows out of t. Their product is at least 2⁻⁶⁴, and a logarithm
// is taken before a product of such could fall below the normal numbers.
func (f *foldedTally) fold(t *tally) {
	p := &t.factor
	f.factor *= ((p[0] * p[1]) * (p[2] * p[3])) * ((p[4] * p[5]) * (p[6] * p[7]))
	*p = [lanes]float64{1, 1, 1, 1, 1, 1, 1, 1}
	if f.factor < 0x1p-900 {
		f.log += libm.Log(f.factor)
		f.factor = 1
	}
}

// sum is the log-likelihood of all rows.
func (f *foldedTally) sum(t *tally) float64 {
	b := &t.below
	return f.log + libm.Log(f.factor) + (((b[0] + b[1]) + (b[2] + b[3])) + ((b[4] + b[5]) + (b[6] + b[7])))
}

// talliedResiduals replaces each margin z of a block by (y - σ(z))·share, and adds the rows to t.
func talliedResiduals(p simd.Path, z []float64, y []int32, share float64, t *tally) {
	k := 0
	if count := len(z) / lanes; p != simd.Generic && count > 0 {
		k = count * lanes
		_ = y[k-1]
		residualsVectors(p, &z[0], &y[0], count, share, &t.factor, &t.below)
	}
	residualsGeneric(z[k:], y[k:], share, t)
}

// residualsGeneric defines the bits of the kernels for residuals; see design.margins for the conversion.
func residualsGeneric(z []float64, y []int32, share float64, t *tally) {
	y = y[:len(z)]
	for k, m := range z {
		t.below[k%lanes] += min(float64((2*float64(y[k])-1)*m), 0)
	}
	SigmoidAll(z)
	for k, p := range z {
		t.factor[k%lanes] *= 0.5 + math.Abs(p-0.5)
		z[k] = (float64(y[k]) - p) * share
	}
}
