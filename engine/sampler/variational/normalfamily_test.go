package variational

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// onTarget is a target's own gradient on fixed rows.
type onTarget struct {
	samplertest.Only[float64]
	t    targets.Target[float64]
	rows []int32
	g    []float64
	e    sampler.Eval[float64]
}

func onProblem(t testing.TB, spec string, rows ...int32) *onTarget {
	t.Helper()
	p, err := targets.Open(spec, targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &onTarget{t: p.F64, rows: rows, g: make([]float64, p.Dim())}
}

func (o *onTarget) Eval(theta []float64, _ sampler.Ask) *sampler.Eval[float64] {
	lik := o.t.(targets.LikelihoodGradient[float64]).GradLogLik(o.g, theta, o.rows)
	o.e = sampler.Eval[float64]{Mean: o.g, Second: o.g, LogLik: lik}
	return &o.e
}
func (o *onTarget) Target() targets.Target[float64] { return o.t }
func (o *onTarget) Batch() []int32                  { return o.rows }

func variationals() []sampler.Method { return []sampler.Method{DSVI, LBFGSSGVI, HFSGVI} }

// ownParams are a method's defaults but for those given.
func ownParams(t testing.TB, m sampler.Method, eps float64, values map[string]float64) *sampler.Params {
	t.Helper()
	p := samplertest.Params(m, eps, 1)
	for key, v := range values {
		i := slices.IndexFunc(m.Params, func(q param.Param) bool { return q.Key == key })
		if i < 0 {
			t.Fatalf("%s has no %s", m.Name, key)
		}
		p.Own[i] = v
	}
	return p
}

// normals are n fixed standard normals.
func normals(n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 7))
	z := make([]float64, n)
	for i := range z {
		z[i] = r.NormFloat64()
	}
	return z
}

// member is a ψ of a family with everything in it different.
func (f *normalFamily) member(full bool, seed uint64) []float64 {
	psi := normals(f.dim, seed)
	if full {
		psi = append(psi, normals(f.dim*(f.dim+1)/2, seed+1)...)
	} else {
		psi = append(psi, normals(f.dim, seed+1)...)
	}
	for i := range f.dim {
		at := f.diagonal(psi, i)
		if psi[at] /= 4; !f.logs {
			psi[at] = math.Exp(psi[at])
		}
	}
	return psi
}

// scaleMatrix is C as a matrix.
func (f *normalFamily) scaleMatrix(psi []float64) [][]float64 {
	c := make([][]float64, f.dim)
	for i := range c {
		c[i] = make([]float64, f.dim)
		c[i][i] = f.scale(psi, i)
		if f.isFull(psi) {
			copy(c[i], f.below(psi, i))
		}
	}
	return c
}

// The gradient is that of the bound at a fixed draw, on a minibatch with prior:
// against central differences with step 1e-5, whose own errors are of the order of
// 1e-10 of the third derivatives and of 1e-16/1e-5 of the bound.
func TestNormalGradient(t *testing.T) {
	g := onProblem(t, "blr:synthetic", 3, 14, 15, 92, 65, 35)
	d := g.t.Dim()
	p := &sampler.Params{N: float64(g.t.N()), PriorPrec: 0.3, Temp: 0.7}
	for _, logs := range []bool{false, true} {
		for _, full := range []bool{false, true} {
			f := newNormalFamily(d, logs)
			copy(f.z, normals(d, 1))
			psi := f.member(full, 2)
			for i := range psi { // near the data's scale, where no exponential is 0
				psi[i] *= 0.3
			}
			bound := func() float64 { return f.bound(psi, f.evaluate(psi, g, p), p) }
			if !logs {
				for i := range d {
					psi[f.diagonal(psi, i)] += 0.5
				}
			}
			got := make([]float64, len(psi))
			size := math.Abs(bound())
			f.gradient(got, psi, p)
			for i, x := range psi {
				const h = 1e-5
				psi[i] = x + h
				up := bound()
				psi[i] = x - h
				down := bound()
				psi[i] = x
				if want := (up - down) / (2 * h); math.Abs(got[i]-want) > 1e-6*(math.Abs(want)+size*1e-3) {
					t.Errorf("logs %v, full %v: ∂L/∂ψ_%d = %.10g, want %.10g", logs, full, i, got[i], want)
				}
			}
		}
	}
}

// Of a normal density the mean gradient over draws is that of the ELBO in closed
// form, -½(μᵀΛμ + tr ΛCCᵀ) + Σ log C_ii + const. The gradient is of second degree
// in z, so the 2D points ±√D e_j, which have the moments of N(0, I) up to the third,
// give its mean exactly.
func TestNormalGradientOfTheClosedELBO(t *testing.T) {
	g := onProblem(t, "gaussian:cov=1,0.6,0.6,0.7")
	det := 1*0.7 - 0.36
	lambda := [2][2]float64{{0.7 / det, -0.6 / det}, {-0.6 / det, 1 / det}}
	p := &sampler.Params{N: 1, Temp: 1}
	for _, logs := range []bool{false, true} {
		for _, full := range []bool{false, true} {
			f := newNormalFamily(2, logs)
			psi := f.member(full, 5)
			elbo := func() float64 {
				c := f.scaleMatrix(psi)
				sum := math.Log(c[0][0]) + math.Log(c[1][1])
				for i := range 2 {
					for j := range 2 {
						sum -= lambda[i][j] / 2 * (psi[i]*psi[j] + c[i][0]*c[j][0] + c[i][1]*c[j][1])
					}
				}
				return sum
			}
			mean, one := make([]float64, len(psi)), make([]float64, len(psi))
			for j := range 2 {
				for _, sign := range []float64{-1, 1} {
					clear(f.z)
					f.z[j] = sign * math.Sqrt2
					f.evaluate(psi, g, p)
					f.gradient(one, psi, p)
					for i, x := range one {
						mean[i] += x / 4
					}
				}
			}
			for i, x := range psi {
				const h = 1e-5
				psi[i] = x + h
				up := elbo()
				psi[i] = x - h
				down := elbo()
				psi[i] = x
				if want := (up - down) / (2 * h); math.Abs(mean[i]-want) > 1e-8*(1+math.Abs(want)) {
					t.Errorf("logs %v, full %v: ∂/∂ψ_%d is %.10g, want %.10g", logs, full, i, mean[i], want)
				}
			}
		}
	}
}

// fit runs a method on a Gaussian and returns q's mean and covariance.
func fit(t testing.TB, m sampler.Method, g *onTarget, p *sampler.Params, steps int,
	seed uint64) (mu []float64, cov [][]float64) {
	k := m.New64(g.t)
	s := sampler.NewState(make([]float64, g.t.Dim()))
	k.(sampler.Beginner[float64]).Begin(&s, p)
	z := noise.NewNormals[float64](noise.New(seed, 0, noise.Langevin), g.t.Dim())
	var info sampler.Info
	for range steps {
		k.Step(&s, g, p, z, &info)
		if !info.OK {
			t.Fatalf("%s diverged at step %d", m.Name, s.Step)
		}
	}
	psi := s.Own[normalPsi]
	f := newNormalFamily(g.t.Dim(), m.Name != DSVI.Name)
	c := f.scaleMatrix(psi)
	cov = make([][]float64, len(c))
	for i := range c {
		for j := range c {
			cov[i] = append(cov[i], dot(c[i], c[j]))
		}
	}
	return psi[:len(c)], cov
}

// fitSD is the largest standard deviation, over 100 other seeds, of an entry of q's
// mean or covariance at the end of the runs of TestNormalFamilyFindsAGaussian. Over
// these the entries' means were off the optimum by 0.3 standard errors in the median
// and 2.2 at most, of 27.
var fitSD = map[string]float64{"dsvi": 0.023, "lbfgs-sgvi": 0.014, "hfsgvi": 0.014}

// fitParams are settings under which a method ends near the optimum on a Gaussian
// of unit scale in 40,000 steps.
func fitParams(t *testing.T, m sampler.Method, full float64) *sampler.Params {
	values := map[string]float64{"cov": full, "decay": 100, "sd0": 0.5, "ratio": 1}
	if m.Name != DSVI.Name {
		values["damping"] = 1
	}
	return ownParams(t, m, 0.2, values)
}

// On a Gaussian the optimum is the posterior itself, with a full C, and with a
// diagonal one its mean and the variances 1/Λ_ii. What is left is the noise of
// single draws, which a step size that falls like 1/t averages.
func TestNormalFamilyFindsAGaussian(t *testing.T) {
	g := onProblem(t, "gaussian:cov=1,0.6,0.6,0.7")
	const det = 1*0.7 - 0.6*0.6
	for _, m := range variationals() {
		for _, full := range []float64{0, 1} {
			mu, cov := fit(t, m, g, fitParams(t, m, full), 40_000, 1)
			want := [2][2]float64{{det / 0.7, 0}, {0, det / 1}}
			if full != 0 {
				want = [2][2]float64{{1, 0.6}, {0.6, 0.7}}
			}
			for i := range 2 {
				if math.Abs(mu[i]) > 4*fitSD[m.Name] {
					t.Errorf("%s, full %g: mean %v", m.Name, full, mu)
				}
				for j := range 2 {
					if math.Abs(cov[i][j]-want[i][j]) > 4*fitSD[m.Name] {
						t.Errorf("%s, full %g: covariance %v, want %v", m.Name, full, cov, want)
					}
				}
			}
		}
	}
}

// A tempered bound has its optimum at the density's T-th root. Its noise is
// smaller, as its scale is.
func TestNormalTemperature(t *testing.T) {
	g := onProblem(t, "gaussian:cov=1,0.6,0.6,0.7")
	for _, m := range variationals() {
		p := fitParams(t, m, 1)
		p.Temp = 0.5
		_, cov := fit(t, m, g, p, 40_000, 2)
		if math.Abs(cov[0][0]-0.5) > 4*fitSD[m.Name] || math.Abs(cov[0][1]-0.3) > 4*fitSD[m.Name] {
			t.Errorf("%s: covariance %v at T = ½", m.Name, cov)
		}
	}
}

// A step of dsvi worked by hand.
func TestDSVIByHand(t *testing.T) {
	g := onProblem(t, "gaussian:cov=1,0.6,0.6,0.7")
	p := ownParams(t, DSVI, 0.02, map[string]float64{"cov": 1, "sd0": 0.3, "decay": 10})
	s := sampler.NewState([]float64{0.4, -0.2})
	s.Step = 100
	k := DSVI.New64(g.t)
	k.(sampler.Beginner[float64]).Begin(&s, p)
	zs := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), 2)
	mu, c := []float64{0.4, -0.2}, []float64{0.3, 0, 0.3}
	var info sampler.Info
	for step := range 3 {
		z := slices.Clone(zs.At(s.Step))
		k.Step(&s, g, p, zs, &info)
		x := []float64{mu[0] + c[0]*z[0], mu[1] + c[1]*z[0] + c[2]*z[1]}
		const det = 0.34
		gr := []float64{-(0.7*x[0] - 0.6*x[1]) / det, -(x[1] - 0.6*x[0]) / det}
		eps := 0.02 / (1 + float64(step)/10)
		rho := eps / 2
		elbo := (x[0]*gr[0]+x[1]*gr[1])/2 + math.Log(c[0]) + math.Log(c[2]) + math.Log(2*math.Pi) +
			(z[0]*z[0]+z[1]*z[1])/2
		mu[0] += rho * gr[0]
		mu[1] += rho * gr[1]
		c[0] += 0.1 * rho * (gr[0]*z[0] + 1/c[0])
		c[1] += 0.1 * rho * gr[1] * z[0]
		c[2] += 0.1 * rho * (gr[1]*z[1] + 1/c[2])
		for i, want := range slices.Concat(mu, c) {
			if got := s.Own[normalPsi][i]; math.Abs(got-want) > 1e-13 {
				t.Errorf("step %d: ψ_%d = %.17g, want %.17g", step, i, got, want)
			}
		}
		for i, want := range x {
			if math.Abs(s.Theta[i]-want) > 1e-13 {
				t.Errorf("step %d: θ = %v, want %v", step, s.Theta, x)
			}
		}
		if math.Abs(info.Objective-elbo) > 1e-12 || info.Eps != eps || !info.OK {
			t.Errorf("step %d: info %+v, want L = %.17g, ε = %g", step, info, elbo, eps)
		}
	}
}

// A proxy is μ + Cz, and there are as many as asked for.
func TestNormalProxy(t *testing.T) {
	for _, m := range variationals() {
		k := m.New64(samplertest.OfDim[float64](2))
		p := ownParams(t, m, 1, map[string]float64{"cov": 1, "sd0": 0.5, "samples": 7})
		s := sampler.NewState([]float64{1, 2})
		k.(sampler.Beginner[float64]).Begin(&s, p)
		s.Own[normalPsi][3] = -3 // C_21
		got := make([]float64, 2)
		q := k.(sampler.Proxy[float64])
		q.Proxy(got, &s, 0, []float64{0.1, 0.2})
		if q.Proxies(p) != 7 || math.Abs(got[0]-1.05) > 1e-15 || math.Abs(got[1]-1.8) > 1e-15 {
			t.Errorf("%s: %d draws, %v", m.Name, q.Proxies(p), got)
		}
	}
}

func TestNormalFamilyFits(t *testing.T) {
	network, err := targets.Open("mlp:5", targets.Options{Dataset: "strokes"})
	if err != nil {
		t.Fatal(err)
	}
	bare := &targets.Problem{F64: samplertest.OfDim[float64](2)}
	for _, m := range variationals() {
		if why := m.Misfit(network); why != "is for densities and logistic regression" {
			t.Errorf("%s on a network: %q", m.Name, why)
		}
		if why := m.Misfit(bare); !strings.Contains(why, "log-likelihood") {
			t.Errorf("%s on a target without: %q", m.Name, why)
		}
		// Beyond the cap the covariance is diagonal.
		for _, d := range []int{maxFull, maxFull + 1} {
			s := sampler.NewState(make([]float64, d))
			k := m.New64(samplertest.OfDim[float64](d)).(sampler.Beginner[float64])
			k.Begin(&s, ownParams(t, m, 1, map[string]float64{"cov": 1}))
			want := d + d*(d+1)/2
			if d > maxFull {
				want = 2 * d
			}
			if got := len(s.Own[normalPsi]); got != want {
				t.Errorf("%s: %d numbers for D = %d", m.Name, got, d)
			}
		}
	}
}

func TestVariationalAllocatesNothing(t *testing.T) {
	g := onProblem(t, "blr:synthetic", 3, 14, 15, 92, 65, 35)
	for _, m := range variationals() {
		for _, full := range []float64{0, 1} {
			p := ownParams(t, m, 1e-5, map[string]float64{"cov": full})
			p.N, p.PriorPrec = float64(g.t.N()), 0.01
			k := m.New64(g.t)
			s := sampler.NewState(make([]float64, g.t.Dim()))
			k.(sampler.Beginner[float64]).Begin(&s, p)
			z := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), g.t.Dim())
			var info sampler.Info
			if n := alloctest.PerRun(100, func() { k.Step(&s, g, p, z, &info) }); n != 0 {
				t.Errorf("%s, full %g: %g allocations a step", m.Name, full, n)
			}
		}
	}
}

func BenchmarkVariational(b *testing.B) {
	rows := make([]int32, 50)
	for i := range rows {
		rows[i] = int32(i)
	}
	g := onProblem(b, "blr:synthetic", rows...)
	for _, m := range variationals() {
		b.Run(m.Name, func(b *testing.B) {
			p := ownParams(b, m, 1e-5, map[string]float64{"cov": 1})
			p.N, p.PriorPrec = float64(g.t.N()), 0.01
			k := m.New64(g.t)
			s := sampler.NewState(make([]float64, g.t.Dim()))
			k.(sampler.Beginner[float64]).Begin(&s, p)
			z := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), g.t.Dim())
			var info sampler.Info
			b.ReportAllocs()
			for b.Loop() {
				k.Step(&s, g, p, z, &info)
			}
		})
	}
}
