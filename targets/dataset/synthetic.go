package dataset

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Shape of the generated set.
const (
	syntheticTrain = 1000
	syntheticTest  = 1000
	syntheticCols  = 8
	syntheticSeed  = 2016
)

// Synthetic generates a set for logistic regression that needs no file: 1000 rows to train and 1000 to test, with 8
// features whose standard deviations fall from 4 to 0.1 and whose neighbours correlate by 0.5, so that the posterior's
// curvatures span three orders of magnitude and one step size does not suit all. Each feature shifts the log odds by
// 0.4 to 1 per standard deviation, with alternating sign; the true intercept is -0.3.
//
// The random numbers are PCG-DXSM's of math/rand/v2 with a fixed seed, and its normals. The result is the same on every
// processor (package math's logarithm and exponential, which make the rarest normals, round alike here).
func Synthetic() (train, test *Table) {
	r := rand.New(rand.NewPCG(syntheticSeed, 0))
	return synthetic(r, syntheticTrain), synthetic(r, syntheticTest)
}

func synthetic(r *rand.Rand, rows int) *Table {
	const d = syntheticCols
	scale := [d]float64{4, 2.4, 1.4, 0.8, 0.5, 0.3, 0.17, 0.1}
	weight := [d]float64{1, -0.8, 0.6, -0.4, 1, -0.8, 0.6, -0.4} // per standard deviation
	const rho, intercept = 0.5, -0.3
	fresh := math.Sqrt(1 - rho*rho)
	t := &Table{
		Format:  CSV,
		Rows:    rows,
		Cols:    d,
		X:       make([]float64, 0, rows*d),
		Y:       make([]int32, 0, rows),
		Classes: [2]string{"0", "1"},
		label:   d,
	}
	t.Names = list.Map(list.Upto(d), func(i int) string { return "x" + strconv.Itoa(i+1) })
	for range rows {
		z := r.NormFloat64()
		eta := intercept + float64(weight[0]*z)
		t.X = append(t.X, scale[0]*z)
		for j := 1; j < d; j++ {
			z = float64(rho*z) + float64(fresh*r.NormFloat64())
			eta += float64(weight[j] * z)
			t.X = append(t.X, scale[j]*z)
		}
		y := int32(0)
		if r.Float64() < 1/(1+libm.Exp(-eta)) {
			y = 1
		}
		t.Y = append(t.Y, y)
	}
	return t
}
