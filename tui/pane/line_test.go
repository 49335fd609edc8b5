package pane

import (
	"math"
	"testing"
)

func TestDuration(t *testing.T) {
	for _, c := range []struct {
		s    float64
		want string
	}{
		{0, "0s"}, {0.2, "1s"}, {59, "59s"}, {100, "1m40s"}, {3599.5, "1h00m"}, {7500, "2h05m"}, {90_000, "1d01h"},
		{math.NaN(), "–"}, {math.Inf(1), "–"}, {-1, "–"},
	} {
		if got := Duration(c.s); got != c.want {
			t.Errorf("%g s is written %q, want %q", c.s, got, c.want)
		}
	}
}
