package network

import (
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/sampler"
)

// The names of the rows that findings compare.
const (
	rowPSGLD100  = "pSGLD (σ² = 100)"
	rowPSGLD1    = "pSGLD (σ² = 1)"
	rowDistilled = "distilled pSGLD"
	rowPSGLD     = "pSGLD"
	rowSGLD      = "SGLD"
	rowRMSprop   = "RMSprop"
	rowSGD       = "SGD"
)

// samplersBeatOptimisers is the claim of section 5.3.
const samplersBeatOptimisers = "samplers have lower test errors than the optimisers that they come from"

// table2 is the paper's table 2: MLPs 784-X-X-10 on MNIST.
func table2() *table {
	wide := []string{"400-400", "800-800", "1200-1200"}
	small := wide[:1]
	adaptive, plain := []float64{5e-4}, []float64{5e-1}
	const left = "a full run has it at 400-400 alone, for its time"
	return &table{
		family: "mlp", sizes: wide, epochs: 100, halve: 20, brief: brief{"100-100", 1800, 12},
		rows: []*row{
			{name: rowPSGLD100, sampler: "psgld", lr: adaptive, values: paper.Values{sampler.KeyPriorVar: 100}, printed: []float64{1.40, 1.26, 1.14}, papers: true, curve: rowPSGLD100},
			{name: rowPSGLD1, sampler: "psgld", lr: adaptive, values: paper.Values{sampler.KeyPriorVar: 1}, printed: []float64{1.45, 1.32, 1.24}, papers: true, curve: rowPSGLD},
			{name: rowDistilled, sampler: "distill:psgld", lr: adaptive, printed: []float64{1.44, 1.40, 1.41}, full: small, left: left},
			{name: rowSGLD, sampler: "sgld", lr: plain, printed: []float64{1.64, 1.41, 1.40}, papers: true, curve: rowSGLD},
			{name: rowRMSprop, sampler: "rmsprop", lr: adaptive, printed: []float64{1.59, 1.43, 1.39}, papers: true, curve: rowRMSprop},
			{name: "RMSspectral", sampler: "rmsspectral", printed: []float64{1.65, 1.56, 1.46}, full: small, left: left},
			{name: rowSGD, sampler: "sgd", lr: plain, printed: []float64{1.72, 1.47, 1.47}, papers: true, curve: rowSGD},
			{name: "BBB (Gaussian prior)", sampler: "bbb", printed: []float64{1.82, 1.99, 2.04}, quoted: true, full: small, left: left},
			{name: "BBB (scale mixture)", sampler: "bbb-mix", printed: []float64{1.32, 1.34, 1.32}, quoted: true, full: small, left: left},
			{name: "SGD with dropout", sampler: "sgd-dropout", printed: []float64{1.51, 1.33, 1.36}, quoted: true, full: small, left: left},
		},
		claims: []tableClaim{
			{says: samplersBeatOptimisers, authors: true, pairs: []rowPair{{rowPSGLD1, rowRMSprop}, {rowSGLD, rowSGD}}},
			{says: "distilled pSGLD maintains pSGLD's performance", authors: true, alike: true, pairs: []rowPair{{rowDistilled, rowPSGLD1}}},
			{says: "pSGLD does better with σ² = 100 than with σ² = 1", pairs: []rowPair{{rowPSGLD100, rowPSGLD1}}},
			{says: "pSGLD does better than SGLD", pairs: []rowPair{{rowPSGLD1, rowSGLD}}},
			{says: "pSGLD (σ² = 100) does better the larger the network", grows: rowPSGLD100},
			{says: "pSGLD (σ² = 1) does better the larger the network", grows: rowPSGLD1},
		},
	}
}

// cnnSteps are the grids of step sizes of section 5.4.
func cnnSteps() (adaptive, plain []float64) { return []float64{1e-3, 2e-3}, []float64{1e-1, 2e-1} }

// cnnClaims are those of section 5.4.
func cnnClaims() []tableClaim {
	return []tableClaim{
		{says: samplersBeatOptimisers, authors: true, pairs: []rowPair{{rowPSGLD, rowRMSprop}, {rowSGLD, rowSGD}}},
		{says: "pSGLD is a significant improvement on SGD", authors: true, pairs: []rowPair{{rowPSGLD, rowSGD}}},
		{says: "pSGLD does better than SGLD", pairs: []rowPair{{rowPSGLD, rowSGLD}}},
	}
}

// quotedAlone says why networks that the paper quotes from elsewhere are not run.
const quotedAlone = "the paper quotes it, and the target here is a smaller network of the kind"

// table3 is the paper's table 3: a CNN on MNIST.
func table3() *table {
	adaptive, plain := cnnSteps()
	none := []string{}
	return &table{
		family: "cnn", sizes: []string{"200-200"}, epochs: 20, halve: 10, brief: brief{"200-200", 60, 4}, claims: cnnClaims(),
		rows: []*row{
			{name: rowPSGLD, sampler: "psgld", lr: adaptive, printed: []float64{0.45}, papers: true, curve: rowPSGLD},
			{name: rowSGLD, sampler: "sgld", lr: plain, printed: []float64{0.71}, papers: true, curve: rowSGLD},
			{name: rowRMSprop, sampler: "rmsprop", lr: adaptive, printed: []float64{0.65}, papers: true, curve: rowRMSprop},
			{name: "RMSspectral", sampler: "rmsspectral", printed: []float64{0.78}, full: none, left: "a full run leaves it out for its time"},
			{name: rowSGD, sampler: "sgd", lr: plain, printed: []float64{0.82}, papers: true, curve: rowSGD},
			{name: "stochastic pooling", target: "cnn:stochpool", sampler: "sgd", printed: []float64{0.47}, quoted: true, full: none, slow: true, left: quotedAlone},
			{name: "NIN + dropout", target: "cnn:nin", sampler: "sgd-dropout", printed: []float64{0.47}, quoted: true, full: none, slow: true, left: quotedAlone},
			{name: "maxout + dropout", target: "cnn:maxout", sampler: "sgd-dropout", printed: []float64{0.45}, quoted: true, full: none, slow: true, left: quotedAlone},
		},
	}
}

// suppTable1 is table 1 of the supplement's part G: a CNN with one dense layer on
// MNIST.
func suppTable1() *table {
	adaptive, plain := cnnSteps()
	return &table{
		family: "cnn", sizes: []string{"500"}, epochs: 100, halve: 20, brief: brief{"500", 60, 4}, claims: cnnClaims(),
		rows: []*row{
			{name: rowPSGLD, sampler: "psgld", lr: adaptive, printed: []float64{0.56}, papers: true, curve: rowPSGLD},
			{name: rowSGLD, sampler: "sgld", lr: plain, printed: []float64{0.76}, papers: true, curve: rowSGLD},
			{name: rowRMSprop, sampler: "rmsprop", lr: adaptive, printed: []float64{0.64}, papers: true, curve: rowRMSprop},
			{name: rowSGD, sampler: "sgd", lr: plain, printed: []float64{0.81}, papers: true, curve: rowSGD},
		},
	}
}

// suppFig4 has the sessions of figure 4 of the supplement's part G: a CNN on CIFAR-10. The
// paper prints no number for it. Its "same setting" is taken to be suppTable1's.
func suppFig4() *table {
	adaptive, plain := cnnSteps()
	return &table{
		family: "cnn", sizes: []string{"200-200"}, dataset: "cifar10", epochs: 100, halve: 20, brief: brief{"200-200", 60, 4},
		rows: []*row{
			{name: rowPSGLD, sampler: "psgld", lr: adaptive, papers: true, curve: rowPSGLD},
			{name: rowSGLD, sampler: "sgld", lr: plain, papers: true, curve: rowSGLD},
		},
	}
}
