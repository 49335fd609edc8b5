package stage

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// At any size, on any density, and wherever it is zoomed and moved, a unit of x is as many
// dots as a unit of y, the middles of cells are round values, and what stands around the
// plane leaves no region. A zoomed plane goes back to its first scale by as many notches.
func TestTrueToScale(t *testing.T) {
	innerlooptest.Skip(t, "every size")
	for seed := range uint64(80) {
		r := rand.New(rand.NewPCG(seed, 9))
		// "four" is a banana, "one" a mixture and "three" a funnel.
		f := viewtest.Frame(scenetest.Of([]string{"gaussian", "four", "one", "three", "chains", "modes"}[r.IntN(6)]))
		look := theme.Look{Dark: true, ASCII: r.IntN(4) == 0}
		if r.IntN(3) == 0 {
			look.Cell = float64(3+r.IntN(4)) / 2
		}
		f.Theme, f.Overlay = theme.Of(look), r.IntN(3) == 0
		if r.IntN(3) == 0 {
			f.Snap = frametest.Copy(f.Snap)
			f.Snap.Lanes = f.Snap.Lanes[:1]
		}
		w, h := 28+r.IntN(223), 11+r.IntN(70)
		v := New()
		for range 6 {
			f.Panes = new(pane.Panes)
			viewtest.Check(t, f, v, w, h)
			for _, p := range f.Panes.All() {
				at := &p.Plot
				if at.AxisX != pane.CoordX || at.AxisY != pane.CoordY {
					continue
				}
				ux, uy := at.X.Len()/float64(at.Rect.W), at.Y.Len()/float64(at.Rect.H)
				if !at.Equal || !at.Even ||
					math.Abs(ux*f.Theme.CellRatio()/uy-1) > 1e-9 &&
						(look.Cell == 0 || math.Abs(ux*look.Cell/uy-1) > 0.13) {
					t.Fatalf("%d, %d×%d, %s: a unit has %v columns and %v rows", seed, w, h, p.Name, 1/ux, 1/uy)
				}
				if r.IntN(2) == 0 {
					at.Pan(&f.Zoom, r.Float64()-0.5, r.Float64()-0.5)
				} else {
					at.Zoom(&f.Zoom, at.Under(at.Rect.X+r.IntN(at.Rect.W), at.Rect.Y+r.IntN(at.Rect.H)),
						float64(r.IntN(7)-2))
				}
				break
			}
		}
	}
}

// A notch in and a notch out, or a step to the side and back, end where they began.
func TestZoomAndBack(t *testing.T) {
	f := viewtest.Frame(scenetest.Of("gaussian"))
	f.Panes = new(pane.Panes)
	v := New()
	see := func() pane.Plot {
		viewtest.Check(t, f, v, 120, 32)
		p, _ := f.Panes.Find("lane A")
		return p.Plot
	}
	first := see()
	for range 5 {
		at := see()
		at.Zoom(&f.Zoom, at.Middle(), 1)
	}
	if at := see(); !(at.Y.Len() < first.Y.Len()/2) {
		t.Errorf("five notches go from %v to %v", first.Y, at.Y)
	}
	for range 5 {
		at := see()
		at.Zoom(&f.Zoom, at.Middle(), -1)
	}
	if at := see(); math.Abs(at.Y.Len()/first.Y.Len()-1) > 0.3 {
		t.Errorf("as many notches back go to %v from %v", at.Y, first.Y)
	}
	before := see()
	before.Pan(&f.Zoom, 0.25, 0.25)
	at := see()
	at.Pan(&f.Zoom, -0.25, -0.25)
	if at = see(); math.Abs(at.X.Lo-before.X.Lo) > before.X.Len()/float64(before.Rect.W)*1.01 {
		t.Errorf("there and back goes from %v to %v", before.X, at.X)
	}
}

// Every density has a trace beside its plane or below it at 120×36 and above, and the lens a place.
func TestPathIsThere(t *testing.T) {
	for _, name := range []string{"gaussian", "four", "one", "three"} {
		for _, size := range [][2]int{{120, 32}, {160, 40}, {200, 56}} {
			f := viewtest.Frame(scenetest.Of(name))
			f.Snap = frametest.Copy(f.Snap)
			f.Snap.Lanes = f.Snap.Lanes[:min(2, len(f.Snap.Lanes))]
			for i := range f.Snap.Lanes {
				f.Snap.Lanes[i].Local = [2]float64{1e-3, 1e-3}
			}
			v := new(view)
			f.Panes = new(pane.Panes)
			viewtest.Check(t, f, pane.View{Name: "Stage", Panes: v.panes}, size[0], size[1])
			p, ok := f.Panes.Find("lane A")
			if !ok {
				t.Fatalf("%s at %v has no plane", name, size)
			}
			s := v.scene(&f)
			g := plane.NewPlane(p.Rect.W-2, p.Rect.H-3).Region()
			if s.beside = s.divide(g, &f); s.beside.trace.Empty() && s.beside.below.Empty() {
				t.Errorf("%s at %v: no trace at %v", name, size, p.Rect)
			}
			s.zoomed(&f, chart.Plot(s.beside.plane))
			if s.corner(&f).Empty() {
				t.Errorf("%s at %v: no place for a lens", name, size)
			}
		}
	}
}

// The path below a plane goes where its numbers go: each draw has its dot in its own row, on the
// columns of the plane.
func TestPathBelow(t *testing.T) {
	f := viewtest.Frame(scenetest.Of("three"))
	f.Snap = frametest.Copy(f.Snap)
	f.Snap.Lanes = f.Snap.Lanes[:1]
	v := &f.Snap.Lanes[0]
	s := new(view).scene(&f)
	s.at.win.X = pane.Range{Lo: -4, Hi: 4}
	p := plane.NewPlane(50, 4)
	s.drawTrace(p.Region(), &f, v, 0)
	xs := v.TrailX[len(v.TrailX)-16:]
	for i, x := range xs {
		col := int(min(max((x+4)*100/8, 0), 99))
		cell := p.Region().At(col/2, i/4)
		bit := []rune{0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80}[i%4<<1|col%2]
		if cell&^0xff == 0x2800 && cell&bit == 0 {
			t.Errorf("draw %d, %g, has no dot in column %d:\n%s", i, x, col, p.RenderPlain())
		}
	}
}

// Where a lane is that has left its window stands over the contours, whole, and a lane without noise has none in its
// key.
func TestWhereALaneIsNow(t *testing.T) {
	s := *scenetest.Of("gaussian")
	s.Lanes = slices.Clone(s.Lanes)
	v := &s.Lanes[0]
	v.Now, v.Chains, v.Local = [2]float64{0.4, 100}, slices.Clone(v.Chains), [2]float64{}
	for i := range v.Chains {
		v.Chains[i].Now = v.Now
	}
	got := viewtest.Picture(viewtest.Frame(&s), New(), viewtest.W, viewtest.H)
	if !strings.Contains(got, "now at 0.400, 100") {
		t.Errorf("where lane A is does not stand there:\n%s", got)
	}
	if n := strings.Count(got, "○"); n != 1 {
		t.Errorf("%d lanes have noise in their key, want 1:\n%s", n, got)
	}
}

// On a line all draws that there are are in the histogram, and the title says how many.
func TestLineSaysItsDraws(t *testing.T) {
	f := stageFrame(pane.Thin(scenetest.Play("density:-x^2/2", "sgld", 5000)))
	for _, w := range []int{38, 80} {
		if got := viewtest.Picture(f, New(), w, 24); !strings.Contains(got, "x: last 4,096 draws") {
			t.Errorf("at width %d:\n%s", w, got)
		}
	}
}
