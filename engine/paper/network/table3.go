package network

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
