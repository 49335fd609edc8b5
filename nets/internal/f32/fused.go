package f32

import "math"

// fused is x·y + z rounded once, as processors' fused multiply-add: the definition of what
// all paths but generic do to a term of a sum. Only the bits of a NaN may differ.
//
// The product is exact in float64, and so only the sum rounds there. Rounding that again
// to float32 differs from rounding once only where the first result is halfway between two
// neighbours, and then by which side of it the sum was on.
func fused(x, y, z float32) float32 {
	p, c := float64(float64(x)*float64(y)), float64(z)
	s := p + c
	// Above the least normal number halfway means one bit and 28 zeros behind float32's.
	const behind, half, sign = 1<<29 - 1, 1 << 28, 1 << 63
	b := math.Float64bits(s)
	if b&behind == half || b&^uint64(sign) < leastNormal {
		s = toOdd(s, p, c)
	}
	return float32(s)
}

// leastNormal is the bits of 2⁻¹²⁶ in float64.
const leastNormal = (1023 - 126) << 52

// toOdd returns s where that is p + c, and else, of the two neighbours in float64 that p + c
// is between, the one with an odd last bit, which is no midpoint for any narrower format.
func toOdd(s, p, c float64) float64 {
	// What the sum rounded away is a float64 number (Knuth's two-sum).
	t := s - p
	low := (p - (s - t)) + (c - t)
	b := math.Float64bits(s)
	switch {
	case low == 0 || low != low || b&1 == 1:
		return s
	case (low > 0) == (s > 0): // the sum is beyond s, away from 0
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// A term of a sum is added by these: y += a·x, and s + Σ x·y in order.

func (pt path) addTimes(y []float32, a float32, x []float32) {
	if pt == generic {
		axpyGeneric(y, a, x)
		return
	}
	x = x[:len(y)]
	for i, v := range y {
		y[i] = fused(a, x[i], v)
	}
}

func (pt path) dot(s float32, x, y []float32) float32 {
	y = y[:len(x)]
	if pt == generic {
		for i, v := range x {
			s += float32(v * y[i])
		}
		return s
	}
	for i, v := range x {
		s = fused(v, y[i], s)
	}
	return s
}
