package variational

import (
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// BBB is Bayes by Backprop with the prior N(0, σ²); see meanField.
var BBB = sampler.Method{
	Name:  "bbb",
	Title: "BBB",
	Doc:   "Bayes by Backprop: a normal q of independent parameters, fitted by gradients at draws of it",
	Equation: "w = μ + σ∘z, σ = ln(1+e^ρ), L = Σ log p(d|w) + E_q log p(w) + T H(q), (μ, ρ)' = (μ, ρ) + h G ∇L/N, " +
		"h = εN/2",
	Source: "Blundell, Cornebise, Kavukcuoglu & Wierstra 2015, Weight uncertainty in neural networks, section 3.2",
	Kind:   sampler.Variational,
	Params: meanFieldParams(),
	New64:  func(t targets.Target[float64]) sampler.Kernel[float64] { return newMeanField(t.Dim(), bbbPrior) },
	New32:  func(t targets.Target[float32]) sampler.Kernel[float32] { return newMeanField32(t.Dim(), bbbPrior) },
	Unfit:  unfitMeanField,
	Suit:   suitMeanField(5e-4, 1),
}

func bbbPrior(p *sampler.Params) weightPrior { return normalPrior(p.PriorPrec) }

// suitMeanField is Suit of the methods with meanField. On networks q starts narrower
// than the weights' spread, T is 1, and predictions average q over the last epochs.
func suitMeanField(network, ratio float64) func(p *targets.Problem, values map[string]float64) {
	lr := sampler.LearningRates{Network: network, Data: 0.01, Density: 0.01}.Suit
	return func(p *targets.Problem, values map[string]float64) {
		lr(p, values)
		if p.F32 != nil {
			values["sd0"], values["ratio"], values["average"] = 0.02, ratio, 6000
			values[sampler.KeyTemp] = 1
		}
	}
}
