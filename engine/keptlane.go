package engine

import (
	"slices"
	"time"
	"unsafe"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// keptLane is a copy of a lane: its state and all that is known of its draws but
// the recent ones.
type keptLane[F sampler.Float] struct {
	cfg  Config
	set  Lane
	info sampler.Info

	state       sampler.State[F]
	seen        observed
	odometer    uint64
	marks       []Digest
	past        checkpoints[F]
	tweaks      []tweakAt
	div         *Divergence
	busy, eval  time.Duration
	evaluatedAt uint64
	gradients   uint64

	draws, kept   uint64
	chain, virial *metrics.Chain
	history       history
	ring          ring
	passage       passage
	averages      predict.Averages
	windowStart   uint64
	evals         uint64
	loss          float64
	losses        int
	previous      *Window
}

// copied copies the lane. It waits for the evaluation of its draws.
func (l *lane[F]) copied() keptRunner {
	l.flush()
	l.settle()
	l.lent = len(l.tweaks)
	k := &keptLane[F]{
		cfg: l.cfg, set: l.set, info: l.info,
		state: l.state.Clone(), seen: l.seen, odometer: l.odometer, marks: slices.Clip(l.marks), past: l.past.lend(),
		tweaks: slices.Clip(l.tweaks), div: l.div, busy: l.busy, eval: l.eval, evaluatedAt: l.evaluatedAt, gradients: l.grad.count,
		draws: l.draws, kept: l.kept, chain: l.chain.Clone(), virial: l.virial.Clone(), history: l.history, ring: l.ring, passage: l.passage.clone(),
		windowStart: l.windowStart, evals: l.evals, loss: l.loss, losses: l.losses, previous: l.previous,
	}
	k.history.points = slices.Clip(k.history.points) // which are never changed
	k.ring.x = slices.Clone(l.ring.x)
	if l.evaluator != nil {
		k.averages = l.evaluator.Averages()
	}
	return k
}

func (l *lane[F]) evaluating() bool { return l.evaluator.Busy() }

func (k *keptLane[F]) bytes() int {
	return stateBytes(&k.state) + 8*(len(k.ring.x)+len(k.passage.held.x)) + k.chain.Bytes() + k.virial.Bytes() + k.averages.Bytes()
}

func (k *keptLane[F]) pastBytes(other keptRunner) int {
	var o *checkpoints[F]
	if of, ok := other.(*keptLane[F]); ok {
		o = &of.past
	}
	return k.past.bytesBeyond(o)
}

func stateBytes[F sampler.Float](s *sampler.State[F]) int {
	var x F
	n := len(s.Theta) + len(s.V)
	for _, own := range s.Own {
		n += len(own)
	}
	return n * int(unsafe.Sizeof(x))
}

func (k *keptLane[F]) setting() Lane { return k.set }

// revives reports whether the lane can be made what was copied: one on another seed
// draws other noise.
func (l *lane[F]) revives(from keptRunner) bool {
	k, ok := from.(*keptLane[F])
	return ok && k.cfg.Seed == l.cfg.Seed && k.cfg.Draw == l.cfg.Draw && k.cfg.SameNoise == l.cfg.SameNoise
}

// revive makes the lane what it was when it was copied. The copy must be of such a
// lane: on the same target, and with its noise.
func (l *lane[F]) revive(from keptRunner) {
	k := from.(*keptLane[F])
	l.settle()
	l.block.Reset()
	l.vblock.Reset()
	l.cfg, l.div, l.sinkErr = k.cfg, nil, nil
	l.past, l.tweaks, l.lent = k.past.lend(), k.tweaks, len(k.tweaks)
	l.state.Set(&k.state)
	l.apply(k.set)
	if k.div != nil {
		l.travel(k.state.Step) // so that the kernel stands as it did at the last step
		l.apply(k.set)
	}
	l.info, l.div = k.info, k.div
	l.seen, l.odometer, l.marks = k.seen, k.odometer, k.marks
	l.busy, l.eval, l.evaluatedAt, l.grad.count = k.busy, k.eval, k.evaluatedAt, k.gradients
	l.draws, l.kept = k.draws, k.kept
	l.chain.Set(k.chain)
	l.virial.Set(k.virial)
	l.history = k.history
	x := l.ring.x
	l.ring = k.ring
	l.ring.x = x
	copy(x, k.ring.x)
	l.passage = k.passage.clone()
	if l.evaluator != nil {
		l.evaluator.Set(k.averages, k.kept) // of what was copied nothing waited
	}
	l.windowStart, l.evals, l.loss, l.losses, l.previous = k.windowStart, k.evals, k.loss, k.losses, k.previous
	l.weights, l.worstAt, l.motion.known = nil, worstAt{}, false
	if l.recent != nil {
		l.recent.Reset()
	}
}

// recently is how many steps the lane's recent draws are of.
func (l *lane[F]) recently() uint64 {
	if l.recent == nil || l.newestAlone() {
		return 0
	}
	return uint64(l.recent.Size()) * l.thin
}
