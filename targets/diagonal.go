package targets

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// Diagonal is N(0, diag(v₁, …, v_D)), with N = 1 and no prior.
type Diagonal struct {
	v, p  []float64 // variances, and one over them
	noise float64
}

var (
	_ HessianDiag[float64]        = (*Diagonal)(nil)
	_ LikelihoodGradient[float64] = (*Diagonal)(nil)
	_ HessianVec[float64]         = (*Diagonal)(nil)
	_ LogDensity[float64]         = (*Diagonal)(nil)
	_ Several[float64]            = (*Diagonal)(nil)
	_ Fisher[float64]             = (*Diagonal)(nil)
	_ Stationary                  = (*Diagonal)(nil)
	_ NoisyGradient               = (*Diagonal)(nil)
	_ Truth                       = (*Diagonal)(nil)
)

// newDiagonal returns variances that are geometric from 1/cond to 1.
func newDiagonal(d int, cond, noise float64) *Diagonal {
	g := &Diagonal{make([]float64, d), make([]float64, d), noise}
	for i := range d {
		g.v[i] = 1
		if d > 1 {
			g.v[i] = libm.Pow(cond, float64(i)/float64(d-1)-1)
		}
		g.p[i] = 1 / g.v[i]
	}
	return g
}

// Dim is D.
func (g *Diagonal) Dim() int { return len(g.v) }

// N is 1.
func (g *Diagonal) N() int { return 1 }

// Grad writes -θᵢ/vᵢ to dst.
func (g *Diagonal) Grad(dst, theta []float64, _ []int32) {
	for i, p := range g.p {
		dst[i] = -p * theta[i]
	}
}

// GradEach implements Several.
func (g *Diagonal) GradEach(dst, theta []float64) {
	for d := len(g.p); len(theta) > 0; dst, theta = dst[d:], theta[d:] {
		g.Grad(dst, theta, nil)
	}
}

// GradLogLik is Grad, and returns LogLik.
func (g *Diagonal) GradLogLik(dst, theta []float64, batch []int32) float64 {
	g.Grad(dst, theta, batch)
	return g.LogLik(theta)
}

// GradHessian also writes -1/vᵢ to hess.
func (g *Diagonal) GradHessian(dst, hess, theta []float64, batch []int32) {
	g.Grad(dst, theta, batch)
	for i, p := range g.p {
		hess[i] = -p
	}
}

// HessianVec writes -vecᵢ/vᵢ to dst.
func (g *Diagonal) HessianVec(dst, _, vec []float64, batch []int32) { g.Grad(dst, vec, batch) }

// LogLik is -½ Σ θᵢ²/vᵢ.
func (g *Diagonal) LogLik(theta []float64) float64 {
	sum := 0.0
	for i, p := range g.p {
		sum += float64(p * theta[i] * theta[i])
	}
	return -0.5 * sum
}

// Fisher writes the precision matrix to dst.
func (g *Diagonal) Fisher(dst, _ []float64, _ []int32) {
	clear(dst[:len(g.p)*len(g.p)])
	for i, p := range g.p {
		dst[i*len(g.p)+i] = p
	}
}

// FisherSlope writes 0 to dst.
func (g *Diagonal) FisherSlope(dst, _, _ []float64, _ []int32) { clear(dst[:len(g.p)]) }

// Truth is mean 0 and the variances.
func (g *Diagonal) Truth() Moments {
	d := len(g.v)
	m := Moments{make([]float64, d), make([]float64, d*d)}
	for i, v := range g.v {
		m.Cov[i*d+i] = v
	}
	return m
}

// GradNoise is the standard deviation of the gradient noise.
func (g *Diagonal) GradNoise() float64 { return g.noise }

// SGLDCov is that of Gaussian in each coordinate.
func (g *Diagonal) SGLDCov(dst []float64, eps, temp float64) bool {
	if !(eps > 0 && eps < g.MaxStep() && temp >= 0) {
		return false
	}
	d := len(g.v)
	clear(dst[:d*d])
	for i, v := range g.v {
		dst[i*d+i] = sgldVariance(v, eps, temp, g.noise)
	}
	return true
}

// MaxStep is 4σ² of the least variance.
func (g *Diagonal) MaxStep() float64 { return 4 * g.v[0] }

// start is a draw that keeps half a standard deviation from 0 in each coordinate, as that of Gaussian.
func (g *Diagonal) start(dst, z []float64) {
	for i, v := range g.v {
		dst[i] = math.Sqrt(v) * math.Copysign(max(math.Abs(z[i]), 0.5), z[i])
	}
}

// mostDiagonal is the most dimensions of a Diagonal, and mostCond the largest ratio of variances.
const (
	mostDiagonal = 1000
	mostCond     = 1e6
)

func openDiagonal(args string) (*Problem, error) {
	d, cond, noise := 0, 0.0, 0.0
	numbers := []number{{"cond", &cond, 100, 1, mostCond}, {"noise", &noise, 0, 0, 1e12}}
	if err := parseSettings("gaussian", args,
		[]setting{whole("d", &d, 1, mostDiagonal), numbers[0].setting(), numbers[1].setting()}); err != nil {
		return nil, err
	}
	g := newDiagonal(d, cond, noise)
	p := &Problem{
		Spec:  canonical(fmt.Sprintf("gaussian:d=%d;cond=%s", d, format(cond)), numbers[1:]),
		Title: fmt.Sprintf("N(0, diag(1/%s … 1)), D = %d", format(cond), d),
		F64:   g, Names: make([]string, d), Init: g.start, Disperse: 2,
		Defaults: Defaults{Eps: min(0.3, niceBelow(float64(0.47*g.MaxStep()))), Thin: 1, Steps: 200_000},
		Params: parameters(numbers, "the largest variance over the least",
			"the standard deviation of the gradient noise"),
	}
	for i := range p.Names {
		p.Names[i] = fmt.Sprintf("theta[%d]", i+1)
	}
	switch d {
	case 1:
		x := float64(3.5 * math.Sqrt(g.v[0]))
		p.Frame = Frame{X0: -x, X1: x}
	case 2:
		x, y := float64(3.5*math.Sqrt(g.v[0])), float64(3.5*math.Sqrt(g.v[1]))
		p.Frame = Frame{-x, x, -y, y}
	}
	if noise != 0 {
		p.Title += ", noisy gradient"
	}
	return p, nil
}
