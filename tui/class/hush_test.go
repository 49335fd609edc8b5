package class

import (
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// A program that has a web's door in it asks the terminal nothing before main, and its environment
// is as it was.
func TestNothingIsAskedBeforeMain(t *testing.T) {
	for _, ci := range []string{"", "yes"} {
		c := exec.Command(os.Args[0], "-test.run=^TestEnvironment$", "-test.v")
		c.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "CI=") }),
			"TERM=xterm-256color", "SIP_DEBUG_INPUT=1")
		want := "CI unset"
		if ci != "" {
			c.Env, want = append(c.Env, "CI="+ci), "CI "+ci
		}
		f, err := pty.Start(c)
		if err != nil {
			t.Skip(err)
		}
		defer f.Close()
		out, _ := io.ReadAll(f) // it ends with an error on some systems
		if err := c.Wait(); err != nil || strings.Contains(string(out), "\x1b") ||
			!strings.Contains(string(out), want+", SIP_DEBUG_INPUT unset") {
			t.Errorf("%q, %v, want %s", out, err, want)
		}
	}
}

// TestEnvironment tells the environment, for TestNothingIsAskedBeforeMain.
func TestEnvironment(t *testing.T) {
	of := func(name string) string {
		if v, ok := os.LookupEnv(name); ok {
			return name + " " + v
		}
		return name + " unset"
	}
	t.Log(of("CI") + ", " + of("SIP_DEBUG_INPUT"))
}
