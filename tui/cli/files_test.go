package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/cli/console"
)

func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	say := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	var f files
	name, err := f.Whole("", ".svg", say("a"))
	if err != nil || !strings.HasPrefix(name, "psgld-") || !strings.HasSuffix(name, ".svg") {
		t.Fatalf("%q, %v", name, err)
	}
	next, err := f.Whole("", ".svg", say("b"))
	if err != nil || next == name {
		t.Errorf("two files are called %q, %v", next, err)
	}
	for given, want := range map[string]string{"one": "one.csv", "two.CSV": "two.CSV",
		"three.d/four": "three.d/four.csv"} {
		_ = os.MkdirAll(filepath.Dir(given), 0o777)
		if got, err := f.Whole(given, ".csv", say("c")); got != want || err != nil {
			t.Errorf("%q is written to %q, %v", given, got, err)
		}
	}
	// What fails leaves nothing behind, and what was there as it was.
	if _, err := f.Whole("one.csv", ".csv", func(w io.Writer) error {
		fmt.Fprint(w, "half")
		return errors.New("no space left on device")
	}); err == nil || err.Error() != "cannot write one.csv: no space left on device" {
		t.Errorf("a full disk: %v", err)
	}
	if b, err := os.ReadFile("one.csv"); string(b) != "c" {
		t.Errorf("the file holds %q, %v", b, err)
	}
	if _, err := f.Whole("no/where", ".csv", say("")); err == nil ||
		!strings.HasPrefix(err.Error(), "cannot write no/where.csv: ") {
		t.Errorf("no folder: %v", err)
	}
	w, name, err := f.Stream("film", ".cast")
	if err != nil || name != "film.cast" {
		t.Fatalf("%q, %v", name, err)
	}
	if _, can := w.(interface{ Truncate(int64) error }); !can {
		t.Error("half a line cannot be taken back")
	}
	if _, err := io.WriteString(w, "a line\n"); err != nil {
		t.Error(err)
	}
	if _, _, err := f.Stream("film", ".cast"); err == nil ||
		err.Error() != "cannot write film.cast: it is in use by another run" {
		t.Errorf("a second cast into the file: %v", err)
	}
	if b, err := os.ReadFile("film.cast"); err != nil || string(b) != "a line\n" {
		t.Errorf("after a second cast was refused the first holds %q, %v", b, err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if w, _, err = f.Stream("film", ".cast"); err != nil {
		t.Errorf("a cast after another: %v", err)
	} else if b, err := os.ReadFile("film.cast"); err != nil || len(b) > 0 || w.Close() != nil {
		t.Errorf("a new cast begins with %q, %v", b, err)
	}
	if _, _, err := f.Stream("no/where", ".cast"); err == nil ||
		!strings.HasPrefix(err.Error(), "cannot write no/where.cast: ") {
		t.Errorf("no folder: %v", err)
	}
}

// The characters alone show a photograph by shades.
func TestPictureOfPhotographs(t *testing.T) {
	if testing.Short() {
		t.Skip("a run of a network")
	}
	data := os.Getenv("PSGLD_DATA")
	if all, _ := filepath.Glob(filepath.Join(data, "cifar10", "*", "data_batch_1.bin")); all == nil {
		t.Skip("no CIFAR-10 in $PSGLD_DATA")
	}
	file := filepath.Join(t.TempDir(), "a.txt")
	ok(t, "picture", file, "--target", "mlp:4", "--dataset", "cifar10", "--data", data, "--size", "80x24", "--keys",
		"steps=1 5")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, shade := range "░▒▓" {
		if strings.Count(string(b), string(shade)) < 10 {
			t.Errorf("there is no %c in\n%s", shade, b)
		}
	}
}

// A picture needs no terminal and is the same every time.
func TestPicture(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	read := func(name string) string {
		b, err := os.ReadFile(at(name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	keys := "steps=1500 right steps=200 esc"
	ok(t, "picture", at("a.txt"), "--size", "80x24", "--keys", keys)
	ok(t, "picture", at("b.txt"), "--size", "80x24", "--keys", keys)
	got := read("a.txt")
	if got != read("b.txt") || strings.Count(got, "\n") != 24 || !strings.Contains(got, "step 1,700") ||
		!strings.Contains(got, "paused") {
		t.Errorf("the picture is\n%s", got)
	}
	ok(t, "picture", at("pane.txt"), "--size", "80x24", "--keys", "steps=10 o", "--pane")
	if pane := read("pane.txt"); !strings.HasPrefix(pane, "┏") || !strings.HasSuffix(pane, "┛\n") {
		t.Errorf("a pane is\n%s", pane)
	}
	ok(t, "picture", at("a.svg"), "--keys", "steps=10", "--window", "--title", "a title", "--theme", "light")
	ok(t, "picture", at("a.png"), "--keys", "steps=10 o", "--pane", "--size", "100x30")
	svg, png := read("a.svg"), read("a.png")
	if !strings.Contains(svg, "a title") || !strings.HasPrefix(png, "\x89PNG") {
		t.Errorf("the pictures are %.80q and %.20q", svg, png)
	}
	for _, c := range []struct{ args, want string }{
		{"a.gif", "a picture is a file .svg, .png or .txt, got"},
		{"a.svg --size 80", `--size must be COLUMNSxROWS, each 1 to 500, got "80"`},
		{"a.svg --size 0x9", "--size must be"},
		{"a.svg --size 900x9", "--size must be"},
		{"a.svg --theme pink", `--theme must be dark, light, dark-plain or light-plain, got "pink"`},
		{"a.svg --keys nokey", `--keys: "nokey" is no key`},
		{"a.svg --eps -1", "--eps must be positive"},
		{"", "picture needs one FILE, got 0"},
		{"a.svg b.svg", "picture needs one FILE, got 2"},
	} {
		args := append([]string{"picture"}, strings.Fields(c.args)...)
		for i := range args {
			if strings.HasPrefix(args[i], "a.") || strings.HasPrefix(args[i], "b.") {
				args[i] = at("no-" + args[i])
			}
		}
		if r := runArgs(t, args...); r.status != console.ExitUsage || !strings.HasPrefix(r.err, "psgld-tui: "+c.want) {
			t.Errorf("%s: status %d, %q", c.args, r.status, r.err)
		}
	}
	if r := runArgs(t, "picture", at("no/where.svg")); r.status != console.ExitFailed ||
		!strings.Contains(r.err, "cannot write ") {
		t.Errorf("no folder: status %d, %q", r.status, r.err)
	}
	if left, _ := filepath.Glob(at("no*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// The screen can be recorded only where there is one.
func TestCastNeedsAScreen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.cast")
	if r := runArgs(t, "--cast", file); r.status != console.ExitUsage ||
		!strings.Contains(r.err, "--cast records the screen") {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	if r := runArgs(t, "--cast", filepath.Join(file, "no", "where")); r.status != console.ExitFailed ||
		!strings.Contains(r.err, "--cast: cannot write") {
		t.Errorf("status %d, %q", r.status, r.err)
	}
}
