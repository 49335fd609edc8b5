package langevin

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets"
)

// on is a Gradient of a target without data, with gradient noise of its own.
type on struct {
	samplertest.Only[float64]
	target targets.Target[float64]
	mean   []float64
	z      *noise.Normals[float64]
	step   uint64
	e      sampler.Eval[float64]
}

func newOn(t targets.Target[float64]) *on {
	return &on{target: t, mean: make([]float64, t.Dim()),
		z: noise.NewNormals[float64](noise.New(5, 0, noise.DriftGradient), t.Dim())}
}

func (o *on) Target() targets.Target[float64] { return o.target }

func (o *on) Eval(theta []float64, _ sampler.Ask) *sampler.Eval[float64] {
	o.target.Grad(o.mean, theta, nil)
	if s := gradNoise(o.target); s > 0 {
		for i, z := range o.z.At(o.step) {
			o.mean[i] += s * z
		}
	}
	o.step++
	o.e = sampler.Eval[float64]{Mean: o.mean, Second: o.mean}
	return &o.e
}

func gaussian(t *testing.T, c11, c12, c22, noise float64) *targets.Gaussian {
	t.Helper()
	g, err := targets.NewGaussian(c11, c12, c22, noise)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// estimated is a number with its standard error.
type estimated struct{ mean, se float64 }

// estimate is the mean of batches' means, of which there are few enough for
// each to be much longer than the autocorrelation time.
func estimate(batches []float64) estimated {
	n, mean, square := float64(len(batches)), 0.0, 0.0
	for _, x := range batches {
		mean += x / n
	}
	for _, x := range batches {
		square += (x - mean) * (x - mean)
	}
	return estimated{mean, math.Sqrt(square / (n - 1) / n)}
}

// secondMoments runs a method in the plane from near its mode and returns the
// estimates of E θ₁², E θ₁θ₂ and E θ₂² from 50 batches, each of n steps; look, if
// not nil, sees every state.
func secondMoments(t *testing.T, m sampler.Method, target targets.Target[float64], p *sampler.Params, n int,
	look func(*sampler.State[float64])) [3]estimated {
	t.Helper()
	const batches = 50
	k, s, g := m.New64(target), sampler.NewState([]float64{0.3, 0.2}), newOn(target)
	if b, ok := k.(sampler.Beginner[float64]); ok {
		b.Begin(&s, p)
	}
	z := noiseOf(2)
	var info sampler.Info
	for range 20000 {
		k.Step(&s, g, p, z, &info)
	}
	var sums [3][]float64
	for range batches {
		var sum [3]float64
		for range n {
			k.Step(&s, g, p, z, &info)
			if !info.OK {
				t.Fatalf("%s diverged at step %d", m.Name, s.Step)
			}
			x, y := s.Theta[0], s.Theta[1]
			sum[0] += x * x
			sum[1] += x * y
			sum[2] += y * y
			if look != nil {
				look(&s)
			}
		}
		for i, x := range sum {
			sums[i] = append(sums[i], x/float64(n))
		}
	}
	return [3]estimated{estimate(sums[0]), estimate(sums[1]), estimate(sums[2])}
}

// agree asks for 4 standard errors, and within more besides.
func (e estimated) agree(t *testing.T, what string, want, more float64) {
	t.Helper()
	if !(math.Abs(e.mean-want) <= 4*e.se+more) {
		t.Errorf("%s is %.5f ± %.5f, want %.5f", what, e.mean, e.se, want)
	}
}

var entries = [3]string{"Cov 11", "Cov 12", "Cov 22"}

// With all of its velocity lost at every step, SGHMC is SGLD, to the bit; and at
// T = 0 SGNHT is SGHMC.
func TestMomentumLimits(t *testing.T) {
	g := samplertest.NewNormal(0.16, 1, 3)
	z := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), 3)
	for _, temp := range []float64{1, 0.3, 0} {
		a, b := sampler.NewState([]float64{0.5, 1, -2}), sampler.NewState([]float64{0.5, 1, -2})
		k, k2 := SGHMC.New64(samplertest.OfDim[float64](3)), SGLD.New64(samplertest.OfDim[float64](3))
		p, p2 := samplertest.Params(SGHMC, 0.02, temp, 1, 0), samplertest.Params(SGLD, 0.02, temp)
		p.N, p.PriorPrec, p2.N, p2.PriorPrec = 5, 0.7, 5, 0.7
		k.(sampler.Beginner[float64]).Begin(&a, p)
		var i, j sampler.Info
		for step := range 200 {
			k.Step(&a, g, p, z, &i)
			k2.Step(&b, g, p2, z, &j)
			if !slices.Equal(a.Theta, b.Theta) || a.Step != b.Step || i != j {
				t.Fatalf("T = %g, step %d: SGHMC %v %+v, SGLD %v %+v", temp, step+1, a.Theta, i, b.Theta, j)
			}
		}
	}
	for _, each := range []float64{0, 1} {
		a, b := sampler.NewState([]float64{0.5, 1, -2}), sampler.NewState([]float64{0.5, 1, -2})
		k, k2 := SGHMC.New64(samplertest.OfDim[float64](3)), SGNHT.New64(samplertest.OfDim[float64](3))
		p, p2 := samplertest.Params(SGHMC, 0.02, 0, 0.2), samplertest.Params(SGNHT, 0.02, 0, 0.2, 0.1, each)
		k.(sampler.Beginner[float64]).Begin(&a, p)
		k2.(sampler.Beginner[float64]).Begin(&b, p2)
		for step := range 200 {
			k.Step(&a, g, p, nil, new(sampler.Info))
			k2.Step(&b, g, p2, nil, new(sampler.Info))
			if !slices.Equal(a.Theta, b.Theta) {
				t.Fatalf("step %d: SGHMC %v, SGNHT %v", step+1, a.Theta, b.Theta)
			}
		}
	}
}

// Steps of both methods, worked by hand.
func TestMomentumByHand(t *testing.T) {
	g := samplertest.NewNormal(0.16, 2)
	z := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), 2)
	const eps, temp, n, prec, a, b, kappa = 0.03, 0.5, 7.0, 0.2, 0.3, 0.1, 0.05
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("%s = %.17g, want %.17g", what, got, want)
		}
	}
	for _, c := range []struct {
		m    sampler.Method
		own  []float64
		q    float64 // variance of the noise
		each bool
	}{
		{SGHMC, []float64{a, b}, temp * (a - b) * eps, false},
		{SGHMC, []float64{a, 0}, temp * a * eps, false},
		{SGNHT, []float64{a, kappa, 0}, temp * a * eps, false},
		{SGNHT, []float64{a, kappa, 1}, temp * a * eps, true},
	} {
		s := sampler.NewState([]float64{0.4, -1})
		p := samplertest.Params(c.m, eps, temp, c.own...)
		p.N, p.PriorPrec = n, prec
		k := c.m.New64(samplertest.OfDim[float64](2))
		k.(sampler.Beginner[float64]).Begin(&s, p)
		theta, v, xi := []float64{0.4, -1}, []float64{0, 0}, []float64{a, a}
		for step := range uint64(3) {
			var info sampler.Info
			k.Step(&s, g, p, z, &info)
			var drift, inject, kinetic float64
			for i := range theta {
				u := n*(-theta[i]/g.V[i]) - prec*theta[i]
				d, w := (1-xi[i])*v[i]+eps/2*u, math.Sqrt(c.q)*z.At(step)[i]
				drift += d * d
				inject += w * w
				v[i] = d + w
				theta[i] += v[i]
				kinetic += v[i] * v[i]
			}
			for i := range xi {
				switch {
				case c.each:
					xi[i] += kappa * ((2-xi[i])*v[i]*v[i]/(temp*eps) - 1)
				case c.m.Name == "sgnht":
					xi[i] += kappa * ((2-xi[i])*kinetic/(2*temp*eps) - 1)
				}
				near("θ", s.Theta[i], theta[i])
				near("v", s.Own[0][i], v[i])
			}
			near("‖drift‖²", info.Drift2, drift)
			near("‖noise‖²", info.Noise2, inject)
		}
		switch {
		case c.each:
			near("ξ₁", s.Own[2][0], xi[0])
			near("ξ₂", s.Own[2][1], xi[1])
		case c.m.Name == "sgnht":
			near("ξ", s.Own[1][0]+s.Own[1][1], xi[0])
		}
	}
}

// momentum32 are the kernels in float32 with their parameters, at a step that is
// stable on a network32.
func momentum32() map[string]func(dim int) (sampler.Kernel[float32], *sampler.Params) {
	made := map[string]func(dim int) (sampler.Kernel[float32], *sampler.Params){}
	for name, c := range map[string]struct {
		m   sampler.Method
		own []float64
	}{
		"sghmc":      {SGHMC, []float64{0.2, 0.01}},
		"sgnht":      {SGNHT, []float64{0.2, 0.01, 0}},
		"sgnht each": {SGNHT, []float64{0.2, 0.01, 1}},
	} {
		made[name] = func(dim int) (sampler.Kernel[float32], *sampler.Params) {
			p := samplertest.Params(c.m, 1e-7, 1, c.own...)
			p.N, p.PriorPrec = 300, 0.9
			return c.m.New32(samplertest.OfDim[float32](dim)), p
		}
	}
	return made
}

// The results do not depend on how many cores share a step, or in what order.
func TestMomentumSpread(t *testing.T) {
	const dim = 3*step32.PieceSize + 99
	for name, make := range momentum32() {
		var want sampler.State[float32]
		var wantInfo sampler.Info
		for workers := range 4 { // none: the caller alone
			k, p := make(dim)
			if workers > 0 {
				k.(sampler.Parallel).Spread(samplertest.Workers(workers))
			}
			s, g := sampler.NewState(samplertest.Start32(dim)), samplertest.NewNetwork32(dim, false)
			k.(sampler.Beginner[float32]).Begin(&s, p)
			z := noise.NewNormals[float32](noise.New(3, 1, noise.Langevin), dim)
			var info sampler.Info
			for range 3 {
				k.Step(&s, g, p, z, &info)
			}
			if workers == 0 {
				want, wantInfo = s, info
				continue
			}
			same := slices.Equal(s.Theta, want.Theta) && info == wantInfo
			for i, v := range s.Own {
				same = same && slices.Equal(v, want.Own[i])
			}
			if !same {
				t.Fatalf("%s: %d workers get another result: %+v, want %+v", name, workers, info, wantInfo)
			}
		}
	}
}

// In float32 the step is that of float64 with the float32 normals, but for
// roundings.
func TestMomentum32(t *testing.T) {
	const dim = step32.PieceSize + noise.Group + 3
	for name, make := range momentum32() {
		k, p := make(dim)
		s, g := sampler.NewState(samplertest.Start32(dim)), samplertest.NewNetwork32(dim, false)
		k.(sampler.Beginner[float32]).Begin(&s, p)
		z := noise.NewNormals[float32](noise.New(3, 1, noise.Langevin), dim)
		// The same in float64, by an independent loop.
		theta, v, xi := samplertest.Start32(dim), samplertest.Start32(dim), slices.Repeat([]float64{0.2}, dim)
		clear(v)
		q := p.Temp * 0.2 * p.Eps
		if name == "sghmc" {
			q = p.Temp * (0.2 - 0.01) * p.Eps
		}
		var info sampler.Info
		for step := range uint64(4) {
			k.Step(&s, g, p, z, &info)
			kinetic, energy := 0.0, p.Temp*p.Eps
			for i, x := range theta {
				u := p.N*float64(-g.Scale[i]*x) - p.PriorPrec*float64(x)
				y := (1-min(xi[i], 1))*float64(v[i]) + p.Eps/2*u + math.Sqrt(q)*float64(z.At(step)[i])
				v[i], theta[i] = float32(y), float32(float64(x)+y)
				kinetic += y * y
				if name == "sgnht each" {
					xi[i] += 0.01 * ((2-min(xi[i], 1))*y*y/energy - 1)
				}
			}
			if name == "sgnht" {
				for i := range xi {
					xi[i] += 0.01 * ((2-min(xi[i], 1))*kinetic/(dim*energy) - 1)
				}
			}
			for i, x := range theta {
				// Some roundings of θ, v and u in each of four steps; θ began near 0.1.
				if math.Abs(float64(s.Theta[i]-x)) > 2e-6*math.Abs(float64(x))+1e-6*math.Abs(float64(v[i]))+2e-8 {
					t.Fatalf("%s: step %d: θ[%d] = %g, want %g", name, step+1, i, s.Theta[i], x)
				}
			}
		}
		if name == "sgnht" {
			if got := float64(s.Own[1][0]) + float64(s.Own[1][1]); math.Abs(got-xi[0]) > 1e-6*xi[0] {
				t.Errorf("ξ = %.10g, want %.10g", got, xi[0])
			}
		}
	}
}

func TestMomentumDoesNotAllocate(t *testing.T) {
	for name, make := range momentum32() {
		const dim = 2*step32.PieceSize + 5
		k, p := make(dim)
		s, g := sampler.NewState(samplertest.Start32(dim)), samplertest.NewNetwork32(dim, false)
		k.(sampler.Beginner[float32]).Begin(&s, p)
		z := noise.NewNormals[float32](noise.New(1, 0, 0), dim)
		var info sampler.Info
		if n := alloctest.PerRun(2, func() { k.Step(&s, g, p, z, &info) }); n != 0 {
			t.Errorf("%s allocates %g times a step", name, n)
		}
	}
	for _, m := range []sampler.Method{SGHMC, SGNHT} {
		k, g := m.New64(samplertest.OfDim[float64](2)), samplertest.NewNormal(0.16, 1)
		s, p := sampler.NewState([]float64{0.5, 1}), samplertest.Params(m, 0.1, 1)
		k.(sampler.Beginner[float64]).Begin(&s, p)
		z := noise.NewNormals[float64](noise.New(1, 0, 0), 2)
		var info sampler.Info
		if n := alloctest.PerRun(100, func() { k.Step(&s, g, p, z, &info) }); n != 0 {
			t.Errorf("%s allocates %g times a step", m.Name, n)
		}
	}
}

func TestMomentumSeesDivergence(t *testing.T) {
	for name, make := range momentum32() {
		for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), 2 * sampler.Limit} {
			const dim = 2*step32.PieceSize + 1
			k, p := make(dim)
			s := sampler.NewState(samplertest.Start32(dim))
			k.(sampler.Beginner[float32]).Begin(&s, p)
			s.Theta[step32.PieceSize+5] = bad
			p.Eps, p.Temp = 1e-12, 0
			var info sampler.Info
			if k.Step(&s, samplertest.NewNetwork32(dim, false), p, nil, &info); info.OK {
				t.Errorf("%s: θ = %g passes", name, bad)
			}
		}
	}
}

func noiseOf(dim int) *noise.Normals[float64] {
	return noise.NewNormals[float64](noise.New(4, 0, noise.Langevin), dim)
}

// The float32 step in one pass moves θ and v as that in chunks does, to the bit, and
// sums what it sums.
func TestMomentumInOnePass(t *testing.T) {
	const n = 200
	r := rand.New(rand.NewPCG(3, 6))
	c := segment[float32]{theta: samplertest.Start32(n), v: samplertest.Start32(n), mean: samplertest.Start32(n)}
	for i := range n {
		c.v[i], c.mean[i] = float32(r.NormFloat64()), float32(r.NormFloat64())
	}
	theta, v := slices.Clone(c.theta), slices.Clone(c.v)
	plain := numbers[float32]{n: 300, prior: 0.7, half: 2e-3, keep: 0.9, spread: 0.03}
	q := step32.Momentum{
		N:      step32.Eight(300),
		Prior:  step32.Eight(0.7),
		Half:   step32.Eight(2e-3),
		Keep:   step32.Eight(0.9),
		Spread: step32.Eight(0.03),
	}
	var key noise.Schedule
	noise.New(1, 3, noise.Langevin).At(9).Schedule(&key)
	z := make([]float32, n)
	key.Float32(z, 128)
	var want step32.MomentumTotal
	plain.chunk(c, z, &want)
	var sums step32.MomentumSums
	q.Step(simd.Generic, theta, v, c.mean, 128, &sums, &key)
	if !slices.Equal(theta, c.theta) || !slices.Equal(v, c.v) {
		t.Error("θ or v differ")
	}
	got := sums.Total()
	for what, x := range map[string][2]float64{
		"‖drift‖²": {got.Drift, want.Drift}, "‖noise‖²": {got.Noise, want.Noise}, "‖v‖²": {got.Kinetic, want.Kinetic},
	} {
		// Sums of n positive terms in float32, in two orders.
		if math.Abs(x[0]-x[1]) > n*0x1p-24*x[1] {
			t.Errorf("%s = %g, want %g", what, x[0], x[1])
		}
	}
}
