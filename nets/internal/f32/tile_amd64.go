//go:build !noasm

package f32

import "unsafe"

// kernel computes tiles of one size. On AVX-512 narrow ones have kernels of their own.
func (p path) kernel(t *tile, rows, columns int) {
	t.mask = 1<<columns - 1
	switch u := (*uintptr)(unsafe.Pointer(t)); {
	case p == avx512 && columns > 16:
		run512x32(u, rows)
	case p == avx512:
		run512x16(u, rows)
	default:
		run256x16(u, rows)
	}
}
