package view

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
	"github.com/psgld/psgld-tui/tui/view/learning"
	"github.com/psgld/psgld-tui/tui/view/predictions"
	"github.com/psgld/psgld-tui/tui/view/stage"
)

// crossIn puts the cross at a fraction of a pane's plot.
func crossIn(f *pane.Frame, v pane.View, w, h int, name string, tx, ty float64) {
	p, _ := viewtest.Noted(*f, v, w, h)
	at, ok := p.Find(name)
	if !ok || at.Plot.Rect.Empty() {
		return
	}
	r := at.Plot.Rect
	f.Cross = at.Plot.Under(r.X+int(tx*float64(r.W)), r.Y+int(ty*float64(r.H)))
}

// One pane over the whole view, the projector, and values read off a curve, a
// plane and a histogram.
func TestInspectedPictures(t *testing.T) {
	const w, h = viewtest.W, viewtest.H
	full := viewtest.Frame(scenetest.Of("turned"))
	full.Pane, full.Full = "autocorrelation 2", true
	viewtest.Golden(t, "full-Stage", full, stage.New(), w, h)
	full.Pane = "a step"
	viewtest.Golden(t, "full-Diagnostics", full, diagnostics.New(), w, h)
	full.Snap, full.Pane = scenetest.Of("mlp"), pane.FirstImage
	viewtest.Golden(t, "full-Predictions", full, predictions.New(), w, h)

	projector := viewtest.Frame(scenetest.Of("turned"))
	projector.Projector, projector.Lane = true, 1
	projector.Theme = theme.Of(theme.Look{Dark: true, NoColor: true, Thick: true})
	viewtest.Golden(t, "projector-Stage", projector, stage.New(), w, h)
	projector.Pane = "covariance error"
	viewtest.Golden(t, "projector-error", projector, stage.New(), w, h)

	for _, size := range [][2]int{{80, 20}, {w, h}} {
		cross := viewtest.Frame(scenetest.Of("turned"))
		cross.Pane = "covariance error"
		crossIn(&cross, stage.New(), size[0], size[1], "covariance error", 0.4, 0)
		viewtest.Golden(t, "values-curve", cross, stage.New(), size[0], size[1])
		cross.Pane = "lane A"
		crossIn(&cross, stage.New(), size[0], size[1], "lane A", 0.6, 0.4)
		viewtest.Golden(t, "values-plane", cross, stage.New(), size[0], size[1])
	}
	cross := viewtest.Frame(scenetest.Of("turned"))
	cross.Pane = "marginal 1"
	crossIn(&cross, diagnostics.New(), w, h, "marginal 1", 0.45, 0)
	viewtest.Golden(t, "values-marginal", cross, diagnostics.New(), w, h)
	ascii := viewtest.Frame(scenetest.Of("blr"))
	ascii.Theme = theme.Of(theme.Look{NoColor: true, ASCII: true, Thick: true})
	ascii.Pane = "test error"
	crossIn(&ascii, learning.New(), w, h, "test error", 0.5, 0)
	viewtest.Golden(t, "values-Learning-ascii", ascii, learning.New(), w, h)
	card := viewtest.Frame(scenetest.Of("turned"))
	card.Card = true
	viewtest.Golden(t, "card-Stage", card, stage.New(), w, h)
}

// Every view tells of its panes: they do not lap over each other, they are on
// the view, their plots are on them, and each can be drawn alone.
func TestPanes(t *testing.T) {
	for _, s := range scenetest.All() {
		for k, v := range All(nil) {
			for _, size := range viewtest.Sizes {
				w, h := size[0], size[1]
				f := viewtest.Frame(s.Snap())
				p, _ := viewtest.Noted(f, v, w, h)
				all := append([]pane.Shown(nil), p.All()...)
				view := plane.Rect{W: w, H: h}
				if v.Lacking(f.Problem()) != "" {
					continue
				}
				if len(all) == 0 && k != 3 && !(k == 4 && len(f.Snap.Predictions) == 0) {
					t.Errorf("%s/%s at %v has no panes", s.Name, v.Name, size)
				}
				for i, a := range all {
					if a.Rect.Intersect(view) != a.Rect ||
						a.Plot.Rect.Intersect(a.Rect) != a.Plot.Rect && !a.Plot.Rect.Empty() {
						t.Errorf("%s/%s at %v: %s is at %v, its plot at %v", s.Name, v.Name, size, a.Name, a.Rect,
							a.Plot.Rect)
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
					viewtest.Draw(g, v, w, h)
					if at, ok := g.Panes.Find(a.Name); !ok || at.Rect != view {
						t.Errorf("%s/%s at %v: %s alone is drawn at %v, the view is %v", s.Name, v.Name, size, a.Name,
							at.Rect, view)
					}
				}
			}
		}
	}
}

// The values of a pane stand on its edges: its plot is what it was, but for the cross. The title stays where there is
// room for it.
func TestValuesLeaveThePlot(t *testing.T) {
	for _, scene := range []string{"turned", "blr"} {
		for _, size := range viewtest.Sizes {
			for _, name := range []string{"trace 1", "trace 2"} {
				f, v, w, h := viewtest.Frame(scenetest.Of(scene)), diagnostics.New(), size[0], size[1]
				p, _ := viewtest.Noted(f, v, w, h)
				at, ok := p.Find(name)
				if !ok {
					continue
				}
				before := viewtest.Draw(f, v, w, h).Region()
				crossIn(&f, v, w, h, name, 0.6, 0)
				after := viewtest.Draw(f, v, w, h).Region()
				r := at.Plot.Rect
				for i := range r.W * r.H {
					x, y := r.X+i%r.W, r.Y+i/r.W
					was := before.At(x, y)
					if was != 0 && was != ' ' && after.At(x, y) != was && after.At(x, y) != '│' {
						t.Fatalf("%s at %v: %q of %s is %q under the values at %d, %d", scene, size, was, name,
							after.At(x, y), x, y)
					}
				}
				text := viewtest.Picture(f, v, w, h)
				if !strings.Contains(text, "trace of ") || !strings.Contains(text, "─ step ") ||
					w >= 120 && !strings.Contains(text, "mean ●") {
					t.Errorf("%s at %v: the values or the title of %s are missing:\n%s", scene, size, name, text)
				}
			}
		}
	}
}

// The values that a pane tells are those of the lanes' histories.
func TestValuesAreExact(t *testing.T) {
	f := viewtest.Frame(scenetest.Of("gaussian"))
	v := &f.Snap.Lanes[0]
	p := v.History[len(v.History)/2]
	f.Cross = pane.Cross{AxisX: pane.Progress, X: float64(p.Step) + 0.2}
	f.Panes = new(pane.Panes)
	text := viewtest.Picture(f, stage.New(), 200, 56)
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

// Zooming keeps the place under the pointer where it is, on a plane to half a cell, zooming
// out again ends with all of the axis, and nothing leaves it.
func TestZoom(t *testing.T) {
	f := viewtest.Frame(scenetest.Of("turned"))
	v := stage.New()
	for _, name := range []string{"covariance error", "autocorrelation 2", "lane B"} {
		f.Zoom = pane.Zoom{}
		p, _ := viewtest.Noted(f, v, 200, 56)
		at, _ := p.Find(name)
		plot := at.Plot
		all := plot.AllX
		x := plot.Rect.X + plot.Rect.W/3
		c := plot.Under(x, plot.Rect.Y+plot.Rect.H/3)
		for range 8 {
			if !plot.Zoom(&f.Zoom, c, 1) {
				t.Fatalf("%s cannot be zoomed", name)
			}
			p, _ = viewtest.Noted(f, v, 200, 56)
			at, _ = p.Find(name)
			plot = at.Plot
			near := 1e-6*(all.Hi-all.Lo) + 1e-9
			switch {
			case plot.Even:
				near = 0.51 * plot.X.Len() / float64(plot.Rect.W)
			case plot.AxisY == pane.NoAxis: // the axis is fitted to columns
				near = 2 * plot.X.Len() / float64(plot.Rect.W)
			}
			now := plot.Under(x, plot.Rect.Y+plot.Rect.H/3)
			if math.Abs(now.X-c.X) > near {
				t.Fatalf("%s: %v was under the pointer, now %v", name, c.X, now.X)
			}
			if plot.Even || plot.AxisY == pane.NoAxis { // the next notch is about what is there now
				c = now
			}
		}
		// A plane's notches go from one scale with round ticks to another.
		shown := plot.X
		if plot.AxisY == pane.NoAxis {
			shown = plot.Asked
		}
		part, far := shown.Len()/all.Len()/math.Pow(1.25, -8), 1e-6
		if plot.Even {
			far = 0.2
		}
		if math.Abs(part-1) > far {
			t.Errorf("%s shows %.3f of its axis after 8 notches", name, part)
		}
		if plot.AxisY != pane.NoAxis {
			continue
		}
		for range 100 {
			plot.Pan(&f.Zoom, 0.7, 0)
			p, _ = viewtest.Noted(f, v, 200, 56)
			at, _ = p.Find(name)
			plot = at.Plot
		}
		if plot.Asked.Hi != all.Hi {
			t.Errorf("%s: the far right is %v, want %v", name, plot.Asked.Hi, all.Hi)
		}
		for range 30 {
			plot.Zoom(&f.Zoom, plot.Middle(), -1)
			p, _ = viewtest.Noted(f, v, 200, 56)
			at, _ = p.Find(name)
			plot = at.Plot
		}
		if f.Zoom != (pane.Zoom{}) {
			t.Errorf("%s: zoomed out, %v is left", name, f.Zoom)
		}
	}
}
