package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/cli/console"
)

// result is what one run of the program left behind.
type result struct {
	status   int
	out, err string
}

func runArgs(t testing.TB, args ...string) result {
	t.Helper()
	return runContext(t, context.Background(), args...)
}

func runContext(t testing.TB, ctx context.Context, args ...string) result {
	t.Helper()
	var out, err bytes.Buffer
	status := App{}.Run(ctx, args, strings.NewReader(""), &out, &err)
	return result{status, out.String(), err.String()}
}

// ok runs the program and fails unless it succeeds without a word on standard error, but what it
// took of a table. What takes long may say how far it is, which it does now and then.
func ok(t testing.TB, args ...string) string {
	t.Helper()
	r := runArgs(t, args...)
	if strings.HasPrefix(r.err, "psgld-tui: label: ") {
		_, r.err, _ = strings.Cut(r.err, "\n")
	}
	waits := slices.Contains([]string{"picture", "reproduce", "sweep", "tune"}, args[0]) &&
		!strings.Contains(r.err, "psgld-tui: ")
	if r.status != console.ExitDone || r.err != "" && !waits {
		t.Fatalf("%v: status %d: %s", args, r.status, r.err)
	}
	return r.out
}

// document runs the program and reads its JSON document into v.
func document(t testing.TB, v any, args ...string) {
	t.Helper()
	out := ok(t, append(args, "--json")...)
	if err := json.Unmarshal([]byte(out), v); err != nil {
		t.Fatalf("%v: %v in %s", args, err, out)
	}
}

// empty fails if anything is in a folder.
func empty(t testing.TB, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Errorf("%s was left behind", filepath.Join(dir, e.Name()))
	}
}

func write(t testing.TB, path, content string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
