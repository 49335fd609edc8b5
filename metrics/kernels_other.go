//go:build !(amd64 || arm64) || noasm

package metrics

// There is no assembly, and no path asks for it.

func lags8(_, _ *[8]float64, _, _, _, _ *float64, _ int)                              {}
func lags16(_, _ *[16]float64, _, _, _, _ *float64, _ int)                            {}
func lessVectors(_, _ *float64, _ int, _ float64)                                     {}
func halveVectors(_, _ *float64, _ int)                                               {}
func sumVectors(_ *[8]float64, _ *float64, _ int)                                     {}
func extentVectors(_ *[10]float64, _ *float64, _ int)                                 {}
func weightedSumsVectors(_ *[16]float64, _, _, _ *float64, _ int)                     {}
func centreVectors(_ *[12]float64, _, _, _, _, _, _, _ *float64, _ int, _, _ float64) {}
func productsVectors(_ *[16]float64, _, _, _, _ *float64, _ int)                      {}
