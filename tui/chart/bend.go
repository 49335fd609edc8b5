package chart

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A Bend is an axis that is linear around a middle and logarithmic beyond it on both
// sides, so that diverging draws fit on a plot with all others:
//
//	t = (x - mid)/half;  u = t for |t| ≤ 1, else ±(1 + rise log₁₀|t|).
//
// The zero Bend is the identity.
type Bend struct{ mid, half, rise float64 }

// BendsFrom is the least reach of a bend in halves of its linear part.
const BendsFrom = 3

// NewBend returns the bend of an axis that is linear in a range. Its logarithmic
// parts reach the distance far from the middle and are together as long as the linear
// part. It is the zero Bend if far is less than BendsFrom times half the linear part, or
// if an end is not finite.
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

// A bendTick is a tick at u with the value v.
type bendTick struct{ u, v float64 }

// ticks lists ticks in a range of the axis, the most important first: the middle, the ends
// of the linear part, then powers of ten, about want on each side.
func (b Bend) ticks(shown Range, want int) (list []bendTick) {
	if !b.Bent() {
		return nil
	}
	add := func(v float64) {
		if u := b.To(v); shown.Contains(u) && len(list) < maxTicks {
			list = append(list, bendTick{u, v})
		}
	}
	step := niceStep(b.half)
	if step > b.half {
		step = niceStep(b.half / 2)
	}
	mid := math.Round(b.mid/step) * step
	for _, v := range [...]float64{mid, mid - step, mid + step} {
		if math.Abs(v-b.mid) <= b.half {
			add(v)
		}
	}
	top := math.Floor(math.Log10(b.From(max(shown.Hi, -shown.Lo))-b.mid) + 1e-9)
	low := math.Ceil(math.Log10(b.half) + 0.3)
	every := max(math.Ceil((top-low+1)/float64(max(want, 1))), 1)
	for d := top; d >= low; d -= every {
		v := math.Pow(10, d)
		add(v)
		add(-v)
	}
	return list
}

func (b Bend) labelX(g plane.Region, th theme.Theme, shown Range) {
	w := g.W()
	g.HLine(0, 0, w, th.Glyphs.Horizontal, th.Faint)
	var taken [][2]int
	for _, t := range b.ticks(shown, max(w/24, 1)) {
		col, label := min(int(shown.Frac(t.u, false)*float64(w)), w-1), plane.LogTick(t.v, 8)
		left, right := labelSpan(col, label, w)
		if slices.ContainsFunc(taken, func(o [2]int) bool { return left < o[1]+1 && o[0] < right+1 }) {
			continue
		}
		taken = append(taken, [2]int{left, right})
		if g.H() > 1 {
			g.Set(col, 0, th.Glyphs.TickX, th.Faint)
		}
		tickX(g, th, left, label)
	}
}

func (b Bend) labelY(g plane.Region, th theme.Theme, shown Range) {
	w, h := g.Size()
	g.VLine(w-1, 0, h, th.Glyphs.Vertical, th.Faint)
	var taken []int
	for _, t := range b.ticks(shown, max(h/6, 1)) {
		row := rowFloor(shown.Frac(t.u, false), h)
		if slices.Contains(taken, row) {
			continue
		}
		taken = append(taken, row)
		g.Set(w-1, row, th.Glyphs.TickY, th.Faint)
		g.TextRight(w-1, row, plane.LogTick(t.v, w-1), th.Dim)
	}
}
