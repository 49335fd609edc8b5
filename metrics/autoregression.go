package metrics

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

const (
	// leastAverages is how many averages a level must have for an autoregression to be fitted to them.
	leastAverages = 16
	// coarsest is the most τ that an average may span for an autoregression to be fitted. At this span averages are
	// nearly independent, and a slow part of small variance stands out. Chains beyond 200 τ need less, since the sums
	// see that part.
	coarsest    = 16
	coarsestFor = 200
	// farAbove is how many times τ_e averages beyond that must say for sure. Of chains that swing they say a little
	// more than there is.
	farAbove = 1.25
)

// autoregressions returns τ_e = 2τ: the larger of time, which is that of the sum over lags, and of what autoregressions
// say. settle must have been called, and the variance must be positive.
//
// The spectral density at frequency 0 is the same at every level of the correlator. Averages y of m =
// 2^l draws have S_x(0) = Σ_t C_x(t) = m Σ_k C_y(k), since triangles m apart add up to one. So an
// autoregression can be fitted at a level where τ is a few lags, without a history of the draws. The
// levels l are those that have 16 averages or more, each of at most
//
//	16 τ min(1, 200 τ/n)
//
// draws, or more than 16 and say for sure that τ is far longer, as where chains take turns in one file, and
//
//	τ_e = max_l m S_y(0) / C_x(0),
//
// where S_y(0) is that of spectrum. One fit alone would see too little. At fine levels a slow part of small variance is
// lost in the noise of the fast one, and at coarse levels a swing is averaged away. The maximum leans towards a long τ:
// for chains of first order its median is 1.15 τ at n = 200 τ, 1.1 τ at 400 τ and 1.04 τ at 3,000 τ.
func (c *correlator) autoregressions(time float64) float64 {
	var finer, cov [lagCount]float64
	var0, draws := 0.0, float64(c.levels[0].n+uint64(c.levels[0].fill))
	for l := range c.levels {
		m, n := math.Ldexp(1, l), float64(c.levels[l].n+uint64(c.levels[l].fill))
		if n < leastAverages {
			break
		}
		c.autocov(l, &cov)
		if l == 0 {
			var0 = cov[0]
		} else {
			averaged(&cov, &finer)
		}
		finer = cov
		if l == 0 || m <= widest(time/2, draws) || m > lagCount && forSure(m, n, cov[0]/var0) > farAbove*time {
			time = max(time, m*spectrum(&cov, n)/var0)
		}
	}
	return time
}

// antithetic returns τ_e of draws that are anticorrelated: that of the autoregression fitted to them, or the most that
// averages say for sure. Of few draws, which say less, it is that of autoregressions, and no less than a sum over lags.
func (c *correlator) antithetic(sum float64) window {
	var finer, cov [lagCount]float64
	var0, time := 0.0, 0.0
	for l := range c.levels {
		m, n := math.Ldexp(1, l), float64(c.levels[l].n+uint64(c.levels[l].fill))
		if n < 2*leastAverages {
			break
		}
		if c.autocov(l, &cov); l == 0 {
			if var0, time = cov[0], spectrum(&cov, n)/cov[0]; !(errorOfTime(float64(time/2), n) < resolved) {
				return window{lag: lagCount - 1, time: c.autoregressions(sum), closed: true, antithetic: true}
			}
		} else {
			averaged(&cov, &finer)
			time = max(time, forSure(m, n, cov[0]/var0))
		}
		finer = cov
	}
	return window{lag: lagCount - 1, time: time, closed: time > 0, antithetic: true}
}

// forSure is the least τ_e that n averages of m draws leave, where they have this part of the variance of draws. As
// S_y(0) - C_y(0) is about C_x(0)/2m of draws that alternate, and C_y(0) is known to √(2/n), that is
//
//	m C_y(0)/C_x(0) (1 - 3 √(2/n)) - 1/2m.
func forSure(m, n, part float64) float64 {
	return float64(m*part*(1-float64(3*math.Sqrt(2/n)))) - 0.5/m
}

// widest is how many draws an average may span, of a chain with time τ.
func widest(tau, draws float64) float64 { return coarsest * tau * min(1, coarsestFor*tau/draws) }

// averaged fills the lags below minLag of a level, which it does not keep, from all those of the level before. Of
// y_t = (x_2t + x_2t+1)/2 they are
//
//	C_y(k) = ¼ (C_x(2k-1) + 2 C_x(2k) + C_x(2k+1)).
func averaged(cov, finer *[lagCount]float64) {
	cov[0] = (finer[0] + finer[1]) / 2
	for k := 1; k < minLag; k++ {
		cov[k] = (finer[2*k-1] + 2*finer[2*k] + finer[2*k+1]) / 4
	}
}

// spectrum is the spectral density at frequency 0, Σ_k C(k) over all k, of the autoregression fitted to n values with
// autocovariances C(0), C(1), ...,
//
//	S(0) = s_p n/(n-p-1) / (1 - φ_1 - ... - φ_p)²,
//
// as coda's spectrum0.ar has it: Yule and Walker's equations by the recursion of Levinson (1946) and Durbin (1960), s_p
// being the variance that is new in each value. The order p, at most 15 and n/2, is the one with the least
//
//	AICc = n ln s_p + 2(p+1)n/(n-p-2)   (Hurvich and Tsai 1989, Biometrika 76:297).
//
// coda takes AIC, without the correction for short chains, orders up to 10 log₁₀ n, and a straight line off the draws
// first. It returns 0 for values that do not vary.
func spectrum(cov *[lagCount]float64, n float64) float64 {
	s := cov[0]
	if !(s > 0) {
		return 0
	}
	var fit recursion
	fit.s = s
	at0, least := s*n/(n-1), float64(n*libm.Log(s))+2*n/(n-2)
	for p := 1; p < lagCount && float64(2*p) <= n; p++ {
		if !fit.step(cov, p) {
			break // rounding, or no autocovariances of any process: the fit is as good as it gets
		}
		k := float64(p)
		aic := float64(n*libm.Log(fit.s)) + 2*(k+1)*n/(n-k-2)
		if aic < least {
			least, at0 = aic, fit.spectrum()*n/(n-k-1)
		}
	}
	return at0
}

// recursion is that of Levinson and Durbin. Before the first step s is the variance.
type recursion struct {
	phi [lagCount]float64 // φ_1, ... at their place
	s   float64           // variance that is new in each value
}

// step goes on to order p. It returns false, and leaves the fit, if no autoregression has these autocovariances.
func (f *recursion) step(cov *[lagCount]float64, p int) bool {
	r := cov[p]
	for j := 1; j < p; j++ {
		r -= float64(f.phi[j] * cov[p-j])
	}
	r /= f.s
	if !(r*r < 1) {
		return false
	}
	old := f.phi
	f.phi[p] = r
	for j := 1; j < p; j++ {
		f.phi[j] = old[j] - float64(r*old[p-j])
	}
	f.s *= 1 - float64(r*r)
	return true
}

// spectrum returns s/(1 - Σ φ_k)².
func (f *recursion) spectrum() float64 {
	rest := 1.0
	for _, v := range f.phi {
		rest -= v
	}
	return f.s / (rest * rest)
}

// squares returns Σ_t ρ_t² over all lags of either sign, given the first ρ_t, up to a period that adds less than 1%.
func (f *recursion) squares(rho *[lagCount]float64) float64 {
	last, sum := *rho, 0.0
	for _, r := range rho[1:] {
		sum += float64(2 * r * r)
	}
	for range 256 {
		before := sum
		for range lagCount - 1 { // last[1:] are the newest, the newest at the end
			next := 0.0
			for j := 1; j < lagCount; j++ {
				next += float64(f.phi[j] * last[lagCount-j])
			}
			copy(last[1:], last[2:])
			last[lagCount-1] = next
			sum += float64(2 * next * next)
		}
		if sum-before < 0.01*sum {
			break
		}
	}
	return 1 + sum
}
