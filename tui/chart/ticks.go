package chart

import (
	"math"
)

// niceStep is the smallest of 1, 2, 5 times a power of ten that is at least raw.
func niceStep(raw float64) float64 {
	if !(raw > 0) || math.IsInf(raw, 0) {
		return 1
	}
	p := math.Pow(10, math.Floor(math.Log10(raw)))
	if p == 0 {
		return raw
	}
	for _, m := range [...]float64{1, 2, 5} {
		if m*p >= raw*(1-1e-9) {
			return m * p
		}
	}
	return 10 * p
}

// Ticks appends to dst the multiples of a nice step that lie in [lo, hi], about
// n of them and never more than n+1. It appends nothing for an empty or
// non-finite range. The step is returned for TickLabel.
func Ticks(dst []float64, lo, hi float64, n int) ([]float64, float64) {
	span := hi - lo
	if n < 1 || !(span > 0) || math.IsInf(span, 0) {
		return dst, 0
	}
	step := niceStep(span / float64(n))
	if math.IsInf(step, 0) {
		return dst, 0
	}
	first, last := math.Ceil(lo/step-1e-9), math.Floor(hi/step+1e-9)
	// Beyond 2⁵³ neighbouring multiples are one float64, and first may be last.
	if !(last-first <= float64(n)) || max(math.Abs(first), math.Abs(last)) > 1<<53 {
		return dst, step
	}
	for i := range int(last-first) + 1 {
		dst = append(dst, (first+float64(i))*step)
	}
	return dst, step
}

// LogTicks appends powers of ten in [lo, hi], every so many decades that there are
// at most n; with 1, 3 times those between them, and on ranges of about a decade 1,
// 2, 5 times, where that gives no more than n+1. lo must be positive.
func LogTicks(dst []float64, lo, hi float64, n int) []float64 {
	if n < 1 || !(lo > 0) || !(hi > lo) || math.IsInf(hi, 0) {
		return dst
	}
	decades := math.Log10(hi) - math.Log10(lo)
	for _, mantissas := range [...]string{"125", "13"} {
		if mantissas == "125" && decades >= 1.2 {
			continue // labels that are so uneven say less than those of 1, 3
		}
		if t, ok := logTicks(dst, lo, hi, 1, mantissas, n+1); ok {
			return t
		}
	}
	t, _ := logTicks(dst, lo, hi, max(math.Ceil(decades/float64(n)), 1), "1", n+1)
	return t
}

// logTicks appends the mantissas times every so many powers of ten, and reports
// whether they are no more than most.
func logTicks(dst []float64, lo, hi, every float64, mantissas string, most int) (t []float64, ok bool) {
	start := len(dst)
	d0, d1 := math.Floor(math.Log10(lo)), math.Floor(math.Log10(hi)+1e-9)
	for d := d0; d <= d1; d++ {
		if math.Mod(d, every) != 0 {
			continue
		}
		for _, m := range mantissas {
			v := float64(m-'0') * math.Pow(10, d)
			if !(v >= lo*(1-1e-9) && v <= hi*(1+1e-9)) {
				continue
			}
			if len(dst)-start == most {
				return dst, false
			}
			dst = append(dst, v)
		}
	}
	return dst, true
}
