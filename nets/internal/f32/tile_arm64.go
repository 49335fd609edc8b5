//go:build !noasm

package f32

import "unsafe"

// kernel computes tiles of one size.
func (p path) kernel(t *tile, rows, _ int) { runNEON((*uintptr)(unsafe.Pointer(t)), rows) }

// packRows is packColumns for panels of B, which get zeros for the columns that m lacks.
func (path) packRows(dst []float32, width int, m Matrix) {
	for k := range m.Rows {
		to := dst[k*width:][:width]
		clear(to[copy(to, m.Row(k)):])
	}
}

// packTransposed puts column k of m at dst[k*width:]. The rows that m lacks of four are
// copies of its last, which no tile reads for a result.
func (path) packTransposed(dst []float32, width int, m Matrix) {
	for i := 0; i < m.Rows; i += 4 {
		var r [4][]float32
		for q := range r {
			r[q] = m.Row(min(i+q, m.Rows-1))
		}
		to := i
		for k, v := range r[0] {
			*(*[4]float32)(dst[to:]) = [4]float32{v, r[1][k], r[2][k], r[3][k]}
			to += width
		}
	}
}
