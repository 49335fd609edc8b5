//go:build !noasm

package f32

import "unsafe"

func (path) list(dst []entry, x []uint8, first int, table *[256]float32) int {
	return listGeneric(dst, x, first, table)
}

func (path) strip(s *strip, vectors int) { runStripNEON((*uintptr)(unsafe.Pointer(s)), vectors) }
