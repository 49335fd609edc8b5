package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/check"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
	"github.com/psgld/psgld-tui/tui/wording"
)

// checked is a session of draws of which two of thirty facts fail, or which are too few.
func checked(scene string, few bool) *engine.Snapshot {
	s := frametest.Copy(scenetest.Of(scene))
	r := &check.Report{Draws: 500, Verdict: check.Inconsistent}
	for i := range 30 {
		r.Facts = append(r.Facts, check.Fact{Name: fmt.Sprintf("mean of the noise in x%d", i), Found: float64(i) / 100,
			SE: 0.05, Z: float64(i) / 5, Fails: i > 27})
	}
	if few {
		r = &check.Report{Draws: 5, Needed: 100, Notes: []string{"The noise of each step was tested."}}
	}
	s.Check = &engine.Check{Report: r}
	return s
}

// The facts of what watched draws are said to be stand in Diagnostics at every size, those first that fail, and one
// pane has all of them.
func TestFacts(t *testing.T) {
	for _, scene := range []string{"gaussian", "blr"} {
		for _, size := range [][2]int{{80, 20}, {120, 32}, {200, 56}} {
			f := viewtest.Frame(checked(scene, false))
			got := viewtest.Picture(f, diagnostics.New(), size[0], size[1])
			for _, want := range []string{"check: 2 of 30 facts fail", "5.80 mean of the noise in",
				"5.60 mean of the noise"} {
				if strings.Count(got, want) != 1 {
					t.Errorf("%s at %v: no %q in\n%s", scene, size, want, got)
				}
			}
			if f.Pane, f.Full = "check", true; size[1] > 32 {
				got = viewtest.Picture(f, diagnostics.New(), size[0], size[1])
				for _, fact := range wording.Facts(f.Snap.Check) {
					if !strings.Contains(got, fact[0]+" "+fact[1]) {
						t.Errorf("%s at %v: no fact %q in\n%s", scene, size, fact, got)
					}
				}
			}
		}
	}
	got := viewtest.Picture(viewtest.Frame(checked("gaussian", true)), diagnostics.New(), 120, 32)
	if !strings.Contains(got, "check: too few draws, about 100 tell") ||
		!strings.Contains(got, "The noise of each step was tested.") {
		t.Error(got)
	}
	viewtest.Golden(t, "check-Diagnostics", viewtest.Frame(checked("gaussian", false)), diagnostics.New(), 120, 32)
}

// A marginal's title has the most draws of any lane, and not one lane's number by another's distance.
func TestMarginalSaysItsDraws(t *testing.T) {
	s := pane.Thin(scenetest.Play("density:-x^2/2", "sgld,psgld", 5000))
	v := &s.Lanes[0]
	v.Every, v.TrailX, v.TrailY = 2, v.TrailX[:1000], v.TrailY[:1000]
	got := viewtest.Picture(viewtest.Frame(s), diagnostics.New(), 120, 36)
	if !strings.Contains(got, "x, last 4,096 draws") {
		t.Error(got)
	}
}
