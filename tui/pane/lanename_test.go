package pane

import (
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A lane's name tells what distinguishes it from others of its sampler, and no more.
func TestNamesTellDifferences(t *testing.T) {
	s := frametest.Copy(scenetest.Of("four")) // psgld, sgld, psgld, sgld
	f := namedFrame(s)
	same := func(want ...string) {
		t.Helper()
		for i := range s.Lanes {
			if got := f.LaneName(&s.Lanes[i]); got != want[i] {
				t.Errorf("lane %d is %q, want %q", i, got, want[i])
			}
		}
	}
	same("A pSGLD", "B SGLD", "C pSGLD", "D SGLD")
	set(s, 1, "eps", 0.007) // the other sampler's names stay
	same("A pSGLD", "B SGLD, ε 0.00700", "C pSGLD", "D SGLD, ε 0.0200")
	set(s, 3, "eps", 0.007)
	set(s, 2, "gamma", 1)
	set(s, 2, "alpha", 0.999)
	same("A pSGLD, α 0.9900, Γ off", "B SGLD", "C pSGLD, α 0.9990, Γ on", "D SGLD")
	f.Theme = theme.New(true, true, true)
	same("A pSGLD, alpha 0.9900, gamma off", "B SGLD", "C pSGLD, alpha 0.9990, gamma on", "D SGLD")
}

func namedFrame(s *engine.Snapshot) Frame {
	return Frame{Snap: s, Theme: theme.New(true, true, false), Linked: true, LogY: true}
}

// set changes one lane's setting.
func set(s *engine.Snapshot, lane int, key string, x float64) {
	v := &s.Lanes[lane]
	v.Setting = v.Setting.With(key, x)
}
