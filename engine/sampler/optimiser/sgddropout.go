package optimiser

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of sgd-dropout.
const (
	dropoutInput = iota
	dropoutHidden
	dropoutMomentum
	dropoutMaxNorm
)

// SGDDropout is SGD on networks of which each step drops units at random (Srivastava, Hinton, Krizhevsky, Sutskever and
// Salakhutdinov 2014): the step of SGD with the gradient of the thinned network. A unit is kept with a probability and
// then divided by it, so that the full network predicts with θ as it is. The source instead multiplies the weights by
// the probability when it predicts, which is the same. Its max-norm (section 5.1) scales the weights into a unit down
// to a norm c after a step.
var SGDDropout = sampler.Method{
	Name:     "sgd-dropout",
	Plain:    true,
	Title:    "SGD, dropout",
	Doc:      "SGD that drops units of the network at random",
	Equation: "v' = μ v + h (ḡ(dropped) - θ/(Nσ²)), θ' = θ + v', ‖w‖ ≤ c for each unit's weights w, h = εN/2",
	Source:   "Srivastava, Hinton, Krizhevsky, Sutskever & Salakhutdinov 2014, Dropout, section 5",
	Kind:     sampler.Optimising,
	Params: []param.Param{
		dropoutInput: {Key: "keep-input", Symbol: "p in", Doc: "probability with which an input is kept",
			Scale: param.Linear, Min: 0, OpenMin: true, Max: 1, Lo: 0.05, Hi: 1, Default: 0.8},
		dropoutHidden: {Key: "keep-hidden", Symbol: "p hid", Doc: "probability with which a hidden unit is kept",
			Scale: param.Linear, Min: 0, OpenMin: true, Max: 1, Lo: 0.05, Hi: 1, Default: 0.5},
		dropoutMomentum: momentumParam(),
		dropoutMaxNorm: {Key: "max-norm", Symbol: "c", Doc: "largest norm of the weights into a unit, 0 for any",
			Scale: param.Log, Min: 0, Max: math.Inf(1), Lo: 0.1, Hi: 100, NeedsLayers: true},
	},
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] {
		return newDropout(t, sampler.NewLangevin64(nil))
	},
	New32: func(t targets.Target[float32]) sampler.Kernel[float32] {
		return newDropout(t, sampler.NewLangevin32(t.Dim(), nil))
	},
	Unfit: func(p *targets.Problem) string {
		switch p.Impl().(type) {
		case targets.Stochastic[float32], targets.Stochastic[float64]:
			return ""
		}
		return "needs a network, of which units can be dropped"
	},
}

// dropout is the Kernel of sgdDropout: SGD's, with another gradient.
type dropout[F sampler.Float] struct {
	*heavyBall[F]
	dropped dropoutGradient[F]
	layers  []targets.Layer // of which the norms are bounded
	norms   []F
}

func newDropout[F sampler.Float](t targets.Target[F], still sampler.Kernel[F]) *dropout[F] {
	k := &dropout[F]{heavyBall: newHeavyBall(t.Dim(), dropoutMomentum, still, sgdRule[F]{at: dropoutMomentum}, noLambda,
		step32.HeavyBall)}
	widest := 0
	if t, ok := t.(targets.Layered); ok {
		for _, l := range t.Layers() {
			if l.Rows > 1 {
				k.layers = append(k.layers, l)
				widest = max(widest, l.Cols)
			}
		}
	}
	k.norms = make([]F, widest)
	return k
}

func (k *dropout[F]) Step(s *sampler.State[F], grad sampler.Gradient[F], p *sampler.Params, z *noise.Normals[F],
	i *sampler.Info) {
	k.dropped = dropoutGradient[F]{grad, targets.Keep{Input: p.Own[dropoutInput], Hidden: p.Own[dropoutHidden]}}
	k.heavyBall.Step(s, &k.dropped, p, z, i)
	if c := p.Own[dropoutMaxNorm]; c > 0 {
		k.bound(s.Theta, F(c))
	}
}

// bound scales the weights into each unit, a column, down to norm c. It bounds the
// output layer's too, which the source leaves alone.
func (k *dropout[F]) bound(theta []F, c F) {
	for _, l := range k.layers {
		w, norms := theta[l.From:l.To], k.norms[:l.Cols]
		clear(norms)
		for r := 0; r < len(w); r += l.Cols {
			for j, x := range w[r:][:l.Cols] {
				norms[j] += F(x * x)
			}
		}
		over := false
		for j, n := range norms {
			norms[j] = 1
			if n > c*c {
				norms[j], over = c/sqrt(n), true
			}
		}
		for r := 0; r < len(w) && over; r += l.Cols {
			row := w[r:][:l.Cols]
			for j, f := range norms {
				row[j] *= f
			}
		}
	}
}

// dropoutGradient is a Gradient that drops units.
type dropoutGradient[F sampler.Float] struct {
	sampler.Gradient[F]
	keep targets.Keep
}

func (t *dropoutGradient[F]) Eval(theta []F, _ sampler.Ask) *sampler.Eval[F] {
	return t.Dropout(theta, t.keep)
}
