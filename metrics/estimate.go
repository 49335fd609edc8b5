package metrics

import (
	"fmt"
	"math"
)

// Status says whether an estimate can be trusted, and if not, why not.
type Status uint8

const (
	Absent        Status = iota // there is no such quantity here; the zero Estimate
	OK                          // it can be trusted
	TooShort                    // more draws are needed
	Constant                    // the draws do not vary beyond rounding
	NotFinite                   // a draw was NaN or infinite, or a sum overflowed
	Diverged                    // the chain ran away; for those who know that it did
	NoNoise                     // T = 0: an optimiser's path, not a sample; for those who know
	NotSampled                  // the draws are no chain's, but an optimiser's or a fitted family's; for those who know
	NoDraws                     // there is no draw to predict with
	Untrained                   // what predicts has not begun to learn
	OtherTruth                  // the known truth is that of another posterior
	Unknown                     // not known here, or not yet
	Uneven                      // the step size changed on the way, so that the quantity is not one number
	Drifting                    // parts of the chain differ by more than chance: it is not stationary yet
	Disagree                    // chains of one distribution differ by more than chance
	Divergent                   // trajectories were given up, and draws miss parts of the target; for those who know
	Skewed                      // the draws are skewed by excursions that were too few to tell how long they take
	Tempered                    // the draws are of another temperature than the target; for those who know
	TooDear                     // finding it out would take too long
	CannotTell                  // an assumption of the estimate does not hold; in older results
	Shuffled                    // minibatches are shuffled, and the estimate needs independent ones; in older results
	Irregular                   // differences are in no ratio of two, on which the estimate rests
	NotStationary               // there is no stationary distribution to tell of; for those who know
	NotHalved                   // it is not known what of the method goes with its step; for those who know
	Mode                        // the draws miss a region of the known truth
	Bias                        // the mean is off the known truth by more than chance
	Tails                       // tails are so heavy that there may be no such moment
	Frozen                      // a schedule has made the steps so small that more draws hardly count
	Stopped                     // there was no gradient, such as of a model that has ended; for those who know
	numStatuses
)

var statusWords = [numStatuses]string{
	"absent", "", "too short", "constant", "not finite", "diverged", "no noise", "no sampler", "no draws", "untrained",
	"the truth is another posterior's", "not known", "the step varies", "drifting", "chains disagree", "divergences",
	"skewed", "T is not 1", "too dear",
	"cannot tell", "shuffled minibatches", "differences in no ratio of two", "no stationary distribution",
	"not for this method", "mode", "bias", "tails", "frozen", "stopped",
}

// String is empty for OK, else the reason in words.
func (s Status) String() string {
	if s < numStatuses {
		return statusWords[s]
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

// ParseStatus returns the status whose String is word, and Unknown for a word that is none's.
func ParseStatus(word string) Status {
	for s, w := range statusWords {
		if w == word {
			return Status(s)
		}
	}
	return Unknown
}

// Estimate is a statistic with what there is to say of its quality.
type Estimate struct {
	Value  float64 // NaN unless Status is OK
	Error  float64 // standard error of Value: 0 where Value is exact, NaN where it is not known
	Draws  uint64  // the draws behind it
	Status Status
}

// OK reports whether the value can be trusted.
func (e Estimate) OK() bool { return e.Status == OK }

// Trusted is the value if it can be trusted, else NaN.
func (e Estimate) Trusted() float64 {
	if !e.OK() {
		return math.NaN()
	}
	return e.Value
}

// Applies reports whether there is such a quantity here, known or not.
func (e Estimate) Applies() bool { return e.Status != Absent && e.Status != NotSampled }

// Lesser is the lesser of e and o, or one of them that is withheld. An e that is Absent does not count.
func (e Estimate) Lesser(o Estimate) Estimate {
	if e.Status == Absent || e.OK() && (!o.OK() || o.Value < e.Value) {
		return o
	}
	return e
}

// Exact is a number without a sampling error: a count, a state, a closed form. It is Unknown if v is NaN.
func Exact(v float64) Estimate {
	if math.IsNaN(v) {
		return Withheld(Unknown, 0)
	}
	return Estimate{Value: v, Status: OK}
}

// Known is a statistic of draws with its standard error, NaN where that is not known. It is NotFinite if v is.
func Known(v, se float64, draws uint64) Estimate {
	if !finite(v) {
		return Withheld(NotFinite, draws)
	}
	return Estimate{Value: v, Error: se, Draws: draws, Status: OK}
}

// Withheld is an estimate that cannot be trusted, for the reason s.
func Withheld(s Status, draws uint64) Estimate {
	return Estimate{Value: math.NaN(), Error: math.NaN(), Draws: draws, Status: s}
}

func known(v float64, draws uint64) Estimate { return Known(v, math.NaN(), draws) }

// finite reports whether v is neither NaN nor infinite.
func finite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
