package study

import (
	"context"
	"math"
	"testing"

	"github.com/psgld/psgld-tui/targets"
)

// sameFunction holds the truth that is found of a function to the one that its target ships with. Each number is
// within 5 standard errors: of some 100 numbers, which neighbours share, none is further off in 10⁴ right runs.
func sameFunction(t *testing.T, x *Truth) {
	t.Helper()
	want := x.Problem.Function
	got, _, err := x.Run(context.Background())
	if err != nil || want == nil {
		t.Fatal(want, err)
	}
	if len(got.Mean) != len(want.Mean) || len(got.Quantiles) != len(want.Quantiles) || got.Cov != nil {
		t.Fatalf("%d means and %d quantiles", len(got.Mean), len(got.Quantiles))
	}
	part := math.Sqrt(1/got.MinESS + 1/want.MinESS)
	for i, sd := range want.SD {
		if d := math.Abs(got.Mean[i] - want.Mean[i]); !(d < 5*sd*part) {
			t.Errorf("%s: mean %d is %v, want %v ± %v", x.Problem.Spec, i, got.Mean[i], want.Mean[i], sd*part)
		}
		// Of a function far from normal the error of sd is a few times that of a normal one.
		if d := math.Abs(got.SD[i] - sd); !(d < 10*sd*part) {
			t.Errorf("%s: sd %d is %v, want %v", x.Problem.Spec, i, got.SD[i], sd)
		}
		if q := got.Quantiles[i]; !(q[0] < q[1] && q[1] < q[2]) {
			t.Errorf("%s: quantiles %v", x.Problem.Spec, q)
		}
	}
}

// A function's truth is found though its chains may differ in the weights, and is held where functions are.
func TestTruthOfAFunction(t *testing.T) {
	x := truthOn(t, "classify", "", 1000)
	sameFunction(t, x)
	p, err := targets.Open("classify:3", targets.Options{})
	if err != nil || p.Function != nil {
		t.Fatal(p.Function, err)
	}
	ref := &targets.Reference{Mean: make([]float64, 121)}
	if p.Hold(ref); p.Function != ref || p.Reference != nil {
		t.Errorf("held %v and %v", p.Function, p.Reference)
	}
}
