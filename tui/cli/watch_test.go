//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// Without a terminal there is nothing to watch on.
func TestWatchNeedsATerminal(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]string{
		"reproduce fig1a --watch": "--watch needs a terminal; without one the figures are in the report, and " +
			"--show prints them",
		"reproduce list --watch": "--watch shows sessions that run, and list runs none",
	} {
		r := runArgs(t, append(strings.Fields(args), "--out", dir)...)
		if r.status != console.ExitUsage || r.err != "psgld-tui: "+want+"\n" || r.out != "" {
			t.Errorf("%s: status %d, %q", args, r.status, r.err)
		}
	}
	empty(t, dir)
}

// On a terminal the figures grow, a session that is done is opened and left, and at the end
// the report is written as without it. Who quits before goes on from there.
func TestWatchOnATerminal(t *testing.T) {
	innerlooptest.Skip(t, "a terminal in real time")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	start := func(repeats string) *ptytest.Terminal {
		cmd := exec.Command(self, "reproduce", "fig1a", "--repeats", repeats, "--watch", "--threads", "1", "--out",
			"r"+repeats)
		cmd.Dir, cmd.Env = dir, ptytest.Env(asProgram+"=1")
		return ptytest.Start(t, cmd, 120, 36, true)
	}
	x := start("100") // longer than anybody waits for
	x.See("reproduce quick: fig1a", "error and ACT on N(0, diag(0.16, 1))", "▸ ", "enter opens it")
	x.Press("home", "enter")
	x.See("A SGLD", "draws, newest brightest", "q quit")
	x.Press("q")
	x.See("enter opens it", "gaussian sgld eps=")
	x.Press("q")
	if x.Ended(console.ExitInterrupted); !strings.Contains(x.Raw(),
		"cells, which are in r100/results-1-of-1.jsonl; the same command goes on from there") {
		t.Errorf("at the end it says\n%s", x.Screen())
	}
	x = start("1")
	x.See("all is done: q writes the report")
	x.Press("q")
	x.Ended(console.ExitDone)
	x.See("report: r1/report.md")
	x.AsBefore()
	if _, err := os.Stat(filepath.Join(dir, "r1", "report.md")); err != nil {
		t.Error(err)
	}
}
