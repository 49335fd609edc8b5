//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
	"github.com/psgld/psgld-tui/tui/view"
)

// onScreen starts the program on a terminal, in a folder of its own and with
// settings of its own.
func onScreen(t *testing.T, w, h int, args ...string) *ptytest.Terminal {
	t.Helper()
	return onScreenOf(t, w, h, true, args...)
}

// onScreenOf says whether the terminal controls the program.
func onScreenOf(t *testing.T, w, h int, own bool, args ...string) *ptytest.Terminal {
	t.Helper()
	p := program(t, t.TempDir(), args...)
	p.Env = ptytest.Env(asProgram+"=1", "PSGLD_DATA=", "XDG_CONFIG_HOME="+t.TempDir(), "XDG_DATA_HOME="+t.TempDir())
	return ptytest.Start(t, p.Cmd, w, h, own)
}

// begins plays the start of a lecture: ε is turned, a lane diverges, and goes back
// with half of it.
func begins(x *ptytest.Terminal) {
	x.See("● A pSGLD", "▲ B SGLD", "N(0, diag(0.16, 1))", "seed 1", "running", "q quit")
	x.Press("right")
	x.See("ε 0.378", "ε 0.3→0.378 @")
	x.Press("d")
	x.See("before and after")
	x.Press("enter")
	x.Type("0.7")
	x.See("ε 0.700", "diverged at step", "ε = 0.7 ≥ 4σ² = 0.64", "half the ε")
	x.Press("r")
	x.See("B: back to step", "ε 0.7→0.35", "below 4σ² = 0.64")
	x.Miss("diverged at step")
	x.Press("<")
	x.See("1,000 steps/s")
}

// takesALesson opens a lesson and goes as far as its second scene.
func takesALesson(x *ptytest.Terminal) {
	x.See("q quit") // it reads keys by now
	x.Press("g")
	x.See("╭ lesson")
	x.Type("start-at")
	x.See("The start at the mode", "scene 1 of 3", "How large is G in the first step?", "1-3 answer")
	x.Press("2")
	x.See("you predicted: 10", "the answer: 100,000", "n next")
	x.Press("n")
	x.See("scene 2 of 3", "is that start forgotten?")
}

// A lecture on a terminal, from the first frame to what is printed at its end.
func TestALecture(t *testing.T) {
	innerlooptest.Live(t, "a terminal in real time")
	t.Parallel()
	x := onScreen(t, 120, 36, "--record", "lecture.json") // so that q need not ask
	begins(x)

	x.Press("t")
	x.See("╭ target", "funnel")
	x.Type("banana")
	x.See("banana, b = 0.5", "A pSGLD")
	x.Miss("╭ target")

	x.Press("2")
	x.See("╭ estimates", "efficiency")
	x.Press(strconv.Itoa(view.Sweep + 1))
	x.Miss("╭ estimates")
	x.See("grid over ε")
	x.Press("1")
	x.See("last ", "draws")

	x.Press("space")
	x.See("paused")
	for _, size := range [][2]int{{80, 24}, {10, 3}, {200, 60}, {120, 36}} {
		x.Resize(size[0], size[1])
		if size[0] >= 80 {
			x.See("pSGLD", "SGLD", "paused", "banana")
		}
	}

	x.Press("w")
	dir := regexp.MustCompile(`wrote (psgld-[0-9-]+)`).FindStringSubmatch(x.See("wrote psgld-"))[1]
	var names []string
	entries, err := os.ReadDir(filepath.Join(x.Cmd.Dir, dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != "A-psgld.csv B-sgld.csv result.json session.json" {
		t.Errorf("it wrote %s", got)
	}

	takesALesson(x)
	x.Press("2")
	x.See("Run until there are 200,000 draws")
	x.Press("esc")
	x.See("esc again leaves the lesson")
	x.Press("esc")
	x.See("left lesson start-at-the-mode")
	x.Miss("scene 2 of 3")

	x.Type(":open")
	x.See("╭ open a session", dir, "4 turns")
	x.Press("enter")
	x.See("N(0, diag(0.16, 1))", "step 0 ", "next 1/4 ε 0.378")
	x.Press("b", "down", "down", "down", "down", "down", "enter")
	x.See("banana, b = 0.5", "B SGLD")
	x.Press("b", "up", "up", "up", "up", "up", "enter")
	x.See("N(0, diag(0.16, 1))", "step 0 ", "next 1/4 ε 0.378")
	x.Press("b", "down", "enter")
	x.See("last 1/4 ε 0.378")
	x.Press("q")
	x.Ends(console.ExitDone, "N(0, diag(0.16, 1))  seed 1", "A pSGLD  step ", "B SGLD  step ", "psgld-tui --moves '",
		" eps=0.378'")
	if n := strings.Count(x.Raw(), "B SGLD  step "); n != 1 {
		t.Errorf("the summary is printed %d times", n)
	}
	again := program(t, x.Cmd.Dir, "replay", "--verify", filepath.Join(dir, sessionFile))
	if err := again.Run(); err != nil || !strings.HasPrefix(again.out.String(), "verified ") {
		t.Errorf("replay says %v: %s%s", err, again.out.String(), again.err.String())
	}
}
