package measure

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
)

// motion reads the newest step, while steps come slowly.
type motion[F sampler.Float] struct {
	kept   *kept[F]
	on     bool
	known  bool             // before is of the setting in force
	before sampler.State[F] // the state from which the newest step went
	now    sampler.State[F] // scratch
}

func (m *Measures[F]) Follow(on bool) { m.motion.on = on }

// Follows reports whether the newest step is followed. Then BeforeStep is called before the last one of a chunk.
func (m *Measures[F]) Follows() bool { return m.motion.on }

// BeforeStep holds the state from which a step goes.
func (m *Measures[F]) BeforeStep() {
	m.motion.before.Copy(&m.First.State)
	m.motion.known = true
}

func (m *motion[F]) forget() { m.known = false }

// of takes the newest step apart in two coordinates. It is nil where the step was not followed, or its method has no
// temperature.
func (m *motion[F]) of(shown [2]int) *engine.Motion {
	k := m.kept
	if !m.known || m.before.Step+1 != k.Step() || k.Diverged != nil || k.Method.Kind != sampler.Sampling ||
		k.Method.Metropolis || !k.Setting.Has(sampler.KeyTemp) {
		return nil
	}
	var v engine.Motion
	c := m.kept.First
	info, params, count := c.Info, m.kept.Params, c.Gradients
	m.now.Copy(&c.State)
	c.State.Copy(&m.before)
	if !m.kept.Setting.Schedule.Constant() {
		m.kept.Params.Eps = m.kept.EpsAt(m.kept.Step())
	}
	m.kept.Params.Temp = 0
	for k, at := range shown {
		v.From[k] = float64(m.kept.Shown(c.State.Theta)[at])
	}
	c.Kernel.Step(&c.State, &c.Grad, &m.kept.Params, c.Noise, &c.Info)
	for k, at := range shown {
		v.Drift[k] = float64(m.kept.Shown(c.State.Theta)[at]) - v.From[k]
	}
	c.State.Copy(&m.now)
	c.Info, m.kept.Params, c.Gradients = info, params, count
	return &v
}
