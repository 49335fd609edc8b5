package logistic

import "github.com/psgld/psgld-tui/nets/tool/simd"

//go:generate go run -C _gen . -out ../kernels_amd64.s -stubs ../kernels_stubs_amd64.go -pkg logistic
//go:generate go run -C _gen . neon -out ../kernels_arm64.s -stubs ../kernels_stubs_arm64.go -pkg logistic

// tileRows is how many rows a tile of a design has: their values of a column
// stand side by side, so that a vector holds a column of 8 rows.
const tileRows = 8

// maxTiled bounds the values of a design with a second copy in tiles: 8 MB. Larger designs wait for memory in any case.
const maxTiled = 1 << 20

// tiled returns whole tiles of a dense N×D matrix, one after the other, each
// column by column. The rows beyond are left out.
func tiled(x []float64, rows, cols int) []float64 {
	out := make([]float64, rows/tileRows*tileRows*cols)
	for i := range rows / tileRows * tileRows {
		tile := out[i/tileRows*tileRows*cols:]
		for j := range cols {
			tile[j*tileRows+i%tileRows] = x[i*cols+j]
		}
	}
	return out
}

// maxPanelled bounds the columns for which accumulate uses a kernel.
const maxPanelled = 1024

// margins writes xᵀθ to z for the rows of as many tiles as z has room for, and returns their number. All paths give the
// same bits; generic code, which does nothing here, defines them.
func margins(p simd.Path, z, tiles, theta []float64) int {
	count := len(z) / tileRows
	if p == simd.Generic || count == 0 || len(theta) == 0 {
		return 0
	}
	_ = tiles[count*tileRows*len(theta)-1]
	marginsVectors(p, &z[0], &tiles[0], &theta[0], count, len(theta))
	return count * tileRows
}

// accumulate adds Σ wₖxₖ over dense rows that follow each other in x to dst, for the largest multiple of four of them,
// which it returns. It walks down panels of columns, so that of wide rows the generic code makes better use of memory.
// The kernel of NEON has no vectors of which a part is left out, and so takes an even number of columns.
func accumulate(p simd.Path, dst, w, x []float64) int {
	quads := len(w) / 4
	if p == simd.Generic || quads == 0 || len(dst) == 0 || len(dst) > maxPanelled || p == simd.NEON && len(dst)%2 == 1 {
		return 0
	}
	_ = x[4*quads*len(dst)-1]
	accumulateVectors(p, &dst[0], &w[0], &x[0], quads, len(dst))
	return 4 * quads
}
