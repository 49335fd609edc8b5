package formula

import (
	"math"
	"sync"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// An instruction writes op of the slots a and b to the slot out.
type instruction struct {
	op        op
	out, a, b int32
}

// A Tape is a formula with its parameters' values, as instructions in order. It is safe for use by several goroutines.
type Tape struct {
	dim   int
	code  []instruction
	start []float64 // of the slots: zeros, and constants where they stand
	root  int32
	pool  sync.Pool // of *scratch
}

// scratch has a number for each slot: its value v and ∂/∂v of the result, and the
// derivatives of both along a direction.
type scratch struct{ v, d, vdot, ddot []float64 }

// Dim is the number of coordinates.
func (t *Tape) Dim() int { return t.dim }

// Len is the number of instructions.
func (t *Tape) Len() int { return len(t.code) }

func (t *Tape) take() *scratch {
	if s, ok := t.pool.Get().(*scratch); ok {
		return s
	}
	n := len(t.start)
	all := make([]float64, 3*n)
	return &scratch{v: append([]float64(nil), t.start...), d: all[:n:n], vdot: all[n : 2*n : 2*n], ddot: all[2*n:]}
}

// Value is the formula at theta.
func (t *Tape) Value(theta []float64) float64 {
	s := t.take()
	t.forward(s, theta)
	y := s.v[t.root]
	t.pool.Put(s)
	return y
}

// Grad writes the gradient at theta to dst and returns the value, by reverse mode. Where the
// formula is not a number, neither is its gradient: log x has none at x < 0.
func (t *Tape) Grad(dst, theta []float64) float64 {
	s := t.take()
	t.forward(s, theta)
	t.reverse(s)
	copy(dst[:t.dim], s.d)
	y := s.v[t.root]
	if y != y {
		undefined(dst[:t.dim])
	}
	t.pool.Put(s)
	return y
}

// HessianVec writes the Hessian's product with vec to dst, by a tangent through the reverse mode.
func (t *Tape) HessianVec(dst, theta, vec []float64) {
	s := t.take()
	t.forward(s, theta)
	clear(s.vdot)
	copy(s.vdot, vec[:t.dim])
	t.tangent(s)
	copy(dst[:t.dim], s.ddot)
	t.pool.Put(s)
}

// GradHessian writes the gradient to dst and the Hessian's diagonal to hess.
func (t *Tape) GradHessian(dst, hess, theta []float64) {
	s := t.take()
	t.forward(s, theta)
	for i := range t.dim {
		clear(s.vdot)
		s.vdot[i] = 1
		t.tangent(s)
		hess[i] = s.ddot[i]
	}
	t.reverse(s)
	copy(dst[:t.dim], s.d)
	if y := s.v[t.root]; y != y {
		undefined(dst[:t.dim])
		undefined(hess[:t.dim])
	}
	t.pool.Put(s)
}

func undefined(x []float64) {
	for i := range x {
		x[i] = math.NaN()
	}
}

// forward works out every slot's value.
func (t *Tape) forward(s *scratch, theta []float64) {
	v := s.v
	copy(v, theta[:t.dim])
	for _, c := range t.code {
		x := v[c.a]
		var y float64
		switch c.op {
		case neg:
			y = -x
		case square:
			y = float64(x * x)
		case add:
			y = x + v[c.b]
		case sub:
			y = x - v[c.b]
		case mul:
			y = float64(x * v[c.b])
		case div:
			y = x / v[c.b]
		case exp:
			y = libm.Exp(x)
		case log:
			y = libm.Log(x)
		default:
			y = c.op.apply(x, v[c.b])
		}
		v[c.out] = y
	}
}

// powerSlopes are ∂xʸ/∂x and ∂xʸ/∂y, with p = xʸ.
func powerSlopes(x, y, p float64) (byX, byY float64) {
	if y != 0 {
		byX = float64(y * pow(x, y-1))
	}
	if p != 0 {
		byY = float64(p * libm.Log(x)) // NaN for x < 0, where y may not change
	}
	return byX, byY
}

// share is e^(x-max) over the sum of both, of x and y.
func share(x, y float64) (ofX, ofY float64) {
	switch {
	case x == y:
		return 0.5, 0.5
	case x < y:
		e := libm.Exp(x - y)
		return e / (1 + e), 1 / (1 + e)
	}
	e := libm.Exp(y - x)
	return 1 / (1 + e), e / (1 + e)
}

// reverse works out d from v, from the result back. What the result does not depend on at this
// point passes nothing on, so that an infinite slope behind it does no harm.
func (t *Tape) reverse(s *scratch) {
	clear(s.d)
	s.d[t.root] = 1
	t.back(s)
}

// back adds the slopes of d to those of what they hang on.
func (t *Tape) back(s *scratch) {
	v, d := s.v, s.d
	for i := len(t.code) - 1; i >= 0; i-- {
		c := &t.code[i]
		g := d[c.out]
		if g == 0 {
			continue
		}
		switch c.op {
		case neg:
			d[c.a] -= g
		case square:
			d[c.a] += float64(2 * g * v[c.a])
		case add:
			d[c.a] += g
			d[c.b] += g
		case sub:
			d[c.a] += g
			d[c.b] -= g
		case mul:
			x, y := v[c.a], v[c.b]
			d[c.a] += float64(g * y)
			d[c.b] += float64(g * x)
		case div:
			g /= v[c.b]
			d[c.a] += g
			d[c.b] -= float64(g * v[c.out])
		case exp:
			d[c.a] += float64(g * v[c.out])
		case raise:
			y := v[c.b]
			d[c.a] += float64(g * float64(y*pow(v[c.a], y-1)))
		case power:
			x, y := v[c.a], v[c.b]
			byX, byY := powerSlopes(x, y, v[c.out])
			d[c.a] += float64(g * byX)
			d[c.b] += float64(g * byY)
		case least, most:
			if x, y := v[c.a], v[c.b]; (x < y) == (c.op == least) {
				d[c.a] += g
			} else {
				d[c.b] += g
			}
		case logadd:
			p, q := share(v[c.a], v[c.b])
			d[c.a] += float64(g * p)
			d[c.b] += float64(g * q)
		default:
			d[c.a] += float64(g * singles[c.op].slope(v[c.a], v[c.out]))
		}
	}
}

// tangent works out vdot from that of the coordinates, then d and ddot.
func (t *Tape) tangent(s *scratch) {
	v, d, w, e := s.v, s.d, s.vdot, s.ddot
	for i := range t.code {
		c := &t.code[i]
		x, xdot := v[c.a], w[c.a]
		switch c.op {
		case add:
			w[c.out] = xdot + w[c.b]
		case sub:
			w[c.out] = xdot - w[c.b]
		case mul:
			w[c.out] = float64(xdot*v[c.b]) + float64(x*w[c.b])
		case div:
			w[c.out] = (xdot - float64(v[c.out]*w[c.b])) / v[c.b]
		case power, raise:
			byX, byY := powerSlopes(x, v[c.b], v[c.out])
			y := 0.0
			if xdot != 0 {
				y = float64(byX * xdot)
			}
			if w[c.b] != 0 {
				y += float64(byY * w[c.b])
			}
			w[c.out] = y
		case least, most:
			if (x < v[c.b]) != (c.op == least) {
				xdot = w[c.b]
			}
			w[c.out] = xdot
		case logadd:
			p, q := share(x, v[c.b])
			w[c.out] = float64(p*xdot) + float64(q*w[c.b])
		default:
			if xdot == 0 {
				w[c.out] = 0
				continue
			}
			w[c.out] = float64(singles[c.op].slope(x, v[c.out]) * xdot)
		}
	}
	clear(d)
	clear(e)
	d[t.root] = 1
	for i := len(t.code) - 1; i >= 0; i-- {
		c := &t.code[i]
		g, h := d[c.out], e[c.out]
		if g == 0 && h == 0 {
			continue
		}
		x, xdot := v[c.a], w[c.a]
		switch c.op {
		case add:
			d[c.a], e[c.a] = d[c.a]+g, e[c.a]+h
			d[c.b], e[c.b] = d[c.b]+g, e[c.b]+h
		case sub:
			d[c.a], e[c.a] = d[c.a]+g, e[c.a]+h
			d[c.b], e[c.b] = d[c.b]-g, e[c.b]-h
		case mul:
			y, ydot := v[c.b], w[c.b]
			d[c.a] += float64(g * y)
			e[c.a] += float64(h*y) + float64(g*ydot)
			d[c.b] += float64(g * x)
			e[c.b] += float64(h*x) + float64(g*xdot)
		case div:
			// With q = x/y: ∂q/∂x = 1/y and ∂q/∂y = -q/y.
			y, ydot, q, qdot := v[c.b], w[c.b], v[c.out], w[c.out]
			g /= y
			h = (h - float64(g*ydot)) / y // the tangent of g/y
			d[c.a], e[c.a] = d[c.a]+g, e[c.a]+h
			d[c.b] -= float64(g * q)
			e[c.b] -= float64(h*q) + float64(g*qdot)
		case power, raise:
			y, ydot, p := v[c.b], w[c.b], v[c.out]
			byX, byY := powerSlopes(x, y, p)
			// The second derivatives: y(y-1) xʸ⁻², xʸ⁻¹ (1 + y log x) and xʸ log² x.
			bendX := 0.0
			if k := float64(y * (y - 1)); k != 0 {
				bendX = float64(k * pow(x, y-2))
			}
			d[c.a] += float64(g * byX)
			e[c.a] += float64(h*byX) + float64(g*bendX*xdot)
			if c.op == raise {
				continue
			}
			l := libm.Log(x)
			both := float64(pow(x, y-1) * (1 + float64(y*l)))
			e[c.a] += float64(g * both * ydot)
			d[c.b] += float64(g * byY)
			e[c.b] += float64(h*byY) + float64(g*(float64(both*xdot)+float64(byY*l*ydot)))
		case least, most:
			at := c.a
			if (x < v[c.b]) != (c.op == least) {
				at = c.b
			}
			d[at], e[at] = d[at]+g, e[at]+h
		case logadd:
			p, q := share(x, v[c.b])
			both := float64(p * q * (xdot - w[c.b])) // the tangent of p, and of -q
			d[c.a] += float64(g * p)
			e[c.a] += float64(h*p) + float64(g*both)
			d[c.b] += float64(g * q)
			e[c.b] += float64(h*q) - float64(g*both)
		default:
			f1 := singles[c.op].slope(x, v[c.out])
			d[c.a] += float64(g * f1)
			e[c.a] += float64(h * f1)
			if xdot != 0 {
				e[c.a] += float64(g * singles[c.op].bend(x, v[c.out], f1) * xdot)
			}
		}
	}
}
