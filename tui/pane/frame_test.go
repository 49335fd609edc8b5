package pane

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

func TestShortName(t *testing.T) {
	th, plain := theme.New(true, false, false), theme.New(true, false, true)
	for _, c := range [...]struct{ in, want string }{
		{"theta[1]", "θ₁"},
		{"theta[15704]", "θ₁₅₇₀₄"},
		{"intercept", "intercept"},
		{"theta[]", "theta[]"},
		{"theta[2,3]", "theta[2,3]"},
		{"theta[1", "theta[1"},
		{"theta[1234567890123]", "theta[1234567890123]"},
	} {
		if got := ShortName(&th, c.in); got != c.want {
			t.Errorf("shortName(%q) = %q, want %q", c.in, got, c.want)
		}
		ascii := c.in
		if digits, ok := strings.CutPrefix(plane.ASCII(c.want), "theta"); ok && c.want != c.in {
			ascii = "th" + digits
		}
		if got := ShortName(&plain, c.in); got != ascii {
			t.Errorf("in ASCII %q is %q, want %q", c.in, got, ascii)
		}
	}
	d := state.Divergence{Coordinate: "theta[2]", Value: math.NaN(), Eps: 3}
	if got := ShortName(&th, d.Reason()); got != "θ₂ is not a number; ε = 3 is too large here" {
		t.Errorf("the reason of %v is %q", d, got)
	}
}

// A session whose lanes had no gradient has stopped, and has not diverged.
func TestPhaseOfLostLanes(t *testing.T) {
	for want, d := range map[string]*state.Divergence{"stopped": {Failed: "it has ended"}, "diverged": {Eps: 1}} {
		f := Frame{Snap: &engine.Snapshot{Phase: state.AllDiverged, Lanes: []engine.LaneView{{}, {Diverged: d}}}}
		if _, _, got := f.Phase(); got != want {
			t.Errorf("it is %q, want %q", got, want)
		}
	}
}
