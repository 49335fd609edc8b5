//go:build !noasm

package metrics

func lags8(a, b *[8]float64, x, y, u, v *float64, n int)   { lags8NEON(a, b, x, y, u, v, n) }
func lags16(a, b *[16]float64, x, y, u, v *float64, n int) { lags16NEON(a, b, x, y, u, v, n) }
