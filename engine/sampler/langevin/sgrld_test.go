package langevin

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/targets"
)

// On a Gaussian SGRLD has the covariance of StationaryCov: with G = Σ all
// directions are alike.
func TestSGRLDStationaryCovariance(t *testing.T) {
	for _, c := range []struct {
		cov              [3]float64
		noise, eps, temp float64
	}{
		{[3]float64{0.16, 0, 1}, 0, 0.5, 1},
		{[3]float64{1, 0.9, 1}, 0, 2, 1},
		{[3]float64{1, 0.9, 4}, 1.5, 0.3, 0.5},
	} {
		g := gaussian(t, c.cov[0], c.cov[1], c.cov[2], c.noise)
		p := samplertest.Params(SGRLD, c.eps, c.temp)
		var want [4]float64
		if !SGRLD.StationaryCov(want[:], g, p) {
			t.Fatal("no stationary covariance")
		}
		if c.noise == 0 {
			for i, j := range []int{0, 1, 3} {
				if exact := c.cov[i] * c.temp / (1 - c.eps/4); math.Abs(want[j]-exact) > 1e-12 {
					t.Errorf("%s is %g, want %g", entries[i], want[j], exact)
				}
			}
		}
		got := secondMoments(t, SGRLD, g, p, 4000, nil)
		for i, j := range []int{0, 1, 3} {
			got[i].agree(t, entries[i], want[j], 0)
		}
	}
	g := gaussian(t, 1, 0.9, 1, 0)
	bound := SGRLD.MaxStep(g, samplertest.Params(SGRLD, 1, 1), nil).Eps
	for _, f := range []float64{0.99, 1.01} {
		p := samplertest.Params(SGRLD, f*bound, 1)
		var dst [4]float64
		if has := SGRLD.StationaryCov(dst[:], g, p); has != (f < 1) {
			t.Errorf("ε = %g: stationary %v", p.Eps, has)
		}
		k, s, on, z := SGRLD.New64(g), sampler.NewState([]float64{1, 1}), newOn(g), noiseOf(2)
		info := sampler.Info{OK: true}
		for step := 0; step < 20000 && info.OK; step++ {
			k.Step(&s, on, p, z, &info)
		}
		if info.OK != (f < 1) {
			t.Errorf("ε = %g: %v", p.Eps, s.Theta)
		}
	}
}

// line is logistic regression with one weight: N labels y at features x.
type line struct{ x, y []float64 }

func (l line) Dim() int { return 1 }
func (l line) N() int   { return len(l.x) }

func (l line) sum(theta float64, f func(x, y, p float64) float64) (mean float64) {
	for i, x := range l.x {
		mean += f(x, l.y[i], 1/(1+math.Exp(-x*theta))) / float64(len(l.x))
	}
	return mean
}

func (l line) Grad(dst, theta []float64, _ []int32) {
	dst[0] = l.sum(theta[0], func(x, y, p float64) float64 { return (y - p) * x })
}

func (l line) Fisher(dst, theta []float64, _ []int32) {
	dst[0] = l.sum(theta[0], func(x, _, p float64) float64 { return p * (1 - p) * x * x })
}

func (l line) FisherSlope(dst, theta, a []float64, _ []int32) {
	dst[0] = l.sum(theta[0], func(x, _, p float64) float64 { return p * (1 - p) * (1 - 2*p) * x * x * x * a[0] })
}

// logPosterior is up to a constant.
func (l line) logPosterior(theta, prec float64) float64 {
	return float64(l.N())*l.sum(theta, func(_, y, p float64) float64 { return y*math.Log(p) + (1-y)*math.Log1p(-p) }) -
		prec*theta*theta/2
}

var _ targets.Fisher[float64] = line{}

// skewed is all labels 1 but one, so that the posterior is far from normal.
var skewed = line{x: []float64{1, 2, -1, 0.5, 1.5}, y: []float64{1, 1, 0, 1, 0}}

const skewedPrec = 0.2

// grid is points θ on which laws on the line are tables.
func grid() []float64 {
	const n = 400
	g := make([]float64, n)
	for i := range g {
		g[i] = -6 + 14*float64(i)/(n-1)
	}
	return g
}

// moments of a law that is known up to its norm.
func lineMoments(grid, law []float64) (mean, variance float64) {
	var sum float64
	for i, w := range law {
		sum += w
		mean += w * grid[i]
	}
	mean /= sum
	for i, w := range law {
		variance += w * (grid[i] - mean) * (grid[i] - mean) / sum
	}
	return mean, variance
}

// steps returns the mean and variance of the normal law that a step from θ has,
// by the formula and with Γ from a difference of G.
func (l line) steps(theta, eps, temp, gamma float64) (mean, variance float64) {
	n := float64(l.N())
	G := func(theta float64) float64 {
		var f [1]float64
		l.Fisher(f[:], []float64{theta}, nil)
		return 1 / (n*f[0] + skewedPrec)
	}
	const h = 1e-5
	slope := (G(theta+h) - G(theta-h)) / (2 * h)
	var g [1]float64
	l.Grad(g[:], []float64{theta}, nil)
	return theta + eps/2*(G(theta)*(n*g[0]-skewedPrec*theta)+gamma*temp*slope), temp * eps * G(theta)
}

// stationary is the law that SGRLD's steps leave as it is, by iteration on the
// grid from a start near it.
func (l line) stationary(grid, start []float64, eps, temp, gamma float64) []float64 {
	n := len(grid)
	d := grid[1] - grid[0]
	type row struct {
		from int
		w    []float64
	}
	rows := make([]row, n)
	for i, x := range grid {
		m, v := l.steps(x, eps, temp, gamma)
		s := math.Sqrt(v)
		from, to := max(0, int((m-7*s-grid[0])/d)), min(n, int((m+7*s-grid[0])/d)+2)
		r := row{from: from}
		sum := 0.0
		for j := from; j < to; j++ {
			w := math.Exp(-(grid[j] - m) * (grid[j] - m) / (2 * v))
			r.w = append(r.w, w)
			sum += w
		}
		for j := range r.w {
			r.w[j] /= sum
		}
		rows[i] = r
	}
	law := append([]float64(nil), start...)
	for range int(40 / eps) { // a step forgets ε/2 of what was
		next := make([]float64, n)
		for i, p := range law {
			for j, w := range rows[i].w {
				next[rows[i].from+j] += p * w
			}
		}
		law = next
	}
	return law
}

// laws are the posterior, and what SGRLD has without Γ as ε → 0: p^(1/T) M.
func (l line) laws(grid []float64, temp float64) (posterior, without []float64) {
	n := float64(l.N())
	for _, x := range grid {
		p := math.Exp(l.logPosterior(x, skewedPrec) / temp)
		var f [1]float64
		l.Fisher(f[:], []float64{x}, nil)
		posterior, without = append(posterior, p), append(without, p*(n*f[0]+skewedPrec))
	}
	return posterior, without
}

// On a skewed posterior of one weight the kernel has the law that its steps have
// by quadrature, at a large ε, with Γ and without, at two temperatures.
func TestSGRLDAgainstQuadrature(t *testing.T) {
	points := grid()
	for _, c := range []struct{ eps, temp, gamma float64 }{{0.5, 1, 1}, {0.5, 1, 0}, {0.3, 0.5, 1}} {
		posterior, _ := skewed.laws(points, c.temp)
		mean, variance := lineMoments(points, skewed.stationary(points, posterior, c.eps, c.temp, c.gamma))
		k, s, g := SGRLD.New64(skewed), sampler.NewState([]float64{0.5}), newOn(skewed)
		z := noise.NewNormals[float64](noise.New(4, 0, noise.Langevin), 1)
		p := samplertest.Params(SGRLD, c.eps, c.temp, c.gamma, 1)
		p.N, p.PriorPrec = float64(skewed.N()), skewedPrec
		var info sampler.Info
		var means, squares []float64
		for range 50 {
			var sum, square float64
			const n = 4000
			for range n {
				k.Step(&s, g, p, z, &info)
				sum += s.Theta[0] / n
				square += (s.Theta[0] - mean) * (s.Theta[0] - mean) / n
			}
			means, squares = append(means, sum), append(squares, square)
		}
		estimate(means).agree(t, "mean", mean, 0)
		estimate(squares).agree(t, "variance", variance, 0)
	}
}

// As ε → 0 the error of the mean and variance vanishes with Γ, of first order in
// ε; without it they are those of p^(1/T) M, which are others.
func TestSGRLDLimits(t *testing.T) {
	points := grid()
	for _, temp := range []float64{1, 0.5} {
		posterior, without := skewed.laws(points, temp)
		for gamma, law := range [][]float64{without, posterior} {
			mean, variance := lineMoments(points, law)
			at := func(eps float64) (dm, dv float64) {
				m, v := lineMoments(points, skewed.stationary(points, law, eps, temp, float64(gamma)))
				return m - mean, v - variance
			}
			m1, v1 := at(0.1)
			m2, v2 := at(0.05)
			// What is left by Richardson's extrapolation is of second order.
			if math.Abs(2*m2-m1) > 2e-3 || math.Abs(2*v2-v1) > 1e-2*variance {
				t.Errorf("T = %g, Γ %d: mean off by %g, %g and variance by %g, %g at ε = 0.1, 0.05", temp, gamma, m1,
					m2, v1, v2)
			}
		}
		m, _ := lineMoments(points, posterior)
		if o, _ := lineMoments(points, without); math.Abs(m-o) < 0.1 {
			t.Errorf("the laws' means are %g and %g: too near to be told apart", m, o)
		}
	}
}

// Γ_i = Σ_j ∂G_ij/∂θ_j in nine dimensions, against central differences of G.
func TestSGRLDGammaIsTheDivergenceOfG(t *testing.T) {
	problem, err := targets.Open("blr:synthetic", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	target := problem.F64.(targets.Fisher[float64])
	d := target.Dim()
	p := samplertest.Params(SGRLD, 0.1, 1, 1, 1)
	p.N, p.PriorPrec = float64(target.N()), 0.5
	theta := make([]float64, d)
	for i := range theta {
		theta[i] = 0.3 * float64(i%3-1)
	}
	batch := []int32{3, 14, 15, 92, 6, 53, 58, 97, 93, 23, 84, 62}
	for _, rows := range [][]int32{nil, batch} {
		r := newRiemann(d)
		r.metric(target, theta, rows, p)
		c, g, want := r.c, append([]float64(nil), r.g...), make([]float64, d)
		for j := range d {
			const h = 1e-4
			for _, side := range []float64{1, -1} {
				moved := append([]float64(nil), theta...)
				moved[j] += side * h
				o := newRiemann(d)
				o.metric(target, moved, rows, p)
				for i := range d {
					want[i] += side * o.g[i*d+j] / (2 * h)
				}
			}
		}
		for i := range d {
			got := -p.N * inner(g[i*d:][:d], c)
			// Differences err by h² and rounding, both some 1e-8 of G's size.
			if math.Abs(got-want[i]) > 1e-6*(math.Abs(want[i])+g[i*d+i]) {
				t.Errorf("Γ[%d] = %g, want %g", i, got, want[i])
			}
		}
	}
}

func TestSGRLDDoesNotAllocate(t *testing.T) {
	k, s, g, z := SGRLD.New64(skewed), sampler.NewState([]float64{0.5}), newOn(skewed),
		noise.NewNormals[float64](noise.New(4, 0, 0), 1)
	p := samplertest.Params(SGRLD, 0.1, 1)
	var info sampler.Info
	if n := alloctest.PerRun(100, func() { k.Step(&s, g, p, z, &info) }); n != 0 {
		t.Errorf("allocates %g times a step", n)
	}
}
