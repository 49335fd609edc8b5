//go:build !noasm

package logistic

// maxPanelled bounds the columns for which accumulate uses a kernel.
const maxPanelled = 1024

// margins writes xᵀθ to z for the rows of as many tiles as z has room for, and
// returns their number.
func (p kernelPath) margins(z, tiles, theta []float64) int {
	count := len(z) / tileRows
	if p == kernelsGeneric || count == 0 || len(theta) == 0 {
		return 0
	}
	_ = tiles[count*tileRows*len(theta)-1]
	marginsNEON(&z[0], &tiles[0], &theta[0], count, len(theta))
	return count * tileRows
}

// accumulate adds Σ wₖxₖ over dense rows that follow each other in x to dst, for
// the largest multiple of four of them, which it returns. The kernel has no vectors of
// which a part is left out, and so takes an even number of columns.
func (p kernelPath) accumulate(dst, w, x []float64) int {
	quads := len(w) / 4
	if p == kernelsGeneric || quads == 0 || len(dst) == 0 || len(dst) > maxPanelled || len(dst)%2 == 1 {
		return 0
	}
	_ = x[4*quads*len(dst)-1]
	accumulateNEON(&dst[0], &w[0], &x[0], quads, len(dst))
	return 4 * quads
}

// residuals is residualsGeneric for the largest multiple of 8 rows, which it
// returns. It always adds to t.
func (p kernelPath) residuals(z []float64, y []int32, share float64, t *tally) int {
	count := len(z) / lanes
	if p == kernelsGeneric || count == 0 {
		return 0
	}
	_ = y[count*lanes-1]
	residualsNEON(&z[0], &y[0], count, share, &t.factor, &t.below)
	return count * lanes
}
