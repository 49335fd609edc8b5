package session

import (
	"fmt"
	"math"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/list"
)

// runner is a lane of either arithmetic.
type runner interface {
	// advance runs n steps, or fewer if the lane diverges or its sink fails.
	advance(n uint64)
	// tweak puts a setting in force from the next step on, which opens a new window of
	// statistics.
	tweak(set engine.Lane)
	// follow prepares the view to take the newest step apart, from here on.
	follow(on bool)
	// rewind goes back to the state after a step and draws on from there.
	rewind(step uint64)
	// watch says what is looked at. It is called only where somebody looks.
	watch(w engine.Watch)
	view(running bool) engine.LaneView
	result() engine.LaneResult
	newest() engine.Draws
	newestTheta() engine.NewestTheta
	predict.Source
	// holdRecent begins to hold the newest draws, and recentDraws returns them.
	holdRecent()
	recentDraws(running bool) *predict.Recent[float32]
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
	// Draw takes the step, ε_t, the probability with which the draw was accepted (1 for
	// a method that accepts all), the log posterior (NaN if the target does not know
	// it) and θ, which it does not retain.
	Draw(step uint64, eps, accept, logPost float64, theta []float64) error
}

// blockCap is how many draws go to the statistics at once.
const blockCap = 128

// lane is one sampler on the session's target, with the statistics of its draws. It is
// a runner.
type lane[F sampler.Float] struct {
	laneState[F]

	id   int
	prob *targets.Problem

	target targets.Target[F]
	fork   targets.Fork[F] // of target, for this lane alone; nil if lanes share it
	cores  int             // of the fork

	method sampler.Method
	kernel sampler.Kernel[F]
	proxy  sampler.Proxy[F] // of kernel; nil if it is none
	params sampler.Params
	z      *noise.Normals[F]
	grad   gradient[F]

	sink    Sink
	sinkErr error

	unweighted bool // draws count alike
	proxyNoise *noise.Normals[F]
	proxyTheta []F

	recent     *predict.Recent[F] // nil unless somebody may ask
	recentAt   uint64             // step of the newest state among them
	recentMade time.Time

	thin, nextKeep uint64
	motion         motion[F]
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
	theta := list.Map(plan.start, func(x float64) F { return F(x) })
	l := &lane[F]{id: plan.id, prob: p, target: t, sink: plan.sink}
	l.cfg, l.state = cfg, sampler.NewState(theta)
	stream := cfg.Stream
	if !cfg.SameNoise {
		stream += plan.id
	}
	l.z = noise.NewNormals[F](noise.New(cfg.Seed, stream, noise.Langevin), len(theta))
	l.proxyNoise = noise.NewNormals[F](noise.New(cfg.Seed, stream, noise.Predict), len(theta))
	l.grad = newGradient(cfg, p, t, &l.chainState, stream)
	l.track(t)
	l.isNetwork = l.grad.random != nil
	l.observed.reset()
	if l.sink != nil {
		l.draw = make([]float64, len(theta))
	}
	l.tweaks = []tweakAt{{set: plan.set, begins: true}}
	l.apply(plan.set)
	l.begin()
	l.past = newCheckpoints(l.state)
	return l
}

// apply puts a setting in force.
func (l *lane[F]) apply(set engine.Lane) {
	if set.Sampler != l.method.Name {
		m, ok := catalog.Find(set.Sampler)
		if !ok {
			panic("session: unknown sampler " + set.Sampler)
		}
		l.method, l.kernel = m, newKernel[F](m, l.target)
		l.proxy, _ = l.kernel.(sampler.Proxy[F])
		l.info = sampler.Info{}
		l.observed.on = m.Metropolis || m.Kind == sampler.Variational
		l.unweighted = m.Metropolis || m.Kind != sampler.Sampling
		l.spread()
	}
	l.set, l.motion.known = set, false
	l.params = engine.ParamsOf(l.prob, l.method, set)
	l.grad.n = int(set.Or(sampler.KeyBatch, 0))
	l.thin = uint64(set.Or(sampler.KeyThin, 1))
	burn := uint64(set.Or(sampler.KeyBurnIn, 0))
	// The first t after the present step with t > burn-in and (t - burn-in) a
	// multiple of thin.
	l.nextKeep = burn + l.thin
	l.passage.burnIn(burn)
	if l.state.Step >= burn {
		l.nextKeep = burn + ((l.state.Step-burn)/l.thin+1)*l.thin
	} else {
		l.nextKeep = l.passage.due(l.state.Step, l.nextKeep)
	}
}

// begin makes what the method keeps besides θ and V.
func (l *lane[F]) begin() {
	l.state.Own = nil
	if k, ok := l.kernel.(sampler.Beginner[F]); ok {
		k.Begin(&l.state, &l.params)
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
	if n := l.grad.n; n > 0 {
		return float64(l.prob.N()) / float64(n)
	}
	return 1
}

func (l *lane[F]) advance(n uint64) {
	start, eval := time.Now(), l.evalTime
	for n > 0 && l.div == nil && l.sinkErr == nil {
		m := min(n, l.past.until(l.state.Step), l.untilDigest())
		if l.motion.on && m > 1 {
			m--
		} else if l.motion.on {
			l.motion.before, l.motion.known = keepState(l.motion.before, &l.state), true
		}
		n -= l.run(m)
		l.past.save(&l.state)
		if l.untilDigest() == 0 {
			l.stepDigests = append(l.stepDigests, l.digest())
		}
	}
	l.flush()
	l.busy += time.Since(start) - (l.evalTime - eval)
}

// untilDigest is how many steps there are to the next periodic digest; 0 if
// it is due.
func (l *lane[F]) untilDigest() uint64 {
	at := uint64(firstDigest) << len(l.stepDigests)
	return at - l.odometer
}

// run runs up to m steps and returns how many it executed.
func (l *lane[F]) run(m uint64) uint64 {
	for i := range m {
		if !l.set.Schedule.Constant() {
			l.params.Eps = l.epsNow()
		}
		l.kernel.Step(&l.state, &l.grad, &l.params, l.z, &l.info)
		l.odometer++
		if l.observed.on {
			l.observed.add(&l.info)
		}
		if !l.info.OK {
			l.diverge()
			return i + 1
		}
		if l.state.Step == l.nextKeep {
			if burn := l.passage.until; l.state.Step <= burn {
				l.hold()
				l.nextKeep = l.passage.due(l.state.Step, burn+l.thin)
				continue
			}
			l.nextKeep += l.thin
			if l.keep(); l.sinkErr != nil {
				return i + 1
			}
		}
	}
	return m
}

// epsNow is the step size of the next step.
func (l *lane[F]) epsNow() float64 {
	return l.set.Eps() * l.set.Schedule.Factor(l.state.Step, l.stepsPerEpoch())
}

// stepSize is that of the newest step.
func (l *lane[F]) stepSize() float64 {
	if l.info.Eps != 0 {
		return l.info.Eps
	}
	return l.params.Eps
}

func (l *lane[F]) tweak(set engine.Lane) {
	l.flush()
	l.openWindow(l.window(quantity.Of(l)))
	l.change(set, set.Sampler != l.set.Sampler)
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
	l.passage.end()
	set := l.set
	l.travel(min(step, l.state.Step))
	l.windowStart = l.state.Step
	l.past.forget(l.state.Step)
	for n := len(l.tweaks); n > 1 && l.tweaks[n-1].step > l.state.Step; n-- {
		l.tweaks = l.tweaks[: n-1 : n-1]
	}
	l.history.cut(l.state.Step)
	l.div = nil
	l.change(set, set.Sampler != l.set.Sampler)
}

// travel restores the state after a step. It steps again from the checkpoint before,
// with the settings that were in force, and leaves those of that step in force. Noise
// and minibatches are keyed by step, so the result is the same to the bit.
func (l *lane[F]) travel(step uint64) {
	l.state.Set(l.past.before(step))
	count := l.gradEvals
	for i, t := range l.tweaks {
		end := step
		if i+1 < len(l.tweaks) {
			end = min(end, l.tweaks[i+1].step)
		}
		if t.step > step || l.state.Step > end {
			continue
		}
		l.apply(t.set)
		if t.begins && t.step == l.state.Step {
			l.begin()
		}
		for l.state.Step < end {
			l.params.Eps = l.epsNow()
			l.kernel.Step(&l.state, &l.grad, &l.params, l.z, &l.info)
		}
	}
	l.gradEvals = count
}

// diverge freezes the lane at its last usable state.
func (l *lane[F]) diverge() {
	set, bad := l.set, l.state.Step
	d := l.whyDiverged()
	l.flush()
	l.travel(bad - 1)
	l.apply(set)
	l.div = d
	// The draw that could not be used counts in the window as NaN: no estimate of a
	// chain that runs away is one of its target.
	l.block.N, l.block.W[0] = 1, l.params.Eps
	for i := range l.block.Dim {
		l.block.Col(i)[0] = math.NaN()
	}
	l.chain.Add(l.block)
	l.block.Reset()
}

// whyDiverged explains the newest state, which cannot be used.
func (l *lane[F]) whyDiverged() *engine.Divergence {
	p := l.params
	p.Eps = l.set.Eps()
	d := &engine.Divergence{Step: l.state.Step, Eps: p.Eps}
	for i, x := range l.state.Theta {
		if v := float64(x); !(math.Abs(v) < sampler.Limit) {
			d.Coordinate, d.Value = l.name(i), v
			break
		}
	}
	if l.method.MaxStep != nil {
		if b := l.method.MaxStep(l.prob.Impl(), &p, &l.info); p.Eps >= b.Eps {
			d.Bound = b
		}
	}
	return d
}

func (l *lane[F]) name(i int) string {
	if i < len(l.prob.Names) {
		return l.prob.Names[i]
	}
	return fmt.Sprintf("theta[%d]", i+1)
}

func (l *lane[F]) digest() engine.Digest {
	return engine.Digest{Lane: l.id, At: l.odometer, Digest: digest(&l.state)}
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
	l.grad.use(l.fork)
	l.spread()
}

// spread gives the fork's workers to the kernel too, which works while the gradient
// rests.
func (l *lane[F]) spread() {
	if k, ok := l.kernel.(sampler.Parallel); ok && l.fork != nil {
		k.Spread(l.fork.Each)
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
	if l.evaluator != nil {
		l.evaluator.Close()
	}
	if l.fork != nil {
		l.fork.Close()
	}
}

var _ runner = (*lane[float64])(nil)
