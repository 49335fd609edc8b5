package lane

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
)

// motion keeps the state before the newest step, while steps come slowly.
type motion[F sampler.Float] struct {
	on     bool
	known  bool             // before is of the setting in force
	before sampler.State[F] // the state from which the newest step went
	now    sampler.State[F] // scratch
}

// Follow turns the holding of the state before the newest step on or off.
func (l *lane[F]) Follow(on bool) { l.motion.on = on }

// newestStep takes the newest step apart. It is nil where the step was not followed, or
// its method has no temperature.
func (l *lane[F]) newestStep() *engine.Motion {
	m := &l.motion
	if !m.known || m.before.Step+1 != l.Step() || l.div != nil || l.principal ||
		l.method.Kind != sampler.Sampling || l.method.Metropolis || !l.set.Has(sampler.KeyTemp) {
		return nil
	}
	var v engine.Motion
	c := l.first
	info, params, count := c.info, l.params, c.gradEvals
	shown := [2]int{l.tracked[l.x], l.tracked[l.y]}
	m.now.Copy(&c.state)
	c.state.Copy(&m.before)
	if !l.set.Schedule.Constant() {
		l.params.Eps = l.epsNow()
	}
	l.params.Temp = 0
	for k, at := range shown {
		v.From[k] = float64(c.state.Theta[at])
	}
	c.kernel.Step(&c.state, &c.grad, &l.params, c.z, &c.info)
	for k, at := range shown {
		v.Drift[k] = float64(c.state.Theta[at]) - v.From[k]
	}
	c.state.Copy(&m.now)
	c.info, l.params, c.gradEvals = info, params, count
	return &v
}
