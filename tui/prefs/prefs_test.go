package prefs

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestReadsWhatItWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "config.toml")
	if s, err := Read(path); err != nil || !reflect.DeepEqual(s, Default()) {
		t.Fatalf("without a file: %+v, %v", s, err)
	}
	want := Settings{
		Theme:     "light",
		Palette:   "tol",
		ASCII:     true,
		Unicode:   true,
		Octants:   "on",
		Graphics:  "off",
		Draws:     "newest",
		Rest:      "off",
		Says:      "off",
		Projector: true,
		FPS:       5,
		Overlay:   true,
		Cell:      2.25,
		Welcomed:  true,
		Keys:      map[string]string{"pause": "space p", "lesson": "f1"},
	}
	if err := Write(path, want); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(path); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("read %+v, %v, want %+v", got, err, want)
	}
	if all, _ := os.ReadDir(filepath.Dir(path)); len(all) != 1 {
		t.Errorf("%d files beside each other, want 1", len(all))
	}
}

// A file that is too large is not read.
func TestLargeFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(strings.Repeat("# x\n", maxFile)), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Read(path); err == nil || !strings.Contains(err.Error(), "at most 65536") ||
		!reflect.DeepEqual(s, Default()) {
		t.Errorf("%+v, %v", s, err)
	}
}

// A file behind a link is written, and the link stays.
func TestLinkStays(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.toml"), filepath.Join(dir, "config.toml")
	if err := Write(real, Default()); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	s := Default()
	s.FPS = 7
	if err := Write(link, s); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if got, err := Read(real); err != nil || got.FPS != 7 {
		t.Errorf("behind the link: %+v, %v", got, err)
	}
}

// What is missing keeps its default; what is wrong is told with file, line, value
// and what is allowed, and everything keeps its default.
func TestParse(t *testing.T) {
	s, err := Parse([]byte("fps = 12\n"), "c.toml")
	want := Settings{Theme: "auto", Palette: "okabe-ito", Octants: "auto", Graphics: "auto", Draws: "thinned",
		Rest: "auto", Says: "on", FPS: 12, Cell: 2}
	if err != nil || !reflect.DeepEqual(s, want) {
		t.Errorf("read %+v, %v", s, err)
	}
	for text, want := range map[string]string{
		"ascii = true\nfps = 100\n":  `c.toml:2: fps must be 1 to 60, got 100`,
		"cell = 9":                   `c.toml:1: cell must be 1 to 4, got 9`,
		"cell = nan":                 `c.toml:1: cell must be 1 to 4, got NaN`,
		"fps = 0":                    `c.toml:1: fps must be 1 to 60, got 0`,
		"# a\n\ntheme = \"pink\"\n":  `c.toml:3: theme must be auto, dark, light, got "pink"`,
		"palette = 'x'":              `c.toml:1: palette must be okabe-ito, tol, contrast, got "x"`,
		"ascii = true\nfps = 0":      `c.toml:2: fps must be 1 to 60, got 0`,
		"[keys]\npause = 3":          `c.toml:2: `,
		"\ncolour = 3\n":             `c.toml:2: unknown key "colour"; there are theme, palette, ascii`,
		"ascii = true\nfps = 'many'": `c.toml:2: fps takes a whole number, got the TOML kind string`,
		"ascii = true\nfps = = 3\n":  `c.toml:2: `,
		"fps = 1e999":                `c.toml:1: `,
	} {
		s, err := Parse([]byte(text), "c.toml")
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
		if !reflect.DeepEqual(s, Default()) {
			t.Errorf("%.20q: the settings are %+v", text, s)
		}
	}
}

func TestPath(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", "/etc/some")
	if got := Path(); got != filepath.FromSlash("/etc/some/psgld-tui/config.toml") {
		t.Errorf("the file is %s", got)
	}
	t.Setenv("XDG_CONFIG_HOME", "relative")
	t.Setenv("HOME", "/home/x")
	if got := Path(); strings.Contains(got, "relative") {
		t.Errorf("a relative folder is used: %s", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "fps = 3", "theme = 'dark'\n[x]\ny = 1", "log_y = 0", "\xff",
		"fps = 9999999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := Parse([]byte(s), "f")
		if err != nil && !reflect.DeepEqual(got, Default()) {
			t.Errorf("%q: %+v with %v", s, got, err)
		}
		if _, bad := got.check(); bad != nil {
			t.Errorf("%q: %v passed", s, bad)
		}
	})
}

// Screens that end at once each leave what they have changed.
func TestMerge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "of", "config.toml")
	was := Default()
	was.Formulas = []string{"old"}
	if err := Merge(path, Default(), was); err != nil {
		t.Fatal(err)
	}
	change := []func(*Settings){
		func(s *Settings) { s.Palette = "tol" },
		func(s *Settings) { s.FPS = 7 },
		func(s *Settings) { s.Projector = true },
		func(s *Settings) { s.Formulas = []string{"a", "old"} },
		func(s *Settings) { s.Formulas = []string{"b", "old"} },
		func(s *Settings) { s.Models = []string{"python3 m.py"} },
	}
	var all sync.WaitGroup
	for _, f := range change {
		all.Go(func() {
			now := was
			f(&now)
			if err := Merge(path, was, now); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if f := got.Formulas; len(f) != 3 || !slices.Contains(f, "a") || !slices.Contains(f, "b") || f[2] != "old" {
		t.Errorf("the formulas are %q", f)
	}
	want := was
	want.Palette, want.FPS, want.Projector, want.Models, want.Formulas = "tol", 7, true, []string{"python3 m.py"},
		got.Formulas
	if !reflect.DeepEqual(got, want) {
		t.Errorf("there is %+v, want %+v", got, want)
	}
	// A file that is broken meanwhile is left alone.
	if err := os.WriteFile(path, []byte("palette = 3"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Merge(path, was, want); err == nil {
		t.Error("a broken file is written over")
	}
}
