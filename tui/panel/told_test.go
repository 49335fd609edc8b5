package panel

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/internal/frames"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
	"github.com/psgld/psgld-tui/tui/view/stage"
)

// drawn is what a part of the screen draws on w×h cells.
func drawn(w, h int, draw func(plane.Region)) string {
	p := plane.NewPlane(w, h)
	draw(p.Region())
	return p.RenderPlain()
}

// The header says where a lane is that is behind, whichever has the focus.
func TestHeaderTellsALag(t *testing.T) {
	f := frameOf(scenes.Of("diverged"))
	for f.Lane = range f.Lanes() {
		for _, w := range []int{80, 120} {
			if got := drawn(w, 1, func(g plane.Region) { header(g, &f) }); !strings.Contains(got, "step 5,000   B at 3,1") {
				t.Errorf("lane %d has the focus: %s", f.Lane, got)
			}
		}
	}
	s := frames.Copy(f.Snap)
	for i := range s.Lanes {
		s.Lanes[i].Step = 5000
	}
	f = frameOf(s)
	if got := drawn(120, 1, func(g plane.Region) { header(g, &f) }); strings.Contains(got, " at ") {
		t.Errorf("no lane is behind: %s", got)
	}
}

// A turn of a later digit than the strip shows is seen on the card, on the strip and
// in the titles of lanes that differ by it.
func TestSmallTurnsShow(t *testing.T) {
	s := frames.Copy(scenes.Of("tweaked"))
	before := *s.Lanes[0].Previous
	before.Setting = before.Setting.With(sampler.KeyEps, 1.0/6e7)
	s.Lanes[0].Previous = &before
	s.Lanes[0].Setting = s.Lanes[0].Setting.With(sampler.KeyEps, 1.66e-8)
	s.Lanes[0].Window.Setting = s.Lanes[0].Setting
	s.Lanes[1].Setting = s.Lanes[0].Setting.With(sampler.KeyEps, 1.0/6e7)
	s.Lanes[1].Title = s.Lanes[0].Title
	f := frameOf(s)
	v := f.Focused()
	card := drawn(40, 10, func(g plane.Region) { pane.CardOf(&f).Draw(g, &f) })
	if !strings.Contains(card, "1.67e-8") || !strings.Contains(card, "1.66e-8") {
		t.Errorf("the card tells no difference:\n%s", card)
	}
	if got := drawn(80, 2, func(g plane.Region) { strip(g, &f) }); !strings.Contains(got, "ε 1.66e-8") {
		t.Errorf("the strip does not show the turn:\n%s", got)
	}
	if got := f.LaneTitle(v); !strings.HasSuffix(got, "ε 1.66e-8") {
		t.Errorf("the title is %q", got)
	}
}

// A value that is wider than its cell is shortened or cut with a mark, not left out.
func TestNarrowTablesHaveValues(t *testing.T) {
	for name, c := range map[string]struct {
		scene string
		w, h  int
	}{"28": {"gaussian", 28, 11}, "40": {"gaussian", 40, 12}, "four": {"four", 40, 12}, "many": {"four", 28, 11}} {
		s := frames.Copy(scenes.Of(c.scene))
		for i := range s.Lanes {
			s.Lanes[i].Draws, s.Lanes[i].Values[quantity.Draws] = 137_420_874, metrics.Exact(137_420_874)
		}
		got := picture(frameOf(s), diagnostics.New(), c.w, c.h)
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
	for x, want := range map[float64]string{0.0425: "4.25 %", 0.04: "4.00 %", 0.12: "12.0 %", 1: "100 %", 0: "0 %"} {
		if got := pane.Percent(x); got != want {
			t.Errorf("%v is %q, want %q", x, got, want)
		}
	}
	s := frames.Copy(scenes.Of("blr"))
	for i := range s.Lanes {
		v := &s.Lanes[i]
		v.TrailX, v.TrailY = v.TrailX[:1], v.TrailY[:1]
	}
	for _, view := range []pane.View{stage.New(), diagnostics.New()} {
		if got := picture(frameOf(s), view, 120, 36); strings.Contains(got, "last 1 draws") {
			t.Errorf("one draw in the plural:\n%s", got)
		}
	}
}

// Room for sliders is kept only where they are drawn.
func TestStripWithoutHoles(t *testing.T) {
	f := frameOf(scenes.Of("tweaked"))
	got := drawn(40, 2, func(g plane.Region) { strip(g, &f) })
	for row := range strings.Lines(got) {
		if row = strings.TrimSpace(row); !strings.Contains(row, "▕") && strings.Contains(strings.TrimRight(row, "… "), "    ") {
			t.Errorf("a hole in\n%s", got)
		}
	}
}
