//go:build !noasm

package f32

// packRows is packColumns for panels of B, which get zeros for the columns that m lacks.
func (pt path) packRows(dst []float32, width int, m Matrix) {
	if pt == avx512 {
		copyRowsAVX512(&dst[0], &m.Data[0], 4*m.Stride, m.Rows, 1<<m.Cols-1)
		return
	}
	copyRowsAVX2(&dst[0], &m.Data[0], 4*m.Stride, m.Rows, &edge[edgeOnes-m.Cols])
}

// packTransposed puts column k of m at dst[k*width:]. The rows that m lacks of
// sixteen are copies of its last, which no tile reads for a result.
func (pt path) packTransposed(dst []float32, width int, m Matrix) {
	const square = 16
	for i := 0; i < m.Rows; i += square {
		part := m.Between(i, min(i+square, m.Rows))
		var rows [square]int
		for r := range rows {
			rows[r] = 4 * min(r, part.Rows-1) * m.Stride
		}
		if pt == avx512 {
			transpose16AVX512(&dst[i], 4*width, &part.Data[0], &rows, m.Cols)
			continue
		}
		transpose8AVX2(&dst[i], 4*width, &part.Data[0], &rows, m.Cols, &edge[edgeOnes])
		copy(rows[:8], rows[8:])
		transpose8AVX2(&dst[i+8], 4*width, &part.Data[0], &rows, m.Cols, &edge[edgeOnes])
	}
}
