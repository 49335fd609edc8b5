package session

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/beside"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/list"
)

// runner is a lane of either arithmetic.
type runner interface {
	// advance runs n steps, or fewer if the lane diverges, its sink fails or it is interrupted.
	advance(n uint64)
	// under has gradients from outside of the process end with the contexts: with step those of
	// a step, and with end any.
	under(step, end context.Context)
	interrupted() bool
	// tweak puts a setting in force from the next step on, which opens a new window of
	// statistics.
	tweak(set engine.Lane)
	// tweakOn is tweak within the gesture of the tweak before: the window before that stays
	// the one to compare with.
	tweakOn(set engine.Lane)
	// follow prepares the view to take the newest step apart, from here on.
	follow(on bool)
	// rewind goes back to the state after a step and draws on from there.
	rewind(step uint64)
	// watch says what is looked at. It is called only where somebody looks.
	watch(w engine.Watch)
	view(running bool, by *beside.Worker) engine.LaneView
	// discrepancyView is what is shown of the Stein discrepancy, and what is to be worked out of it.
	discrepancyView(chain metrics.Status, running bool) (stein.Lane, []*stein.Task)
	result() engine.LaneResult
	newest() []engine.Draws
	newestTheta() engine.NewestTheta
	predict.Source
	// holdRecent begins to hold the newest draws, and recentDraws returns them.
	holdRecent()
	recentDraws(running bool) *predict.Recent[float32]
	// keepParts keeps the predictions of consecutive parts of the chain, and predicted returns them.
	keepParts()
	predicted() *predict.Kept
	setting() engine.Lane
	step() uint64
	odo() uint64
	seconds() float64
	stepsPerEpoch() float64
	digests() []engine.Digest
	digest() engine.Digest
	diverged() *engine.Divergence
	err() error
	// share says how many cores the lane may use.
	share(cores int)
	// samples, perChain, untilLook and enough are for Config.Until.
	samples() bool
	perChain() uint64
	untilLook() uint64
	enough(u quantity.Until) bool
	// finish evaluates the newest state of a lane that predicts by it.
	finish()
	// settle waits for the evaluation of the draws so far.
	settle()
	close()
	// frame copies the lane's state, and restore puts a restorable copy back.
	frame() laneFrame
	evaluating() bool // draws; frame waits for that
	restorable(from laneFrame) bool
	restore(from laneFrame)
	// recentSteps is how many steps the lane's recent draws are of.
	recentSteps() uint64
}

// A Sink receives the kept draws of a lane, in order. Its error stops the lane.
type Sink interface {
	// Draw takes θ, which it does not retain, and what is known of the draw.
	Draw(d Drawn, theta []float64) error
}

// Drawn is what is known of a draw beside θ.
type Drawn struct {
	Step      uint64
	Eps       float64 // ε_t
	Accept    float64 // the probability with which it was accepted, 1 for a method that accepts all
	Divergent bool    // its trajectory was given up
	LogPost   float64 // NaN if the target does not know it
}

// blockCap is how many draws go to the statistics at once.
const blockCap = 128

// lane is one sampler on the session's target, with the statistics of its draws. It is
// a runner. Its chains go side by side: between two chunks of steps all are at the same
// step, and of each kept step the first one's draw comes first.
type lane[F sampler.Float] struct {
	laneState[F]
	*chain[F] // the first of chains, which is the one that is shown where one is
	chains    []*chain[F]

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
	joint          *joint[F]   // nil where the chains do not go side by side
	outside        *outside[F] // nil on a target within the process
	statistics[F]
}

// tweakAt is a setting and the step from which it is in force. With begins its method
// starts there, without the state of an earlier one.
type tweakAt struct {
	step   uint64
	set    engine.Lane
	begins bool
}

// newRunner makes a lane at step 0.
func newRunner(cfg engine.Config, p *targets.Problem, plan planned) runner {
	if p.F32 != nil {
		return newLane(cfg, p, p.F32, plan)
	}
	return newLane(cfg, p, p.F64, plan)
}

func newLane[F sampler.Float](cfg engine.Config, p *targets.Problem, t targets.Target[F], plan planned) *lane[F] {
	l := &lane[F]{id: plan.id, prob: p, target: t}
	if t, ok := t.(targets.Outside[F]); ok {
		own := t.Apart()
		l.target, l.outside = own, &outside[F]{Outside: own, before: make([]stepped[F], len(plan.starts))}
		l.under(context.Background(), context.Background())
	}
	t = l.target
	l.cfg = cfg
	stream := cfg.Stream
	if !cfg.SameNoise {
		stream += plan.id
	}
	for k, start := range plan.starts {
		c := newChain(cfg, p, t, stream, k, list.Map(start, func(x float64) F { return F(x) }))
		if plan.sinks != nil {
			c.sink = plan.sinks[k]
		}
		l.chains = append(l.chains, c)
	}
	l.chain = l.chains[0]
	l.proxyNoise = noise.NewNormals[F](noise.New(cfg.Seed, stream, noise.Predict), t.Dim())
	l.track(t, plan.poke)
	l.isNetwork = l.grad.IsNetwork()
	l.shadow = l.shadowOf(stream)
	l.tweaks = []tweakAt{{set: plan.set, begins: true}}
	l.apply(plan.set)
	l.begin()
	return l
}

// apply puts a setting in force.
func (l *lane[F]) apply(set engine.Lane) {
	if p := set.Problem; p != nil && p != l.prob {
		l.turn(p)
	}
	fresh := set.Sampler != l.method.Name
	if fresh {
		m, ok := catalog.Find(set.Sampler)
		if !ok {
			panic("session: unknown sampler " + set.Sampler)
		}
		l.method = m
		for _, c := range l.chains {
			c.kernel, c.info = newKernel[F](m, l.target), sampler.Info{}
			c.observed.On = m.Metropolis || m.Kind == sampler.Variational
		}
		l.proxy, _ = l.kernel.(sampler.Proxy[F])
		l.unweighted = m.Metropolis || m.Kind != sampler.Sampling
		l.spread()
	}
	l.set, l.motion.known = set, false
	l.params = engine.ParamsOf(l.prob, l.method, set)
	for _, c := range l.chains {
		c.grad.N = int(set.Or(sampler.KeyBatch, 0))
	}
	if l.shadow != nil {
		l.shadow.apply(l, fresh)
	}
	if fresh {
		l.joint = l.newJoint()
	}
	l.thin = uint64(set.Or(sampler.KeyThin, 1))
	burn := uint64(set.Or(sampler.KeyBurnIn, 0))
	// The first t after the present step with t > burn-in and (t - burn-in) a
	// multiple of thin.
	l.nextKeep = burn + l.thin
	l.passage.BurnIn(burn)
	if l.state.Step >= burn {
		l.nextKeep = burn + ((l.state.Step-burn)/l.thin+1)*l.thin
	} else {
		l.nextKeep = l.passage.Due(l.state.Step, l.nextKeep)
	}
}

// turn puts the same target with other values of its parameters behind the lane.
func (l *lane[F]) turn(p *targets.Problem) {
	t := p.Impl().(targets.Target[F])
	l.prob, l.target = p, t
	for _, c := range l.chains {
		c.grad.Turn(t)
	}
	if l.shadow != nil {
		for _, c := range l.shadow.levels {
			c.grad.Turn(t)
		}
	}
	l.logDensity, _ = t.(targets.LogDensity[F])
	l.compareWith()
	l.joint = l.newJoint()
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
	panic("session: an arithmetic that no method has")
}

// stepsPerEpoch is N/n.
func (l *lane[F]) stepsPerEpoch() float64 {
	if n := l.grad.N; n > 0 {
		return float64(l.prob.N()) / float64(n)
	}
	return 1
}

func (l *lane[F]) advance(n uint64) {
	start, eval := time.Now(), l.evalTime
	for n > 0 && l.div == nil && l.sinkErr == nil {
		m := min(n, l.past.Until(l.state.Step), l.untilDigest())
		if l.motion.on && m > 1 {
			m--
		} else if l.motion.on {
			l.motion.before.Copy(&l.state)
			l.motion.known = true
		}
		n -= l.run(m)
		if l.interrupted() {
			n = 0
		}
		for _, c := range l.chains {
			c.past.Save(&c.state)
		}
		if l.untilDigest() == 0 {
			l.stepDigests = append(l.stepDigests, l.digest())
		}
	}
	l.flush()
	l.busy += time.Since(start) - (l.evalTime - eval)
}

// firstDigest is the step of the first periodic digest. The others come at its doublings,
// so that a session of any length has few.
const firstDigest = 1024

// untilDigest is how many steps there are to the next periodic digest; 0 if
// it is due.
func (l *lane[F]) untilDigest() uint64 {
	at := uint64(firstDigest) << len(l.stepDigests)
	return at - l.odometer
}

// run runs up to m steps in every chain and returns how many it executed. The chains go to
// the next draw one after the other. If one diverges on the way, those after it go no
// further, and those before it are taken back.
func (l *lane[F]) run(m uint64) (done uint64) {
	if l.outside != nil {
		return l.runOutside(m)
	}
	constant := l.set.Schedule.Constant()
	for {
		n := m - done
		if l.joint != nil && constant {
			done += l.together(n)
			n = 1
		}
		n = min(n, l.nextKeep-l.state.Step)
		var bad *chain[F] // that diverges first
		for _, c := range l.chains {
			for i := range n {
				if c.shadow != nil {
					c.shadow.Step(c.state.Step, c.z.At(c.state.Step))
				}
				if !constant {
					l.params.Eps = l.epsAt(c.state.Step)
				}
				c.kernel.Step(&c.state, &c.grad, &l.params, c.z, &c.info)
				if c.observed.On {
					c.observed.Add(&c.info)
				}
				if !c.info.OK {
					if bad == nil || i+1 < n {
						n, bad = i+1, c
					}
					break
				}
			}
		}
		done += n
		l.odometer += n
		if bad != nil {
			l.diverge(bad)
			return done
		}
		if l.state.Step == l.nextKeep {
			l.take()
		}
		if done == m || l.sinkErr != nil {
			return done
		}
	}
}

// take takes the present states, of a step to keep, as draws or into the passage.
func (l *lane[F]) take() {
	if burn := l.passage.Until(); l.state.Step <= burn {
		trace.Hold(&l.passage, &l.state, l.tracked, -l.grad.Newest.LogLik)
		l.nextKeep = l.passage.Due(l.state.Step, burn+l.thin)
		return
	}
	l.nextKeep += l.thin
	for k, c := range l.chains {
		l.keep(k, c)
	}
}

// epsNow is the step size of the next step.
func (l *lane[F]) epsNow() float64 { return l.epsAt(l.state.Step) }

// epsAt is the step size of the step from a state of that many steps.
func (l *lane[F]) epsAt(step uint64) float64 {
	return l.set.Eps() * l.set.Schedule.Factor(step, l.stepsPerEpoch())
}

// stepSizeOf is that of a chain's newest step.
func (l *lane[F]) stepSizeOf(c *chain[F]) float64 {
	if c.info.Eps != 0 {
		return c.info.Eps
	}
	return l.params.Eps
}

func (l *lane[F]) tweak(set engine.Lane) {
	l.flush()
	l.openWindow(l.window(quantity.Of(l)))
	l.change(set, l.beginsAnew(set))
}

// beginsAnew reports whether a setting has the method begin again, without the state of an
// earlier one: another method, or one that accepts or rejects by the density that was.
func (l *lane[F]) beginsAnew(set engine.Lane) bool {
	return set.Sampler != l.set.Sampler || l.method.Metropolis && set.Problem != l.set.Problem
}

func (l *lane[F]) tweakOn(set engine.Lane) {
	before := l.previous
	l.tweak(set)
	l.previous = before
}

// change puts a setting in force from the present step on. A change at the step
// of an earlier one replaces it.
func (l *lane[F]) change(set engine.Lane, begins bool) {
	t := tweakAt{l.state.Step, set, begins}
	for n := len(l.tweaks); n > 0 && l.tweaks[n-1].step == t.step; n-- {
		t.begins = t.begins || l.tweaks[n-1].begins
		l.tweaks = l.tweaks[: n-1 : n-1] // which keyframes have too
	}
	l.tweaks = append(l.tweaks, t)
	l.apply(set)
	if begins {
		l.begin()
	}
}

func (l *lane[F]) rewind(step uint64) {
	l.flush()
	l.settle()
	l.openWindow(l.window(quantity.Of(l)))
	l.passage.End()
	set := l.set
	lost := l.travelTo(min(step, l.state.Step))
	if l.shadow != nil {
		l.shadow.Follow(&l.state)
	}
	l.windowStart = l.state.Step
	for _, c := range l.chains {
		c.past.Forget(l.state.Step)
		c.ring.Cut(l.state.Step)
		c.envelope.Cut(l.state.Step)
	}
	for n := len(l.tweaks); n > 1 && l.tweaks[n-1].step > l.state.Step; n-- {
		l.tweaks = l.tweaks[: n-1 : n-1]
	}
	l.history.Cut(l.state.Step)
	l.div = lost
	l.change(set, l.beginsAnew(set))
}

// travel restores the states after a step, with the settings that were in force at it.
func (l *lane[F]) travel(step uint64) {
	for _, c := range l.chains {
		l.travelIn(c, step)
	}
}

// travelTo is travel on the way back. On a target outside of the process the gradients of the
// steps from a checkpoint may fail. Then the chains are at the checkpoint, and it says why.
func (l *lane[F]) travelTo(step uint64) *engine.Divergence {
	if l.outside == nil {
		l.travel(step)
		return nil
	}
	l.outside.Under(l.outside.end)
	l.travel(step)
	err := l.outside.Err()
	if err == nil {
		return nil
	}
	for _, c := range l.chains {
		c.state.Set(c.past.Before(step))
	}
	return &engine.Divergence{Step: l.state.Step + 1, Eps: l.set.Eps(), Failed: err.Error()}
}

// travelIn restores the state of a chain after a step. It steps again from the checkpoint
// before, with the settings that were in force, and leaves those of that step in force.
// Noise and minibatches are keyed by step, so the result is the same to the bit.
func (l *lane[F]) travelIn(c *chain[F], step uint64) {
	c.state.Set(c.past.Before(step))
	count := c.gradEvals
	for i, t := range l.tweaks {
		end := step
		if i+1 < len(l.tweaks) {
			end = min(end, l.tweaks[i+1].step)
		}
		if t.step > step || c.state.Step > end {
			continue
		}
		l.apply(t.set)
		if t.begins && t.step == c.state.Step {
			c.begin(&l.params)
		}
		for c.state.Step < end {
			l.params.Eps = l.epsAt(c.state.Step)
			c.kernel.Step(&c.state, &c.grad, &l.params, c.z, &c.info)
			if l.outside != nil && l.outside.Err() != nil {
				return
			}
		}
	}
	c.gradEvals = count
}

// diverge freezes the lane at the last usable state of a chain.
func (l *lane[F]) diverge(bad *chain[F]) {
	set, step := l.set, bad.state.Step
	d := l.whyDiverged(bad)
	l.flush()
	if l.outside != nil {
		l.takeBack()
	} else {
		l.travel(step - 1)
		l.apply(set)
	}
	if l.outside == nil && l.logDensity != nil && !l.prob.HasData() {
		y := l.logDensity.LogLik(bad.state.Theta)
		d.Undefined = y-y != 0
	}
	l.div = d
	// The draw that could not be used counts in the window as NaN: no estimate of a
	// chain that runs away is one of its target.
	b := bad.block
	b.N, b.W[0] = 1, l.params.Eps
	for i := range b.Dim {
		b.Col(i)[0] = math.NaN()
	}
	bad.stats.Add(b)
	b.Reset()
}

// whyDiverged explains the newest state of a chain, which cannot be used.
func (l *lane[F]) whyDiverged(c *chain[F]) *engine.Divergence {
	p := l.params
	p.Eps = l.set.Eps()
	d := &engine.Divergence{Step: c.state.Step, Chain: l.number(c), Eps: p.Eps, Unproved: l.prob.Unproved}
	for i, x := range c.state.Theta {
		if v := float64(x); !(math.Abs(v) < sampler.Limit) {
			d.Coordinate, d.Value = l.name(i), v
			break
		}
	}
	if l.method.MaxStep != nil {
		if b := l.method.MaxStep(l.prob.Impl(), &p, &c.info); p.Eps >= b.Eps {
			d.Bound = b
		}
	}
	return d
}

// number is that of a chain.
func (l *lane[F]) number(c *chain[F]) int { return slices.Index(l.chains, c) }

func (l *lane[F]) name(i int) string {
	if i < len(l.prob.Names) {
		return l.prob.Names[i]
	}
	return fmt.Sprintf("theta[%d]", i+1)
}

func (l *lane[F]) digest() engine.Digest {
	states := list.Map(l.chains, func(c *chain[F]) *sampler.State[F] { return &c.state })
	return engine.Digest{Lane: l.id, At: l.odometer, Digest: trace.Digest(states...)}
}

func (l *lane[F]) digests() []engine.Digest     { return l.stepDigests }
func (l *lane[F]) setting() engine.Lane         { return l.set }
func (l *lane[F]) step() uint64                 { return l.state.Step }
func (l *lane[F]) odo() uint64                  { return l.odometer }
func (l *lane[F]) seconds() float64             { return l.busy.Seconds() }
func (l *lane[F]) diverged() *engine.Divergence { return l.div }

func (l *lane[F]) err() error {
	if l.sinkErr != nil || l.evaluator == nil {
		return l.sinkErr
	}
	return l.evaluator.Err()
}

// share gives the lane a fork of the target with that many workers. No bit of a result
// depends on their number.
func (l *lane[F]) share(cores int) {
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
	if l.shadow != nil {
		for _, c := range l.shadow.levels {
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

func (l *lane[F]) settle() {
	if l.evaluator != nil {
		l.evaluator.Wait()
	}
	l.collect()
}

// close ends the lane's goroutines. The lane must not be used after it.
func (l *lane[F]) close() {
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

var _ runner = (*lane[float64])(nil)
