package formula

import "slices"

// Inner lists the expressions within some, each before those that it is part of.
func Inner(all []*Expr) (out []*Expr) {
	seen := map[*Expr]bool{}
	var visit func(e *Expr)
	visit = func(e *Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		for _, x := range e.Args {
			visit(x)
		}
		out = append(out, e)
	}
	for _, e := range all {
		visit(e)
	}
	return out
}

// Gradient returns the derivatives of an expression by dim coordinates, by reverse mode. They
// are those of Tape.Grad, where nothing behind a slope of zero is infinite.
func (s *Symbols) Gradient(e *Expr, dim int) []*Expr {
	zero := s.number(0)
	out := make([]*Expr, dim)
	for i := range out {
		out[i] = zero
	}
	slopes := map[*Expr]*Expr{e: s.number(1)}
	for _, x := range slices.Backward(Inner([]*Expr{e})) {
		g, ok := slopes[x]
		if !ok || !x.Varies || g == zero {
			continue
		}
		if x.Op == "coordinate" {
			out[x.Coordinate] = g
			continue
		}
		for i, by := range s.slopes(x) {
			a := x.Args[i]
			if !a.Varies {
				continue
			}
			more := s.mul(g, by())
			if a.Op == "square" && a.Args[0].Op == "coordinate" { // else terms in x² would be gathered
				a = a.Args[0]
				more = s.mul(more, s.mul(s.number(2), a))
			}
			if was, ok := slopes[a]; ok {
				more = s.add(was, more)
			}
			slopes[a] = more
		}
	}
	return out
}

// slopes are the derivatives of an operation by its operands.
func (s *Symbols) slopes(e *Expr) []func() *Expr {
	x := e.Args[0]
	y := e.Args[len(e.Args)-1]
	is := func(d *Expr) func() *Expr { return func() *Expr { return d } }
	one, two := s.number(1), s.number(2)
	by := func(f func() *Expr) []func() *Expr { return []func() *Expr{f} }
	switch e.Op {
	case "+":
		return []func() *Expr{is(one), is(one)}
	case "-":
		return []func() *Expr{is(one), is(s.number(-1))}
	case "*":
		return []func() *Expr{is(y), is(x)}
	case "/":
		return []func() *Expr{
			func() *Expr { return s.div(one, y) },
			func() *Expr { return s.neg(s.div(x, s.one("square", y))) },
		}
	case "^":
		return []func() *Expr{
			func() *Expr { return s.mul(y, s.power(x, s.sub(y, one))) },
			func() *Expr { return s.mul(e, s.one("log", x)) },
		}
	case "min", "max":
		below := s.do("less", x, y)
		if e.Op == "max" {
			below = s.do("less", y, x)
		}
		return []func() *Expr{is(below), func() *Expr { return s.sub(one, below) }}
	case "less":
		return []func() *Expr{is(s.number(0)), is(s.number(0))}
	case "logsumexp":
		return []func() *Expr{
			func() *Expr { return s.one("exp", s.sub(x, e)) },
			func() *Expr { return s.one("exp", s.sub(y, e)) },
		}
	case "neg":
		return by(is(s.number(-1)))
	case "square":
		return by(func() *Expr { return s.mul(two, x) })
	case "exp":
		return by(is(e))
	case "log":
		return by(func() *Expr { return s.div(one, x) })
	case "log1p":
		return by(func() *Expr { return s.div(one, s.add(one, x)) })
	case "expm1":
		return by(func() *Expr { return s.one("exp", x) })
	case "sqrt":
		return by(func() *Expr { return s.div(one, s.mul(two, e)) })
	case "abs":
		return by(func() *Expr { return s.one("sign", x) })
	case "sign":
		return by(is(s.number(0)))
	case "sin":
		return by(func() *Expr { return s.one("cos", x) })
	case "cos":
		return by(func() *Expr { return s.neg(s.one("sin", x)) })
	case "tan":
		return by(func() *Expr { return s.add(one, s.one("square", e)) })
	case "sinh":
		return by(func() *Expr { return s.one("cosh", x) })
	case "cosh":
		return by(func() *Expr { return s.one("sinh", x) })
	case "tanh":
		return by(func() *Expr { return s.sub(one, s.one("square", e)) })
	case "atan":
		return by(func() *Expr { return s.div(one, s.add(one, s.one("square", x))) })
	case "sigmoid":
		return by(func() *Expr { return s.mul(e, s.sub(one, e)) })
	case "softplus":
		return by(func() *Expr { return s.one("sigmoid", x) })
	case "lgamma":
		return by(func() *Expr { return s.one("digamma", x) })
	case "digamma":
		return by(func() *Expr { return s.one("trigamma", x) })
	}
	panic("formula: " + e.Op + " has no derivative")
}
