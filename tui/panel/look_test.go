package panel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/internal/frames"
	"github.com/psgld/psgld-tui/tui/internal/golden"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
	"github.com/psgld/psgld-tui/tui/view/learning"
	"github.com/psgld/psgld-tui/tui/view/predictions"
	"github.com/psgld/psgld-tui/tui/view/stage"
)

var goldenSizes = [][2]int{{80, 24}, {120, 36}, {200, 60}}

// panesOf draws a screen and returns what it notes.
func panesOf(f pane.Frame, v pane.View, w, h int) (*pane.Panes, string) {
	if f.Panes == nil {
		f.Panes = new(pane.Panes)
	}
	return f.Panes, picture(f, v, w, h)
}

// crossIn puts the cross at a fraction of a pane's plot.
func crossIn(f *pane.Frame, v pane.View, w, h int, name string, tx, ty float64) {
	p, _ := panesOf(*f, v, w, h)
	at, ok := p.Find(name)
	if !ok || at.Plot.Rect.Empty() {
		return
	}
	r := at.Plot.Rect
	f.Cross = at.Plot.Under(r.X+int(tx*float64(r.W)), r.Y+int(ty*float64(r.H)))
}

// One pane over the whole view, the projector, and values read off a curve, a
// plane and a histogram, at the sizes that the design names.
func TestLookPictures(t *testing.T) {
	for _, size := range goldenSizes {
		w, h := size[0], size[1]
		at := fmt.Sprintf("-%dx%d", w, h)
		full := frameOf(scenes.Of("tweaked"))
		full.Pane, full.Full = "autocorrelation 2", true
		golden.Text(t, "look-full-Stage"+at, picture(full, stage.New(), w, h))
		full.Pane = "a step"
		golden.Text(t, "look-full-Diagnostics"+at, picture(full, diagnostics.New(), w, h))
		full.Snap, full.Note, full.Pane = scenes.Of("mlp"), pane.Note{}, pane.FirstImage
		golden.Text(t, "look-full-Predictions"+at, picture(full, predictions.New(), w, h))

		projector := frameOf(scenes.Of("tweaked"))
		projector.Projector, projector.Lane = true, 1
		projector.Theme = theme.Of(theme.Look{Dark: true, NoColor: true, Thick: true})
		golden.Text(t, "look-projector-Stage"+at, picture(projector, stage.New(), w, h))
		projector.Pane = "covariance error"
		golden.Text(t, "look-projector-error"+at, picture(projector, stage.New(), w, h))

		cross := frameOf(scenes.Of("tweaked"))
		cross.Pane = "covariance error"
		crossIn(&cross, stage.New(), w, h, "covariance error", 0.4, 0)
		golden.Text(t, "look-values-curve"+at, picture(cross, stage.New(), w, h))
		cross.Pane = "lane A"
		crossIn(&cross, stage.New(), w, h, "lane A", 0.6, 0.4)
		golden.Text(t, "look-values-plane"+at, picture(cross, stage.New(), w, h))
		cross.Pane = "marginal 1"
		crossIn(&cross, predictions.New(), w, h, "marginal 1", 0.45, 0)
		golden.Text(t, "look-values-marginal"+at, picture(cross, predictions.New(), w, h))
	}
	ascii := frameOf(scenes.Of("blr"))
	ascii.Theme = theme.Of(theme.Look{NoColor: true, ASCII: true, Thick: true})
	ascii.Pane = "test error"
	crossIn(&ascii, learning.New(), 120, 36, "test error", 0.5, 0)
	golden.Text(t, "look-values-Learning-ascii-120x36", picture(ascii, learning.New(), 120, 36))
	card := frameOf(scenes.Of("tweaked"))
	card.Card = pane.CardOver
	golden.Text(t, "look-card-Stage-120x36", picture(card, stage.New(), 120, 36))
}

// Every view tells of its panes: they do not lap over each other, they are on
// the view, their plots are on them, and each can be drawn alone.
func TestPanes(t *testing.T) {
	for _, s := range scenes.All() {
		for k, v := range Views(nil) {
			for _, size := range goldenSizes {
				w, h := size[0], size[1]
				f := frameOf(s.Snap())
				p, _ := panesOf(f, v, w, h)
				all := append([]pane.Shown(nil), p.All()...)
				view := Arrange(w, h, f).View
				if len(all) == 0 && k != 3 && !(k == 4 && len(f.Snap.Predictions) == 0) {
					t.Errorf("%s/%s at %v has no panes", s.Name, v.Name, size)
				}
				for i, a := range all {
					if a.Rect.Intersect(view) != a.Rect || a.Plot.Rect.Intersect(a.Rect) != a.Plot.Rect && !a.Plot.Rect.Empty() {
						t.Errorf("%s/%s at %v: %s is at %v, its plot at %v", s.Name, v.Name, size, a.Name, a.Rect, a.Plot.Rect)
					}
					for _, b := range all[:i] {
						if !a.Rect.Intersect(b.Rect).Empty() {
							t.Errorf("%s/%s at %v: %s and %s lap over", s.Name, v.Name, size, a.Name, b.Name)
						}
					}
					if at, ok := p.At(a.Rect.X+a.Rect.W/2, a.Rect.Y+a.Rect.H/2); !ok || at.Name != a.Name {
						t.Errorf("%s/%s: %q is found in the middle of %s", s.Name, v.Name, at.Name, a.Name)
					}
				}
				if w != 120 {
					continue
				}
				for _, a := range all {
					if k, image := predictions.ImageAt(a.Name); image && k > 0 {
						continue // shown alone it is the first of its page
					}
					g := f
					g.Panes, g.Pane, g.Full = new(pane.Panes), a.Name, true
					picture(g, v, w, h)
					if at, ok := g.Panes.Find(a.Name); !ok || at.Rect != view {
						t.Errorf("%s/%s at %v: %s alone is drawn at %v, the view is %v", s.Name, v.Name, size, a.Name, at.Rect, view)
					}
				}
			}
		}
	}
}

// The values that a pane tells are those of the lanes' histories.
func TestValuesAreExact(t *testing.T) {
	f := frameOf(scenes.Of("gaussian"))
	v := &f.Snap.Lanes[0]
	p := v.History[len(v.History)/2]
	f.Cross = pane.Cross{AxisX: pane.Progress, X: float64(p.Step) + 0.2}
	f.Panes = new(pane.Panes)
	text := picture(f, stage.New(), 200, 60)
	for i := range f.Snap.Lanes {
		l := &f.Snap.Lanes[i]
		if want := pane.Exact(errorAt(l, p.Step)); !strings.Contains(text, want) {
			t.Errorf("the error %s of lane %d at step %d is not told", want, i, p.Step)
		}
	}
	if want := "step " + plane.Commas(p.Step); !strings.Contains(text, want) {
		t.Errorf("%q is not told", want)
	}
	c, _ := f.Panes.Find("covariance error")
	next := pane.Move(f, c, 1, 0)
	if want := float64(v.History[len(v.History)/2+1].Step); next.X != want {
		t.Errorf("one to the right of step %d is %v, want %v", p.Step, next.X, want)
	}
	if last := pane.Move(f, c, 1<<20, 0); last.X != float64(v.History[len(v.History)-1].Step) {
		t.Errorf("the last place is %v", last.X)
	}
}

// Zooming keeps the place under the pointer where it is, zooming out again ends
// with all of the axis, and nothing leaves it.
func TestZoom(t *testing.T) {
	f := frameOf(scenes.Of("tweaked"))
	v := stage.New()
	for _, name := range []string{"covariance error", "autocorrelation 2", "lane B"} {
		f.Zoom = pane.Zoom{}
		p, _ := panesOf(f, v, 200, 60)
		at, _ := p.Find(name)
		plot := at.Plot
		all := plot.AllX
		x := plot.Rect.X + plot.Rect.W/3
		c := plot.Under(x, plot.Rect.Y+plot.Rect.H/3)
		for range 8 {
			if !plot.Zoom(&f.Zoom, c, 1) {
				t.Fatalf("%s cannot be zoomed", name)
			}
			p, _ = panesOf(f, v, 200, 60)
			at, _ = p.Find(name)
			plot = at.Plot
			if now := plot.Under(x, plot.Rect.Y+plot.Rect.H/3); math.Abs(now.X-c.X) > 1e-6*(all.Hi-all.Lo)+1e-9 {
				t.Fatalf("%s: %v was under the pointer, now %v", name, c.X, now.X)
			}
		}
		if part := (plot.X.Hi - plot.X.Lo) / (all.Hi - all.Lo); math.Abs(part-math.Pow(1.25, -8)) > 1e-6 {
			t.Errorf("%s shows %.3f of its axis after 8 notches", name, part)
		}
		if plot.AxisY != pane.NoAxis {
			continue
		}
		for range 100 {
			plot.Pan(&f.Zoom, 0.7, 0)
			p, _ = panesOf(f, v, 200, 60)
			at, _ = p.Find(name)
			plot = at.Plot
		}
		if plot.X.Hi != all.Hi {
			t.Errorf("%s: the far right is %v, want %v", name, plot.X.Hi, all.Hi)
		}
		for range 30 {
			plot.Zoom(&f.Zoom, plot.Middle(), -1)
			p, _ = panesOf(f, v, 200, 60)
			at, _ = p.Find(name)
			plot = at.Plot
		}
		if f.Zoom != (pane.Zoom{}) {
			t.Errorf("%s: zoomed out, %v is left", name, f.Zoom)
		}
	}
}

// hostileLook spoils how a frame is looked at.
func hostileLook(f *pane.Frame, r *rand.Rand, v pane.View, w, h int) {
	f.Panes = new(pane.Panes)
	f.Full, f.Projector, f.Overlay = r.IntN(3) == 0, r.IntN(4) == 0, r.IntN(2) == 0
	f.Card = pane.Card(r.IntN(4))
	names := []string{"", "lane A", "lane C", "covariance error", "test error", "marginal 1", "image 3", "nonsense", "estimates"}
	f.Pane = names[r.IntN(len(names))]
	odd := [...]float64{0, 1, -1, 0.5, 3000, 1e300, -1e300, 5e-324, math.NaN(), math.Inf(1), math.Inf(-1), 40}
	any := func() float64 { return odd[r.IntN(len(odd))] }
	for a := range f.Zoom {
		if r.IntN(3) == 0 {
			f.Zoom[a] = pane.Range{Lo: any(), Hi: any()}
		}
	}
	f.Cross = pane.Cross{AxisX: pane.Axis(r.IntN(len(f.Zoom))), AxisY: pane.Axis(r.IntN(len(f.Zoom))), X: any(), Y: any()}
	_ = v
}

// Any snapshot, looked at in any way, is drawn within the screen, and whatever
// the mouse and the keys then do leaves it so.
func TestHostileLooks(t *testing.T) {
	var snaps []*engine.Snapshot
	for _, s := range scenes.All() {
		snaps = append(snaps, s.Snap())
	}
	rounds := 150
	if testing.Short() {
		rounds = 40
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 7))
		s := frames.Copy(snaps[r.IntN(len(snaps))])
		frames.Spoil(reflectOf(s), r, [...]float64{0, 0, 0.01, 0.3}[r.IntN(4)])
		f := pane.Frame{
			Snap: s, Theme: theme.Of(theme.Look{NoColor: r.IntN(2) == 0, ASCII: r.IntN(2) == 0, Thick: r.IntN(2) == 0, Palette: theme.Palette(r.IntN(5))}),
			Lane: r.IntN(6) - 1, XAxis: pane.XAxis(r.IntN(6)), LogX: r.IntN(2) == 0, LogY: r.IntN(2) == 0,
		}
		w, h := r.IntN(300), r.IntN(100)
		if r.IntN(4) == 0 {
			w, h = r.IntN(90), r.IntN(26)
		}
		for _, v := range Views(nil) {
			hostileLook(&f, r, v, w, h)
			check(t, f, v, w, h)
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
				check(t, f, v, w, h)
			}
		}
	}
}

func reflectOf(s *engine.Snapshot) reflect.Value { return reflect.ValueOf(s).Elem() }

// errorAt is a lane's covariance error at the point nearest to a step.
func errorAt(l *engine.LaneView, step uint64) float64 {
	best, at := math.Inf(1), math.NaN()
	for _, p := range l.History {
		if d := math.Abs(float64(p.Step) - float64(step)); d < best {
			best, at = d, p.Of(quantity.CovError)
		}
	}
	return at
}
