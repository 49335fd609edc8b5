package predictive

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// Scores rate predicted class probabilities p_ik of rows i against the true classes y_i, with N rows.
// All are NaN without draws, without rows, or if a probability is not finite.
type Scores struct {
	Error float64 // share of rows whose most probable class is wrong; the lowest class wins a tie
	// NLL is -(1/N) Σ_i log p_i,y_i, in nats. A p below the least normal number counts as that number, so that one row
	// costs 708.4 at most.
	NLL   float64
	Brier float64 // (1/N) Σ_i Σ_k (p_ik - 1{k = y_i})², from 0 to 2 (Brier 1950)
	ECE   float64 // Σ_b (n_b/N) |accuracy_b - confidence_b| over ECEBins bins of the top probability (Guo et al. 2017)
	Draws uint64  // draws averaged: 1 for the newest
}

// ECEBins is the number of equal-width bins of the expected calibration error, as in Guo, Pleiss, Sun and Weinberger
// (2017, ICML, §2).
const ECEBins = 15

// leastNormal is the smallest positive float64 with full precision.
const leastNormal = 0x1p-1022

// Bin is one bar of a reliability diagram: Count rows, with mean top probability Confidence, of which
// the share Accuracy is right. Both are zero in an empty bin.
type Bin struct {
	Count      uint64
	Confidence float64
	Accuracy   float64
}

// finish turns the sums gathered in b into means.
func (b *Bin) finish() {
	if b.Count > 0 {
		b.Confidence /= float64(b.Count)
		b.Accuracy /= float64(b.Count)
	}
}

// addToBin counts a row in the bin (b/n, (b+1)/n] of its confidence, a NaN in none. Rounding may carry an average
// slightly above 1.
func addToBin(bins []Bin, confidence float64, right bool) {
	if len(bins) == 0 || confidence != confidence {
		return
	}
	n := len(bins)
	b := int(math.Ceil(min(max(confidence, 0), 1)*float64(n))) - 1
	bin := &bins[min(max(b, 0), n-1)]
	bin.Count++
	bin.Confidence += confidence
	if right {
		bin.Accuracy++
	}
}

// Argmax is the place of the largest number of a row, the first of several: of class probabilities the class that they
// predict.
func Argmax[T uint16 | float32 | float64](row []T) int {
	at := 0
	for i, x := range row {
		if x > row[at] {
			at = i
		}
	}
	return at
}

// top returns the most probable class of a row of weighted sums, and its probability; NaN if any is NaN.
func top(row []float64, weight float64) (class int, p float64) {
	best := row[0]
	for k, v := range row {
		if v > best {
			class, best = k, v
		}
		if v != v {
			return k, v
		}
	}
	return class, best / weight
}

// scores rates the probabilities sum/weight.
func scores(labels []int32, classes int, sum []float64, weight float64) Scores {
	var bins [ECEBins]Bin
	var wrong int
	var nll, brier float64
	for i, y := range labels {
		row := sum[i*classes:][:classes]
		class, confidence := top(row, weight)
		right := class == int(y)
		if !right {
			wrong++
		}
		addToBin(bins[:], confidence, right)
		nll -= libm.Log(max(row[y]/weight, leastNormal))
		for k, v := range row {
			d := v / weight
			if k == int(y) {
				d--
			}
			brier += float64(d * d)
		}
	}
	ece := 0.0
	for b := range bins {
		bins[b].finish()
		ece += float64(float64(bins[b].Count) * math.Abs(bins[b].Accuracy-bins[b].Confidence))
	}
	if !(brier <= math.MaxFloat64) { // every probability enters it, so it tells if any is not finite
		return NoScores()
	}
	n := float64(len(labels))
	return Scores{Error: float64(wrong) / n, NLL: nll / n, Brier: brier / n, ECE: ece / n}
}

// NoScores are those without draws.
func NoScores() Scores {
	nan := math.NaN()
	return Scores{Error: nan, NLL: nan, Brier: nan, ECE: nan}
}
