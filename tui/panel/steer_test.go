package panel

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
	"github.com/psgld/psgld-tui/tui/view/learning"
	"github.com/psgld/psgld-tui/tui/view/predictions"
	"github.com/psgld/psgld-tui/tui/view/stage"
)

// screenOf draws a screen and returns its lines.
func screenOf(w, h int, v pane.View, f pane.Frame) (text string, panes *pane.Panes) {
	if f.Panes == nil {
		f.Panes = new(pane.Panes)
	}
	p := plane.NewPlane(w, h)
	p.ASCII = f.Theme.ASCII
	Screen(p, v, f, someHints)
	return p.RenderPlain(), f.Panes
}

// One pane alone keeps what one steers by: the parameters, the keys and, over
// images, the slider of the shift, which the mouse finds where it is drawn.
func TestAloneKeepsSteering(t *testing.T) {
	for _, projector := range []bool{true, false} {
		f := frameOf(shiftedScene(targets.ShiftRotate, 45))
		f.Projector, f.Full, f.Pane = projector, !projector, pane.FirstImage
		v := predictions.New()
		got, _ := screenOf(120, 36, v, f)
		lines := strings.Split(got, "\n")
		for _, want := range []string{"inputs rotate", "ε ", "space pause"} {
			if !strings.Contains(got, want) {
				t.Errorf("projector %v: no %q in\n%s", projector, want, got)
			}
		}
		y := -1
		for i, l := range lines {
			if strings.Contains(l, "inputs rotate") {
				y = i
			}
		}
		if y < 0 {
			continue
		}
		knob := plane.Width(lines[y][:strings.Index(lines[y], string(f.Theme.Glyphs.SliderKnob))])
		frac, ok := ShiftHit(v, 120, 36, f, knob, y)
		if want := 45 / targets.ShiftRotate.Scale().Max; !ok || frac < want-0.05 || frac > want+0.05 {
			t.Errorf("projector %v: a click on the knob gives %v, %v, want %v", projector, frac, ok, want)
		}
	}
}

// The card of a tweak leaves the newest of a maximised curve in sight, and names
// the keys that close it.
func TestCardBesideTheCurve(t *testing.T) {
	for _, w := range []int{120, 200} {
		f := frameOf(scenes.Of("tweaked"))
		f.Card, f.Full, f.Pane = pane.CardOver, true, "covariance error"
		got, panes := screenOf(w, 36, stage.New(), f)
		if !strings.Contains(got, keyOf("before and after")+" or esc closes") {
			t.Errorf("%d: no key on the card:\n%s", w, got)
		}
		curve, _ := panes.Find("covariance error")
		card, ok := panes.Find(pane.CardPane)
		if !ok || curve.Plot.Rect.Empty() || !curve.Rect.Intersect(card.Rect).Empty() {
			t.Errorf("%d: the curve has %v, the card %v", w, curve.Rect, card.Rect)
		}
	}
}

// A slider takes the room that there is, and the mouse sets what it points at.
func TestSlidersAreWide(t *testing.T) {
	for _, size := range [][2]int{{120, 2}, {200, 1}} {
		f := frameOf(scenes.Of("gaussian"))
		p := plane.NewPlane(size[0], size[1])
		strip(p.Region(), &f)
		n := 0
		for _, z := range p.Zones() {
			if !z.Drag.IsSet() {
				continue
			}
			n++
			if z.Rect.W < 17 {
				t.Errorf("%v: the slider of %s has %d cells", size, z.ID, z.Rect.W)
			}
			for _, x := range []int{1, z.Rect.W / 2, z.Rect.W - 2} {
				if _, frac, on, ok := stripHit(p, &f, z.Rect.X+x, z.Rect.Y); !ok || !on || chart.SliderCell(frac, z.Rect.W) != x-1 {
					t.Errorf("%v, %s: column %d gives %v, %v", size, z.ID, x, frac, ok)
				}
			}
		}
		if n < 3 {
			t.Errorf("%v: %d sliders", size, n)
		}
	}
}

// During the burn-in every chart says how far it has come.
func TestBurnInIsSaid(t *testing.T) {
	f := frameOf(scenes.Of("burning"))
	for _, v := range []pane.View{stage.New(), diagnostics.New(), learning.New(), predictions.New()} {
		got, _ := screenOf(200, 60, v, f)
		if !strings.Contains(got, "burn-in: 120 of 1,000 steps") || strings.Contains(got, "no data yet") || strings.Contains(got, "no draws yet") {
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
		f := frameOf(scenes.Of(c.scene))
		f.Full, f.Pane = true, c.pane
		_, panes := screenOf(120, 36, c.view, f)
		p, ok := panes.Find(c.pane)
		if !ok || p.Plot.Rect.Empty() {
			t.Fatalf("%s has no plot", c.pane)
		}
		before := p.Plot.X
		if !p.Plot.Zoom(&f.Zoom, p.Plot.Middle(), 2) {
			t.Fatalf("%s cannot be zoomed", c.pane)
		}
		f.Cross = p.Plot.Middle()
		got, panes := screenOf(120, 36, c.view, f)
		p, _ = panes.Find(c.pane)
		if !strings.Contains(got, c.want) || p.Plot.X.Hi-p.Plot.X.Lo >= before.Hi-before.Lo {
			t.Errorf("%s: %v of %v\n%s", c.pane, p.Plot.X, before, got)
		}
	}
}

// ASCII says what a sign means, not what it looks like.
func TestASCIIIsSpelled(t *testing.T) {
	f := frameOf(scenes.Of("blr"))
	f.Theme = theme.New(true, true, true)
	got, _ := screenOf(120, 36, diagnostics.New(), f)
	for _, want := range []string{"tau of", "eps ", "lambda ", "gamma off", "prior-var 100", "|drift|"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, r := range got {
		if r >= 0x80 {
			t.Errorf("%q in\n%s", r, got)
			break
		}
	}
}
