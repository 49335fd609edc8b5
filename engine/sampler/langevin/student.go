package langevin

import (
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
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

// student is the kernel of a distilled method: a step of the teacher, and then one of the student.
type student struct {
	sampler.Kernel[float32]     // the teacher's
	params                  int // how many own ones the teacher has

	step32.Pieces
	grad    []float32
	stream  noise.Stream // of the step: a local one would be allocated, for its interface
	rule    step32.Langevin
	vectors step32.Segment
	mean    []float32           // w̄
	share   float32             // of w in it
	ok      []bool              // of pieces
	piece   func(worker, i int) // made once: a method value is allocated
}

func newStudent(dim, params int, teacher sampler.Kernel[float32]) *student {
	k := &student{Kernel: teacher, params: params, Pieces: step32.NewPieces(dim), grad: sampler.Vector[float32](dim)}
	k.ok = make([]bool, k.Count())
	k.piece = func(_, i int) { k.step(i) }
	return k
}

// Begin implements Beginner.
func (k *student) Begin(s *sampler.State[float32], p *sampler.Params) {
	s.Own = nil
	if t, ok := k.Kernel.(sampler.Beginner[float32]); ok {
		t.Begin(s, p)
	}
	for i := range numStudent {
		n := len(s.Theta)
		if i == studentCount {
			n = 1
		}
		s.Own = append(s.Own, sampler.Vector[float32](n))
	}
	_, own := splitOwn(s)
	copy(own[studentW], s.Theta)
	copy(own[studentMean], s.Theta)
}

// splitOwn returns the teacher's vectors and the student's.
func splitOwn(s *sampler.State[float32]) (teacher, student [][]float32) {
	n := len(s.Own) - numStudent
	return s.Own[:n:n], s.Own[n:]
}

// Spread implements Parallel.
func (k *student) Spread(each func(n int, task func(worker, i int))) {
	k.Pieces.Spread(each)
	if t, ok := k.Kernel.(sampler.Parallel); ok {
		t.Spread(each)
	}
}

// Learnt reports whether the student has made a step.
func (*student) Learnt(s *sampler.State[float32]) bool {
	_, own := splitOwn(s)
	return own[studentCount][0] > 0
}

// Proxies implements Proxy.
func (*student) Proxies(*sampler.Params) int { return 1 }

// Proxy implements Proxy: the student, averaged.
func (*student) Proxy(dst []float32, s *sampler.State[float32], _ int, _ []float32) {
	_, own := splitOwn(s)
	copy(dst, own[studentMean])
}

// Step implements Kernel.
func (k *student) Step(s *sampler.State[float32], g sampler.Gradient[float32], p *sampler.Params,
	z *noise.Normals[float32], i *sampler.Info) {
	all := s.Own
	teacher, own := splitOwn(s)
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
func (k *student) learn(own [][]float32, s *sampler.State[float32], g sampler.Gradient[float32], q []float64,
	of noise.Stream) {
	w := own[studentW]
	k.stream = of.Of(noise.Student).At(s.Step)
	g.Target().(targets.Distiller[float32]).GradDistill(k.grad, w, s.Theta, g.Batch(), &k.stream, q[studentJitter])
	own[studentCount][0]++ // in float32 it stays at 2²⁴
	k.mean, k.share = own[studentMean],
		float32(sampler.AverageShare(q[studentAverage], float64(own[studentCount][0]), s.Step))
	k.vectors = step32.Segment{Theta: w, V: own[studentS], Mean: k.grad, Second: k.grad}
	k.rule = step32.Langevin{
		Alpha: step32.Eight(studentAlpha), Beta: step32.Eight(1 - studentAlpha), Lambda: step32.Eight(studentLambda),
		N: step32.Eight(1), Prior: step32.Eight(float32(q[studentDecay])), Half: step32.Eight(float32(q[studentLR])),
	}
	k.Do(k.piece)
}

// step does piece i.
func (k *student) step(i int) {
	c := k.vectors.Between(k.Bounds(i))
	var s step32.Sums
	s.Clear()
	k.rule.Step(k.Path(), c, &s, nil)
	k.ok[i] = s.Total().Farthest < sampler.Limit
	if k.share > 0 {
		sampler.Follow(k.mean[c.From:][:len(c.Theta)], c.Theta, k.share)
	}
}
