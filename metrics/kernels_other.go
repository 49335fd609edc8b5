//go:build !(amd64 || arm64) || noasm

package metrics

// vectors is false: there is no assembly.
const vectors = false

func addLags8(a, b *[8]float64, x, y, u, v []float64)   { addLags8Generic(a, b, x, y, u, v) }
func addLags16(a, b *[16]float64, x, y, u, v []float64) { addLags16Generic(a, b, x, y, u, v) }

func lessVectors(_, _ *float64, _ int, _ float64)                                     {}
func halveVectors(_, _ *float64, _ int)                                               {}
func sumVectors(_ *[8]float64, _ *float64, _ int)                                     {}
func extentVectors(_ *[10]float64, _ *float64, _ int)                                 {}
func weightedSumsVectors(_ *[16]float64, _, _, _ *float64, _ int)                     {}
func centreVectors(_ *[12]float64, _, _, _, _, _, _, _ *float64, _ int, _, _ float64) {}
func productsVectors(_ *[16]float64, _, _, _, _ *float64, _ int)                      {}
