package panel

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/internal/frames"
	"github.com/psgld/psgld-tui/tui/internal/golden"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// The parts in the states that the screens of TestPictures do not show, one
// below the other.
func TestParts(t *testing.T) {
	base := scenes.All()
	var gauss, blr *engine.Snapshot
	for _, s := range base {
		switch s.Name {
		case "tweaked":
			gauss = s.Snap()
		case "blr":
			blr = s.Snap()
		}
	}
	var out strings.Builder
	show := func(title string, w, h int, draw func(plane.Region)) {
		p := plane.NewPlane(w, h)
		draw(p.Region())
		out.WriteString("== " + title + "\n" + p.RenderPlain() + "\n")
	}
	snap := func(from *engine.Snapshot, change func(*engine.Snapshot)) pane.Frame {
		c := frames.Copy(from)
		change(c)
		return frameOf(c)
	}

	running := snap(gauss, func(s *engine.Snapshot) { s.Phase = engine.Running })
	slow := snap(blr, func(s *engine.Snapshot) {
		s.Phase, s.Speed, s.Rate, s.Config.Race, s.Replaying = engine.Running, 100, 99.7, true, 3
	})
	paused := snap(gauss, func(s *engine.Snapshot) { s.Phase = engine.Paused })
	lost := snap(gauss, func(s *engine.Snapshot) { s.Phase = engine.AllDiverged })
	for _, w := range []int{160, 120, 80, 60, 40, 20, 9} {
		show("header", w, 1, func(g plane.Region) { header(g.Row(0), &running) })
		show("header", w, 1, func(g plane.Region) { header(g.Row(0), &slow) })
	}
	left := snap(blr, func(s *engine.Snapshot) {
		s.Phase, s.Config.Epochs = engine.Running, 2000
		s.Lanes[0].Left = 99.5
	})
	for _, w := range []int{160, 120, 80, 60, 40} {
		show("header, with a limit", w, 1, func(g plane.Region) { header(g.Row(0), &left) })
	}
	show("header, paused", 80, 1, func(g plane.Region) { header(g.Row(0), &paused) })
	show("header, diverged", 80, 1, func(g plane.Region) { header(g.Row(0), &lost) })

	bad := frameOf(gauss)
	bad.Note = pane.Note{Text: "ε must be positive, got -1", Bad: true}
	show("footer, refused", 80, 1, func(g plane.Region) { footer(g.Row(0), &bad, someHints) })
	show("footer, cut", 20, 1, func(g plane.Region) { footer(g.Row(0), &bad, someHints) })
	bad.Note = pane.Note{}
	show("footer, keys", 80, 1, func(g plane.Region) { footer(g.Row(0), &bad, someHints) })

	typing := frameOf(gauss)
	text := "0.0125▏"
	typing.Input, typing.Linked = &text, false
	show("strip, typing, one lane", 120, 2, func(g plane.Region) { strip(g, &typing) })
	data := frameOf(blr)
	data.Param = 1
	for _, size := range [][2]int{{120, 2}, {80, 2}, {60, 1}, {40, 1}, {12, 1}} {
		show("strip with data", size[0], size[1], func(g plane.Region) { strip(g, &data) })
	}
	scheduled := snap(blr, func(s *engine.Snapshot) { s.Lanes[0].Eps /= 2 })
	show("strip, step halved by a schedule", 120, 2, func(g plane.Region) { strip(g, &scheduled) })
	last := frameOf(blr)
	last.Param = len(pane.Params(last)) - 1
	show("strip, the last one selected", 40, 1, func(g plane.Region) { strip(g, &last) })

	tweak := frameOf(gauss)
	show("before and after", 44, 10, func(g plane.Region) { pane.CardOf(&tweak).Draw(g, &tweak) })
	short := snap(gauss, func(s *engine.Snapshot) {
		w := &s.Lanes[1].Window
		for _, id := range []quantity.ID{quantity.MaxACT, quantity.MinESS, quantity.CovError, quantity.Temperature} {
			w.Values[id] = metrics.Withheld(metrics.TooShort, 37)
		}
		w.Values[quantity.Draws] = metrics.Exact(37)
	})
	short.Lane = 1
	show("before and after, too short", 44, 10, func(g plane.Region) { pane.CardOf(&short).Draw(g, &short) })
	golden.Text(t, "parts", strings.TrimSuffix(out.String(), "\n"))
}

// Typing, the strip shows the text in place of the value.
func TestStripInput(t *testing.T) {
	f := frameOf(scenes.All()[0].Snap())
	text := "3e-2"
	f.Input = &text
	for i, q := range pane.Params(f) {
		f.Param = i
		p := plane.NewPlane(100, 2)
		strip(p.Region(), &f)
		if got := p.RenderPlain(); !strings.Contains(got, q.Symbol+" 3e-2") {
			t.Errorf("typing %s does not show:\n%s", q.Key, got)
		}
	}
}
