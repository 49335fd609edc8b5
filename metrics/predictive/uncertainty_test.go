package predictive

import (
	"math"
	"testing"
)

// Two draws of two rows, worked out by hand: they agree on the first row and
// contradict each other on the second.
func TestUncertainty(t *testing.T) {
	u := NewUncertainty(2, 2)
	if !math.IsNaN(u.Entropy(0)) || !math.IsNaN(u.Mutual(1)) {
		t.Error("without draws there is an uncertainty")
	}
	u.Add(1, []float64{0.75, 0.25, 1, 0})
	u.Add(1, []float64{0.75, 0.25, 0, 1})
	ln2 := math.Ln2
	// H of (¾, ¼) is 2 ln 2 - ¾ ln 3.
	h := 2*ln2 - 0.75*math.Log(3)
	const rounding = 1e-15 // of sums of two or three terms near 1
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"entropy where the draws agree", u.Entropy(0), h},
		{"mutual information there", u.Mutual(0), 0},
		{"entropy where they contradict", u.Entropy(1), ln2},
		{"mutual information there", u.Mutual(1), ln2},
	} {
		if math.Abs(c.got-c.want) > rounding {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
	}
	var mean, sd [2]float64
	u.Mean(1, mean[:])
	u.Spread(1, sd[:])
	if mean != [2]float64{0.5, 0.5} || sd != [2]float64{0.5, 0.5} {
		t.Errorf("mean %v and spread %v", mean, sd)
	}
	if class, p := u.Top(0); class != 0 || p != 0.75 {
		t.Errorf("the first row is of class %d with %v", class, p)
	}

	// With weights 3 and 1 the mean is (¾, ¼) of draws without entropy.
	w := NewUncertainty(1, 2)
	w.Add(3, []float64{1, 0})
	w.Add(1, []float64{0, 1})
	if math.Abs(w.Entropy(0)-h) > rounding || math.Abs(w.Mutual(0)-h) > rounding {
		t.Errorf("weighted: entropy %v and mutual information %v, want %v", w.Entropy(0), w.Mutual(0), h)
	}
	nan := NewUncertainty(1, 2)
	nan.Add(1, []float64{math.NaN(), 0})
	if !math.IsNaN(nan.Entropy(0)) || !math.IsNaN(nan.Mutual(0)) {
		t.Error("NaN in, a number out")
	}
}
