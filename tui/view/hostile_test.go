package view

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
	"github.com/psgld/psgld-tui/tui/view/learning"
	"github.com/psgld/psgld-tui/tui/view/predictions"
	"github.com/psgld/psgld-tui/tui/view/stage"
	"github.com/psgld/psgld-tui/tui/view/weights"
)

// Any snapshot at any size is drawn without a panic and within the screen.
func TestHostileSnapshots(t *testing.T) {
	innerlooptest.Skip(t, "random snapshots")
	viewtest.Hostile(t, func(t *testing.T, f pane.Frame, w, h int) {
		for _, v := range All(nil) {
			viewtest.Check(t, f, v, w, h)
			viewtest.Check(t, f, v, w, h)
		}
		if len(f.Lanes()) > 0 {
			pane.CardOf().Draw(plane.NewPlane(w, h).Region(), &f)
		}
	})
	viewtest.Check(t, pane.Frame{}, stage.New(), 80, 20)
}

// The panels draw within the regions that they are given.
func TestNothingOutside(t *testing.T) {
	innerlooptest.Skip(t, "many sizes")
	f := viewtest.Frame(scenetest.Of("turned"))
	data, net := viewtest.Frame(scenetest.Of("blr")), viewtest.Frame(scenetest.Of("mlp"))
	draws := map[string]func(plane.Region){
		"stage":       func(g plane.Region) { stage.New().Draw(g, &f) },
		"diagnostics": func(g plane.Region) { diagnostics.New().Draw(g, &f) },
		"learning":    func(g plane.Region) { learning.New().Draw(g, &f) },
		"weights":     func(g plane.Region) { weights.New().Draw(g, &net) },
		"predictions": func(g plane.Region) { predictions.New().Draw(g, &net) },
		"reliability": func(g plane.Region) { predictions.New().Draw(g, &data) },
		"change":      func(g plane.Region) { pane.CardOf().Draw(g, &f) },
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

// hostileFrame spoils the state of the screen in a frame.
func hostileFrame(f *pane.Frame, r *rand.Rand) {
	f.Panes = new(pane.Panes)
	f.Full, f.Projector, f.Overlay = r.IntN(3) == 0, r.IntN(4) == 0, r.IntN(2) == 0
	f.Card = r.IntN(2) == 0
	names := []string{"", "lane A", "lane C", "covariance error", "test error", "marginal 1", "ranks 1", "image 3",
		"nonsense", "estimates"}
	f.Pane = names[r.IntN(len(names))]
	odd := [...]float64{0, 1, -1, 0.5, 3000, 1e300, -1e300, 5e-324, math.NaN(), math.Inf(1), math.Inf(-1), 40}
	any := func() float64 { return odd[r.IntN(len(odd))] }
	for a := range f.Zoom {
		if r.IntN(3) == 0 {
			f.Zoom[a] = pane.Range{Lo: any(), Hi: any()}
		}
	}
	f.Cross = pane.Cross{AxisX: pane.Axis(r.IntN(len(f.Zoom))), AxisY: pane.Axis(r.IntN(len(f.Zoom))),
		X: any(), Y: any()}
}

// Any snapshot, looked at in any way, is drawn within the screen, and whatever
// the mouse and the keys then do leaves it so.
func TestHostileFrames(t *testing.T) {
	innerlooptest.Skip(t, "random snapshots and keys")
	var snaps []*engine.Snapshot
	for _, s := range scenetest.All() {
		snaps = append(snaps, s.Snap())
	}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 7))
		s := frametest.Copy(snaps[r.IntN(len(snaps))])
		frametest.Spoil(reflect.ValueOf(s).Elem(), r, [...]float64{0, 0, 0.01, 0.3}[r.IntN(4)])
		f := pane.Frame{
			Snap: s,
			Theme: theme.Of(theme.Look{NoColor: r.IntN(2) == 0, ASCII: r.IntN(2) == 0, Thick: r.IntN(2) == 0,
				Palette: theme.Palette(r.IntN(5))}),
			Lane:      r.IntN(6) - 1,
			Attention: pane.Attention{XAxis: pane.XAxis(r.IntN(6)), LogX: r.IntN(2) == 0},
			LogY:      r.IntN(2) == 0,
		}
		w, h := r.IntN(300), r.IntN(100)
		if r.IntN(4) == 0 {
			w, h = r.IntN(90), r.IntN(26)
		}
		for _, v := range All(nil) {
			hostileFrame(&f, r)
			viewtest.Check(t, f, v, w, h)
			for range 6 {
				all := f.Panes.All()
				if len(all) == 0 {
					break
				}
				p := all[r.IntN(len(all))]
				switch r.IntN(4) {
				case 0:
					f.Cross = pane.Move(f, p, r.IntN(21)-10, r.IntN(5)-2)
				case 1:
					f.Cross = p.Plot.Under(r.IntN(w+1), r.IntN(h+1))
				case 2:
					p.Plot.Zoom(&f.Zoom, p.Plot.Under(r.IntN(w+1), r.IntN(h+1)), float64(r.IntN(41)-20))
				default:
					p.Plot.Pan(&f.Zoom, 4*r.Float64()-2, 4*r.Float64()-2)
				}
				viewtest.Check(t, f, v, w, h)
			}
		}
	}
}
