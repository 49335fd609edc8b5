package lane

import (
	"context"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/list"
)

// blockCap is how many draws go to the statistics at once. It is an odd number of cache lines, so that a
// draw's coordinates do not all fall on the same few sets of the cache.
const blockCap = 504

// lane is one sampler on a target, with the statistics of its draws. It is
// a Runner. Its chains go side by side: between two chunks of steps all are at the same
// step, and of each kept step the first one's draw comes first.
type lane[F sampler.Float] struct {
	laneState[F]
	chains []*chain[F]
	first  *chain[F] // of chains, which is the one that is shown where one is

	id   int
	prob *targets.Problem

	target targets.Target[F]
	fork   targets.Fork[F] // of target, for this lane alone; nil if lanes share it
	cores  int             // of the fork

	method sampler.Method
	proxy  sampler.Proxy[F] // of kernel; nil if it is none
	params sampler.Params

	sinkErr error

	unweighted bool // draws count alike
	proxyNoise *noise.Normals[F]
	proxyTheta []F

	recent     *predict.Recent[F] // nil unless somebody may ask
	recentAt   uint64             // step of the newest state among them
	recentMade time.Time

	thin, nextKeep uint64
	motion         motion[F]
	stepper        stepper[F]
	outside        *outside[F] // nil on a target within the process
	statistics[F]
}

func newLane[F sampler.Float](plan Plan, t targets.Target[F]) *lane[F] {
	cfg, p := plan.Config, plan.Problem
	l := &lane[F]{id: plan.ID, prob: p, target: t}
	if t, ok := t.(targets.Outside[F]); ok {
		own := t.Apart()
		l.target, l.outside = own, &outside[F]{Outside: own, lane: l, before: make([]stepped[F], len(plan.starts))}
		l.Under(context.Background(), context.Background())
	}
	t = l.target
	l.cfg, l.begun = cfg, p
	stream := cfg.Stream
	if !cfg.SameNoise {
		stream += plan.ID
	}
	for k, start := range plan.starts {
		c := newChain(cfg, p, t, stream, k, list.Map(start, func(x float64) F { return F(x) }))
		if plan.sinks != nil {
			c.sink = plan.sinks[k]
		}
		l.chains = append(l.chains, c)
	}
	l.first = l.chains[0]
	l.proxyNoise = noise.NewNormals[F](noise.New(cfg.Seed, stream, noise.Predict), t.Dim())
	l.track(t, plan.Poke)
	l.isNetwork = l.first.grad.IsNetwork()
	l.first.companions = l.companionsOf(stream)
	l.periods = []engine.Period{{Setting: plan.Setting, Begins: true}}
	l.apply(plan.Setting)
	l.begin()
	return l
}

// apply puts a setting in force.
func (l *lane[F]) apply(set engine.Setting) {
	if p := set.Problem; p != nil && p != l.prob {
		l.turn(p)
	}
	fresh := set.Sampler != l.method.Name
	if fresh {
		m, ok := catalog.Find(set.Sampler)
		if !ok {
			panic("lane: unknown sampler " + set.Sampler)
		}
		l.method = m
		for _, c := range l.chains {
			c.kernel, c.info = newKernel[F](m, l.target), sampler.Info{}
			c.observed.On = m.Metropolis || m.Kind == sampler.Variational
		}
		l.proxy, _ = l.first.kernel.(sampler.Proxy[F])
		l.unweighted = m.Metropolis || m.Kind != sampler.Sampling
		l.spread()
	}
	l.set, l.motion.known = set, false
	l.params = engine.ValuesInForce(l.prob, l.method, set)
	for _, c := range l.chains {
		c.grad.N = int(set.Or(sampler.KeyBatch, 0))
	}
	if l.first.companions != nil {
		l.first.companions.apply(l, fresh)
	}
	if fresh {
		l.pickStepper()
	}
	l.thin = uint64(set.Or(sampler.KeyThin, 1))
	burn := uint64(set.Or(sampler.KeyBurnIn, 0))
	// The first t after the present step with t > burn-in and (t - burn-in) a
	// multiple of thin.
	l.nextKeep = burn + l.thin
	l.passage.BurnIn(burn)
	if l.Step() >= burn {
		l.nextKeep = burn + ((l.Step()-burn)/l.thin+1)*l.thin
	} else {
		l.nextKeep = l.passage.Due(l.Step(), l.nextKeep)
	}
}

// turn puts the same target with other values of its parameters behind the lane.
func (l *lane[F]) turn(p *targets.Problem) {
	t := p.Impl().(targets.Target[F])
	l.prob, l.target = p, t
	for _, c := range l.chains {
		c.grad.Turn(t)
	}
	if l.first.companions != nil {
		for _, c := range l.first.companions.levels {
			c.grad.Turn(t)
		}
	}
	l.logDensity, _ = t.(targets.LogDensity[F])
	l.compareWith()
	l.pickStepper()
}

// begin makes what the method keeps besides θ and V.
func (l *lane[F]) begin() {
	for _, c := range l.chains {
		c.begin(&l.params)
	}
}

func newKernel[F sampler.Float](m sampler.Method, t targets.Target[F]) sampler.Kernel[F] {
	switch t := any(t).(type) {
	case targets.Target[float32]:
		return any(m.New32(t)).(sampler.Kernel[F])
	case targets.Target[float64]:
		return any(m.New64(t)).(sampler.Kernel[F])
	}
	panic("lane: an arithmetic that no method has")
}

func (l *lane[F]) StepsPerEpoch() float64 {
	if n := l.first.grad.N; n > 0 {
		return float64(l.prob.N()) / float64(n)
	}
	return 1
}

// number is that of a chain.
func (l *lane[F]) number(c *chain[F]) int { return slices.Index(l.chains, c) }

func (l *lane[F]) Digest() engine.Digest {
	states := list.Map(l.chains, func(c *chain[F]) *sampler.State[F] { return &c.state })
	return engine.Digest{Lane: l.id, At: l.odometer, Digest: trace.Digest(states...)}
}

func (l *lane[F]) Digests() []engine.Digest     { return l.stepDigests }
func (l *lane[F]) Setting() engine.Setting      { return l.set }
func (l *lane[F]) Step() uint64                 { return l.first.state.Step }
func (l *lane[F]) Odometer() uint64             { return l.odometer }
func (l *lane[F]) Seconds() float64             { return l.busy.Seconds() }
func (l *lane[F]) Diverged() *engine.Divergence { return l.div }

func (l *lane[F]) Err() error {
	if l.sinkErr != nil || l.evaluator == nil {
		return l.sinkErr
	}
	return l.evaluator.Err()
}

func (l *lane[F]) Share(cores int) {
	f, ok := l.target.(targets.Forker[F])
	if !ok || l.fork != nil && l.cores == cores {
		return
	}
	if l.fork != nil {
		l.fork.Close()
	}
	l.fork, l.cores = f.Fork(cores), cores
	for _, c := range l.chains {
		c.grad.Use(l.fork)
	}
	if l.first.companions != nil {
		for _, c := range l.first.companions.levels {
			c.grad.Use(l.fork)
		}
	}
	l.spread()
}

// spread gives the fork's workers to the kernels too, which work while the gradient
// rests.
func (l *lane[F]) spread() {
	for _, c := range l.chains {
		if k, ok := c.kernel.(sampler.Parallel); ok && l.fork != nil {
			k.Spread(l.fork.Each)
		}
	}
}

func (l *lane[F]) Settle() {
	if l.evaluator != nil {
		l.evaluator.Wait()
	}
	l.collect()
}

func (l *lane[F]) Close() {
	l.discrepancy.Close()
	if l.evaluator != nil {
		l.evaluator.Close()
	}
	if l.fork != nil {
		l.fork.Close()
	}
	if l.outside != nil {
		l.outside.Close()
	}
}
