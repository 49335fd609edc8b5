package app

import (
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Every binding says what it does and is done by a key or by name; no key has two
// meanings in a state of the screen, and no two bindings of a state one name.
func TestBindingsAreWhole(t *testing.T) {
	m, _ := rest(t, "gaussian")
	type place struct {
		group control.Group
		held  bool
		what  string
	}
	seen := map[place]string{}
	longest := 0
	for _, b := range m.Keys.Bindings {
		longest = max(longest, plane.Width(b.Help))
		switch {
		case b.Each != nil:
			continue
		case b.Name == "" && b.Keys == "", b.Help == "" && b.Group != "" && b.At == nil,
			b.Group == "" && b.Help != "" && b.With == nil:
			t.Errorf("%q (%s) lacks a name or keys, or help in a group", b.Name, b.Keys)
		case b.Hint != "" && b.Rank == 0:
			t.Errorf("%q has a hint without a rank", b.Name)
		case b.Do == nil && b.With == nil && b.At == nil && b.Group != control.Lists && b.Group != control.Typing:
			t.Errorf("%q does nothing", b.Name)
		}
		group := b.Group
		if b.When == nil {
			group = "" // they hold everywhere
		}
		for _, what := range append(strings.Fields(b.Keys), "name "+b.Name) {
			at := place{group, b.When != nil, what}
			if old, ok := seen[at]; ok && what != "name " {
				t.Errorf("%s stands for %q and %q", what, old, b.Name)
			}
			seen[at] = b.Name
		}
	}
	for _, l := range control.Lines(m.Keys.Bindings) {
		byHand := l.Group == control.Mouse || l.Group == control.ByCommand
		if byHand && (len(l.Keys) > 16 || plane.Width(l.Help) > longest) {
			t.Errorf("%q: %q is too long", l.Keys, l.Help)
		}
		if l.Help == "turn the selected parameter" && l.Keys != "← →, - +" {
			t.Errorf("the keys of a line for two: %q", l.Keys)
		}
	}
}

// The footer has the keys for the state of the screen, as many as fit, and always the way
// out.
func TestFooterFits(t *testing.T) {
	m, _ := rest(t, "gaussian")
	write := func(hints []control.Hint) string {
		var all []string
		for _, h := range hints {
			all = append(all, h.Text(false))
		}
		return strings.Join(all, control.HintGap)
	}
	want := "space pause · ←→ turn · enter type · tab lane · t target · s sampler · " + viewsHint +
		" · g lessons · : command · ? help · q quit"
	if full := write(m.hints(1000)); full != want {
		t.Errorf("the footer says %q, want %q", full, want)
	}
	for w := range 200 {
		h := write(m.hints(w))
		if n := plane.Width(h); n > w {
			t.Fatalf("the footer of %d columns has %d", w, n)
		}
		if w >= 15 && !strings.HasSuffix(h, "? help · q quit") {
			t.Errorf("the footer of %d columns lacks help and quit: %q", w, h)
		}
	}
	m.Focus.Read = true
	if got := write(m.hints(1000)); got != "←→ move · +- zoom · esc back · ? help · q quit" {
		t.Errorf("beside a cross the footer says %q", got)
	}
}

var update = flag.Lookup("update")

// The README of tui shows the keys as they are.
func TestReadmeListsTheKeys(t *testing.T) {
	const file, from, to = "../README.md", "<!-- keys -->\n", "<!-- /keys -->"
	b, err := os.ReadFile(file)
	if err != nil {
		t.Skip("no tui/README.md")
	}
	before, rest, ok := strings.Cut(string(b), from)
	got, after, end := strings.Cut(rest, to)
	if !ok || !end {
		t.Fatalf("tui/README.md has no list between %q and %q", from, to)
	}
	m := newScreenOn(t, &recorder{snap: newSession(t, "gaussian").Snapshot()}, 80, 24)
	want := strings.TrimSpace(keysMarkdown(m.Keys.Bindings)) + "\n"
	if update != nil && update.Value.String() == "true" {
		if err := os.WriteFile(file, []byte(before+from+want+to+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Error("tui/README.md's list of keys differs from the bindings; go test ./tui/app -run Readme -update " +
			"writes it anew")
	}
}

// What the text of messages, zones and controllers names is a binding.
func TestNamesAreBindings(t *testing.T) {
	m, _ := rest(t, "gaussian")
	names := map[string]bool{"list.pick": true, "list.wheel": true, "list.close": true} // of what is open
	for _, b := range m.Keys.Bindings {
		names[b.Name] = true
	}
	used := regexp.MustCompile(`(?:\bKey|\bFirst|KeyOf|\.Do|plane\.Call|named|BackHint)\((?:p\.|pane\.|view\.)?"([^"]+)"`)
	seen := 0
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		// A class has bindings of its own, whose keys its tests see on the screen.
		if err != nil || filepath.Dir(path) == "../class" || !strings.HasSuffix(path, ".go") ||
			strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, u := range used.FindAllStringSubmatch(string(text), -1) {
			if seen++; !names[u[1]] {
				t.Errorf("%s: nothing is called %q", path, u[1])
			}
		}
		return err
	})
	if err != nil || seen < 50 {
		t.Errorf("%d names: %v", seen, err)
	}
}

// Whoever deletes a controller's folder and its line in the root's list has a program that
// builds: no controller imports another, and what is left without all of them builds.
func TestEveryControllerCanGo(t *testing.T) {
	root, err := os.ReadFile("model.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../control/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	another := regexp.MustCompile(`"[^"]*/tui/control/([a-z]+)"`)
	replaced, seen := map[string]string{}, map[string]bool{}
	for _, f := range files {
		replaced[absolute(t, f)] = ""
		name := filepath.Base(filepath.Dir(f))
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range another.FindAllSubmatch(text, -1) {
			if !strings.HasSuffix(f, "_test.go") && string(m[1]) != name {
				t.Errorf("%s imports the controller %s", f, m[1])
			}
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		lines := regexp.MustCompile(`(?m)^\t+(".*/tui/control/` + name + `"|` + name + `\.New\(.*)\n`)
		if n := len(lines.FindAll(root, -1)); n != 2 {
			t.Errorf("%s stands in %d lines of the root, want its import and its place in the list", name, n)
		}
		root = lines.ReplaceAll(root, nil)
	}
	without, overlay := filepath.Join(t.TempDir(), "model.go"), filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(without, root, 0o600); err != nil {
		t.Fatal(err)
	}
	replaced[absolute(t, "model.go")] = without
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if !innerlooptest.Slow {
		t.Skip("that it builds is seen with the tag slow")
	}
	if out, err := exec.Command("go", "build", "-overlay", overlay, "../cli").CombinedOutput(); err != nil {
		t.Errorf("without controllers: %v\n%s", err, out)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// keysMarkdown writes the list of keys of tui/README.md.
func keysMarkdown(all []control.Binding) string {
	var b strings.Builder
	var group control.Group
	for _, l := range control.Lines(all) {
		if l.Group != group {
			if group != "" {
				b.WriteByte('\n')
			}
			group = l.Group
			b.WriteString("| " + string(group) + " | |\n|---|---|\n")
		}
		keys := strings.ReplaceAll(l.Keys, "|", "\\|")
		keys = keys[:1] + strings.ReplaceAll(keys[1:], ", ", "`, `") // a comma in front is a key
		if l.Group != control.Mouse {
			keys = "`" + keys + "`"
		}
		b.WriteString("| " + keys + " | " + l.Help + " |\n")
	}
	return b.String()
}

// f goes round all layouts, and back to the first.
func TestLayoutsGoRound(t *testing.T) {
	m := sampled(t, "gaussian", 120, 36)
	type layout struct{ full, overlay, projector bool }
	for _, want := range []layout{{full: true}, {overlay: true}, {overlay: true, projector: true}, {}, {full: true}} {
		m.Update(press("f"))
		if got := (layout{m.Focus.Full, m.Focus.Overlay, m.Focus.Projector}); got != want ||
			m.Theme.Thick != want.projector {
			t.Fatalf("f leads to %+v, want %+v", got, want)
		}
	}
	m.Update(press("2"))
	m.View()
	for _, want := range []layout{{full: true}, {overlay: true, projector: true}, {}} { // it has no lanes side by side
		m.Update(press("f"))
		if got := (layout{m.Focus.Full, m.Focus.Overlay, m.Focus.Projector}); got != want {
			t.Fatalf("in another view f leads to %+v, want %+v", got, want)
		}
	}
}

// Settings give commands other keys, and a clash is told at the start in one line.
func TestKeysAreTheUsers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	open := func(keys string) (*model, *recorder) {
		if err := os.WriteFile(path, []byte("[keys]\n"+keys), 0o644); err != nil {
			t.Fatal(err)
		}
		r := &recorder{snap: newSession(t, "gaussian").Snapshot()}
		m := newModel(t.Context(), r, Options{Dark: dark(), Settings: path, Environ: []string{"TERM=xterm-256color"}})
		m.Init()
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
		return m, r
	}
	m, r := open("pause = 'space k'\nlesson = 'f1'\n")
	if n := m.Notices.Text(m.Feed.Newest); n.Text != "" {
		t.Errorf("without a clash it says %q", n.Text)
	}
	if m.Update(press("k")); len(r.sent) != 1 || r.sent[0] != (state.Pause{}) {
		t.Errorf("k sent %v", r.sent)
	}
	if got := m.text(); !strings.Contains(got, "f1 lessons") {
		t.Errorf("the footer lacks the new key:\n%s", got)
	}
	if m.Update(press("g")); m.Keys.Layer != nil {
		t.Error("the old key still opens the lessons")
	}
	if err := m.end(); err != nil {
		t.Fatal(err)
	}
	for keys, want := range map[string]string{
		"pause = 'g'":                    "config.toml: keys: g is for pause, and so not for lesson",
		"pause = 'k'\nstep = 'k'":        "config.toml: keys: k is for pause, and so not for step",
		"stop = 'k'":                     `config.toml: keys: no command is called "stop"`,
		"pause = 'hyper+k'":              `config.toml: keys: "hyper+k", for pause, is no key`,
		"pause = 'g'\nstop = 'k'":        `config.toml: keys: no command is called "stop"; g is for pause, and so not for lesson`,
		"\"sweep: first cell\" = 'home'": "",
	} {
		m, _ := open(keys)
		n := m.Notices.Text(m.Feed.Newest)
		if n.Text != want || n.Bad != (want != "") {
			t.Errorf("%q: it says %q, want %q", keys, n.Text, want)
		}
	}
	m, _ = open("'set theme light' = 'j'\n'set theme pink' = 'k'")
	if m.Update(press("j")); m.Theme.Dark {
		t.Error("a key of a command with its argument does nothing")
	}
	if m.Update(press("k")); !strings.Contains(m.text(), "must be auto, dark, light") {
		t.Errorf("of a wrong argument nothing is said:\n%s", m.text())
	}
	m, r = open("pause = 'g'")
	if m.Update(press("g")); len(r.sent) != 1 {
		t.Error("the user's key does not win")
	}
}
