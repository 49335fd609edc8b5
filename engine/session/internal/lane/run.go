package lane

import (
	"math"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/trace"
)

// Advance is the one loop of steps. How steps are made is the stepper's. What is done between them is here.
func (l *lane[F]) Advance(n uint64) {
	start, eval := time.Now(), l.evalTime
	for n > 0 && l.div == nil && l.sinkErr == nil {
		m := min(n, l.first.past.Until(l.Step()), l.untilDigest())
		if l.motion.on && m > 1 {
			m--
		} else if l.motion.on {
			l.motion.before.Copy(&l.first.state)
			l.motion.known = true
		}
		done, bad := l.stepper.steps(m)
		l.odometer += done
		if bad != nil {
			l.diverge(bad)
		} else if done > 0 && l.Step() == l.nextKeep {
			l.take()
		}
		if l.outside != nil {
			l.outside.check()
		}
		if n -= done; l.Interrupted() {
			n = 0
		}
		for _, c := range l.chains {
			c.past.Save(&c.state)
		}
		if l.untilDigest() == 0 {
			l.stepDigests = append(l.stepDigests, l.Digest())
		}
	}
	l.flush()
	took := time.Since(start)
	if l.outside != nil {
		l.outside.busy += took
	}
	l.busy += took - (l.evalTime - eval)
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

// A stepper makes steps in all chains of a lane.
type stepper[F sampler.Float] interface {
	// steps makes at most n steps and none after the next state to keep, unless it has kept the states on the way itself. It
	// returns how many it made. bad is a chain whose state after the last of them cannot be used, or nil.
	steps(n uint64) (done uint64, bad *chain[F])
}

// pickStepper chooses how the chains step.
func (l *lane[F]) pickStepper() {
	l.stepper = inTurn[F]{l}
	if j := l.newJoint(); l.outside != nil {
		l.stepper = l.outside
	} else if j != nil {
		l.stepper = j
	}
}

// inTurn has one chain after the other go to the next state to keep. If one diverges on the way, those after it go no
// further, and diverge takes back those before it.
type inTurn[F sampler.Float] struct{ *lane[F] }

func (l inTurn[F]) steps(n uint64) (done uint64, bad *chain[F]) {
	n = min(n, l.nextKeep-l.Step())
	constant := l.set.Schedule.Constant()
	for _, c := range l.chains {
		for i := range n {
			if c.companions != nil {
				c.companions.Step(c.state.Step, c.z.At(c.state.Step))
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
	return n, bad
}

// take takes the present states, of a step to keep, as draws or into the passage.
func (l *lane[F]) take() {
	if burn := l.passage.Until(); l.Step() <= burn {
		trace.Hold(&l.passage, &l.first.state, l.tracked, -l.first.grad.Newest.LogLik)
		l.nextKeep = l.passage.Due(l.Step(), burn+l.thin)
		return
	}
	l.nextKeep += l.thin
	for k, c := range l.chains {
		l.keep(k, c)
	}
}

// epsNow is the step size of the next step.
func (l *lane[F]) epsNow() float64 { return l.epsAt(l.Step()) }

// epsAt is the step size of the step from a state of that many steps.
func (l *lane[F]) epsAt(step uint64) float64 {
	return l.set.Eps() * l.set.Schedule.Factor(step, l.StepsPerEpoch())
}

// stepSizeOf is that of a chain's newest step.
func (l *lane[F]) stepSizeOf(c *chain[F]) float64 {
	if c.info.Eps != 0 {
		return c.info.Eps
	}
	return l.params.Eps
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
			d.Coordinate, d.Value = l.prob.Name(i), v
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
