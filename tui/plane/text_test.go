package plane_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/planetest"

	"github.com/psgld/psgld-tui/tui/plane"
)

func TestExact(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0.123456, "0.12346"}, {12.5, "12.5"}, {3, "3"}, {100, "100"}, {-0.5, "-0.5"}, {1234.56, "1,234.6"},
		{-1234.56, "-1,234.6"},
		{99999.6, "100,000"}, {123456, "123,460"}, {1e-8, "1.0e-8"}, {1.23456e-5, "1.2346e-5"},
		{1.2e7, "1.2e7"}, {0, "0"},
		{0.001, "0.001"}, {math.NaN(), "–"}, {math.Inf(-1), "-∞"},
	} {
		if got := plane.Exact(c.x, 5); got != c.want {
			t.Errorf("%v: %q, want %q", c.x, got, c.want)
		}
	}
	for digits, want := range []string{1: "-250", 2: "-250", 3: "-250", 4: "-250.4"} {
		if got := plane.Exact(-250.4, digits); digits > 0 && got != want {
			t.Errorf("-250.4 in %d digits: %q, want %q", digits, got, want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		x := r.NormFloat64() * math.Pow(10, r.Float64()*40-20)
		s := plane.Exact(x, 5)
		got, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
		if err != nil || math.Abs(got/x-1) > 0.5001e-4 {
			t.Fatalf("%v: %q", x, s)
		}
	}
}

func TestExponents(t *testing.T) {
	for in, want := range map[string]string{
		"ε 1e-08→1.2e-07 @3":          "ε 1.0e-8→1.2e-7 @3",
		"beyond ±1e+150":              "beyond ±1.0e150",
		"1e-05":                       "1.0e-5",
		"":                            "",
		"e-08":                        "e-08",
		"the-01 x1e-02 2.5e-10, 3e-1": "the-01 x1e-02 2.5e-10, 3.0e-1", "--eps 1e-": "--eps 1e-", "1e-00": "1.0e-0",
	} {
		if got := plane.Exponents(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestSpell(t *testing.T) {
	for in, want := range map[string]string{
		"ε 0.3→0.476": "eps 0.3->0.476", "4σ²λ": "4 sigma^2 lambda", "εN/2": "eps N/2", "2σ: 1σ)": "2 sigma: 1 sigma)",
		"0.03 ± 0.05": "0.03+/-0.05",
		"beyond ±1":   "beyond +/-1",
		"Γ off":       "Gamma off",
		"G⁻¹":         "G^-1",
		"10⁶":         "10^6",
		"V₀":          "V₀",
		"‖∇U‖":        "‖grad U‖",
		"≥ 4(2-a)σ²":  ">= 4(2-a)sigma^2", "plain": "plain", "½": "1/2",
	} {
		if got := plane.Spell(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestSpelled: what is measured is what is written, and nothing of it is read as
// another sign.
func TestSpelled(t *testing.T) {
	th := planetest.Themes()[len(planetest.Themes())-1]
	th.ASCII = true
	p := plane.NewPlane(40, 1)
	p.ASCII = true
	p.Region().TextRight(40, 0, "x ± 2σ² ‖Γ‖ V₀", th.Text)
	want := strings.Repeat(" ", 40-len("x+/-2 sigma^2 |Gamma| V0")) + "x+/-2 sigma^2 |Gamma| V0"
	if got := p.RenderPlain(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFitTitle(t *testing.T) {
	const title = "autocorrelation of θ₂, lag 0–30"
	for room, want := range map[int]string{40: title, 31: title, 30: "autocorrelation of θ₂", 20: "autocorrelation of",
		16: "autocorrelation", 5: "autocorrelation"} {
		if got := plane.FitTitle(title, room); got != want {
			t.Errorf("%d: %q, want %q", room, got, want)
		}
	}
}

// A text in ASCII alone has the same words, and something for every character.
func TestASCII(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                    "plain",
		"θ' = θ + ε/2":             "theta' = theta + eps/2",
		"σ² ≥ 1 … – ok ✓":          "sigma^2 >= 1 ~ - ok +",
		"Ünï 漢 \x1b[1mbold\x1b[0m": "?n? ?? \x1b[1mbold\x1b[0m",
	} {
		if got := plane.ASCII(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
