package lane

import (
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/distance"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// laneState is all of a lane that a keyframe holds, which copyTo copies whole. What
// else a lane has is worked out from it, or is its runtime: kernel, target, scratch and
// what nobody misses after a seek.
//
// A field that holds memory to which the lane writes is copied in copyTo. Any other
// shares it with the keyframes: maps and values that are never changed in place, and
// slices that are only appended to, which copyTo clips.
type laneState[F sampler.Float] struct {
	cfg            engine.Config
	set            engine.Setting
	begun          *targets.Problem // the target with which its start was found
	periods        []engine.Period  // settings in force, from the start on
	odometer       uint64           // steps executed, which a rewind does not turn back
	stepDigests    []engine.Digest
	div            *engine.Divergence
	busy, evalTime time.Duration // sampling, and evaluating
	evaluatedAt    uint64        // the step whose state was evaluated last, where predictions are by the newest

	draws, kept uint64          // of all chains: in the window, and over all windows
	virial      *metrics.Virial // of probes
	passage     trace.Passage
	averages    *predict.Averages // of the evaluator; nil without one
	history     trace.History
	windowStart uint64 // step
	gradsBefore uint64 // gradients evaluated before the window, by all chains
	loss        float64
	losses      int // minibatch losses of the draws since the last point, summed in loss
	previous    *engine.Window
	trusted     pointTrust
	pointApart  distance.Found // at a point of the curves
}

// copyTo makes a copy of s that shares no memory to which either writes. It uses the
// memory that to has, if that is a state of the same lane.
func (s *laneState[F]) copyTo(to *laneState[F]) {
	own := *to
	*to = *s
	to.virial = copied(own.virial, s.virial)
	to.passage, to.history = s.passage.Clone(), s.history.Share()
	to.averages = copied(own.averages, s.averages)
	to.periods, to.stepDigests = slices.Clip(s.periods), slices.Clip(s.stepDigests)
}

// copied is a copy of from, in the memory of own unless that is nil.
func copied[T any, P interface {
	*T
	Clone() *T
	Set(*T)
}](own, from P) P {
	switch {
	case from == nil:
		return nil
	case own == nil:
		return from.Clone()
	}
	own.Set(from)
	return own
}

// A Copy is a lane's state at a step: its part of a keyframe.
type Copy interface {
	Bytes() int // without what keyframes share: checkpoints and kept draws
	// BytesBeyond is what these take that another copy, or nil, has not.
	BytesBeyond(other Copy) int
	Setting() engine.Setting
}

// laneCopy is the Copy of a lane.
type laneCopy[F sampler.Float] struct {
	laneState[F]
	chains []chainState[F]
	levels [2]chainState[F]    // of the companions
	sums   *metrics.Richardson // their draws; nil without companions
	why    metrics.Status
}

func (k *laneCopy[F]) Bytes() int {
	n := k.virial.Bytes() + k.passage.Bytes()
	for i := range k.chains {
		n += k.chains[i].bytes()
	}
	if k.averages != nil {
		n += k.averages.Bytes()
	}
	if k.sums != nil {
		n += k.sums.Bytes() + k.levels[0].state.Bytes() + k.levels[1].state.Bytes()
	}
	return n
}

func (k *laneCopy[F]) BytesBeyond(other Copy) int {
	of, ok := other.(*laneCopy[F])
	n := 0
	for i := range k.chains {
		var o *chainState[F]
		if ok && i < len(of.chains) {
			o = &of.chains[i]
		}
		n += k.chains[i].bytesBeyond(o)
	}
	return n
}

func (k *laneCopy[F]) Setting() engine.Setting { return k.set }

func (l *lane[F]) Copy() Copy {
	l.flush()
	l.Settle()
	k := &laneCopy[F]{chains: make([]chainState[F], len(l.chains))}
	l.laneState.copyTo(&k.laneState)
	for i, c := range l.chains {
		c.copyTo(&k.chains[i])
	}
	if s := l.first.companions; s != nil {
		for i, c := range s.levels {
			c.copyTo(&k.levels[i])
		}
		k.sums, k.why = s.Sums.Clone(), s.Why
	}
	return k
}

func (l *lane[F]) Evaluating() bool { return l.evaluator.Busy() }

func (l *lane[F]) Restorable(from Copy) bool {
	k, ok := from.(*laneCopy[F])
	return ok && len(k.chains) == len(l.chains) && (k.sums != nil) == (l.first.companions != nil) && k.cfg.Seed == l.cfg.Seed && k.cfg.Draw == l.cfg.Draw && k.cfg.SameNoise == l.cfg.SameNoise && k.cfg.Stream == l.cfg.Stream
}

func (l *lane[F]) Restore(from Copy) {
	k := from.(*laneCopy[F])
	l.Settle()
	l.sinkErr = nil
	k.laneState.copyTo(&l.laneState)
	for i, c := range l.chains {
		c.block.Reset()
		k.chains[i].copyTo(&c.chainState)
	}
	l.apply(k.set)
	if s := l.first.companions; s != nil {
		for i, c := range s.levels {
			k.levels[i].copyTo(&c.chainState)
		}
		s.Sums.Set(k.sums)
		s.Why = k.why
	}
	if k.div != nil && l.outside == nil {
		l.travel(l.Step()) // so that the kernels stand as they did at the last step
		l.apply(k.set)
	}
	for i, c := range l.chains {
		c.info, c.observed = k.chains[i].info, k.chains[i].observed // which a new kernel has begun anew
	}
	l.weights, l.motion.known = nil, false
	l.forget()
}

func (l *lane[F]) RecentSteps() uint64 {
	if l.recent == nil || l.newestAlone() {
		return 0
	}
	return uint64(l.recent.Size()) * l.thin / uint64(len(l.chains))
}
