//go:build !amd64 || noasm

package metrics

// vectors is false: there is no assembly.
const vectors = false

func addLags8(acc *[8]float64, x, y []float64)   { addLags8Generic(acc, x, y) }
func addLags16(acc *[16]float64, x, y []float64) { addLags16Generic(acc, x, y) }

func lessAVX2(_, _ *float64, _ int, _ float64)                                     {}
func halveAVX2(_, _ *float64, _ int)                                               {}
func sumAVX2(_ *[8]float64, _ *float64, _ int)                                     {}
func extentAVX2(_ *[10]float64, _ *float64, _ int)                                 {}
func weightedSumsAVX2(_ *[16]float64, _, _, _ *float64, _ int)                     {}
func centreAVX2(_ *[12]float64, _, _, _, _, _, _, _ *float64, _ int, _, _ float64) {}
func productsAVX2(_ *[16]float64, _, _, _, _ *float64, _ int)                      {}
