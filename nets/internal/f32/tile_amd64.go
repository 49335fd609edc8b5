//go:build !noasm

package f32

import "unsafe"

// run computes a tile. On AVX-512 narrow tiles have kernels of their own; on AVX2
// they go through the workspace.
func (p path) run(t *tile, rows, columns int, ws *Workspace) {
	t.mask = 1<<columns - 1
	if t.ahead == nil {
		t.ahead = t.b
	}
	switch u := (*uintptr)(unsafe.Pointer(t)); {
	case p == avx512 && columns > 16:
		run512x32(u, rows)
	case p == avx512:
		run512x16(u, rows)
	case columns == 16:
		run256x16(u, rows)
	default:
		whole := t.atEdge(rows, columns, ws)
		run256x16((*uintptr)(unsafe.Pointer(&whole)), rows)
		t.fromEdge(rows, columns, ws)
	}
}
