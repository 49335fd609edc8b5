package sampler

import "github.com/psgld/psgld-tui/engine/noise"

// pieceSize is how many coordinates are stepped at once by one core, and have
// sums of their own.
const pieceSize = 256 * noise.Group

// fusible is a preconditioner that in most steps is just G = c/(λ+√V) with
// V = αV + βḡ².
type fusible interface {
	preconditioner[float32]
	// average returns the numbers of the step's V, or false where the step needs
	// more than them.
	average(s *State[float32], p *Params) (average, bool)
}

// An average says how V comes from the last one.
type average struct {
	alpha, beta, lambda float32
	scale               float32 // c
	frozen              bool    // V stays, as α = 1 and β = 0 have it
	first               bool    // V is ḡ² before the step
}

// fused is langevin in float32 with all of a step that follows the gradient in
// one pass over memory: V, G, drift and noise. θ, V and the range of G get the
// same bits as from langevin. The sums of Info are made of pieces, which are added
// in float32 in a fixed order, and so err by up to (pieceSize/Group + 2)·2⁻²⁴ of
// the sum of the terms' magnitudes. Steps that need more, such as Γ, are left to
// langevin.
type fused struct {
	langevin[float32]
	pre      fusible // nil for G = 1
	path     string
	schedule noise.Schedule
	rule     rule
	scale    float32 // c: rule's G is 1/(λ+√V)
	sums     []total // of pieces
	each     func(n int, task func(worker, i int))
	piece    func(worker, i int) // made once: a method value is allocated

	whole stretch         // of the step that is done
	z     *noise.Schedule // nil at T = 0

	stale bool // g is not of the newest step
}

func newFused(dim int, pre fusible) *fused {
	f := &fused{pre: pre, path: noise.Path(), sums: make([]total, (dim+pieceSize-1)/pieceSize)}
	if pre != nil {
		f.langevin.pre = pre
	}
	f.piece = func(_, i int) { f.step(i) }
	return f
}

// Spread implements Parallel.
func (f *fused) Spread(each func(n int, task func(worker, i int))) { f.each = each }

// Step implements Kernel.
func (f *fused) Step(s *State[float32], grad Gradient[float32], p *Params, zs *noise.Normals[float32], i *Info) {
	a := average{scale: 1}
	if f.pre != nil {
		var ok bool
		if a, ok = f.pre.average(s, p); !ok {
			f.stale = false
			f.langevin.Step(s, grad, p, zs, i)
			return
		}
	}
	e := grad.Eval(s.Theta, 0)
	f.whole = stretch{theta: s.Theta, mean: e.Mean}
	if f.pre != nil {
		f.whole.v, f.whole.second = s.V, e.Second
		switch {
		case a.frozen:
			f.whole.second = s.V // 0·V² and not 0·ḡ², as V is finite
		case a.first:
			for i, x := range e.Second {
				s.V[i] = x * x
			}
		}
	}
	f.set(a, p)
	f.z = nil
	if p.Temp != 0 {
		f.z = &f.schedule
		zs.Stream().At(s.Step).Schedule(f.z)
	}
	if f.each != nil && len(f.sums) > 1 {
		f.each(len(f.sums), f.piece)
	} else {
		for i := range f.sums {
			f.step(i)
		}
	}
	f.report(i)
	f.stale = f.pre != nil
	s.Step++
}

// set sets the rule, in which c is a factor of ε.
func (f *fused) set(a average, p *Params) {
	f.scale = a.scale
	spread := float32(p.Temp*p.Eps) * a.scale
	if f.pre == nil {
		spread = sqrt(spread)
	}
	f.rule = rule{
		alpha: eight(a.alpha), beta: eight(a.beta), lambda: eight(a.lambda),
		n: eight(float32(p.N)), prior: eight(float32(p.PriorPrec)),
		half: eight(float32(p.Eps/2) * a.scale), spread: eight(spread),
	}
}

// step does piece i.
func (f *fused) step(i int) {
	_, c := f.whole.split(i * pieceSize)
	c, _ = c.split(min(pieceSize, len(c.theta)))
	var s sums
	s.clear()
	move(f.path, c, &f.rule, &s, f.z)
	f.sums[i] = s.total()
}

// report adds up the pieces, in order.
func (f *fused) report(i *Info) {
	t := total{least: 1, greatest: 1, ok: true}
	for k, s := range f.sums {
		t.drift += s.drift
		t.inject += s.inject
		t.virial += s.virial
		t.ok = t.ok && s.ok
		if f.pre != nil && k == 0 {
			t.least, t.greatest = s.least, s.greatest
		} else if f.pre != nil {
			t.least, t.greatest = min(t.least, s.least), max(t.greatest, s.greatest)
		}
	}
	*i = Info{
		Drift2: t.drift, Noise2: t.inject, Virial: -t.virial,
		GMin: float64(f.scale * t.least), GMax: float64(f.scale * t.greatest), OK: t.ok,
	}
}

// Gain implements Kernel, in another pass over V, but one a step.
func (f *fused) Gain() []float32 {
	if f.stale {
		if f.g == nil {
			f.g = make([]float32, len(f.whole.v))
		}
		for i := range f.g {
			f.g[i] = f.GainAt(i)
		}
		f.stale = false
	}
	return f.langevin.Gain()
}

// GainAt implements Kernel.
func (f *fused) GainAt(i int) float32 {
	if !f.stale {
		return f.langevin.GainAt(i)
	}
	return f.scale * (1 / (f.rule.lambda[0] + sqrt(f.whole.v[i])))
}
