//go:build !(amd64 || arm64) || noasm

package f32

// There is no assembly, and generic and exact are the only paths.

func (path) list(dst []entry, x []uint8, start, stride int, table *[256]float32) int {
	return listGeneric(dst, x, start, stride, table)
}

func (path) kernel(_ *tile, _, _ int)                    {}
func (path) packRows(_ []float32, _ int, _ Matrix)       {}
func (path) packTransposed(_ []float32, _ int, _ Matrix) {}
func (path) strip(_ *strip, _ int)                       {}
func prefetchLines(_ *uint8, _ int)                      {}

func axpyVectors(_ path, _, _ *float32, _ int, _ float32)                 {}
func addBiasReLUVectors(_ path, _ *float32, _, _, _ int, _ *float32)      {}
func reluBackVectors(_ path, _ *float32, _ int, _ *float32, _, _, _ int)  {}
func addRowsVectors(_ path, _, _ *float32, _, _, _ int)                   {}
func keepMarkedVectors(_ path, _ *float32, _ *uint64, _ int, _ float32)   {}
func maxPoolVectors(_ path, _ *float32, _ *byte, _ *float32, _, _, _ int) {}
func maxPoolBackVectors(_ path, _, _ *float32, _ *byte, _, _, _ int)      {}

func imageTileVectors(_ path, _ *float32, _, _ int, _ *float32, _, _, _ int, _ *float32)       {}
func resultTileVectors(_ path, _ *float32, _, _ int, _ *float32, _, _, _ int, _ *float32)      {}
func resultBackTileVectors(_ path, _ *float32, _, _ int, _ *float32, _, _, _ int, _ *float32)  {}
func weightsTileVectors(_ path, _ *float32, _, _ int, _ *float32, _, _, _ int, _ *float32)     {}
func weightsBackTileVectors(_ path, _ *float32, _, _ int, _ *float32, _, _, _ int, _ *float32) {}
