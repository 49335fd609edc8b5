package sampler

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
)

// langevin32 is langevin in float32 with everything that follows the gradient in one pass over memory: V, G, drift and
// noise. θ, V and the range of G get the same bits as from langevin at c = 1. The sums of Info are added in float32,
// piece by piece and in a fixed order. They err by up to (PieceSize/Group + 2)·2⁻²⁴ of the sum of the terms'
// magnitudes. There is no Γ: networks do not know their Hessian's diagonal.
type langevin32 struct {
	step32.Pieces
	pre      SecondMoment // nil for G = 1
	q        Moments
	schedule noise.Schedule
	rule     step32.Langevin
	scale    float32             // c: rule's G is 1/(λ+√V)
	sums     []step32.Total      // of pieces
	piece    func(worker, i int) // made once: a method value is allocated

	vectors step32.Segment  // of the step that is done
	z       *noise.Schedule // nil at T = 0
}

// NewLangevin32 returns the kernel of the Langevin step for vectors of length dim,
// with G = 1 where the preconditioner is nil.
func NewLangevin32(dim int, pre SecondMoment) Kernel[float32] {
	k := &langevin32{Pieces: step32.NewPieces(dim), pre: pre, q: Moments{Scale: 1}}
	k.sums = make([]step32.Total, k.Count())
	k.piece = func(_, i int) {
		var s step32.Sums
		s.Clear()
		k.rule.Step(k.Path(), k.vectors.Between(k.Bounds(i)), &s, k.z)
		k.sums[i] = s.Total()
	}
	return k
}

func (k *langevin32) Step(s *State[float32], grad Gradient[float32], p *Params, zs *noise.Normals[float32], i *Info) {
	e := grad.Eval(s.Theta, 0)
	k.vectors = step32.Segment{Theta: s.Theta, Mean: e.Mean}
	if k.pre != nil {
		k.pre(s.Step, p, &k.q)
		k.vectors.V, k.vectors.Second = s.V, e.Second
		switch {
		case k.q.Frozen:
			k.q.Alpha, k.q.Beta = 1, 0
			k.vectors.Second = s.V // 0·V² and not 0·ḡ², as V is finite
		case k.q.First:
			for i, x := range e.Second {
				s.V[i] = x * x
			}
		}
	}
	k.set(&k.q, p)
	k.z = nil
	if p.Temp != 0 {
		k.z = &k.schedule
		zs.Stream().At(s.Step).Schedule(k.z)
	}
	k.Do(k.piece)
	k.report(i)
	s.Step++
}

// set sets the rule, in which c is a factor of ε.
func (k *langevin32) set(q *Moments, p *Params) {
	k.scale = float32(q.Scale)
	spread := float32(p.Temp*p.Eps) * k.scale
	if k.pre == nil {
		spread = sqrt(spread)
	}
	k.rule = step32.Langevin{
		Alpha: step32.Eight(float32(q.Alpha)), Beta: step32.Eight(float32(q.Beta)),
		Lambda: step32.Eight(float32(q.Scale * q.Lambda)),
		N:      step32.Eight(float32(p.N)), Prior: step32.Eight(float32(p.PriorPrec)),
		Half: step32.Eight(float32(p.Eps/2) * k.scale), Spread: step32.Eight(spread),
	}
}

// report adds up the pieces, in order.
func (k *langevin32) report(i *Info) {
	*i = Info{GMin: 1, GMax: 1, OK: true}
	for j, s := range k.sums {
		i.Drift2 += s.Drift
		i.Noise2 += s.Noise
		i.OK = i.OK && s.Farthest < Limit
		if k.pre == nil {
			continue
		}
		least, greatest := float64(k.scale*s.Least), float64(k.scale*s.Greatest)
		if j == 0 {
			i.GMin, i.GMax = least, greatest
		} else {
			i.GMin, i.GMax = min(i.GMin, least), max(i.GMax, greatest)
		}
	}
}

func (k *langevin32) GainAt(i int) float32 {
	if k.vectors.V == nil {
		return 1
	}
	return k.scale * (1 / (k.rule.Lambda[0] + sqrt(k.vectors.V[i])))
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
