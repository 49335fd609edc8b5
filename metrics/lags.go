package metrics

import "github.com/psgld/psgld-tui/nets/tool/simd"

//go:generate go run -C _gen . -out ../kernels_amd64.s -stubs ../kernels_stubs_amd64.go -pkg metrics
//go:generate go run -C _gen . neon -out ../kernels_arm64.s -stubs ../kernels_stubs_arm64.go -pkg metrics

// path is that of the kernels.
var path = simd.Active

// vectors reports whether they are in assembly.
func vectors() bool { return path != simd.Generic }

// addLags adds Σ_t x[t]·y[t+m] to a[m], and of a second pair of series to b[m]: each sum waits for its last
// addition, but not for the other's. There are 8 or 16 lags. With y starting len(a)-1 values before the
// lag-0 partner of x[0], a[m] is the sum at lag len(a)-1-m. y and v have len(a)-1 values more than x and u.
//
// Each accumulator takes its products one by one in the order of t, so cutting x in two changes no bit. The conversions
// around the products forbid fused multiply-add, so that the bits do not depend on the processor either.
func addLags(a, b, x, y, u, v []float64) {
	n, last := len(x), len(x)+len(a)-2
	if !vectors() || n == 0 {
		addLagsGeneric(a, b, x, y, u, v)
		return
	}
	_, _, _ = y[last], u[n-1], v[last]
	if len(a) == minLag {
		lags8((*[8]float64)(a), (*[8]float64)(b), &x[0], &y[0], &u[0], &v[0], n)
	} else {
		lags16((*[16]float64)(a), (*[16]float64)(b), &x[0], &y[0], &u[0], &v[0], n)
	}
}

func addLagsGeneric(a, b, x, y, u, v []float64) {
	for m := 0; m < len(a); m += 4 {
		addLags4((*[4]float64)(a[m:]), x, y[m:])
		addLags4((*[4]float64)(b[m:]), u, v[m:])
	}
}

// addLags4 does four lags. Four accumulators and four values in flight fit the sixteen vector registers of amd64 and
// cover the latency of addition; eight accumulators spill.
func addLags4(acc *[4]float64, x, y []float64) {
	a0, a1, a2, a3 := acc[0], acc[1], acc[2], acc[3]
	for len(x) >= 4 && len(y) >= 7 {
		r0, r1, r2, r3 := y[0], y[1], y[2], y[3]
		v := x[0]
		a0 += float64(v * r0)
		a1 += float64(v * r1)
		a2 += float64(v * r2)
		a3 += float64(v * r3)
		v, r0 = x[1], y[4]
		a0 += float64(v * r1)
		a1 += float64(v * r2)
		a2 += float64(v * r3)
		a3 += float64(v * r0)
		v, r1 = x[2], y[5]
		a0 += float64(v * r2)
		a1 += float64(v * r3)
		a2 += float64(v * r0)
		a3 += float64(v * r1)
		v, r2 = x[3], y[6]
		a0 += float64(v * r3)
		a1 += float64(v * r0)
		a2 += float64(v * r1)
		a3 += float64(v * r2)
		x, y = x[4:], y[4:]
	}
	for len(x) > 0 && len(y) >= 4 {
		v := x[0]
		a0 += float64(v * y[0])
		a1 += float64(v * y[1])
		a2 += float64(v * y[2])
		a3 += float64(v * y[3])
		x, y = x[1:], y[1:]
	}
	*acc = [4]float64{a0, a1, a2, a3}
}
