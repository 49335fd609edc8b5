//go:build amd64 && !noasm

package f32

import "unsafe"

// A strip is a sparse product for a block of terms and so many columns that a row
// of C stays in registers. The assembly knows the order of the fields. Distances
// are in bytes.
type strip struct {
	c         *float32
	rowC      int
	b         *float32 // row 0
	rowB      int
	entries   *entry
	marks     *int32 // where the entries of the first row begin, and then where they end
	stepMarks int
	rows      int    // at least one
	mask      uint64 // of the columns in the last vector
	tail      *int32 // the same for AVX2
	add       uint64 // not 0 to add to C
}

// Limits of strips: vectors that a row has, and rows that one call handles, which
// the scheduler cannot interrupt.
const (
	stripVectors = 8
	stripRows    = 128
)

// strips is how many strips n > 0 columns make, all about as wide.
func (pt path) strips(n int) int {
	if pt <= generic {
		return 1
	}
	return (n + stripVectors*pt.width() - 1) / (stripVectors * pt.width())
}

// sparse computes rows from ≤ i < to of the strip q.
func (pt path) sparse(p sparseProduct, q, from, to int, ws *Workspace) {
	if pt <= generic {
		pt.sparseInGo(p, from, to)
		return
	}
	if from == to || p.dst.Cols == 0 {
		return
	}
	width := pt.width()
	left, right := Span(p.dst.Cols, width, q, pt.strips(p.dst.Cols))
	vectors := (right - left + width - 1) / width
	last := right - left - (vectors-1)*width
	s := strip{
		rowC: 4 * p.dst.Stride, rowB: 4 * p.b.Stride,
		stepMarks: 4 * (p.blocks + 1), mask: 1<<last - 1, tail: &edge[edgeOnes-last],
	}
	s.entries = unsafe.SliceData(p.entries)
	if p.b.Rows > 0 {
		s.b = &p.b.Data[left]
	}
	for block := range p.blocks {
		if p.add || block > 0 {
			s.add = 1
		}
		for i := from; i < to; i += stripRows {
			s.rows = min(stripRows, to-i)
			s.c = &p.dst.Data[i*p.dst.Stride+left]
			s.marks = &p.marks[i*(p.blocks+1)+block]
			pt.strip(&s, vectors)
		}
	}
}
