package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/psgld/psgld-tui/tui/cli/console"
)

// A standard output that is closed loses what is written to it, and the program says so. One that
// leads nowhere on purpose does not.
func TestClosedOutput(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0) // as Python's subprocess.DEVNULL is
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	record := filepath.Join(t.TempDir(), "r.json")
	for _, c := range []struct {
		to     string
		status int
		err    string
	}{
		{">&-", console.ExitFailed, "psgld-tui: writing to standard output: it is closed\n"},
		{">/dev/null", console.ExitDone, ""},
		{"", console.ExitDone, ""},
		{"1<>/dev/null 2>&1", console.ExitDone, ""},
		{">&- 2>&-", console.ExitDone, ""}, // nobody is told
	} {
		for _, args := range [][]string{{"samplers"}, {"run", "--steps", "10", "--record", record}} {
			cmd := exec.Command("/bin/sh", append([]string{"-c", `"$0" "$@" ` + c.to + "; exit $?", self}, args...)...)
			var said bytes.Buffer
			cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), asProgram+"=1"), new(bytes.Buffer), &said
			if c.to == "" {
				cmd.Stdout = null
			}
			_ = cmd.Run() // the status says it
			if status := cmd.ProcessState.ExitCode(); status != c.status || said.String() != c.err {
				t.Errorf("%v %s: status %d, %q", args, c.to, status, said.String())
			}
		}
	}
	if _, err := os.Stat(record); err != nil {
		t.Error(err)
	}
}
