package view

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
)

// many is a regression with so many coefficients, of which lane A trusts all but the first.
func many(n int) *engine.Snapshot {
	s := frametest.Copy(scenetest.Of("blr"))
	for i := range s.Lanes {
		v := &s.Lanes[i]
		v.Facts |= quantity.Truth
		v.Rows = nil
		for k := range n {
			row := engine.CoordRow{At: k, Name: "x" + string(rune('a'+k%26))}
			for j := range row.Values {
				row.Values[j] = metrics.Withheld(metrics.TooShort, v.Draws)
			}
			at := float64(k) / 10
			row.Values[quantity.Mean] = metrics.Known(at, 0.02, v.Draws)
			row.Values[quantity.TrueMean], row.Values[quantity.TrueSD] = metrics.Exact(at-0.1), metrics.Exact(0.4)
			for j, z := range []float64{-2, -0.7, 0.7, 2} {
				row.Quantiles[j] = metrics.Known(at+0.4*z, math.NaN(), v.Draws)
			}
			if i == 0 && k > 0 {
				row.Values[quantity.ESS], row.Values[quantity.RHat] = metrics.Known(321, 10, v.Draws),
					metrics.Known(1.002, math.NaN(), v.Draws)
			}
			v.Rows = append(v.Rows, row)
		}
	}
	return s
}

// A forest shows the rows about the first watched coordinate, each lane's below the other's, the
// numbers of those that are trusted and what the others need.
func TestForest(t *testing.T) {
	s := many(30)
	for _, size := range [][2]int{{80, 20}, {120, 32}, {200, 56}} {
		for _, watched := range []int{0, 17, 29} {
			for i := range s.Lanes {
				s.Lanes[i].Watch = [2]int{watched, 1}
			}
			f := viewtest.Frame(s)
			panes, got := viewtest.Noted(f, diagnostics.New(), size[0], size[1])
			if p, ok := panes.Find("coefficients"); !ok || p.Rect.Empty() {
				t.Fatalf("%v: no forest", size)
			}
			if want := "x" + string(rune('a'+watched%26)) + " "; !strings.Contains(got, want) {
				t.Errorf("%v: coordinate %d, %s, is not there:\n%s", size, watched, want, got)
			}
			// The mean is 0.1 off, a quarter of the true sd of 0.4. Its error is 0.02/0.4.
			for _, want := range []string{"off truth", "321", "1.002", "+0.25 ± 0.05", "3,600+", " of 9"} {
				if want == " of 9" && size[1] == 56 {
					continue // more fit there
				}
				if !strings.Contains(got, want) {
					t.Errorf("%v: no %q in\n%s", size, want, got)
				}
			}
		}
	}
}

// What is too short is said once in the table of estimates and beside the forest, with how many
// steps it takes, and not in every cell.
func TestTooShortIsSaidOnce(t *testing.T) {
	for scene, want := range map[string]string{"early": "35,000+", "four": "27,000+", "blr": "350,000+"} {
		s := frametest.Copy(scenetest.Of(scene))
		for i := range s.Lanes {
			s.Lanes[i].Needed = 34_567
		}
		f := viewtest.Frame(s)
		f.Pane, f.Full = "estimates", true
		if scene == "blr" {
			f.Pane = "coefficients"
		}
		got := viewtest.Picture(f, diagnostics.New(), 120, 32)
		says := strings.Count(got, "too short: ") + strings.Count(got, "more steps: ")
		if says != 1 || !strings.Contains(got, "A needs "+want+" more steps") && !strings.Contains(got, "A "+want+" (") {
			t.Errorf("%s: said %d times:\n%s", scene, says, got)
		}
		if rest := strings.Count(got, "too short") - strings.Count(got, "too short: "); rest > 0 {
			t.Errorf("%s: and %d times more:\n%s", scene, rest, got)
		}
	}
}

// Where all lanes are optimisers or fit a plane, the table of estimates stays.
func TestForestIsOfManyCoordinates(t *testing.T) {
	innerlooptest.Skip(t, "a scene of a network")
	for _, scene := range []string{"gaussian", "mlp"} {
		f := viewtest.Frame(scenetest.Of(scene))
		f.Panes = new(pane.Panes)
		viewtest.Picture(f, diagnostics.New(), 120, 32)
		if _, ok := f.Panes.Find("coefficients"); ok {
			t.Errorf("%s has a forest", scene)
		}
	}
}
