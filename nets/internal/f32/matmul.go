package f32

import "fmt"

// A form says which factor of a product is transposed.
type form uint8

const (
	plain  form = iota // a·b
	rightT             // a·bᵀ
	leftT              // aᵀ·b
)

// A product is one of the three products with its sizes: dst is m×n and its elements are sums of k terms.
type product struct {
	form      form
	m, n, k   int
	dst, a, b Matrix
	add       bool
	goOn      bool // with the sums of the terms before, which dst has
	more      int  // how many columns the product goes on for that another call computes
}

func newProduct(f form, dst, a, b Matrix, add bool) product {
	dst.check("product")
	a.check("product")
	b.check("product")
	p := product{form: f, m: a.Rows, n: b.Cols, k: a.Cols, dst: dst, a: a, b: b, add: add}
	inner := b.Rows
	switch f {
	case rightT:
		p.n, inner = b.Rows, b.Cols
	case leftT:
		p.m, p.k = a.Cols, a.Rows
	}
	if p.k != inner || dst.Rows != p.m || dst.Cols != p.n {
		panic(fmt.Sprintf("f32: product of %d×%d and %d×%d, form %d, into %d×%d",
			a.Rows, a.Cols, b.Rows, b.Cols, f, dst.Rows, dst.Cols))
	}
	return p
}

// maxTerms is how many terms are added up before the sum goes through memory.
const maxTerms = 1300

// product cuts the terms into blocks, by their number alone, so that the bits of
// an element do not depend on the shape around it. A block's terms are added one after
// the other, beginning with 0, and then its sum to that of the blocks before.
func (pt path) product(p product, ws *Workspace) {
	if p.m == 0 || p.n == 0 {
		return
	}
	if p.k == 0 && !p.add {
		for i := range p.m {
			clear(p.dst.Row(i))
		}
	}
	blocks := (p.k + maxTerms - 1) / maxTerms
	for i := range blocks {
		pt.block(p.terms(p.k*i/blocks, p.k*(i+1)/blocks), ws)
	}
}

// terms is the part of the product with those terms of its sums; all but the first add to what is there.
func (p product) terms(from, to int) product {
	p.add = p.add || from > 0
	p.k = to - from
	if p.form == leftT {
		p.a = p.a.Between(from, to)
	} else {
		p.a = p.a.Columns(from, to)
	}
	if p.form == rightT {
		p.b = p.b.Columns(from, to)
	} else {
		p.b = p.b.Between(from, to)
	}
	return p
}

// A strip of sums that Go makes side by side.
type sums [1024]float32

// put sets dst to the first sums, or adds them to it.
func (s *sums) put(dst []float32, add bool) {
	if !add {
		copy(dst, s[:])
		return
	}
	for j := range dst {
		dst[j] += s[j]
	}
}

// blockInGo defines a block of terms.
func (pt path) blockInGo(p product) {
	var all sums
	for i := range p.m {
		for j := 0; j < p.n; j += len(all) {
			dst := p.dst.Row(i)[j:min(j+len(all), p.n)]
			s := all[:len(dst)]
			clear(s)
			switch p.form {
			case rightT:
				x := p.a.Row(i)
				for c := range s {
					s[c] = pt.dot(0, x, p.b.Row(j+c))
				}
			case leftT:
				for k := range p.k {
					pt.addTimes(s, p.a.Data[k*p.a.Stride+i], p.b.Row(k)[j:])
				}
			default:
				for k, x := range p.a.Row(i) {
					pt.addTimes(s, x, p.b.Row(k)[j:])
				}
			}
			all.put(dst, p.add)
		}
	}
}

// aliases tells whether so many rows crowd into a few sets of the caches, which
// are picked by the low bits of addresses.
func aliases(stride, rows int) bool {
	bytes := 4 * stride
	return bytes&-bytes*rows > 1<<20 || bytes%4096 == 0
}
