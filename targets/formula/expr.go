package formula

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

// An Expr is a formula, or a derivative of one, in a form that can be written in another
// language. Equal parts of the expressions of one formula are one Expr.
type Expr struct {
	// Op is what is done to Args: "+", "-", "*", "/" and "^" to two of them, "neg" and "square" to one, and else what
	// the function of that name does: one of Functions with one value, "min", "max" and "logsumexp" with two, and of
	// derivatives "digamma", "trigamma", "sign" and "less", which is 1 where the first is below the second and else 0.
	// It is "number", "name" or "coordinate" where there are no Args.
	Op         string
	Args       []*Expr
	Number     float64 // of a number
	Name       string  // of a name, which is that of a parameter
	Coordinate int     // from 0
	// Varies says that a coordinate stands somewhere in it.
	Varies bool
}

// Symbols are the expressions of a formula.
type Symbols struct {
	Value *Expr
	// Shown are the coordinates by where they are stepped, nil without bounds. Rows is what a model says of each row,
	// to be summed and added to Value; nil of a formula.
	Shown []*Expr
	Rows  *Expr
	seen  map[symbol]*Expr
}

// A symbol is what makes an Expr what it is.
type symbol struct {
	op         string
	a, b       *Expr
	bits       uint64
	name       string
	coordinate int
}

// Symbols returns the formula with its parameters as names, by where coordinates are stepped. Densities are written
// out. The scale may be nil.
func (f *Formula) Symbols(scale *Scale) *Symbols {
	dim := f.Dim
	if scale != nil {
		dim = len(scale.limits)
	}
	// Parameters are coordinates of the tape, so that nothing is worked out of them.
	b, shown, root := f.build(dim+len(f.Params), scale, func(_ *builder, name string) slot {
		i := slices.IndexFunc(f.Params, func(p Param) bool { return p.Name == name })
		return slot(dim + i)
	})
	s := &Symbols{seen: map[symbol]*Expr{}}
	all := s.of(b, dim, f.Params)
	s.Value = all[root]
	if scale != nil {
		s.Shown = list.Map(shown, func(x slot) *Expr { return all[x] })
	}
	return s
}

// of are the expressions of a tape's slots. names are those of the last coordinates from the dim-th on, if any.
func (s *Symbols) of(b *builder, dim int, names []Param) []*Expr {
	all := make([]*Expr, len(b.t.start))
	for i, x := range b.t.start {
		switch {
		case i < b.t.dim && (i < dim || names == nil):
			all[i] = s.intern(symbol{op: "coordinate", coordinate: i})
		case i < b.t.dim:
			all[i] = s.intern(symbol{op: "name", name: names[i-dim].Name})
		case b.fixed[i]:
			all[i] = s.number(x)
		}
	}
	for _, c := range b.t.code {
		all[c.out] = s.do(c.op.String(), all[c.a], all[c.b])
	}
	return all
}

// intern returns the one Expr of a symbol.
func (s *Symbols) intern(k symbol) *Expr {
	if e, ok := s.seen[k]; ok {
		return e
	}
	e := &Expr{Op: k.op, Number: math.Float64frombits(k.bits), Name: k.name, Coordinate: k.coordinate,
		Varies: k.op == "coordinate"}
	for _, x := range []*Expr{k.a, k.b} {
		if x != nil {
			e.Args = append(e.Args, x)
			e.Varies = e.Varies || x.Varies
		}
	}
	s.seen[k] = e
	return e
}

func (s *Symbols) number(x float64) *Expr {
	if x == 0 {
		x = 0 // without a sign
	}
	return s.intern(symbol{op: "number", bits: math.Float64bits(x)})
}

// is reports whether e is a number.
func (e *Expr) is(x float64) bool { return e.Op == "number" && e.Number == x }

// partial reports whether e is NaN for some coordinates. A product with 0 is that too: it is how a
// density ends with its support.
func (e *Expr) partial() bool {
	ends := e.Op == "log" || e.Op == "log1p" || e.Op == "sqrt"
	return e.Varies && (ends || slices.ContainsFunc(e.Args, (*Expr).partial))
}

// do is an operation, simplified. y stands for nothing where the operation has one operand.
func (s *Symbols) do(op string, x, y *Expr) *Expr {
	switch op {
	case "neg":
		return s.neg(x)
	case "+":
		return s.add(x, y)
	case "-":
		return s.sub(x, y)
	case "*":
		return s.mul(x, y)
	case "/":
		return s.div(x, y)
	case "^":
		return s.power(x, y)
	case "min", "max", "logsumexp", "less":
		return s.intern(symbol{op: op, a: x, b: y})
	}
	return s.intern(symbol{op: op, a: x})
}

func (s *Symbols) one(op string, x *Expr) *Expr { return s.do(op, x, nil) }

// minus returns what a negated expression is the negative of.
func (s *Symbols) minus(e *Expr) (*Expr, bool) {
	switch {
	case e.Op == "neg":
		return e.Args[0], true
	case e.Op == "number" && e.Number < 0:
		return s.number(-e.Number), true
	}
	return e, false
}

func (s *Symbols) neg(x *Expr) *Expr {
	if x.Op == "number" {
		return s.number(-x.Number)
	}
	if y, ok := s.minus(x); ok {
		return y
	}
	if x.Op == "-" {
		return s.sub(x.Args[1], x.Args[0])
	}
	return s.intern(symbol{op: "neg", a: x})
}

func (s *Symbols) add(x, y *Expr) *Expr {
	switch {
	case x.Op == "number" && y.Op == "number":
		return s.number(x.Number + y.Number)
	case x.is(0):
		return y
	case y.is(0):
		return x
	case x == y:
		return s.mul(s.number(2), x)
	}
	if z, ok := s.minus(y); ok {
		return s.sub(x, z)
	}
	if z, ok := s.minus(x); ok {
		return s.sub(y, z)
	}
	return s.intern(symbol{op: "+", a: x, b: y})
}

func (s *Symbols) sub(x, y *Expr) *Expr {
	switch {
	case x.Op == "number" && y.Op == "number":
		return s.number(x.Number - y.Number)
	case y.is(0):
		return x
	case x.is(0):
		return s.neg(y)
	case x == y:
		return s.number(0)
	}
	if z, ok := s.minus(y); ok {
		return s.add(x, z)
	}
	return s.intern(symbol{op: "-", a: x, b: y})
}

// split writes a product as a number times the rest, 1 for none.
func (s *Symbols) split(e *Expr) (c float64, rest *Expr) {
	switch {
	case e.Op == "number":
		return e.Number, s.number(1)
	case e.Op == "neg":
		c, rest = s.split(e.Args[0])
		return -c, rest
	case e.Op == "*" && e.Args[0].Op == "number":
		return e.Args[0].Number, e.Args[1]
	}
	return 1, e
}

// scaled is c times e.
func (s *Symbols) scaled(c float64, e *Expr) *Expr {
	d, e := s.split(e)
	switch c *= d; {
	case e.is(1) || c == 0 && !e.partial():
		return s.number(c)
	case c == 1:
		return e
	case c < 0:
		return s.neg(s.scaled(-c, e))
	}
	return s.intern(symbol{op: "*", a: s.number(c), b: e})
}

// mul has its number in front, and a quotient's divisor at the end.
func (s *Symbols) mul(x, y *Expr) *Expr {
	c, a := s.split(x)
	d, b := s.split(y)
	switch {
	case a.is(1):
		return s.scaled(c*d, b)
	case b.is(1):
		return s.scaled(c*d, a)
	case a.Op == "/":
		return s.div(s.scaled(c*d, s.mul(a.Args[0], b)), a.Args[1])
	case b.Op == "/":
		return s.div(s.scaled(c*d, s.mul(a, b.Args[0])), b.Args[1])
	case a == b:
		return s.scaled(c*d, s.one("square", a))
	}
	return s.scaled(c*d, s.intern(symbol{op: "*", a: a, b: b}))
}

// div has no sign below, and no number there that divides one above, or the reverse.
func (s *Symbols) div(x, y *Expr) *Expr {
	c, a := s.split(x)
	d, b := s.split(y)
	switch {
	case c == 0:
		return s.number(0)
	case a.Op == "/":
		return s.div(s.scaled(c, a.Args[0]), s.mul(a.Args[1], y))
	case b.Op == "/":
		return s.div(s.mul(x, b.Args[1]), s.scaled(d, b.Args[0]))
	}
	if d < 0 {
		c, d = -c, -d
	}
	whole := func(x float64) bool { return x == math.Trunc(x) }
	switch q, r := c/d, d/c; {
	case whole(q):
		c, d = q, 1
	case whole(r) && r > 0:
		c, d = 1, r
	case whole(r):
		c, d = -1, -r
	}
	switch {
	case a == b:
		a, b = s.number(1), s.number(1)
	case a.Op == "square" && a.Args[0] == b:
		a, b = b, s.number(1)
	}
	below := s.scaled(d, b)
	if below.is(1) {
		return s.scaled(c, a)
	}
	if c < 0 {
		return s.neg(s.intern(symbol{op: "/", a: s.scaled(-c, a), b: below}))
	}
	return s.intern(symbol{op: "/", a: s.scaled(c, a), b: below})
}

func (s *Symbols) power(x, y *Expr) *Expr {
	switch {
	case y.is(0):
		return s.number(1)
	case y.is(1):
		return x
	case y.is(2):
		return s.one("square", x)
	}
	return s.intern(symbol{op: "^", a: x, b: y})
}
