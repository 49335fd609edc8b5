package view

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
	"github.com/psgld/psgld-tui/tui/view/stage"
)

// Diagnostics has a trace at every size with room for two panes, and the Stage one where there
// are more than two coordinates, or the planes of two lanes are too wide to have traces of their own.
func TestTracesAreThere(t *testing.T) {
	for _, s := range scenetest.All() {
		for _, size := range viewtest.Sizes {
			f := viewtest.Frame(s.Snap())
			got := viewtest.Picture(f, diagnostics.New(), size[0], size[1])
			if size[1] >= 20 && !strings.Contains(got, "trace of ") {
				t.Errorf("%s at %v: no trace in Diagnostics:\n%s", s.Name, size, got)
			}
			got = viewtest.Picture(f, stage.New(), size[0], size[1])
			want := f.Dim() > 2 || s.Name == "modes" && size[0] == 80
			if size[1] >= 20 && strings.Contains(got, "trace of ") != want {
				t.Errorf("%s at %v: a trace on the Stage: %v, want %v:\n%s", s.Name, size, !want, want, got)
			}
		}
	}
}

// The cross on a trace shows the range of each lane's bin there, which holds the lane's mean,
// and a zoom of the curves zooms it.
func TestTraceIsRead(t *testing.T) {
	f := viewtest.Frame(scenetest.Of("gaussian"))
	f.Pane, f.Full = "trace 1", true
	panes, _ := viewtest.Noted(f, diagnostics.New(), 120, 32)
	p, ok := panes.Find("trace 1")
	if !ok || p.Plot.AxisX != pane.Progress || p.Plot.Rect.Empty() {
		t.Fatalf("the trace has the plot %+v", p.Plot)
	}
	f.Cross = p.Plot.Middle()
	if got := viewtest.Picture(f, diagnostics.New(), 120, 32); !strings.Contains(got, " to ") ||
		!strings.Contains(got, "mean ●") {
		t.Errorf("no values:\n%s", got)
	}
	all := p.Plot.X
	if !p.Plot.Zoom(&f.Zoom, p.Plot.Middle(), 3) {
		t.Fatal("it cannot be zoomed")
	}
	if got := viewtest.Picture(f, diagnostics.New(), 120, 32); strings.Contains(got, " newest ") {
		t.Errorf("zoomed it says what is before the newest:\n%s", got)
	}
	panes, _ = viewtest.Noted(f, diagnostics.New(), 120, 32)
	if p, _ = panes.Find("trace 1"); p.Plot.X.Len() > all.Len()*0.6 {
		t.Errorf("zoomed it shows %v of %v", p.Plot.X, all)
	}
}

// What a lesson asks about is in sight, with each lane's number, wherever a chart is.
func TestAskedIsThere(t *testing.T) {
	for _, size := range [][2]int{{80, 8}, {80, 20}, {120, 16}, {120, 19}, {120, 32}, {200, 56}} {
		f := viewtest.Frame(scenetest.Of("blr"))
		f.Asked, f.Snap = []string{"temperature"}, frametest.Copy(f.Snap)
		for i := range f.Snap.Lanes {
			f.Snap.Lanes[i].Values[quantity.Temperature] = metrics.Exact(1 + float64(i)/4)
		}
		got := viewtest.Picture(f, diagnostics.New(), size[0], size[1])
		if !strings.Contains(got, "╭ temperature ") || !strings.Contains(got, " A 1   B 1.25   step ") {
			t.Errorf("at %v no temperatures are seen:\n%s", size, got)
		}
	}
}
