package optimiser

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of rmsspectral.
const (
	spectralAlpha = iota
	spectralLambda
	spectralRank
	spectralV0
)

// spectralRankMax bounds the rank. The time of a decomposition grows with its cube.
const spectralRankMax = 128

// RMSspectral is RMSspectral (Carlson, Collins, Hsieh, Carin and Cevher 2015): for each matrix of weights W, of a
// convolution with kernel × kernel × in rows and out columns,
//
//	V = α V + (1-α) ḡ ∘ ḡ,  D = λ + √V,
//	W' = W + h (X♯ ⊘ √D),  X = (ḡ - W/(Nσ²)) ⊘ √D,  h = εN/2,
//
// with the sharp operator X♯ = ‖σ‖₁ UVᵀ of X = U diag(σ) Vᵀ, which sharpOperator approximates by the first "rank"
// singular values. Biases take RMSprop's step, X ⊘ √D. As in RMSprop the prior has no part in V, and G is 1 ⊘ D. The
// defaults of α and rank are those of the authors' released code, which starts V at 1.
var RMSspectral = sampler.Method{
	Name:     "rmsspectral",
	Title:    "RMSspectral",
	Doc:      "RMSprop with steps in the spectral norm of each layer's matrix",
	Equation: "V = α V + (1-α) ḡ², D = λ+√V, X = (ḡ - θ/(Nσ²))/√D = U diag(σ) Vᵀ, θ' = θ + h ‖σ‖₁ UVᵀ/√D, h = εN/2",
	Source:   "Carlson, Collins, Hsieh, Carin & Cevher 2015, Preconditioned spectral descent for deep learning",
	Kind:     sampler.Optimising,
	Params: []param.Param{
		spectralAlpha: RMSprop.Params[rmspropAlpha],
		spectralLambda: {Key: "lambda", Symbol: "λ", Doc: "floor of √V + λ, which bounds G by 1/λ", Scale: param.Log,
			Min: 0, OpenMin: true, Max: math.Inf(1), Lo: 1e-8, Hi: 10, Default: 0.01},
		spectralRank: {Key: "rank", Symbol: "rank", Doc: "how many singular values are known one by one",
			Scale: param.Integer, Min: 1, Max: spectralRankMax, Lo: 1, Hi: spectralRankMax, Default: 30},
		spectralV0: {Key: "v0", Symbol: "V₀", Doc: "the second moment's start: zero, or the first gradient squared",
			Scale: param.Choice, Choices: []string{"zero", "first"}, Default: 1, AtStart: true},
	},
	New32: func(t targets.Target[float32]) sampler.Kernel[float32] { return newSpectral(t) },
	Unfit: func(p *targets.Problem) string {
		t, ok := p.Impl().(targets.Layered)
		_, multiplies := p.Impl().(targets.Multiplier)
		if ok && multiplies && slices.ContainsFunc(t.Layers(), isMatrix) {
			return ""
		}
		return "needs a network, whose weights are matrices"
	},
	Suit: func(p *targets.Problem, values map[string]float64) {
		sampler.LearningRates{Network: 5e-4}.Suit(p, values)
		// UVᵀ goes as far along the minibatch's noise as along any other direction, and is
		// used with larger minibatches (Li et al. 2016, section 5.3, footnote).
		values[sampler.KeyBatch] = float64(min(1000, p.N()))
	},
}

// isMatrix reports whether a layer is a matrix of weights.
func isMatrix(l targets.Layer) bool { return l.Rows > 1 && l.Cols > 1 }

// spectral is the Kernel of rmsspectral.
type spectral struct {
	white   *elementwise[float32] // the pass to X
	x, root []float32             // X and 1/√D
	layers  []targets.Layer       // all of them
	p       []float32             // of X♯ = P + cX, of one layer
	sharp   *sharpOperator        // of a rank, made when first needed
	rank    int
	normals []float32

	s     *sampler.State[float32]
	of    targets.Layer
	c     float32
	h     float32
	sums  []pieceSum // of the pieces of a layer
	moves step32.Pieces
	piece func(worker, i int)
}

type pieceSum struct {
	drift float64
	bad   bool
}

func newSpectral(t targets.Target[float32]) *spectral {
	k := &spectral{x: sampler.Vector[float32](t.Dim()), root: sampler.Vector[float32](t.Dim())}
	k.white = newElementwise(t.Dim(), whitening{}, 0, noLambda, step32.Whitening)
	k.white.scratch, k.white.gains = k.x, k.root
	for i := range k.root {
		k.root[i] = 1
	}
	k.layers = []targets.Layer{{To: t.Dim(), Rows: 1, Cols: t.Dim()}}
	if l, ok := t.(targets.Layered); ok {
		k.layers = l.Layers()
	}
	longest := slices.Max(list.Map(k.layers, func(l targets.Layer) int { return l.To - l.From }))
	k.moves = step32.NewPieces(longest)
	k.p, k.sums = make([]float32, longest), make([]pieceSum, k.moves.Count())
	k.piece = func(_, i int) { k.move(i) }
	return k
}

func (k *spectral) Spread(each func(n int, task func(worker, i int))) {
	k.moves.Spread(each)
	k.white.Spread(each)
}

// ranked allocates for decompositions of a rank.
func (k *spectral) ranked(rank int) {
	if k.rank == rank {
		return
	}
	rows, cols := 0, 0
	for _, l := range k.layers {
		if isMatrix(l) {
			rows, cols = max(rows, l.Rows), max(cols, l.Cols)
		}
	}
	k.rank, k.sharp = rank, newSharpOperator(rows, cols, rank)
	k.normals = make([]float32, k.sharp.normals(cols))
}

func (k *spectral) Step(s *sampler.State[float32], grad sampler.Gradient[float32], p *sampler.Params,
	z *noise.Normals[float32], i *sampler.Info) {
	k.ranked(int(p.Own[spectralRank]))
	noise.Fill(z.Stream().Of(noise.Accept).At(s.Step), k.normals)
	k.white.Step(s, grad, p, z, i)
	k.s, k.h = s, float32(p.Eps/2)
	i.Drift2, i.OK = 0, true
	for _, l := range k.layers {
		k.of, k.c = l, 1
		if isMatrix(l) {
			k.c = k.sharp.apply(grad.Target().(targets.Multiplier), k.p[:l.To-l.From], k.x[l.From:l.To], l.Rows,
				l.Cols, k.normals)
		} else {
			clear(k.p[:l.To-l.From])
		}
		n := step32.PieceCount(l.To - l.From)
		k.moves.DoSome(n, k.piece)
		for _, o := range k.sums[:n] { // in order
			i.Drift2 += o.drift
			i.OK = i.OK && !o.bad
		}
	}
}

// move does piece i of a layer's step, h (P + cX) ⊘ √D.
func (k *spectral) move(i int) {
	from, to := k.of.From+i*step32.PieceSize, min(k.of.From+(i+1)*step32.PieceSize, k.of.To)
	theta, x, root, p := k.s.Theta[from:to], k.x[from:to], k.root[from:to], k.p[from-k.of.From:][:to-from]
	var t pieceSum
	var drift float32
	for j, y := range theta {
		d := float32(k.h * root[j] * (p[j] + float32(k.c*x[j])))
		drift += float32(d * d)
		y += d
		theta[j] = y
		if !(y < sampler.Limit && y > -sampler.Limit) { // also for NaN
			t.bad = true
		}
		if j%noise.Group == noise.Group-1 {
			t.drift += float64(drift)
			drift = 0
		}
	}
	t.drift += float64(drift)
	k.sums[i] = t
}

func (k *spectral) GainAt(i int) float32 { return k.root[i] * k.root[i] }

// whitening is a displacer that moves nothing. It writes X to its scratch and 1/√D as
// gain. Its numbers are α, 1-α and λ.
type whitening struct{}

func (whitening) begin(q *numbers[float32], s *sampler.State[float32], e *sampler.Eval[float32],
	p *sampler.Params) (scale float32) {
	alpha := p.Own[spectralAlpha]
	q[0], q[1], q[2] = float32(alpha), float32(1-alpha), float32(p.Own[spectralLambda])
	if s.Step == 0 && p.Own[spectralV0] != 0 {
		for i, x := range e.Second {
			s.V[i] = x * x
		}
	}
	return 1
}

func (whitening) displace(q *numbers[float32], u []float32, c *step32.Block[float32], gains *gainRange[float32]) {
	alpha, beta, lambda := q[0], q[1], q[2]
	v, second, x, root := c.V[:len(u)], c.Second[:len(u)], c.Own[:len(u)], c.Gain[:len(u)]
	for i, e := range u {
		s := second[i]
		vi := float32(alpha*v[i]) + float32(float32(beta*s)*s)
		if vi < step32.Tiny {
			vi = 0
		}
		w := 1 / sqrt(lambda+sqrt(vi))
		gains.count(w * w)
		v[i], root[i], x[i] = vi, w, float32(e*w)
		u[i] = 0
	}
}
