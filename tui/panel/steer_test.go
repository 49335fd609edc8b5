package panel

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
	"github.com/psgld/psgld-tui/tui/view/predictions"
)

// One pane alone keeps what one steers by: the parameters, the keys and, over
// images, the slider of the shift, which the mouse finds where it is drawn.
func TestAloneKeepsSteering(t *testing.T) {
	for _, projector := range []bool{true, false} {
		turned := *scenes.Of("mlp")
		by := targets.Shift{Kind: targets.ShiftRotate, Amount: 45}
		turned.Shift = &predict.ShiftView{Asked: by, At: by, Kinds: []targets.ShiftKind{targets.NoShift, targets.ShiftRotate}}
		f := frameOf(&turned)
		f.Projector, f.Full, f.Pane = projector, !projector, pane.FirstImage
		p := plane.NewPlane(120, 36)
		Screen(p, predictions.New(), f, someHints)
		got := p.RenderPlain()
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
		z, _ := p.ZoneAt(knob, y)
		if frac, want := chart.SliderFrac(knob-z.Rect.X, z.Rect.W), 45/targets.ShiftRotate.Scale().Max; z.Drag.Name != predictions.DoSlide || frac < want-0.05 || frac > want+0.05 {
			t.Errorf("projector %v: a click on the knob gives %v, %v, want %v", projector, frac, z.Drag, want)
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

// ASCII says what a sign means, not what it looks like.
func TestASCIIIsSpelled(t *testing.T) {
	f := frameOf(scenes.Of("blr"))
	f.Theme = theme.New(true, true, true)
	got := picture(f, diagnostics.New(), 120, 36)
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
