package chart

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		x     float64
		width int
		want  string
	}{
		{0.153, 8, "0.153"}, {0.153, 4, "0.15"}, {0.153, 2, "#"}, {-0.153, 6, "-0.153"},
		{6.9, 8, "6.90"}, {12.345, 8, "12.3"}, {899, 8, "899"}, {899.4, 8, "899"}, {1016, 8, "1,016"}, {1016.4, 4, "1.0k"},
		{12400, 6, "12,400"}, {12400, 5, "12.4k"}, {999.6, 8, "1,000"}, {9.9996, 8, "10.0"}, {0.99999, 8, "1.00"},
		{999_999.7, 8, "1.0 M"}, {1.9e6, 8, "1.9 M"}, {1.9e6, 4, "1.9M"}, {123.4e6, 8, "123 M"}, {3e12, 8, "3.0 T"},
		{3e-6, 8, "3.0e-6"}, {3e-6, 5, "3e-6"}, {0.00123, 8, "0.00123"}, {0.000999, 8, "1.0e-3"}, {1e300, 8, "1.0e300"},
		{0, 8, "0"}, {math.Copysign(0, -1), 8, "0"}, {1, 8, "1"}, {-1, 1, "#"},
		{math.NaN(), 8, "–"}, {math.Inf(1), 8, "∞"}, {math.Inf(-1), 8, "-∞"}, {math.Inf(-1), 1, "#"},
		{5, 0, ""}, {5, -3, ""},
	} {
		if got := Number(c.x, c.width); got != c.want {
			t.Errorf("Number(%v, %d) = %q, want %q", c.x, c.width, got, c.want)
		}
	}
}

// readNumber is the value that a person reads, and half a unit of its last digit.
func readNumber(t *testing.T, s string) (v, half float64) {
	t.Helper()
	scale := 1.0
	body := strings.ReplaceAll(strings.ReplaceAll(s, ",", ""), " ", "")
	if i := strings.IndexAny(body, "kMGT"); i >= 0 {
		scale = map[byte]float64{'k': 1e3, 'M': 1e6, 'G': 1e9, 'T': 1e12}[body[i]]
		body = body[:i]
	}
	if i := strings.IndexByte(body, 'e'); i >= 0 {
		e, err := strconv.Atoi(body[i+1:])
		if err != nil {
			t.Fatal(err)
		}
		scale, body = math.Pow(10, float64(e)), body[:i]
	}
	v, err := strconv.ParseFloat(body, 64)
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	dec := 0
	if i := strings.IndexByte(body, '.'); i >= 0 {
		dec = len(body) - i - 1
	}
	return v * scale, 0.5 * math.Pow10(-dec) * scale
}

// TestNumberReadsBack: never wider than asked, within half a unit of its last
// digit, never zero for what is not, and at least as good with more width.
func TestNumberReadsBack(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 20_000 {
		x := math.Exp(r.NormFloat64() * 12)
		switch r.IntN(4) {
		case 0:
			x = -x
		case 1:
			x = math.Round(x)
		case 2:
			x = hostile(r)
		}
		last := math.Inf(1)
		for width := 1; width <= 12; width++ {
			s := Number(x, width)
			if utf8.RuneCountInString(s) > width {
				t.Fatalf("Number(%v, %d) = %q", x, width, s)
			}
			if s == "#" || !finite(x) || math.Abs(x) < 1e-300 || math.Abs(x) > 1e300 { // rounds to what float64 has not
				continue
			}
			v, half := readNumber(t, s)
			if math.Abs(v-x) > half*(1+1e-9) {
				t.Fatalf("Number(%v, %d) = %q, off by more than its last digit", x, width, s)
			}
			if x != 0 && v == 0 {
				t.Fatalf("Number(%v, %d) = %q reads as zero", x, width, s)
			}
			if half > last*(1+1e-9) && half > math.Abs(x)*0.005 {
				t.Fatalf("Number(%v, %d) = %q is coarser than at %d", x, width, s, width-1)
			}
			last = half
		}
		if s := Number(x, 8); finite(x) && s == "#" {
			t.Fatalf("Number(%v, 8) does not fit", x)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 999: "999", 1000: "1,000", 12400: "12,400", 9_999_999: "9,999,999", 10_000_000: "10.00 M",
		12_409_999: "12.40 M", 999_999_999: "999.99 M", 1_000_000_000: "1.00 G", math.MaxUint64: "18.44 E",
	} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

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
		a := newAxis(c.lo, c.hi, c.log, c.n)
		var out []string
		for _, v := range a.ticks[:a.n] {
			out = append(out, string(AppendTick(nil, v, a.step, 7)))
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
		lo, hi, n := hostile(r), hostile(r), r.IntN(20)-1
		for _, log := range []bool{false, true} {
			a := newAxis(lo, hi, log, n)
			if a.n > maxTicks {
				t.Fatalf("%v to %v: %d ticks", lo, hi, a.n)
			}
			for i, v := range a.ticks[:a.n] {
				if f := a.frac(v); !(f >= -1e-6 && f <= 1+1e-6) || i > 0 && v <= a.ticks[i-1] {
					t.Fatalf("%v to %v, log %v: tick %v (frac %v)", lo, hi, log, v, f)
				}
				if s := AppendTick(nil, v, a.step, 7); utf8.RuneCount(s) > 7 {
					t.Fatalf("label %q", s)
				}
			}
		}
	}
}

func TestNumberAllocations(t *testing.T) {
	buf := make([]byte, 0, numberCap)
	if n := testing.AllocsPerRun(100, func() {
		buf = AppendNumber(buf[:0], 0.153, 8)
		buf = AppendNumber(buf[:0], 1e9, 8)
		buf = AppendCount(buf[:0], 12_400_000)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
