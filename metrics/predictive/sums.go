package predictive

import (
	"fmt"
	"math"
)

// sums are the class probabilities of rows and their squares, summed over draws with their weights.
type sums struct {
	classes int
	draws   uint64
	weight  float64   // Σ w
	sum     []float64 // Σ w p, row after row
	square  []float64 // Σ w p²
}

func newSums(rows, classes int) sums {
	if classes < 2 {
		panic(fmt.Sprintf("predictive: a prediction among %d classes", classes))
	}
	return sums{classes: classes, sum: make([]float64, rows*classes), square: make([]float64, rows*classes)}
}

// add takes the probabilities of one draw, rows×classes, row after row, with weight w.
func (a *sums) add(w float64, probs []float64) {
	if len(probs) != len(a.sum) {
		panic(fmt.Sprintf("predictive: %d probabilities of a draw, want %d of %d classes",
			len(probs), len(a.sum), a.classes))
	}
	sum, square := a.sum[:len(probs)], a.square[:len(probs)]
	for i, v := range probs {
		wv := float64(w * v)
		sum[i] += wv
		square[i] += float64(wv * v)
	}
	a.weight += w
	a.draws++
}

// Draws returns the number of draws added.
func (a *sums) Draws() uint64 { return a.draws }

// Mean sets dst to the averaged probabilities of a row, NaN without draws.
func (a *sums) Mean(row int, dst []float64) {
	for k, v := range a.sum[row*a.classes:][:a.classes] {
		dst[k] = v / a.weight
	}
}

// Spread sets dst to the weighted standard deviations over the draws of a row's probabilities, NaN without draws.
func (a *sums) Spread(row int, dst []float64) {
	at := row * a.classes
	for k := range a.classes {
		mean := a.sum[at+k] / a.weight
		dst[k] = math.Sqrt(max(0, a.square[at+k]/a.weight-float64(mean*mean)))
	}
}
