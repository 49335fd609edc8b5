package sampler

import (
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/targets"
)

// The vectors of State.Own that follow the teacher's.
const (
	studentW = iota
	studentS
	studentMean  // w̄
	studentCount // one number: the student's steps
	numStudent
)

// RMSprop's numbers for a student.
const (
	studentAlpha  = 0.99
	studentLambda = 1e-5
)

// student is the kernel of a distilled method: the teacher's, and after each of its
// steps one of the student.
type student struct {
	Kernel[float32]     // the teacher's
	params          int // how many own ones the teacher has

	path   string
	grad   []float32
	stream noise.Stream // of the step: in here, as an interface to it would be allocated
	rule   rule
	whole  stretch
	mean   []float32 // w̄
	share  float32   // of w in it
	ok     []bool    // of pieces
	each   func(n int, task func(worker, i int))
	piece  func(worker, i int) // made once: a method value is allocated
}

func newStudent(dim, params int, teacher Kernel[float32]) *student {
	k := &student{
		Kernel: teacher, params: params,
		path: noise.Path(), grad: Vector[float32](dim), ok: make([]bool, (dim+pieceSize-1)/pieceSize),
	}
	k.piece = func(_, i int) { k.step(i) }
	return k
}

// Begin implements Beginner.
func (k *student) Begin(s *State[float32], p *Params) {
	s.Own = nil
	if t, ok := k.Kernel.(Beginner[float32]); ok {
		t.Begin(s, p)
	}
	for i := range numStudent {
		n := len(s.Theta)
		if i == studentCount {
			n = 1
		}
		s.Own = append(s.Own, Vector[float32](n))
	}
	_, own := apart(s)
	copy(own[studentW], s.Theta)
	copy(own[studentMean], s.Theta)
}

// apart returns the teacher's vectors and the student's.
func apart(s *State[float32]) (teacher, student [][]float32) {
	n := len(s.Own) - numStudent
	return s.Own[:n:n], s.Own[n:]
}

// Spread implements Parallel.
func (k *student) Spread(each func(n int, task func(worker, i int))) {
	k.each = each
	if t, ok := k.Kernel.(Parallel); ok {
		t.Spread(each)
	}
}

// Proxies implements Proxy.
func (*student) Proxies(*Params) int { return 1 }

// Proxy implements Proxy: the student, averaged.
func (*student) Proxy(dst []float32, s *State[float32], _ []float32) {
	_, own := apart(s)
	copy(dst, own[studentMean])
}

// Step implements Kernel.
func (k *student) Step(s *State[float32], g Gradient[float32], p *Params, z *noise.Normals[float32], i *Info) {
	all := s.Own
	teacher, own := apart(s)
	s.Own = teacher
	k.Kernel.Step(s, g, p, z, i)
	s.Own = all
	if q := p.Own[k.params:]; i.OK && !i.Skip && float64(s.Step) > q[studentFrom] {
		k.learn(own, s, g, q, z.Stream())
		for _, ok := range k.ok {
			i.OK = i.OK && ok
		}
	}
}

// learn does the student's step.
func (k *student) learn(own [][]float32, s *State[float32], g Gradient[float32], q []float64, of noise.Stream) {
	w := own[studentW]
	k.stream = of.Of(noise.Student).At(s.Step)
	g.Target().(targets.Distiller[float32]).GradDistill(k.grad, w, s.Theta, g.Batch(), &k.stream, q[studentJitter])
	own[studentCount][0]++ // in float32 it stays at 2²⁴
	k.mean, k.share = own[studentMean], float32(averageShare(q[studentAverage], float64(own[studentCount][0]), s.Step))
	k.whole = stretch{theta: w, v: own[studentS], mean: k.grad, second: k.grad}
	k.rule = rule{
		alpha: eight(studentAlpha), beta: eight(1 - studentAlpha), lambda: eight(studentLambda),
		n: eight(1), prior: eight(float32(q[studentDecay])), half: eight(float32(q[studentLR])),
	}
	if k.each != nil && len(k.ok) > 1 {
		k.each(len(k.ok), k.piece)
		return
	}
	for j := range k.ok {
		k.step(j)
	}
}

// step does piece i.
func (k *student) step(i int) {
	_, c := k.whole.split(i * pieceSize)
	c, _ = c.split(min(pieceSize, len(c.theta)))
	var s sums
	s.clear()
	move(k.path, c, &k.rule, &s, nil)
	k.ok[i] = s.total().ok
	if k.share > 0 {
		from := i * pieceSize
		follow(k.mean[from:from+len(c.theta)], c.theta, k.share)
	}
}
