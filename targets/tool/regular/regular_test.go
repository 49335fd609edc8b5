package regular

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// The kernel's messages are a regular file by mode, whose reader waits for the next message.
func TestMessagesOfTheKernel(t *testing.T) {
	const messages = "/proc/kmsg"
	f, err := os.Open(messages)
	if err != nil {
		t.Skip(err)
	}
	f.Close()
	if _, _, err := Open(messages); !errors.Is(err, ErrNot) {
		t.Errorf("the error is %v, want %v", err, ErrNot)
	}
}

// Files are opened here and where files are written, and nowhere else: what is read is regular and
// has a bound. Each place elsewhere has its reason. Packages that serve tests are left out.
func TestNobodyElseOpens(t *testing.T) {
	want := map[string]string{
		"targets/tool/regular/regular.go os.OpenFile":      "here",
		"engine/drawsfile/file.go os.Open":                 "reads a pipe, which only watch does",
		"engine/source/spool.go os.CreateTemp":             "keeps the draws that are watched",
		"engine/tool/atomicfile/atomicfile.go os.OpenFile": "writes",
		"engine/tool/atomicfile/atomicfile.go os.Open":     "syncs a folder",
		"engine/tool/atomicfile/lock.go os.Open":           "lists a folder",
		"engine/tool/atomicfile/lock.go os.OpenFile":       "takes a lock",
		"tui/lesson/library.go os.DirFS":                   "lists a folder",
	}
	found := map[string]bool{}
	opens := regexp.MustCompile(`\b(?:os|ioutil|syscall|unix|windows)\.(?:Open|OpenFile|OpenInRoot|OpenRoot|` +
		`ReadFile|DirFS|Create|CreateTemp|CreateFile|WriteFile)\b`)
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), "_") || strings.HasSuffix(d.Name(), "test") ||
			strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "testdata"):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		for _, call := range opens.FindAllString(string(text), -1) {
			key := filepath.ToSlash(name) + " " + call
			if want[key] == "" {
				t.Errorf("%s: package regular opens files that are read, and atomicfile those that are written", key)
			}
			found[key] = true
		}
		return err
	})
	if err != nil || len(found) != len(want) {
		t.Errorf("%d are found of %d, %v", len(found), len(want), err)
	}
}

// Neither a pipe nor a device is opened, whatever for, and what is not there only to be made.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]error{os.DevNull: ErrNot, dir: syscall.EISDIR} {
		for _, flag := range []int{os.O_RDONLY, os.O_RDWR | os.O_CREATE} {
			if _, err := OpenFile(path, flag, 0o600); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", path, err, want)
			}
		}
	}
	missing := filepath.Join(dir, "new")
	if _, _, err := Open(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	f, err := OpenFile(missing, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// An empty file is one.
func TestEmptyFile(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(empty, 1000); err != nil {
		t.Error(err)
	}
}
