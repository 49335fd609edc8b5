package logistic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets/internal/targettest"
)

// byRow is the log-likelihood of one row from the definition.
func byRow(z float64, y int32) float64 {
	if y == 0 {
		z = -z
	}
	return min(z, 0) - math.Log1p(math.Exp(-math.Abs(z)))
}

// The sum of 203 terms of order 1 errs by less than 1e-12 in any order.
func TestLogisticLikelihoodGradient(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	for name, l := range forms(t) {
		t.Run(name, func(t *testing.T) {
			theta := targettest.Randoms(l.Dim(), 7)
			targettest.LikelihoodGradient(t, l, theta, nil, l.LogLik(theta), 1e-11)
			x := rowsOf(l)
			for _, size := range []int{1, 2, 5, 8, 15, 16, 17, 63, 64, 65, 130} {
				batch, sum := make([]int32, size), 0.0
				for k := range batch {
					i := r.IntN(l.N())
					batch[k] = int32(i)
					z := 0.0
					for j, t := range theta {
						z += t * x[i][j]
					}
					sum += byRow(z, l.y[i])
				}
				targettest.LikelihoodGradient(t, l, theta, batch, sum, 1e-11)
			}
		})
	}
}

// The log-likelihood follows margins of any size, though a probability is limited
// to e⁻⁷⁰⁸, and the product of many factors next to ½ does not vanish. The
// error bound is tally's, n·2⁻⁵², and the rounding of sums.
func TestTallyTails(t *testing.T) {
	for _, rows := range []int{2, 64, 83, 10_000} {
		x, y := make([]float64, rows), make([]int32, rows)
		for i := range x {
			x[i], y[i] = 1-2*float64(i%2), int32(1-i%2)
		}
		for _, path := range simd.Paths {
			l := &Regression{train: design{rows: rows, cols: 1, dense: x, path: path}, y: y}
			if path != simd.Generic {
				l.train.tiles = tiled(x, rows, 1)
			}
			dst := make([]float64, 1)
			for _, margin := range []float64{-1e5, -1000, -708, -40, -1, 0, 1e-9, 3, 40, 700, 1e5} {
				want := byRow(margin, 1)
				got := l.GradLogLik(dst, []float64{margin}, nil)
				if math.Abs(got-want) > 0x1p-52+1e-13*math.Abs(want) {
					t.Errorf("%d rows, path %v, margin %v: %v, want %v", rows, path, margin, got, want)
				}
			}
			if got := l.GradLogLik(dst, []float64{math.NaN()}, nil); !math.IsNaN(got) || !math.IsNaN(dst[0]) {
				t.Errorf("%d rows, path %v: NaN became %v with gradient %v", rows, path, got, dst[0])
			}
		}
	}
}
