package lane

import (
	"math"
	"runtime"
	"slices"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/state"
)

// A stepper makes steps in all chains of a lane.
type stepper[F sampler.Float] interface {
	// steps makes at most n steps, and none after the next step to keep, unless it has kept the draws on the way
	// itself. It returns how many it made. bad is a chain whose state after the last of them cannot be used, or nil.
	steps(n uint64) (done uint64, bad *record.Chain[F])
}

// pickStepper chooses how the chains step.
func (l *lane[F]) pickStepper() {
	l.stepper = inTurn[F]{l}
	if l.Drawn() {
		l.stepper = inRows[F]{l}
	} else if j := l.newJoint(); l.outside != nil {
		l.stepper = l.outside
	} else if j != nil {
		l.stepper = j
	}
}

func (l *lane[F]) Advance(n uint64) {
	runtime.LockOSThread() // whose time it is
	defer runtime.UnlockOSThread()
	start, aside := l.Clock(), l.Aside
	for n > 0 && l.goesOn() {
		m := min(n, l.First.Past.Until(l.Step()), l.untilDigest())
		if follows := l.measures.Follows(); follows && m > 1 {
			m--
		} else if follows {
			l.measures.BeforeStep()
		}
		if n -= l.run(m); l.interrupted() {
			n = 0
		}
		for _, c := range l.Chains {
			c.Past.Save(&c.State)
		}
		if l.untilDigest() == 0 {
			l.Digests = append(l.Digests, l.records.Digest())
		}
	}
	l.records.Flush()
	took := l.Clock().Sub(start)
	l.Spent += took.Wall
	l.Took = l.Took.Add(took.Sub(l.Aside.Sub(aside)))
}

// goesOn reports whether nothing has stopped the lane.
func (l *lane[F]) goesOn() bool { return l.Diverged == nil && l.records.SinkErr() == nil }

// run is the loop of steps. It makes m of them and takes the draws, or goes as far as nothing stops the lane, and
// returns how many steps it made.
func (l *lane[F]) run(m uint64) (done uint64) {
	for done < m && l.goesOn() {
		n, bad := l.stepper.steps(m - done)
		done += n
		l.Odometer += n
		switch {
		case bad != nil:
			l.diverge(bad)
		case n == 0:
			return done
		case l.Step() == l.nextKeep:
			l.take()
		}
	}
	return done
}

// firstDigest is the step of the first periodic digest. The others come at its doublings, so that a session of any
// length has few.
const firstDigest = 1024

// untilDigest is how many steps there are to the next periodic digest; 0 if it is due.
func (l *lane[F]) untilDigest() uint64 {
	at := uint64(firstDigest) << len(l.Digests)
	return at - l.Odometer
}

// inTurn has one chain after the other go to the next step to keep. If one diverges on the way, those after it go no
// further, and diverge takes back those before it.
type inTurn[F sampler.Float] struct{ lane *lane[F] }

func (s inTurn[F]) steps(n uint64) (done uint64, bad *record.Chain[F]) {
	l := s.lane
	n = min(n, l.nextKeep-l.Step())
	constant, companions, p := l.Setting.Schedule.Constant(), l.records.Companions, &l.Params
	for _, c := range l.Chains {
		for i := range n {
			if !constant {
				p.Eps = l.EpsAt(c.State.Step)
			}
			if companions != nil && c == l.First {
				companions.Step(c.State.Step, c.Noise.At(c.State.Step))
			}
			c.Kernel.Step(&c.State, &c.Grad, p, c.Noise, &c.Info)
			if c.Observed.On {
				c.Observed.Add(&c.Info)
			}
			if !c.Info.OK {
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
	if burn := l.Passage.Until(); l.Step() <= burn {
		l.records.Hold()
		l.nextKeep = l.Passage.Due(l.Step(), burn+l.Thin)
		return
	}
	l.nextKeep += l.Thin
	if l.records.Keep(); l.outside != nil {
		l.outside.check()
	}
}

// diverge freezes the lane at the last usable state of a chain.
func (l *lane[F]) diverge(bad *record.Chain[F]) {
	set, step := l.Setting, bad.State.Step
	d := l.whyDiverged(bad)
	l.records.Flush()
	if l.outside != nil {
		l.outside.takeBack()
	} else {
		l.travel(step - 1)
		l.apply(set)
		if density := l.LogDensity(); density != nil && !l.Problem.HasData() {
			y := density.LogLik(bad.State.Theta)
			d.Undefined = y-y != 0
		}
	}
	l.Diverged = d
	l.records.Lost(bad)
}

// whyDiverged explains the newest state of a chain, which cannot be used.
func (l *lane[F]) whyDiverged(c *record.Chain[F]) *state.Divergence {
	p := l.Params
	p.Eps = l.Setting.Eps()
	d := &state.Divergence{Step: c.State.Step, Chain: slices.Index(l.Chains, c), Eps: p.Eps}
	d.Unproved = l.Problem.Unproved
	for i, x := range c.State.Theta {
		if v := float64(x); !(math.Abs(v) < sampler.Limit) {
			d.Coordinate, d.Value = l.Problem.Name(i), v
			break
		}
	}
	if l.Method.MaxStep != nil {
		if b := l.Method.MaxStep(l.Problem.Impl(), &p, &c.Info); p.Eps >= b.Eps {
			d.Bound = b
		}
	}
	return d
}
