package langevin

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of a distilled method, after the teacher's.
const (
	studentLR = iota
	studentDecay
	studentFrom
	studentJitter
	studentAverage
)

// Distilled returns Bayesian dark knowledge with a sampler m of networks (Korattikara, Rathod, Murphy and Welling 2015,
// algorithm 1). A student network of the same shape, with parameters w, is fitted on-line to the averaged prediction of
// the draws of m, the teacher. After each step of the teacher
//
//	L = (1/n) Σ_{i∈batch} Σ_c p(c | x_i', θ_{t+1}) log p(c | x_i', w),  x' = x + jitter·N(0, I),
//	S = α S + (1-α) ∇L ∘ ∇L,  w' = w + ρ (∇L - γ w) ⊘ (λ + √S).
//
// The source's step is plain, ρ (∇L - γ w); here it is RMSprop's, with α = 0.99 and λ = 10⁻⁵. The minibatch is that of
// the teacher's next step, which the teacher has not seen.
//
// w begins where the teacher begins; the source gives it weights of its own. It moves after step "student-from", when
// the teacher has burnt in, but not where a cyclic teacher explores. The teacher's path is that of m, to the bit. θ are
// the teacher's draws. The predictions are the student's, with w averaged over its newest steps (sampler.AverageShare),
// where the source lowers ρ instead.
func Distilled(m sampler.Method) sampler.Method {
	own := len(m.Params)
	d := m
	d.Name = "distill:" + m.Name
	d.Title = "distilled " + m.Title
	d.Doc = "a student network fitted to the averaged prediction of " + m.Title
	d.Equation = "w' = w + ρ G_w (∇_w (1/n) Σ p(c|x',θ) log p(c|x',w) - γ w), x' = x + jitter N(0, 1); " + m.Equation
	d.Source = "Korattikara, Rathod, Murphy & Welling 2015, Bayesian dark knowledge, algorithm 1; " + m.Source
	d.Params = append(append([]param.Param{}, m.Params...), []param.Param{
		studentLR: {Key: "student-lr", Symbol: "ρ", Doc: "the student's learning rate", Scale: param.Log, Min: 0,
			Max: math.Inf(1), Lo: 1e-6, Hi: 0.1, Default: 5e-4},
		studentDecay: {Key: "student-decay", Symbol: "γ", Doc: "the student's weight decay", Scale: param.Log, Min: 0,
			Max: math.Inf(1), Lo: 1e-8, Hi: 0.01, Default: 1e-5},
		studentFrom: {Key: "student-from", Symbol: "from", Doc: "steps of the teacher before the student learns",
			Scale: param.Integer, Min: 0, Max: param.MaxInteger, Lo: 0, Hi: 1e6, Default: 600},
		studentJitter: {Key: "jitter", Symbol: "jitter",
			Doc:   "standard deviation of the noise on the student's inputs, in units of a pixel after division",
			Scale: param.Log, Min: 0, Max: 100, Lo: 1e-3, Hi: 10, Default: 0.4},
		studentAverage: sampler.AverageParam("student-average",
			"over how many steps the student that predicts is averaged, or never for the newest"),
	}...)
	d.New64 = nil
	d.New32 = func(t targets.Target[float32]) sampler.Kernel[float32] { return newStudent(t.Dim(), own, m.New32(t)) }
	d.StationaryCov = nil
	d.Unfit = func(p *targets.Problem) string {
		switch _, ok := p.F32.(targets.Distiller[float32]); {
		case !ok:
			return "needs a network, for teacher and student"
		case m.Unfit != nil:
			return m.Unfit(p)
		}
		return ""
	}
	return d
}

// CanDistil reports whether a method is a sampler of networks whose every step moves.
func CanDistil(m sampler.Method) bool {
	return m.Kind == sampler.Sampling && m.New32 != nil && !m.Metropolis
}

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
