package formula

import (
	"math"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A function is what can be called in a formula.
type function struct {
	name string
	args string // as the help writes them
	doc  string
	n    int // how many, or for n < 0 at least -n
	make func(b *builder, x []slot) slot
}

// one makes a function of an operation with one operand.
func one(o op) func(b *builder, x []slot) slot {
	return func(b *builder, x []slot) slot { return b.do(o, x[0], x[0]) }
}

// fold applies an operation to all operands, from the left.
func fold(o op) func(b *builder, x []slot) slot {
	return func(b *builder, x []slot) slot {
		y := x[0]
		for _, z := range x[1:] {
			y = b.do(o, y, z)
		}
		return y
	}
}

// functions lists what can be called. Densities are logarithms of normalised ones, and NaN beyond their support.
var functions = []function{
	{"exp", "a", "eᵃ", 1, one(exp)},
	{"log", "a", "natural logarithm", 1, one(log)},
	{"log1p", "a", "log(1+a)", 1, one(log1p)},
	{"expm1", "a", "eᵃ-1", 1, one(expm1)},
	{"sqrt", "a", "square root", 1, one(sqrt)},
	{"abs", "a", "|a|", 1, one(abs)},
	{"sin", "a", "sine", 1, one(sin)},
	{"cos", "a", "cosine", 1, one(cos)},
	{"tan", "a", "tangent", 1, one(tan)},
	{"sinh", "a", "hyperbolic sine", 1, one(sinh)},
	{"cosh", "a", "hyperbolic cosine", 1, one(cosh)},
	{"tanh", "a", "hyperbolic tangent", 1, one(tanh)},
	{"atan", "a", "arctangent", 1, one(atan)},
	{"sigmoid", "a", "1/(1+e⁻ᵃ)", 1, one(sigmoid)},
	{"softplus", "a", "log(1+eᵃ)", 1, one(softplus)},
	{"lgamma", "a", "log Γ(a), a > 0", 1, one(lgamma)},
	{"pow", "a, b", "aᵇ", 2, func(b *builder, x []slot) slot { return b.power(x[0], x[1]) }},
	{"min", "a, b, …", "the least", -2, fold(least)},
	{"max", "a, b, …", "the greatest", -2, fold(most)},
	{"logsumexp", "a, b, …", "log(eᵃ + eᵇ + …)", -1, fold(logadd)},
	{"normal", "a, m, s", "log density of N(m, s²)", 3, normalDensity},
	{"lognormal", "a, m, s", "of e^N(m, s²)", 3, func(b *builder, x []slot) slot {
		l := b.do(log, x[0], x[0])
		return b.sub(normalDensity(b, []slot{l, x[1], x[2]}), l)
	}},
	{"student_t", "a, k, m, s", "of Student's t with k degrees of freedom, at m, of scale s", 4,
		func(b *builder, x []slot) slot {
			k, u := x[1], b.standard(x[0], x[2], x[3])
			half := b.mul(b.number(0.5), b.add(k, b.number(1)))
			top := b.sub(b.one(lgamma, half), b.one(lgamma, b.mul(b.number(0.5), k)))
			scale := b.add(b.mul(b.number(0.5), b.one(log, b.mul(b.number(math.Pi), k))), b.one(log, x[3]))
			return b.sub(b.sub(top, scale), b.mul(half, b.one(log1p, b.do(div, b.one(square, u), k))))
		}},
	{"cauchy", "a, m, s", "of Cauchy's at m, of scale s", 3, func(b *builder, x []slot) slot {
		u := b.standard(x[0], x[1], x[2])
		return b.sub(b.sub(b.number(-logPi), b.one(log, x[2])), b.one(log1p, b.one(square, u)))
	}},
	{"laplace", "a, m, s", "of Laplace's at m, of scale s", 3, func(b *builder, x []slot) slot {
		u := b.standard(x[0], x[1], x[2])
		return b.sub(b.sub(b.number(-math.Ln2), b.one(log, x[2])), b.one(abs, u))
	}},
	{"logistic", "a, m, s", "of the logistic one at m, of scale s", 3, func(b *builder, x []slot) slot {
		u := b.standard(x[0], x[1], x[2])
		return b.sub(b.sub(b.one(neg, u), b.one(log, x[2])), b.mul(b.number(2), b.one(softplus, b.one(neg, u))))
	}},
	{"exponential", "a, r", "of the exponential one of rate r, a > 0", 2, func(b *builder, x []slot) slot {
		support := b.mul(b.number(0), b.one(log, x[0])) // 0, or NaN where a is not positive
		return b.add(support, b.sub(b.one(log, x[1]), b.mul(x[1], x[0])))
	}},
	{"gamma", "a, k, r", "of the gamma one of shape k and rate r, a > 0", 3, func(b *builder, x []slot) slot {
		k, r := x[1], x[2]
		norm := b.sub(b.mul(k, b.one(log, r)), b.one(lgamma, k))
		return b.add(norm, b.sub(b.mul(b.sub(k, b.number(1)), b.one(log, x[0])), b.mul(r, x[0])))
	}},
	{"beta", "a, k, l", "of the beta one, 0 < a < 1", 3, func(b *builder, x []slot) slot {
		k, l := x[1], x[2]
		norm := b.sub(b.one(lgamma, b.add(k, l)), b.add(b.one(lgamma, k), b.one(lgamma, l)))
		left := b.mul(b.sub(k, b.number(1)), b.one(log, x[0]))
		right := b.mul(b.sub(l, b.number(1)), b.one(log1p, b.one(neg, x[0])))
		return b.add(norm, b.add(left, right))
	}},
	{"poisson", "n, r", "log probability of n at the mean r", 2, func(b *builder, x []slot) slot {
		return b.sub(b.sub(b.mul(x[0], b.one(log, x[1])), x[1]), b.one(lgamma, b.add(x[0], b.number(1))))
	}},
	{"inv_gamma", "a, k, r", "of the inverse gamma one of shape k and scale r, a > 0", 3, func(b *builder, x []slot) slot {
		k, r, l := x[1], x[2], b.one(log, x[0])
		norm := b.sub(b.mul(k, b.one(log, r)), b.one(lgamma, k))
		return b.sub(b.sub(norm, b.mul(b.add(k, b.number(1)), l)), b.do(div, r, x[0]))
	}},
	{"uniform", "a, l, h", "of the uniform one, l < a < h", 3, func(b *builder, x []slot) slot {
		inside := b.add(b.one(log, b.sub(x[0], x[1])), b.one(log, b.sub(x[2], x[0])))
		return b.sub(b.mul(b.number(0), inside), b.one(log, b.sub(x[2], x[1])))
	}},
	{"poisson_log", "n, a", "log probability of n at the mean eᵃ", 2, func(b *builder, x []slot) slot {
		return b.sub(b.sub(b.mul(x[0], x[1]), b.one(exp, x[1])), b.one(lgamma, b.add(x[0], b.number(1))))
	}},
	{"binomial", "n, k, p", "log probability of n of k at the probability p", 3, func(b *builder, x []slot) slot {
		n, one := x[0], b.number(1)
		rest := b.sub(x[1], n)
		ways := b.sub(b.one(lgamma, b.add(x[1], one)),
			b.add(b.one(lgamma, b.add(n, one)), b.one(lgamma, b.add(rest, one))))
		return b.add(ways, bernoulliLog(b, n, rest, x[2]))
	}},
	{"bernoulli", "n, p", "log probability of n = 1 or 0 at the probability p", 2, func(b *builder, x []slot) slot {
		return bernoulliLog(b, x[0], b.sub(b.number(1), x[0]), x[1])
	}},
	{"bernoulli_logit", "n, a", "log probability of n = 1 or 0 at log odds a", 2, func(b *builder, x []slot) slot {
		return b.sub(b.mul(x[0], x[1]), b.one(softplus, x[1]))
	}},
	{logMix, "p, a, b", "log(p eᵃ + (1-p) eᵇ), of log densities", 3, func(b *builder, x []slot) slot {
		other := b.add(b.one(log1p, b.one(neg, x[0])), x[2])
		return b.do(logadd, b.add(b.one(log, x[0]), x[1]), other)
	}},
}

const logMix = "log_mix"

// bernoulliLog is n log p + rest log(1-p).
func bernoulliLog(b *builder, n, rest, p slot) slot {
	return b.add(b.mul(n, b.one(log, p)), b.mul(rest, b.one(log1p, b.one(neg, p))))
}

// A support is the values that a datum of a distribution can have.
type support struct {
	want   string
	lo, hi float64
	open   bool // neither end is one
	whole  bool
}

func (s support) has(x float64) bool {
	return x >= s.lo && x <= s.hi && !(s.open && (x == s.lo || x == s.hi)) && !(s.whole && x != math.Trunc(x))
}

// supports are those of the distributions, which may stand behind ~.
var supports = func() map[string]support {
	inf := math.Inf(1)
	every := support{"a finite number", -inf, inf, true, false}
	positive := support{"a number above 0", 0, inf, true, false}
	bit := support{"0 or 1", 0, 1, false, true}
	count := support{"a whole number from 0", 0, inf, false, true}
	return map[string]support{
		"normal": every, "student_t": every, "cauchy": every, "laplace": every, "logistic": every, "uniform": every,
		"lognormal": positive, "exponential": positive, "gamma": positive, "inv_gamma": positive,
		"beta":    {"a number between 0 and 1", 0, 1, true, false},
		"poisson": count, "poisson_log": count, "binomial": count, "bernoulli": bit, "bernoulli_logit": bit,
	}
}()

// renamed says what has become of names of distributions. In a formula without data bernoulli is refused, since it had
// log odds there.
var renamed = map[string]string{
	"student":   "student_t(a, k, m, s)",
	"lag":       "a column of data: and a whole number of rows from 1 on, as in lag(y, 2)",
	"bernoulli": "bernoulli_logit(n, log odds), or binomial(n, 1, p) for a probability",
}

const (
	logPi      = 1.14472988584940017414
	halfLog2Pi = 0.91893853320467274178
)

// normalDensity is -½((a-m)/s)² - log s - ½ log 2π.
func normalDensity(b *builder, x []slot) slot {
	u := b.standard(x[0], x[1], x[2])
	norm := b.sub(b.number(-halfLog2Pi), b.one(log, x[2]))
	return b.add(norm, b.mul(b.number(-0.5), b.one(square, u)))
}

// find returns the function of a name.
func find(name string) (f function, ok bool) {
	return list.Find(functions, func(f function) bool { return f.name == name })
}

// Names lists the functions.
func Names() []string { return list.Map(functions, func(f function) string { return f.name }) }

// A Function is one in the help.
type Function struct{ Call, Doc string }

// Functions lists what a formula may call.
func Functions() []Function {
	return list.Map(functions, func(f function) Function { return Function{f.name + "(" + f.args + ")", f.doc} })
}

// constants have their values by name.
var constants = map[string]float64{"pi": math.Pi, "e": math.E}
