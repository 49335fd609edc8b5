package metrics

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// The Pareto k beyond which moments may not exist: NoMean for the mean and its standard error, whose convergence is too
// slow to be of use by then, NoSD for the variance, and NoSDError for the variance's own, of fourth moments (Vehtari,
// Simpson, Gelman, Yao and Gabry 2024, Journal of Machine Learning Research 25:72, §3). Of Student's t with 3 degrees
// (k = ⅓) ±1.96 standard errors of the sd cover it in 80% of 2,000 draws; with NoSDError 6% of all are shown and wrong.
const (
	NoSDError = 0.25
	NoSD      = 0.5
	NoMean    = 0.7
)

// leastTail is how many draws a tail has at least. It takes 125 draws.
const leastTail = 25

// ParetoK returns Pareto's k of the heavier tail of independent draws, which it sorts. Moments of an order below
// 1/k exist.
// Each tail has the M = min(S/5, 3√S) most extreme of S draws, less the next one. To them a generalised Pareto
// distribution is fitted by the empirical Bayes estimate of Zhang and Stephens (2009, Technometrics 51:316), and
//
//	k = (M k̂ + 10·½) / (M + 10),   Error (1 + k) / √M,
//
// with the weak prior of Vehtari et al. (2024, appendix G). The error is the asymptotic one of the maximum likelihood.
// It is TooShort of fewer than 125 draws, and Constant where the tails are.
func ParetoK(x []float64) Estimate {
	s := len(x)
	m := int(min(float64(s)/5, 3*math.Sqrt(float64(s))))
	if m < leastTail {
		return Withheld(TooShort, uint64(s))
	}
	slices.Sort(x)
	tail := make([]float64, m)
	for i := range tail {
		tail[i] = x[s-m+i] - x[s-m-1]
	}
	k := paretoFit(tail)
	for i := range tail {
		tail[i] = x[m] - x[m-1-i]
	}
	if k = max(k, paretoFit(tail)); math.IsInf(k, -1) {
		return Withheld(Constant, uint64(s))
	}
	return Known(k, (1+max(k, 0))/math.Sqrt(float64(m)), uint64(s))
}

// paretoFit is k of values that rise from 0, -Inf where they do not vary. Over a grid of θ = -k/σ,
//
//	k(θ) = mean log(1 - θx),   l(θ) = M (log(-θ/k) - k - 1),   θ̂ = Σ θ exp l(θ) / Σ exp l(θ).
func paretoFit(x []float64) float64 {
	n := len(x)
	quartile, most := x[max(n/4, 1)], x[n-1]
	if !(quartile > 0 && most > quartile) {
		return math.Inf(-1)
	}
	kOf := func(theta float64) (k float64) {
		for _, v := range x {
			k += libm.Log(1 - float64(theta*v))
		}
		return k / float64(n)
	}
	grid := 30 + int(math.Sqrt(float64(n)))
	theta, l := make([]float64, grid), make([]float64, grid)
	top := math.Inf(-1)
	for j := range theta {
		theta[j] = 1/most + float64((1-math.Sqrt(float64(grid)/(float64(j)+0.5)))/(3*quartile))
		k := kOf(theta[j])
		l[j] = float64(n) * (libm.Log(-theta[j]/k) - k - 1)
		top = max(top, l[j])
	}
	sum, weight := 0.0, 0.0
	for j, v := range theta {
		w := libm.Exp(l[j] - top)
		sum, weight = sum+float64(w*v), weight+w
	}
	return (float64(float64(n)*kOf(sum/weight)) + 5) / float64(n+10)
}

// Transient reports whether a chain's first draws came from afar, and count. It is so if the first 64th has a draw that
// is half again as far out as any later one, from the mean m of the last half, and makes the variance too large by more
// than its standard error, that of ess normal draws,
//
//	Σ_{first} (x - m)² > (1/64 + √(2/ess)) Σ_{all} (x - m)².
//
// The first step of pSGLD, whose V is still small, can take it to three times as far as it comes later, and then adds
// up to 1.2 standard errors to the variance of 4,000 draws. Means of parts, as in stationarity, do not see a chain that
// swings back over its mean. The draws are those of one coordinate as they come.
func Transient(x []float64, ess float64) bool {
	const (
		parts  = 64
		beyond = 1.5
	)
	first := len(x) / parts
	if first == 0 {
		return false
	}
	half := x[len(x)/2:]
	m := sum(half) / float64(len(half))
	var squares, far [2]float64
	for t, v := range x {
		at := 1
		if t < first {
			at = 0
		}
		d := float64((v - m) * (v - m))
		squares[at] += d
		far[at] = max(far[at], d)
	}
	return far[0] > beyond*beyond*far[1] && squares[0] > (1./parts+math.Sqrt(2/ess))*(squares[0]+squares[1])
}

// Frozen reports whether a schedule has made the steps so small that more draws hardly count: whether the draws are
// worth less than a tenth of their number by their weights, (Σ w)² / Σ w² < n/10.
func (c Chains) Frozen() bool {
	if c[0].draws == 0 {
		return false
	}
	c[0].mom.scan(c[0].cors, c[0].w[:c[0].fill])
	w, w2 := c[0].mom.weights()
	return w*w < w2*float64(c[0].draws)/10
}
