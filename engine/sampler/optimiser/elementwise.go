package optimiser

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
)

// A displacer is the part of an optimiser that differs from one to the next, where
// every coordinate is treated by itself: the displacement, given the gradient of the
// log posterior. Its displace is in assembly too, with the same bits.
type displacer[F sampler.Float] interface {
	// begin sets q for the step that begins at s.Step, and returns a factor of G that displace leaves out.
	begin(q *numbers[F], s *sampler.State[F], e *sampler.Eval[F], p *sampler.Params) (scale F)
	// displace replaces u = N ḡ - θ/σ² by θ' - θ, advances c.V and c.Own, and counts every G/scale.
	displace(q *numbers[F], u []F, c *step32.Block[F], gains *gainRange[F])
}

// noLambda is the lambda of an optimiser whose G is not 1/(λ+√V). The first number is λ in none.
const noLambda = 0

// numbers are those of a displacer's step, in the assembly's order.
type numbers[F sampler.Float] [7]F

// gainRange is a range of G.
type gainRange[F sampler.Float] struct{ least, greatest F }

func emptyRange[F sampler.Float]() gainRange[F] { return gainRange[F]{F(math.Inf(1)), 0} }

func (r *gainRange[F]) count(g F) {
	if g < r.least {
		r.least = g
	}
	if g > r.greatest {
		r.greatest = g
	}
}

// pieceStep is the step of a piece: its scratch and what it did.
type pieceStep[F sampler.Float] struct {
	u     [noise.Group]F
	block step32.Block[F]
	gains gainRange[F]
	sums  step32.Sums // in assembly
	// The terms of coordinates k and Lanes + k of a group are added and go to lane k.
	drift [step32.Lanes]F // Σ of squares
	bad   bool
}

// elementwise is the Kernel of the optimisers with a displacer: one evaluation, then one pass over memory in pieces
// that several cores can share. Products are rounded before anything is added to them, so that all machines agree.
type elementwise[F sampler.Float] struct {
	step32.Pieces
	rule   displacer[F]
	own    int              // vectors in State.Own, at most one
	lambda int              // the place of λ among the numbers, where G is 1/(λ+√V)
	vector step32.Displacer // of the rule
	table  step32.Numbers

	// Of the step in work, or else of the newest.
	s       *sampler.State[F]
	e       *sampler.Eval[F]
	n       F // N
	prior   F // 1/σ²
	numbers numbers[F]
	scale   F

	steps []pieceStep[F]
	piece func(worker, i int) // made once: a method value is allocated
	// gains, if not nil, is where the displacer writes G, or what G is made of.
	// scratch, if not nil, takes the place of a vector of State.Own.
	gains, scratch []F
}

func newElementwise[F sampler.Float](dim int, rule displacer[F], own, lambda int,
	vector step32.Displacer) *elementwise[F] {
	k := &elementwise[F]{Pieces: step32.NewPieces(dim), rule: rule, own: own, lambda: lambda, vector: vector}
	k.steps = make([]pieceStep[F], k.Count())
	k.piece = func(_, i int) { k.step(i) }
	return k
}

func (k *elementwise[F]) Begin(s *sampler.State[F], _ *sampler.Params) {
	s.Own = nil
	for range k.own {
		s.Own = append(s.Own, sampler.Vector[F](len(s.Theta)))
	}
}

func (k *elementwise[F]) Step(s *sampler.State[F], grad sampler.Gradient[F], p *sampler.Params, _ *noise.Normals[F],
	i *sampler.Info) {
	k.s, k.e = s, grad.Eval(s.Theta, 0)
	k.n, k.prior = F(p.N), F(p.PriorPrec)
	k.scale = k.rule.begin(&k.numbers, s, k.e, p)
	if _, ok := any(k.n).(float32); ok { // else there is no assembly
		k.table[0], k.table[1] = step32.Eight(float32(k.n)), step32.Eight(float32(k.prior))
		for j, x := range k.numbers {
			k.table[2+j] = step32.Eight(float32(x))
		}
	}
	k.Do(k.piece)
	gains, drift2, ok := emptyRange[F](), 0.0, true
	for j := range k.steps { // in order
		o := &k.steps[j]
		gains.count(o.gains.least)
		gains.count(o.gains.greatest)
		for q := range step32.Lanes {
			drift2 += float64(o.drift[q])
		}
		ok = ok && !o.bad
	}
	i.Drift2, i.OK = drift2, ok
	i.GMin, i.GMax = float64(k.scale*gains.least), float64(k.scale*gains.greatest)
	s.Step++
}

// step does piece i.
func (k *elementwise[F]) step(i int) {
	w, s := &k.steps[i], k.s
	from, to := k.Bounds(i)
	w.block = step32.Block[F]{Theta: s.Theta[from:to], Mean: k.e.Mean[from:to], V: s.V[from:to],
		Second: k.e.Second[from:to]}
	if k.own > 0 {
		w.block.Own = s.Own[0][from:to]
	}
	if k.scratch != nil {
		w.block.Own = k.scratch[from:to]
	}
	if k.gains != nil {
		w.block.Gain = k.gains[from:to]
	}
	w.gains, w.bad = emptyRange[F](), false
	w.drift = [step32.Lanes]F{}
	k.assembled(w)
	for len(w.block.Theta) > 0 {
		k.group(w)
		w.block.Skip(min(noise.Group, len(w.block.Theta)))
	}
}

// assembled does the whole groups of a piece's block in assembly, where the machine
// has any, and leaves the rest of the block.
func (k *elementwise[F]) assembled(w *pieceStep[F]) {
	c, ok := any(&w.block).(*step32.Block[float32])
	if !ok {
		return
	}
	w.sums.Clear()
	n := step32.Displace(k.Path(), k.vector, c, &k.table, &w.sums)
	if n == 0 {
		return
	}
	t := w.sums.Total()
	w.gains.count(F(t.Least))
	w.gains.count(F(t.Greatest))
	w.bad = w.bad || !(t.Farthest < sampler.Limit)
	for q := range step32.Lanes {
		w.drift[q] = F(w.sums.Drift[q])
	}
	w.block.Skip(n)
}

// group does the first group of a piece's block, which may be incomplete.
func (k *elementwise[F]) group(w *pieceStep[F]) {
	theta := w.block.Theta[:min(noise.Group, len(w.block.Theta))]
	mean, u := w.block.Mean[:len(theta)], w.u[:len(theta)]
	var drift [noise.Group]F
	for j, x := range theta {
		u[j] = F(k.n*mean[j]) - F(k.prior*x)
	}
	k.rule.displace(&k.numbers, u, &w.block, &w.gains)
	for j, d := range u {
		drift[j] = F(d * d)
		x := theta[j] + d
		theta[j] = x
		if !(x < sampler.Limit && x > -sampler.Limit) { // also for NaN
			w.bad = true
		}
	}
	for q := range step32.Lanes {
		w.drift[q] += drift[q] + drift[step32.Lanes+q]
	}
}

func (k *elementwise[F]) GainAt(i int) F {
	switch {
	case k.gains != nil:
		return k.gains[i]
	case k.s == nil || k.lambda == noLambda:
		return 1
	}
	return k.scale * (1 / (k.numbers[k.lambda] + sqrt(k.s.V[i])))
}

func sqrt[F sampler.Float](x F) F { return F(math.Sqrt(float64(x))) }
