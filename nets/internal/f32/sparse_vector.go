package f32

import "unsafe"

// A strip is a sparse product for a block of terms and so many columns that a row of C stays in registers. The assembly
// knows the order of the fields. Distances are in bytes.
type strip struct {
	c         *float32
	rowC      int
	b         *float32 // row 0
	entries   *entry
	marks     *int32 // where the entries of the first row begin, and then where they end
	stepMarks int
	rows      int      // at least one
	mask      uint64   // of the columns in the last vector
	tail      *int32   // the same for AVX2
	add       uint64   // not 0 to add to C
	soon      *float32 // what comes near meanwhile: a strip with the rows' distance of C
}

// stripRows is how many rows one call handles, which the scheduler cannot interrupt.
const stripRows = 128

// stripWidth is how many numbers a row of a strip has at most.
func (pt path) stripWidth() int {
	switch pt {
	case avx2:
		return 10 * pt.width()
	case neon:
		return 16 * pt.width()
	}
	return 8 * pt.width()
}

// strips is how many strips n > 0 columns make, all about as wide.
func (pt path) strips(n int) int {
	if pt <= generic {
		return 1
	}
	return (n + pt.stripWidth() - 1) / pt.stripWidth()
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
	if whole := left + pt.whole(right-left); pt == neon && whole < right {
		rest := p
		rest.dst, rest.b = p.dst.Columns(whole, right), p.b.Columns(whole, right)
		pt.sparseInGo(rest, from, to)
		if right = whole; left == right {
			return
		}
	}
	vectors := (right - left + width - 1) / width
	last := right - left - (vectors-1)*width
	s := strip{
		rowC: 4 * p.dst.Stride, stepMarks: 4 * (p.blocks + 1), mask: 1<<last - 1, tail: &edge[edgeOnes-last],
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
			s.soon = p.soon(left, right, block, from, i)
			pt.strip(&s, vectors)
		}
	}
}

// soon is where the numbers begin that are to come near while row i of a strip's block is made: a row of b in the next
// block, or in the next strip's first. Where there is one block, it is the row of C that is written some rows later.
func (p *sparseProduct) soon(left, right, block, from, i int) *float32 {
	const later = 8
	m, row, column := p.b, (block+1)*sparseBlock+i-from, left
	switch {
	case p.blocks == 1:
		m, row = p.dst, i+later
	case block+1 == p.blocks:
		row, column = i-from, right
	}
	if row >= m.Rows || column >= m.Cols {
		row, column = 0, 0
	}
	return &m.Data[row*m.Stride+column]
}

// edgeOnes is how many elements of edge are all ones, before as many zeros: from
// edgeOnes-n it masks the first n of a vector.
const edgeOnes = 16

var edge = [2 * edgeOnes]int32{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}

func (pt path) prefetch(x []uint8) {
	const line = 64
	if pt > generic && len(x) > 0 {
		prefetchLines(&x[0], (len(x)+line-1)/line)
	}
}
