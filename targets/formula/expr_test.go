package formula

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// number works out an Expr at a point.
func (e *Expr) at(theta []float64, values map[string]float64) float64 {
	var x, y float64
	if len(e.Args) > 0 {
		x = e.Args[0].at(theta, values)
		y = e.Args[len(e.Args)-1].at(theta, values)
	}
	switch e.Op {
	case "number":
		return e.Number
	case "name":
		return values[e.Name]
	case "coordinate":
		return theta[e.Coordinate]
	case "digamma":
		return libm.Digamma(x)
	case "trigamma":
		return libm.Trigamma(x)
	case "sign":
		return sign(x)
	case "less":
		if x < y {
			return 1
		}
		return 0
	}
	for o := range logadd + 1 {
		if o.String() == e.Op {
			return o.apply(x, y)
		}
	}
	panic(e.Op)
}

// Expressions have the value, the gradient and the second derivatives of the tape, on every
// function and on simplifications. The tolerance is that of a few roundings, which the rules of
// algebra reorder.
func TestExprAgreesWithTheTape(t *testing.T) {
	values := map[string]float64{"a": 1.3, "b": 0.7, "s": 0.9, "k": 2.2}
	texts := []string{
		"-(1-x)^2 - a*(y-x^2)^2", "-x^2/(2*a^2) - y^2/2", "normal(x, y, s) + student_t(y, k, a, s)",
		"cauchy(x,a,s)+laplace(y,x,s)",
		"lognormal(exp(x), a, s) + logistic(y, a, s)", "logsumexp(-x^2, -(y-a)^2, -x*y)",
		"gamma(exp(x), k, exp(y)) + beta(sigmoid(x), a, b)",
		"poisson(k, exp(x)) + bernoulli_logit(1, y)", "exponential(exp(y), x^2)", "min(x, y, a*x) - max(x^2, y)",
		"abs(x-a)*abs(y) - x^4",
		"sin(x)*cos(y) + tan(x/3) - sinh(x) + cosh(y)*tanh(x) + atan(y)",
		"log1p(x^2) + expm1(y/2) - softplus(x) + sqrt(1+x^2)", "lgamma(1+exp(x))",
		"exp(x)^y - (2*x)/(4*a) - (6*y)/3", "-(-x) - (-(y)) * -2 * (3*x) / (-6)", "x*x/x + (y/a)/(x/b+3)",
		"0*x + y*1 - 0 - x^1 + x^0 + y^0.5*0", "2^x - 3/(1+y^2)",
		"t1*t2 - t3^2 + e*pi", "x", "-x", "2*x*3*y*(x/2)/(y^2)",
	}
	for _, text := range texts {
		f, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		tape, s := f.Compile(f.Dim, values), f.Symbols(nil)
		grad := s.Gradient(s.Value, f.Dim)
		theta, g, h := []float64{0.83, 1.21, -0.4}[:f.Dim], make([]float64, f.Dim), make([]float64, f.Dim)
		near := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) {
				t.Errorf("%s: %s is %v, want %v", text, what, got, want)
			}
		}
		near("the value", s.Value.at(theta, values), tape.Value(theta))
		tape.GradHessian(g, h, theta)
		for i := range g {
			near("a slope", grad[i].at(theta, values), g[i])
			near("a second derivative", s.Gradient(grad[i], f.Dim)[i].at(theta, values), h[i])
		}
	}
}
