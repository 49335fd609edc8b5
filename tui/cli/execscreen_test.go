//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/targets/child/childtest"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// The screen asks before a recording starts its command. Of a child that hangs it says so when the
// limit comes, and q does not wait for it.
func TestCommandOnTheScreen(t *testing.T) {
	innerlooptest.Skip(t, "a child that hangs")
	w := childtest.Normal(2)
	w.Fault, w.After = "hang", 1000
	target := "exec:: a model; " + w.Command()
	dir := t.TempDir()
	rec := filepath.Join(dir, "session.json")
	ok(t, "run", "--target", target, "--samplers", "sgld", "--steps", "300", "--record", rec)
	b, err := os.ReadFile(rec)
	if err != nil {
		t.Fatal(err)
	}
	// The recording goes on for longer than the child does, whose path may hold digits too.
	b = regexp.MustCompile(`(?m) 300(,?)$`).ReplaceAll(b, []byte(" 5000$1"))
	if err := os.WriteFile(rec, b, 0o600); err != nil {
		t.Fatal(err)
	}
	start := func(args ...string) *ptytest.Terminal {
		p := program(t, dir, args...)
		cmd := exec.Command(p.Path, args...)
		cmd.Dir, cmd.Env = dir, ptytest.Env(asProgram+"=1", "XDG_CONFIG_HOME="+t.TempDir(), "XDG_CACHE_HOME="+dir)
		return ptytest.Start(t, cmd, 100, 30, true)
	}
	no := start("replay", rec)
	no.See("start this command?", ": a model; ", "Y start the command", "n do not")
	no.Press("n")
	no.Ends(console.ExitUsage, "starts a command, which a file must not do unless --allow-exec is given")

	yes := start("replay", rec, "--child-limit", "1h")
	yes.See("start this command?")
	yes.Press("Y")
	yes.See("A SGLD", "ε")
	time.Sleep(500 * time.Millisecond) // it hangs
	if !ptytest.Within(t, 3*time.Second, func() {
		yes.Press("q")
		yes.Ended(console.ExitDone)
	}) {
		t.Error("q waits for the child")
	}

	late := start("--target", target, "--samplers", "sgld", "--child-limit", "700ms")
	late.See("stopped at step", "has not answered within 700ms", "r: back 200 steps, and ask again")
	late.Press("q")
	late.Ended(console.ExitDone)
}
