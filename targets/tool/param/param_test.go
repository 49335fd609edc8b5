package param

import (
	"math"
	"testing"
)

var (
	eps   = Param{Key: "eps", Scale: Log, OpenMin: true, Max: math.Inf(1), Lo: 1e-8, Hi: 10, Default: 0.1}
	alpha = Param{Key: "alpha", Scale: OneMinusLog, Max: 1, OpenMax: true, Hi: 0.99999, Default: 0.99}
	gamma = Param{Key: "gamma", Scale: Choice, Choices: []string{"off", "on"}}
	thin  = Param{Key: "thin", Scale: Integer, Min: 1, Max: MaxInteger, Lo: 1, Hi: 1e4, Default: 1}
)

// Turns go by notches, and there and back.
func TestTurn(t *testing.T) {
	if up := eps.Turn(eps.Turn(0.1, 1), -1); up != 0.1 {
		t.Errorf("ε turned up and down again is %g", up)
	}
	if got := eps.Turn(0.1, 10); got != 1 {
		t.Errorf("ten notches from 0.1 lead to %g, want a decade", got)
	}
	if got := eps.Turn(eps.Turn(eps.Turn(eps.Turn(0.1, 5), 5), -5), -5); got != 0.1 {
		t.Errorf("ε turned far up and down again is %g", got)
	}
	if got := alpha.Turn(0.99, 10); math.Abs(got-0.999) > 1e-12 {
		t.Errorf("ten notches from α = 0.99 lead to %g, want 0.999", got)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		p        Param
		in, want string
	}{
		{eps, "-1", "must be positive, got -1"},
		{eps, "0", "must be positive, got 0"},
		{eps, "NaN", `must be positive, got "NaN"`},
		{eps, "+Inf", "must be finite, got +Inf"},
		{eps, "1e999", "must be finite, got 1e999"},
		{eps, "-1e999", "must be positive, got -1e999"},
		{alpha, "1e999", "must be in [0, 1), got 1e999"},
		{eps, "x", `must be positive, got "x"`},
		{alpha, "1", "must be in [0, 1), got 1"},
		{alpha, "-0.1", "must be in [0, 1), got -0.1"},
		{gamma, "maybe", `must be off or on, got "maybe"`},
		{thin, "0", "must be a whole number, 1 or more, got 0"},
		{thin, "1.5", "must be a whole number, 1 or more, got 1.5"},
	} {
		if _, err := c.p.Parse(c.in); err == nil || err.Error() != c.want {
			t.Errorf("%s %s: %v, want %s", c.p.Key, c.in, err, c.want)
		}
	}
}
