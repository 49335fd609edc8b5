package lane

import (
	"context"
	"errors"
	"slices"

	"github.com/psgld/psgld-tui/engine/gradient"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// sideBySide makes most of the steps of a lane whose kernel is a sampler.Joint: those of all chains side by side,
// many at a time, on a copy of their states. The last step of every stretch is left to the chains themselves, whose
// kernels report it. So is a stretch in which a chain diverges.
type sideBySide[F sampler.Float] struct {
	lane   *lane[F]
	joined sampler.State[F]
	kernel sampler.Joint[F]
	noise  *noise.Normals[F]
	grad   gradient.Gradient[F]
	path   []F       // of a stretch: θ after each step
	line   []float64 // is path
}

// newJoint prepares the chains to go side by side. It is nil where more belongs to a step or a draw than kernel and
// density.
func (l *lane[F]) newJoint() *sideBySide[F] {
	if l.outside != nil || l.Problem.HasData() || l.Problem.Scale != nil || !l.records.Strides() {
		return nil
	}
	kernel, ok := record.NewKernel[F](l.Method, l.Target).(sampler.Joint[F])
	if !ok {
		return nil
	}
	n := len(l.Chains) * l.Target.Dim()
	j := &sideBySide[F]{lane: l, kernel: kernel, line: sampler.Vector[float64](n * record.BlockCap)}
	if j.path, ok = any(j.line).([]F); !ok {
		return nil
	}
	j.joined = sampler.State[F]{Theta: sampler.Vector[F](n), V: sampler.Vector[F](n)}
	j.noise = noise.Join(list.Map(l.Chains, func(c *record.Chain[F]) *noise.Normals[F] { return c.Noise }))
	j.grad = gradient.Join(list.Map(l.Chains, func(c *record.Chain[F]) *gradient.Gradient[F] { return &c.Grad }), &j.joined)
	return j
}

func (j *sideBySide[F]) steps(n uint64) (done uint64, bad *record.Chain[F]) {
	if !j.lane.Setting.Schedule.Constant() {
		return inTurn[F]{j.lane}.steps(n)
	}
	done = j.together(n)
	one, bad := inTurn[F]{j.lane}.steps(1)
	return done + one, bad
}

// together makes at most n-1 steps of all chains and takes their draws, and returns how many. There is at least one
// more step to the next point of the curves and to full blocks.
func (j *sideBySide[F]) together(n uint64) uint64 {
	first := j.lane.nextKeep - j.lane.Step() // to a draw
	if j.lane.nextKeep <= j.lane.Passage.Until() {
		n = min(n, first)
	} else {
		n = min(n, first+(j.lane.records.Room()-1)*j.lane.Thin)
	}
	n = min(n-1, record.BlockCap)
	if n == 0 {
		return 0
	}
	for k, c := range j.lane.Chains {
		d := len(c.State.Theta)
		copy(j.joined.Theta[k*d:], c.State.Theta)
		copy(j.joined.V[k*d:], c.State.V)
	}
	j.joined.Step = j.lane.Step()
	j.kernel.Steps(&j.joined, &j.grad, &j.lane.Params, j.noise, j.path, int(n))
	row := len(j.joined.Theta)
	line := j.line[:int(n)*row]
	// The sum alone sees NaN.
	if least, most, sum := metrics.Extent(line); !sampler.Usable(least, most, sum/float64(len(line))) {
		return 0
	}
	for k, c := range j.lane.Chains {
		d := len(c.State.Theta)
		copy(c.State.Theta, j.joined.Theta[k*d:])
		copy(c.State.V, j.joined.V[k*d:])
		c.State.Step += n
		c.Gradients += n
	}
	if first <= n {
		draws := (n-first)/j.lane.Thin + 1
		j.lane.records.KeepStride(j.path[int(first-1)*row:int(n)*row], draws)
		j.lane.nextKeep += draws * j.lane.Thin
	}
	return n
}

// inRows has the rows of another program for steps: the state after step t is row t - 1. The session asks for no more
// steps than there are rows.
type inRows[F sampler.Float] struct{ lane *lane[F] }

func (s inRows[F]) steps(n uint64) (done uint64, bad *record.Chain[F]) {
	l := s.lane
	n = min(n, l.nextKeep-l.Step())
	for k, c := range l.Chains {
		if !l.row(c, c.State.Step+n) {
			for _, moved := range l.Chains[:k] { // all stand at one step
				l.row(moved, c.State.Step)
			}
			return 0, nil
		}
		c.Observed.Add(&c.Info)
	}
	return n, nil
}

// row puts a chain where it stands after a step. It reports false, and stops the lane, where its row cannot be read.
func (l *lane[F]) row(c *record.Chain[F], step uint64) bool {
	theta := any(c.State.Theta).([]float64)
	var told targets.Told
	if step == 0 {
		clear(theta)
	} else if err := l.Problem.Source.Row(theta, &told, slices.Index(l.Chains, c), step-1); err != nil {
		l.Diverged = &state.Divergence{Step: step, Chain: slices.Index(l.Chains, c), Failed: err.Error()}
		return false
	}
	c.State.Step, c.Info.OK = step, true
	c.Info.LogPost, c.Info.Energy = told[targets.ToldDensity], told[targets.ToldEnergy]
	c.Info.Divergent = told[targets.ToldDivergent] > 0
	return true
}

// outside steps a lane on a target outside of the process, whose gradients take long and may fail. Its chains make
// each step together or not at all. A step whose gradient fails is taken back, and the lane stops there. One that is
// interrupted, since a command waits, is taken back too, and made again after the command.
type outside[F sampler.Float] struct {
	targets.Outside[F] // of the lane alone
	lane               *lane[F]
	step, end          context.Context // interrupt a step, and anything
	before             []stepped[F]    // of each chain
}

// stepped is what a step changes of a chain.
type stepped[F sampler.Float] struct {
	state     sampler.State[F]
	info      sampler.Info
	observed  trace.Observed
	gradients uint64
}

func (l *lane[F]) Under(step, end context.Context) {
	if o := l.outside; o != nil {
		o.step, o.end = step, end
		o.Under(end)
	}
}

// hold remembers the chains as they are before a step.
func (o *outside[F]) hold() {
	for k, c := range o.lane.Chains {
		b := &o.before[k]
		b.state.Copy(&c.State)
		b.info, b.observed, b.gradients = c.Info, c.Observed, c.Gradients
	}
}

// takeBack puts the chains back to where hold found them.
func (o *outside[F]) takeBack() {
	for k, c := range o.lane.Chains {
		b := &o.before[k]
		c.State.Copy(&b.state)
		c.Info, c.Observed, c.Gradients = b.info, b.observed, b.gradients
	}
}

// steps makes one step in every chain, or takes it back.
func (o *outside[F]) steps(uint64) (done uint64, bad *record.Chain[F]) {
	l := o.lane
	o.hold()
	if !l.Setting.Schedule.Constant() {
		l.Params.Eps = l.EpsAt(l.Step())
	}
	o.Under(o.step)
	defer o.Under(o.end) // a draw may take a gradient, and is not taken twice
	for k, c := range l.Chains {
		c.Kernel.Step(&c.State, &c.Grad, &l.Params, c.Noise, &c.Info)
		if err := o.Err(); err != nil {
			o.takeBack()
			if o.step.Err() == nil || !errors.Is(err, o.step.Err()) {
				o.fail(k, err)
			}
			return 0, nil
		}
		if c.Observed.On {
			c.Observed.Add(&c.Info)
		}
		if !c.Info.OK {
			return 1, c
		}
	}
	return 1, nil
}

// check stops the lane where a draw's gradient has failed.
func (o *outside[F]) check() {
	if err := o.Err(); err != nil && o.end.Err() == nil {
		o.fail(0, err)
	}
}

// fail stops the lane at the next step of a chain, for which no gradient came.
func (o *outside[F]) fail(chain int, err error) {
	l := o.lane
	l.records.Flush()
	l.Diverged = &state.Divergence{Step: l.Step() + 1, Chain: chain, Eps: l.Setting.Eps(), Failed: err.Error()}
}

// interrupted reports whether the newest chunk of steps was.
func (l *lane[F]) interrupted() bool {
	return l.outside != nil && l.Diverged == nil && l.outside.step.Err() != nil
}
