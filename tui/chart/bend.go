package chart

import "math"

// A Bend is an axis that is linear around a middle and logarithmic beyond it on both
// sides, so that diverging draws fit on a plot with all others:
//
//	t = (x - mid)/half;  u = t for |t| ≤ 1, else ±(1 + rise log₁₀|t|).
//
// The zero Bend is the identity.
type Bend struct{ mid, half, rise float64 }

// BendsFrom is the least reach of a bend in halves of its linear part.
const BendsFrom = 3

// NewBend returns the bend of an axis that is linear in a range. Its logarithmic parts reach the distance far from the
// middle and are together as long as the linear part. It is the zero Bend if far is less than BendsFrom times half the
// linear part, or if an end is not finite.
func NewBend(linear Range, far float64) Bend {
	b := Bend{mid: linear.Mid(), half: linear.Hi/2 - linear.Lo/2}
	decades := math.Log10(far / b.half)
	if !(b.half > 0) || !finite(b.half) || !finite(b.mid) || !(far > BendsFrom*b.half) || !finite(decades) {
		return Bend{}
	}
	b.rise = 1 / decades
	return b
}

// Bent reports whether b is not the identity.
func (b Bend) Bent() bool { return b.half > 0 }

// To maps a value to the axis.
func (b Bend) To(x float64) float64 {
	if !b.Bent() {
		return x
	}
	t := (x - b.mid) / b.half
	if a := math.Abs(t); a > 1 {
		return math.Copysign(1+b.rise*math.Log10(a), t)
	}
	return t
}

// From is the inverse of To.
func (b Bend) From(u float64) float64 {
	if !b.Bent() {
		return u
	}
	if a := math.Abs(u); a > 1 {
		u = math.Copysign(math.Pow(10, (a-1)/b.rise), u)
	}
	return b.mid + b.half*u
}

// axis is the part of the bent axis that is shown, with about so many powers of ten on each side as ticks, after
// the middle and the ends of the linear part.
func (b Bend) axis(shown Range, want int) Axis {
	a := Axis{Range: shown, bend: b}
	if !b.Bent() {
		return a
	}
	add := func(v float64) {
		if shown.Contains(b.To(v)) && len(a.ticks) < maxTicks {
			a.ticks = append(a.ticks, v)
		}
	}
	step := NiceStep(b.half)
	if step > b.half {
		step = NiceStep(b.half / 2)
	}
	mid := math.Round(b.mid/step) * step
	for _, v := range [...]float64{mid, mid - step, mid + step} {
		if math.Abs(v-b.mid) <= b.half {
			add(v)
		}
	}
	top := math.Floor(math.Log10(b.From(max(shown.Hi, -shown.Lo))-b.mid) + 1e-9)
	low := math.Ceil(math.Log10(b.half) + 0.3)
	every := max(math.Ceil((top-low+1)/float64(want)), 1)
	for d := top; d >= low; d -= every {
		v := math.Pow(10, d)
		add(v)
		add(-v)
	}
	return a
}
