//go:build !noasm

package f32

import "unsafe"

// list is listGeneric with more room: it may write up to listSlack entries more.
func (pt path) list(dst []entry, x []uint8, start, stride int, table *[256]float32) int {
	whole := pt.whole(len(x))
	if pt != avx512 || whole == 0 {
		return listGeneric(dst, x, start, stride, table)
	}
	dst = dst[:len(x)+listSlack]
	n := listPixelsAVX512((*uint64)(unsafe.Pointer(&dst[0])), &x[0], whole/16, start, stride, table)
	return n + listGeneric(dst[n:], x[whole:], start+whole*stride, stride, table)
}

func (pt path) strip(s *strip, vectors int) {
	u := (*uintptr)(unsafe.Pointer(s))
	if pt == avx512 {
		runStrip512(u, vectors)
	} else {
		runStrip256(u, vectors)
	}
}
