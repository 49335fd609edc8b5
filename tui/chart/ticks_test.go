package chart

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/tui/internal/planetest"
	"github.com/psgld/psgld-tui/tui/plane"
)

func TestTickLabels(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		n      int
		log    bool
		want   string
	}{
		{0, 1, 5, false, "0 0.2 0.4 0.6 0.8 1.0"},
		{0.12, 0.17, 5, false, "0.12 0.13 0.14 0.15 0.16 0.17"},
		{0, 12400, 5, false, "0 5k 10k"},
		{0, 2e6, 5, false, "0 500k 1.0M 1.5M 2.0M"},
		{-3, 3, 6, false, "-3 -2 -1 0 1 2 3"},
		{0, 60, 4, false, "0 20 40 60"},
		{1e-7, 4e-7, 4, false, "1.0e-7 2.0e-7 3.0e-7 4.0e-7"},
		{0.01, 10, 5, true, "0.01 0.1 1 10"},
		{0.1, 1, 5, true, "0.1 0.2 0.5 1"},
		{1e-7, 1e3, 5, true, "1e-6 1e-4 0.01 1 100"},
		{1, 2e6, 4, true, "1 100 10k 1M"},
		{5, 5, 5, false, ""},
		{math.NaN(), 1, 5, false, ""},
		{0, 1, 5, true, ""},
		{-math.MaxFloat64, math.MaxFloat64, 5, false, ""},
	} {
		a := newAxis(Range{c.lo, c.hi}, c.log, c.n)
		var out []string
		for _, v := range a.ticks {
			out = append(out, plane.Tick(v, a.step, 7))
		}
		if got := strings.Join(out, " "); got != c.want {
			t.Errorf("%v to %v, log %v: %q, want %q", c.lo, c.hi, c.log, got, c.want)
		}
	}
}

// TestTicksAnywhere: bounded in number, within the range, rising.
func TestTicksAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 20_000 {
		lo, hi, n := planetest.Hostile(r), planetest.Hostile(r), r.IntN(20)-1
		for _, log := range []bool{false, true} {
			a := newAxis(Range{lo, hi}, log, n)
			if len(a.ticks) > maxTicks {
				t.Fatalf("%v to %v: %d ticks", lo, hi, len(a.ticks))
			}
			for i, v := range a.ticks {
				if f := a.frac(v); !(f >= -1e-6 && f <= 1+1e-6) || i > 0 && v <= a.ticks[i-1] {
					t.Fatalf("%v to %v, log %v: tick %v (frac %v)", lo, hi, log, v, f)
				}
				if s := plane.Tick(v, a.step, 7); utf8.RuneCountInString(s) > 7 {
					t.Fatalf("label %q", s)
				}
			}
		}
	}
}

// TestAxisEnds: a vertical axis of few rows says two values at least, and none twice.
func TestAxisEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	th := planetest.Plain()
	for range 5000 {
		lo := r.NormFloat64() * 10
		hi := lo + math.Pow(10, r.Float64()*6-3)
		log := r.IntN(2) == 0
		if log {
			lo, hi = math.Exp(lo/4), math.Exp(lo/4)*(1+math.Pow(10, r.Float64()*6-2))
		}
		h := 2 + r.IntN(8)
		a := newAxis(Range{lo, hi}, log, yTicks(h))
		got := strings.Fields(planetest.Picture(th, 7, h, func(g plane.Region) { a.labelY(g, th, rowRound) }))
		labels := map[string]int{}
		repeated := false
		for _, s := range got {
			if s = strings.Trim(s, "│┤"); s != "" {
				labels[s]++
				repeated = repeated || labels[s] > 1
			}
		}
		if len(labels) < 2 || repeated {
			t.Fatalf("%g to %g in %d rows: %q", lo, hi, h, got)
		}
	}
}
