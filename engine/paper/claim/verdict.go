// Package claim weighs measured numbers against what is claimed of them.
package claim

import "math"

// A Score is a number of the paper's beside ours.
type Score struct {
	Name    string
	Unit    string // such as "%"
	Paper   float64
	Ours    float64
	SE      float64 // standard error over the seeds; 0 with one
	Seeds   int     // repeats
	Test    float64 // binomial standard error of the test set; 0 where there is none
	Verdict string  // "tie", "better" or "worse"
}

// The verdicts of a Score. A number for which lower is better is meant.
const (
	Tie    = "tie"
	Better = "better"
	Worse  = "worse"
)

// binomialSE is the standard error √(p(1-p)/n) of an error of p percent on n test
// cases, in percent. It is 0 where there is no test set.
func BinomialSE(percent float64, n int) float64 {
	if n == 0 {
		return 0
	}
	p := percent / 100
	return 100 * math.Sqrt(p*(1-p)/float64(n))
}

// verdict compares a number for which lower is better with the paper's. It is a
// tie within 2 √(se² + test²), with se the standard error of ours over the seeds
// and test that of the test set at our error (binomial); with one seed se is 0,
// and what one seed differs from another by is not in it. Without a number of
// ours there is no verdict.
func VerdictOf(paper, ours, se, test float64) string {
	d := ours - paper
	switch {
	case math.IsNaN(d) || math.IsInf(d, 0):
		return ""
	case math.Abs(d) <= 2*math.Hypot(se, test):
		return Tie
	case d < 0:
		return Better
	}
	return Worse
}

// scoreOf is a row of a table beside the paper's number, in the same unit. It is
// false where there is none of ours, which a results file has no form for.
func ScoreOf(name, unit string, paper float64, ours OverSeeds, test float64) (Score, bool) {
	if !ours.OK() {
		return Score{}, false
	}
	return Score{
		Name: name, Unit: unit, Paper: paper, Ours: ours.Mean, SE: ours.SE, Seeds: ours.N, Test: test,
		Verdict: VerdictOf(paper, ours.Mean, ours.SE, test),
	}, true
}
