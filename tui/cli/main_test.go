package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"runtime/debug"
	"testing"

	"github.com/psgld/psgld-tui/targets/child/childtest"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// asProgram makes the test's binary the program.
const asProgram = "PSGLD_TEST_AS_PROGRAM"

// signalled sends this process a signal, where there are any.
var signalled = func() {}

func TestMain(m *testing.M) {
	childtest.Serve()
	debug.SetGCPercent(400) // a program that lives for a moment
	if as := os.Getenv(asProgram); as != "" {
		if as == "signalled" {
			signalled()
		}
		os.Exit(App{}.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	// of a job that runs the tests
	for _, name := range []string{"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "PSGLD_SHARDS"} {
		_ = os.Unsetenv(name)
	}
	ptytest.Alone()
	// Nobody's own settings and lessons.
	home, err := os.MkdirTemp("", "psgld-tui")
	console.Must(err)
	console.Must(os.Setenv("XDG_CONFIG_HOME", home))
	code := m.Run()
	_ = os.RemoveAll(home)
	os.Exit(code)
}

// process is the program as a process of its own.
type process struct {
	*exec.Cmd
	out, err bytes.Buffer
}

func program(t testing.TB, dir string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(self, args...)}
	p.Dir, p.Stdout, p.Stderr = dir, &p.out, &p.err
	p.Env = append(os.Environ(), asProgram+"=1")
	return p
}
