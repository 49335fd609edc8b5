package catalog_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/gradient"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/program"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
	"github.com/psgld/psgld-tui/engine/sampler/langevin"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// Every method describes itself and keeps the contract of a kernel, and its draws have the
// covariance that it declares.
func TestEveryMethod(t *testing.T) {
	for i, m := range catalog.Methods() {
		if slices.Contains(catalog.Names()[:i], m.Name) {
			t.Errorf("%s is there twice", m.Name)
		}
		t.Run(m.Name, func(t *testing.T) { prove(t, m) })
	}
	for _, name := range program.Names() {
		m, ok := catalog.Find(name)
		if !ok {
			t.Errorf("a program of %s, which is no method", name)
			continue
		}
		p, c := samplertest.Open(t, "banana"),
			state.Config{Seed: 1, Lanes: []state.Setting{state.DefaultSetting(samplertest.Open(t, "banana"), m.Name)}}
		for _, language := range program.Languages() {
			if l, err := program.Of(c, c.Lanes[0], p, language, ""); err != nil || !strings.Contains(l.Text, "theta") {
				t.Errorf("%s in %s: %v", name, language, err)
			}
		}
	}
}

// prove has a method prove itself.
func prove(t testing.TB, m sampler.Method) {
	declares(t, m)
	fits := 0
	for _, spec := range []string{"gaussian:noise=0.3", "banana", "blr:synthetic", "mlp:8"} {
		p := samplertest.Open(t, spec)
		if m.Misfit(p) != "" {
			continue
		}
		fits++
		if p.F32 != nil {
			steps(t, m, p, p.F32)
		} else {
			steps(t, m, p, p.F64)
		}
	}
	if fits == 0 {
		t.Errorf("%s fits no target", m.Name)
	}
	if m.New64 == nil {
		return
	}
	for _, spec := range []string{"gaussian", "gaussian:cov=1,0.8,0.8,1", "gaussian:noise=0.3"} {
		if p := samplertest.Open(t, spec); m.Misfit(p) == "" {
			limits(t, m, p)
			bounds(t, m, p)
		}
	}
}

var key = regexp.MustCompile(`^[a-z][a-z0-9:-]*$`)

// A method has a name, a title, a line, an equation and a source, and parameters with legal
// defaults.
func declares(t testing.TB, m sampler.Method) {
	if !key.MatchString(m.Name) || m.Title == "" || m.Doc == "" || m.Equation == "" || m.Source == "" ||
		strings.ContainsAny(m.Title+m.Doc+m.Source, "\n\t") {
		t.Errorf("%q: %q, %q, %q, %q", m.Name, m.Title, m.Doc, m.Equation, m.Source)
	}
	var keys []string
	for _, q := range m.All() {
		if slices.Contains(keys, q.Key) || !key.MatchString(q.Key) || q.Doc == "" || q.Symbol == "" {
			t.Errorf("%s: parameter %q: %q, %q", m.Name, q.Key, q.Symbol, q.Doc)
		}
		keys = append(keys, q.Key)
		unset := q.NeedsData && q.Default == 0 // the target's own is taken
		if err := q.Check(q.Default); err != nil && !unset {
			t.Errorf("%s: the default of %s %v", m.Name, q.Key, err)
		}
		if q.Scale != param.Choice && (q.Check(q.Lo) != nil || q.Check(q.Hi) != nil || !(q.Lo < q.Hi)) {
			t.Errorf("%s: the slider of %s goes from %g to %g", m.Name, q.Key, q.Lo, q.Hi)
		}
	}
	for _, without := range m.Without {
		if without == sampler.KeyEps {
			t.Errorf("%s is without a step size", m.Name)
		}
	}
}

// A chain goes by a method over a target.
type chain[F sampler.Float] struct {
	state  sampler.State[F]
	kernel sampler.Kernel[F]
	grad   gradient.Gradient[F]
	params sampler.Params
	z      *noise.Normals[F]
	info   sampler.Info
	count  uint64
}

func newKernel[F sampler.Float](m sampler.Method, target targets.Target[F]) sampler.Kernel[F] {
	switch x := any(target).(type) {
	case targets.Target[float32]:
		return any(m.New32(x)).(sampler.Kernel[F])
	case targets.Target[float64]:
		return any(m.New64(x)).(sampler.Kernel[F])
	}
	panic("no arithmetic")
}

// begun is a chain with the default values on a target but for those that change makes.
func begun[F sampler.Float](m sampler.Method, p *targets.Problem, target targets.Target[F], seed uint64,
	change func(p *sampler.Params)) *chain[F] {
	set := state.DefaultSetting(p, m.Name)
	for _, q := range m.Params {
		if !set.Has(q.Key) { // of a method that is not the catalog's
			set.Values[q.Key] = q.Default
		}
	}
	c, d := &chain[F]{kernel: newKernel(m, target), params: state.ValuesInForce(p, m, set)}, p.Dim()
	if change != nil {
		change(&c.params)
	}
	start, z := make([]float64, d), make([]float64, d)
	noise.Fill(noise.New(1, 0, noise.Start), z)
	p.Init(start, z)
	theta := make([]F, d)
	for i, x := range start {
		theta[i] = F(x)
	}
	c.state = sampler.NewState(theta)
	c.z = noise.NewNormals[F](noise.New(seed, 0, noise.Langevin), d)
	c.grad = gradient.New(state.Config{Seed: 1}, p, target, &c.state, &c.count, 0, 0)
	c.grad.N = min(int(set.Or(sampler.KeyBatch, 0)), 20)
	if b, ok := c.kernel.(sampler.Beginner[F]); ok {
		b.Begin(&c.state, &c.params)
	}
	return c
}

func (c *chain[F]) step(n int) {
	for range n {
		c.kernel.Step(&c.state, &c.grad, &c.params, c.z, &c.info)
	}
}

// same reports whether two chains stand in the same state, to the bit.
func (c *chain[F]) same(o *chain[F]) bool {
	equal := func(a, b []F) bool {
		return slices.EqualFunc(a, b, func(x, y F) bool {
			return math.Float64bits(float64(x)) == math.Float64bits(float64(y))
		})
	}
	return equal(c.state.Theta, o.state.Theta) && equal(c.state.V, o.state.V) &&
		slices.EqualFunc(c.state.Own, o.state.Own, equal) && c.state.Step == o.state.Step
}

// A kernel keeps its contract: the same noise makes the same steps, on several cores too, and a new
// kernel goes on from a state as the one before it would. A step reports what it did and allocates
// nothing, and without temperature nothing is random.
func steps[F sampler.Float](t testing.TB, m sampler.Method, p *targets.Problem, target targets.Target[F]) {
	const n = 24
	what := fmt.Sprintf("%s on %s", m.Name, p.Spec)
	c, again := begun(m, p, target, 1, nil), begun(m, p, target, 1, nil)
	c.step(n)
	again.step(n / 2)
	again.kernel = newKernel(m, target)
	if s, ok := again.kernel.(sampler.Parallel); ok {
		s.Spread(samplertest.Workers(3))
	}
	again.step(n / 2)
	if !c.same(again) {
		t.Errorf("%s: another kernel goes elsewhere after %d steps: %.4v, %.4v", what, n/2, c.state.Theta[:2],
			again.state.Theta[:2])
	}
	i := &c.info
	switch {
	case c.state.Step != n:
		t.Errorf("%s: %d steps are %d", what, n, c.state.Step)
	case !i.OK || !(i.Drift2 >= 0) || !(i.Noise2 >= 0) || !(i.GMin <= i.GMax) || math.IsInf(i.Drift2+i.Noise2, 0):
		t.Errorf("%s: %+v", what, i)
	case m.Metropolis && !(i.Accept >= 0 && i.Accept <= 1):
		t.Errorf("%s: an acceptance probability of %v", what, i.Accept)
	case m.Kind == sampler.Variational && (math.IsNaN(i.Objective) || math.IsInf(i.Objective, 0)):
		t.Errorf("%s: an objective of %v", what, i.Objective)
	}
	if g := float64(c.kernel.GainAt(p.Dim() - 1)); !(g > 0) || math.IsInf(g, 0) {
		t.Errorf("%s: G is %v", what, g)
	}
	if k, ok := c.kernel.(sampler.Proxy[F]); ok {
		dst, z := make([]F, p.Dim()), make([]F, p.Dim())
		k.Proxy(dst, &c.state, 0, z)
		if k.Proxies(&c.params) < 1 || !sampler.Usable(dst...) {
			t.Errorf("%s: %d proxies, one of them %.4v", what, k.Proxies(&c.params), dst[:2])
		}
	}
	if a := alloctest.PerRun(5, func() { c.step(1) }); a != 0 {
		t.Errorf("%s: a step allocates %g times", what, a)
	}
	if m.Kind == sampler.Sampling && !m.Metropolis {
		cold := func(p *sampler.Params) { p.Temp = 0 }
		a, b := begun(m, p, target, 1, cold), begun(m, p, target, 2, cold)
		a.step(n)
		b.step(n)
		if !a.same(b) {
			t.Errorf("%s draws at temperature 0", what)
		}
	}
	c.state.Theta[0] = F(math.NaN())
	if c.step(1); c.info.OK && !m.Metropolis && c.state.Theta[0] != c.state.Theta[0] { // one that accepts goes nowhere
		t.Errorf("%s: a θ of NaN passes", what)
	}
}

// Draws of a Gaussian have the covariance that the method declares, or are draws of the target
// itself where it accepts and rejects. Standard errors are those of 200 batches, and none of the
// twenty entries of a method may be off by more than 4.5: by chance that is one seed in 7,000.
func limits(t testing.TB, m sampler.Method, p *targets.Problem) {
	x := p.Impl().(targets.Stationary)
	d := p.Dim()
	c := begun(m, p, p.F64, 3, func(q *sampler.Params) { q.Temp = 0.7 })
	want := make([]float64, d*d)
	switch {
	case m.Metropolis:
		copy(want, p.Impl().(targets.Truth).Truth().Cov)
		for i := range want {
			want[i] *= c.params.Temp
		}
	case m.StationaryCov != nil:
		c.params.Eps = 0.4 * x.MaxStep()
		if !m.StationaryCov(want, x, &c.params) {
			return
		}
		if m.Halve != nil {
			half, now := c.params, slices.Clone(want)
			m.Halve(&half)
			m.StationaryCov(now, x, &half)
			m.Halve(&half)
			quarter := slices.Clone(want)
			m.StationaryCov(quarter, x, &half)
			// The bias a ε + b ε² + … of the step halves but for its second term.
			if r := (now[0] - quarter[0]) / (want[0] - now[0]); !(r > 0.3 && r < 0.6) {
				t.Errorf("%s on %s: half a step has %g of the bias", m.Name, p.Spec, r)
			}
		}
	default:
		return
	}
	const batches, size = 200, 1000
	c.step(5000)
	sum, square := make([]float64, d*d), make([]float64, d*d)
	for range batches {
		one := make([]float64, d*d)
		for range size {
			c.step(1)
			for i, a := range c.state.Theta {
				for j, b := range c.state.Theta {
					one[i*d+j] += a * b / size
				}
			}
		}
		for i, v := range one {
			sum[i] += v / batches
			square[i] += v * v / batches
		}
	}
	for i, w := range want {
		se := math.Sqrt((square[i] - sum[i]*sum[i]) / (batches - 1))
		if z := (sum[i] - w) / se; !(math.Abs(z) < 4.5) {
			t.Errorf("%s on %s: entry %d of the covariance is %.4g, declared %.4g: %.1f standard errors", m.Name,
				p.Spec, i, sum[i], w, z)
		}
	}
}

// Below the bound that a method declares for its step it comes to rest without temperature, and
// above it does not.
func bounds(t testing.TB, m sampler.Method, p *targets.Problem) {
	if m.MaxStep == nil || p.Impl().(targets.NoisyGradient).GradNoise() > 0 {
		return
	}
	first := begun(m, p, p.F64, 1, nil)
	first.step(1)
	b := m.MaxStep(p.Impl(), &first.params, &first.info)
	if b.Kind == sampler.NoBound {
		return
	}
	if b.Kind.Formula() == "" {
		t.Errorf("%s: a bound without a formula", m.Name)
	}
	for _, part := range []float64{0.9, 1.1} {
		c := begun(m, p, p.F64, 1, func(p *sampler.Params) { p.Eps, p.Temp = part*b.Eps, 0 })
		c.state.Theta[0] *= 1.5 // off the axes of the covariance
		c.step(3000)
		if rests := sampler.Usable(c.state.Theta...); rests != (part < 1) {
			t.Errorf("%s on %s: at %g of the bound θ is %.4v", m.Name, p.Spec, part, c.state.Theta)
		}
	}
}

// A warm kernel draws with another variance, a forgetful one keeps what a step leaves, and a wasteful
// one allocates.
type (
	warm[F sampler.Float]      struct{ sampler.Kernel[F] }
	forgetful[F sampler.Float] struct {
		sampler.Kernel[F]
		last F
	}
	wasteful[F sampler.Float] struct {
		sampler.Kernel[F]
		kept []F
	}
)

func (k warm[F]) Step(s *sampler.State[F], g sampler.Gradient[F], p *sampler.Params, z *noise.Normals[F],
	i *sampler.Info) {
	hot := *p
	hot.Temp *= 1.1
	k.Kernel.Step(s, g, &hot, z, i)
}

func (k *forgetful[F]) Step(s *sampler.State[F], g sampler.Gradient[F], p *sampler.Params, z *noise.Normals[F],
	i *sampler.Info) {
	s.Theta[0] += 1e-3 * k.last
	k.Kernel.Step(s, g, p, z, i)
	k.last = s.Theta[0]
}

func (k *wasteful[F]) Step(s *sampler.State[F], g sampler.Gradient[F], p *sampler.Params, z *noise.Normals[F],
	i *sampler.Info) {
	k.kept = slices.Clone(s.Theta)
	k.Kernel.Step(s, g, p, z, i)
}

// faults takes what a test would report.
type faults struct {
	testing.TB
	all []string
}

func (f *faults) Errorf(format string, args ...any) {
	f.all = append(f.all, fmt.Sprintf(format, args...))
}

// SGLD proves itself, and with one thing wrong it does not.
func TestWrongMethods(t *testing.T) {
	for _, c := range []struct {
		wrong func(m *sampler.Method)
		want  string // in a fault; empty where there is none
	}{
		{func(*sampler.Method) {}, ""},
		{func(m *sampler.Method) { m.Source = "" }, `"sgld"`},
		{func(m *sampler.Method) { m.Without = []string{sampler.KeyEps} }, "without a step size"},
		{func(m *sampler.Method) { m.Params = slices.Clone(sampler.Common()[:1]) }, `parameter "eps"`},
		{func(m *sampler.Method) {
			m.Params = []param.Param{{Key: "a", Symbol: "a", Doc: "a share", Max: 1, Hi: 1, Default: 2}}
		}, "default of a"},
		{func(m *sampler.Method) { m.Unfit = func(*targets.Problem) string { return "never fits" } }, "fits no target"},
		{func(m *sampler.Method) { m.Halve = func(p *sampler.Params) { p.Eps /= 1.1 } }, "of the bias"},
		{func(m *sampler.Method) {
			m.MaxStep = func(target any, _ *sampler.Params, _ *sampler.Info) sampler.Bound {
				return sampler.BoundOf(target, sampler.VarianceBound, 0.5)
			}
		}, "of the bound"},
		{func(m *sampler.Method) {
			m.New64 = func(x targets.Target[float64]) sampler.Kernel[float64] {
				return warm[float64]{langevin.SGLD.New64(x)}
			}
		}, "standard errors"},
		{func(m *sampler.Method) {
			m.New64 = func(x targets.Target[float64]) sampler.Kernel[float64] {
				return &forgetful[float64]{Kernel: langevin.SGLD.New64(x)}
			}
		}, "another kernel goes elsewhere"},
		{func(m *sampler.Method) {
			m.New32 = func(x targets.Target[float32]) sampler.Kernel[float32] {
				return &wasteful[float32]{Kernel: langevin.SGLD.New32(x)}
			}
		}, "allocates"},
		{func(m *sampler.Method) {
			m.StationaryCov = func(dst []float64, target any, p *sampler.Params) bool {
				ok := langevin.SGLD.StationaryCov(dst, target, p)
				dst[0] *= 1.1
				return ok
			}
		}, "entry 0 of the covariance"},
	} {
		m := langevin.SGLD
		c.wrong(&m)
		f := &faults{TB: t}
		prove(f, m)
		if found := strings.Join(f.all, "\n"); (found != "") != (c.want != "") || !strings.Contains(found, c.want) {
			t.Errorf("%q in the faults %.1000s", c.want, found)
		}
	}
}
