package panel

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/internal/frames"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view"
	"github.com/psgld/psgld-tui/tui/view/stage"
)

// setLane changes one lane's setting in a copy of a scene.
func setLane(s *engine.Snapshot, lane int, key string, x float64) {
	v := &s.Lanes[lane]
	v.Setting = v.Setting.With(key, x)
}

// The strip marks the parameters on which lanes differ, of whatever sampler.
func TestStripMarksDifferences(t *testing.T) {
	s := frames.Copy(scenes.Of("gaussian")) // psgld, sgld
	shown := func() string {
		f := frameOf(s)
		f.Params = nil
		return picture(f, stage.New(), 120, 36)
	}
	if strings.Contains(shown(), "≠") {
		t.Error("lanes that agree are marked")
	}
	setLane(s, 1, "eps", 0.1)
	if text := shown(); !strings.Contains(text, "≠ε") || strings.Count(text, "≠") != 1 {
		t.Errorf("ε differs:\n%s", text)
	}
}

// While it seeks no speed is given.
func TestNoSpeedWhileSeeking(t *testing.T) {
	s := frames.Copy(scenes.Of("gaussian"))
	s.Phase, s.Rate, s.Tape.Seeking = engine.Running, 289e6, true
	f := frameOf(s)
	text := picture(f, stage.New(), 120, 36)
	if head, _, _ := strings.Cut(text, "\n"); strings.Contains(head, "steps/s") || !strings.Contains(head, "seeking") {
		t.Errorf("%q", head)
	}
}

// The parts of the header stay where they are while its numbers change.
func TestHeaderStandsStill(t *testing.T) {
	s := frames.Copy(scenes.Of("gaussian"))
	s.Phase = engine.Running
	for _, w := range []int{80, 100, 120} {
		at := -1
		for _, c := range []struct {
			steps uint64
			rate  float64
		}{{900, 12}, {99_999, 1.9e6}, {9_999_999, 812_345}, {10_000_000, 25e6}, {123_456_789, 3}} {
			for i := range s.Lanes {
				s.Lanes[i].Step = c.steps
			}
			s.Rate = c.rate
			head, _, _ := strings.Cut(picture(frameOf(s), stage.New(), w, 36), "\n")
			x := strings.Index(head, "seed")
			if at < 0 {
				at = x
			}
			if x != at || x < 0 {
				t.Errorf("%d columns, %d steps: %q", w, c.steps, head)
			}
		}
	}
}

// On a small screen there is a pane as long as there is room for one.
func TestSmallScreensHaveAPane(t *testing.T) {
	for _, c := range []struct{ w, h, plots int }{{79, 23, 3}, {60, 20, 2}, {40, 12, 1}, {28, 11, 1}, {30, 50, 4}, {79, 11, 1}, {27, 50, 0}, {100, 10, 0}} {
		for k := range view.All(nil) {
			f := frameOf(scenes.Of("gaussian"))
			f.Panes = new(pane.Panes)
			check(t, f, view.All(nil)[k], c.w, c.h)
			drawn, plots := 0, 0
			for _, p := range f.Panes.All() {
				if !p.Rect.Empty() {
					drawn++
				}
				if !p.Plot.Rect.Empty() {
					plots++
				}
			}
			if (drawn > 0) != (c.plots > 0) && k != 5 || k == 0 && plots != c.plots {
				t.Errorf("%d×%d, view %d: %d panes, %d of them plots, want %d", c.w, c.h, k+1, drawn, plots, c.plots)
			}
		}
	}
}
