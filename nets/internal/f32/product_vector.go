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

// nearTerms is the most terms of a product a·b that AVX2 adds before it goes on to the next columns: with its few sums
// in registers a tile asks much of the cache, and so many rows of a panel of b stay in the first-level cache for all
// tiles. The sums then go on from what they were, and their bits do not depend on it.
const nearTerms = 256

// panels computes as many rows at a time as have their part of A in the second-level
// cache. B is read once for those, a panel of columns after the other.
//
// A is read in place: a tile takes one number of each of its rows for a whole row of B, so that these reads cost little
// even where they are scattered. B in place is faster than a copy as well, unless its rows fall on each other in the
// cache, or its panel is short and stays in the first-level cache when it is dense.
func (pt path) panels(p product, ws *Workspace) {
	tallest, width := pt.tileSize()
	copyA := p.form == leftT && aliases(p.a.Stride, p.k)
	copyB := p.form == leftT && p.k*p.b.Stride > nearNumbers || p.form == plain && aliases(p.b.Stride, p.k)
	block := max(1, leftPack/(p.k*tallest)) * tallest
	for i := 0; i < p.m; i += block {
		rows := min(block, p.m-i)
		if copyA {
			h := evenly(rows, tallest)
			for q := range h.tiles {
				from := i + h.from(q)
				packColumns(ws.left[q*tallest*p.k:], tallest, p.a.Columns(from, from+h.of(q)))
			}
		}
		for j := 0; j < p.n; j += width {
			columns := min(width, p.n-j)
			t := tile{c: &p.dst.Data[i*p.dst.Stride+j], rowC: 4 * p.dst.Stride, steps: p.k, runs: 1}
			switch {
			case p.goOn:
				t.add = addTerms
			case p.add:
				t.add = addSums
			}
			switch {
			case copyA:
				t.a, t.rowA, t.stepA, t.nextA = &ws.left[0], 4, 4*tallest, 4*tallest*p.k
			case p.form == leftT:
				t.a, t.rowA, t.stepA = &p.a.Data[i], 4, 4*p.a.Stride
			default:
				t.a, t.rowA, t.stepA = &p.a.Data[i*p.a.Stride], 4*p.a.Stride, 4
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
			switch more := j+2*width <= p.n+p.more; {
			case more && pt == avx512 && p.form == leftT && p.m*p.dst.Stride > farNumbers:
				t.ahead, t.stepAhead, t.aheadC = after(t.c, 4*width), t.rowC, 1
			case more && p.k >= longPanel:
				t.ahead, t.stepAhead = p.next(j+width, width)
			}
			pt.run(&t, rows, columns, ws)
		}
	}
}

// nearNumbers is the most numbers of a right factor that are in the first-level cache where they are.
const nearNumbers = 4 << 10

// farNumbers is how many numbers of a product's result are in no cache near the processor. Where a tile has few terms
// and many rows, the result that the next panel writes is worth more than what it reads.
const farNumbers = 512 << 10

// longPanel is how many terms make it worth to look ahead.
const longPanel = 64

// next is where the panel from column j of the product on begins in B, and how far it is
// from what one look ahead brings near to what the next does.
func (p product) next(j, width int) (at *float32, step int) {
	if p.form == rightT {
		return &p.b.Data[j*p.b.Stride], 4 * width * p.b.Stride / p.k &^ 3
	}
	return &p.b.Data[j], 4 * p.b.Stride
}

// packColumns puts the rows of m one after the other, width apart.
func packColumns(dst []float32, width int, m Matrix) {
	for k := range m.Rows {
		copy(dst[k*width:][:m.Cols], m.Row(k))
	}
}
