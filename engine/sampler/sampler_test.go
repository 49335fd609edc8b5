package sampler_test

import (
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
	"github.com/psgld/psgld-tui/engine/sampler/langevin"
)

// At T = 0 and without Γ, pSGLD is RMSprop and SGLD is SGD, to the bit.
func TestZeroTemperature(t *testing.T) {
	g := samplertest.NewNormal(0.16, 1, 3)
	start := []float64{0.5, 1, -2}
	z := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), 3)
	// Variables, since constant arithmetic is exact and the sampler's is not.
	eps, alpha, lambda, n, prec := 0.02, 0.9, 1e-3, 50.0, 0.7

	rms := sampler.NewState(start)
	k := langevin.PSGLD.New64(samplertest.OfDim[float64](3))
	p := samplertest.Params(langevin.PSGLD, eps, 0, alpha, lambda)
	p.N, p.PriorPrec = n, prec
	sgd := sampler.NewState(start)
	k2 := langevin.SGLD.New64(samplertest.OfDim[float64](3))
	p2 := *samplertest.Params(langevin.SGLD, eps, 0)
	p2.N, p2.PriorPrec = n, prec

	var info sampler.Info
	x, v, y := slices.Clone(start), make([]float64, 3), slices.Clone(start)
	for step := range 200 {
		for i := range x {
			gi := -x[i] / g.V[i]
			v[i] = float64(alpha*v[i]) + float64((1-alpha)*gi*gi)
			x[i] += float64(1 / (lambda + math.Sqrt(v[i])) * (float64(n*gi) - float64(prec*x[i])) * (eps / 2))
			y[i] += float64((float64(n*(-y[i]/g.V[i])) - float64(prec*y[i])) * (eps / 2))
		}
		k.Step(&rms, g, p, z, &info)
		k2.Step(&sgd, g, &p2, z, &info)
		if !slices.Equal(rms.Theta, x) || !slices.Equal(rms.V, v) || !slices.Equal(sgd.Theta, y) {
			t.Fatalf("step %d: pSGLD %v, RMSprop %v; SGLD %v, SGD %v", step+1, rms.Theta, x, sgd.Theta, y)
		}
	}
	if rms.Step != 200 {
		t.Errorf("Step = %d, want 200", rms.Step)
	}
}

// One step of every part of the rule, worked by hand.
func TestOneStepByHand(t *testing.T) {
	g := samplertest.NewNormal(0.16)
	z := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), 1)
	const x, eps, alpha, lambda, temp, n, prec = 0.4, 0.3, 0.99, 1e-5, 0.5, 7.0, 0.2
	gi, h := -x/0.16, -1/0.16
	for _, first := range []float64{0, 1} {
		s := sampler.NewState([]float64{x})
		p := samplertest.Params(langevin.PSGLD, eps, temp, alpha, lambda, 1, first)
		p.N, p.PriorPrec = n, prec
		var info sampler.Info
		langevin.PSGLD.New64(samplertest.OfDim[float64](1)).Step(&s, g, p, z, &info)
		v := (1 - alpha) * gi * gi
		if first == 1 {
			v = gi * gi
		}
		G := 1 / (lambda + math.Sqrt(v))
		gamma := -(1 - alpha) * gi * h / (math.Sqrt(v) * (lambda + math.Sqrt(v)) * (lambda + math.Sqrt(v)))
		drift := eps / 2 * (G*(n*gi-prec*x) + temp*gamma)
		inject := math.Sqrt(temp*eps*G) * z.At(0)[0]
		near := func(what string, got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-12*math.Abs(want) {
				t.Errorf("V_0 %g: %s = %.17g, want %.17g", first, what, got, want)
			}
		}
		near("θ", s.Theta[0], x+drift+inject)
		near("V", s.V[0], v)
		near("‖drift‖²", info.Drift2, drift*drift)
		near("‖noise‖²", info.Noise2, inject*inject)
		near("G", info.GMin, G)
	}
}

// Γ is ∂G/∂θ: against a central difference of G as a function of θ.
func TestGammaIsTheDerivativeOfG(t *testing.T) {
	const alpha, lambda, v0 = 0.9, 1e-2, 0.3
	G := func(x float64) float64 {
		g := -x / 0.5
		return 1 / (lambda + math.Sqrt(alpha*v0+(1-alpha)*g*g))
	}
	for _, x := range []float64{-2, -0.3, 0.01, 1.7} {
		const d, eps = 1e-5, 2.0
		var at [2]float64 // θ' without Γ and with it
		for own := range at {
			s := sampler.NewState([]float64{x})
			s.V[0], s.Step = v0, 5
			p, z := samplertest.Params(langevin.PSGLD, eps, 1, alpha, lambda, float64(own)),
				noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), 1)
			langevin.PSGLD.New64(samplertest.OfDim[float64](1)).Step(&s, samplertest.NewNormal(0.5), p, z,
				&sampler.Info{})
			at[own] = s.Theta[0]
		}
		gamma := (at[1] - at[0]) * 2 / eps
		// The difference's own error is about d²|G'''| and 1e-16/d.
		if want := (G(x+d) - G(x-d)) / (2 * d); math.Abs(gamma-want) > 1e-7*(1+math.Abs(want)) {
			t.Errorf("Γ(%g) = %g, want %g", x, gamma, want)
		}
	}
}

func TestZeroGradientAtZeroTemperature(t *testing.T) {
	for _, m := range []sampler.Method{langevin.PSGLD, langevin.SGLD} {
		s := sampler.NewState([]float64{0, 0})
		var info sampler.Info
		m.New64(samplertest.OfDim[float64](2)).Step(&s, samplertest.NewNormal(0.16, 1), samplertest.Params(m, 0.3, 0),
			noise.NewNormals[float64](noise.New(1, 0, 0), 2), &info)
		if s.Theta[0] != 0 || s.Theta[1] != 0 || !info.OK {
			t.Errorf("%s moved to %v", m.Name, s.Theta)
		}
	}
}

// Started at the mode with V_0 = 0, pSGLD's first step has G = 1/λ (PAPER §4).
func TestGammaGuardsZeroV(t *testing.T) {
	s := sampler.NewState([]float64{0})
	var info sampler.Info
	langevin.PSGLD.New64(samplertest.OfDim[float64](1)).Step(&s, samplertest.NewNormal(1),
		samplertest.Params(langevin.PSGLD, 0.3, 1, 0.99, 1e-5, 1),
		noise.NewNormals[float64](noise.New(1, 0, 0), 1), &info)
	if !info.OK || math.Abs(info.GMax-1e5) > 1e-6 {
		t.Errorf("θ = %v, G = %g, want G = 1e5", s.Theta, info.GMax)
	}
}

func TestFreeze(t *testing.T) {
	s := sampler.NewState([]float64{0.5, 1})
	k := langevin.PSGLD.New64(samplertest.OfDim[float64](2))
	z := noise.NewNormals[float64](noise.New(1, 0, 0), 2)
	p := samplertest.Params(langevin.PSGLD, 0.1, 1, 0.99, 1e-5, 0, 0, 10)
	var at []float64
	for i := range 50 {
		if i == 10 {
			at = slices.Clone(s.V)
		}
		k.Step(&s, samplertest.NewNormal(0.16, 1), p, z, new(sampler.Info))
	}
	if !slices.Equal(s.V, at) {
		t.Errorf("V moved from %v to %v after it was frozen", at, s.V)
	}
}

func TestDivergenceIsSeen(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), 2 * sampler.Limit} {
		s := sampler.NewState([]float64{bad, 0})
		var info sampler.Info
		if langevin.SGLD.New64(samplertest.OfDim[float64](2)).Step(&s, samplertest.NewNormal(1, 1), samplertest.Params(langevin.SGLD, 0.1, 0), nil, &info); info.OK {
			t.Errorf("θ = %g passes", bad)
		}
	}
}

// The normals differ, so the comparison is without.
func TestFloat32AgreesWithFloat64(t *testing.T) {
	for _, m := range []sampler.Method{langevin.PSGLD, langevin.SGLD} {
		s := sampler.NewState([]float64{0.5, 1})
		s32 := sampler.NewState([]float32{0.5, 1})
		k, k32 := m.New64(samplertest.OfDim[float64](2)), m.New32(samplertest.OfDim[float32](2))
		p := samplertest.Params(m, 0.1, 0)
		var info, info32 sampler.Info
		for range 20 {
			k.Step(&s, samplertest.NewNormal(0.16, 1), p, nil, &info)
			k32.Step(&s32, (*samplertest.Normal32)(nil), p, nil, &info32)
		}
		for i := range s.Theta {
			// Twenty roundings of 6e-8, and the map contracts.
			if math.Abs(s.Theta[i]-float64(s32.Theta[i])) > 5e-6 {
				t.Errorf("%s: θ[%d] = %g in float64 and %g in float32", m.Name, i, s.Theta[i], s32.Theta[i])
			}
		}
		// The squared drift is from θ, which is small in the end.
		if math.Abs(info32.Drift2-info.Drift2) > 1e-5*info.Drift2 {
			t.Errorf("%s: %+v in float64 and %+v in float32", m.Name, info, info32)
		}
	}
}

func TestSchedule(t *testing.T) {
	for _, c := range []struct {
		in     string
		t      uint64
		perEp  float64
		factor float64
	}{
		{"const", 1000, 1, 1},
		{"halve:20ep", 11999, 600, 1},
		{"halve:20ep", 12000, 600, 0.5},
		{"halve:20ep", 59999, 600, 0.0625},
		{"halve:100", 250, 1, 0.25},
		{"halve:1", 39, 1, 0x1p-39}, // the last but one
		{"halve:1", 1e15, 1, 0x1p-40},
		{"poly:0.1,10,0.55", 90, 1, math.Pow(10, -0.55)},
		{"poly:0.1,10,0.5", 90, 1, math.Pow(10, -0.5)},
		{"poly:300,100,0.2", 300, 1, math.Pow(4, -0.2)},
	} {
		s, first, err := sampler.ParseSchedule(c.in)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Factor(c.t, c.perEp); math.Abs(got-c.factor) > 1e-14*c.factor {
			t.Errorf("%s at %d: %g, want %g", c.in, c.t, got, c.factor)
		}
		if got := s.String(first); got != c.in {
			t.Errorf("%s writes as %q", c.in, got)
		}
	}
	for _, bad := range []string{"", "halve", "halve:0", "halve:-1ep", "halve:NaN", "poly:1,2", "poly:1,2,x",
		"poly:0,1,1", "cosine", "const:1", "halve:Inf"} {
		if _, _, err := sampler.ParseSchedule(bad); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

func FuzzParseSchedule(f *testing.F) {
	for _, s := range []string{"const", "halve:20ep", "halve:1000", "poly:0.1,10,0.55", "poly:0.1,10,0.5",
		"poly:100,3,0.3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		s, first, err := sampler.ParseSchedule(in)
		if err != nil {
			return
		}
		if x := s.Factor(100, 10); !(x >= 0 && x <= 1) {
			t.Errorf("%q has factor %g", in, x)
		}
		if _, _, err := sampler.ParseSchedule(s.String(first)); err != nil && first > 1e-200 {
			t.Errorf("%q writes as %q: %v", in, s.String(first), err)
		}
	})
}

func BenchmarkStep2D(b *testing.B) {
	for _, m := range []sampler.Method{langevin.PSGLD, langevin.SGLD} {
		b.Run(m.Name, func(b *testing.B) {
			k, g := m.New64(samplertest.OfDim[float64](2)), samplertest.NewNormal(0.16, 1)
			s, p := sampler.NewState([]float64{0.5, 1}), samplertest.Params(m, 0.3, 1)
			z := noise.NewNormals[float64](noise.New(1, 0, 0), 2)
			b.ReportAllocs()
			var info sampler.Info
			for range b.N {
				k.Step(&s, g, p, z, &info)
			}
		})
	}
}
