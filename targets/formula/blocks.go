package formula

import (
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/logistic"
)

func (c *rowInstruction) forward(s *rowScratch, m int) {
	out := s.v[c.out][:m]
	if c.sum != nil {
		c.sum.forward(s, out)
		return
	}
	x := s.v[c.a][:m]
	switch c.op {
	case neg:
		for i, x := range x {
			out[i] = -x
		}
	case square:
		for i, x := range x {
			out[i] = float64(x * x)
		}
	case mul:
		for i, y := range s.v[c.b][:m] {
			out[i] = float64(x[i] * y)
		}
	case div:
		for i, y := range s.v[c.b][:m] {
			out[i] = x[i] / y
		}
	case exp:
		for i, x := range x {
			out[i] = libm.Exp(x)
		}
	case log:
		for i, x := range x {
			out[i] = libm.Log(x)
		}
	default:
		if c.op < add {
			f := singles[c.op].value
			for i, x := range x {
				out[i] = f(x)
			}
			return
		}
		for i, y := range s.v[c.b][:m] {
			out[i] = c.op.apply(x[i], y)
		}
	}
}

func (u *sum) forward(s *rowScratch, out []float64) {
	base := 0.0
	for _, t := range u.scalars {
		base += float64(t.sign * s.one.v[t.scalar])
	}
	for i := range out {
		out[i] = base
	}
	m := len(out)
	for _, t := range u.others {
		for i, x := range s.v[t.x][:m] {
			out[i] += float64(t.sign * x)
		}
	}
	p := u.products
	for ; len(p) >= 4; p = p[4:] {
		k0, k1 := float64(p[0].sign*s.one.v[p[0].scalar]), float64(p[1].sign*s.one.v[p[1].scalar])
		k2, k3 := float64(p[2].sign*s.one.v[p[2].scalar]), float64(p[3].sign*s.one.v[p[3].scalar])
		x0, x1, x2, x3 := s.v[p[0].x][:m], s.v[p[1].x][:m], s.v[p[2].x][:m], s.v[p[3].x][:m]
		for i := range out {
			out[i] += float64(k0*x0[i]) + float64(k1*x1[i]) + (float64(k2*x2[i]) + float64(k3*x3[i]))
		}
	}
	for _, t := range p {
		k := float64(t.sign * s.one.v[t.scalar])
		for i, x := range s.v[t.x][:m] {
			out[i] += float64(k * x)
		}
	}
}

func (u *sum) reverse(s *rowScratch, g []float64, slope []bool) {
	m, total := len(g), 0.0
	if len(u.scalars) > 0 {
		for _, g := range g {
			total += g
		}
	}
	for _, t := range u.scalars {
		s.s[t.scalar] += float64(t.sign * total)
	}
	for _, t := range u.others {
		if slope[t.x] {
			d := s.d[t.x][:m]
			for i, g := range g {
				d[i] += float64(t.sign * g)
			}
		}
	}
	for p := u.products; len(p) > 0; p = p[min(len(p), 4):] {
		last := min(len(p), 4) - 1 // which stands for those that there are not
		x0, x1 := s.v[p[0].x][:m], s.v[p[min(1, last)].x][:m]
		x2, x3 := s.v[p[min(2, last)].x][:m], s.v[p[last].x][:m]
		var y0, y1, y2, y3 float64
		for i, g := range g {
			y0 += float64(g * x0[i])
			y1 += float64(g * x1[i])
			y2 += float64(g * x2[i])
			y3 += float64(g * x3[i])
		}
		y := [4]float64{y0, y1, y2, y3}
		for k, t := range p[:last+1] {
			s.s[t.scalar] += float64(t.sign * y[k])
		}
	}
}

// reverse adds the slopes of what c reads, where that has any.
func (c *rowInstruction) reverse(s *rowScratch, m int, slope []bool) {
	g := s.d[c.out][:m]
	if c.sum != nil {
		c.sum.reverse(s, g, slope)
		return
	}
	v, x := s.v[c.out][:m], s.v[c.a][:m]
	var da, db, y []float64
	if slope[c.a] {
		da = s.d[c.a][:m]
	}
	if c.op >= add {
		if y = s.v[c.b][:m]; slope[c.b] {
			db = s.d[c.b][:m]
		}
	}
	switch c.op {
	case neg:
		for i, g := range g {
			da[i] -= g
		}
	case square:
		for i, g := range g {
			da[i] += float64(2 * g * x[i])
		}
	case mul:
		if da != nil {
			for i, g := range g {
				da[i] += float64(g * y[i])
			}
		}
		if db != nil {
			for i, g := range g {
				db[i] += float64(g * x[i])
			}
		}
	case div:
		for i, g := range g {
			g /= y[i]
			if da != nil {
				da[i] += g
			}
			if db != nil {
				db[i] -= float64(g * v[i])
			}
		}
	case exp:
		for i, g := range g {
			da[i] += float64(g * v[i])
		}
	case softplus: // whose value nothing needs any more
		copy(v, x)
		logistic.SigmoidAll(v)
		for i, g := range g {
			da[i] += float64(g * v[i])
		}
	case power, raise, least, most, logadd:
		for i, g := range g {
			if g == 0 {
				continue
			}
			byX, byY := c.op.slopes(x[i], y[i], v[i])
			if da != nil {
				da[i] += float64(g * byX)
			}
			if db != nil {
				db[i] += float64(g * byY)
			}
		}
	default:
		f := singles[c.op].slope
		for i, g := range g {
			if g != 0 {
				da[i] += float64(g * f(x[i], v[i]))
			}
		}
	}
}

// slopes are the derivatives of an operation with two operands that is none of arithmetic.
func (o op) slopes(x, y, v float64) (byX, byY float64) {
	switch o {
	case raise:
		return float64(y * pow(x, y-1)), 0
	case power:
		return powerSlopes(x, y, v)
	case logadd:
		return share(x, y)
	}
	if (x < y) == (o == least) {
		return 1, 0
	}
	return 0, 1
}
