package chart

import (
	"math"
	"strconv"
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

// AppendTick appends the label of a tick: as many decimals as step needs and no
// more, without the zero before the point where that makes them fit, SI units from
// ten thousand, powers of ten for the very small. step 0 formats the value alone, as
// on a log axis.
func AppendTick(dst []byte, v, step float64, width int) []byte {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return AppendNumber(dst, v, width)
	}
	if step <= 0 {
		return appendLogTick(dst, v, width)
	}
	if math.Abs(v) < step/1e6 {
		return append(dst, '0')
	}
	n := len(dst)
	if a := math.Abs(v); (a < 10_000 && step < 1000 || a < 1000) && step >= 0.9e-4 {
		dec := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
		if dst = strconv.AppendFloat(dst, v, 'f', dec, 64); len(dst)-n == width+1 {
			dst = dropZero(dst, n)
		}
		if len(dst)-n <= width {
			return dst
		}
	} else if a >= 1000 && a < 1e15 {
		if dst = appendTickSI(dst, v, step); len(dst)-n <= width {
			return dst
		}
	}
	return AppendNumber(dst[:n], v, width)
}

// dropZero takes the zero before the point off the number from place n on, if that
// is all there is before it.
func dropZero(dst []byte, n int) []byte {
	if n < len(dst) && dst[n] == '-' {
		n++
	}
	if n+1 < len(dst) && dst[n] == '0' && dst[n+1] == '.' {
		dst = append(dst[:n], dst[n+1:]...)
	}
	return dst
}

// appendTickSI writes 10k, 12.5k, 1.25M with the decimals that step needs.
func appendTickSI(dst []byte, v, step float64) []byte {
	const units = "kMGT"
	i, scale := 0, 1e3
	for math.Abs(v)/scale >= 1000 && i < len(units)-1 {
		i, scale = i+1, scale*1e3
	}
	dec := max(0, -int(math.Floor(math.Log10(step/scale)+1e-9)))
	dst = strconv.AppendFloat(dst, v/scale, 'f', min(dec, 6), 64)
	return append(dst, units[i])
}

// appendLogTick writes a value that is a small multiple of a power of ten.
func appendLogTick(dst []byte, v float64, width int) []byte {
	a := math.Abs(v)
	if a >= 0.0009995 && a < 9999.5 {
		n := len(dst)
		if dst = strconv.AppendFloat(dst, roundSig(v, 3), 'f', -1, 64); len(dst)-n <= width {
			return dst
		}
		dst = dst[:n]
	}
	if a >= 9999.5 && a < 999.5e12 {
		n := len(dst)
		unit := math.Pow(1000, math.Floor(math.Log10(a)/3+1e-12))
		if dst = appendTickSI(dst, roundSig(v, 3), unit); len(dst)-n <= width {
			return dst
		}
		dst = dst[:n]
	}
	n := len(dst)
	if dst = appendExp(dst, v, 0, false); len(dst)-n <= width && v != 0 && math.Abs(v/roundSig(v, 1)-1) < 1e-9 {
		return dst
	}
	return AppendNumber(dst[:n], v, width)
}

// roundSig rounds to so many significant digits.
func roundSig(v float64, digits int) float64 {
	p := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(math.Abs(v))))
	if math.IsInf(p, 0) || p == 0 {
		return v
	}
	return math.Round(v*p) / p
}
