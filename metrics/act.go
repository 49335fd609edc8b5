package metrics

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/nets/libm"
)

// TrustedTimes is how many τ long a chain must be for its τ to be trusted, see LongEnough.
const TrustedTimes = 150

const (
	// windowFactor is Sokal's c: the window M is the first with M >= c·τ_e(M).
	windowFactor = 5
	// swing is the size of a ρ_t that counts as far from 0, if it is beyond three standard errors.
	swing = 0.03
)

// ACT returns the integrated autocorrelation time of coordinate i, in draws,
//
//	τ = ½ + Σ_{t≥1} ρ_t   (Li et al. 2016, §4; emcee and Stan call 2τ by this name).
//
// The sum ends at Sokal's automatic window as emcee's integrated_time applies it with c = 5: with
// τ_e(M) = 1 + 2 Σ_{t=1}^M ρ_t = 2τ(M), M is the smallest lag with M >= 5 τ_e(M), that is, M >= 10 τ. Up to lag 15 the
// ρ_t are exact; beyond, they come from averages over 2, 4, 8, ... draws (see lagSum).
//
// A window that closes at M < 5 means that neighbouring draws are anticorrelated, and a sharp cut then leaves an error of
// the size of the last ρ_t. Lags 1..15 are summed instead with the flat-top weights of Politis and Romano (1995, Journal
// of Time Series Analysis 16:67), 1 up to lag 8 and from there falling to 0 at lag 16. τ is then at least
// 1/(2 log₁₀ n), so that ESS never exceeds n log₁₀ n, Stan's bound.
//
// The ρ_t of momentum methods may swing about 0 and still be far from it at lag 15, where either sum would end in
// mid-swing. τ is then that of the autoregression with the same ρ_1, ..., ρ_15, as coda estimates it. emcee has the sum.
//
// A sum over a short chain is too low, and most so where the chain happens to look settled. Therefore autoregressions are
// fitted as well, to the draws and to their averages (see autoregressions), and τ is the larger.
//
// The estimate is TooShort until the chain is LongEnough, and where no window closes within the chain; Constant if the
// draws are equal up to rounding; NotFinite, until Reset, once a draw was not finite; Uneven if the weights differ, since τ
// changes with the step. Its Error is that of errorOfTime.
func (c *Chain) ACT(i int) Estimate {
	if s := c.status(i); s != OK {
		return Withheld(s, c.draws)
	}
	if c.uneven() {
		return Withheld(Uneven, c.draws)
	}
	e := c.ACTLoose(i)
	if e.OK() && !LongEnough(e.Draws, e.Value) {
		return Withheld(TooShort, e.Draws)
	}
	return e
}

// LongEnough reports whether a number of draws suffices for the τ estimated from them,
//
//	n >= 150 max(τ, ½).
//
// It is the one rule by which a chain is too short. It was calibrated on 200 chains of each of 24 kinds, at true lengths
// from 5 to 400 τ (TestESSWhenShown). For autoregressions of first order, for chains that swing, and for pSGLD and SGHMC
// on a normal density at most 5% of all chains show an ESS above 1.7 times the true one. From 150 τ on the median of the
// ESS shown is 0.8 to 1.3 times the true one. At 200 τ two thirds of the chains show one, and half of those that swing
// slowly.
//
// No rule sees what a coordinate has not shown yet. A τ that is 1.7 times too low is LongEnough from 88 τ on. If a share w of
// the variance is much slower than the rest, these are little more than 88 w of the slow part's own τ. Of sums whose slow τ is
// 10 to 60, 6 to 28% of the chains show an ESS that is too high at some length, and 49% where 0.13 of the variance has τ = 22.5
// and the rest 0.8. Of those a rule must show 19% wrongly at 168 draws if it shows two thirds of the chains of first order with
// τ = 0.84 there, at 200 τ, even if it knows both likelihoods. If the other kind is a sum with 9 for 22.5 it is 31%, at 319
// draws (TestLeastShownWrongly). What is slow is mostly seen in another coordinate. So nothing is said of a coordinate before
// all are LongEnough and none is [Chains.Skewed], and of such chains at most 5% show an ESS that is too high
// (TestESSOfWholeChains).
//
// Tried were the larger of several estimates (means of 6 to 40 batches, overlapping or not, and their trend, the mean of the
// first 2 to 24 ordinates of the periodogram, fits of a fixed order, the slowest root of the fits, τ of squares, of distances
// and of tails), the jackknife's standard error of the sum over lags, and the largest τ that a likelihood of two time scales
// leaves plausible. While two thirds of the chains of first order show an ESS at 200 τ, 32% or more of the worst kind do so
// wrongly.
func LongEnough(draws uint64, tau float64) bool {
	return float64(draws) >= TrustedTimes*max(tau, 0.5)
}

// DrawsNeeded returns how many draws a chain needs at least until its τ is trusted, by what ACTLoose says of it: as many as
// are LongEnough for τ two relative standard errors lower, τ/(1 + 2δ) with δ = Error/τ. It is 0 where that is not known. A τ of
// few draws may be too large as well as too small, and its Error is large. Of the kinds of TestDrawsNeeded up to 2% of the
// chains are trusted before that many, and 6% of those that swing slowly.
func DrawsNeeded(loose Estimate) uint64 {
	if !loose.OK() {
		return 0
	}
	return uint64(math.Ceil(TrustedTimes * max(loose.Value/(1+2*loose.Error/loose.Value), 0.5)))
}

// ACTLoose is ACT without the demands that the chain be long enough and the weights equal: a first impression for display,
// to be marked as such.
func (c *Chain) ACTLoose(i int) Estimate {
	if s := c.status(i); s != OK {
		return Withheld(s, c.draws)
	}
	w := c.cors[i].window()
	if !w.closed {
		return Withheld(TooShort, c.draws)
	}
	least := 1 / libm.Log10(max(float64(c.draws), 10))
	tau := c.cors[i].autoregressions(max(w.time, least)) / 2
	return Known(tau, tau*errorOfTime(tau, float64(c.draws)), c.draws)
}

// errorOfTime is the relative standard error of τ estimated from n draws, √(2(2M+1)/n) with M = 10 τ (Sokal 1997, §3). It is
// that of the sum. Of chains of first order the root mean square error of the larger of sum and autoregressions is 0.9 to 1.3
// times that from 200 to 400 τ, and 0.7 to 0.9 times from 1,000 τ on.
func errorOfTime(tau, n float64) float64 { return math.Sqrt((float64(40*tau) + 2) / n) }

// ESS returns the effective sample size of coordinate i: how many independent draws would give its mean the same standard
// error. It is n/(2τ) with the status of ACT. Where the weights differ it is Var(i)/MCSE², with the status of [Chains.MCSEOf].
func (c *Chain) ESS(i int) Estimate {
	one, act := Chains{c}, c.ACT(i)
	return one.ESSBy(i, act, one.MCSEOf(i, act))
}

// ESSOf is n/(2τ), the effective sample size of draws with τ.
func ESSOf(act Estimate) Estimate {
	if !act.OK() {
		return act
	}
	ess := float64(act.Draws) / (2 * act.Value)
	return Known(ess, ess*act.Error/act.Value, act.Draws)
}

// errorBy is √(v·2τ/n), the standard error of the mean of draws of variance v with a τ that is known.
func errorBy(act Estimate, v float64) Estimate {
	se := math.Sqrt(v * 2 * act.Value / float64(act.Draws))
	return Known(se, se*act.Error/act.Value/2, act.Draws)
}

// mcseByBatches is the Monte Carlo standard error of Mean(i) where the weights differ, as under a schedule of step sizes. τ is
// then not one number. The chain is cut into 256 to 512 batches of equal weight, and the error is that of a mean of batches
// (see (*span).variance): TooShort until the number of batches is LongEnough for τ in batches. A schedule that is not slow
// beside τ is beyond it.
func (c *Chain) mcseByBatches(i int) Estimate {
	var s span
	c.span(&s, i)
	v, tau := s.variance(0, s.n)
	if !LongEnough(uint64(s.n), tau) {
		return Withheld(TooShort, c.draws)
	}
	se := math.Sqrt(v)
	return Known(se, se*errorOfTime(tau, float64(s.n))/2, c.draws)
}

// uneven reports whether the weights differ: whether the square of their coefficient of variation is above 1/1000, as when
// 0.4% of the draws have half the weight.
func (c *Chain) uneven() bool {
	if c.draws == 0 {
		return false
	}
	c.mom.scan(c.cors, c.w[:c.fill])
	w, w2 := c.mom.weights()
	return float64(c.draws)*w2 > 1.001*w*w
}

// ACF sets dst[t] to the autocorrelation ρ_t of coordinate i at lags t = 0, 1, ... and returns how many it could fill:
// none for a chain without an autocorrelation, else as far as the chain and dst reach. Beyond lag 15 values between the
// correlator's lags, an eighth of the lag apart or closer, are interpolated linearly.
func (c *Chain) ACF(i int, dst []float64) int {
	cor := &c.cors[i]
	if c.status(i) != OK {
		return 0
	}
	var cov [lagCount]float64
	n, last, var0 := 0, 0.0, 0.0
	for l := range cor.levels {
		from, to := cor.autocov(l, &cov)
		if from == to {
			break
		}
		if l == 0 {
			var0 = cov[0]
		}
		for k := from; k < to; k++ {
			rho := cov[k] / var0
			lag := k << l
			for start := n; n <= lag; n++ {
				if n == len(dst) {
					return n
				}
				f := float64(n-start+1) / float64(lag-start+1)
				dst[n] = last + float64(f*(rho-last))
			}
			last = rho
		}
	}
	return n
}

// status settles coordinate i and says whether it has an autocorrelation at all.
func (c *Chain) status(i int) Status {
	if i < 0 || i >= c.dim {
		panic(fmt.Sprintf("metrics: coordinate %d of %d", i, c.dim))
	}
	if c.draws == 0 {
		return TooShort
	}
	cor := &c.cors[i]
	cor.settle()
	mean := cor.mean()
	if !finite(mean) {
		return NotFinite
	}
	if c.draws == 1 {
		return TooShort
	}
	var cov [lagCount]float64
	cor.autocov(0, &cov)
	if !finite(cov[0]) {
		return NotFinite
	}
	// Numbers near μ are |μ|·2^-53 or more apart. A spread of a few times that is rounding.
	if sd := math.Sqrt(max(cov[0], 0)); sd <= math.Abs(cor.shift+mean)*0x1p-50 {
		return Constant
	}
	return OK
}

// window is where the sum over lags ended: lag M and τ_e(M) = 1 + 2 Σ_{t=1}^M ρ_t.
type window struct {
	lag, time float64
	closed    bool
}

// window finds Sokal's window. settle must have been called, and the variance must be positive.
func (c *correlator) window() window {
	var rho [lagCount]float64
	_, to := c.autocov(0, &rho)
	for k := 1; k < to; k++ {
		rho[k] /= rho[0]
	}
	var0 := rho[0]
	var s lagSum
	var before window
	n := float64(c.levels[0].n) + float64(c.levels[0].fill)
	least := max(swing, 3/math.Sqrt(n)) // of what counts as a swing
	for k := 1; k < to; k++ {
		w := s.upTo(float64(k), rho[k])
		s.add(1, rho[k])
		if !w.closed {
			before = w
			continue
		}
		swing := to == lagCount && swings(&rho, least)
		if k >= windowFactor && !swing {
			return w
		}
		if to < lagCount {
			return window{}
		}
		if swing {
			w = autoregressive(&rho)
		} else {
			w = flatTop(&rho)
		}
		if w.closed {
			return w
		}
		// A slow part hides behind the anticorrelation: go on beyond lag 15.
		for k++; k < to; k++ {
			s.add(1, rho[k])
		}
		before = w
	}
	for l := 1; l < len(c.levels); l++ {
		from, to := c.autocov(l, &rho)
		if from == to {
			break
		}
		for k := from; k < to; k++ {
			r := rho[k] / var0
			w := s.upTo(math.Ldexp(float64(k), l), r)
			if w.closed {
				return between(before, w)
			}
			before = w
			s.add(lagWeight(l, k), r)
		}
	}
	return window{}
}

// swings reports whether the ρ_t swing about 0 and have not come to rest at lag 15. That is, means of neighbours are far
// from 0 from lag 8 on, and were far from it on the other side before. Neighbours that alternate cancel out.
func swings(rho *[lagCount]float64, least float64) bool {
	low, high := 0.0, 0.0
	for k := 1; k+1 < lagCount; k++ {
		m := (rho[k] + rho[k+1]) / 2
		low, high = min(low, m), max(high, m)
		if k >= minLag && math.Abs(m) > least && low < -least && (high > least || rho[1] > least) {
			return true
		}
	}
	return false
}

// autoregressive is τ_e of the autoregression that has ρ_1, ..., ρ_15 for its autocorrelations. For an autoregression of
// lesser order, as SGHMC is on a normal density, it is exact.
func autoregressive(rho *[lagCount]float64) window {
	fit := recursion{s: 1}
	cor := *rho
	cor[0] = 1
	for p := 1; p < lagCount && fit.step(&cor, p); p++ {
	}
	t := fit.spectrum()
	return window{lag: lagCount - 1, time: t, closed: lagCount-1 >= windowFactor*t}
}

// lagSum is Σ_{t=1}^M ρ_t over the correlator's lags.
//
// Lag k of level l, whose averages span m = 2^l draws, holds the mean of ρ_t under a triangle of half width m around km.
// Triangles m apart add up to one everywhere, so that m times the sum over k is exact inside a level. Where a level of
// step m/2 hands over to one of step m, the weights 0.625m and 1.125m of the latter's first two lags make the coverage
// right in its total and its first moment, and the error is of third order in m/τ. The last lag of a sum gets the weight
// that makes all weights add up to M, which is the end of the trapezoid rule.
type lagSum struct{ sum, weight float64 }

func (s *lagSum) add(weight, rho float64) {
	s.sum += float64(weight * rho)
	s.weight += weight
}

// upTo returns the sum that ends at lag M with ρ_M = rho, after the lags before have been added.
func (s *lagSum) upTo(lag, rho float64) window {
	t := 1 + float64(2*(s.sum+float64((lag-s.weight)*rho)))
	return window{lag: lag, time: t, closed: lag >= windowFactor*t}
}

// lagWeight is the weight of lag k of level l > 0 inside a sum that goes on.
func lagWeight(l, k int) float64 {
	m := math.Ldexp(1, l)
	switch k {
	case minLag:
		return 0.625 * m
	case minLag + 1:
		return 1.125 * m
	}
	return m
}

// between puts the end of the window where M = 5 τ_e(M) on the line from open to closed, so that coarse lags do not
// widen it.
func between(open, closed window) window {
	f0 := open.lag - float64(windowFactor*open.time)
	f1 := closed.lag - float64(windowFactor*closed.time)
	f := -f0 / (f1 - f0)
	closed.time = open.time + float64(f*(closed.time-open.time))
	closed.lag = open.lag + float64(f*(closed.lag-open.lag))
	return closed
}

// flatTop sums lags 1..15 with the flat-top weights.
func flatTop(rho *[lagCount]float64) window {
	t := 1.0
	for k := 1; k < lagCount; k++ {
		h := 1.0
		if k > minLag {
			h = float64(lagCount-k) / (lagCount - minLag)
		}
		t += float64(2 * h * rho[k])
	}
	return window{lag: lagCount - 1, time: t, closed: lagCount-1 >= windowFactor*t}
}
