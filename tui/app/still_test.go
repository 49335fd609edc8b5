package app

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
)

func still(t *testing.T, target string, w, h int, script string) string {
	t.Helper()
	screen, _, err := Still(t.Context(), newSession(t, target),
		Options{Dark: dark(), Environ: []string{"TERM=xterm-256color"}}, w, h, script)
	if err != nil {
		t.Fatal(err)
	}
	frame := screen.Render()
	if !fits(frame, w, h) {
		t.Errorf("the frame of %q does not fit in %d×%d", script, w, h)
	}
	return frame
}

// The same script makes the same frame, whatever the machine is doing meanwhile.
func TestStillIsTheSameEveryTime(t *testing.T) {
	innerlooptest.Skip(t, "eight sessions")
	for _, script := range []string{"steps=3000", "steps=500 right right steps=700 2",
		"steps=200 : type=eps=3 enter steps=2000 3 X X X", "t type=banana enter steps=400"} {
		a := still(t, "gaussian", 120, 36, script)
		if b := still(t, "gaussian", 120, 36, script); a != b {
			t.Errorf("%s:\n%s\nand then\n%s", script, ansi.Strip(a), ansi.Strip(b))
		}
	}
}

func TestStillFollowsItsScript(t *testing.T) {
	innerlooptest.Later(t, "long scripts")
	for _, c := range []struct {
		target, script string
		want           []string
	}{
		{"gaussian", "", []string{"paused", "step 0"}},
		{"gaussian", "steps=1200", []string{"paused", "step 1,200"}},
		{"gaussian", "steps=10 steps=10", []string{"step 20"}},
		{"gaussian", "steps=1200 : type=eps=0.2 enter steps=100", []string{"step 1,300", "0.2"}},
		{"gaussian", "? ?", []string{"Running", "pause or go on"}},
		{"gaussian", "t type=banana enter steps=10", []string{"anana", "step 10"}},
		{"blr:synthetic", "steps=100 3", []string{"error", "step 100"}},
		{"gaussian", "steps=1000 right steps=3000 right steps=1000", []string{"ε 0.378→0.476 @4,000"}},
		{"gaussian", "steps=1000 right → steps=1000", []string{"ε 0.3→0.476 @1,000"}},
		{"gaussian", "space steps=5", []string{"paused", "step 5"}},
		// chains are compared by all draws
		{"gaussian", ": type=chains=2 enter R steps=600000 2", []string{"on every 2nd"}},
	} {
		got := ansi.Strip(still(t, c.target, 120, 36, c.script))
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s %q does not show %q:\n%s", c.target, c.script, w, got)
			}
		}
	}
}

// A grid of which there is not to be more than a number of runs is left there, and who
// listens hears how far it is.
func TestStillOfAPartOfAGrid(t *testing.T) {
	told := ""
	screen, _, err := Still(t.Context(), newSession(t, "gaussian"), Options{
		Dark: dark(), Environ: []string{"TERM=xterm-256color"}, Progress: func(_ float64, what string) { told = what },
	}, 120, 36, "steps=10 : type=grid space type=steps space type=500 enter runs=4 "+gridKey)
	if err != nil {
		t.Fatal(err)
	}
	got := ansi.Strip(screen.Render())
	if !strings.Contains(got, "4 of 164") || !strings.Contains(got, "paused") || told != "grid over ε: 4 of 4 runs" {
		t.Errorf("told %q:\n%s", told, got)
	}
}

func TestStillRefuses(t *testing.T) {
	for _, script := range []string{"steps=x", "steps=0", "runs=0", "runs=x", "nokey", "ctrl+nokey", "steps=-1"} {
		if _, _, err := Still(t.Context(), newSession(t, "gaussian"), Options{Dark: dark()}, 80, 24, script); err == nil {
			t.Errorf("%q is taken", script)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Still(ctx, newSession(t, "gaussian"), Options{Dark: dark()}, 80, 24, "steps=1000000000"); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled still ends with %v", err)
	}
}
