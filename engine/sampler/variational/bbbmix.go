package variational

import (
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of bbb-mix, after those of meanFieldParams.
const (
	mixShare = numMeanField + iota
	mixSD1
	mixSD2
)

// BBBMix is Bayes by Backprop with the source's prior, a mixture of a wide and a
// narrow normal distribution (section 3.3); see meanField.
var BBBMix = sampler.Method{
	Name:     "bbb-mix",
	Title:    "BBB mix",
	Doc:      "Bayes by Backprop with a prior of two scales",
	Equation: "p(w) = π N(0, σ₁²) + (1-π) N(0, σ₂²); " + BBB.Equation,
	Source: "Blundell, Cornebise, Kavukcuoglu & Wierstra 2015, Weight uncertainty in neural networks, sections " +
		"3.2 and 3.3",
	Kind:    sampler.Variational,
	Without: []string{sampler.KeyPriorVar},
	Params: append(meanFieldParams(),
		param.Param{Key: "mix", Symbol: "π", Doc: "the first component's share of the prior", Scale: param.Linear,
			Min: 0, Max: 1, OpenMin: true, OpenMax: true, Lo: 0.05, Hi: 0.95, Default: 0.25},
		param.Param{Key: "sigma1", Symbol: "σ₁", Doc: "standard deviation of the prior's first component",
			Scale: param.Log, Min: 1e-6, Max: 1e6, Lo: 1e-4, Hi: 10, Default: 1},
		param.Param{Key: "sigma2", Symbol: "σ₂", Doc: "standard deviation of the prior's second component",
			Scale: param.Log, Min: 1e-6, Max: 1e6, Lo: 1e-4, Hi: 10, Default: 0.0025}),
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] { return newMeanField(t.Dim(), bbbMixPrior) },
	New32: func(t targets.Target[float32]) sampler.Kernel[float32] { return newMeanField32(t.Dim(), bbbMixPrior) },
	Unfit: func(p *targets.Problem) string {
		if !p.HasData() {
			return "needs a target with data, which its prior is for"
		}
		return unfitMeanField(p)
	},
	Suit: suitMeanField(1e-3, 0.1),
}

func bbbMixPrior(p *sampler.Params) weightPrior {
	return mixturePrior(p.Own[mixShare], p.Own[mixSD1], p.Own[mixSD2])
}
