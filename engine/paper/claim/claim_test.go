package claim

import (
	"math"
	"testing"
)

// Where a claim holds is counted where the paper makes it, by two standard errors of the
// difference.
func TestOrder(t *testing.T) {
	eps := []float64{0.1, 0.2, 0.4}
	a := Line{"pSGLD", []OverSeeds{{Mean: 1, SE: 0.3, N: 5}, {Mean: 1, SE: 0.3, N: 5}, {Mean: 3, SE: 0.3, N: 5}}}
	// ± 0.42
	b := Line{"SGLD", []OverSeeds{{Mean: 2, SE: 0.3, N: 5}, {Mean: 1.8, SE: 0.3, N: 5}, {Mean: 2, SE: 0.3, N: 5}}}
	for _, c := range []struct {
		claimed func(float64) bool
		want    string
	}{
		{func(e float64) bool { return e < 0.3 }, "1 of 2"},
		{func(e float64) bool { return e < 0.15 }, "all 1"},
		{func(e float64) bool { return e > 0.15 }, "none of 2"},
		{nil, "1 of 3"},
	} {
		got := OrderOf("error", c.claimed, eps, a, b)
		if got.Share() != c.want {
			t.Errorf("the claim holds at %s, want %s", got.Share(), c.want)
		}
		// Between 0.2 and 0.4 the difference goes from -0.8 to 1, zero at 0.2 · 2^(0.8/1.8).
		if want := "pSGLD's error is lower than SGLD's at 1 of 3 ε (0.1) and higher at 1 (0.4). At the other one the difference is within two standard errors. The two are equal at ε ≈ 0.27."; got.String() != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := OrderOf("error", nil, eps, Line{"a", make([]OverSeeds, 3)}, b); got.String() != "" {
		t.Error(got)
	}
}

// What a margin over the seeds says, and what several say together.
func TestAgreed(t *testing.T) {
	for _, c := range []struct {
		margin, se float64
		want       int
	}{{1, 0.4, 1}, {1, 0.6, 0}, {-1, 0.6, 0}, {-1, 0.4, -1}} {
		if got := Sign(c.margin, c.se); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	for want, holds := range map[string][]int{"Yes": {1, 1}, "No": {-1, 0}, "Undecided": {0, 0}, "It depends": {1, 0}} {
		if got := Agreed(holds); got != want {
			t.Errorf("%v: %q, want %q", holds, got, want)
		}
	}
}

func TestOverSeeds(t *testing.T) {
	s := Over([]float64{1, math.NaN(), 3, math.Inf(1)})
	// Mean 2, s² = 2, SE = √(2/2).
	if s.Mean != 2 || s.SE != 1 || s.N != 2 || s.Lost != 2 {
		t.Errorf("%+v", s)
	}
	if got, want := s.Text(2), "2.00 ± 1.00 (2 of 4 lost)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Over([]float64{0.1485}).Times(100).Text(2), "14.85"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Over([]float64{math.NaN()}).Text(2), "– (all 1 lost)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Over(nil).Text(1); got != NoNumber {
		t.Errorf("%q", got)
	}
}

func TestSignificant(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 103: "103", 99.96: "100", 0.056: "0.056", 12345: "12345",
		1.5e-7: "1.5e-7", -2: "-2.0", math.Inf(1): NoNumber} {
		digits := 2
		if x == 12345 {
			digits = 5
		}
		if got := Significant(x, digits); got != want {
			t.Errorf("%g is %q, want %q", x, got, want)
		}
	}
}

// Numbers for people, and answers.
func TestShown(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 999: "999", 1000: "1,000", 204_800: "204,800", 1e6: "1,000,000",
		-1000: "-1,000", -100: "-100"} {
		if got := Whole(x); got != want {
			t.Errorf("%g is %q, want %q", x, got, want)
		}
	}
	for x, want := range map[float64]string{1e-7: "1e-7", 1e-10: "1e-10", 0.05: "0.05", 1e21: "1e+21"} {
		if got := Shown(x); got != want {
			t.Errorf("%g is %q, want %q", x, got, want)
		}
	}
	lower, tie, higher := Order{N: 1, Lower: []string{"a"}}, Order{N: 1},
		Order{N: 2, Lower: []string{"a"}, Higher: []string{"b"}}
	for want, of := range map[string][]Order{"Yes": {lower, lower}, "Undecided": {tie},
		"Yes, where a difference is seen": {lower, tie}, "No": {lower, higher}} {
		if got := Answer(of...); got != want {
			t.Errorf("%+v: %q, want %q", of, got, want)
		}
	}
}

func TestVerdict(t *testing.T) {
	// At 15% of 16,281 the binomial standard error is 0.28 points, at 1.4% of 10,000 0.12.
	if a, b := BinomialSE(15, 16281), BinomialSE(1.4, 10000); math.Abs(a-0.28) > 0.005 || math.Abs(b-0.1175) > 0.0005 {
		t.Errorf("%g and %g", a, b)
	}
	for _, c := range []struct {
		ours, se, test float64
		want           string
	}{{15.5, 0, 0.28, Tie}, {15.6, 0, 0.28, Worse}, {14.2, 0, 0.28, Better}, {15.6, 0.2, 0.28, Tie},
		{math.NaN(), 0, 0.28, ""}} {
		if got := verdictOf(15, c.ours, c.se, c.test); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	for _, c := range []struct {
		paper float64
		ours  []float64
		want  string
	}{
		{1.72, []float64{2.01, 1.57, 1.64}, Tie}, // s = 0.24, whatever one of them has
		{1.72, []float64{2.01}, Worse},           // by the binomial error of 0.14
		{14.85, []float64{14.95, 14.96, 14.97, 14.98, 14.98, 14.98, 14.99, 15.00, 15.01, 15.02}, Worse}, // s = 0.02
		{14.85, []float64{math.NaN()}, ""},
	} {
		if s, _ := OnTest("x", c.paper, Over(c.ours), 10_000); s.Verdict != c.want {
			t.Errorf("%v against %v: %q, want %q", c.ours, c.paper, s.Verdict, c.want)
		}
	}
	if _, ok := ScoreOf("x", "%", 1, Over(nil), 0); ok {
		t.Error("a score of nothing")
	}
}
