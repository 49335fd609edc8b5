package lane

import (
	"math"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
)

func (l *lane[F]) Samples() bool {
	return l.div == nil && l.method.Kind == sampler.Sampling && !l.noiseless()
}

func (l *lane[F]) PerChain() uint64 { return l.draws / uint64(len(l.chains)) }

func (l *lane[F]) UntilLook() uint64 {
	n := l.PerChain()
	first, burn := l.nextKeep, uint64(l.set.Or(sampler.KeyBurnIn, 0))
	if l.Step() < burn {
		first = burn + l.thin // nextKeep is of the passage
	}
	return first - l.Step() + (quantity.NextLook(n)-n-1)*l.thin
}

func (l *lane[F]) Enough(u quantity.Until) bool {
	l.flush()
	if !l.converges() && len(l.chains) > 1 {
		l.Settle() // they are compared in their predictions
	}
	l.compared.Whole, l.slowest = math.MaxInt, slowest{}
	defer func() { l.compared.Whole, l.slowest = 0, slowest{} }()
	return u.Met(l, len(l.tracked))
}
