package metrics

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/nets/libm"
)

// Uncertainty splits what a chain's draws leave open about the class of each row, in nats. With
// p̄(k) = Σ_t w_t p(k|x, θ_t) / Σ_t w_t,
//
//	H[p̄]                                  the predictive entropy, all of it,
//	H̄    = Σ_t w_t H[p(·|x, θ_t)] / Σ_t w_t  what is left if θ were known, and
//	I(y; θ) = H[p̄] - H̄ ≥ 0                the mutual information of class and θ: how far the draws disagree,
//
// with H[p] = -Σ_k p_k ln p_k, at most ln C. (Houlsby, Huszár, Ghahramani and Lengyel 2011, arXiv:1112.5745, equation 2.)
// All are NaN without draws. An input unlike the data should raise them; one θ alone has I = 0 whatever it says.
type Uncertainty struct {
	classes int
	draws   int
	weight  float64
	sum     []float64 // Σ w p, row after row
	square  []float64 // Σ w p²
	entropy []float64 // Σ w H[p], one a row
}

// NewUncertainty returns an empty average for a number of rows.
func NewUncertainty(rows, classes int) *Uncertainty {
	if rows < 0 || classes < 2 {
		panic(fmt.Sprintf("metrics: the uncertainty of %d rows among %d classes", rows, classes))
	}
	n := rows * classes
	return &Uncertainty{classes: classes, sum: make([]float64, n), square: make([]float64, n), entropy: make([]float64, rows)}
}

// Add takes the probabilities of one draw, rows×classes, row after row, with weight w. It does not keep probs.
func (u *Uncertainty) Add(w float64, probs []float64) {
	if len(probs) != len(u.sum) {
		panic(fmt.Sprintf("metrics: %d probabilities for %d rows of %d classes", len(probs), len(u.entropy), u.classes))
	}
	for i, p := range probs {
		wp := float64(w * p)
		u.sum[i] += wp
		u.square[i] += float64(wp * p)
	}
	for r := range u.entropy {
		u.entropy[r] += float64(w * entropy(probs[r*u.classes:][:u.classes]))
	}
	u.weight += w
	u.draws++
}

// Draws returns the number of draws added.
func (u *Uncertainty) Draws() int { return u.draws }

// Mean sets dst to the averaged probabilities of a row.
func (u *Uncertainty) Mean(row int, dst []float64) {
	for k, v := range u.sum[row*u.classes:][:u.classes] {
		dst[k] = v / u.weight
	}
}

// Spread sets dst to the weighted standard deviations over the draws of a row's probabilities.
func (u *Uncertainty) Spread(row int, dst []float64) {
	at := row * u.classes
	for k := range u.classes {
		mean := u.sum[at+k] / u.weight
		dst[k] = math.Sqrt(max(0, u.square[at+k]/u.weight-float64(mean*mean)))
	}
}

// Entropy returns H[p̄] of a row.
func (u *Uncertainty) Entropy(row int) float64 {
	sum := 0.0
	for _, v := range u.sum[row*u.classes:][:u.classes] {
		if p := v / u.weight; p != 0 {
			sum -= float64(p * libm.Log(p))
		}
	}
	return sum
}

// Mutual returns I(y; θ) of a row.
func (u *Uncertainty) Mutual(row int) float64 {
	return max(0, u.Entropy(row)-u.entropy[row]/u.weight)
}

// Top returns the class to which the average gives the most, the lowest of equals, and its probability.
func (u *Uncertainty) Top(row int) (class int, p float64) {
	return top(u.sum[row*u.classes:][:u.classes], u.weight)
}

// entropy is -Σ p ln p in nats.
func entropy(p []float64) float64 {
	sum := 0.0
	for _, v := range p {
		if v != 0 {
			sum -= float64(v * libm.Log(v))
		}
	}
	return sum
}
