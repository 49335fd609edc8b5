package f32

import "fmt"

// A form says which factor of a product is transposed.
type form uint8

const (
	plain  form = iota // a·b
	rightT             // a·bᵀ
	leftT              // aᵀ·b
)

// A product is one of the three products with its sizes: dst is m×n and its
// elements are sums of k terms.
type product struct {
	form      form
	m, n, k   int
	dst, a, b Matrix
	add       bool
	more      int // how many columns the product goes on for that another call computes
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

// productGeneric adds one term after the other. Each product is rounded before it
// is added, so that all machines give the same bits.
func productGeneric(p product) {
	for i := range p.m {
		dst := p.dst.Row(i)
		if !p.add {
			clear(dst)
		}
		if p.form == rightT {
			x := p.a.Row(i)
			for j := range dst {
				dst[j] = dot(dst[j], x, p.b.Row(j))
			}
			continue
		}
		for k := range p.k {
			x := float32(0)
			if p.form == leftT {
				x = p.a.Data[k*p.a.Stride+i]
			} else {
				x = p.a.Data[i*p.a.Stride+k]
			}
			axpyGeneric(dst, x, p.b.Row(k))
		}
	}
}

// dot is s + Σ x y, in order.
func dot(s float32, x, y []float32) float32 {
	y = y[:len(x)]
	for i, v := range x {
		s += float32(v * y[i])
	}
	return s
}

// aliases tells whether so many rows crowd into a few sets of the caches, which
// are picked by the low bits of addresses.
func aliases(stride, rows int) bool {
	bytes := 4 * stride
	return bytes&-bytes*rows > 1<<20 || bytes%4096 == 0
}
