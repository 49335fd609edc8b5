package view

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/planetest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
	"github.com/psgld/psgld-tui/tui/view/learning"
	"github.com/psgld/psgld-tui/tui/view/predictions"
	"github.com/psgld/psgld-tui/tui/view/stage"
	"github.com/psgld/psgld-tui/tui/view/weights"
	"github.com/psgld/psgld-tui/tui/wording"
)

// What a pane shows stands still where a window begins anew: its chart, and how large
// its planes are.
func TestANewWindowMovesNothing(t *testing.T) {
	for _, size := range viewtest.Sizes {
		s := frametest.Copy(scenetest.Of("gaussian"))
		f := viewtest.Frame(s)
		f.Panes = new(pane.Panes)
		stage := stage.New()
		viewtest.Picture(f, stage, size[0], size[1])
		before := append([]pane.Shown(nil), f.Panes.All()...)
		for i := range s.Lanes {
			v := &s.Lanes[i]
			v.Draws = 0
			for _, id := range []quantity.ID{quantity.CovError, quantity.MeanError} {
				v.Values[id] = metrics.Withheld(metrics.NoDraws, 0)
			}
		}
		viewtest.Picture(f, stage, size[0], size[1])
		after := f.Panes.All()
		if len(after) != len(before) {
			t.Fatalf("%v: %d panes, then %d", size, len(before), len(after))
		}
		for i, p := range after {
			if strings.HasPrefix(p.Name, "autocorrelation") { // without draws there is none
				p.Plot, before[i].Plot = pane.Plot{}, pane.Plot{}
			}
			q := before[i]
			if p.Name != q.Name || p.Rect != q.Rect || p.Plot.Rect != q.Plot.Rect || p.Plot.Y != q.Plot.Y {
				t.Errorf("%v: %+v, then %+v", size, q, p)
			}
		}
	}
}

// A quantity of the coordinates to which the table gives a row has one for each that is watched.
func TestPlantedRows(t *testing.T) {
	q := &quantity.Coordinates[quantity.Lag1]
	was := *q
	t.Cleanup(func() { *q = was })
	q.Symbol, q.Row = "plant", quantity.Row{Before: quantity.MeanError, Ranks: [2]uint8{1, 1}}
	text := viewtest.Picture(viewtest.Frame(scenetest.Of("gaussian")), diagnostics.New(), viewtest.W, viewtest.H)
	if strings.Count(text, "plant of") != 2 {
		t.Errorf("there are not two rows:\n%s", text)
	}
}

// The numbers of a row with standard errors have the same decimals.
func TestRowsLineUp(t *testing.T) {
	s := frametest.Copy(scenetest.Of("gaussian"))
	for i, c := range []struct{ mean, se float64 }{{0.00111, 0.000996}, {0.00002, 0.00101}} {
		x := &s.Lanes[i].Coords[0].Values
		x[quantity.Mean], x[quantity.MCSE] = metrics.Known(c.mean, c.se, 100), metrics.Known(c.se, math.NaN(), 100)
	}
	text := viewtest.Picture(viewtest.Frame(s), diagnostics.New(), viewtest.W, viewtest.H)
	if !strings.Contains(text, "0.0011 ± 0.0010") || !strings.Contains(text, "0.0000 ± 0.0010") {
		t.Errorf("the rows:\n%s", text)
	}
}

// A value that is wider than its cell is shortened or cut with a mark, not left out.
func TestNarrowTablesHaveValues(t *testing.T) {
	for name, c := range map[string]struct {
		scene string
		w, h  int
	}{"28": {"gaussian", 28, 11}, "40": {"gaussian", 40, 12}, "four": {"four", 40, 12}, "many": {"four", 28, 11}} {
		s := frametest.Copy(scenetest.Of(c.scene))
		for i := range s.Lanes {
			s.Lanes[i].Draws, s.Lanes[i].Values[quantity.Draws] = 137_420_874, metrics.Exact(137_420_874)
		}
		got := viewtest.Picture(viewtest.Frame(s), diagnostics.New(), c.w, c.h-3)
		rows := 0
		for row := range strings.Lines(got) {
			if strings.HasPrefix(row, "│") && strings.Trim(row, "│ \n") != "" && !strings.Contains(row, "●") {
				rows++
				cells := []rune(strings.TrimRight(row, "│ \n"))
				if want := c.w * 3 / 5; len(cells) < want {
					t.Errorf("%s: a row without values: %s", name, row)
				}
			}
		}
		if rows < 3 {
			t.Errorf("%s: %d rows in\n%s", name, rows, got)
		}
		if strings.Contains(name, "8") && !strings.Contains(got, "137 M") {
			t.Errorf("%s: draws are not shortened:\n%s", name, got)
		}
	}
}

// Digits of one column stand still where a value is whole, and one is one.
func TestWholeValuesAndOnes(t *testing.T) {
	for x, want := range map[float64]string{0.0425: "4.25%", 0.04: "4.00%", 0.12: "12.0%", 1: "100%", 0: "0%"} {
		if got := wording.Number(quantity.Share, x, pane.NumberWidth); got != want {
			t.Errorf("%v is %q, want %q", x, got, want)
		}
	}
	s := frametest.Copy(scenetest.Of("blr"))
	for i := range s.Lanes {
		v := &s.Lanes[i]
		v.TrailX, v.TrailY = v.TrailX[:1], v.TrailY[:1]
	}
	for _, view := range []pane.View{stage.New(), diagnostics.New()} {
		got := viewtest.Picture(viewtest.Frame(s), view, viewtest.W, viewtest.H)
		if strings.Contains(got, "last 1 draws") {
			t.Errorf("one draw in the plural:\n%s", got)
		}
	}
}

// The card of a change leaves the newest of a maximised curve in sight, and names
// the keys that close it.
func TestCardBesideTheCurve(t *testing.T) {
	for _, w := range []int{120, 200} {
		f := viewtest.Frame(scenetest.Of("turned"))
		f.Card, f.Full, f.Pane = true, true, "covariance error"
		panes, got := viewtest.Noted(f, stage.New(), w, 32)
		if !strings.Contains(got,
			planetest.Keys("next lane")+" next lane · "+planetest.Keys("before and after")+" closes this") ||
			!strings.Contains(got, "A before and after") {
			t.Errorf("%d: no key on the card:\n%s", w, got)
		}
		curve, _ := panes.Find("covariance error")
		card, ok := panes.Find(pane.CardPane)
		if !ok || curve.Plot.Rect.Empty() || !curve.Rect.Intersect(card.Rect).Empty() {
			t.Errorf("%d: the curve has %v, the card %v", w, curve.Rect, card.Rect)
		}
	}
}

// During the burn-in every chart says how far it has come.
func TestBurnInIsSaid(t *testing.T) {
	f := viewtest.Frame(scenetest.Of("burning"))
	for _, v := range []pane.View{stage.New(), diagnostics.New(), learning.New(), predictions.New()} {
		got := viewtest.Picture(f, v, 200, 56)
		if !strings.Contains(got, "burn-in: 120 of 1,000 steps") || strings.Contains(got, "no data yet") ||
			strings.Contains(got, "no draws yet") {
			t.Errorf("%s:\n%s", v.Name, got)
		}
	}
}

// The calibration diagram and the plot of a lane that has diverged are read and
// zoomed as other plots are.
func TestReadOffCalibrationAndDivergence(t *testing.T) {
	for _, c := range []struct {
		scene, pane, want string
		view              pane.View
	}{{"blr", "calibration", "sure 0.", predictions.New()}, {"diverged", "lane B", "nearest:", stage.New()}} {
		f := viewtest.Frame(scenetest.Of(c.scene))
		f.Full, f.Pane = true, c.pane
		panes, _ := viewtest.Noted(f, c.view, viewtest.W, viewtest.H)
		p, ok := panes.Find(c.pane)
		if !ok || p.Plot.Rect.Empty() {
			t.Fatalf("%s has no plot", c.pane)
		}
		before := p.Plot.X
		if !p.Plot.Zoom(&f.Zoom, p.Plot.Middle(), 2) {
			t.Fatalf("%s cannot be zoomed", c.pane)
		}
		f.Cross = p.Plot.Middle()
		panes, got := viewtest.Noted(f, c.view, viewtest.W, viewtest.H)
		p, _ = panes.Find(c.pane)
		if !strings.Contains(got, c.want) || p.Plot.X.Hi-p.Plot.X.Lo >= before.Hi-before.Lo {
			t.Errorf("%s: %v of %v\n%s", c.pane, p.Plot.X, before, got)
		}
	}
}

// A network that has just run has something to show in every view.
func TestLiveNetwork(t *testing.T) {
	f := viewtest.Frame(scenetest.PlayWith("mlp:8", "psgld,sgld", 60, func(l state.Setting) state.Setting {
		return l.With("burn-in", 10).With("thin", 10)
	}))
	for k, want := range []string{"test NLL", "test NLL", "calibration error", "dense2, 80, sd ─", "label"} {
		v := All(nil)[k]
		for _, size := range [][2]int{{120, 32}, {200, 56}} {
			if got := viewtest.Picture(f, v, size[0], size[1]); !strings.Contains(got, want) {
				t.Errorf("%s at %v lacks %q:\n%s", v.Name, size, want, got)
			}
		}
	}
	if got := viewtest.Picture(f, learning.New(), viewtest.W, viewtest.H); strings.Contains(got, "training") {
		t.Errorf("a network has no scores on its training set:\n%s", got)
	}
}

// The edges of view 4 name the layer, the two lanes that are shown and their standard
// deviations, at any width; with more lanes the view says which two.
func TestLayersNameTheirLanes(t *testing.T) {
	s := *scenetest.Of("mlp")
	s.Lanes = append(slices.Clone(s.Lanes), s.Lanes[1])
	s.Lanes[2].ID = 2
	f := viewtest.Frame(&s)
	for _, c := range []struct {
		focus, w int
		want     []string
	}{
		{0, 80, []string{"A and B of 3 lanes", "╭ dense1, sd ──── ● A 0.454  ▲ B 0.107 ╮", "╭ log₁₀ G, dense2 "}},
		{2, 80, []string{"A and C of 3 lanes", "╭ dense1, sd ──── ● A 0.454  ■ C 0.107 ╮", "╭ log₁₀ G, dense1 "}},
		{2, 120, []string{"A and C of 3 lanes", "╭ dense1, 15,680, sd ─", "─ ● A 0.454  ■ C 0.107 ╮"}},
	} {
		f.Lane = c.focus
		got := viewtest.Picture(f, weights.New(), c.w, 20)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("lane %d, %d columns: no %q in\n%s", c.focus, c.w, want, got)
			}
		}
	}
	f.Panes, f.Pane, f.Full = new(pane.Panes), "layer 1: G", true
	if got := viewtest.Picture(f, weights.New(), 80, 20); !strings.Contains(got, "log₁₀ G, dense1") {
		t.Errorf("a layer's G alone does not say of which layer:\n%s", got)
	}
}

// A network that burns in shows what it learns by the loss of its minibatches.
func TestBurnInOfANetwork(t *testing.T) {
	f := viewtest.Frame(scenetest.PlayWith("mlp:8", "psgld,sgld", 30, func(l state.Setting) state.Setting {
		return l.With("burn-in", 100).With("thin", 10)
	}))
	for _, size := range viewtest.Sizes {
		got := viewtest.Picture(f, learning.New(), size[0], size[1])
		if !strings.Contains(got, "loss of minibatches") || !strings.Contains(got, "burn-in: 30 of 100 steps") {
			t.Errorf("%v:\n%s", size, got)
		}
	}
}
