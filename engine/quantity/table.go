package quantity

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/metrics"
)

// The quantities of a lane, in the order in which tables have them.
const (
	StepsTaken ID = iota
	DrawsKept
	Draws
	Epoch
	Seconds
	StepsPerSecond
	GradientsPerSecond
	OutsideShare
	Loss
	ELBO
	Acceptance
	Divergences
	EBFMI
	MaxACT
	MinESS
	MaxRHat
	NestedRHat
	MinBulkESS
	MinTailESS
	MeanError
	CovError
	CovNoise
	CovBias
	StepError
	FnError
	FnMeanError
	FnBandError
	FnRHat
	FnESS
	FnNLL
	Coverage
	W2
	SlicedW2
	Temperature
	Location
	ESSPerSecond
	ESSPerGradient
	ESSPerStep
	TestError
	NLL
	Brier
	ECE
	TrainError
	TrainNLL
	TrainBrier
	TrainECE
	NewestError
	NewestNLL
	NewestBrier
	NewestECE
	LogPost
	StepSize
	Drift
	Noise
	GMin
	GMax
	N // how many there are
)

// A Headline is a quantity of the line that sums a lane up.
type Headline struct {
	ID   ID
	Of   Facts // the lanes that have it there
	Rank int   // the order in which headlines give way where there is too little room, highest first
}

// Headlines are in the order of the line.
var Headlines = [...]Headline{
	{ELBO, Variational, 0},
	{Loss, Optimising, 0},
	{CovError, 0, 0},
	{FnError, 0, 0},
	{TestError, 0, 1},
	{TrainError, NoTestSet, 1},
	{MaxACT, Sampling, 2},
	{MinESS, Sampling, 4},
	{MaxRHat, Several, 3},
	{Acceptance, 0, 4},
	{Divergences, 0, 4},
	{CovBias, Sampling, 3},
}

// Compared are the quantities by which the runs of a sweep are compared, in the order of their panes.
var Compared = func() (all []ID) {
	for id := range All {
		if All[id].Sweep > 0 {
			all = append(all, ID(id))
		}
	}
	slices.SortFunc(all, func(a, b ID) int { return int(All[a].Sweep) - int(All[b].Sweep) })
	return all
}()

// All are the quantities of a lane.
var All = [N]Quantity{
	StepsTaken: {
		Key: "steps", Symbol: "steps", Name: "steps", Doc: "steps taken",
		Form: Count,
		read: func(r *Reading, _ int) metrics.Estimate { return metrics.Exact(float64(r.State.Step)) },
	},
	DrawsKept: {
		Key: "kept", Symbol: "kept", Name: "draws kept", Doc: "all draws kept",
		Form: Count,
		read: func(r *Reading, _ int) metrics.Estimate { return metrics.Exact(float64(r.State.Kept)) },
	},
	Draws: {
		Key: "draws", Symbol: "draws", Name: "draws", Doc: "draws kept since the newest change",
		Form: Count, Rank: 1,
		read: func(r *Reading, _ int) metrics.Estimate { return metrics.Exact(float64(r.State.Draws)) },
	},
	Epoch: {
		Key: "epoch", Symbol: "epochs", Name: "epochs", Doc: "passes over the data",
		Needs: Data,
		read:  func(r *Reading, _ int) metrics.Estimate { return metrics.Exact(r.State.Epoch) },
	},
	Seconds: {
		Key: "seconds", Symbol: "seconds", Name: "seconds",
		Doc:   "seconds of sampling by the wall clock; differs from run to run",
		Timed: true, Needs: Stepped,
		read: func(r *Reading, _ int) metrics.Estimate { return metrics.Exact(r.State.Seconds) },
	},
	StepsPerSecond: {
		Key: "steps_per_second", Symbol: "steps/s", Name: "steps per second",
		Doc:    "steps per second that the lane was busy; differs from run to run",
		Better: Higher, Timed: true, Needs: Stepped,
		read: func(r *Reading, _ int) metrics.Estimate { return metrics.Exact(r.State.Rate) },
	},
	GradientsPerSecond: {
		Key: "gradients_per_second", Symbol: "gradients/s", Name: "gradients per second",
		Doc:    "gradients per second from a model outside of the program; differs from run to run",
		Better: Higher, Needs: Outside, Result: true, Timed: true, Rank: 4,
		read: func(r *Reading, _ int) metrics.Estimate { return metrics.Exact(r.State.GradientRate) },
	},
	OutsideShare: {
		Key: "outside_share", Symbol: "outside", Name: "time outside",
		Doc:  "share of the sampling time spent waiting for a model outside of the program; differs from run to run",
		Form: Share, Better: Lower, Needs: Outside, Result: true, Timed: true, Rank: 4,
		read: func(r *Reading, _ int) metrics.Estimate { return metrics.Exact(r.State.WaitShare) },
	},
	Loss: {
		Key: "loss", Symbol: "loss", Name: "loss", Doc: "negative log-likelihood per datum, of the newest draw",
		Better: Lower, Needs: Likelihood, Shown: Fitting, Charted: true, Result: true, Sweep: 10, Rank: 2,
		read: func(r *Reading, _ int) metrics.Estimate { return metrics.Exact(r.State.Loss) },
	},
	ELBO: {
		Key: "elbo", Symbol: "ELBO", Name: "ELBO", Doc: "lower bound of the evidence, of a variational family",
		Better: Higher, Needs: Variational, Basis: Steps, Charted: true, Result: true, Sweep: 9, Rank: 2,
		read: func(r *Reading, _ int) metrics.Estimate {
			if math.IsNaN(r.State.ELBO) {
				return metrics.Withheld(metrics.Unknown, 0)
			}
			return metrics.Known(r.State.ELBO, r.State.ELBOError, r.State.Draws)
		},
	},
	Acceptance: {
		Key: "acceptance", Symbol: "acceptance", Name: "acceptance",
		Doc:   "mean probability of acceptance, of hmc and mala",
		Needs: Metropolis, Result: true, Rank: 3,
		read: func(r *Reading, _ int) metrics.Estimate { return metrics.Exact(r.State.Acceptance) },
	},
	Divergences: {
		Key: "divergences", Symbol: "divergences", Name: "divergences",
		Doc:  "trajectories given up because their energy diverged",
		Form: Count, Needs: Trajectories, Result: true, Rank: 5,
		read: func(r *Reading, _ int) metrics.Estimate { return metrics.Exact(float64(r.State.Divergences)) },
	},
	EBFMI: {
		Key: "ebfmi", Symbol: "E-BFMI", Name: "E-BFMI",
		Doc:   "fraction of missing information, by the energies of trajectories",
		Note:  "below 0.3 the tails are explored too slowly",
		Needs: Energies, Basis: Steps, Result: true, Rank: 6,
		read: func(r *Reading, _ int) metrics.Estimate { return r.State.EBFMI },
	},
	MaxACT: {
		Key: "max_act", Aliases: []string{"tau"}, Symbol: "max τ", Name: "max τ",
		Doc:  "autocorrelation time of the slowest coordinate, ½ + Σρ, in draws",
		Note: "2τ draws are worth an independent one", Better: Lower, Basis: Mixing, Result: true, Sweep: 5, Rank: 2,
		Exists: metrics.NoMean,
		read:   func(r *Reading, _ int) metrics.Estimate { return r.slowest.ACT },
	},
	MinESS: {
		Key: "min_ess", Aliases: []string{"ess"}, Symbol: "min ESS", Name: "min ESS",
		Doc: "effective draws of the slowest coordinate", Note: "draws / 2τ. It knows nothing of bias",
		Better: Higher, Basis: Mixing, Result: true, Rank: 2, Exists: metrics.NoMean,
		read: func(r *Reading, _ int) metrics.Estimate { return r.ess(1) },
	},
	MaxRHat: {
		Key: "max_rhat", Aliases: []string{"rhat"}, Symbol: "max R̂", Name: "max R-hat",
		Doc:    "R-hat of the coordinate on which the chains agree the least",
		Note:   "rank-normalised, folded and split. Above 1.01 none of their numbers stands",
		Better: Lower, Form: Ratio, Needs: Ranked | Several, Basis: Sampled, Charted: true, Result: true, Sweep: 7,
		Rank: 1,
		read: func(r *Reading, _ int) metrics.Estimate { return r.rhat(r.slowest.RHat, r.slowest.Bulk) },
	},
	NestedRHat: {
		Key: "nested_rhat", Symbol: "nested R̂", Name: "nested R-hat",
		Doc:    "R-hat of groups of four chains that began at one place, of 16 chains or more",
		Note:   "for chains that are short: about √(1 + 1/4m) where each is worth m effective draws",
		Better: Lower, Form: Ratio, Needs: Ranked | Several, Basis: Sampled, Result: true, Rank: 11,
		read: func(r *Reading, _ int) metrics.Estimate { return r.rhat(r.slowest.Nested, metrics.Estimate{}) },
	},
	MinBulkESS: {
		Key: "min_ess_bulk", Symbol: "bulk ESS", Name: "least bulk ESS",
		Doc:    "effective draws for the middle of the distribution, in the coordinate that has the least",
		Note:   "beyond a million draws, of every k-th. Too low for draws that swing (sghmc)",
		Better: Higher, Needs: Ranked | Several, Basis: Mixing, Ranks: true, Result: true, Rank: 6,
		read: func(r *Reading, _ int) metrics.Estimate { return r.slowest.Bulk },
	},
	MinTailESS: {
		Key: "min_ess_tail", Symbol: "tail ESS", Name: "least tail ESS",
		Doc:    "effective draws for the quantiles of 5% and 95%, in the coordinate that has the least",
		Note:   "beyond a million draws, of every k-th",
		Better: Higher, Needs: Ranked | Several, Basis: Mixing, Ranks: true, Result: true, Rank: 6,
		read: func(r *Reading, _ int) metrics.Estimate { return r.slowest.Tail },
	},
	MeanError: {
		Key: "mean_error", Symbol: "mean error", Name: "mean error", Doc: "root mean square error of the mean",
		Better: Lower, Needs: Truth, Shown: Data, Basis: Chain, Charted: true, Result: true, Sweep: 2, Rank: 5,
		read: func(r *Reading, _ int) metrics.Estimate { return r.mean },
	},
	CovError: {
		Key: "cov_error", Symbol: "cov. error", Name: "covariance error",
		Doc: "sum of the absolute errors of the covariance", Note: "against the target's own covariance",
		Better: Lower, Needs: CovTruth, Basis: Spread, Exact: CovBias, Charted: true, Result: true, Sweep: 1, Rank: 5,
		read: func(r *Reading, _ int) metrics.Estimate {
			e := r.cov
			if se := r.from.Distances().CovSE; e.OK() && se.OK() && !(r.tails > metrics.NoSDError) {
				e.Error = se.Value
			}
			return e
		},
	},
	CovNoise: {
		Key: "cov_noise", Symbol: "of which noise", Name: "noise in the covariance error",
		Doc:    "what the covariance error would be on average without bias, of as many effective draws",
		Note:   "a covariance error that is no larger tells of no bias. It shrinks with more draws",
		Better: Lower, Needs: CovTruth, Basis: Spread, Result: true, Rank: 8, Exists: metrics.NoSDError,
		read: func(r *Reading, _ int) metrics.Estimate { return r.from.Distances().CovNoise },
	},
	CovBias: {
		Key: "cov_bias", Aliases: []string{"bias"}, Symbol: "bias", Name: "exact bias",
		Doc:    "the part of the covariance error that the step size causes, where it is known exactly",
		Note:   "it does not shrink with more draws",
		Better: Lower, Needs: CovTruth, Result: true, Sweep: 6, Rank: 9,
		read: func(r *Reading, _ int) metrics.Estimate {
			if bias := r.from.Bias(); !math.IsNaN(bias) {
				return metrics.Exact(bias)
			}
			return metrics.Withheld(metrics.Absent, 0)
		},
	},
	StepError: {
		Key: "expected_error", Symbol: "exp. error", Name: "expected error",
		Doc:  "root of the step's squared bias and the squared Monte Carlo error, of means and variances, in posterior sd",
		Note: "without a truth, by companions at smaller steps", Better: Lower, Needs: Extrapolated, Shown: Sampling,
		Result: true, Sweep: 3,
		read: func(r *Reading, _ int) metrics.Estimate { return r.State.Expected },
	},
	FnError: {
		Key: "fn_error", Symbol: "fn error", Name: "function error",
		Doc:  "the larger of the errors of the function's mean and of its band, against the truth",
		Note: "a part of the truth's own band. Good runs have 0.05 to 0.1", Better: Lower, Needs: FunctionTruth,
		Basis: Described, Charted: true, Result: true, Sweep: 1, Rank: 5,
		read: func(r *Reading, _ int) metrics.Estimate {
			f := r.from.Function()
			if f.Mean.OK() && f.Band.Value > f.Mean.Value {
				return f.Band
			}
			return f.Mean
		},
	},
	FnMeanError: {
		Key: "fn_mean_error", Symbol: "fn mean error", Name: "error of the function's mean",
		Doc:    "sum over the grid of what the mean is off the truth's, over the sum of the truth's sd",
		Better: Lower, Needs: FunctionTruth, Basis: Described, Charted: true, Result: true, Rank: 9,
		read: func(r *Reading, _ int) metrics.Estimate { return r.from.Function().Mean },
	},
	FnBandError: {
		Key: "fn_band_error", Symbol: "fn band error", Name: "error of the function's band",
		Doc:    "sum over the grid of what the sd is off the truth's, over the sum of the truth's sd",
		Better: Lower, Needs: FunctionTruth, Basis: Described, Charted: true, Result: true, Rank: 9,
		read: func(r *Reading, _ int) metrics.Estimate { return r.from.Function().Band },
	},
	FnRHat: {
		Key: "fn_rhat", Symbol: "fn R̂", Name: "R-hat of the function",
		Doc:  "R-hat of the chains as functions, or of the halves of one, at the place where it is largest",
		Note: "weights have symmetries, so that theirs can be large where the functions agree", Better: Lower, Form: Ratio,
		Needs: Functional, Basis: Sampled, Result: true, Rank: 9,
		read: func(r *Reading, _ int) metrics.Estimate { return r.from.Function().RHat },
	},
	FnESS: {
		Key: "fn_ess", Symbol: "fn ESS", Name: "effective draws of the function",
		Doc:    "effective draws of all chains for the middle of the function's value, where these are fewest",
		Note:   "of a long run it is at least so many: of the function not every draw is kept",
		Better: Higher, Needs: Functional, Basis: Sampled, Result: true, Rank: 9,
		read: func(r *Reading, _ int) metrics.Estimate { return r.from.Function().ESS },
	},
	FnNLL: {
		Key: "fn_nll", Symbol: "fn NLL", Name: "NLL held out",
		Doc:    "negative log-likelihood per datum held out, of the average over the draws",
		Better: Lower, Needs: HeldOut | OnLine, Basis: Described, Result: true, Rank: 9,
		read: func(r *Reading, _ int) metrics.Estimate { return r.from.Function().NLL },
	},
	Coverage: {
		Key: "coverage", Symbol: "coverage", Name: "coverage of the 90% band",
		Doc: "share of the data held out that lie within the central 90% of the averaged prediction; of two classes, " +
			"whose class is in the least set with 90% of the probability",
		Note: "where it is unsure that set is both classes",
		Form: Share, Better: Neither, Needs: HeldOut, Basis: Described, Result: true, Rank: 9,
		read: func(r *Reading, _ int) metrics.Estimate { return r.from.Function().Coverage },
	},
	W2: {
		Key: "w2", Symbol: "W2", Name: "Wasserstein distance",
		Doc:  "Wasserstein-2 distance of the normal distributions with the moments of draws and target",
		Note: "mean and covariance in one number, in the units of θ", Better: Lower, Needs: CovTruth, Basis: Spread,
		Charted: true, Result: true, Rank: 13,
		read: func(r *Reading, _ int) metrics.Estimate { return r.known(r.from.Distances().W2) },
	},
	SlicedW2: {
		Key: "sliced_w2", Symbol: "sliced W2", Name: "sliced Wasserstein distance",
		Doc:    "Wasserstein-2 distance of draws and target along a direction, root mean square over directions",
		Note:   "it sees the shape too. Of 1,000 exact draws it is 0.05 sd",
		Better: Lower, Needs: CovTruth | Drawable, Basis: Spread, Charted: true, Result: true, Rank: 13,
		read: func(r *Reading, _ int) metrics.Estimate {
			if r.State.Uneven {
				return metrics.Withheld(metrics.Uneven, r.State.Draws)
			}
			return r.known(r.from.Distances().Sliced)
		},
	},
	Temperature: {
		Key: "temperature", Symbol: "temperature", Name: "temperature",
		Doc:    "centred configurational temperature, T for a correct sampler",
		Note:   "above T the draws are on average too wide, below it too narrow. sgnht holds it at T by design",
		Better: Near, Basis: Chain, Charted: true, Result: true, Rank: 4, Needs: Sloped,
		read: func(r *Reading, _ int) metrics.Estimate {
			if !r.State.Facts.Has(Sampling) {
				return metrics.Withheld(metrics.NotSampled, r.State.Draws)
			}
			return r.from.Temperature()
		},
	},
	Location: {
		Key: "location_z", Symbol: "location z", Name: "location",
		Doc: "z-score of E∇U, beyond ±3 for draws that are not stationary",
		Note: "of the coordinate that is off the most. It says nothing of the bias of a constant step, which " +
			"holds E∇U at 0",
		Basis: Chain, Result: true, Rank: 9, Needs: Sloped,
		read: func(r *Reading, _ int) metrics.Estimate {
			if !r.State.Facts.Has(Sampling) {
				return metrics.Withheld(metrics.NotSampled, r.State.Draws)
			}
			z := r.from.Location()
			z.Error = nan // it is in units of its own
			return z
		},
	},
	ESSPerSecond: {
		Key: "ess_per_second", Symbol: "ESS/s", Name: "ESS per second",
		Doc:    "effective draws per second that the lane was busy; differs from run to run",
		Better: Higher, Basis: Mixing, Result: true, Timed: true, Rank: 10, Exists: metrics.NoMean, Needs: Stepped,
		read: func(r *Reading, _ int) metrics.Estimate { return r.ess(r.State.WindowSeconds) },
	},
	ESSPerGradient: {
		Key: "ess_per_gradient", Symbol: "ESS/gradient", Name: "ESS per gradient",
		Doc:    "effective draws per gradient evaluation, of one datum each",
		Better: Higher, Basis: Mixing, Rank: 11, Exists: metrics.NoMean, Needs: Stepped,
		read: func(r *Reading, _ int) metrics.Estimate { return r.ess(r.State.WindowGradients) },
	},
	ESSPerStep: {
		Key: "ess_per_1000_steps", Symbol: "ESS/1,000 steps", Name: "ESS for 1,000 steps",
		Doc:    "effective draws per 1,000 steps",
		Better: Higher, Basis: Mixing, Sweep: 7, Exists: metrics.NoMean,
		read: func(r *Reading, _ int) metrics.Estimate { return r.ess(float64(r.State.Step) / 1000) },
	},
	TestError: {
		Key: "test_error", Symbol: "test error", Name: "test error",
		Doc:  "share of the test data that the averaged probabilities get wrong",
		Form: Share, Better: Lower, Needs: TestSet, Basis: Predictions, Charted: true, Result: true, Sweep: 4,
		score: func(s *Scores) (float64, uint64) { return s.Test.Error, s.Test.Draws },
	},
	NLL: {
		Key: "nll", Symbol: "NLL", Name: "test NLL",
		Doc:    "negative log-likelihood per test datum, of the averaged probabilities",
		Better: Lower, Needs: TestSet, Basis: Predictions, Charted: true, Result: true, Sweep: 8,
		score: func(s *Scores) (float64, uint64) { return s.Test.NLL, s.Test.Draws },
	},
	Brier: {
		Key: "brier", Symbol: "Brier", Name: "Brier score",
		Doc:    "Brier score on the test data, of the averaged probabilities",
		Note:   "the mean square of what the probabilities are off by, from 0 to 2",
		Better: Lower, Needs: TestSet, Basis: Predictions, Charted: true, Result: true,
		score: func(s *Scores) (float64, uint64) { return s.Test.Brier, s.Test.Draws },
	},
	ECE: {
		Key: "ece", Symbol: "ECE", Name: "calibration error",
		Doc:    "expected calibration error of the averaged probabilities",
		Note:   "how far confidence is from accuracy, over bins of confidence",
		Better: Lower, Needs: TestSet, Basis: Predictions, Charted: true, Result: true,
		score: func(s *Scores) (float64, uint64) { return s.Test.ECE, s.Test.Draws },
	},
	TrainError: {
		Key: "train_error", Symbol: "train error", Name: "training error",
		Doc:  "test_error on the training data, where it is evaluated",
		Form: Share, Better: Lower, Needs: TrainingSet, Basis: Predictions, Charted: true, Result: true,
		score: func(s *Scores) (float64, uint64) { return s.Training.Error, s.Training.Draws },
	},
	TrainNLL: {
		Key: "train_nll", Symbol: "train NLL", Name: "training NLL",
		Doc:    "nll on the training data, where it is evaluated",
		Better: Lower, Needs: TrainingSet, Basis: Predictions, Charted: true,
		score: func(s *Scores) (float64, uint64) { return s.Training.NLL, s.Training.Draws },
	},
	TrainBrier: {
		Key: "train_brier", Symbol: "train Brier", Name: "training Brier score",
		Doc:    "brier on the training data, where it is evaluated",
		Better: Lower, Needs: TrainingSet, Basis: Predictions, Charted: true,
		score: func(s *Scores) (float64, uint64) { return s.Training.Brier, s.Training.Draws },
	},
	TrainECE: {
		Key: "train_ece", Symbol: "train ECE", Name: "training calibration error",
		Doc:    "ece on the training data, where it is evaluated",
		Better: Lower, Needs: TrainingSet, Basis: Predictions, Charted: true,
		score: func(s *Scores) (float64, uint64) { return s.Training.ECE, s.Training.Draws },
	},
	NewestError: {
		Key: "newest_error", Symbol: "newest error", Name: "error of the newest draw",
		Doc:  "test_error of the newest draw alone",
		Form: Share, Better: Lower, Needs: Data, Basis: Predictions, Charted: true,
		score: func(s *Scores) (float64, uint64) { return s.Newest.Error, s.Newest.Draws },
	},
	NewestNLL: {
		Key: "newest_nll", Symbol: "newest NLL", Name: "NLL of the newest draw", Doc: "nll of the newest draw alone",
		Better: Lower, Needs: Data, Basis: Predictions, Charted: true,
		score: func(s *Scores) (float64, uint64) { return s.Newest.NLL, s.Newest.Draws },
	},
	NewestBrier: {
		Key: "newest_brier", Symbol: "newest Brier", Name: "Brier score of the newest draw",
		Doc:    "brier of the newest draw alone",
		Better: Lower, Needs: Data, Basis: Predictions,
		score: func(s *Scores) (float64, uint64) { return s.Newest.Brier, s.Newest.Draws },
	},
	NewestECE: {
		Key: "newest_ece", Symbol: "newest ECE", Name: "calibration error of the newest draw",
		Doc:    "ece of the newest draw alone",
		Better: Lower, Needs: Data, Basis: Predictions,
		score: func(s *Scores) (float64, uint64) { return s.Newest.ECE, s.Newest.Draws },
	},
	LogPost: {
		Key: "log_posterior", Aliases: []string{"log_post"}, Symbol: "log posterior", Name: "log posterior",
		Doc:   "log posterior of the newest draw, up to a constant",
		Needs: Density, Charted: true,
		read: func(r *Reading, _ int) metrics.Estimate { return metrics.Exact(r.State.LogPost) },
	},
	StepSize: {
		Key: "eps_now", Symbol: "ε in force", Name: "ε in force", Doc: "step size that the schedule has reached",
		Needs: Stepped,
		read:  func(r *Reading, _ int) metrics.Estimate { return metrics.Exact(r.State.Eps) },
	},
	Drift: {
		Key: "drift", Symbol: "‖drift‖", Name: "drift", Doc: "norm of the newest step's drift",
		Note: "ε/2 (G ∇log p + Γ)", Charted: true, Rank: 14,
		Needs: Stepped,
		read:  func(r *Reading, _ int) metrics.Estimate { return r.stepped(r.State.Drift) },
	},
	Noise: {
		Key: "noise", Symbol: "‖noise‖", Name: "noise", Doc: "norm of the newest step's noise",
		Note: "a draw of N(0, T ε G)", Charted: true, Rank: 15,
		Needs: Stepped,
		read:  func(r *Reading, _ int) metrics.Estimate { return r.stepped(r.State.Noise) },
	},
	GMin: {
		Key: "g_min", Aliases: []string{"gmin"}, Symbol: "least G", Name: "smallest G",
		Doc: "smallest entry of the newest step's preconditioner G", Note: "1 for SGLD",
		Charted: true, Rank: 16, Needs: Stepped,
		read: func(r *Reading, _ int) metrics.Estimate { return r.stepped(r.State.GMin) },
	},
	GMax: {
		Key: "g_max", Aliases: []string{"gmax"}, Symbol: "greatest G", Name: "largest G",
		Doc: "largest entry of the newest step's preconditioner G", Note: "1 for SGLD",
		Charted: true, Rank: 16, Needs: Stepped,
		read: func(r *Reading, _ int) metrics.Estimate { return r.stepped(r.State.GMax) },
	},
}

var nan = math.NaN()
