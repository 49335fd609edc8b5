//go:build !amd64 || noasm

package metrics

func addLags8(acc *[8]float64, x, y []float64)   { addLags8Generic(acc, x, y) }
func addLags16(acc *[16]float64, x, y []float64) { addLags16Generic(acc, x, y) }
