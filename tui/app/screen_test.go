package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view"
	"github.com/psgld/psgld-tui/tui/view/predictions"
)

// standing is a screen of a session that stands as a snapshot shows it.
func standing(t testing.TB, s *engine.Snapshot, w, h int) *model {
	m := newScreenOn(t, &recorder{snap: s}, w, h)
	m.Restyle(func(l *theme.Look) { l.NoColor = true })
	m.Notices.Clear()
	return m
}

// framed is what the root draws of a snapshot from, with some keys.
func framed(s *engine.Snapshot) *frame {
	return &frame{Frame: viewtest.Frame(s), hints: someHints, bottom: func(plane.Region) {}}
}

// A click in a lane's pane, or on its line, finds the lane.
func TestLanesHaveZones(t *testing.T) {
	innerlooptest.Numbers(t, "every scene")
	for _, s := range scenetest.All() {
		for _, size := range [][2]int{{20, 9}, {80, 24}, {120, 36}} {
			m := standing(t, s.Snap(), size[0], size[1])
			m.Show(view.Stage)
			m.draw()
			for _, v := range m.Feed.Foreseen.Lanes {
				of := func(z plane.Zone) bool {
					return z.Click.Name == pane.DoFocus && z.Click.Args[0] == pane.LanePane(v.ID) ||
						z.Click.Name == "lane.focus" && z.Click.Args[0] == strconv.Itoa(v.ID)
				}
				seen := func(z plane.Zone) bool { // by its first cell at least
					return of(z) && of(m.Screen.Plane.ZoneAt(z.Rect.X, z.Rect.Y))
				}
				if !slices.ContainsFunc(m.Screen.Plane.Zones(), seen) {
					t.Errorf("%s at %v: lane %d cannot be clicked", s.Name, size, v.ID)
				}
			}
		}
	}
}

// Any snapshot at any size is drawn without a panic and within the screen.
func TestHostileSnapshots(t *testing.T) {
	innerlooptest.Skip(t, "random snapshots")
	viewtest.Hostile(t, func(t *testing.T, seen pane.Frame, w, h int) {
		f := &frame{Frame: seen, hints: someHints, bottom: func(plane.Region) {}}
		p := plane.NewPlane(w, h)
		p.ASCII = f.Theme.ASCII
		header(p.Region().Row(0), f)
		footer(p.Region().Row(0), f)
		p.Clear()
		compact(p.Region(), f)
		if wrong := frametest.Wrong(p, f.Theme); wrong != "" {
			t.Fatalf("%s\n%s", wrong, p.RenderPlain())
		}
	})
}

// The parts of the screen draw within the regions that they are given.
func TestNothingOutside(t *testing.T) {
	f := framed(scenetest.Of("turned"))
	draws := map[string]func(plane.Region){
		"header":  func(g plane.Region) { header(g.Row(0), f) },
		"footer":  func(g plane.Region) { footer(g.Row(0), f) },
		"compact": func(g plane.Region) { compact(g, f) },
	}
	for name, draw := range draws {
		for _, size := range [][2]int{{0, 0}, {1, 1}, {3, 2}, {17, 5}, {40, 12}, {110, 33}} {
			p := plane.NewPlane(120, 40)
			p.Region().Fill('~', plane.Style{})
			at := plane.Rect{X: 5, Y: 3, W: size[0], H: size[1]}
			draw(p.Sub(at))
			for y, l := range strings.Split(p.RenderPlain(), "\n") {
				x := 0
				for _, r := range l {
					if r != '~' && !at.Contains(x, y) {
						t.Fatalf("%s at %v draws %q at (%d, %d)", name, at, r, x, y)
					}
					x++
				}
			}
		}
	}
}

// While it seeks no speed is given.
func TestNoSpeedWhileSeeking(t *testing.T) {
	s := frametest.Copy(scenetest.Of("gaussian"))
	s.Phase, s.Rate, s.Tape.Seeking = state.Running, 289e6, true
	head := drawnOn(120, 1, func(g plane.Region) { header(g, framed(s)) })
	if strings.Contains(head, "steps/s") || !strings.Contains(head, "seeking") {
		t.Errorf("%q", head)
	}
}

// The parts of the header stay where they are while its numbers change.
func TestHeaderStandsStill(t *testing.T) {
	s := frametest.Copy(scenetest.Of("gaussian"))
	s.Phase = state.Running
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
			head := drawnOn(w, 1, func(g plane.Region) { header(g, framed(s)) })
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
	for _, c := range []struct{ w, h, plots int }{{79, 23, 3}, {60, 20, 2}, {40, 12, 1}, {28, 11, 1}, {30, 50, 4},
		{79, 11, 1}, {27, 50, 0}, {100, 10, 0}} {
		m := standing(t, scenetest.Of("gaussian"), c.w, c.h)
		for k := range m.views {
			if m.Feed.Lacks(k) != "" {
				continue
			}
			m.Show(k)
			m.draw()
			drawn, plots := 0, 0
			for _, p := range m.Screen.Panes.All() {
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

// TestCompactPictures are screens without room for a pane.
func TestCompactPictures(t *testing.T) {
	for _, size := range [][2]int{{10, 3}, {1, 1}} {
		m := standing(t, scenetest.Of("turned"), size[0], size[1])
		goldentest.Text(t, fmt.Sprintf("turned-Stage-%dx%d", size[0], size[1]), m.text())
	}
}

// One pane alone keeps what one steers by: the parameters, the keys and, over
// images, the slider of the shift, which the mouse finds where it is drawn.
func TestAloneKeepsSteering(t *testing.T) {
	innerlooptest.Skip(t, "two screens of a network")
	for _, projector := range []bool{true, false} {
		turned := *scenetest.Of("mlp")
		by := targets.Shift{Kind: targets.ShiftRotate, Amount: 45}
		turned.Shift = &predict.ShiftView{Asked: by, At: by,
			Kinds: []targets.ShiftKind{targets.NoShift, targets.ShiftRotate}}
		m := standing(t, &turned, 120, 36)
		m.Show(view.Predictions)
		m.Focus.Begin()
		m.Focus.Projector, m.Focus.Full, m.Focus.Pane = projector, !projector, pane.FirstImage
		got := m.text()
		lines := strings.Split(got, "\n")
		for _, want := range []string{"inputs rotate", "ε ", "space go on"} {
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
		knob := plane.Width(lines[y][:strings.Index(lines[y], string(m.Theme.Glyphs.SliderKnob))])
		z := m.Screen.Plane.ZoneAt(knob, y)
		if frac, want := chart.SliderFrac(knob-z.Rect.X, z.Rect.W), 45/targets.ShiftRotate.Scale().Max; z.Drag.Name != predictions.DoSlide || frac < want-0.05 || frac > want+0.05 {
			t.Errorf("projector %v: a click on the knob gives %v, %v, want %v", projector, frac, z.Drag, want)
		}
	}
}

// ASCII says what a sign means, not what it looks like.
func TestASCIIIsSpelled(t *testing.T) {
	m := standing(t, scenetest.Of("blr"), 120, 36)
	m.Restyle(func(l *theme.Look) { l.ASCII = true })
	m.Screen.Plane.ASCII = true
	m.Show(view.Diagnostics)
	m.Focus.Whole = true
	got := m.text()
	for _, want := range []string{"R-hat", "eps ", "lambda ", "gamma off", "prior-var 100"} {
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

// someHints are what the footer of the pictures says.
var someHints = []control.Hint{
	{Keys: []string{"space"}, Does: "pause", Names: []string{"pause"}}, {Keys: []string{"tab"}, Does: "lane"},
	{Keys: []string{"←", "→"}, Does: "turn"},
	{Keys: []string{"enter"}, Does: "type"}, {Keys: []string{"t"}, Does: "target"},
	{Keys: []string{"s"}, Does: "sampler"}, {Keys: []string{"1", "2", "3", "4", "5"}, Does: "view"},
	{Keys: []string{":"}, Does: "command"}, {Keys: []string{"?"}, Does: "help"},
	{Keys: []string{"q"}, Does: "quit", Names: []string{"quit"}},
}

// drawnOn is what a part of the screen draws on w×h cells.
func drawnOn(w, h int, draw func(plane.Region)) string {
	p := plane.NewPlane(w, h)
	draw(p.Region())
	return p.RenderPlain()
}

// The header says where a lane is that is behind, whichever has the focus.
func TestHeaderTellsALag(t *testing.T) {
	f := framed(scenetest.Of("diverged"))
	lost := plane.Count(f.Snap.Lanes[1].Diverged.Step) // as its pane and the notice say
	for f.Lane = range f.Lanes() {
		for _, w := range []int{80, 120} {
			got := drawnOn(w, 1, func(g plane.Region) { header(g, f) })
			if !strings.Contains(got, "step 5,000   B diverged at "+lost+" ") {
				t.Errorf("lane %d has the focus: %s", f.Lane, got)
			}
		}
	}
	s := frametest.Copy(f.Snap)
	s.Lanes = s.Lanes[1:]
	if got := drawnOn(80, 1, func(g plane.Region) { header(g, framed(s)) }); !strings.Contains(got, "step "+lost+" ") {
		t.Errorf("alone: %s", got)
	}
	s = frametest.Copy(f.Snap)
	s.Lanes[1].Diverged = nil
	got := drawnOn(80, 1, func(g plane.Region) { header(g, framed(s)) })
	if !strings.Contains(got, "step 5,000   B at "+plane.Count(s.Lanes[1].Step)+" ") {
		t.Errorf("behind: %s", got)
	}
	for i := range s.Lanes {
		s.Lanes[i].Step = 5000
	}
	f = framed(s)
	if got := drawnOn(120, 1, func(g plane.Region) { header(g, f) }); strings.Contains(got, " at ") {
		t.Errorf("no lane is behind: %s", got)
	}
}

// The header and the footer in their states, one below the other.
func TestParts(t *testing.T) {
	gauss, blr := scenetest.Of("turned"), scenetest.Of("blr")
	var out strings.Builder
	show := func(title string, w, h int, draw func(plane.Region)) {
		p := plane.NewPlane(w, h)
		draw(p.Region())
		out.WriteString("== " + title + "\n" + p.RenderPlain() + "\n")
	}
	snap := func(from *engine.Snapshot, change func(*engine.Snapshot)) *frame {
		c := frametest.Copy(from)
		change(c)
		return framed(c)
	}

	running := snap(gauss, func(s *engine.Snapshot) { s.Phase = state.Running })
	slow := snap(blr, func(s *engine.Snapshot) {
		s.Phase, s.Speed, s.Rate, s.Config.Race, s.Replaying = state.Running, 100, 99.7, true, 3
	})
	paused := snap(gauss, func(s *engine.Snapshot) { s.Phase = state.Paused })
	lost := snap(gauss, func(s *engine.Snapshot) { s.Phase = state.AllDiverged })
	for _, w := range []int{160, 120, 80, 60, 40, 20, 9} {
		show("header", w, 1, func(g plane.Region) { header(g.Row(0), running) })
		show("header", w, 1, func(g plane.Region) { header(g.Row(0), slow) })
	}
	left := snap(blr, func(s *engine.Snapshot) {
		s.Phase, s.Config.Epochs = state.Running, 2000
		s.Lanes[0].Left = 99.5
	})
	for _, w := range []int{160, 120, 80, 60, 40} {
		show("header, with a limit", w, 1, func(g plane.Region) { header(g.Row(0), left) })
	}
	show("header, paused", 80, 1, func(g plane.Region) { header(g.Row(0), paused) })
	show("header, diverged", 80, 1, func(g plane.Region) { header(g.Row(0), lost) })

	bad := framed(gauss)
	bad.note = control.Note{Text: "ε must be positive, got -1", Bad: true}
	show("footer, refused", 80, 1, func(g plane.Region) { footer(g.Row(0), bad) })
	show("footer, cut", 20, 1, func(g plane.Region) { footer(g.Row(0), bad) })
	bad.note = control.Note{}
	show("footer, keys", 80, 1, func(g plane.Region) { footer(g.Row(0), bad) })

	goldentest.Text(t, "parts", strings.TrimSuffix(out.String(), "\n"))
}
