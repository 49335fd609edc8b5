package experiment

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
)

func TestOverSeeds(t *testing.T) {
	s := over([]float64{1, math.NaN(), 3, math.Inf(1)})
	// Mean 2, s² = 2, SE = √(2/2).
	if s.Mean != 2 || s.SE != 1 || s.N != 2 || s.Lost != 2 {
		t.Errorf("%+v", s)
	}
	if got, want := s.text(2), "2.00 ± 1.00 (2 of 4 lost)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := over([]float64{0.1485}).times(100).text(2), "14.85"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := over([]float64{math.NaN()}).text(2), "– (all 1 lost)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := over(nil).text(1); got != noNumber {
		t.Errorf("%q", got)
	}
}

func TestSignificant(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 103: "103", 99.96: "100", 0.056: "0.056", 12345: "12345", 1.5e-7: "1.5e-07", -2: "-2.0", math.Inf(1): noNumber} {
		digits := 2
		if x == 12345 {
			digits = 5
		}
		if got := significant(x, digits); got != want {
			t.Errorf("%g is %q, want %q", x, got, want)
		}
	}
}

func TestVerdict(t *testing.T) {
	// At 15% of 16,281 the binomial standard error is 0.28 points, at 1.4% of 10,000 0.12.
	if a, b := binomialSE(15, 16281), binomialSE(1.4, 10000); math.Abs(a-0.28) > 0.005 || math.Abs(b-0.1175) > 0.0005 {
		t.Errorf("%g and %g", a, b)
	}
	for _, c := range []struct {
		ours, se, test float64
		want           string
	}{{15.5, 0, 0.28, tie}, {15.6, 0, 0.28, worse}, {14.2, 0, 0.28, better}, {15.6, 0.2, 0.28, tie}, {math.NaN(), 0, 0.28, ""}} {
		if got := verdict(15, c.ours, c.se, c.test); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	if _, ok := scoreOf("x", "%", 1, over(nil), 0); ok {
		t.Error("a score of nothing")
	}
}

// Every session without a number is named, once, by its reason.
func TestResultsNameGaps(t *testing.T) {
	x := engine.Num(0.25)
	r := resultsOf(map[string]Outcome{
		"good":    {Lanes: []engine.LaneResult{{TestError: &x}}},
		"lost":    {Lanes: []engine.LaneResult{{TestError: &x, Diverged: &engine.Divergence{Step: 4}}}},
		"skipped": {Skipped: "no such file"},
	})
	for range 2 {
		s := r.over([]string{"good", "lost", "skipped", "missing"}, testErrorOf)
		if s.Mean != 0.25 || s.N != 1 || s.Lost != 1 {
			t.Errorf("%+v", s)
		}
	}
	if _, ok := r.curve("good", 0); ok {
		t.Error("a curve of nothing")
	}
	got := strings.Join(r.findings(), "\n")
	want := "1 session diverged: lost.\n1 session is skipped (no such file): skipped.\n1 session is not run: missing."
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
