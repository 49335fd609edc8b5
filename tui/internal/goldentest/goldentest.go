// Package goldentest compares what a test has made with what it made when somebody looked at it last.
package goldentest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Screen is Text for a screen without its last row, whose hints change with every new key.
func Screen(t testing.TB, name, got string) {
	t.Helper()
	if i := strings.LastIndexByte(got, '\n'); i >= 0 {
		got = got[:i]
	}
	Text(t, name, got)
}

// Text compares a text with testdata/name.txt of the package under test, and
// writes that file if the test runs with -update.
func Text(t testing.TB, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	got += "\n"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs (run with -update after looking at it):\n%s", file, got)
	}
}
