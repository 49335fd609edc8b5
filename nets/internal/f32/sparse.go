package f32

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// A Sparse is a matrix of examples, a row each, as lists of its elements that are not 0, by row and by column. Products
// with it skip the zeros. They have the bits of the path's dense products as long as all numbers are finite and no term
// is denormal. A number that is not finite is not multiplied by the zeros, and so makes no NaN there.
type Sparse struct {
	rows, cols      int
	most            int // rows that there is memory for
	stride          int
	inverse         uint64 // ⌈2³²/stride⌉
	byRow, byColumn lists
}

// An entry is an element of a row or a column. It starts, in the matrix that it is multiplied with, the row of its
// index: at the index times the stride. The assembly knows both fields.
type entry struct {
	start int32
	value float32
}

// lists are those of all rows, or all columns. List i has its entries in the order of their indices, in blocks of
// sparseBlock indices each: those of block b go from marks[i·(blocks+1)+b] to the next mark.
type lists struct {
	entries []entry
	marks   []int32
	blocks  int
}

// sparseBlock is the number of rows of the right factor in a block, so few that they stay in the first-level cache.
const sparseBlock = 112

// listSlack is the number of entries that the search may write behind a list.
const listSlack = 16

// SparseBytes is the memory that NewSparse allocates for each row.
func SparseBytes(cols int) int64 { return 8 * (2*int64(cols) + listSlack) }

// NewSparse allocates memory for up to so many rows, and no column that is longer.
// Matrices that it is multiplied with have this stride and less than 2³¹ numbers.
func NewSparse(rows, cols, stride int) *Sparse {
	blocks := (cols + sparseBlock - 1) / sparseBlock
	return &Sparse{
		cols: cols, most: rows, stride: stride, inverse: (1<<32 + uint64(stride) - 1) / uint64(stride),
		byRow:    lists{make([]entry, rows*(cols+listSlack)), make([]int32, rows*(blocks+1)), blocks},
		byColumn: lists{make([]entry, rows*cols), make([]int32, 2*cols), 1},
	}
}

// Blocks is how many blocks of columns ListColumns takes one by one.
func (s *Sparse) Blocks() int { return s.byRow.blocks }

// Begin sets the number of rows, all of which SetRow is then to set.
func (s *Sparse) Begin(rows int) {
	if rows < 0 || s.most < rows {
		panic(fmt.Sprintf("f32: Sparse.Begin: %d rows, want at most %d", rows, s.most))
	}
	s.rows = rows
}

// SetRow sets row i to the table's values for x; that for 0 is to be 0. Rows may be set by several workers.
func (s *Sparse) SetRow(i int, x []uint8, table *[256]float32) {
	sameLength("Sparse.SetRow", "numbers", len(x), s.cols)
	l := &s.byRow
	start := i * (s.cols + listSlack)
	row, marks := l.entries[start:][:s.cols+listSlack], l.marks[i*(l.blocks+1):][:l.blocks+1]
	n := 0
	for b := range l.blocks {
		marks[b] = int32(start + n)
		from, to := b*sparseBlock, min((b+1)*sparseBlock, len(x))
		n += active.list(row[n:], x[from:to], from*s.stride, s.stride, table)
	}
	marks[l.blocks] = int32(start + n)
}

// listGeneric puts entries of the bytes that are not 0 at the start of dst, and returns
// how many. The first byte's starts at start, and the others' by stride further each.
func listGeneric(dst []entry, x []uint8, start, stride int, table *[256]float32) int {
	at, n := 0, 0
	for ; at+8 <= len(x); at += 8 {
		word := binary.LittleEndian.Uint64(x[at:])
		if word == 0 {
			continue
		}
		// Each goes where the next is to be, and only one that is not 0 stays.
		for k := range 8 {
			v := uint8(word >> (8 * k))
			dst[n] = entry{int32(start + (at+k)*stride), table[v]}
			n += int((uint32(v) + 255) >> 8)
		}
	}
	for ; at < len(x); at++ {
		dst[n] = entry{int32(start + at*stride), table[x[at]]}
		n += int((uint32(x[at]) + 255) >> 8)
	}
	return n
}

// ListColumns makes the lists of the columns of a block from those of the rows.
// Blocks may be listed by several workers.
func (s *Sparse) ListColumns(block int) {
	from, to := block*sparseBlock, min((block+1)*sparseBlock, s.cols)
	l := &s.byColumn
	for j := from; j < to; j++ {
		l.marks[2*j], l.marks[2*j+1] = int32(j*s.rows), int32(j*s.rows)
	}
	marks, stride := s.byRow.marks[block:], s.byRow.blocks+1
	for i := range s.rows {
		for _, e := range s.byRow.entries[marks[i*stride]:marks[i*stride+1]] {
			// Exact, as the start is a multiple of the stride below 2³¹.
			j := uint64(e.start) * s.inverse >> 32
			end := &l.marks[2*j+1]
			l.entries[*end] = entry{int32(i * s.stride), e.value}
			*end++
		}
	}
}

// Prefetch loads bytes that are read soon into the cache, if the path can.
func Prefetch(x []uint8) { active.prefetch(x) }

// NonZero is the number of bytes of x that are not 0.
func NonZero(x []uint8) int {
	const low = 0x7f7f7f7f7f7f7f7f
	n := 0
	for ; len(x) >= 8; x = x[8:] {
		// The highest bit of each byte says whether any bit of it is set.
		w := binary.LittleEndian.Uint64(x)
		n += bits.OnesCount64((w&low + low | w) &^ low)
	}
	for _, v := range x {
		n += int((uint32(v) + 255) >> 8)
	}
	return n
}

// A sparseProduct is dst = L·b, or dst += L·b, where row i of L is list i. Every
// element is a sum in the order of the list, in dst if add and else from 0.
type sparseProduct struct {
	dst, b Matrix
	*lists
	add bool
}

func (s *Sparse) newProduct(dst, b Matrix, transposed, add bool) sparseProduct {
	dst.check("sparse product")
	b.check("sparse product")
	rows, terms, l := s.rows, s.cols, &s.byRow
	if transposed {
		rows, terms, l = s.cols, s.rows, &s.byColumn
	}
	if dst.Rows != rows || b.Rows != terms || dst.Cols != b.Cols || b.Stride != s.stride {
		panic(fmt.Sprintf("f32: sparse product of %d×%d and %d×%d into %d×%d, with stride %d for %d",
			rows, terms, b.Rows, b.Cols, dst.Rows, dst.Cols, b.Stride, s.stride))
	}
	return sparseProduct{dst, b, l, add}
}

// sparseInGo defines the rows from ≤ i < to.
func (pt path) sparseInGo(p sparseProduct, from, to int) {
	for i := from; i < to; i++ {
		dst := p.dst.Row(i)
		if !p.add {
			clear(dst)
		}
		marks := p.marks[i*(p.blocks+1):][:p.blocks+1]
		for _, e := range p.entries[marks[0]:marks[p.blocks]] {
			pt.addTimes(dst, e.value, p.b.Data[e.start:][:p.b.Cols])
		}
	}
}
