package panel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/internal/frames"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view"
	"github.com/psgld/psgld-tui/tui/view/stage"
)

// check draws a screen and holds it to its size, and to closed borders.
func check(t *testing.T, f pane.Frame, v pane.View, w, h int) {
	t.Helper()
	if f.Panes == nil {
		f.Panes = new(pane.Panes)
	}
	p := plane.NewPlane(w, h)
	p.ASCII = f.Theme.ASCII
	Screen(p, v, f, someHints)
	var over []plane.Rect
	if at, ok := f.Panes.Find(pane.CardPane); ok && f.Card == pane.CardOver {
		over = append(over, at.Rect)
	}
	if wrong := frames.Wrong(p, f.Theme, over...); wrong != "" {
		t.Fatalf("%d×%d: %s\n%s", w, h, wrong, p.RenderPlain())
	}
}

// What a click on the strip hits is what is drawn there.
func TestStripHit(t *testing.T) {
	snap := scenes.All()[0].Snap()
	for _, w := range []int{20, 40, 80, 120, 200} {
		for h := 1; h <= 3; h++ {
			for param := range 9 {
				f := frameOf(snap)
				f.Param = param
				params := pane.Params(f)
				p := plane.NewPlane(w, h)
				strip(p.Region(), &f)
				rows := strings.Split(p.RenderPlain(), "\n")
				seen := false
				for y := range h {
					row := []rune(rows[y])
					for x := range w {
						i, frac, slider, ok := stripHit(p, &f, x, y)
						if !ok {
							continue
						}
						seen = seen || i == param
						if slider && (frac < 0 || frac > 1) {
							t.Fatalf("frac %g", frac)
						}
						// The knob is where its own fraction says.
						if slider && x < len(row) && row[x] == f.Theme.Glyphs.SliderKnob {
							want := params[i].Frac(f.Snap.Lanes[0].Setting.Value(params[i].Key))
							if d := math.Abs(frac - want); d > 1.0/12+1e-9 { // half a column of a track of 7
								t.Errorf("%d×%d: the knob of %s is at %.2f, its value at %.2f", w, h, params[i].Key, frac, want)
							}
						}
					}
				}
				if !seen {
					t.Errorf("%d×%d: parameter %d is selected but not on the strip:\n%s", w, h, param, strings.Join(rows, "\n"))
				}
			}
		}
	}
}

// A click in a lane's pane, or on its line, finds the lane.
func TestLanesHaveZones(t *testing.T) {
	for _, s := range scenes.All() {
		f := frameOf(s.Snap())
		for _, size := range [][2]int{{20, 9}, {80, 24}, {120, 36}} {
			p := plane.NewPlane(size[0], size[1])
			Screen(p, stage.New(), f, nil)
			for _, v := range f.Snap.Lanes {
				of := func(z plane.Zone) bool {
					return z.Click.Name == pane.DoFocus && z.Click.Args[0] == pane.LanePane(v.ID) || z.Click.Name == "lane.focus" && z.Click.Args[0] == strconv.Itoa(v.ID)
				}
				found := false
				for y := range size[1] {
					for x := range size[0] {
						z, ok := p.ZoneAt(x, y)
						found = found || ok && of(z)
					}
				}
				if !found {
					t.Errorf("%s at %v: lane %d cannot be clicked", s.Name, size, v.ID)
				}
			}
		}
	}
}

// Any snapshot at any size is drawn without a panic and within the screen.
func TestHostileSnapshots(t *testing.T) {
	var snaps []*engine.Snapshot
	for _, s := range scenes.All() {
		snaps = append(snaps, s.Snap())
	}
	rounds := 200
	if testing.Short() {
		rounds = 40
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := frames.Hostile(snaps[r.IntN(len(snaps))], r)
		switch r.IntN(20) {
		case 0:
			s.Lanes = nil
		case 1:
			s.Problem = nil
		case 2:
			s.Problem = &targets.Problem{}
		}
		f := pane.Frame{
			Snap: s, Theme: theme.New(r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0),
			Lane: r.IntN(8) - 2, Param: r.IntN(30) - 4, Linked: r.IntN(2) == 0,
			Image: r.IntN(300) - 20, XAxis: pane.XAxis(r.IntN(6)), LogX: r.IntN(2) == 0, LogY: r.IntN(2) == 0,
		}
		if r.IntN(3) == 0 {
			text := strings.Repeat("1.5e-3▏", r.IntN(20))
			f.Input = &text
		}
		w, h := 1+r.IntN(300), 1+r.IntN(100)
		if r.IntN(4) == 0 {
			w, h = r.IntN(90), r.IntN(26)
		}
		views := view.All(nil)
		t.Run(fmt.Sprintf("%d/%dx%d", seed, w, h), func(t *testing.T) {
			v := views[r.IntN(len(views))]
			check(t, f, v, w, h)
			PageSize(v, w, h, f)
			p := plane.NewPlane(w, h)
			header(p.Region().Row(0), &f)
			footer(p.Region().Row(0), &f, someHints)
			strip(p.Region(), &f)
			compact(p.Region(), &f, someHints)
		})
	}
	check(t, pane.Frame{}, stage.New(), 80, 24)
	check(t, pane.Frame{}, pane.View{}, 120, 36)
}

// The parts of the screen draw within the regions that they are given.
func TestNothingOutside(t *testing.T) {
	f := viewtest.Frame(scenes.Of("tweaked"))
	draws := map[string]func(plane.Region){
		"strip":   func(g plane.Region) { strip(g, &f) },
		"header":  func(g plane.Region) { header(g.Row(0), &f) },
		"footer":  func(g plane.Region) { footer(g.Row(0), &f, someHints) },
		"compact": func(g plane.Region) { compact(g, &f, someHints) },
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
