package metrics

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// TrustedTimes is the length of a chain, in autocorrelation times τ, from which its τ is trusted. See LongEnough.
const TrustedTimes = 150

const (
	// windowFactor is Sokal's c: the window M is the first with M >= c·τ_e(M).
	windowFactor = 5
	// farFrom0 is the least size of such a ρ_t. It must be three standard errors, too.
	farFrom0 = 0.03
)

// ACT returns the integrated autocorrelation time of coordinate i, in draws,
//
//	τ = ½ + Σ_{t≥1} ρ_t   (Li et al. 2016, §4; emcee and Stan call 2τ by this name).
//
// The sum ends at Sokal's automatic window, with c = 5 as in emcee's integrated_time. Let τ_e(M) = 1 + 2 Σ_{t=1}^M ρ_t,
// which is 2τ of a sum that ends at M. The window is the smallest lag M with M >= 5 τ_e(M), that is, M >= 10 τ. The ρ_t
// are exact up to lag 15. Beyond it they come from averages over 2, 4, 8, ... draws (see lagSum).
//
// A window that closes at M < 5 means that neighbouring draws are anticorrelated. A sum over lags then has an error of
// the size of the last ρ_t, however small τ is. So τ is that of an autoregression, once it is known to 20%, and at
// least what averages over many draws say (see antithetic). Of chains that swing and are too short
// for that, ESS is at most n log₁₀ n, which is Stan's bound.
//
// The ρ_t of momentum methods may swing about 0 and still be far from it at lag 15, or swing so slowly that they have
// crossed it once. Either sum would end in mid-swing. τ is then that of the autoregression with the same ρ_1, ...,
// ρ_15, of the draws or of their averages, as R's package coda estimates it. emcee keeps the sum.
//
// The sum over a short chain is too low, most of all where the chain happens to look settled. So autoregressions are
// fitted to the draws and to their averages as well (see autoregressions), and the larger τ is returned.
//
// The estimate is TooShort until the chain is LongEnough, and where no window closes within the chain. It is
// Constant if the draws are equal up to rounding. It is NotFinite, until Reset, once a draw was not finite.
// It is Uneven if the weights differ, since τ changes with the step. Its Error is that of errorOfTime.
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
//	n >= max(150 τ, 75, 6/τ).
//
// The last holds of anticorrelated draws, whose τ is then good to 0.3 of it: see errorOfTime.
//
// This is the one rule by which a chain is too short.
//
// Calibration. The rule was tried on 200 chains of each of 24 kinds, at true lengths from 5 to 400 τ
// (TestESSWhenShown). The kinds include autoregressions of first order, chains that swing, and pSGLD
// and SGHMC on a normal density. Of each of these at most 5% of the chains show an ESS above 1.7 times
// the true one. From 150 τ on, the median of the ESS shown is 0.8 to 1.3 times the true one. At 200 τ
// two thirds of the chains show an ESS, and half of those that swing slowly.
//
// Limits. No rule sees what a coordinate has not shown yet. A τ that is 1.7 times too low is LongEnough
// from 88 τ on. If a share w of the variance is much slower than the rest, 88 τ are little more than 88
// w of the slow part's own times. Such chains were tried as sums of a fast and a slow part:
//   - With a slow τ of 10 to 60, 6 to 28% of the chains show an ESS that is too high at some length.
//   - With 0.13 of the variance at τ = 22.5 and the rest at τ = 0.8, 49% do.
//   - Any rule must show at least 19% of the latter wrongly, at 168 draws, if it shows two thirds of
//     the chains of first order with τ = 0.84 at 200 τ. This holds even of a rule that knows both
//     likelihoods. With a slow τ of 9 instead of 22.5 it is 31%, at 319 draws (TestLeastShownWrongly).
//
// A slow part is mostly seen in another coordinate. So no coordinate has an ESS before all are LongEnough and none is
// [Chains.Skewed]. Of such chains at most 5% show an ESS that is too high (TestESSOfWholeChains).
//
// Rules that were tried and are no better: the larger of several estimates, the jackknife's standard error of the sum
// over lags, and the largest τ that a likelihood of two time scales leaves plausible. The estimates were means of 6
// to 40 batches, overlapping or not, and their trend; the mean of the first 2 to 24 ordinates of the periodogram;
// fits of a fixed order and their slowest root; and τ of squares, of distances and of tails. Each rule that lets two
// thirds of the chains of first order show an ESS at 200 τ lets 32% or more of the worst kind do so wrongly.
func LongEnough(draws uint64, tau float64) bool {
	return float64(draws) >= max(TrustedTimes*max(tau, 0.5), 6/tau)
}

// DrawsNeeded returns the least number of draws after which a chain's τ may be trusted, by the ACTLoose
// that it has now. It is the number that is LongEnough for τ/(1 + 2δ) with δ = Error/τ, a τ that is two
// relative standard errors lower. The margin is there because a τ of few draws may be too large as well
// as too small. The result is 0 where ACTLoose is withheld. In TestDrawsNeeded up to 2% of the chains
// of a kind are trusted earlier, and 6% of those that swing slowly.
func DrawsNeeded(loose Estimate) uint64 {
	if !loose.OK() {
		return 0
	}
	return uint64(math.Ceil(TrustedTimes * max(loose.Value/(1+2*loose.Error/loose.Value), 0.5)))
}

// ACTLoose is ACT of a chain of any length and of any weights. It is a first impression for display, and must be marked
// as one.
func (c *Chain) ACTLoose(i int) Estimate {
	if s := c.status(i); s != OK {
		return Withheld(s, c.draws)
	}
	w, n := c.cors[i].window(), float64(c.draws)
	if !w.closed {
		return Withheld(TooShort, c.draws)
	}
	tau := w.time / 2
	if !w.antithetic {
		if !(errorOfTime(float64(w.time/2), n) < resolved) {
			w.time = max(w.time, 1/libm.Log10(max(n, 10)))
		}
		tau = c.cors[i].autoregressions(w.time) / 2
	}
	return Known(tau, tau*max(errorOfTime(tau, n), math.Sqrt(w.swings/n)), c.draws)
}

// resolved is the relative standard error below which a τ under ½ is taken as it is estimated.
const resolved = 0.2

// errorOfTime is the relative standard error of a τ estimated from n draws, √(2(2M+1)/n) with M = 10 τ (Sokal 1997,
// §3), or (1 + 2τ) √(3/4τn) if that is greater, as below τ = 0.15: one and a half times the variance of an
// autoregression of first order, whose coefficient is known to √((1-φ²)/n), since its order is chosen. The former is
// for the sum over lags. The larger of sum and autoregressions has a root mean square error of 0.9 to 1.3 times it from
// 200 to 400 τ, and of 0.7 to 0.9 times it from 1,000 τ on, measured on chains of first order.
func errorOfTime(tau, n float64) float64 {
	full := 1 + (tau + tau)
	return math.Sqrt(max(float64(40*tau)+2, 0.75*full*full/tau) / n)
}

// ESS returns the effective sample size of coordinate i: the number of independent draws that would give the mean the
// same standard error. It is n/(2τ), with the status of ACT. Where the weights differ it is Var(i)/MCSE², with the
// status of [Chains.MCSEOf].
func (c *Chain) ESS(i int) Estimate {
	one, act := Chains{c}, c.ACT(i)
	return one.ESSBy(i, act, one.MCSEOf(i, act))
}

// ESSOf is n/(2τ), the effective sample size of the draws of which act is the τ.
func ESSOf(act Estimate) Estimate {
	if !act.OK() {
		return act
	}
	ess := float64(act.Draws) / (2 * act.Value)
	return Known(ess, ess*act.Error/act.Value, act.Draws)
}

// errorBy is √(v·2τ/n), the standard error of the mean of draws with variance v and a τ that is known.
func errorBy(act Estimate, v float64) Estimate {
	se := math.Sqrt(v * 2 * act.Value / float64(act.Draws))
	return Known(se, se*act.Error/act.Value/2, act.Draws)
}

// mcseByBatches is the Monte Carlo standard error of Mean(i) where the weights differ, as under a schedule
// of step sizes. The chain then has no single τ. It is cut into 256 to 512 batches of equal weight, and
// the error is that of the mean of the batches (see (*span).variance). It is TooShort until the number of
// batches is LongEnough for τ in batches. It does not hold for a schedule that changes within a few τ.
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

// uneven reports whether the weights differ: whether their coefficient of variation, squared, is above 1/1000. That is
// so if 0.4% of the draws have half the weight.
func (c *Chain) uneven() bool {
	if c.draws == 0 {
		return false
	}
	c.mom.scan(c.cors, c.w[:c.fill])
	w, w2 := c.mom.weights()
	return float64(c.draws)*w2 > 1.001*w*w
}

// ACF sets dst[t] to the autocorrelation of coordinate i at lag t·every, t = 0, 1, ..., and returns how many it has
// set. It sets as many as the chain and dst allow, and none of a chain that has no autocorrelation. Beyond lag 15
// the correlator has lags an eighth of the lag apart or closer; the values between them are interpolated linearly.
func (c *Chain) ACF(i, every int, dst []float64) int {
	cor := &c.cors[i]
	if c.status(i) != OK {
		return 0
	}
	var cov [lagCount]float64
	n, before, last, var0 := 0, -1, 0.0, 0.0 // before is the lag of last
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
			for ; n*every <= lag; n++ {
				if n == len(dst) {
					return n
				}
				f := float64(n*every-before) / float64(lag-before)
				dst[n] = last + float64(f*(rho-last))
			}
			last, before = rho, lag
		}
	}
	return n
}

// status settles coordinate i, and says why it has no autocorrelation, or OK. It panics if i is no coordinate.
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
	// Numbers near μ are at least |μ|·2^-53 apart. A spread of a few times this distance is rounding.
	if sd := math.Sqrt(max(cov[0], 0)); sd <= math.Abs(cor.shift+mean)*0x1p-50 {
		return Constant
	}
	return OK
}

// window is where the sum over lags ended: lag M and τ_e(M) = 1 + 2 Σ_{t=1}^M ρ_t.
type window struct {
	lag, time  float64
	closed     bool
	antithetic bool    // it is that of anticorrelated draws
	swings     float64 // n times τ's relative variance where the ρ_t swing, see autoregressive
}

// window finds Sokal's window. settle must have been called, and the variance must be positive.
func (c *correlator) window() window {
	var rho, finer [lagCount]float64
	_, to := c.autocov(0, &rho)
	finer = rho
	for k := 1; k < to; k++ {
		rho[k] /= rho[0]
	}
	var0 := rho[0]
	var s lagSum
	var before window
	n := float64(c.levels[0].n) + float64(c.levels[0].fill)
	for k := 1; k < to; k++ {
		w := s.upTo(float64(k), rho[k])
		s.add(1, rho[k])
		if !w.closed {
			before = w
			continue
		}
		var swing bool
		if to == lagCount {
			w, swing = swung(&finer, w, var0, 1, 3/math.Sqrt(n))
		}
		if k >= windowFactor && !swing {
			return w
		}
		if to < lagCount {
			return window{}
		}
		if !swing {
			return c.antithetic(flatTop(&rho))
		}
		if w.closed {
			return w
		}
		// A slow part hides behind the anticorrelation, so the sum goes on beyond lag 15.
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
		averaged(&rho, &finer)
		finer = rho
		m := math.Ldexp(1, l)
		for k := from; k < to; k++ {
			r := rho[k] / var0
			w := s.upTo(math.Ldexp(float64(k), l), r)
			if w.closed {
				w = between(before, w)
				if to == lagCount {
					w, _ = swung(&rho, w, var0, m, 3*bartlett(&rho, float64(n/m)))
				}
				if w.closed {
					return w
				}
			}
			before = w
			s.add(lagWeight(l, k), r)
		}
	}
	return window{}
}

// swung is the end of a window of averages of m draws each, with these autocovariances: w, or that of their
// autoregression where they swing farther than least.
func swung(cov *[lagCount]float64, w window, var0, m, least float64) (of window, swing bool) {
	rho := *cov
	for k := range rho {
		rho[k] /= cov[0]
	}
	if !swings(&rho, max(farFrom0, least)) {
		return w, false
	}
	w = autoregressive(&rho)
	w.time, w.lag, w.swings = w.time*m*cov[0]/var0, m*w.lag, m*w.swings
	w.closed = w.lag >= windowFactor*w.time
	return w, true
}

// bartlett is the standard error of an autocorrelation far from lag 0, √((1 + 2 Σ ρ_t²)/n), of n values with these
// autocovariances (Bartlett 1946, Supplement to the Journal of the Royal Statistical Society 8:27).
func bartlett(cov *[lagCount]float64, n float64) float64 {
	sum := 0.5
	for _, v := range cov[1:] {
		sum += float64(v / cov[0] * (v / cov[0]))
	}
	return math.Sqrt(2 * sum / n)
}

// swings reports whether the ρ_t swing about 0 and have not come to rest by lag 15. They do so if the mean of two
// neighbours is far from 0 at lag 8 or later, and such a mean was far from 0 on the other side before. The mean cancels
// neighbours that alternate.
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

// autoregressive is τ_e = S(0)/C(0) of the autoregression whose first autocorrelations are ρ_1, ..., ρ_15. It is exact
// for an autoregression of lesser order, such as SGHMC on a normal density. Of n draws the relative variances of S(0)
// and C(0) add up to
//
//	(4·15 + 2 Σ_t ρ_t²)/n,   over all lags t of either sign,
//
// the former of autoregressions of order 15 (Berk 1974, Annals of Statistics 2:489), the latter Bartlett's of normal
// draws. It is 1.2 to 2 times what was measured of SGHMC on normal densities.
func autoregressive(rho *[lagCount]float64) window {
	fit := recursion{s: 1}
	cor := *rho
	cor[0] = 1
	for p := 1; p < lagCount && fit.step(&cor, p); p++ {
	}
	t := fit.spectrum()
	return window{lag: lagCount - 1, time: t, closed: lagCount-1 >= windowFactor*t,
		swings: 4*(lagCount-1) + float64(2*fit.squares(&cor))}
}

// lagSum is Σ_{t=1}^M ρ_t over the correlator's lags.
//
// Averages of level l span m = 2^l draws. Lag k of the level holds the mean of ρ_t under a triangle of half width m
// around km. Triangles that are m apart add up to one everywhere, so m times the sum over k is exact inside a level. At
// the lag where a level of step m/2 hands over to one of step m, the latter's first two lags have weights 0.625m and
// 1.125m. With these the total and the first moment of the weights are right, and the error is of third order in m/τ.
// The last lag of a sum has the weight that makes all weights add up to M, as at the end of the trapezoid rule.
type lagSum struct{ sum, weight float64 }

func (s *lagSum) add(weight, rho float64) {
	s.sum += float64(weight * rho)
	s.weight += weight
}

// upTo returns the sum that ends at a lag M with ρ_M = rho. The lags before M must have been added.
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

// between puts the end of the window where M = 5 τ_e(M) on the line from open to closed. Without it coarse lags would
// make the window too wide.
func between(open, closed window) window {
	f0 := open.lag - float64(windowFactor*open.time)
	f1 := closed.lag - float64(windowFactor*closed.time)
	f := -f0 / (f1 - f0)
	closed.time = open.time + float64(f*(closed.time-open.time))
	closed.lag = open.lag + float64(f*(closed.lag-open.lag))
	return closed
}

// flatTop is τ_e by lags 1..15 with the flat-top weights of Politis and Romano (1995, Journal of Time Series Analysis
// 16:67), which are 1 up to lag 8 and fall from there to 0 at lag 16.
func flatTop(rho *[lagCount]float64) float64 {
	t := 1.0
	for k := 1; k < lagCount; k++ {
		h := 1.0
		if k > minLag {
			h = float64(lagCount-k) / (lagCount - minLag)
		}
		t += float64(2 * h * rho[k])
	}
	return t
}
