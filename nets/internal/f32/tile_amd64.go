//go:build !noasm

package f32

import "unsafe"

//go:generate go run -C _gen . tiles512 -out ../tiles512_amd64.s -stubs ../tiles512_amd64.go -pkg f32
//go:generate go run -C _gen . tiles256 -out ../tiles256_amd64.s -stubs ../tiles256_amd64.go -pkg f32
//go:generate go run -C _gen . elements -out ../elements_amd64.s -stubs ../elements_amd64.go -pkg f32
//go:generate go run -C _gen . pack -out ../pack_amd64.s -stubs ../pack_amd64.go -pkg f32
//go:generate go run -C _gen . sparse -out ../sparse_amd64.s -stubs ../sparse_amd64.go -pkg f32
//go:generate go run -C _gen . dispatch

// A tile is a small product, whose elements stay in registers until all their
// terms are added: element i, j of C is the sum over s of A[i,s] B[s,j]. The
// assembly knows the order of the fields. Distances are in bytes.
//
// The terms come in runs, after each of which the places in A and B jump: a
// convolution goes to the next line of the image.
type tile struct {
	a, b, c      *float32
	rowA, stepA  int // from row to row and from term to term of A
	stepB        int // from term to term of B, whose row is contiguous
	rowC         int
	steps, runs  int // terms in a run, and runs; at least one of each
	jumpA, jumpB int
	mask         uint64 // of the columns; AVX2 computes all
	add          uint64 // not 0 to add to C

	// What comes next is brought near: from here on, so far from one piece as wide
	// as a row of B to the next, one for each four terms.
	ahead     *float32
	stepAhead int
}

// tileSize is the largest tile of a path: 28 sums in 32 registers, or 12 in 16.
func (p path) tileSize() (rows, columns int) {
	if p == avx512 {
		return 14, 32
	}
	return 6, 16
}

// run computes a tile. On AVX-512 narrow tiles have kernels of their own; on AVX2
// they go through the workspace.
func (p path) run(t *tile, rows, columns int, ws *Workspace) {
	u := (*uintptr)(unsafe.Pointer(t))
	t.mask = 1<<columns - 1
	if t.ahead == nil {
		t.ahead = t.b
	}
	switch {
	case p == avx512 && columns > 16:
		run512x32(u, rows)
	case p == avx512:
		run512x16(u, rows)
	case columns == 16:
		run256x16(u, rows)
	default:
		whole := *t
		whole.c, whole.rowC, whole.add = &ws.edge[0], 4*16, 0
		run256x16((*uintptr)(unsafe.Pointer(&whole)), rows)
		c := unsafe.Slice(t.c, t.rowC/4*(rows-1)+columns)
		for i := range rows {
			row, sums := c[t.rowC/4*i:][:columns], ws.edge[16*i:]
			switch {
			case t.add != 0:
				for j := range row {
					row[j] += sums[j]
				}
			case columns >= 8: // faster than copy
				*(*[8]float32)(row) = [8]float32(sums)
				for j := 8; j < columns; j++ {
					row[j] = sums[j]
				}
			default:
				copy(row, sums)
			}
		}
	}
}
