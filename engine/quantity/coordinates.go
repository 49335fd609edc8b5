package quantity

import (
	"math"

	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// The quantities of a coordinate.
const (
	Mean CoordID = iota
	SD
	Variance
	MCSE
	ACT
	ESS
	RHat
	BulkESS
	TailESS
	SDError
	Q5
	Q95
	ParetoK
	StepBias
	StepBiasVar
	QuarterMean
	QuarterVar
	Lag1
	MeanBias
	TrueMean
	TrueSD
	NumCoord // how many there are
)

// Coordinates are the quantities of a coordinate. Those whose Basis is Described tell of the draws that there are, and
// say something of the target only where a chain can be trusted.
var Coordinates = [NumCoord]Quantity{
	Mean: {
		Key: "mean", Error: MCSE, Symbol: "mean", Name: "mean", Doc: "mean of the draws",
		Basis: Described, Result: true, Row: Row{MeanError, 0, [2]uint8{12, 13}}, Exists: metrics.NoMean,
		read: func(r *Reading, i int) metrics.Estimate {
			return metrics.Known(r.from.Chains().Mean(i), nan, r.State.Draws)
		},
	},
	SD: {
		Key: "sd", Error: SDError, Symbol: "sd", Name: "standard deviation", Doc: "standard deviation of the draws",
		Basis: Described, Result: true, Exists: metrics.NoSD,
		read: func(r *Reading, i int) metrics.Estimate { return r.known(math.Sqrt(r.from.Chains().Var(i))) },
	},
	Variance: {
		Key: "var", Symbol: "variance", Name: "variance", Doc: "variance of the draws", Basis: Described,
		Exists: metrics.NoSD,
		read:   func(r *Reading, i int) metrics.Estimate { return r.known(r.from.Chains().Var(i)) },
	},
	MCSE: {
		Key: "mcse", Symbol: "MCSE", Name: "standard error of the mean", Doc: "Monte Carlo standard error of the mean",
		Basis: Mixing, Result: true, Shown: Nowhere, Goal: Goal{"standard deviations at most", 0, 1, 0.01},
		Exists: metrics.NoMean,
		read:   func(r *Reading, _ int) metrics.Estimate { return r.mcse },
	},
	ACT: {
		Key: "act", Aliases: []string{"tau"}, Symbol: "τ", Name: "τ", Doc: "autocorrelation time ½ + Σρ, in draws",
		Note:   "half the 1 + 2Σρ of some books. 2τ draws are worth an independent one",
		Better: Lower, Basis: Mixing, Result: true, Shown: Alone, Row: Row{MaxACT, Sampling, [2]uint8{4, 7}},
		Exists: metrics.NoMean,
		read:   func(r *Reading, _ int) metrics.Estimate { return r.act },
	},
	ESS: {
		Key: "ess", Symbol: "ESS", Name: "ESS", Doc: "effective draws", Note: "draws / 2τ. It knows nothing of bias",
		Better: Higher, Basis: Mixing, Result: true, Shown: Alone, Goal: Goal{"at least", 0, math.Inf(1), 400},
		Exists: metrics.NoMean,
		read:   func(r *Reading, i int) metrics.Estimate { return r.from.Chains().ESSBy(i, r.act, r.mcse) },
	},
	RHat: {
		Key: "rhat", Symbol: "R̂", Name: "R-hat",
		Doc:    "how much more all chains together spread than each by itself; of one chain, its halves",
		Note:   "1 where they agree. 1.01 tells that they do not; of one chain, from 1,000 ESS on",
		Better: Lower, Form: Ratio, Needs: Identified, Basis: Sampled, Result: true, Shown: Sampling,
		Row: Row{MaxRHat, Several | Ranked, [2]uint8{1, 5}}, Goal: Goal{"at most", 1, 2, metrics.RHatBound},
		read: func(r *Reading, _ int) metrics.Estimate {
			return r.rhat(r.compared.TellingRHat(), r.compared.BulkESS)
		},
	},
	BulkESS: {
		Key: "ess_bulk", Symbol: "bulk ESS", Name: "bulk ESS",
		Doc:    "effective draws of all chains for the middle of the distribution",
		Note:   "by ranks, 100 a chain at least. Draws that swing (sghmc, sgnht) make it 2 to 6 times too low: see ESS",
		Better: Higher, Needs: Identified, Basis: Mixing, Result: true, Shown: Sampling,
		read: func(r *Reading, _ int) metrics.Estimate { return r.compared.BulkESS },
	},
	TailESS: {
		Key: "ess_tail", Symbol: "tail ESS", Name: "tail ESS",
		Doc: "effective draws of all chains for the 5% and 95% quantiles", Note: "the lesser of the two",
		Better: Higher, Needs: Identified, Basis: Mixing, Result: true, Shown: Sampling,
		read: func(r *Reading, _ int) metrics.Estimate { return r.compared.TailESS },
	},
	SDError: {
		Key: "mcse_sd", Symbol: "MCSE sd", Name: "standard error of the sd",
		Doc:   "Monte Carlo standard error of the standard deviation",
		Needs: Identified, Basis: Mixing, Result: true, Shown: Nowhere, Exists: metrics.NoSDError,
		read: func(r *Reading, _ int) metrics.Estimate {
			e := r.compared.SD
			if e.OK() {
				e = metrics.Known(e.Error, nan, e.Draws)
			}
			return e
		},
	},
	Q5: {
		Key: "q5", ErrorKey: "mcse_q5", Symbol: "5%", Name: "5% quantile",
		Doc:   "5% quantile of the draws of all chains",
		Needs: Identified, Basis: Mixing, Result: true, Shown: Sampling,
		read: func(r *Reading, _ int) metrics.Estimate { return r.compared.Q5 },
	},
	Q95: {
		Key: "q95", ErrorKey: "mcse_q95", Symbol: "95%", Name: "95% quantile",
		Doc:   "95% quantile of the draws of all chains",
		Needs: Identified, Basis: Mixing, Result: true, Shown: Sampling,
		read: func(r *Reading, _ int) metrics.Estimate { return r.compared.Q95 },
	},
	ParetoK: {
		Key: "pareto_k", ErrorKey: "pareto_k_se", Symbol: "Pareto k", Name: "Pareto k of the tails",
		Doc:    "shape of the heavier tail: moments of an order below 1/k exist",
		Note:   "above 0.25 there is no error of the sd, above 0.5 no sd, above 0.7 no mean",
		Better: Lower, Needs: Identified, Basis: Mixing, Result: true, Shown: Sampling,
		Row:  Row{MaxRHat, Identified, [2]uint8{15, 15}},
		read: func(r *Reading, i int) metrics.Estimate { return r.from.Tails(i) },
	},
	StepBias: {
		Key: "step_bias", ErrorKey: "step_bias_se", Symbol: "bias", Name: "bias of the step",
		Doc:   "bias of the mean that the step size causes, by extrapolation to step size 0",
		Note:  "it is in units of the coordinate, and says nothing of other biases",
		Needs: Extrapolated, Basis: Sampled, Result: true, Shown: Sampling, Head: "step bias of mean",
		Row:  Row{MaxRHat, 0, [2]uint8{10, 13}},
		read: func(r *Reading, _ int) metrics.Estimate { return r.stepBias[0] },
	},
	StepBiasVar: {
		Key: "step_bias_var", ErrorKey: "step_bias_var_se", Symbol: "var bias",
		Name:  "bias of the step, of the variance",
		Doc:   "bias of the variance that the step size causes, as a part of the unbiased one",
		Note:  "0.2 is a variance a fifth too large",
		Needs: Extrapolated, Basis: Sampled, Result: true, Shown: Sampling, Head: "of variance, relative",
		Row:  Row{MaxRHat, 0, [2]uint8{3, 6}},
		read: func(r *Reading, _ int) metrics.Estimate { return r.stepBias[1] },
	},
	QuarterMean: {
		Key: "quarter_diff", ErrorKey: "quarter_diff_se", Symbol: "vs ε/4", Name: "mean against itself at ε/4",
		Doc:   "mean less that of the method itself at a quarter of ε",
		Note:  "it is in units of the coordinate. What it is of the step's bias is not known",
		Needs: Quartered, Basis: Sampled, Result: true, Shown: Sampling, Head: "mean against itself at ε/4",
		Row:  Row{MaxRHat, 0, [2]uint8{10, 13}},
		read: func(r *Reading, _ int) metrics.Estimate { return r.stepBias[0] },
	},
	QuarterVar: {
		Key: "quarter_diff_var", ErrorKey: "quarter_diff_var_se", Symbol: "var vs ε/4",
		Name:  "variance against itself at ε/4",
		Doc:   "variance over that of the method itself at a quarter of ε, less 1",
		Note:  "0.2 is a variance a fifth larger",
		Needs: Quartered, Basis: Sampled, Result: true, Shown: Sampling, Head: "of variance, relative",
		Row:  Row{MaxRHat, 0, [2]uint8{3, 6}},
		read: func(r *Reading, _ int) metrics.Estimate { return r.stepBias[1] },
	},
	Lag1: {
		Key: "lag1", Symbol: "ρ₁", Name: "lag-1 correlation", Doc: "correlation of neighbouring draws", Basis: Chain,
		read: func(r *Reading, i int) metrics.Estimate {
			var acf [2]float64
			if r.from.Chains().ACF(i, 1, acf[:]) < 2 {
				return metrics.Withheld(metrics.TooShort, r.State.Draws)
			}
			return r.known(acf[1])
		},
	},
	MeanBias: {
		Key: "bias", Symbol: "bias", Name: "bias of the mean", Doc: "mean of the draws less the target's",
		Needs: Reference, Basis: Chain, Result: true, Shown: Nowhere, Exists: metrics.NoMean,
		read: func(r *Reading, i int) metrics.Estimate {
			truth, _ := r.from.TrueMoments(i)
			return r.known(r.from.Chains().Mean(i) - truth)
		},
	},
	TrueMean: {
		Key: "true_mean", Symbol: "true mean", Name: "true mean", Doc: "mean of the target", Needs: Truth,
		read: func(r *Reading, i int) metrics.Estimate {
			mean, _ := r.from.TrueMoments(i)
			return metrics.Exact(mean)
		},
	},
	TrueSD: {
		Key: "true_sd", Symbol: "true sd", Name: "true standard deviation", Doc: "standard deviation of the target",
		Needs: Truth,
		read: func(r *Reading, i int) metrics.Estimate {
			_, sd := r.from.TrueMoments(i)
			return metrics.Exact(sd)
		},
	},
}

// OffTruth is the one of a coordinate's mean and sd that is farther off the truth, by z standard errors: off is how
// many of the truth's sds the mean is from the truth's, or how many times the truth's the sd is less 1. The error of a
// mean of the truth is so much of its sd, and that of the sd no more. z is 0 where neither is known.
func (v *CoordValues) OffTruth(truthError float64) (of CoordID, off metrics.Estimate, z float64) {
	scale := v[TrueSD].Value
	if !v[TrueSD].OK() || !(scale > 0) {
		return of, off, 0
	}
	for id, truth := range [...]float64{Mean: v[TrueMean].Value, SD: scale} {
		id := CoordID(id)
		e := metrics.Known((v[id].Value-truth)/scale, libm.Hypot(v[id].Error/scale, truthError), v[id].Draws)
		if by := math.Abs(e.Value) / e.Error; v[id].OK() && by > z {
			of, off, z = id, e, by
		}
	}
	return of, off, z
}
