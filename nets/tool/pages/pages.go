// Package pages makes long vectors of numbers, which lie in large pages of memory where the system has these.
package pages

import "unsafe"

// page is the size of a large page in bytes, and short what is not worth one.
const page, short = 2 << 20, page / 4

// Vector returns n zeros, with room for more up to the capacity if that is larger. Long vectors fill large pages of
// their own: kernels go down the columns of matrices, whose rows lie further apart than a small page, and the processor
// remembers where few pages are.
func Vector[F ~float32 | ~float64](n, capacity int) []F {
	size := int(unsafe.Sizeof(F(0)))
	if size*n < short {
		return make([]F, n, max(n, capacity))
	}
	whole := (size*n + page - 1) / page * page
	x := make([]F, (whole+page)/size)
	skip := int(-uintptr(unsafe.Pointer(&x[0])) % page)
	x = x[skip/size:][:n:n]
	ask(unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), whole))
	return x
}
