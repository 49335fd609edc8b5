//go:build !(amd64 || arm64) || noasm

package f32

import "github.com/psgld/psgld-tui/nets/internal/winograd"

func (pt path) transform(t *winograd.Transform, dst, src grid, channels int, _ *Workspace) {
	pt.transformInGo(t, dst, src, channels)
}
