package chart

import "math"

// The mantissas of the steps between ticks. A short axis has more of them, since it would
// be mostly blank with the next larger of the others.
var (
	mantissas      = []float64{1, 2, 5}
	shortMantissas = []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8}
)

// niceStep is the smallest of 1, 2, 5 times a power of ten that is at least raw.
func niceStep(raw float64) float64 { return stepOf(raw, mantissas) }

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

// ticks are the multiples of a nice step that lie in [lo, hi], about n of them and
// never more than n+1, and the step; none for an empty or non-finite range.
func ticks(lo, hi float64, n int) (t []float64, step float64) {
	length := hi - lo
	if n < 1 || !(length > 0) || math.IsInf(length, 0) {
		return nil, 0
	}
	step = niceStep(length / float64(n))
	if math.IsInf(step, 0) {
		return nil, 0
	}
	first, last := math.Ceil(lo/step-1e-9), math.Floor(hi/step+1e-9)
	// Beyond 2⁵³ neighbouring multiples are one float64, and first may be last.
	if !(last-first <= float64(n)) || max(math.Abs(first), math.Abs(last)) > 1<<53 {
		return nil, step
	}
	t = make([]float64, int(last-first)+1)
	for i := range t {
		t[i] = (first + float64(i)) * step
	}
	return t, step
}

// logTicks are powers of ten in [lo, hi], every so many decades that there are at
// most n; with 1, 3 times those between them, and on ranges of about a decade 1, 2, 5
// times, if that gives no more than n+1. lo must be positive.
func logTicks(lo, hi float64, n int) []float64 {
	if n < 1 || !(lo > 0) || !(hi > lo) || math.IsInf(hi, 0) {
		return nil
	}
	decades := math.Log10(hi) - math.Log10(lo)
	for _, mantissas := range [...]string{"125", "13"} {
		if mantissas == "125" && decades >= 1.2 {
			continue // such uneven labels say less than 1, 3
		}
		if t := powers(lo, hi, 1, mantissas); len(t) <= n+1 {
			return t
		}
	}
	t := powers(lo, hi, max(math.Ceil(decades/float64(n)), 1), "1")
	return t[:min(len(t), n+1)]
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
