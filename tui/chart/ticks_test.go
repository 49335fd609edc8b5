package chart

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/internal/planetest"
	"github.com/psgld/psgld-tui/tui/plane"
)

func TestTickLabels(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		cells  int
		log    bool
		want   string
	}{
		{0, 1, 50, false, "0 0.2 0.4 0.6 0.8 1.0"},
		{0.12, 0.17, 50, false, "0.12 0.14 0.16"},
		{0, 12400, 50, false, "0 5k 10k"},
		{0, 2e6, 50, false, "0 500k 1.0M 1.5M 2.0M"},
		{-3, 3, 60, false, "-2 0 2"},
		{0, 60, 40, false, "0 20 40 60"},
		{1e-7, 4e-7, 40, false, "1.0e-7 2.0e-7 3.0e-7 4.0e-7"},
		{0.01, 10, 50, true, "0.01 0.1 1 10"},
		{0.1, 1, 50, true, "0.1 0.2 0.5 1"},
		{1e-7, 1e3, 50, true, "1e-8 1e-6 1e-4 0.01 1 100 10k"},
		{1, 2e6, 40, true, "1 100 10k 1M"},
		{5, 5, 50, false, ""},
		{math.NaN(), 1, 50, false, ""},
		{0, 1, 50, true, ""},
		{-math.MaxFloat64, math.MaxFloat64, 50, false, "-2e308 1.8e308"},
		{1, 1 + 1e-15, 50, false, "1 +1e-15"},
	} {
		a := FitX(Range{c.lo, c.hi}, c.log, c.cells)
		var out []string
		for _, v := range a.ticks {
			out = append(out, a.label(v, a.step, 7))
		}
		if got := strings.Join(out, " "); got != c.want {
			t.Errorf("%v to %v, log %v: %q, want %q", c.lo, c.hi, c.log, got, c.want)
		}
	}
}

// TestTicksAnywhere: bounded in number, within the range, rising.
func TestTicksAnywhere(t *testing.T) {
	innerlooptest.Skip(t, "every scale")
	r := rand.New(rand.NewPCG(13, 14))
	for range 20_000 {
		lo, hi, n := planetest.Hostile(r), planetest.Hostile(r), r.IntN(200)-1
		for _, log := range []bool{false, true} {
			a := FitX(Range{lo, hi}, log, n)
			if len(a.ticks) > maxTicks {
				t.Fatalf("%v to %v: %d ticks", lo, hi, len(a.ticks))
			}
			for i, v := range a.ticks {
				if f := a.frac(v); !(f >= -1e-6 && f <= 1+1e-6) || i > 0 && v <= a.ticks[i-1] {
					t.Fatalf("%v to %v, log %v: tick %v (frac %v)", lo, hi, log, v, f)
				}
				if s := a.label(v, a.step, 7); utf8.RuneCountInString(s) > 7 {
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
		span, log := randomRange(r)
		h := 2 + r.IntN(8)
		for _, a := range []Axis{fitAxis(span, log, fitting{cells: h, per: 2, width: 6, raised: true}),
			endsOf(span, log, 6)} {
			got := strings.Fields(planetest.Picture(th, 7, h, func(g plane.Region) { a.LabelY(g, th) }))
			labels := map[string]int{}
			repeated := false
			for _, s := range got {
				if s = strings.Trim(s, "│┤"); s != "" {
					labels[s]++
					repeated = repeated || labels[s] > 1
				}
			}
			if len(labels) < 2 || repeated {
				t.Fatalf("%v, log %v, in %d rows, fitted %v: %q", span, log, h, a.fitted, got)
			}
		}
	}
}

// randomRange is the range of an axis as data have it: on a log axis up to many decades,
// else of any size about any value.
func randomRange(r *rand.Rand) (span Range, log bool) {
	lo := r.NormFloat64() * 10
	if r.IntN(3) == 0 {
		lo = 0
	}
	if r.IntN(2) == 0 {
		lo = math.Exp(lo / 4)
		return Range{lo, lo * (1 + math.Pow(10, r.Float64()*6-2))}, true
	}
	return Range{lo, lo + math.Pow(10, r.Float64()*6-3)}, false
}

// TestFittedTicks: an axis that is fitted to cells holds its range, and wastes little. The
// ticks of a linear axis stand equally many cells apart, each in the middle of one; those
// of a log axis are round and stand so near to the middle of a cell that they are read right.
func TestFittedTicks(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	wasted, n, even := 0.0, 0, 0
	for range 20_000 {
		span, log := randomRange(r)
		rows := 3 + r.IntN(60)
		f := fitting{cells: rows, per: min(max(rows/5, 2), 6), width: 6, raised: true}
		if r.IntN(2) == 0 {
			f = fitting{cells: 20 + r.IntN(200), per: 10, width: 8}
		}
		a := fitAxis(span, log, f)
		if !a.fitted || len(a.ticks) < 2 {
			t.Fatalf("%v, log %v, %+v: %+v", span, log, f, a)
		}
		if lo, hi := a.frac(span.Lo), a.frac(span.Hi); !(lo >= -1e-6 && hi <= 1+1e-6) {
			t.Fatalf("%v, log %v, %+v: from %v to %v", span, log, f, lo, hi)
		} else {
			wasted += 1 - (hi - lo)
			n++
		}
		if log && !a.Log && span.Hi > nearlyEven*span.Lo {
			even++
		}
		for i, v := range a.ticks {
			lead := v / math.Pow(10, math.Floor(math.Log10(v)+1e-9))
			if a.Log && math.Abs(lead*100-math.Round(lead*100)) > 1e-9 {
				t.Fatalf("%v, log, %+v: the tick %v is not round", span, f, v)
			}
			at := a.frac(v)*float64(f.cells) - 0.5
			off := math.Abs(at - math.Round(at))
			if off > 1e-6 && !a.Log || off > 0.5 || at < -0.5 {
				t.Fatalf("%v, log %v, %+v: tick %v at cell %v", span, log, f, v, at)
			}
			if i == 0 {
				continue
			}
			gap := (a.frac(v) - a.frac(a.ticks[i-1])) * float64(f.cells)
			if math.Abs(gap-float64(a.per)) > 1e-6 && !a.Log {
				t.Fatalf("%v, %+v: %v is %v cells from the tick before, want %d", span, f, v, gap, a.per)
			}
			if a.Log && off > 0.16*gap {
				t.Fatalf("%v, log, %+v: tick %v is %v cells off at %v apart", span, f, v, off, gap)
			}
		}
	}
	if even > n/50 {
		t.Errorf("%d of %d axes are linear in place of log", even, n)
	}
	if wasted /= float64(n); wasted > 0.15 {
		t.Errorf("a share of %.2f of an axis is blank", wasted)
	}
}

// TestTicksOfFewRows: an axis of three to five rows about 0 has a tick there, unless its ticks are
// as far above 0 as below and fill the rows. One of two rows is cut at 0 where that is shorter.
func TestTicksOfFewRows(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	without := 0
	const n = 5000
	for range n {
		span := Range{-r.ExpFloat64(), r.ExpFloat64()}
		rows := 3 + r.IntN(shortAxis-2)
		a := fitAxis(span, false, fitting{cells: rows, per: 1 + r.IntN(2), width: 6, raised: true})
		if slices.Contains(a.ticks, 0) {
			continue
		}
		without++
		k := slices.IndexFunc(a.ticks, func(v float64) bool { return v > 0 })
		if len(a.ticks) != rows || k < 1 || math.Abs(a.ticks[k]+a.ticks[k-1]) > 1e-9*a.ticks[k] {
			t.Errorf("%v in %d rows has the ticks %v", span, rows, a.ticks)
		}
	}
	if without > n/10 {
		t.Errorf("%d of %d axes have no 0", without, n)
	}
	a := fitAxis(Range{-8, 8}, false, fitting{cells: 2, per: 1, width: 6, raised: true})
	if !slices.Equal(a.ticks, []float64{-4, 4}) {
		t.Errorf("two rows from -8 to 8 have the ticks %v", a.ticks)
	}
	// an autocorrelation
	for lo, want := range map[float64][]float64{-0.2: {0, 0.8}, -0.4: {-0.4, 0, 0.4, 0.8}, -0.8: {-0.6, 0, 0.6, 1.2}} {
		a := fitAxis(Range{lo, 1}, false, fitting{cells: 4, per: 2, width: 6, raised: true})
		if !slices.EqualFunc(a.ticks, want, func(v, w float64) bool { return math.Abs(v-w) < 1e-9 }) {
			t.Errorf("from %v to 1: %v, want %v", lo, a.ticks, want)
		}
	}
}

// TestFittedAgain: an axis that was fitted is not moved by being fitted again, so that a
// part that is shown stands still.
func TestFittedAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	moved := 0
	for range 2000 {
		span, log := randomRange(r)
		f := fitting{cells: 20 + r.IntN(200), per: 10, width: 8}
		a := fitAxis(span, log, f)
		b := fitAxis(a.Range, log, f)
		if math.Abs(a.frac(b.Lo)) > 1e-6 || math.Abs(a.frac(b.Hi)-1) > 1e-6 {
			moved++
		}
	}
	if moved > 20 {
		t.Errorf("%d of 2000 axes moved", moved)
	}
}
