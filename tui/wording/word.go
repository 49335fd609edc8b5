package wording

import (
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A Word is a word of the screen that not everybody knows and that is no quantity.
type Word struct{ word, meaning string }

// The words. DifferASCII is the sign of Differ on a screen of ASCII.
var (
	TooShort = Word{"too short",
		"fewer than 150 τ draws, in the slowest coordinate: the number would mislead. After ≈ it is shown all the same"}
	Skewed = Word{"skewed",
		"fewer than 800 τ draws, with excursions to one side that were too few to tell how slow they are"}
	Drifting = Word{"drifting",
		"parts of the chain differ by more than chance: it has not settled yet, or mixes too slowly to tell. More " +
			"steps tell, and a burn-in drops a start that is far out"}
	Disagree = Word{"chains disagree",
		"chains of one lane differ by more than chance (R̂ of 1.01 or more): they have not found the same distribution"}
	Divergent = Word{"divergences",
		"trajectories given up because their energy grew without bound. If more than one in a thousand are, parts " +
			"of the target are missed: raise accept, or take a smaller ε"}
	Mode = Word{"mode",
		"no draw is where at least a twentieth of the target's mass is, which is known, or a mean that no step can " +
			"bias, such as HMC's, is off by ten standard errors: start several chains further apart"}
	Bias = Word{"bias",
		"the mean is off the target's own, which is known, by ten standard errors and half a standard deviation: " +
			"the step is too large, or a part was not seen"}
	Tails = Word{"tails",
		"tails so heavy that there may be no such moment, by Pareto's k of the most extreme draws: a mean up to " +
			"0.7, a standard deviation up to 0.5. Quantiles stand"}
	Frozen = Word{"frozen",
		"the schedule has made the steps so small that more draws hardly count: by their step sizes they are worth " +
			"less than a tenth of their number"}
	Window         = Word{"estimates", "from the draws since the newest change of a setting, without those before"}
	BeforeAndAfter = Word{"before and after",
		"the estimates from the draws before the newest change, and from those since"}
	Autocorrelation = Word{"autocorrelation",
		"the correlation of draws that are a lag apart: the faster it falls, the better the chain mixes"}
	Ranks = Word{"ranks",
		"how many of a chain's draws have which rank among those of all chains: where the chains agree all bars " +
			"are half as high"}
	TwoSD = Word{"2 sd",
		"the ellipse that holds 86 % of a normal density of that covariance: the target's and that of the draws"}
	NextStep    = Word{"noise", "of the next step: its standard deviation, √(TεG) in each direction"}
	Discrepancy = Word{"discrepancy",
		"kernel Stein discrepancy of up to 1,000 of the newest draws from the target, by its gradient: in place, " +
			"spread and shape, but for modes that no draw is near"}
	ExactDraws = Word{"exact draws",
		"the band in which as many independent draws of the target itself lie in 90 % of cases, by a wild bootstrap"}
	True     = Word{"true", "of the target itself, computed exactly or found by a long run of HMC"}
	RangeOfG = Word{"range of G",
		"the smallest and the largest entry of the newest step's preconditioner; 1 for SGLD"}
	LearningRate = Word{"h", "εN/2, the step per mean gradient: what others call the learning rate"}
	Together     = Word{"together",
		"all lanes take as many steps, also where one went back or came later; :race lets each run as fast as it can"}
	Race        = Word{"race", "all lanes have the same processor time; :race makes all take the same number of steps"}
	BurnIn      = Word{"burn-in", "the first steps, which are dropped from all estimates"}
	Differ      = Word{"≠", differing}
	DifferASCII = Word{"!", differing}
	Averaged    = Word{"averaged",
		"the probabilities averaged over the kept draws, which is what a sampler predicts with"}
	Newest      = Word{"newest", "the newest draw alone, as an optimiser would predict"}
	Calibration = Word{"calibration",
		"of all predictions made with probability p, a share p should be right: the dashed line"}
	Apart = Word{"lanes differ by",
		"how far the lanes' probabilities differ, half the sum over the classes: 0 the same, 1 altogether different"}
	Entropy   = Word{"H", "entropy of the averaged probabilities in nats: all of the uncertainty"}
	Mutual    = Word{"I", "mutual information of label and weights: the part of H on which the draws disagree"}
	PlusMinus = Word{"±", "beside a mean its standard error; beside a probability its spread over the draws, the " +
		"light part of its bar"}
	Live = Word{"live", "the value that the session runs with"}
)

const differing = "beside a parameter: the lanes have different values of it"

// Explain returns the word and what it means.
func (w Word) Explain() (word, meaning string) { return w.word, w.meaning }

// ofStatus are the words that are statuses.
var ofStatus = map[metrics.Status]Word{
	metrics.TooShort: TooShort, metrics.Skewed: Skewed, metrics.Drifting: Drifting, metrics.Disagree: Disagree,
	metrics.Divergent: Divergent,
	metrics.Mode:      Mode, metrics.Bias: Bias, metrics.Tails: Tails, metrics.Frozen: Frozen,
}

// OfStatus is a status as a term, nil where it speaks for itself.
func OfStatus(s metrics.Status) plane.Term {
	if w, ok := ofStatus[s]; ok {
		return w
	}
	return nil
}

// quantityTerm is a quantity as a term.
type quantityTerm quantity.Quantity

// Of is a quantity as a term: always the same of the same.
func Of(q *quantity.Quantity) plane.Term { return (*quantityTerm)(q) }

// Explain returns the quantity's symbol and what it says. Plain counts, clocks and moments need no explanation.
func (q *quantityTerm) Explain() (word, meaning string) {
	switch {
	case q.Basis == quantity.Described, q.Basis == quantity.Always && (q.Form == quantity.Count || q.Timed):
		return q.Symbol, ""
	case q.Note != "":
		return q.Symbol, q.Doc + "; " + q.Note
	}
	return q.Symbol, q.Doc
}

// Within is what the explanation of a term takes for known, nil for nothing: of the worst
// of all coordinates, what that is of one.
func Within(t plane.Term) plane.Term {
	for of, part := range map[quantity.ID]quantity.CoordID{
		quantity.MaxACT: quantity.ACT, quantity.MaxRHat: quantity.RHat, quantity.MinESS: quantity.ESS,
		quantity.ESSPerSecond: quantity.ESS, quantity.ESSPerGradient: quantity.ESS, quantity.ESSPerStep: quantity.ESS,
	} {
		if t == Of(&quantity.All[of]) {
			return Of(&quantity.Coordinates[part])
		}
	}
	return nil
}
