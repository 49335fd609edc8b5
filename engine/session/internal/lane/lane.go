package lane

import (
	"context"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/session/internal/measure"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// lane is a Runner. Its chains go side by side: between two chunks of steps all are at the same step.
type lane[F sampler.Float] struct {
	*record.Run[F]
	records  *record.Records[F]
	measures *measure.Measures[F] // which read the records
	stepper  stepper[F]
	nextKeep uint64      // the next step to keep
	outside  *outside[F] // nil on a target within the process
	fork     fork[F]
}

// fork is a copy of the target for one lane alone, if there are such copies.
type fork[F sampler.Float] struct {
	targets.Fork[F]     // nil if lanes share the target
	cores           int // for which it is made
}

func newLane[F sampler.Float](plan Plan, t targets.Target[F]) *lane[F] {
	cfg, p := plan.Config, plan.Problem
	l := &lane[F]{Run: &record.Run[F]{ID: plan.ID, Problem: p, Target: t, Clock: record.ThreadClock}}
	if t, ok := t.(targets.Outside[F]); ok {
		own := t.Apart()
		l.Clock = record.WallClock // it waits for a child
		l.Target, l.outside = own, &outside[F]{Outside: own, lane: l, before: make([]stepped[F], len(plan.starts))}
		l.Under(context.Background(), context.Background())
	}
	l.Config, l.Begun = cfg, p
	stream := cfg.Stream
	if !cfg.SameNoise {
		stream += plan.ID
	}
	for k, start := range plan.starts {
		theta := list.Map(start, func(x float64) F { return F(x) })
		l.Chains = append(l.Chains, record.NewChain(cfg, p, l.Target, stream, k, theta))
	}
	l.First = l.Chains[0]
	l.measures = measure.New(l.Run, stream, plan.Asked)
	l.records = l.measures.Records
	l.Periods = []engine.Period{{Setting: plan.Setting, Begins: true}}
	l.apply(plan.Setting)
	l.begin()
	return l
}

// all are the chains and their companions.
func (l *lane[F]) all() []*record.Chain[F] {
	if s := l.records.Companions; s != nil {
		return append(slices.Clip(l.Chains), s.Levels...)
	}
	return l.Chains
}

// apply puts a setting in force.
func (l *lane[F]) apply(set state.Setting) {
	if p := set.Problem; p != nil && p != l.Problem {
		l.turn(p)
	}
	fresh := set.Sampler != l.Method.Name
	if fresh {
		l.Method = catalog.Must(set.Sampler)
		for _, c := range l.Chains {
			c.SetKernel(l.Method, l.Target)
		}
		l.spread()
	}
	l.Setting = set
	l.Params = state.ValuesInForce(l.Problem, l.Method, set)
	if l.Drawn() {
		l.Params.Temp = 1 // they are of the target, as far as anyone knows
	}
	for _, c := range l.Chains {
		c.Grad.N = int(set.Or(sampler.KeyBatch, 0))
	}
	l.records.InForce(fresh)
	if fresh {
		l.pickStepper()
	}
	l.Thin = uint64(set.Or(sampler.KeyThin, 1))
	burn := l.burnIn()
	// The first t after the present step with t > burn-in and (t - burn-in) a multiple of thin.
	l.nextKeep = burn + l.Thin
	l.Passage.BurnIn(burn)
	if l.Step() >= burn {
		l.nextKeep = burn + ((l.Step()-burn)/l.Thin+1)*l.Thin
	} else {
		l.nextKeep = l.Passage.Due(l.Step(), l.nextKeep)
	}
}

// burnIn is how many steps come before the draws.
func (l *lane[F]) burnIn() uint64 { return uint64(l.Setting.Or(sampler.KeyBurnIn, 0)) }

// turn puts the same target with other values of its parameters, or other data, behind the lane.
func (l *lane[F]) turn(p *targets.Problem) {
	t := p.Impl().(targets.Target[F])
	l.Problem, l.Target = p, t
	for _, c := range l.all() {
		c.Grad.Turn(t)
	}
	l.records.Turned()
	l.measures.Turned()
	l.pickStepper()
}

// begin makes what the method keeps besides θ and V.
func (l *lane[F]) begin() {
	for _, c := range l.all() {
		c.Begin(&l.Params)
	}
}

func (l *lane[F]) Measures() measure.Reader { return l.measures }

func (l *lane[F]) Standing() Standing {
	n := l.PerChain()
	first := l.nextKeep
	if burn := l.burnIn(); l.Step() < burn {
		first = burn + l.Thin // nextKeep is of the passage
	}
	return Standing{
		Setting:       l.Setting,
		Step:          l.Step(),
		Odometer:      l.Odometer,
		Seconds:       l.Took.Wall.Seconds(),
		Busy:          l.Took.Busy.Seconds(),
		StepsPerEpoch: l.StepsPerEpoch(),
		Diverged:      l.Diverged,
		Err:           l.records.Err(),
		Interrupted:   l.interrupted(),
		Evaluating:    l.records.Evaluator().Busy(),
		Samples:       l.Samples(), PerChain: n, UntilLook: first - l.Step() + (quantity.NextLook(n)-n-1)*l.Thin,
		RecentSteps: l.records.RecentSteps(), Digests: l.Digests,
	}
}

func (l *lane[F]) Share(cores int) {
	f, ok := l.Target.(targets.Forker[F])
	if !ok || l.fork.Fork != nil && l.fork.cores == cores {
		return
	}
	l.fork.close()
	l.fork = fork[F]{f.Fork(cores), cores}
	for _, c := range l.all() {
		c.Grad.Use(l.fork.Fork)
	}
	l.spread()
}

func (f fork[F]) close() {
	if f.Fork != nil {
		f.Close()
	}
}

// spread gives the fork's workers to the kernels too, which work while the gradient rests.
func (l *lane[F]) spread() {
	for _, c := range l.Chains {
		if k, ok := c.Kernel.(sampler.Parallel); ok && l.fork.Fork != nil {
			k.Spread(l.fork.Each)
		}
	}
}

func (l *lane[F]) Close() {
	l.measures.Close()
	l.fork.close()
	if l.outside != nil {
		l.outside.Close()
	}
}

func (l *lane[F]) Change(set state.Setting, inGesture bool) {
	if !inGesture {
		l.measures.CloseWindow()
	}
	l.records.OpenWindow()
	l.change(set, l.beginsAnew(set))
}

// beginsAnew reports whether a setting has the method begin again, without the state of an
// earlier one: another method, or one that accepts or rejects by the density that was.
func (l *lane[F]) beginsAnew(set state.Setting) bool {
	return set.Sampler != l.Setting.Sampler || l.Method.Metropolis && set.Problem != l.Setting.Problem
}

// change puts a setting in force from the present step on. A change at the step of an earlier one replaces it, and a
// method that begins there begins with the new one. In a lane that has stopped it is at the step that was not made.
func (l *lane[F]) change(set state.Setting, begins bool) {
	t := engine.Period{Step: l.Step(), Setting: set, Begins: begins}
	if l.Diverged != nil {
		t.Step = max(t.Step, l.Diverged.Step)
	}
	for n := len(l.Periods); n > 0 && l.Periods[n-1].Step == t.Step; n-- {
		t.Begins = t.Begins || l.Periods[n-1].Begins
		l.Periods = l.Periods[: n-1 : n-1] // which keyframes have too
	}
	l.Periods = append(l.Periods, t)
	l.apply(set)
	if t.Begins {
		l.begin()
	}
}

func (l *lane[F]) Compare(cfg state.Config, p *targets.Problem) {
	if was := l.Problem; was != p && was.Spec == p.Spec {
		on := func(set state.Setting) state.Setting {
			if set.Problem == was {
				set.Problem = p
			}
			return set
		}
		l.Problem, l.Setting = p, on(l.Setting)
		l.Periods = list.Map(l.Periods, func(t engine.Period) engine.Period { t.Setting = on(t.Setting); return t })
		l.measures.Turned()
	}
	if cfg.Bias == l.Config.Bias {
		return
	}
	l.Config.Bias = cfg.Bias
	if l.records.Accompany(); l.records.Companions != nil {
		for _, c := range l.records.Companions.Levels {
			c.Begin(&l.Params)
		}
		l.records.Companions.Rewound()
	}
	l.pickStepper()
}
