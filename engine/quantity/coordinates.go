package quantity

import (
	"math"

	"github.com/psgld/psgld-tui/metrics"
)

// The quantities of a coordinate.
const (
	Mean CoordID = iota
	SD
	Variance
	MCSE
	ACT
	ESS
	Lag1
	MeanBias
	TrueMean
	TrueSD
	NumCoord // how many there are
)

// Coordinates are the quantities of a coordinate. Those whose Basis is Described tell of the draws that there are, and say
// something of the target only where a chain can be trusted.
var Coordinates = [NumCoord]Quantity{
	Mean: {
		Key: "mean", Symbol: "mean", Name: "mean", Doc: "mean of the draws", Basis: Described, Result: true,
		read: func(r *Reading, i int) metrics.Estimate {
			return metrics.Known(r.from.Chains().Mean(i), r.mcse.Value, r.State.Draws)
		},
	},
	SD: {
		Key: "sd", Symbol: "sd", Name: "standard deviation", Doc: "standard deviation of the draws", Basis: Described, Result: true,
		read: func(r *Reading, i int) metrics.Estimate { return r.known(math.Sqrt(r.from.Chains().Var(i))) },
	},
	Variance: {
		Key: "var", Symbol: "variance", Name: "variance", Doc: "variance of the draws", Basis: Described,
		read: func(r *Reading, i int) metrics.Estimate { return r.known(r.from.Chains().Var(i)) },
	},
	MCSE: {
		Key: "mcse", Symbol: "MCSE", Name: "standard error of the mean", Doc: "Monte Carlo standard error of the mean", Basis: Mixing, Result: true,
		read: func(r *Reading, _ int) metrics.Estimate { return r.mcse },
	},
	ACT: {
		Key: "act", Aliases: []string{"tau"}, Symbol: "τ", Name: "τ", Doc: "autocorrelation time ½ + Σρ, in draws",
		Note: "2τ draws are worth an independent one", Better: Lower, Basis: Mixing, Result: true,
		read: func(r *Reading, _ int) metrics.Estimate { return r.act },
	},
	ESS: {
		Key: "ess", Symbol: "ESS", Name: "ESS", Doc: "effective draws", Note: "draws / 2τ. It knows nothing of bias",
		Better: Higher, Basis: Mixing, Result: true,
		read: func(r *Reading, i int) metrics.Estimate { return r.from.Chains().ESSBy(i, r.act, r.mcse) },
	},
	Lag1: {
		Key: "lag1", Symbol: "ρ₁", Name: "lag-1 correlation", Doc: "correlation of neighbouring draws", Basis: Chain,
		read: func(r *Reading, i int) metrics.Estimate {
			var acf [2]float64
			if r.from.Chains().ACF(i, acf[:]) < 2 {
				return metrics.Withheld(metrics.TooShort, r.State.Draws)
			}
			return r.known(acf[1])
		},
	},
	MeanBias: {
		Key: "bias", Symbol: "bias", Name: "bias of the mean", Doc: "mean of the draws less the target's", Needs: Reference, Basis: Chain, Result: true,
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
		Key: "true_sd", Symbol: "true sd", Name: "true standard deviation", Doc: "standard deviation of the target", Needs: Truth,
		read: func(r *Reading, i int) metrics.Estimate {
			_, sd := r.from.TrueMoments(i)
			return metrics.Exact(sd)
		},
	},
}
