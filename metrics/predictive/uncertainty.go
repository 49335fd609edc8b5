package predictive

import "github.com/psgld/psgld-tui/nets/tool/libm"

// Uncertainty splits what a chain's draws leave open about the class of each row, in nats. With
// p̄(k) = Σ_t w_t p(k|x, θ_t) / Σ_t w_t,
//
//	H[p̄]                                  the predictive entropy, all of it,
//	H̄    = Σ_t w_t H[p(·|x, θ_t)] / Σ_t w_t  what is left if θ were known, and
//	I(y; θ) = H[p̄] - H̄ ≥ 0                the mutual information of class and θ: how far the draws disagree,
//
// with H[p] = -Σ_k p_k ln p_k, at most ln C. (Houlsby, Huszár, Ghahramani and Lengyel 2011, arXiv:1112.5745, equation
// 2.) All are NaN without draws. An input unlike the data should raise them; one θ alone has I = 0 whatever it says.
type Uncertainty struct {
	sums
	entropy []float64 // Σ w H[p], one a row
}

// NewUncertainty returns an empty average for a number of rows.
func NewUncertainty(rows, classes int) *Uncertainty {
	return &Uncertainty{newSums(rows, classes), make([]float64, rows)}
}

// Add takes the probabilities of one draw, rows×classes, row after row, with weight w. It does not keep probs.
func (u *Uncertainty) Add(w float64, probs []float64) {
	u.add(w, probs)
	for r := range u.entropy {
		u.entropy[r] += float64(w * entropy(probs[r*u.classes:][:u.classes], 1))
	}
}

// Entropy returns H[p̄] of a row.
func (u *Uncertainty) Entropy(row int) float64 {
	return entropy(u.sum[row*u.classes:][:u.classes], u.weight)
}

// Mutual returns I(y; θ) of a row.
func (u *Uncertainty) Mutual(row int) float64 {
	return max(0, u.Entropy(row)-u.entropy[row]/u.weight)
}

// Top returns the class to which the average gives the most, the lowest of equals, and its probability.
func (u *Uncertainty) Top(row int) (class int, p float64) {
	return top(u.sum[row*u.classes:][:u.classes], u.weight)
}

// entropy is -Σ p ln p in nats of the probabilities sum/weight.
func entropy(sum []float64, weight float64) float64 {
	h := 0.0
	for _, v := range sum {
		if p := v / weight; p != 0 {
			h -= float64(p * libm.Log(p))
		}
	}
	return h
}
