package sweep

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/planetest"

	"github.com/psgld/psgld-tui/tui/plane"
)

func TestRow(t *testing.T) {
	nan := math.NaN()
	cells := []heatCell{{0, plainCell}, {0.25, untrustedCell}, {0.5, bestCell}, {0.75, plainCell}, {1, plainCell},
		{nan, failedCell}, {nan, pendingCell}, {nan, untrustedCell}}
	for _, c := range []struct {
		w, selected int
		want        string
	}{
		{8, -1, " ╱✓▓█✗·╱"},
		{18, 3, "  ╱╱✓▒│▓██✗✗··╱╱"},
		{24, 4, "   ╱╱╱▒✓▒▓▓▓▕█▏✗✗✗···╱╱╱"},
		{4, -1, " ✓█╱"},
		{16, 2, "  ╱╱✓▒▓▓██✗✗··╱╱"}, // the best one is seen under the cursor
	} {
		th := planetest.Plain()
		got := planetest.Picture(th, c.w, 1, func(g plane.Region) { drawHeat(g, th, cells, c.selected) })
		if got != c.want {
			t.Errorf("%d wide: %q, want %q", c.w, got, c.want)
		}
	}
	th := planetest.Dark()
	p := plane.NewPlane(8, 2)
	drawHeat(p.Region(), th, cells, -1)
	if g := p.Region(); g.StyleAt(0, 1) != th.Heat[0] || g.StyleAt(4, 1) != th.Heat[7] || g.StyleAt(5, 0) != th.Bad {
		t.Error("low, high and failed cells take their own shades")
	} else if s := g.StyleAt(1, 0); s.BG != th.HeatAt(0.25).FG {
		t.Error("a hatched cell keeps its shade")
	}
}

// Every cell has columns, every column has cells, and both agree.
func TestPlan(t *testing.T) {
	for n := range 60 {
		for w := range 60 {
			p := heatPlan{n, w}
			width := p.Width()
			if width > w || (n > 0 && w > 0) != (width > 0) {
				t.Fatalf("%v takes %d columns", p, width)
			}
			for x := range width {
				from, to := p.Cells(x)
				if from < 0 || to > n || from >= to {
					t.Fatalf("%v: column %d has cells %d to %d", p, x, from, to)
				}
			}
			for i := range n {
				if width == 0 {
					break
				}
				from, to := p.Columns(i)
				if from < 0 || to > width || from >= to {
					t.Fatalf("%v: cell %d has columns %d to %d of %d", p, i, from, to, width)
				}
				if a, b := p.Cells(from); n <= w && (a != i || b != i+1) {
					t.Fatalf("%v: column %d of cell %d has cells %d to %d", p, from, i, a, b)
				}
			}
		}
	}
}
