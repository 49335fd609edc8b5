package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A Bend is an axis that is linear around a middle and logarithmic beyond it on
// both sides, so that draws that run away stay on the plot with those that did
// not:
//
//	t = (x - Mid)/Half;  u = t for |t| ≤ 1, else ±(1 + Rise log₁₀|t|).
//
// The zero Bend is the identity.
type Bend struct{ Mid, Half, Rise float64 }

// NewBend returns the bend of an axis that is linear from lo to hi and reaches
// from there to far, the largest distance from its middle, in as much of its
// length again. It is the zero Bend where far is less than three times what is
// linear, which needs none, or where an end is not finite.
func NewBend(lo, hi, far float64) Bend {
	b := Bend{Mid: lo/2 + hi/2, Half: hi/2 - lo/2}
	decades := math.Log10(far / b.Half)
	if !(b.Half > 0) || !finite(b.Half) || !finite(b.Mid) || !(far > 3*b.Half) || !finite(decades) {
		return Bend{}
	}
	b.Rise = 1 / decades
	return b
}

// Bent reports whether b is not the identity.
func (b Bend) Bent() bool { return b.Half > 0 }

// To maps a value to the axis.
func (b Bend) To(x float64) float64 {
	if !b.Bent() {
		return x
	}
	t := (x - b.Mid) / b.Half
	if a := math.Abs(t); a > 1 {
		return math.Copysign(1+b.Rise*math.Log10(a), t)
	}
	return t
}

// From is the inverse of To.
func (b Bend) From(u float64) float64 {
	if !b.Bent() {
		return u
	}
	if a := math.Abs(u); a > 1 {
		u = math.Copysign(math.Pow(10, (a-1)/b.Rise), u)
	}
	return b.Mid + b.Half*u
}

// DrawBent is Draw for a window whose sides are in the units of two bends.
func (a Axes) DrawBent(g plane.Region, th theme.Theme, win Window, x, y Bend) plane.Region {
	yr, xr, corner, plot := a.split(g)
	if !win.Valid() || xr.W == 0 {
		return g.Sub(plot)
	}
	if x.Bent() {
		x.labelX(g.Sub(xr), th, win.X0, win.X1)
	} else {
		xa := newAxis(win.X0, win.X1, false, max(2, plot.W/8))
		xa.labelX(g.Sub(xr), th)
	}
	if y.Bent() {
		y.labelY(g.Sub(yr), th, win.Y0, win.Y1)
	} else {
		ya := newAxis(win.Y0, win.Y1, false, max(2, plot.H/3))
		ya.labelY(g.Sub(yr), th, rowFloor)
	}
	g.Sub(corner).Set(0, 0, th.Glyphs.AxisCorner, th.Faint)
	return g.Sub(plot)
}

// A bendTick is a tick at u with the value v.
type bendTick struct{ u, v float64 }

// ticks lists ticks between u0 and u1 in the order of importance: the middle, the
// ends of the linear part, then powers of ten outwards, about want of them a side.
func (b Bend) ticks(dst []bendTick, u0, u1 float64, want int) []bendTick {
	add := func(v float64) {
		if u := b.To(v); u >= u0 && u <= u1 && len(dst) < maxTicks {
			dst = append(dst, bendTick{u, v})
		}
	}
	step := niceStep(b.Half)
	if step > b.Half {
		step = niceStep(b.Half / 2)
	}
	mid := math.Round(b.Mid/step) * step
	for _, v := range [...]float64{mid, mid - step, mid + step} {
		if math.Abs(v-b.Mid) <= b.Half {
			add(v)
		}
	}
	top := math.Floor(math.Log10(b.From(max(u1, -u0))-b.Mid) + 1e-9)
	low := math.Ceil(math.Log10(b.Half) + 0.3)
	every := max(math.Ceil((top-low+1)/float64(max(want, 1))), 1)
	for d := top; d >= low; d -= every {
		v := math.Pow(10, d)
		add(v)
		add(-v)
	}
	return dst
}

func (b Bend) labelX(g plane.Region, th theme.Theme, u0, u1 float64) {
	w, h := g.Size()
	g.HLine(0, 0, w, th.Glyphs.Horizontal, th.Faint)
	var buf [maxTicks]bendTick
	var taken [maxTicks][2]int
	n := 0
next:
	for _, t := range b.ticks(buf[:0], u0, u1, max(w/24, 1)) {
		col := min(int((t.u-u0)/(u1-u0)*float64(w)), w-1)
		label := plane.LogTick(t.v, 8)
		size := plane.Width(label)
		left := max(min(max(col-size/2, 0), w-size), 0)
		for _, o := range taken[:n] {
			if left < o[1]+1 && o[0] < left+size+1 {
				continue next
			}
		}
		taken[n] = [2]int{left, left + size}
		n++
		if h > 1 {
			g.Set(col, 0, th.Glyphs.TickX, th.Faint)
			g.TextRight(left+size, 1, label, th.Dim)
			continue
		}
		g.Set(left-1, 0, ' ', plane.Style{})
		g.TextRight(left+size, 0, label, th.Dim)
		g.Set(left+size, 0, ' ', plane.Style{})
	}
}

func (b Bend) labelY(g plane.Region, th theme.Theme, u0, u1 float64) {
	w, h := g.Size()
	g.VLine(w-1, 0, h, th.Glyphs.Vertical, th.Faint)
	var buf [maxTicks]bendTick
	var taken [maxTicks]int
	n := 0
next:
	for _, t := range b.ticks(buf[:0], u0, u1, max(h/6, 1)) {
		row := rowFloor((t.u-u0)/(u1-u0), h)
		for _, o := range taken[:n] {
			if row == o {
				continue next
			}
		}
		taken[n] = row
		n++
		g.Set(w-1, row, th.Glyphs.TickY, th.Faint)
		g.TextRight(w-1, row, plane.LogTick(t.v, w-1), th.Dim)
	}
}
