package app

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// A click on the plot of a function adds a datum that lies in the cell that was hit, of a classification of the class
// that J chooses. A drag adds none, and two clicks two. Clicks go as :point does.
func TestClickAddsDatum(t *testing.T) {
	for spec, classes := range map[string][]float64{"regress": {0}, "classify": {0, 1}} {
		m := sampled(t, spec, 120, 36)
		r := m.Feed.Session.(*recorder)
		plot := m.Screen.Panes.All()[0].Plot
		for i, class := range classes {
			if i > 0 {
				m.Update(press("J"))
			}
			for _, at := range [][2]int{{3, 2}, {plot.Rect.W / 2, plot.Rect.H / 2}, {plot.Rect.W - 1, plot.Rect.H - 1}} {
				x, y, n := plot.Rect.X+at[0], plot.Rect.Y+at[1], len(r.sent)
				for range 2 {
					m.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
					m.Update(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
				}
				if len(r.sent) != n+2 {
					t.Fatalf("%s: two clicks send %v", spec, r.sent[n:])
				}
				d := r.sent[n].(state.AddPoint).Datum
				within := func(x, lo, cell float64) bool { return x >= lo && x <= lo+cell }
				w, h := plot.X.Len()/float64(plot.Rect.W), plot.Y.Len()/float64(plot.Rect.H)
				if !within(d.X, plot.X.Lo+w*float64(at[0]), w) || !within(d.Y, plot.Y.Hi-h*float64(at[1]+1), h) ||
					d.Class != class {
					t.Errorf("%s: a click at %v adds %v", spec, at, d)
				}
				if again, err := targets.ParseDatum(d.String()); err != nil || again != d || len(d.String()) > 24 {
					t.Errorf("%s: %q is read as %v, %v", spec, d, again, err)
				}
			}
		}
		if got := m.refusal("point foo"); !strings.Contains(got, `needs x=… and y=…, each once`) {
			t.Errorf("%s: point foo is refused with %q", spec, got)
		}
		n := len(r.sent)
		x, y := plot.Rect.X+9, plot.Rect.Y+5
		m.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		m.Update(tea.MouseMotionMsg{X: x + 4, Y: y, Button: tea.MouseLeft})
		m.Update(tea.MouseReleaseMsg{X: x + 4, Y: y, Button: tea.MouseLeft})
		if len(r.sent) != n || m.Focus.Pane != m.Screen.Panes.All()[0].Name {
			t.Errorf("%s: a drag sends %v, and %q is focused", spec, r.sent[n:], m.Focus.Pane)
		}
	}
}
