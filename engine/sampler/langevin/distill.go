package langevin

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
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
