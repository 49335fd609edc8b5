// Package claim weighs measured numbers against what is claimed of them.
package claim

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// A Score is a number of the paper's beside ours.
type Score struct {
	Name    string     `json:"name"`
	Unit    string     `json:"unit"` // such as "%"
	Paper   engine.Num `json:"paper"`
	Ours    engine.Num `json:"ours"`
	SE      engine.Num `json:"se"`      // standard error over the seeds; 0 with one
	Seeds   int        `json:"seeds"`   // repeats
	Test    engine.Num `json:"test_se"` // binomial standard error of the test set; 0 where there is none
	Verdict string     `json:"verdict"` // Tie, Better or Worse
}

// The verdicts of a Score. A number for which lower is better is meant.
const (
	Tie    = "tie"
	Better = "better"
	Worse  = "worse"
)

// Sign is that of a difference, and 0 within two standard errors of zero.
func Sign(d, se float64) int {
	switch {
	case math.Abs(d) <= 2*se:
		return 0
	case d < 0:
		return -1
	}
	return 1
}

// BinomialSE is the standard error √(p(1-p)/n) of an error of p percent on n test
// cases, in percent. It is 0 where there is no test set.
func BinomialSE(percent float64, n int) float64 {
	if n == 0 {
		return 0
	}
	p := percent / 100
	return 100 * math.Sqrt(p*(1-p)/float64(n))
}

// verdictOf compares a number for which lower is better with the paper's, by the Sign of their difference. Its standard
// error is √(se² + test²), with se that of ours over the seeds and test that of the test set at our error (binomial).
// With one seed se is 0: what one seed differs from another by is not in it. Without a number of ours there is no
// verdict.
func verdictOf(paper, ours, se, test float64) string {
	d := ours - paper
	if math.IsNaN(d) || math.IsInf(d, 0) {
		return ""
	}
	return map[int]string{-1: Better, 0: Tie, 1: Worse}[Sign(d, libm.Hypot(se, test))]
}

// OnTest compares a test error in percent with the paper's on the same test cases, of which there are n. The seeds are
// the yardstick: the paper's is taken for a single run, whose seeds differ as ours do, and printed to 0.01. With N
// seeds of standard deviation s it is a tie where the difference is at most t(0.975; N-1) √(s²(1 + 1/N) + 0.01²/12).
// With one seed nothing is known of that, and the binomial error of the cases stands in.
func OnTest(name string, paper float64, ours OverSeeds, n int) (Score, bool) {
	s, ok := ScoreOf(name, "%", paper, ours, BinomialSE(ours.Mean, n))
	if ours.N > 1 && s.Verdict != "" {
		limit := student(ours.N-1) * libm.Hypot(ours.SD()*math.Sqrt(1+1/float64(ours.N)), 0.01/math.Sqrt(12))
		s.Verdict = map[int]string{-1: Better, 0: Tie, 1: Worse}[Sign(ours.Mean-paper, limit/2)]
	}
	return s, ok
}

// TieRule is OnTest in words.
const TieRule = "A number of ours is a tie with the paper's if seeds explain the difference. The paper's is taken " +
	"for one run, whose seeds differ as ours do, on the same test set and printed to 0.01: " +
	"the limit is t(0.975; n − 1) √(s²(1 + 1/n) + 0.01²/12), where n is the number of our seeds and s their " +
	"standard deviation. " +
	"One seed says nothing of s, and the limit is then two binomial standard errors of the test set. Beyond the " +
	"limit ours is better if it is lower, and else worse."

// Beside writes the paper's number and ours in one cell, with the verdict where it is no tie.
func Beside(paper, ours, verdict string) string {
	cell := paper + " / " + ours
	if verdict == Better || verdict == Worse {
		cell += ", " + verdict
	}
	return cell
}

// ScoreOf compares a number with the paper's, in the same unit. It is false without a number of ours.
func ScoreOf(name, unit string, paper float64, ours OverSeeds, test float64) (Score, bool) {
	return Score{
		Name:    name,
		Unit:    unit,
		Paper:   engine.Num(paper),
		Ours:    engine.Num(ours.Mean),
		SE:      engine.Num(ours.SE),
		Seeds:   ours.N,
		Test:    engine.Num(test),
		Verdict: verdictOf(paper, ours.Mean, ours.SE, test),
	}, ours.OK()
}
