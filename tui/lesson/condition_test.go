package lesson

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// two is a snapshot of two lanes: A is settled, B has too few draws and no α.
func two() *engine.Snapshot {
	ok := func(x float64) metrics.Estimate { return metrics.Known(x, math.NaN(), 5000) }
	short := metrics.Withheld(metrics.TooShort, 10)
	a := engine.LaneView{ID: 0, Step: 5000, Window: engine.Window{Draws: 5000}}
	a.Values[quantity.Draws], a.Values[quantity.MaxACT], a.Values[quantity.MinESS] = metrics.Exact(5000), ok(8), ok(312.5)
	a.Values[quantity.CovError], a.Values[quantity.Temperature], a.Values[quantity.TestError] = ok(0.2), ok(1.1), ok(0)
	a.Setting = state.Setting{Sampler: "psgld", Values: map[string]float64{"eps": 0.3, "alpha": 0.99, "gamma": 1, "burn-in": 7}}
	a.Previous = &engine.Window{Draws: 900, Setting: state.Setting{Values: map[string]float64{"eps": 0.1}}}
	a.Previous.Values[quantity.MaxACT], a.Previous.Values[quantity.CovError] = ok(16), ok(0.4)
	b := engine.LaneView{ID: 1, Step: 10, Window: engine.Window{Draws: 10}}
	b.Values[quantity.Draws] = metrics.Exact(10)
	for _, id := range []quantity.ID{quantity.MaxACT, quantity.MinESS, quantity.CovError, quantity.Temperature} {
		b.Values[id] = short
	}
	b.Setting = state.Setting{Sampler: "sgld", Values: map[string]float64{"eps": 0.3}}
	c := engine.LaneView{ID: 3, Step: 20, Diverged: &state.Divergence{Step: 21}}
	c.Values[quantity.CovError] = metrics.Withheld(metrics.Diverged, 20)
	return &engine.Snapshot{Lanes: []engine.LaneView{a, b, c}}
}

func TestEval(t *testing.T) {
	s := two()
	for _, c := range []struct {
		text string
		want Truth
	}{
		{"tau(A) < 8.5", True}, {"tau(A) < 8", False}, {"tau(A) <= 8", True}, {"8 >= tau(A)", True}, {"tau(a) = 8", True}, {"tau(A) == 8", True},
		{"tau(A) != 8", False}, {"7 < tau(A) < 9", True}, {"8 < tau(A) < 9", False}, {"9 > tau(A) > 7", True},
		{"tau(A) < 0.6 * tau_before(A)", True}, {"tau(A) < 0.5 * tau_before(A)", False}, {"cov_error(A) = 0.5 * cov_error_before(A)", True},
		{"eps(A) = 0.1 or eps(A) = 0.3", True}, {"eps(A) = eps(B)", True}, {"eps_before(A) = 1e-1", True},
		{"gamma(A) = on", True}, {"gamma(A) = off", False}, {"burn-in(A) = 7 and burn_in(A) = 7", True}, {"lanes = 3", True}, {"lanes", Unknown},
		{"diverged(D)", True}, {"not diverged(D)", False}, {"diverged(A)", False}, {"not not diverged(D)", True},
		// What cannot be trusted is not known, whatever its number.
		{"tau(B) < 8", Unknown}, {"not tau(B) < 8", Unknown}, {"cov_error(B) > 0", Unknown}, {"cov_error(D) < 1", Unknown},
		{"alpha(B) > 0", Unknown}, {"tau(C) < 8", Unknown}, {"diverged(C)", Unknown}, {"tau_before(B) > 0", Unknown}, {"bias(A) = 0", Unknown},
		// Kleene's tables.
		{"tau(B) < 8 and tau(A) < 1", False}, {"tau(A) < 1 and tau(B) < 8", False}, {"tau(B) < 8 and tau(A) < 9", Unknown},
		{"tau(B) < 8 or tau(A) < 9", True}, {"tau(A) < 9 or tau(B) < 8", True}, {"tau(B) < 8 or tau(A) < 1", Unknown},
		// "and" binds before "or", and "not" before both.
		{"tau(A) < 9 or tau(A) < 1 and tau(A) < 1", True}, {"(tau(A) < 9 or tau(A) < 1) and tau(A) < 1", False},
		{"not tau(A) < 1 or tau(A) < 9", True}, {"not (tau(A) < 1 or tau(A) < 9)", False},
		{"7 < tau(B) < 9 or tau(A) > 0", True}, {"9 < tau(A) < tau(B)", False},
	} {
		if c.text == "lanes" { // a number, not a condition
			continue
		}
		got, err := parseCondition(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if v := got.eval(observation{Snapshot: s}); v != c.want {
			t.Errorf("%s is %v, want %v", c.text, v, c.want)
		}
		again, err := parseCondition(got.String())
		if err != nil || again.String() != got.String() || again.eval(observation{Snapshot: s}) != c.want {
			t.Errorf("%s writes itself as %s: %v", c.text, got, err)
		}
	}
	if (Condition{}).eval(observation{Snapshot: s}) != True {
		t.Error("no condition is not true")
	}
	all, err := parseCondition("tau(A) < 8 and cov_error(A) < 2 * cov_error_before(A) and (draws(A) >= 2000 or diverged(D))")
	if err != nil {
		t.Fatal(err)
	}
	if n := alloctest.PerRun(100, func() { all.eval(observation{Snapshot: s}) }); n != 0 {
		t.Errorf("looking at a goal allocates %v times", n)
	}
}

func TestConditionErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "unexpected the end; want a number or a quantity",
		"tua(A) < 8":               `unknown quantity "tua" (did you mean "tau"?)`,
		"tau(E) < 8":               `a lane must be A, B, C or D, got "E" at column 5`,
		"tau < 8":                  `want "(", got "<"`,
		"tau(A":                    `want ")", got the end`,
		"tau(A) <":                 "unexpected the end; want a number",
		"tau(A)":                   "tau is not yes or no",
		"1 < 2":                    "needs a quantity",
		"tau(A) < 1 tau(B) > 2":    `unexpected "tau"; want and, or`,
		"tau(A) ! 3":               `"!" is no comparison`,
		"tau(A) < 1e":              `"1e" is no number`,
		"tau(A) < 8 & ess(A) > 1":  "unexpected '&' at column 12",
		"1 < tau(A) < 2 < 3":       "more than two comparisons",
		"2 * 3 < tau(A)":           `unexpected "3"`,
		"(tau(A) < 3":              `want ")", got the end`,
		"tau(A) < 8 and":           "unexpected the end",
		strings.Repeat("(", 40):    "more than 16 parentheses",
		strings.Repeat("not ", 40): "more than 16 parentheses",
		strings.Repeat("a", 1<<11): "want at most 1000",
		"τ(A) < 8":                 "unexpected 'τ' at column 1",
		"lanes(A) = 2":             "lanes is not yes or no",
	} {
		if _, err := parseCondition(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", text, err, want)
		}
	}
}

// Every quantity has its name to itself, and says what it is.
func TestQuantities(t *testing.T) {
	names := quantityNames()
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("names are not apart: %v", names)
	}
	for _, w := range words {
		if slices.Contains(names, w.word) {
			t.Errorf("%s is a word and a quantity", w.word)
		}
	}
	for _, k := range grammar.ParamKeys() {
		if !slices.Contains(names, normalName(k)) {
			t.Errorf("the parameter %s is no quantity", k)
		}
	}
	s := two()
	for _, q := range measures() {
		if q.doc == "" || q.symbol == "" {
			t.Errorf("%s says nothing of itself", q.name)
		}
		for lane := range state.MaxLanes {
			x, why := q.read(observation{Snapshot: s}, lane)
			if why == "" && math.IsNaN(x) {
				t.Errorf("%s of lane %d is NaN and known", q.name, lane)
			}
			if text := q.format(x); text == "" {
				t.Errorf("%s of %v has no text", q.name, x)
			}
		}
	}
}

func TestGoalLines(t *testing.T) {
	for text, want := range map[string]string{
		"tau(A) < 8.5":                   "A max τ|8|want < 8.50",
		"8.5 > tau(A)":                   "A max τ|8|want < 8.50",
		"7 <= tau(A) <= 9":               "A max τ|8|want ≥ 7, ≤ 9",
		"tau(A) < 0.6 * tau_before(A)":   "A max τ|8|want < 0.600 × A max τ before (9.60)",
		"draws(B) >= 20000":              "B draws|10|of 20,000",
		"100 <= draws(A) < 300":          "A draws|5,000|want ≥ 100, < 300",
		"gamma(A) = on":                  "A Γ|on|want on",
		"tau(B) < 8":                     "B max τ|too short|want < 8",
		"diverged(D)":                    "D diverged|yes|want yes",
		"not diverged(A)":                "A diverged|no|want no",
		"eps(A) != 0.25":                 "A ε|0.3|want not 0.25",
		"burn_in(A) >= 4000":             "A burn-in|7|too small: want ≥ 4,000",
		"0.1 <= eps(A) < 0.2":            "A ε|0.3|too large: want < 0.2",
		"0.45 <= eps(A) < 0.62":          "A ε|0.3|too small: want ≥ 0.45",
		"0.2 <= eps(A) < 0.45":           "A ε|0.3|want ≥ 0.2, < 0.45",
		"tau(A) < 8 or tau(A) > 9":       "tau(A) < 8 or tau(A) > 9||",
		"not tau(A) < 8":                 "not tau(A) < 8||",
		"test_error(A) < 0.15":           "A test error|0%|want < 15.0%",
		"2 * tau(A) < tau_before(A)":     "A max τ before|16|want > 2 × A max τ (16)",
		"2 * tau(A) < 3 * tau_before(A)": "2 * tau(A) < 3 * tau_before(A)||",
		"lanes = 3":                      "lanes|3|want 3",
	} {
		c, err := parseCondition(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		lines := goalLines(c, observation{Snapshot: two()})
		if len(lines) != 1 {
			t.Fatalf("%s has %d lines", text, len(lines))
		}
		g := lines[0]
		if got := g.Label + "|" + g.Value + "|" + g.Aim(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func FuzzCondition(f *testing.F) {
	for _, s := range []string{
		"cov_error(A) < 0.25 and tau(A) < 8 and draws(A) >= 2000", "not (diverged(B) or 1 < tau(A) <= 2e3)",
		"ess(A) > 0.5 * ess(B)", "gamma(A) = on", "burn-in(A) != -1", "lanes = 2", "((", "tau(A) <> 3", "1e999 < tau(A)",
	} {
		f.Add(s)
	}
	s := two()
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseCondition(text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n") {
				t.Fatalf("%q: an error of several lines: %v", text, err)
			}
			return
		}
		again, err := parseCondition(c.String())
		if err != nil && len(c.String()) <= maxCondition || err == nil && again.String() != c.String() {
			t.Fatalf("%q writes itself as %q: %v", text, c, err)
		}
		if err == nil && again.eval(observation{Snapshot: s}) != c.eval(observation{Snapshot: s}) {
			t.Fatalf("%q and %q differ", text, c)
		}
		if not := (Condition{join: "not", parts: []Condition{c}}); not.eval(observation{Snapshot: s}) != True-c.eval(observation{Snapshot: s}) {
			t.Fatalf("not %q is %v, it is %v", text, not.eval(observation{Snapshot: s}), c.eval(observation{Snapshot: s}))
		}
		if c.eval(observation{}) == True && c.eval(observation{Snapshot: &engine.Snapshot{}}) == False {
			t.Fatalf("%q is true of nothing", text)
		}
		goalLines(c, observation{Snapshot: s})
		goalLines(c, observation{})
	})
}
