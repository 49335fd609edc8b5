//go:build (amd64 || arm64) && !noasm

package f32

// block computes a block of terms, in parts if they are many.
func (pt path) block(p product, ws *Workspace) {
	if pt <= generic {
		pt.blockInGo(p)
		return
	}
	parts := 1
	if pt == avx2 && p.form == plain && !p.add {
		parts = (p.k + nearTerms - 1) / nearTerms
	}
	for i := range parts {
		part := p.terms(p.k*i/parts, p.k*(i+1)/parts)
		part.add, part.goOn = p.add, i > 0
		pt.panels(part, ws)
	}
}

// nearTerms is the most terms of a product a·b that AVX2 adds before it goes on to the
// next columns: with its few sums in registers a tile asks much of the cache, and so
// many rows of a panel of b stay in the first-level cache for all tiles. The sums then go
// on from what they were, and their bits do not depend on it.
const nearTerms = 256

// panels computes as many rows at a time as have their part of A in the second-level
// cache. B is read once for those, a panel of columns after the other.
//
// A is read in place: a tile takes one number of each of its rows for a whole row
// of B, so that these reads cost little even where they are scattered. B in place
// is faster than a copy as well, unless its rows fall on each other in the cache,
// or its panel is short and stays in the first-level cache when it is dense.
func (pt path) panels(p product, ws *Workspace) {
	tallest, width := pt.tileSize()
	copyA := p.form == leftT && aliases(p.a.Stride, p.k)
	copyB := p.form == leftT && p.k*p.b.Stride > nearNumbers || p.form == plain && aliases(p.b.Stride, p.k)
	block := max(1, leftPack/(p.k*tallest)) * tallest
	for i := 0; i < p.m; i += block {
		rows := min(block, p.m-i)
		h := evenly(rows, tallest)
		if copyA {
			for from, q := 0, 0; from < rows; from, q = from+h.of(q), q+1 {
				packColumns(ws.left[from*p.k:], h.of(q), p.a.Columns(i+from, i+from+h.of(q)))
			}
		}
		for j := 0; j < p.n; j += width {
			columns := min(width, p.n-j)
			t := tile{rowC: 4 * p.dst.Stride, steps: p.k, runs: 1}
			switch {
			case p.goOn:
				t.add = addTerms
			case p.add:
				t.add = addSums
			}
			switch {
			case p.form == rightT:
				pt.packTransposed(ws.right, width, p.b.Between(j, j+columns))
				t.b, t.stepB = &ws.right[0], 4*width
			case copyB || columns < width && !pt.masks():
				pt.packRows(ws.right, width, p.b.Columns(j, j+columns))
				t.b, t.stepB = &ws.right[0], 4*width
			default:
				t.b, t.stepB = &p.b.Data[j], 4*p.b.Stride
			}
			for from, q := 0, 0; from < rows; from, q = from+h.of(q), q+1 {
				switch {
				case copyA:
					t.a, t.rowA, t.stepA = &ws.left[from*p.k], 4, 4*h.of(q)
				case p.form == leftT:
					t.a, t.rowA, t.stepA = &p.a.Data[i+from], 4, 4*p.a.Stride
				default:
					t.a, t.rowA, t.stepA = &p.a.Data[(i+from)*p.a.Stride], 4*p.a.Stride, 4
				}
				t.c = &p.dst.Data[(i+from)*p.dst.Stride+j]
				if p.k >= longPanel {
					p.lookAhead(&t, q, j+width, width)
				}
				pt.run(&t, h.of(q), columns, ws)
			}
		}
	}
}

// nearNumbers is the most numbers of a right factor that are in the first-level cache where they are.
const nearNumbers = 4 << 10

// longPanel is how many terms make it worth to look ahead.
const longPanel = 64

// lookAhead lets the first four tiles of a panel bring the next panel of B, from
// column j of the product on, into the second-level cache, a fourth each: what is
// in memory only is there when its turn comes.
func (p product) lookAhead(t *tile, q, j, width int) {
	const share = 4
	t.ahead, t.stepAhead = t.b, 0
	if q >= share || j+width > p.n+p.more {
		return
	}
	if p.form == rightT {
		t.stepAhead = 4 * width * p.b.Stride / p.k &^ 3
		t.ahead = &p.b.Data[j*p.b.Stride+q*(p.k/share)*t.stepAhead/4]
		return
	}
	t.stepAhead = 4 * p.b.Stride
	t.ahead = &p.b.Data[q*(p.k/share)*p.b.Stride+j]
}

// heights are those of tiles one after the other: the first few have a row more.
type heights struct{ rows, taller int }

// evenly cuts n > 0 rows into as few tiles as can be, all about as high.
func evenly(n, tallest int) heights {
	tiles := (n + tallest - 1) / tallest
	return heights{n / tiles, n % tiles}
}

// of is the height of tile q.
func (h heights) of(q int) int {
	if q < h.taller {
		return h.rows + 1
	}
	return h.rows
}

// packColumns puts the rows of m one after the other, width apart.
func packColumns(dst []float32, width int, m Matrix) {
	for k := range m.Rows {
		copy(dst[k*width:][:m.Cols], m.Row(k))
	}
}
