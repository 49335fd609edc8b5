package childtest

import (
	"os/exec"
	"testing"
)

// Interpreter is the path of what runs "r", alone or with packages behind it, or Python with modules. It finds them
// without loading them, which takes seconds, and skips the test where there is nothing.
func Interpreter(t testing.TB, modules ...string) string {
	t.Helper()
	names, flags := []string{"python3", "/usr/bin/python3", "python"}, append([]string{"-c",
		"import sys, importlib.util as u; sys.exit(any(u.find_spec(m) is None for m in sys.argv[1:]))"}, modules...)
	if modules[0] == "r" {
		names, flags = []string{"Rscript"}, append([]string{"-e", "find.package(commandArgs(TRUE))"}, modules[1:]...)
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil && exec.Command(path, flags...).Run() == nil {
			return path
		}
	}
	t.Skipf("nothing here runs %q", modules)
	return ""
}
