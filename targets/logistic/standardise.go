package logistic

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets/dataset"
)

// MaxDense bounds the entries, rows times columns, that a sparse set may have if standardising is to make it dense.
const MaxDense = 50_000_000

// A Scaling is the map x ↦ (x - mean)/sd per feature, from a training set. sd is that of the N rows (divided by N, not
// N-1); a feature that is constant has sd 1 here, so that it is centred only.
type Scaling struct {
	mean, sd []float64
	Constant []int // features, from 0
}

// Measure takes the means and standard deviations of a training set.
func Measure(t *dataset.Table) (*Scaling, error) {
	return measure(densified(t, t.Cols), t.Rows, t.Cols)
}

// measure is Measure of a dense N×D matrix.
func measure(x []float64, rows, cols int) (*Scaling, error) {
	s := &Scaling{mean: make([]float64, cols), sd: make([]float64, cols)}
	n := float64(rows)
	lo, hi := make([]float64, cols), make([]float64, cols)
	for j := range cols {
		lo[j], hi[j] = x[j], x[j]
	}
	for i := range rows {
		for j, v := range x[i*cols:][:cols] {
			s.mean[j] += v / n
			lo[j], hi[j] = min(lo[j], v), max(hi[j], v)
		}
	}
	for i := range rows {
		for j, v := range x[i*cols:][:cols] {
			d := v - s.mean[j]
			s.sd[j] += d * d / n
		}
	}
	for j := range cols {
		s.sd[j] = math.Sqrt(s.sd[j])
		if lo[j] == hi[j] {
			s.mean[j], s.sd[j] = lo[j], 1
			s.Constant = append(s.Constant, j)
		}
		if math.IsInf(s.sd[j], 0) || math.IsInf(s.mean[j], 0) {
			return nil, fmt.Errorf("feature %d is too large to be standardised", j+1)
		}
		if s.sd[j] == 0 { // differences too small for their squares
			s.sd[j] = (hi[j] - lo[j]) / 2
		}
	}
	return s, nil
}

func (s *Scaling) apply(x []float64) {
	cols := len(s.mean)
	for i := 0; i < len(x); i += cols {
		for j := range cols {
			x[i+j] = (x[i+j] - s.mean[j]) / s.sd[j]
		}
	}
}

// densified returns a table's N×cols matrix as a new slice.
func densified(t *dataset.Table, cols int) []float64 {
	if !t.Sparse() {
		return append([]float64(nil), t.X...)
	}
	x := make([]float64, t.Rows*cols)
	for i := range t.Rows {
		for k := t.Start[i]; k < t.Start[i+1]; k++ {
			v := 1.0
			if t.Value != nil {
				v = t.Value[k]
			}
			x[i*cols+int(t.Index[k])] = v
		}
	}
	return x
}

// withConstant puts a column of ones before the others.
func withConstant(x []float64, rows, cols int) []float64 {
	out := make([]float64, rows*(cols+1))
	for i := range rows {
		out[i*(cols+1)] = 1
		copy(out[i*(cols+1)+1:], x[i*cols:][:cols])
	}
	return out
}

// newDesign makes the matrix of a table with D = cols features. Sparse rows stay sparse unless they are to be
// standardised or hold more than half of all entries, where the dense form is smaller and faster.
func newDesign(t *dataset.Table, cols int, s *Scaling, intercept bool) design {
	if t.Sparse() && s == nil && 2*len(t.Index) <= t.Rows*cols {
		d := design{rows: t.Rows, cols: cols, path: simd.Active, sparse: &compressed{
			start: t.Start, index: t.Index, value: t.Value, intercept: intercept,
		}}
		if intercept {
			d.cols++
		}
		return d
	}
	x := densified(t, cols)
	if s != nil {
		s.apply(x)
	}
	if intercept {
		x = withConstant(x, t.Rows, cols)
		cols++
	}
	d := design{rows: t.Rows, cols: cols, dense: x, path: simd.Active}
	if d.path != simd.Generic && len(x) <= maxTiled {
		d.tiles = tiled(x, t.Rows, cols)
	}
	return d
}
