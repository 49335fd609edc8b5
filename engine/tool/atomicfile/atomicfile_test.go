package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

// A file is written where links lead, there or not yet, and not in the place of one that
// leads nowhere.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	link := func(to, name string) string {
		if err := os.Symlink(to, at(name)); err != nil {
			t.Skip("no links: ", err)
		}
		return at(name)
	}
	if err := os.MkdirAll(at("in/deep"), 0o777); err != nil {
		t.Fatal(err)
	}
	link("in/deep", "folder")
	for name, want := range map[string]string{link("file", "new"): at("file"), link("new", "twice"): at("file"),
		link("folder/../up", "up"): at("in/up"), link(at("far"), "absolute"): at("far")} {
		for _, text := range []string{"one", "two"} {
			if err := Write(name, []byte(text)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			b, err := os.ReadFile(want)
			if info, err := os.Lstat(name); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Errorf("%s is a link no more: %v", name, err)
			}
			if string(b) != text {
				t.Errorf("%s: %s holds %q, %v", name, want, b, err)
			}
		}
	}
	link("b", "a")
	for _, name := range []string{link("self", "self"), link("a", "b")} {
		want := "cannot write " + name + ": its links lead nowhere"
		for what, err := range map[string]error{"write": Write(name, nil), "check": Check(name)} {
			if err == nil || err.Error() != want {
				t.Errorf("%s %s: %v", what, name, err)
			}
		}
		if info, err := os.Lstat(name); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is a link no more: %v", name, err)
		}
	}
}
