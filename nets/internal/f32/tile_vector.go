package f32

import "unsafe"

// A tile is a small product, whose elements stay in registers until all their terms are added: element i, j of C is the
// sum over s of A[i,s] B[s,j]. The assembly knows the order of the fields. Distances are in bytes.
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

	tiles      int     // one below the other, at least one, each with the next rows of C
	nextA      int     // from the rows of A of a tile to those of the next; 0 where they follow each other
	nowA, nowC uintptr // the kernel's: where the tile is that it computes

	aheadC uint64 // not 0: ahead is in C, and each tile looks at its own rows there
}

// A tile's sums are added to C, or C is where they begin.
const (
	addSums = 1 + iota
	addTerms
)

// tileSize is the largest tile of a path: 28 sums in 32 registers, 12 in 16, or with NEON's short vectors 24 in 32.
func (p path) tileSize() (rows, columns int) {
	if p == avx512 {
		return 14, 32
	}
	return 6, 16
}

// run computes rows of C, in tiles one below the other. What comes next is brought near by
// the first few, a part each: what is in memory only is there when its turn comes.
func (p path) run(t *tile, rows, columns int, ws *Workspace) {
	tallest, width := p.tileSize()
	narrow := columns < width && !p.masks() // these go through the workspace, one by one
	h := evenly(rows, tallest)
	for q, n := 0, 0; q < h.tiles; q += n {
		u, height := *t, h.of(q)
		n = min(h.same(q), max(1, callTerms/(u.steps*u.runs+tileTerms)))
		switch {
		case u.aheadC != 0:
			u.ahead = after(u.ahead, h.from(q)*u.rowC)
		case u.ahead != nil && q < lookers:
			n = min(n, lookers-q)
			u.ahead = after(u.ahead, q*(u.steps/lookers)*u.stepAhead)
		default:
			u.ahead, u.stepAhead = u.b, 0
		}
		if narrow {
			n = 1
		}
		u.tiles, u.c = n, after(u.c, h.from(q)*u.rowC)
		if u.nextA == 0 {
			u.a, u.nextA = after(u.a, h.from(q)*u.rowA), height*u.rowA
		} else {
			u.a = after(u.a, q*u.nextA)
		}
		if !narrow {
			p.kernel(&u, height, columns)
			continue
		}
		whole := u.atEdge(height, columns, ws)
		p.kernel(&whole, height, width)
		u.fromEdge(height, columns, ws)
	}
}

// lookers is how many tiles look ahead: each turn of the kernel's loop, of as many terms, brings near a row.
const lookers = 4

// callTerms is about how many terms all tiles of a call of assembly have, which takes some tens of
// microseconds: the scheduler cannot interrupt it. tileTerms is what a tile costs besides, in terms.
const callTerms, tileTerms = 2 << 10, 24

// after is so many bytes after x.
func after(x *float32, bytes int) *float32 { return (*float32)(unsafe.Add(unsafe.Pointer(x), bytes)) }

// heights are those of tiles one after the other: the first few have a row more.
type heights struct{ tiles, rows, taller int }

// evenly cuts n > 0 rows into as few tiles as can be, all about as high.
func evenly(n, tallest int) heights {
	tiles := (n + tallest - 1) / tallest
	return heights{tiles, n / tiles, n % tiles}
}

// of is the height of tile q.
func (h heights) of(q int) int {
	if q < h.taller {
		return h.rows + 1
	}
	return h.rows
}

// from is the row with which tile q begins.
func (h heights) from(q int) int { return q*h.rows + min(q, h.taller) }

// same is how many tiles from tile q on are as high as it.
func (h heights) same(q int) int {
	if q < h.taller {
		return h.taller - q
	}
	return h.tiles - q
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
