package panel

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/internal/frames"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
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
