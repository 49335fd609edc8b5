//go:build (amd64 || arm64) && !noasm

package f32

import "unsafe"

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
	mask         uint64 // of the columns, for AVX-512; others compute all
	add          uint64 // addSums or addTerms to C, or 0

	// What comes next is brought near: from here on, so far from one piece as wide
	// as a row of B to the next, one for each four terms.
	ahead     *float32
	stepAhead int
}

// A tile's sums are added to C, or C is where they begin.
const (
	addSums = 1 + iota
	addTerms
)

// tileSize is the largest tile of a path: 28 sums in 32 registers, 12 in 16, or with
// NEON's short vectors 24 in 32.
func (p path) tileSize() (rows, columns int) {
	if p == avx512 {
		return 14, 32
	}
	return 6, 16
}

// atEdge is the tile with whole rows of results, which go to the workspace.
func (t *tile) atEdge(rows, columns int, ws *Workspace) tile {
	whole := *t
	whole.c, whole.rowC = &ws.edge[0], 4*16
	switch t.add {
	case addSums:
		whole.add = 0
	case addTerms:
		c := unsafe.Slice(t.c, t.rowC/4*(rows-1)+columns)
		for i := range rows {
			copy(ws.edge[16*i:], c[t.rowC/4*i:][:columns])
		}
	}
	return whole
}

// fromEdge puts the columns of the tile where they belong.
func (t *tile) fromEdge(rows, columns int, ws *Workspace) {
	c := unsafe.Slice(t.c, t.rowC/4*(rows-1)+columns)
	for i := range rows {
		row, sums := c[t.rowC/4*i:][:columns], ws.edge[16*i:]
		switch {
		case t.add == addSums:
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
