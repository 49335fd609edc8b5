package f32

import "github.com/psgld/psgld-tui/nets/internal/winograd"

func (pt path) transform(t *winograd.Transform, dst, src grid, channels int, ws *Workspace) {
	if pt <= generic {
		pt.transformInGo(t, dst, src, channels)
		return
	}
	to, toLine, toColumn := &dst.data[dst.at], 4*dst.line, 4*dst.column
	from, fromLine, fromColumn := &src.data[src.at], 4*src.line, 4*src.column
	vectors, scratch := channels/pt.width(), &ws.scratch[0]
	switch t {
	case winograd.Image:
		imageTileVectors(pt, to, toLine, toColumn, from, fromLine, fromColumn, vectors, scratch)
	case winograd.Result:
		resultTileVectors(pt, to, toLine, toColumn, from, fromLine, fromColumn, vectors, scratch)
	case winograd.ResultBack:
		resultBackTileVectors(pt, to, toLine, toColumn, from, fromLine, fromColumn, vectors, scratch)
	case winograd.Weights:
		weightsTileVectors(pt, to, toLine, toColumn, from, fromLine, fromColumn, vectors, scratch)
	case winograd.WeightsBack:
		weightsBackTileVectors(pt, to, toLine, toColumn, from, fromLine, fromColumn, vectors, scratch)
	}
}
