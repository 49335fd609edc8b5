package f32

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// Softmax sets every row of p to exp(x)/Σ exp(x) of that row of x; p may be x. A
// probability errs by at most (Cols+4)·2⁻²³ of itself, and those below 10⁻³⁷ are
// 0. The bits are the same on all paths.
func Softmax(p, x Matrix) {
	sameShape("Softmax", p, x)
	for i := range x.Rows {
		row := p.Row(i)
		_, sum := exps(row, x.Row(i))
		for j := range row {
			row[j] /= sum
		}
	}
}

// SoftmaxLoss sets every row of d to scale·(softmax(x) - e) of that row of x, where e is 1 at the row's label and 0
// elsewhere, and loss[i] to the cross entropy -ln softmax(x)[label] of row i; d may be x. With scale = -1/Rows d is the
// gradient of the mean log likelihood by x.
func SoftmaxLoss(d Matrix, loss []float64, x Matrix, labels []uint8, scale float32) {
	sameShape("SoftmaxLoss", d, x)
	sameLength("SoftmaxLoss", "labels", len(labels), x.Rows)
	sameLength("SoftmaxLoss", "losses", len(loss), x.Rows)
	for i := range x.Rows {
		label := int(labels[i])
		if label >= x.Cols {
			panic(fmt.Sprintf("f32: SoftmaxLoss: label %d of %d classes", label, x.Cols))
		}
		in, row := x.Row(i), d.Row(i)
		at := in[label]
		top, sum := exps(row, in)
		for j := range row {
			row[j] = scale * (row[j] / sum)
		}
		// 1 - p is the sum of the others, which does not cancel.
		others := float32(0)
		for j, v := range row {
			if j != label {
				others += v
			}
		}
		row[label] = -others
		loss[i] = libm.Log(float64(sum)) - (float64(at) - float64(top))
	}
}

// SoftmaxCross sets every row of d to scale·(softmax(x) - p) of that row of x and p, whose sum is 1, and loss[i] to the
// cross entropy -Σ p ln softmax(x) of row i; d may be x. With scale = -1/Rows d is the gradient by x of the mean Σ p ln
// softmax(x). It is 0 where p has the bits of Softmax.
func SoftmaxCross(d Matrix, loss []float64, x, p Matrix, scale float32) {
	sameShape("SoftmaxCross", d, x)
	sameShape("SoftmaxCross", p, x)
	sameLength("SoftmaxCross", "losses", len(loss), x.Rows)
	for i := range x.Rows {
		in, out, want := x.Row(i), d.Row(i), p.Row(i)
		mean, total := 0.0, 0.0
		for j, q := range want {
			// A class without probability counts nothing, wherever its logit is.
			if q != 0 {
				mean += float64(float64(q) * float64(in[j]))
				total += float64(q)
			}
		}
		top, sum := exps(out, in)
		for j, v := range out {
			out[j] = scale * (v/sum - want[j])
		}
		loss[i] = float64(total*(libm.Log(float64(sum))+float64(top))) - mean
	}
}

// exps sets dst to exp(x - top), where top is the greatest of x, and returns top and the sum. A NaN makes all NaN.
func exps(dst, x []float32) (top, sum float32) {
	top = float32(math.Inf(-1))
	for _, v := range x {
		if v > top || v != v {
			top = v
		}
	}
	for j, v := range x {
		e := exp(v - top)
		dst[j] = e
		sum += e
	}
	return top, sum
}

// exp is eˣ for x ≤ 0, within 2⁻²³ of itself, and 0 where that is below 2⁻¹²⁵.
func exp(x float32) float32 {
	switch {
	case x < -86.6:
		return 0
	case x != x:
		return x
	}
	return libm.Exp32(x)
}
