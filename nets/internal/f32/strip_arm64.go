//go:build !noasm

package f32

import "unsafe"

func (path) list(dst []entry, x []uint8, start, stride int, table *[256]float32) int {
	return listGeneric(dst, x, start, stride, table)
}

func (path) strip(s *strip, vectors int) { runStripNEON((*uintptr)(unsafe.Pointer(s)), vectors) }
