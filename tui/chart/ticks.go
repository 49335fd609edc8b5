package chart

import "math"

// The mantissas of the steps between ticks. A short axis has more of them, since it would
// be mostly blank with the next larger of the others.
var (
	mantissas      = []float64{1, 2, 5}
	shortMantissas = []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8}
)

// NiceStep is the smallest of 1, 2, 5 times a power of ten that is at least raw.
func NiceStep(raw float64) float64 { return stepOf(raw, mantissas) }

// stepOf is the smallest mantissa times a power of ten that is at least raw.
func stepOf(raw float64, mantissas []float64) float64 {
	if !(raw > 0) || math.IsInf(raw, 0) {
		return 1
	}
	p := math.Pow(10, math.Floor(math.Log10(raw)))
	if p == 0 {
		return raw
	}
	for _, m := range mantissas {
		if m*p >= raw*(1-1e-9) {
			return m * p
		}
	}
	return 10 * p
}

// RoundUp is the smallest of 1, 2, 2½, 5 times a power of ten that is at least x: an end of an axis that stands still.
func RoundUp(x float64) float64 { return stepOf(x, tickMantissas) }

// multiples are those of a step in [lo, hi], of which an axis has so many at most.
func multiples(step, lo, hi float64) (t []float64) {
	t = make([]float64, 0, maxTicks)
	for i := math.Ceil(lo / step); i*step <= hi && len(t) < maxTicks; i++ {
		t = append(t, i*step)
	}
	return t
}

// powers are the mantissas times every so many powers of ten in [lo, hi].
func powers(lo, hi, every float64, mantissas string) (t []float64) {
	d0, d1 := math.Floor(math.Log10(lo)), math.Floor(math.Log10(hi)+1e-9)
	for d := d0; d <= d1; d++ {
		if math.Mod(d, every) != 0 {
			continue
		}
		for _, m := range mantissas {
			if v := float64(m-'0') * math.Pow(10, d); v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
				t = append(t, v)
			}
		}
	}
	return t
}
