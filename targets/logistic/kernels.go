package logistic

import "github.com/psgld/psgld-tui/nets/simd"

//go:generate go run -C _gen . -out ../kernels_amd64.s -stubs ../kernels_stubs_amd64.go -pkg logistic
//go:generate go run -C _gen . neon -out ../kernels_arm64.s -stubs ../kernels_stubs_arm64.go -pkg logistic

// A kernelPath is a way to work through blocks of rows. All give the same bits;
// generic code, with kernelsGeneric, defines them.
type kernelPath simd.Path

const (
	kernelsGeneric = kernelPath(simd.Generic)
	kernelsAVX512  = kernelPath(simd.AVX512)
)

// kernels is that of the machine.
var kernels = kernelPath(simd.Active)

// tileRows is how many rows a tile of a design has: their values of a column
// stand side by side, so that a vector holds a column of 8 rows.
const tileRows = 8

// maxTiled bounds the values of a design with a second copy in tiles: 8 MB. Larger
// designs wait for memory in any case.
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
