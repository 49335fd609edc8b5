package sampler

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
)

// A displacer is what sets an optimiser apart that treats every coordinate by
// itself: how far a step goes, given the gradient of the log posterior.
type displacer[F Float] interface {
	// own is how many vectors it keeps in State.Own, at most one.
	own() int
	// begin reads the numbers of the step from s.Step on.
	begin(s *State[F], e *Eval[F], p *Params)
	// displace replaces u = N ḡ - θ/σ² by θ' - θ, advances c.v and c.own, and counts
	// the range of G/scale.
	displace(u []F, c *block[F], r *span[F])
	scale() F
	// gain is the G of a coordinate of the newest step.
	gain(s *State[F], i int) F
}

// A vectored displacer has its displace in assembly for float32, with the same
// bits.
type vectored interface {
	// numbers writes the numbers of the step in the assembly's order, which are read
	// after N and 1/σ².
	numbers(dst [][8]float32)
	vector() vector
}

// A block is neighbouring coordinates and what is known of them at their step.
type block[F Float] struct {
	theta, mean, v, second []F
	own                    []F // nil for a displacer without
	gain                   []F // where a displacer writes G that has it nowhere else; else nil
}

// span is a range of G.
type span[F Float] struct{ least, greatest F }

func everywhere[F Float]() span[F] { return span[F]{F(math.Inf(1)), 0} }

func (r *span[F]) count(g F) {
	if g < r.least {
		r.least = g
	}
	if g > r.greatest {
		r.greatest = g
	}
}

// share is the step of a piece: its scratch and what it did.
type share[F Float] struct {
	u     [noise.Group]F
	block block[F]
	span  span[F]
	sums  sums // in assembly
	// The terms of coordinates k and lanes + k of a group are added and go to lane k.
	drift, virial [lanes]F // Σ of squares and of θ·(-∇U)
	bad           bool
}

// elementwise is a Kernel for the optimisers of every displacer: one evaluation,
// then a pass over memory in pieces that several cores can share. Products are
// rounded before anything is added to them, so that all machines agree.
type elementwise[F Float] struct {
	rule   displacer[F]
	path   string
	vector vector // 0 without
	table  [tableSize][8]float32

	s      *State[F] // of the step in work or done
	e      *Eval[F]
	n      F // N
	prior  F // 1/σ²
	shares []share[F]
	each   func(n int, task func(worker, i int))
	piece  func(worker, i int) // made once: a method value is allocated
	g      []F
	// That a displacer writes; nil for others: G or what it is made of, and what is
	// to be had in place of a vector of State.Own.
	gains, scratch []F
}

func newElementwise[F Float](dim int, rule displacer[F]) *elementwise[F] {
	k := &elementwise[F]{rule: rule, path: noise.Path(), shares: make([]share[F], (dim+pieceSize-1)/pieceSize)}
	k.piece = func(_, i int) { k.step(i) }
	if v, ok := any(rule).(vectored); ok && tiny[F]() != 0 {
		k.vector = v.vector()
	}
	return k
}

// Begin implements Beginner.
func (k *elementwise[F]) Begin(s *State[F], _ *Params) {
	s.Own = nil
	for range k.rule.own() {
		s.Own = append(s.Own, Vector[F](len(s.Theta)))
	}
}

// Spread implements Parallel.
func (k *elementwise[F]) Spread(each func(n int, task func(worker, i int))) { k.each = each }

// Step implements Kernel.
func (k *elementwise[F]) Step(s *State[F], grad Gradient[F], p *Params, _ *noise.Normals[F], i *Info) {
	k.s, k.e = s, grad.Eval(s.Theta, 0)
	k.n, k.prior = F(p.N), F(p.PriorPrec)
	k.rule.begin(s, k.e, p)
	if k.vector != 0 {
		k.table[0], k.table[1] = eight(float32(k.n)), eight(float32(k.prior))
		any(k.rule).(vectored).numbers(k.table[2:])
	}
	if k.each != nil && len(k.shares) > 1 {
		k.each(len(k.shares), k.piece)
	} else {
		for j := range k.shares {
			k.step(j)
		}
	}
	reach, bad := everywhere[F](), false
	var drift, virial float64
	for j := range k.shares { // in order
		o := &k.shares[j]
		reach.count(o.span.least)
		reach.count(o.span.greatest)
		for q := range lanes {
			drift += float64(o.drift[q])
			virial += float64(o.virial[q])
		}
		bad = bad || o.bad
	}
	c := k.rule.scale()
	*i = Info{Drift2: drift, Virial: -virial, GMin: float64(c * reach.least), GMax: float64(c * reach.greatest), OK: !bad}
	s.Step++
}

// step does piece i.
func (k *elementwise[F]) step(i int) {
	w, s := &k.shares[i], k.s
	from, to := i*pieceSize, min((i+1)*pieceSize, len(s.Theta))
	w.block = block[F]{theta: s.Theta[from:to], mean: k.e.Mean[from:to], v: s.V[from:to], second: k.e.Second[from:to]}
	if k.rule.own() > 0 {
		w.block.own = s.Own[0][from:to]
	}
	if k.scratch != nil {
		w.block.own = k.scratch[from:to]
	}
	if k.gains != nil {
		w.block.gain = k.gains[from:to]
	}
	w.span, w.bad = everywhere[F](), false
	w.drift, w.virial = [lanes]F{}, [lanes]F{}
	if k.vector != 0 {
		k.assembled(w)
	}
	for len(w.block.theta) > 0 {
		k.group(w)
		w.block.skip(min(noise.Group, len(w.block.theta)))
	}
}

// skip leaves out the first n coordinates.
func (c *block[F]) skip(n int) {
	for _, x := range [...]*[]F{&c.theta, &c.mean, &c.v, &c.second, &c.own, &c.gain} {
		if *x != nil {
			*x = (*x)[n:]
		}
	}
}

// group does the first group of a share's block, of which there may be less.
func (k *elementwise[F]) group(w *share[F]) {
	theta := w.block.theta[:min(noise.Group, len(w.block.theta))]
	mean, u := w.block.mean[:len(theta)], w.u[:len(theta)]
	var drift, virial [noise.Group]F
	for j, x := range theta {
		u[j] = F(k.n*mean[j]) - F(k.prior*x)
		virial[j] = F(x * u[j])
	}
	k.rule.displace(u, &w.block, &w.span)
	for j, d := range u {
		drift[j] = F(d * d)
		x := theta[j] + d
		theta[j] = x
		if !(x < Limit && x > -Limit) { // also for NaN
			w.bad = true
		}
	}
	for q := range lanes {
		w.drift[q] += drift[q] + drift[lanes+q]
		w.virial[q] += virial[q] + virial[lanes+q]
	}
}

// Gain implements Kernel.
func (k *elementwise[F]) Gain() []F {
	if k.s == nil {
		return nil
	}
	if k.g == nil {
		k.g = Vector[F](len(k.s.Theta))
	}
	for i := range k.g {
		k.g[i] = k.rule.gain(k.s, i)
	}
	return k.g
}

// GainAt implements Kernel.
func (k *elementwise[F]) GainAt(i int) F {
	if k.s == nil {
		return 1
	}
	return k.rule.gain(k.s, i)
}
