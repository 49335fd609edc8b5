package metrics

import (
	"math"
	"slices"
)

// Chains are several chains of one distribution that were drawn side by side, with the same number of draws
// and the same weights each. What they say together is that of the one chain where there is only one.
//
// They say nothing of whether the chains agree: see [Comparer].
type Chains []*Chain

// Draws returns the number of draws of all chains.
func (c Chains) Draws() uint64 { return c[0].draws * uint64(len(c)) }

// Mean returns the mean of the chains' means of coordinate i.
func (c Chains) Mean(i int) float64 {
	sum := 0.0
	for _, k := range c {
		sum += k.Mean(i)
	}
	return sum / float64(len(c))
}

// Var returns the variance of all draws of coordinate i about their common mean, with the divisor of [Chain.Var]:
//
//	1/K Σ_k (v_k + (m_k - m)²).
func (c Chains) Var(i int) float64 {
	if len(c) == 1 {
		return c[0].Var(i)
	}
	mean, sum := c.Mean(i), 0.0
	for _, k := range c {
		d := k.Mean(i) - mean
		sum += k.Var(i) + float64(d*d)
	}
	return sum / float64(len(c))
}

// Cov is Chain.Cov of all draws about their common mean.
func (c Chains) Cov(dst []float64) bool {
	if ok := c[0].Cov(dst); !ok || len(c) == 1 {
		return ok
	}
	d := c[0].dim
	one, mean := make([]float64, d*d), make([]float64, d)
	for i := range mean {
		mean[i] = c.Mean(i)
	}
	clear(dst)
	for _, k := range c {
		k.Cov(one)
		for i := range d {
			for j := range d {
				dst[i*d+j] += one[i*d+j] + float64((k.Mean(i)-mean[i])*(k.Mean(j)-mean[j]))
			}
		}
	}
	for i := range dst {
		dst[i] /= float64(len(c))
	}
	return true
}

// ACT returns the τ of coordinate i that gives all draws the effective sizes of the chains together,
//
//	τ = n / (2 Σ_k n_k/(2τ_k)).
//
// Each chain must be LongEnough for this τ by its own length, since a bias that short chains share does
// not average out. It need not be LongEnough for its own τ_k, the largest of which is so by chance.
func (c Chains) ACT(i int) Estimate {
	if len(c) == 1 {
		return c[0].ACT(i)
	}
	act := c.ACTLoose(i)
	switch {
	case !act.OK():
		return act
	case c.Uneven():
		return Withheld(Uneven, act.Draws)
	case !LongEnough(c[0].draws, act.Value):
		return Withheld(TooShort, act.Draws)
	}
	return act
}

// ACTLoose is ACT without the demands that the chains be long enough and the weights equal. It has the
// status of the first chain whose own is withheld.
func (c Chains) ACTLoose(i int) Estimate {
	if len(c) == 1 {
		return c[0].ACTLoose(i)
	}
	ess, square := 0.0, 0.0
	for _, k := range c {
		act := k.ACTLoose(i)
		if !act.OK() {
			return Withheld(act.Status, c.Draws())
		}
		e := ESSOf(act)
		ess += e.Value
		square += float64(e.Error * e.Error)
	}
	n := c.Draws()
	tau := float64(n) / (2 * ess)
	return Known(tau, tau*math.Sqrt(square)/ess, n)
}

// MCSEOf is the Monte Carlo standard error of Mean(i), sd·√(2τ/n), where act is the ACT of the coordinate. It has the
// status of act. If the weights differ it is by batches, and for several chains it is the error of the mean of
// independent means.
func (c Chains) MCSEOf(i int, act Estimate) Estimate {
	switch {
	case act.OK():
		return errorBy(act, c.Var(i))
	case act.Status != Uneven:
		return act
	case len(c) == 1:
		return c[0].mcseByBatches(i)
	}
	square, relative := 0.0, 0.0
	for _, k := range c {
		e := k.mcseByBatches(i)
		if !e.OK() {
			return Withheld(e.Status, c.Draws())
		}
		square += float64(e.Value * e.Value)
		relative += e.Error / e.Value
	}
	n := float64(len(c))
	se := math.Sqrt(square) / n
	return Known(se, se*relative/n/math.Sqrt(n), c.Draws())
}

// ESSBy is the effective sample size of coordinate i, for a caller who has its ACT and MCSE; see [Chain.ESS].
func (c Chains) ESSBy(i int, act, mcse Estimate) Estimate {
	switch {
	case act.Status != Uneven:
		return ESSOf(act)
	case !mcse.OK():
		return mcse
	}
	ess := c.Var(i) / (mcse.Value * mcse.Value)
	return Known(ess, ess*2*mcse.Error/mcse.Value, mcse.Draws)
}

// ACF is Chain.ACF, averaged over the chains.
func (c Chains) ACF(i, every int, dst []float64) int {
	n := c[0].ACF(i, every, dst)
	if len(c) == 1 {
		return n
	}
	one := make([]float64, len(dst))
	for _, k := range c[1:] {
		n = min(n, k.ACF(i, every, one))
		for t := range n {
			dst[t] += one[t]
		}
	}
	for t := range n {
		dst[t] /= float64(len(c))
	}
	return n
}

// Uneven reports whether the weights of the draws differ so much that τ is not one number.
func (c Chains) Uneven() bool { return c[0].uneven() }

// Drifts reports whether a chain drifts in coordinate i, see [Chain.stationarity].
func (c Chains) Drifts(i int) bool {
	return slices.ContainsFunc(c, func(k *Chain) bool { return k.stationarity(i) == Drifting })
}

// Still reports whether no chain moves in coordinate i.
func (c Chains) Still(i int) bool {
	return !slices.ContainsFunc(c, func(k *Chain) bool { return k.status(i) != Constant })
}

// PlainRHat is R-hat of the chains' means and variances of coordinate i as they are (Gelman and Rubin
// 1992), without halves, ranks or a status: a first impression of which coordinate the chains agree on
// the least. It is 1 for one chain.
func (c Chains) PlainRHat(i int) float64 {
	if len(c) == 1 {
		return 1
	}
	mean, between, within := c.Mean(i), 0.0, 0.0
	for _, k := range c {
		d := k.Mean(i) - mean
		between += float64(d * d)
		within += k.Var(i)
	}
	n := float64(len(c))
	return math.Sqrt(1 + between/(n-1)/(within/n))
}
