//go:build unix

package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// TestOnlyRegularFiles gives a pipe that nobody writes to, and a device that never ends, to
// everything that reads a file: one line, status 1, at once.
func TestOnlyRegularFiles(t *testing.T) {
	for kind, create := range map[string]func(path string) error{
		"pipe":   func(path string) error { return unix.Mkfifo(path, 0o666) },
		"device": func(path string) error { return os.Symlink("/dev/zero", path) },
	} {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			at := func(parts ...string) string {
				path := filepath.Join(append([]string{dir}, parts...)...)
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if _, err := os.Lstat(path); err == nil {
					return path
				}
				if err := create(path); err != nil {
					t.Skip(err)
				}
				return path
			}
			t.Setenv("PSGLD_DATA", dir)
			t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
			file := at("file")
			at("a9a", "a9a")
			for _, name := range []string{"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz",
				"t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"} {
				at("mnist", name)
			}
			train := filepath.Join(dir, "train")
			if err := os.WriteFile(train, []byte("1 2 0\n2 1 1\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			at("train.t")
			at("config", "psgld-tui", "lessons", "own.toml")
			for _, args := range [][]string{
				{"run", "--target", "blr:" + file},
				{"run", "--target", "blr:" + train},
				{"run", "--target", "blr:a9a"},
				{"run", "--target", "mlp:20", "--dataset", filepath.Join(dir, "mnist")},
				{"run", "--target", "mlp:20", "--dataset", "mnist"},
				{"replay", file},
				{"replay", "--verify", file},
				{"merge", file},
				{"sweep", "--grid", "eps=1,2", "--from", file, "--out", filepath.Join(dir, "out")},
				{"lesson"},
				{"lesson", "test"},
				{"lesson", "test", at("lesson.toml")},
				{"data", "verify"},
				{"run", "--steps", "5", "--record", filepath.Join(file, "x")},
			} {
				var out, errs bytes.Buffer
				status := within(t, func() int {
					return App{}.Run(t.Context(), args, strings.NewReader(""), &out, &errs)
				})
				if line := errs.String(); status != console.ExitFailed || strings.Count(line, "\n") != 1 {
					t.Errorf("%s: status %d, %q", grammar.Quote(args...), status, line)
				} else if !strings.Contains(line, "not a regular file") && args[0] != "data" &&
					!slices.Contains(args, "--record") {
					t.Errorf("%s: %q", grammar.Quote(args...), line)
				}
			}
			_ = filepath.WalkDir(filepath.Join(dir, "out"), func(path string, _ fs.DirEntry, err error) error {
				if err == nil {
					t.Errorf("%s is left", path)
				}
				return nil
			})
		})
	}
}

// within runs a command that must not wait for what never comes.
func within(t *testing.T, run func() int) int {
	t.Helper()
	done := make(chan int, 1)
	go func() { done <- run() }()
	select {
	case status := <-done:
		return status
	case <-time.After(ptytest.Patience):
		t.Fatal("it waits for ever")
		return -1
	}
}
