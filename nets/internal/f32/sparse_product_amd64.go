//go:build !noasm

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

func (pt path) prefetch(x []uint8) {
	const line = 64
	if pt > generic && len(x) > 0 {
		prefetchLines(&x[0], (len(x)+line-1)/line)
	}
}

// list is listGeneric with more room: it may write up to listSlack entries more.
func (pt path) list(dst []entry, x []uint8, first int, table *[256]float32) int {
	whole := pt.whole(len(x))
	if pt != avx512 || whole == 0 {
		return listGeneric(dst, x, first, table)
	}
	dst = dst[:len(x)+listSlack]
	n := listPixelsAVX512((*uint64)(unsafe.Pointer(&dst[0])), &x[0], whole/16, first, table)
	return n + listGeneric(dst[n:], x[whole:], first+whole, table)
}

func (pt path) strip(s *strip, vectors int) {
	u := (*uintptr)(unsafe.Pointer(s))
	if pt == avx512 {
		runStrip512(u, vectors)
	} else {
		runStrip256(u, vectors)
	}
}
