package session

import (
	"github.com/psgld/psgld-tui/engine/sampler"

	"github.com/psgld/psgld-tui/engine"
)

// follows is how many steps at a time are slow enough to be looked at one by one.
const follows = 256

// motion keeps the state before the newest step, while steps come slowly.
type motion[F sampler.Float] struct {
	on     bool
	known  bool             // before is of the setting in force
	before sampler.State[F] // the state from which the newest step went
	now    sampler.State[F] // scratch
}

// follow has the steps to come kept apart one by one.
func (l *lane[F]) follow(on bool) { l.motion.on = on }

// newestStep works out the newest step's parts; nil where it was not followed, or is of
// a method that has no temperature.
func (l *lane[F]) newestStep() *engine.Motion {
	m := &l.motion
	if !m.known || m.before.Step+1 != l.state.Step || l.div != nil || l.principal ||
		l.method.Kind != sampler.Sampling || l.method.Metropolis || !l.set.Has(sampler.KeyTemp) {
		return nil
	}
	var v engine.Motion
	info, params, count := l.info, l.params, l.gradEvals
	shown := [2]int{l.tracked[l.x], l.tracked[l.y]}
	m.now = keepState(m.now, &l.state)
	l.state.Set(&m.before)
	if !l.set.Schedule.Constant() {
		l.params.Eps = l.epsNow()
	}
	l.params.Temp = 0
	for k, at := range shown {
		v.From[k] = float64(l.state.Theta[at])
	}
	l.kernel.Step(&l.state, &l.grad, &l.params, l.z, &l.info)
	for k, at := range shown {
		v.Drift[k] = float64(l.state.Theta[at]) - v.From[k]
	}
	l.state.Set(&m.now)
	l.info, l.params, l.gradEvals = info, params, count
	return &v
}

// keepState copies a state into one of the same shape, made if it is not.
func keepState[F sampler.Float](to sampler.State[F], from *sampler.State[F]) sampler.State[F] {
	if len(to.Theta) != len(from.Theta) || len(to.Own) != len(from.Own) {
		return from.Clone()
	}
	to.Set(from)
	return to
}
