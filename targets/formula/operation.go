package formula

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// op is what an instruction does. Those below add have one operand.
type op uint8

const (
	neg op = iota
	square
	exp
	log
	log1p
	expm1
	sqrt
	abs
	sin
	cos
	tan
	sinh
	cosh
	tanh
	atan
	sigmoid
	softplus
	lgamma

	add
	sub
	mul
	div
	power
	raise // power by a constant
	least
	most
	logadd
)

// A single is a function f of one operand. What it has of x knows y = f(x) as well.
type single struct {
	name    string // in an Expr
	value   func(x float64) float64
	slope   func(x, y float64) float64         // f′(x)
	bend    func(x, y, slope float64) float64  // f″(x)
	formula func(s *Symbols, x, y *Expr) *Expr // f′ again
}

var singles = [...]single{
	neg: {"neg", func(x float64) float64 { return -x },
		func(x, y float64) float64 { return -1 },
		func(x, y, slope float64) float64 { return 0 },
		func(s *Symbols, x, y *Expr) *Expr { return s.number(-1) }},
	square: {"square", func(x float64) float64 { return float64(x * x) },
		func(x, y float64) float64 { return 2 * x },
		func(x, y, slope float64) float64 { return 2 },
		func(s *Symbols, x, y *Expr) *Expr { return s.mul(s.number(2), x) }},
	exp: {"exp", libm.Exp,
		func(x, y float64) float64 { return y },
		func(x, y, slope float64) float64 { return slope },
		func(s *Symbols, x, y *Expr) *Expr { return y }},
	log: {"log", libm.Log,
		func(x, y float64) float64 { return 1 / x },
		func(x, y, slope float64) float64 { return -float64(slope * slope) },
		func(s *Symbols, x, y *Expr) *Expr { return s.div(s.number(1), x) }},
	log1p: {"log1p", libm.Log1p,
		func(x, y float64) float64 { return 1 / (1 + x) },
		func(x, y, slope float64) float64 { return -float64(slope * slope) },
		func(s *Symbols, x, y *Expr) *Expr { return s.div(s.number(1), s.add(s.number(1), x)) }},
	expm1: {"expm1", libm.Expm1,
		func(x, y float64) float64 { return y + 1 },
		func(x, y, slope float64) float64 { return slope },
		func(s *Symbols, x, y *Expr) *Expr { return s.one("exp", x) }},
	sqrt: {"sqrt", math.Sqrt,
		func(x, y float64) float64 { return 0.5 / y },
		func(x, y, slope float64) float64 { return -0.5 * slope / x },
		func(s *Symbols, x, y *Expr) *Expr { return s.div(s.number(1), s.mul(s.number(2), y)) }},
	abs: {"abs", math.Abs,
		func(x, y float64) float64 { return sign(x) },
		func(x, y, slope float64) float64 { return 0 },
		func(s *Symbols, x, y *Expr) *Expr { return s.one("sign", x) }},
	sin: {"sin", sine,
		func(x, y float64) float64 { return libm.Cos(x) },
		func(x, y, slope float64) float64 { return -y },
		func(s *Symbols, x, y *Expr) *Expr { return s.one("cos", x) }},
	cos: {"cos", libm.Cos,
		func(x, y float64) float64 { return -sine(x) },
		func(x, y, slope float64) float64 { return -y },
		func(s *Symbols, x, y *Expr) *Expr { return s.neg(s.one("sin", x)) }},
	tan: {"tan", tangent,
		func(x, y float64) float64 { return 1 + float64(y*y) },
		func(x, y, slope float64) float64 { return 2 * y * slope },
		func(s *Symbols, x, y *Expr) *Expr { return s.add(s.number(1), s.one("square", y)) }},
	sinh: {"sinh", hyperbolicSine,
		func(x, y float64) float64 { return hyperbolicCosine(x) },
		func(x, y, slope float64) float64 { return y },
		func(s *Symbols, x, y *Expr) *Expr { return s.one("cosh", x) }},
	cosh: {"cosh", hyperbolicCosine,
		func(x, y float64) float64 { return hyperbolicSine(x) },
		func(x, y, slope float64) float64 { return y },
		func(s *Symbols, x, y *Expr) *Expr { return s.one("sinh", x) }},
	tanh: {"tanh", hyperbolicTangent,
		func(x, y float64) float64 { return (1 - y) * (1 + y) },
		func(x, y, slope float64) float64 { return -2 * y * slope },
		func(s *Symbols, x, y *Expr) *Expr { return s.sub(s.number(1), s.one("square", y)) }},
	atan: {"atan", libm.Atan,
		func(x, y float64) float64 { return 1 / (1 + float64(x*x)) },
		func(x, y, slope float64) float64 { return -2 * x * slope * slope },
		func(s *Symbols, x, y *Expr) *Expr { return s.div(s.number(1), s.add(s.number(1), s.one("square", x))) }},
	sigmoid: {"sigmoid", expit,
		func(x, y float64) float64 { return y * (1 - y) },
		func(x, y, slope float64) float64 { return slope * (1 - float64(2*y)) },
		func(s *Symbols, x, y *Expr) *Expr { return s.mul(y, s.sub(s.number(1), y)) }},
	softplus: {"softplus", func(x float64) float64 { return max(x, 0) + libm.Log1p(libm.Exp(-math.Abs(x))) },
		func(x, y float64) float64 { return expit(x) },
		func(x, y, slope float64) float64 { return slope * (1 - slope) },
		func(s *Symbols, x, y *Expr) *Expr { return s.one("sigmoid", x) }},
	lgamma: {"lgamma", libm.Lgamma,
		func(x, y float64) float64 { return libm.Digamma(x) },
		func(x, y, slope float64) float64 { return libm.Trigamma(x) },
		func(s *Symbols, x, y *Expr) *Expr { return s.one("digamma", x) }},
}

// A pair is a function of two operands. Its derivatives stand where they are worked out, so that
// they share what they have in common.
type pair struct {
	name  string // in an Expr
	value func(x, y float64) float64
}

var pairs = [...]pair{
	add:    {"+", func(x, y float64) float64 { return x + y }},
	sub:    {"-", func(x, y float64) float64 { return x - y }},
	mul:    {"*", func(x, y float64) float64 { return float64(x * y) }},
	div:    {"/", func(x, y float64) float64 { return x / y }},
	power:  {"^", pow},
	raise:  {"^", pow},
	least:  {"min", func(x, y float64) float64 { return min(x, y) }},
	most:   {"max", func(x, y float64) float64 { return max(x, y) }},
	logadd: {"logsumexp", logSumExp},
}

// apply is an operation on numbers. y counts where there are two operands.
func (o op) apply(x, y float64) float64 {
	if o < add {
		return singles[o].value(x)
	}
	return pairs[o].value(x, y)
}

// String is the operation's name in an Expr.
func (o op) String() string {
	if o < add {
		return singles[o].name
	}
	return pairs[o].name
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

func sine(x float64) float64 {
	s, _ := libm.Sincos(x)
	return s
}

func tangent(x float64) float64 {
	s, c := libm.Sincos(x)
	return s / c
}

func hyperbolicSine(x float64) float64 {
	if math.Abs(x) > 1 {
		return float64(0.5*libm.Exp(x)) - float64(0.5*libm.Exp(-x))
	}
	e := libm.Expm1(x)
	return 0.5 * (e + e/(e+1))
}

func hyperbolicCosine(x float64) float64 {
	return float64(0.5*libm.Exp(x)) + float64(0.5*libm.Exp(-x))
}

func hyperbolicTangent(x float64) float64 {
	e := libm.Expm1(-2 * math.Abs(x))
	return math.Copysign(-e/(e+2), x)
}

func expit(x float64) float64 {
	if x < 0 {
		e := libm.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + libm.Exp(-x))
}

func logSumExp(x, y float64) float64 {
	if x == y { // infinite ones too
		return x + math.Ln2
	}
	return max(x, y) + libm.Log1p(libm.Exp(-math.Abs(x-y)))
}

// pow is xʸ, also for x < 0 and whole y.
func pow(x, y float64) float64 {
	if x >= 0 || y != math.Trunc(y) {
		return libm.Pow(x, y)
	}
	p := libm.Pow(-x, y)
	if math.Mod(y, 2) != 0 {
		return -p
	}
	return p
}
