package panel

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view/learning"
	"github.com/psgld/psgld-tui/tui/view/predictions"
	"github.com/psgld/psgld-tui/tui/view/stage"
	"github.com/psgld/psgld-tui/tui/view/weights"
)

// A network that has just run has something to show in every view.
func TestLiveNetwork(t *testing.T) {
	f := frameOf(scenes.PlayWith("mlp:8", "psgld,sgld", 60, func(l engine.Lane) engine.Lane {
		return l.With("burn-in", 10).With("thin", 10)
	}))
	for k, want := range []string{"test NLL", "test NLL", "calibration error", "dense2, 80, sd ─", "label"} {
		v := Views(nil)[k]
		for _, size := range [][2]int{{120, 36}, {200, 60}} {
			if got := picture(f, v, size[0], size[1]); !strings.Contains(got, want) {
				t.Errorf("%s at %v lacks %q:\n%s", v.Name, size, want, got)
			}
		}
	}
	if got := picture(f, learning.New(), 120, 36); strings.Contains(got, "training") {
		t.Errorf("a network has no scores on its training set:\n%s", got)
	}
}

// Every prediction is on one page, and a page holds as many as its size says.
func TestPages(t *testing.T) {
	for _, scene := range []string{"mlp", "blr"} {
		f := frameOf(scenes.Of(scene))
		n := len(f.Snap.Predictions)
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
			v := predictions.New()
			page := PageSize(v, size[0], size[1], f)
			if page < 1 {
				t.Fatalf("%s at %v has no page", scene, size)
			}
			for _, at := range []int{-5, 0, page - 1, page, n - 1, n + 100} {
				f.Image = at
				first := min(max(at, 0)/page, (n-1)/page) * page
				if first%page != 0 || first >= n || at >= 0 && at < n && (at < first || at >= first+page) {
					t.Errorf("%s: prediction %d of %d is on the page of %d from %d", scene, at, n, page, first)
				}
			}
			if scene == "mlp" {
				f.Image = 0
				if got := strings.Count(picture(f, v, size[0], size[1]), "╭ label"); got != min(page, n) {
					t.Errorf("%d cards at %v, want %d", got, size, page)
				}
			}
		}
		if PageSize(stage.New(), 120, 36, f) != 0 || PageSize(predictions.New(), 40, 10, f) != 0 {
			t.Error("only view 5 has pages, and only where it is drawn")
		}
	}
	if PageSize(predictions.New(), 120, 36, frameOf(scenes.Of("gaussian"))) != 0 {
		t.Error("a density has no predictions")
	}
}

// The edges of view 4 name the layer, the two lanes that are shown and their standard
// deviations, at any width; with more lanes the view says which two.
func TestLayersNameTheirLanes(t *testing.T) {
	s := *scenes.Of("mlp")
	s.Lanes = append(slices.Clone(s.Lanes), s.Lanes[1])
	s.Lanes[2].ID = 2
	f := frameOf(&s)
	for _, c := range []struct {
		focus, w int
		want     []string
	}{
		{0, 80, []string{"A and B of 3 lanes", "╭ dense1, sd ──── ● A 0.454  ▲ B 0.107 ╮", "╭ log₁₀ G, dense2 "}},
		{2, 80, []string{"A and C of 3 lanes", "╭ dense1, sd ──── ● A 0.454  ■ C 0.107 ╮", "╭ log₁₀ G, dense1 "}},
		{2, 120, []string{"A and C of 3 lanes", "╭ dense1, 15,680, sd ─", "─ ● A 0.454  ■ C 0.107 ╮"}},
	} {
		f.Lane = c.focus
		got := picture(f, weights.New(), c.w, 24)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("lane %d, %d columns: no %q in\n%s", c.focus, c.w, want, got)
			}
		}
	}
	f.Panes, f.Pane, f.Full = new(pane.Panes), "layer 1: G", true
	if got := picture(f, weights.New(), 80, 24); !strings.Contains(got, "log₁₀ G, dense1") {
		t.Errorf("a layer's G alone does not say of which layer:\n%s", got)
	}
}

// Predictions that hold anything but what they should are drawn all the same.
func TestOddPredictions(t *testing.T) {
	base := scenes.Of("mlp")
	nan := math.NaN()
	for _, p := range []predict.Prediction{
		{Row: -1, Label: -3},
		{Row: 1 << 40, Label: 1 << 40, Disagreement: nan, Lanes: make([]predict.LanePrediction, 9)},
		{Row: 0, Label: 99, Lanes: []predict.LanePrediction{{Mean: []float64{nan, math.Inf(1), -1, 7}}, {SD: []float64{1}}}},
		{Row: 1, Label: 2, Lanes: []predict.LanePrediction{{Mean: make([]float64, 300), SD: []float64{nan, -1, math.Inf(1)}}}},
	} {
		s := *base
		s.Predictions = []predict.Prediction{p, p}
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
			check(t, frameOf(&s), predictions.New(), size[0], size[1])
		}
		s.Problem = scenes.Of("blr").Problem
		check(t, frameOf(&s), predictions.New(), 120, 36)
	}
	if _, ok := base.Problem.Impl().(targets.Pictures); !ok {
		t.Fatal("the scene has no pictures")
	}
}
