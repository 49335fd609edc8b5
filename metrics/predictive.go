package metrics

import (
	"fmt"
	"math"
	"slices"
)

// Predictive averages class probabilities over the kept draws of a chain,
//
//	p̂(y|x) = Σ_t w_t p(y|x, θ_t) / Σ_t w_t,
//
// w_t being step sizes (Li et al. 2016, §2). It averages probabilities, never logits or log-probabilities.
type Predictive struct {
	labels  []int32
	classes int
	draws   uint64
	weight  float64
	sum     []float64 // Σ w p, row after row
	square  []float64 // Σ w p²
	newest  []float64

	// Kept because they are asked for at each frame and change with each draw only. A zero Draws means not worked out.
	average, last Scores
}

// NewPredictive returns an empty average for rows whose true classes are labels, 0 to classes-1. It keeps labels and
// does not change them.
func NewPredictive(labels []int32, classes int) *Predictive {
	if classes < 2 {
		panic(fmt.Sprintf("metrics: a prediction among %d classes", classes))
	}
	for i, y := range labels {
		if y < 0 || int(y) >= classes {
			panic(fmt.Sprintf("metrics: row %d has label %d, want 0 to %d", i, y, classes-1))
		}
	}
	n := len(labels) * classes
	return &Predictive{labels: labels, classes: classes, sum: make([]float64, n), square: make([]float64, n), newest: make([]float64, n)}
}

// Add takes the probabilities of one draw, rows×classes, row after row, with weight w. It does not keep probs.
func (p *Predictive) Add(w float64, probs []float64) {
	if len(probs) != len(p.sum) {
		panic(fmt.Sprintf("metrics: %d probabilities for %d rows of %d classes", len(probs), len(p.labels), p.classes))
	}
	dst, square := p.sum[:len(probs)], p.square[:len(probs)]
	for i, v := range probs {
		wv := float64(w * v)
		dst[i] += wv
		square[i] += float64(wv * v)
	}
	copy(p.newest, probs)
	p.weight += w
	p.draws++
	p.average.Draws, p.last.Draws = 0, 0
}

// Reset forgets every draw and keeps the memory.
func (p *Predictive) Reset() {
	clear(p.sum)
	clear(p.square)
	clear(p.newest)
	p.weight, p.draws = 0, 0
	p.average.Draws, p.last.Draws = 0, 0
}

// Draws returns the number of draws added since the last Reset.
func (p *Predictive) Draws() uint64 { return p.draws }

// Probs sets dst to the averaged probabilities of one row, NaN without draws.
func (p *Predictive) Probs(row int, dst []float64) {
	if len(dst) != p.classes {
		panic(fmt.Sprintf("metrics: %d numbers for the probabilities of %d classes", len(dst), p.classes))
	}
	for k, v := range p.sum[row*p.classes:][:p.classes] {
		dst[k] = v / p.weight
	}
}

// All returns the averaged probabilities and those of the last draw, row after row; nil without draws.
func (p *Predictive) All() (average, newest []float64) {
	if p.draws == 0 {
		return nil, nil
	}
	average = make([]float64, len(p.sum))
	for i, v := range p.sum {
		average[i] = v / p.weight
	}
	return average, slices.Clone(p.newest)
}

// Spread sets dst to the weighted standard deviations over the draws of the probabilities of one row, NaN without draws.
func (p *Predictive) Spread(row int, dst []float64) {
	if len(dst) != p.classes {
		panic(fmt.Sprintf("metrics: %d numbers for the probabilities of %d classes", len(dst), p.classes))
	}
	at := row * p.classes
	for k := range dst {
		mean := p.sum[at+k] / p.weight
		dst[k] = math.Sqrt(max(0, p.square[at+k]/p.weight-float64(mean*mean)))
	}
}

// Scores returns the scores of the averaged probabilities.
func (p *Predictive) Scores() Scores {
	if p.average.Draws == 0 {
		p.average = p.score(p.sum, p.weight)
		p.average.Draws = p.draws
	}
	return p.average
}

// Newest returns the scores of the last draw alone.
func (p *Predictive) Newest() Scores {
	if p.last.Draws == 0 {
		p.last = p.score(p.newest, 1)
		p.last.Draws = min(p.draws, 1)
	}
	return p.last
}

func (p *Predictive) score(sum []float64, weight float64) Scores {
	if p.draws == 0 || len(p.labels) == 0 {
		return noScores()
	}
	return scores(p.labels, p.classes, sum, weight)
}

// Reliability fills bins, of equal width over [0, 1], with the rows whose averaged top probability falls into them: how
// many, its mean there, and the share of them that is right. With ECEBins bins these are the bins of Scores.ECE. Without
// draws every bin is empty.
func (p *Predictive) Reliability(bins []Bin) {
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
