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

// Gradient returns the derivatives of an expression by its first dim coordinates, by reverse mode. They
// are those of Tape.Grad, where nothing behind a slope of zero is infinite.
func (s *Symbols) Gradient(e *Expr, dim int) []*Expr {
	zero := s.number(0)
	out := slices.Repeat([]*Expr{zero}, dim)
	slopes := map[*Expr]*Expr{e: s.number(1)}
	for _, x := range slices.Backward(Inner([]*Expr{e})) {
		g, ok := slopes[x]
		if !ok || !x.Varies || g == zero {
			continue
		}
		if x.Op == "coordinate" {
			if x.Coordinate < dim {
				out[x.Coordinate] = g
			}
			continue
		}
		for i, by := range s.slopes(x) {
			a := x.Args[i]
			if !a.Varies || by.is(0) {
				continue
			}
			more := s.mul(g, by)
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
func (s *Symbols) slopes(e *Expr) []*Expr {
	x, y := e.Args[0], e.Args[len(e.Args)-1]
	one := s.number(1)
	switch e.Op {
	case "+":
		return []*Expr{one, one}
	case "-":
		return []*Expr{one, s.number(-1)}
	case "*":
		return []*Expr{y, x}
	case "/":
		return []*Expr{s.div(one, y), s.neg(s.div(x, s.one("square", y)))}
	case "^":
		return []*Expr{s.mul(y, s.power(x, s.sub(y, one))), s.mul(e, s.one("log", x))}
	case "min":
		below := s.do("less", x, y)
		return []*Expr{below, s.sub(one, below)}
	case "max":
		below := s.do("less", y, x)
		return []*Expr{below, s.sub(one, below)}
	case "less":
		return []*Expr{s.number(0), s.number(0)}
	case "logsumexp":
		return []*Expr{s.one("exp", s.sub(x, e)), s.one("exp", s.sub(y, e))}
	case "sign":
		return []*Expr{s.number(0)}
	case "digamma":
		return []*Expr{s.one("trigamma", x)}
	}
	of := slices.IndexFunc(singles[:], func(f single) bool { return f.name == e.Op })
	return []*Expr{singles[of].formula(s, x, e)}
}
