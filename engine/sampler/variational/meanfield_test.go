package variational

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

// curved is a Gradient of l(w) = -Σ ln cosh(w_i - i/2) - w_0 w_1/4, of float32 or
// float64.
type curved[F sampler.Float] struct {
	samplertest.Only[F]
	e sampler.Eval[F]
}

func (c *curved[F]) Eval(w []F, _ sampler.Ask) *sampler.Eval[F] {
	if c.e.Mean == nil {
		c.e.Mean = make([]F, len(w))
		c.e.Second = c.e.Mean
	}
	c.e.LogLik = -float64(w[0]) * float64(w[1]) / 4
	for i, x := range w {
		t := float64(x) - float64(i)/2
		c.e.LogLik -= math.Log(math.Cosh(t))
		c.e.Mean[i] = F(-math.Tanh(t))
	}
	c.e.Mean[0] -= w[1] / 4
	c.e.Mean[1] -= w[0] / 4
	return &c.e
}

// The step goes along the gradient of Info.Objective by μ and ρ at fixed z: against
// its central differences.
func TestBBBGradientIsThatOfTheBound(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	for _, c := range []struct {
		m           sampler.Method
		prec, temp  float64
		mix, s1, s2 float64
	}{
		{m: BBB, prec: 0, temp: 1}, {m: BBB, prec: 0.7, temp: 1}, {m: BBB, prec: 3, temp: 0.3},
		{m: BBB, prec: 3, temp: 0},
		{m: BBBMix, temp: 1, mix: 0.25, s1: 1, s2: 0.1}, {m: BBBMix, temp: 0.5, mix: 0.9, s1: 0.3, s2: 2},
	} {
		const dim, n = 5, 40
		p := samplertest.Params(c.m, 1, c.temp)
		p.N, p.PriorPrec = n, c.prec
		if c.m.Name == BBBMix.Name {
			p.Own[mixShare], p.Own[mixSD1], p.Own[mixSD2] = c.mix, c.s1, c.s2
		}
		// With α = 0 and h = λ large a step is u, to 10⁻¹² of itself.
		p.Own[meanFieldAlpha], p.Own[meanFieldLambda] = 0, 1e14
		p.Eps = 2 * p.Own[meanFieldLambda] / n
		k := c.m.New64(samplertest.OfDim[float64](dim)).(*meanField)
		s := sampler.NewState(make([]float64, dim))
		k.Begin(&s, p)
		z := make([]float64, dim)
		for i := range dim {
			z[i], s.Own[meanFieldMu][i], s.Own[meanFieldRho][i] = r.NormFloat64(), r.NormFloat64(), -1+r.NormFloat64()
		}
		bound := func(which, i int, by float64) float64 {
			at := s.Clone()
			at.Own[which][i] += by
			var info sampler.Info
			k.step(&at, &curved[float64]{}, p, z, &info)
			return info.Objective
		}
		next := s.Clone()
		var info sampler.Info
		k.step(&next, &curved[float64]{}, p, z, &info)
		for _, which := range []int{meanFieldMu, meanFieldRho} {
			for i := range dim {
				const d = 1e-5
				want := (bound(which, i, d) - bound(which, i, -d)) / (2 * d)
				got := n * (next.Own[which][i] - s.Own[which][i])
				// The difference errs by about d² times a third derivative, of up to some
				// thousands with σ₂ = 0.1, and by 10⁻¹⁶·1000/d.
				if math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
					t.Errorf("%s, %+v: ∂L/∂%d[%d] = %.9g, want %.9g", c.m.Name, c, which, i, got, want)
				}
			}
		}
		sum := 0.0
		for i, w := range next.Theta {
			sd, _ := softplus(s.Own[meanFieldRho][i])
			if want := s.Own[meanFieldMu][i] + sd*z[i]; math.Abs(w-want) > 1e-15 {
				t.Errorf("w = %g, want %g", w, want)
			}
			sum += (w - s.Own[meanFieldMu][i]) * (w - s.Own[meanFieldMu][i])
		}
		if math.Abs(info.Noise2-sum) > 1e-12*sum {
			t.Errorf("‖σz‖² = %g, want %g", info.Noise2, sum)
		}
	}
}

// One step worked by hand, with V, its correction and the decay of ε.
func TestBBBStepByHand(t *testing.T) {
	const prec, temp, n, alpha, lambda, eps, half, ratio = 0.5, 0.8, 10.0, 0.9, 1e-3, 0.02, 4.0, 0.3
	const mu, rho, muV, rhoV, done, z = 0.3, -1.2, 0.02, 0.05, 2.0, 0.7
	p := samplertest.Params(BBB, eps, temp)
	p.N, p.PriorPrec = n, prec
	p.Own[meanFieldAlpha], p.Own[meanFieldLambda], p.Own[meanFieldDecay], p.Own[meanFieldRatio] = alpha, lambda,
		half, ratio
	k := BBB.New64(samplertest.OfDim[float64](1)).(*meanField)
	s := sampler.NewState([]float64{9})
	k.Begin(&s, p)
	if sd, _ := softplus(s.Own[meanFieldRho][0]); s.Own[meanFieldMu][0] != 9 || math.Abs(sd-0.1) > 1e-15 {
		t.Errorf("begins with μ = %g, σ = %g", s.Own[meanFieldMu][0], sd)
	}
	for i, x := range []float64{mu, rho, muV, rhoV} {
		s.Own[i][0] = x
	}
	s.Own[meanFieldCount][0] = done
	sd := math.Log(1 + math.Exp(rho))
	w := mu + sd*z
	g := -w / 0.16 // of newNormal, whose LogLik is not set
	u := (n*g - prec*mu) / n
	ur := ((n*g*z - prec*sd) + temp/sd) / (1 + math.Exp(-rho)) / n
	move := func(v, u float64) (float64, float64) {
		v = alpha*v + (1-alpha)*u*u
		return v, eps / (1 + done/half) * n / 2 * u / (lambda + math.Sqrt(v/(1-alpha*alpha*alpha)))
	}
	wantMuV, dMu := move(muV, u)
	wantRhoV, dRho := move(rhoV, ur)
	bound := prec/2*-(mu*mu+sd*sd) + math.Log(prec/(2*math.Pi))/2 + temp*(math.Log(sd)+(1+math.Log(2*math.Pi))/2)
	var info sampler.Info
	k.step(&s, samplertest.NewNormal(0.16), p, []float64{z}, &info)
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"w", s.Theta[0], w}, {"μ", s.Own[meanFieldMu][0], mu + dMu}, {"ρ", s.Own[meanFieldRho][0], rho + ratio*dRho},
		{"V of μ", s.Own[meanFieldMuV][0], wantMuV}, {"V of ρ", s.Own[meanFieldRhoV][0], wantRhoV},
		{"t", s.Own[meanFieldCount][0], done + 1},
		{"‖Δμ‖²", info.Drift2, dMu * dMu}, {"bound", info.Objective, bound}, {"ε", info.Eps, eps / (1 + done/half)},
		{"G", info.GMin, dMu / u / (eps / (1 + done/half) * n / 2)}, {"G", k.GainAt(0), info.GMax},
	} {
		if math.Abs(c.got-c.want) > 1e-12*math.Abs(c.want) {
			t.Errorf("%s = %.15g, want %.15g", c.what, c.got, c.want)
		}
	}
}

// Predictions are by the newest q or, every tenth step, by an average that follows
// it: of all those steps at first, and later with weights that fall.
func TestBBBAverages(t *testing.T) {
	for _, over := range []float64{0, 40} {
		p := samplertest.Params(BBB, 0.05, 1)
		p.Own[meanFieldAverage] = over
		k, s := samplertest.Begun(BBB, []float64{3, -1}, p)
		z := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), 2)
		mean, draw := s.Clone(), make([]float64, 2)
		var i sampler.Info
		for step := 1; step <= 100; step++ {
			k.Step(&s, samplertest.NewNormal(0.16, 1), p, z, &i)
			for j := range draw {
				for q, from := range []int{meanFieldMu, meanFieldRho} {
					switch m := &mean.Own[meanFieldMuMean+q][j]; {
					case over == 0:
						*m = s.Own[from][j]
					case step%10 == 0:
						share := max(10/float64(step), 10/over)
						*m += share * (s.Own[from][j] - *m)
					}
					if got, want := s.Own[meanFieldMuMean+q][j], mean.Own[meanFieldMuMean+q][j]; math.Abs(got-want) > 1e-14 {
						t.Fatalf("over %g, step %d: average %g, want %g", over, step, got, want)
					}
				}
			}
		}
		k.(sampler.Proxy[float64]).Proxy(draw, &s, 0, []float64{2, -1})
		for j, c := range []float64{2, -1} {
			sd, _ := softplus(mean.Own[meanFieldRhoMean][j])
			if want := mean.Own[meanFieldMuMean][j] + c*sd; math.Abs(draw[j]-want) > 1e-13 {
				t.Errorf("over %g: a draw is %g, want %g", over, draw[j], want)
			}
		}
	}
}

// The mixture's logarithm and slope against the densities added up, and where
// those would overflow or vanish.
func TestMixturePrior(t *testing.T) {
	density := func(w, sd float64) float64 { return math.Exp(-w*w/(2*sd*sd)) / (sd * math.Sqrt(2*math.Pi)) }
	for _, c := range [][3]float64{{0.5, 1, math.Exp(-6)}, {0.25, 0.37, 0.0025}, {0.9, 0.1, 2}, {0.3, 0.7, 0.7}} {
		q := mixturePrior(c[0], c[1], c[2])
		for _, w := range []float64{0, 1e-9, 1e-3, -0.004, 0.01, -0.1, 0.7, 2} {
			a, b := c[0]*density(w, c[1]), (1-c[0])*density(w, c[2])
			log, slope := q.log(w)
			want := -w * (a/(c[1]*c[1]) + b/(c[2]*c[2])) / (a + b)
			if math.Abs(log-math.Log(a+b)) > 1e-12*(1+math.Abs(log)) || math.Abs(slope-want) > 1e-9*math.Abs(want) {
				t.Errorf("%v at %g: %.15g, slope %.15g, want %.15g, %.15g", c, w, log, slope, math.Log(a+b), want)
			}
			d := 1e-4 * min(c[1], c[2])
			up, _ := q.log(w + d)
			down, _ := q.log(w - d)
			// To (d/σ)² of what changes over σ, and to the rounding of the logarithm.
			if diff := (up - down) / (2 * d); math.Abs(slope-diff) > 1e-7*math.Abs(diff)+1e-14/d*(1+math.Abs(log)) {
				t.Errorf("%v at %g: slope %.12g, want %.12g", c, w, slope, diff)
			}
		}
	}
	q := mixturePrior(0.5, 1, 1e-6)
	if log, slope := q.log(60); math.Abs(log-(math.Log(0.5)-1800-math.Log(2*math.Pi)/2)) > 1e-9 || slope != -60 {
		t.Errorf("far out: %g, slope %g", log, slope)
	}
	q = mixturePrior(0.5, 1e-6, 1)
	if log, slope := q.log(60); math.Abs(log-(math.Log(0.5)-1800-math.Log(2*math.Pi)/2)) > 1e-6 ||
		math.Abs(slope+60) > 1e-6 {
		t.Errorf("far out: %g, slope %g", log, slope)
	}
	one, two := normalPrior(1/0.49), mixturePrior(0.3, 0.7, 0.7)
	a, b := one.log(1.3)
	if x, y := two.log(1.3); math.Abs(x-a) > 1e-15 || math.Abs(y-b) > 1e-15 {
		t.Errorf("two equal components: %g, %g, want %g, %g", x, y, a, b)
	}
}

// precise is N(0, Λ⁻¹) as a Gradient with its log density.
type precise struct {
	samplertest.Only[float64]
	m      []float64
	lambda [][]float64
	e      sampler.Eval[float64]
}

func (g *precise) Eval(w []float64, _ sampler.Ask) *sampler.Eval[float64] {
	if g.e.Mean == nil {
		g.e.Mean = make([]float64, len(w))
	}
	g.e.LogLik = 0
	for i, row := range g.lambda {
		sum := 0.0
		for j, x := range row {
			sum -= x * (w[j] - g.m[j])
		}
		g.e.Mean[i] = sum
		g.e.LogLik += sum * (w[i] - g.m[i]) / 2
	}
	return &g.e
}

// On a Gaussian the best q has the mean and the variances 1/Λ_ii, and its ELBO is
// ln Z - ½ (Σ ln Λ_ii - ln det Λ).
func TestBBBFindsTheMeanFieldOptimum(t *testing.T) {
	for _, c := range []struct {
		m      []float64
		lambda [][]float64
		det    float64
	}{
		{[]float64{1, -2}, [][]float64{{1 / 0.16, 0}, {0, 1}}, 1 / 0.16},
		{[]float64{0.5, 0.2}, [][]float64{{1 / 0.36, -0.8 / 0.36}, {-0.8 / 0.36, 1 / 0.36}}, 1 / 0.36},
	} {
		p := samplertest.Params(BBB, 0.04, 1)
		p.Own[meanFieldDecay] = 2000
		k, s := samplertest.Begun(BBB, []float64{0, 0}, p)
		z := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), 2)
		g := &precise{m: c.m, lambda: c.lambda}
		var i sampler.Info
		const steps = 60_000
		var mu, sd [2]float64
		elbo := 0.0
		for step := range steps {
			k.Step(&s, g, p, z, &i)
			if step < steps/2 {
				continue
			}
			elbo += i.Objective / (steps / 2)
			for j := range mu {
				mu[j] += s.Own[meanFieldMu][j] / (steps / 2)
				x, _ := softplus(s.Own[meanFieldRho][j])
				sd[j] += x / (steps / 2)
			}
		}
		ln := 0.0
		for j := range mu {
			want := 1 / math.Sqrt(c.lambda[j][j])
			ln += math.Log(c.lambda[j][j])
			// Over 40 seeds the averages erred by at most 0.014 σ and 0.012 σ, and the
			// ELBO by 0.013.
			if math.Abs(mu[j]-c.m[j]) > 0.03*want || math.Abs(sd[j]/want-1) > 0.03 {
				t.Errorf("q_%d = N(%g, %g²), want N(%g, %g²)", j, mu[j], sd[j], c.m[j], want)
			}
		}
		want := math.Log(2*math.Pi) - math.Log(c.det)/2 - (ln-math.Log(c.det))/2
		if math.Abs(elbo-want) > 0.03 {
			t.Errorf("ELBO %g, want %g", elbo, want)
		}
	}
}

// Float32 steps as float64 does with the same normals.
func TestBBB32AgreesWithFloat64(t *testing.T) {
	for _, m := range []sampler.Method{BBB, BBBMix} {
		for _, path := range simd.Paths {
			const dim = 77
			p := samplertest.Params(m, 2e-3, 0.6)
			p.N, p.PriorPrec, p.Own[meanFieldRatio], p.Own[meanFieldAverage] = 50, 2, 0.7, 20
			if m.Name == BBBMix.Name {
				p.Own[mixSD2] = 0.05
			}
			start := samplertest.Start32(dim)
			k, s := samplertest.Begun(m, start, p)
			samplertest.OnPath(k, path)
			wide := make([]float64, dim)
			for i, x := range start {
				wide[i] = float64(x)
			}
			k64, s64 := samplertest.Begun(m, wide, p)
			z := noise.NewNormals[float32](noise.New(5, 1, noise.Langevin), dim)
			z64 := make([]float64, dim)
			var i, i64 sampler.Info
			for range 50 {
				for j, x := range z.At(s.Step) {
					z64[j] = float64(x)
				}
				k64.(*meanField).step(&s64, &curved[float64]{}, p, z64, &i64)
				s64.Step++
				k.Step(&s, &curved[float32]{}, p, z, &i)
			}
			for j := range start {
				for q, tolerance := range []float64{1e-5, 1e-5, 1e-4, 1e-4, 1e-5, 1e-5} {
					a, b := float64(s.Own[q][j]), s64.Own[q][j]
					if math.Abs(a-b) > tolerance*math.Abs(b)+1e-6 {
						t.Fatalf("%s, %s: Own[%d][%d] = %g, want %g", m.Name, path, q, j, a, b)
					}
				}
				if a, b := float64(k.GainAt(j)), k64.GainAt(j); math.Abs(a-b) > 1e-3*b {
					t.Fatalf("%s, %s: G = %g, want %g", m.Name, path, a, b)
				}
			}
			near := func(what string, got, want float64) {
				t.Helper()
				if math.Abs(got-want) > 1e-4*math.Abs(want) {
					t.Errorf("%s, %s: %s = %g, want %g", m.Name, path, what, got, want)
				}
			}
			near("L", i.Objective, i64.Objective)
			near("‖Δμ‖²", i.Drift2, i64.Drift2)
			near("‖σz‖²", i.Noise2, i64.Noise2)
			near("G", i.GMin, i64.GMin)
			near("G", i.GMax, i64.GMax)
			near("ε", i.Eps, i64.Eps)
			if !i.OK || !i64.OK {
				t.Error("not OK")
			}
			a, b := make([]float32, dim), make([]float64, dim)
			k.(sampler.Proxy[float32]).Proxy(a, &s, 0, z.At(0))
			for j, x := range z.At(0) {
				z64[j] = float64(x)
			}
			k64.(sampler.Proxy[float64]).Proxy(b, &s64, 0, z64)
			for j := range a {
				near("a draw", float64(a[j])+1, b[j]+1)
			}
		}
	}
}

// Cores that share a step change nothing, no step allocates, and a State is all
// that there is to remember.
func TestBBBSteps(t *testing.T) {
	const dim = 3*step32.PieceSize + 45
	backwards := func(n int, task func(worker, i int)) {
		for i := n - 1; i >= 0; i-- {
			task(0, i)
		}
	}
	for _, m := range []sampler.Method{BBB, BBBMix} {
		p := samplertest.Params(m, 1e-5, 1)
		p.N, p.PriorPrec = 100, 1
		z := noise.NewNormals[float32](noise.New(1, 0, noise.Langevin), dim)
		k, s := samplertest.Begun(m, samplertest.Start32(dim), p)
		g := samplertest.NewNetwork32(dim, false)
		var i, j sampler.Info
		for range 3 {
			k.Step(&s, g, p, z, &i)
		}
		saved := s.Clone()
		for range 3 {
			k.Step(&s, g, p, z, &i)
		}
		k2, again := samplertest.Begun(m, make([]float32, dim), p)
		k2.(sampler.Parallel).Spread(backwards)
		again.Copy(&saved)
		for range 3 {
			k2.Step(&again, g, p, z, &j)
		}
		if !slices.Equal(s.Theta, again.Theta) || !slices.EqualFunc(s.Own, again.Own, slices.Equal) || i != j || !i.OK {
			t.Errorf("%s: a step that is repeated differs", m.Name)
		}
		if n := alloctest.PerRun(2, func() { k2.Step(&again, g, p, z, &j) }); n != 0 {
			t.Errorf("%s allocates %g times a step", m.Name, n)
		}
		k64, s64 := samplertest.Begun(m, []float64{1, 2}, p)
		z64 := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), 2)
		g64 := samplertest.NewNormal(1, 2)
		if n := alloctest.PerRun(10, func() { k64.Step(&s64, g64, p, z64, &j) }); n != 0 {
			t.Errorf("%s allocates %g times a step in float64", m.Name, n)
		}
	}
}

func TestBBBSeesDivergence(t *testing.T) {
	for which := range meanFieldMuV {
		for _, bad := range []float64{math.NaN(), math.Inf(1), 2 * sampler.Limit} {
			p := samplertest.Params(BBB, 1e-9, 1)
			k, s := samplertest.Begun(BBB, make([]float64, 3), p)
			s.Own[which][1] = bad
			var i sampler.Info
			if k.Step(&s, samplertest.NewNormal(1, 1, 1), p, noise.NewNormals[float64](noise.New(1, 0, 0), 3), &i); i.OK {
				t.Errorf("Own[%d] = %g passes", which, bad)
			}
			const dim = step32.PieceSize + 40
			k32, s32 := samplertest.Begun(BBB, make([]float32, dim), p)
			s32.Own[which][dim-1] = float32(bad)
			if k32.Step(&s32, samplertest.NewNetwork32(dim, false), p, noise.NewNormals[float32](noise.New(1, 0, 0), dim), &i); i.OK {
				t.Errorf("Own[%d] = %g passes in float32", which, bad)
			}
		}
	}
}

func TestBBBFits(t *testing.T) {
	for _, c := range []struct {
		spec     string
		bbb, mix bool
	}{{"gaussian", true, false}, {"banana", true, false}, {"blr:synthetic", true, true}, {"mlp:20", true, true}} {
		p, err := targets.Open(c.spec, targets.Options{Dataset: "strokes"})
		if err != nil {
			t.Fatal(err)
		}
		if BBB.Misfit(p) == "" != c.bbb || BBBMix.Misfit(p) == "" != c.mix {
			t.Errorf("%s: %q, %q", c.spec, BBB.Misfit(p), BBBMix.Misfit(p))
		}
	}
}
