package figure

import (
	"math"
	"testing"
)

// TestLooks: samplers keep their hue in every company, settings of one differ in
// shade, and the paper's series look like those that they are compared with.
func TestLooks(t *testing.T) {
	of := func(paper Series, all ...Series) Figure {
		paper.Paper = true
		return Figure{Panels: []Panel{{Series: append([]Series{paper}, all...)}}}
	}
	for _, c := range []struct {
		f    Figure
		want []Look
	}{
		{of(Series{Name: "paper", Like: "b"}, Series{Name: "a", Of: "sgld"}, Series{Name: "b", Of: "psgld"}),
			[]Look{{0, 0}, {1, 0}, {0, 0}}},
		{of(Series{Name: "paper", Like: "b", Of: "sgd"}, Series{Name: "a", Of: "psgld"}, Series{Name: "b", Of: "psgld"},
			Series{Name: "c", Of: "sgd"}, Series{Name: "d", Of: "psgld"}),
			[]Look{{0, 1}, {0, 0}, {0, 1}, {3, 0}, {0, 2}}},
		{of(Series{Name: "the rate of theorem 1"}, Series{Name: "a", Of: "sgld"}, Series{Name: "b"}, Series{Name: "c"}),
			[]Look{{6, 0}, {1, 0}, {4, 0}, {5, 0}}},
		{of(Series{Name: "rate"}, Series{Name: "a"}, Series{Name: "b"}), []Look{{6, 0}, {0, 0}, {1, 0}}},
		{of(Series{Name: "exact", Like: "none", Of: "sgld"}, Series{Name: "a", Of: "hmc"}), []Look{{1, 0}, {7, 0}}},
	} {
		for i, got := range c.f.Looks()[0] {
			if got != c.want[i] {
				t.Errorf("%q is %v, want %v", c.f.Panels[0].Series[i].Name, got, c.want[i])
			}
		}
	}
}

// TestSpans: what axes show of data that are not all there.
func TestSpans(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name   string
		p      Panel
		yLo    float64
		yHi    float64
		margin bool // of 4%
	}{
		{"gaps", Panel{Series: []Series{{X: []float64{1, 2, 3, nan}, Y: []float64{5, nan, 15, 99}}}}, 5, 15, true},
		{"asked for", Panel{Y: Axis{Min: 1, Max: 2}, Series: []Series{{X: []float64{1}, Y: []float64{50}}}},
			1, 2, false},
		{"one value", Panel{Series: []Series{{X: []float64{1, 2}, Y: []float64{5, 5}}}}, 4.5, 5.5, false},
		{"logarithmic", Panel{Y: Axis{Log: true}, Series: []Series{{X: []float64{1, 2, 3}, Y: []float64{0, 4, inf}}}},
			2, 8, false},
		{"error bars", Panel{Series: []Series{{X: []float64{1, 2}, Y: []float64{5, 6}, Err: []float64{5, 4}}}},
			0, 10, true},
		{"x out of sight", Panel{X: Axis{Min: 0, Max: 1},
			Series: []Series{{X: []float64{0, 1, 2}, Y: []float64{1, 2, 1000}}}}, 1, 2, true},
	} {
		_, y := c.p.Spans()
		lo, hi := c.yLo, c.yHi
		if d := 0.04 * (hi - lo); c.margin {
			hi += d
			if lo != 0 {
				lo -= d
			}
		}
		if math.Abs(y.Lo-lo) > 1e-12 || math.Abs(y.Hi-hi) > 1e-12 || y.Empty {
			t.Errorf("%s: %v to %v, want %v to %v", c.name, y.Lo, y.Hi, lo, hi)
		}
	}
	if x, y := (Panel{Series: []Series{{X: []float64{nan}, Y: []float64{1}}}}).Spans(); !x.Empty || !y.Empty {
		t.Error("a panel without a point is not empty")
	}
}
