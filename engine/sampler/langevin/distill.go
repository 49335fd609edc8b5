package langevin

import (
	"math"
	"slices"

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

// OfStudents begins the names of distilled methods.
const OfStudents = "distill:"

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
	d.Name = OfStudents + m.Name
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
			Doc: "standard deviation of the noise on the student's inputs, in units of an input, of pixels after " +
				"division",
			Scale: param.Log, Min: 0, Max: 100, Lo: 1e-3, Hi: 10, Default: 0.4},
		studentAverage: sampler.AverageParam("student-average",
			"over how many steps the student that predicts is averaged, or never for the newest"),
	}...)
	d.New64 = func(t targets.Target[float64]) sampler.Kernel[float64] {
		return newStudent(t.Dim(), own, m.New64(t), plainly)
	}
	d.New32 = func(t targets.Target[float32]) sampler.Kernel[float32] {
		f := newFused(t.Dim())
		k := newStudent(t.Dim(), own, m.New32(t), f.move)
		k.pieces = &f.Pieces
		return k
	}
	d.StationaryCov = nil
	d.Unfit = func(p *targets.Problem) string {
		switch p.Impl().(type) {
		case targets.Distiller[float32], targets.Distiller[float64]:
			if m.Unfit != nil {
				return m.Unfit(p)
			}
			return ""
		}
		return "needs a network, for teacher and student"
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
type student[F sampler.Float] struct {
	sampler.Kernel[F]     // the teacher's
	params            int // how many own ones the teacher has

	grad   []F
	stream noise.Stream // of the step: a local one would be allocated, for its interface
	move   mover[F]
	pieces *step32.Pieces // of a step that is spread; nil for none
}

// A mover moves w and S by a gradient with the values of the student's parameters, and w̄ towards w by a share.
// It reports whether w is usable.
type mover[F sampler.Float] func(own [][]F, grad []F, share F, q []float64) (ok bool)

func newStudent[F sampler.Float](dim, params int, teacher sampler.Kernel[F], move mover[F]) *student[F] {
	return &student[F]{Kernel: teacher, params: params, grad: sampler.Vector[F](dim), move: move}
}

func (k *student[F]) Begin(s *sampler.State[F], p *sampler.Params) {
	s.Own = nil
	if t, ok := k.Kernel.(sampler.Beginner[F]); ok {
		t.Begin(s, p)
	}
	for i := range numStudent {
		n := len(s.Theta)
		if i == studentCount {
			n = 1
		}
		s.Own = append(s.Own, sampler.Vector[F](n))
	}
	_, own := splitOwn(s)
	copy(own[studentW], s.Theta)
	copy(own[studentMean], s.Theta)
}

// splitOwn returns the teacher's vectors and the student's.
func splitOwn[F sampler.Float](s *sampler.State[F]) (teacher, student [][]F) {
	n := len(s.Own) - numStudent
	return s.Own[:n:n], s.Own[n:]
}

func (k *student[F]) Spread(each func(n int, task func(worker, i int))) {
	if k.pieces != nil {
		k.pieces.Spread(each)
	}
	if t, ok := k.Kernel.(sampler.Parallel); ok {
		t.Spread(each)
	}
}

// Learnt reports whether the student has made a step.
func (*student[F]) Learnt(s *sampler.State[F]) bool {
	_, own := splitOwn(s)
	return own[studentCount][0] > 0
}

func (*student[F]) Proxies(*sampler.Params) int { return 1 }

// Proxy implements Proxy: the student, averaged.
func (*student[F]) Proxy(dst []F, s *sampler.State[F], _ int, _ []F) {
	_, own := splitOwn(s)
	copy(dst, own[studentMean])
}

func (k *student[F]) Step(s *sampler.State[F], g sampler.Gradient[F], p *sampler.Params, z *noise.Normals[F],
	i *sampler.Info) {
	all := s.Own
	teacher, own := splitOwn(s)
	s.Own = teacher
	k.Kernel.Step(s, g, p, z, i)
	s.Own = all
	if q := p.Own[k.params:]; i.OK && !i.Skip && float64(s.Step) > q[studentFrom] {
		i.OK = k.learn(own, s, g, q, z.Stream())
	}
}

// learn does the student's step.
func (k *student[F]) learn(own [][]F, s *sampler.State[F], g sampler.Gradient[F], q []float64, of noise.Stream) bool {
	w := own[studentW]
	k.stream = of.Of(noise.Student).At(s.Step)
	g.Target().(targets.Distiller[F]).GradDistill(k.grad, w, s.Theta, g.Batch(), &k.stream, q[studentJitter])
	own[studentCount][0]++ // in float32 it stays at 2²⁴
	return k.move(own, k.grad, F(sampler.AverageShare(q[studentAverage], float64(own[studentCount][0]), s.Step)), q)
}

// plainly is the mover in float64.
func plainly(own [][]float64, grad []float64, share float64, q []float64) bool {
	w, s := own[studentW], own[studentS]
	farthest := 0.0
	for i, g := range grad {
		s[i] = float64(studentAlpha*s[i]) + float64((1-studentAlpha)*float64(g*g))
		w[i] += q[studentLR] * (g - float64(q[studentDecay]*w[i])) / (studentLambda + math.Sqrt(s[i]))
		farthest = max(farthest, math.Abs(w[i])) // NaN stays
	}
	if share > 0 {
		sampler.Follow(own[studentMean], w, share)
	}
	return farthest < sampler.Limit
}

// fused is the mover of many weights.
type fused struct {
	step32.Pieces
	rule    step32.Langevin
	vectors step32.Segment
	mean    []float32           // w̄
	share   float32             // of w in it
	ok      []bool              // of pieces
	piece   func(worker, i int) // made once: a method value is allocated
}

func newFused(dim int) *fused {
	f := &fused{Pieces: step32.NewPieces(dim)}
	f.ok = make([]bool, f.Count())
	f.piece = func(_, i int) { f.step(i) }
	return f
}

func (f *fused) move(own [][]float32, grad []float32, share float32, q []float64) bool {
	f.mean, f.share = own[studentMean], share
	f.vectors = step32.Segment{Theta: own[studentW], V: own[studentS], Mean: grad, Second: grad}
	f.rule = step32.Langevin{
		Alpha: step32.Eight(studentAlpha), Beta: step32.Eight(1 - studentAlpha), Lambda: step32.Eight(studentLambda),
		N: step32.Eight(1), Prior: step32.Eight(float32(q[studentDecay])), Half: step32.Eight(float32(q[studentLR])),
	}
	f.Do(f.piece)
	return !slices.Contains(f.ok, false)
}

// step does piece i.
func (f *fused) step(i int) {
	c := f.vectors.Between(f.Bounds(i))
	var s step32.Sums
	s.Clear()
	f.rule.Step(f.Path(), c, &s, nil)
	f.ok[i] = s.Total().Farthest < sampler.Limit
	if f.share > 0 {
		sampler.Follow(f.mean[c.From:][:len(c.Theta)], c.Theta, f.share)
	}
}
