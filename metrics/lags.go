package metrics

//go:generate go run -C _gen . -out ../lags_amd64.s -stubs ../lags_stubs_amd64.go -pkg metrics

// The lag kernels add Σ_t x[t]·y[t+m] to acc[m]: with y starting lagCount-1 values before the lag-0 partner of x[0],
// acc[m] is the sum at lag lagCount-1-m. y has len(x)+7 values for addLags8, and len(x)+15 for addLags16.
//
// Each accumulator takes its products one by one in the order of t, so cutting x in two changes no bit. The conversions
// around the products forbid fused multiply-add, so that the bits do not depend on the processor either.

func addLags8Generic(acc *[8]float64, x, y []float64) {
	addLags4((*[4]float64)(acc[:4]), x, y)
	addLags4((*[4]float64)(acc[4:]), x, y[4:])
}

func addLags16Generic(acc *[16]float64, x, y []float64) {
	addLags8Generic((*[8]float64)(acc[:8]), x, y)
	addLags8Generic((*[8]float64)(acc[8:]), x, y[8:])
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

// sum adds x in four interleaved partial sums, an order that depends on len(x) alone.
func sum(x []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(x) >= 4 {
		s0 += x[0]
		s1 += x[1]
		s2 += x[2]
		s3 += x[3]
		x = x[4:]
	}
	for _, v := range x {
		s0 += v
	}
	return (s0 + s1) + (s2 + s3)
}

// halve sets dst to the averages of successive pairs of x.
func halve(dst, x []float64) {
	for len(dst) >= 4 && len(x) >= 8 {
		dst[0] = 0.5 * (x[0] + x[1])
		dst[1] = 0.5 * (x[2] + x[3])
		dst[2] = 0.5 * (x[4] + x[5])
		dst[3] = 0.5 * (x[6] + x[7])
		dst, x = dst[4:], x[8:]
	}
	for len(dst) > 0 && len(x) >= 2 {
		dst[0] = 0.5 * (x[0] + x[1])
		dst, x = dst[1:], x[2:]
	}
}
