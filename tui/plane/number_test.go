package plane_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/tui/internal/planetest"
	"github.com/psgld/psgld-tui/tui/plane"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		x     float64
		width int
		want  string
	}{
		{0.153, 8, "0.153"}, {0.153, 4, "0.15"}, {0.153, 2, "#"}, {-0.153, 6, "-0.153"},
		{6.9, 8, "6.90"}, {12.345, 8, "12.3"}, {899, 8, "899"}, {899.4, 8, "899"}, {1016, 8, "1,016"},
		{1016.4, 4, "1.0k"},
		{12400, 6, "12,400"}, {12400, 5, "12.4k"}, {999.6, 8, "1,000"}, {9.9996, 8, "10.0"}, {0.99999, 8, "1.00"},
		{999_999.7, 8, "1.0 M"}, {1.9e6, 8, "1.9 M"}, {1.9e6, 4, "1.9M"}, {123.4e6, 8, "123 M"}, {3e12, 8, "3.0 T"},
		{3e-6, 8, "3.0e-6"}, {3e-6, 5, "3e-6"}, {0.00123, 8, "0.00123"}, {0.000999, 8, "1.0e-3"}, {1e300, 8, "1.0e300"},
		{0, 8, "0"}, {math.Copysign(0, -1), 8, "0"}, {1, 8, "1"}, {-1, 1, "#"},
		{math.NaN(), 8, "–"}, {math.Inf(1), 8, "∞"}, {math.Inf(-1), 8, "-∞"}, {math.Inf(-1), 1, "#"},
		{5, 0, ""}, {5, -3, ""},
	} {
		if got := plane.Number(c.x, c.width); got != c.want {
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
			x = planetest.Hostile(r)
		}
		last := math.Inf(1)
		for width := 1; width <= 12; width++ {
			s := plane.Number(x, width)
			if utf8.RuneCountInString(s) > width {
				t.Fatalf("Number(%v, %d) = %q", x, width, s)
			}
			// rounds to what float64 has not
			if s == "#" || math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x) < 1e-300 || math.Abs(x) > 1e300 {
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
		if s := plane.Number(x, 8); (!math.IsNaN(x) && !math.IsInf(x, 0)) && s == "#" {
			t.Fatalf("Number(%v, 8) does not fit", x)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 999: "999", 1000: "1,000", 12400: "12,400", 9_999_999: "9,999,999", 10_000_000: "10.00 M",
		12_409_999: "12.40 M", 999_999_999: "999.99 M", 1_000_000_000: "1.00 G", math.MaxUint64: "18.44 E",
	} {
		if got := plane.Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

// A value and its error are in one notation.
func TestPlusMinus(t *testing.T) {
	for _, c := range []struct {
		x, se float64
		width int
		want  string
	}{
		{0.104, 0.031, 40, "0.104 ± 0.031"},
		{0.104, 0.031, 11, "0.10 ± 0.03"},
		{0.104, 0.031, 10, "0.10±0.03"},
		{1780, 11, 40, "1,780 ± 11"},
		{26_087, 22_371, 40, "26,087 ± 22,371"},
		{370_134, 273_001, 40, "370,134 ± 273,001"},
		{-12_345.6, 0.52, 40, "-12,345.60 ± 0.52"},
		{1.37e6, 2.7e5, 40, "1.37 ± 0.27 M"},
		{1.37e6, 2.7e5, 12, "1.4 ± 0.3 M"},
		{1.37e6, 3, 40, "1,370,000.0 ± 3.0"},
		{5e5, 2e6, 40, "0.5 ± 2.0 M"},
		{2.5e10, 4e8, 40, "25.00 ± 0.40 G"},
		{3e-9, 1e-9, 40, "3.0e-9 ± 1.0e-9"},
	} {
		if got := plane.PlusMinus(c.x, c.se, c.width); got != c.want {
			t.Errorf("%v ± %v in %d is %q, want %q", c.x, c.se, c.width, got, c.want)
		}
	}
}
