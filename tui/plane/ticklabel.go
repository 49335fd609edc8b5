package plane

import (
	"math"
	"strconv"
)

// AppendTick appends the label of a tick: as many decimals as step needs and no
// more, without the zero before the point where that makes them fit, SI units from
// ten thousand, powers of ten for the very small. step 0 formats the value alone, as
// on a log axis.
func AppendTick(dst []byte, v, step float64, width int) []byte {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return AppendNumber(dst, v, width)
	}
	if step <= 0 {
		return AppendLogTick(dst, v, width)
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

// AppendLogTick appends a value that is a small multiple of a power of ten.
func AppendLogTick(dst []byte, v float64, width int) []byte {
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
