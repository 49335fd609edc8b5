//go:build !(amd64 || arm64) || noasm

package f32

func (pt path) block(p product, _ *Workspace) { pt.blockInGo(p) }

func (path) strips(int) int { return 1 }

func (pt path) sparse(p sparseProduct, _, from, to int, _ *Workspace) { pt.sparseInGo(p, from, to) }

func (path) prefetch([]uint8) {}

func (path) list(dst []entry, x []uint8, start, stride int, table *[256]float32) int {
	return listGeneric(dst, x, start, stride, table)
}

func (path) axpy(y []float32, a float32, x []float32) { axpyGeneric(y, a, x) }
func (path) addBiasReLU(y Matrix, bias []float32)     { addBiasReLUGeneric(y, bias) }
func (path) reluBack(dy, y Matrix)                    { reluBackGeneric(dy, y) }
func (path) addRows(dst []float32, y Matrix)          { addRowsGeneric(dst, y) }

func (path) keepMarked(x []float32, marks []uint64, scale float32) {
	keepMarkedGeneric(x, marks, 0, scale)
}

func (path) maxPool(dst []float32, which []uint8, x []float32, s Image) {
	maxPoolGeneric(dst, which, x, s)
}

func (path) maxPoolBack(dx, dy []float32, which []uint8, s Image) {
	maxPoolBackGeneric(dx, dy, which, s)
}

func (path) unpoolLine(dx, dy []float32, which []uint8, line, channels, squares int) {
	unpoolLineGeneric(dx, dy, which, line, channels, squares)
}

func (pt path) conv(s Conv, y, x, w []float32, batch int, ws *Workspace) {
	pt.convInGo(s, y, x, w, batch, ws)
}

func (pt path) convBackData(s Conv, dx, dy, w []float32, batch int, ws *Workspace) {
	pt.convBackDataInGo(s, dx, dy, w, batch, ws)
}

func (pt path) convBackWeights(s Conv, dw, x, dy []float32, batch, from, to int, add bool, _ *Workspace) {
	pt.convBackWeightsInGo(s, dw, x, dy, batch, from, to, add)
}
