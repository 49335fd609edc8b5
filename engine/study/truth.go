package study

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// The bounds of what counts as a truth. With fewer effective draws a mean's
// error is above a fiftieth of its standard deviation.
const (
	MaxRHat  = 1.05 // above, the chains have not found the same distribution
	GoodRHat = 1.01 // above, they have hardly
	GoodESS  = 2500
)

// TruthDraws is how many draws a truth has unless it is said.
const TruthDraws = 20_000

// truthChains is how many chains share the draws. It does not depend on the
// machine, and so neither does the truth.
const truthChains = 4

// MinTruthDraws gives every half of a chain enough draws to compare.
const MinTruthDraws = 100 * truthChains

// A Truth finds the mean and covariance of a problem's posterior at T = 1 by
// several chains of a method without bias.
type Truth struct {
	Config  engine.Config // of the lanes that are to be held to it
	Problem *targets.Problem
	Threads int    // chains at a time; 0 for all cores
	Cache   string // the folder of truths found before; empty for none

	done atomic.Uint64
}

// A truth is what is found, in the form in which the cache holds it.
type truth struct {
	Mean   []float64 `json:"mean"`
	SD     []float64 `json:"sd"`
	Cov    []float64 `json:"cov,omitempty"`
	Draws  uint64    `json:"draws"`
	MinESS float64   `json:"min_ess"`
	RHat   float64   `json:"rhat"`
}

// Total is the number of draws in all.
func (t *Truth) Total() uint64 { return truthChains * t.draws() }

// Done is the number of draws so far. It may be called at any time.
func (t *Truth) Done() uint64 { return t.done.Load() }

// lane is the setting with which the truth is found.
func (t *Truth) lane() engine.Lane {
	l := engine.DefaultLane(t.Problem, t.Config.Truth.Sampler)
	if t.Problem.HasData() {
		l = l.With(sampler.KeyPriorVar, t.Config.PriorVar(t.Problem))
	}
	m, _ := catalog.Find(l.Sampler)
	for _, q := range m.Params {
		if v, ok := t.Config.Truth.Values[q.Key]; ok {
			l = l.With(q.Key, v)
		}
	}
	return l.With(sampler.KeyTemp, 1)
}

// draws is how many each chain keeps, a multiple of 2.
func (t *Truth) draws() uint64 {
	n := t.Config.Truth.Draws
	if n == 0 {
		n = TruthDraws
	}
	return (n + 2*truthChains - 1) / (2 * truthChains) * 2
}

// Run returns the truth, from the cache if it is there and can be read. warning
// is what a user should know of it: that the cache cannot be written, or that
// the chains are short for it. It is an error if they do not agree.
func (t *Truth) Run(ctx context.Context) (ref *targets.Reference, warning string, err error) {
	if ref := engine.Exactly(t.Problem); ref != nil {
		return ref, fmt.Sprintf("the truth of %s is known exactly; %s is not needed for it", t.Problem.Spec, t.Config.Truth.Sampler), nil
	}
	store := t.store()
	found, cached := store.read()
	if !cached {
		if found, err = t.find(ctx); err != nil {
			return nil, "", err
		}
	}
	more := fmt.Sprintf("ask for more with --truth %s:draws=%d", t.Config.Truth.Sampler, 10*found.Draws)
	switch {
	case !(found.RHat <= MaxRHat):
		return nil, "", fmt.Errorf("--truth: %d chains of %s have not found the same distribution in %d draws (split R-hat %.3g, want at most %g); %s",
			truthChains, t.Config.Truth.Sampler, found.Draws, found.RHat, MaxRHat, more)
	case !(found.MinESS > 0):
		return nil, "", fmt.Errorf("--truth: %d draws of %s are too few to know their effective size; %s", found.Draws, t.Config.Truth.Sampler, more)
	}
	if !cached {
		if err := store.write(found); err != nil {
			warning = "the truth is not kept for the next time: " + err.Error()
		}
	}
	if found.RHat > GoodRHat || found.MinESS < GoodESS {
		warning = fmt.Sprintf("the truth is rough: split R-hat %.3g (want %g), least effective size %.0f (want %d); %s",
			found.RHat, GoodRHat, found.MinESS, GoodESS, more)
	}
	return &targets.Reference{
		Mean: found.Mean, SD: found.SD, Cov: found.Cov, PriorVar: t.Config.PriorVar(t.Problem), By: t.Config.Truth.Sampler,
		Draws: found.Draws, MinESS: found.MinESS, RHat: found.RHat, Cached: cached,
	}, warning, nil
}

// find runs the chains.
func (t *Truth) find(ctx context.Context) (truth, error) {
	threads := t.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var (
		chains [truthChains]chainOf
		next   atomic.Int64
		wg     sync.WaitGroup
	)
	for range min(threads, truthChains) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1) - 1)
				if i >= truthChains {
					return
				}
				chains[i] = newChainOf(t, i)
				chains[i].run(ctx, t)
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return truth{}, err
	}
	return pool(chains[:]), nil
}

// chainOf is one chain's summary.
type chainOf struct {
	kernel sampler.Kernel[float64]
	state  sampler.State[float64]
	params sampler.Params
	grad   allData
	z      *noise.Normals[float64]

	all   *metrics.Chain
	halfs [2]spread
}

// firstTruthLane numbers the streams of the chains, beyond those of any lane.
const firstTruthLane = 0x8000

// truthWidth is how much wider than a lane's the chains' starts are, since R-hat
// can tell chains apart that have not met only if they began far from each other.
const truthWidth = 10

// newChainOf starts chain i, whose noise and start are its own.
func newChainOf(t *Truth, i int) chainOf {
	seed, stream := t.Config.Seed, firstTruthLane+i
	p, set := t.Problem, t.lane()
	m, ok := catalog.Find(set.Sampler)
	if !ok {
		panic("study: unknown sampler " + set.Sampler)
	}
	d := p.Dim()
	theta, z := make([]float64, d), make([]float64, d)
	noise.Fill(noise.New(seed, stream, noise.Start), z)
	for k := range z {
		z[k] *= truthWidth
	}
	p.Init(theta, z)
	c := chainOf{
		kernel: m.New64(p.F64), state: sampler.NewState(theta), params: engine.ParamsOf(p, m, set),
		grad: allData{target: p.F64.(targets.LikelihoodGradient[float64])},
		z:    noise.NewNormals[float64](noise.New(seed, stream, noise.Langevin), d),
		all:  metrics.NewChain(d),
	}
	c.grad.eval.Mean = sampler.Vector[float64](d)
	c.grad.eval.Second = c.grad.eval.Mean
	for h := range c.halfs {
		c.halfs[h] = spread{mean: make([]float64, d), squares: make([]float64, d)}
	}
	if k, ok := c.kernel.(sampler.Beginner[float64]); ok {
		k.Begin(&c.state, &c.params)
	}
	return c
}

// truthBlock is how many steps run between two looks at ctx.
const truthBlock = 32

func (c *chainOf) run(ctx context.Context, t *Truth) {
	var info sampler.Info
	block := metrics.NewBlock(len(c.state.Theta), truthBlock)
	kept, want, burn := uint64(0), t.draws(), uint64(t.lane().Or(sampler.KeyBurnIn, 0))
	for kept < want && ctx.Err() == nil {
		for range min(truthBlock, want-kept) {
			c.kernel.Step(&c.state, &c.grad, &c.params, c.z, &info)
			if info.Skip || c.state.Step <= burn {
				continue
			}
			for i, x := range c.state.Theta {
				block.X[i*block.Cap+block.N] = x
			}
			block.W[block.N] = 1
			block.N++
			c.halfs[2*kept/want].add(c.state.Theta)
			kept++
		}
		c.all.Add(block)
		t.done.Add(uint64(block.N))
		block.Reset()
	}
}

// spread is the mean and the sum of squares around it (Welford 1962).
type spread struct {
	n             float64
	mean, squares []float64
}

func (s *spread) add(theta []float64) {
	s.n++
	for i, x := range theta {
		d := x - s.mean[i]
		s.mean[i] += d / s.n
		s.squares[i] += d * (x - s.mean[i])
	}
}

// pool puts chains of the same length together. Means and covariances are those
// of all draws, effective sizes add up, and R-hat is that of the chains' halves
// (Gelman et al. 2013, Bayesian data analysis, §11.4): with m means of n draws each,
//
//	B = n/(m-1) Σ (θ̄_j - θ̄)²,  W = (1/m) Σ s_j²,  R̂ = √[((n-1)/n W + B/n) / W].
func pool(chains []chainOf) truth {
	d := chains[0].all.Dim()
	k := float64(len(chains))
	t := truth{Mean: make([]float64, d), SD: make([]float64, d), MinESS: math.Inf(1)}
	for i := range d {
		ess := 0.0
		for _, c := range chains {
			t.Mean[i] += c.all.Mean(i) / k
			ess += c.all.ESS(i).Value
		}
		t.MinESS = least(t.MinESS, ess)
		t.RHat = -least(-t.RHat, -splitRHat(chains, i))
	}
	for _, c := range chains {
		t.Draws += c.all.Draws()
		for i := range d {
			x := c.all.Mean(i) - t.Mean[i]
			t.SD[i] += (c.all.Var(i) + x*x) / k
		}
	}
	for i, v := range t.SD {
		t.SD[i] = math.Sqrt(v)
	}
	if d > metrics.MaxCovDim {
		return t
	}
	t.Cov = make([]float64, d*d)
	cov := make([]float64, d*d)
	for _, c := range chains {
		c.all.Cov(cov)
		for i := range d {
			for j := range d {
				t.Cov[i*d+j] += (cov[i*d+j] + (c.all.Mean(i)-t.Mean[i])*(c.all.Mean(j)-t.Mean[j])) / k
			}
		}
	}
	return t
}

// least is the smaller number, NaN if one is.
func least(a, b float64) float64 {
	if a != a || b != b {
		return math.NaN()
	}
	return min(a, b)
}

// splitRHat is R-hat of coordinate i.
func splitRHat(chains []chainOf, i int) float64 {
	var mean, between, within, m, n float64
	for _, c := range chains {
		for _, h := range c.halfs {
			m++
			n = h.n
			d := h.mean[i] - mean
			mean += d / m
			between += d * (h.mean[i] - mean)
			within += h.squares[i] / (h.n - 1)
		}
	}
	within /= m
	between /= m - 1 // B/n
	return math.Sqrt(((n-1)/n*within + between) / within)
}

// allData is a sampler.Gradient on all data.
type allData struct {
	target targets.LikelihoodGradient[float64]
	eval   sampler.Eval[float64]
}

var _ sampler.Gradient[float64] = (*allData)(nil)

// Eval implements sampler.Gradient.
func (g *allData) Eval(theta []float64, ask sampler.Ask) *sampler.Eval[float64] {
	switch {
	case ask&sampler.AskHess != 0:
		panic("study: a truth's method asks for a Hessian")
	case ask&sampler.AskLogLik != 0:
		g.eval.LogLik = g.target.GradLogLik(g.eval.Mean, theta, nil)
	default:
		g.target.Grad(g.eval.Mean, theta, nil)
	}
	return &g.eval
}

// Dropout implements sampler.Gradient.
func (g *allData) Dropout([]float64, targets.Keep) *sampler.Eval[float64] {
	panic("study: a truth's method asks for dropout")
}

// Target implements sampler.Gradient.
func (g *allData) Target() targets.Target[float64] { return g.target }

// Batch implements sampler.Gradient.
func (g *allData) Batch() []int32 { return nil }
