package diagnostics

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/internal/frames"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// The start of a temperature does not leave what it settles at without ticks.
func TestTemperatureAxisIsOfWhereItSettles(t *testing.T) {
	s := frames.Copy(scenes.Of("gaussian"))
	for i := range s.Lanes {
		h := s.Lanes[i].History
		for k := range h {
			h[k].Temp = 2.7 - float64(1-i)*0.2
			if k < len(h)/10 {
				h[k].Temp = -7
			}
		}
	}
	f := tempFrame(s)
	d := new(View)
	d.drawTemp(plane.NewPlane(40, 9).Region(), &f)
	if y := d.temp.Lines.Y; !y.Fix || !(y.Lo > -1 && y.Lo < 1 && y.Hi < 4) {
		t.Errorf("the axis is %+v", y)
	}
	f.Zoom[pane.Progress] = pane.Range{Lo: 0, Hi: 2000}
	if d.drawTemp(plane.NewPlane(40, 9).Region(), &f); d.temp.Lines.Y.Fix {
		t.Error("the start is cut where it is looked at")
	}
	f.Zoom[pane.Progress] = pane.Range{}
	for i := range s.Lanes {
		for k := range s.Lanes[i].History {
			s.Lanes[i].History[k].Temp = 1 + math.Sin(float64(k))
		}
	}
	if d.drawTemp(plane.NewPlane(40, 9).Region(), &f); d.temp.Lines.Y.Fix {
		t.Error("an axis is cut though the start is like the rest")
	}
}

func tempFrame(s *engine.Snapshot) pane.Frame {
	return pane.Frame{Snap: s, Theme: theme.New(true, true, false), Linked: true, LogY: true}
}
