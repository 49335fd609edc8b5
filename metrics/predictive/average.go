// Package predictive averages the class probabilities that a chain's draws predict, and rates them: scores against true
// classes, what the draws leave open, and averages of parts of a chain. What [metrics] says of bits, of the order of
// draws and of goroutines holds here too.
package predictive

import (
	"fmt"
	"slices"
)

// Average is that of class probabilities over the kept draws of a chain,
//
//	p̂(y|x) = Σ_t w_t p(y|x, θ_t) / Σ_t w_t,
//
// w_t being step sizes (Li et al. 2016, §2). It averages probabilities, never logits or log-probabilities.
type Average struct {
	sums
	labels []int32
	newest []float64

	// Kept because they are asked for at each frame and change with each draw only. A zero Draws means not worked out.
	average, last Scores
}

// New returns an empty average for rows whose true classes are labels, 0 to classes-1. It keeps labels and
// does not change them.
func New(labels []int32, classes int) *Average {
	for i, y := range labels {
		if y < 0 || int(y) >= classes {
			panic(fmt.Sprintf("predictive: row %d has label %d, want 0 to %d", i, y, classes-1))
		}
	}
	return &Average{sums: newSums(len(labels), classes), labels: labels,
		newest: make([]float64, len(labels)*classes)}
}

// Rows is how many rows there are.
func (p *Average) Rows() int { return len(p.labels) }

// Add takes the probabilities of one draw, rows×classes, row after row, with weight w. It does not keep probs.
func (p *Average) Add(w float64, probs []float64) {
	p.add(w, probs)
	copy(p.newest, probs)
	p.average.Draws, p.last.Draws = 0, 0
}

// Reset forgets every draw and keeps the memory.
func (p *Average) Reset() {
	clear(p.sum)
	clear(p.square)
	clear(p.newest)
	p.weight, p.draws = 0, 0
	p.average.Draws, p.last.Draws = 0, 0
}

// All returns the averaged probabilities and those of the last draw, row after row; nil without draws.
func (p *Average) All() (average, newest []float64) {
	if p.draws == 0 {
		return nil, nil
	}
	average = make([]float64, len(p.sum))
	for i, v := range p.sum {
		average[i] = v / p.weight
	}
	return average, slices.Clone(p.newest)
}

// Scores returns the scores of the averaged probabilities.
func (p *Average) Scores() Scores {
	if p.average.Draws == 0 {
		p.average = p.score(p.sum, p.weight)
		p.average.Draws = p.draws
	}
	return p.average
}

// Newest returns the scores of the last draw alone.
func (p *Average) Newest() Scores {
	if p.last.Draws == 0 {
		p.last = p.score(p.newest, 1)
		p.last.Draws = min(p.draws, 1)
	}
	return p.last
}

func (p *Average) score(sum []float64, weight float64) Scores {
	if p.draws == 0 || len(p.labels) == 0 {
		return NoScores()
	}
	return scores(p.labels, p.classes, sum, weight)
}

// Reliability fills bins, of equal width over [0, 1], with the rows whose averaged top probability
// falls into them: how many, its mean there, and the share of them that is right. With ECEBins bins
// these are the bins of Scores.ECE. Without draws every bin is empty.
func (p *Average) Reliability(bins []Bin) {
	clear(bins)
	if p.draws == 0 {
		return
	}
	for i, y := range p.labels {
		class, confidence := top(p.sum[i*p.classes:][:p.classes], p.weight)
		addToBin(bins, confidence, class == int(y))
	}
	for b := range bins {
		bins[b].finish()
	}
}

// Clone returns a copy that shares nothing with p but the labels.
func (p *Average) Clone() *Average {
	k := *p
	k.sum, k.square, k.newest = slices.Clone(p.sum), slices.Clone(p.square), slices.Clone(p.newest)
	return &k
}

// Set makes p a copy of k, which is over the same labels.
func (p *Average) Set(k *Average) {
	sum, square, newest := p.sum, p.square, p.newest
	*p = *k
	p.sum, p.square, p.newest = sum, square, newest
	copy(sum, k.sum)
	copy(square, k.square)
	copy(newest, k.newest)
}

// Bytes is about the memory of the averages.
func (p *Average) Bytes() int { return 8 * 3 * len(p.sum) }
