package keymap

import (
	"flag"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEveryActionIsBoundAndExplained(t *testing.T) {
	bound := map[Action]bool{}
	for _, b := range Table() {
		bound[b.Action] = true
		if b.Help == "" || b.Group == "" || len(b.Keys) == 0 {
			t.Errorf("action %d lacks keys, a group or help", b.Action)
		}
		if b.Hint != "" && b.Rank == 0 {
			t.Errorf("action %d has a hint without a rank", b.Action)
		}
	}
	for a := None + 1; a < actions; a++ {
		if !bound[a] {
			t.Errorf("action %d has no key", a)
		}
	}
}

func TestActionPrefersTheFirstContext(t *testing.T) {
	m := New()
	for _, c := range []struct {
		key      string
		contexts []Context
		want     Action
	}{
		{"up", []Context{Main}, SelectPrev},
		{"up", []Context{Choose, Edit}, Prev},
		{"left", []Context{Choose, Edit}, CharLeft},
		{"ctrl+c", []Context{Main}, None},
		{"ctrl+c", []Context{Always}, Quit},
		{"ß", []Context{Main, Choose, Edit}, None},
	} {
		if got := m.Action(c.key, c.contexts...); got != c.want {
			t.Errorf("Action(%q, %v) = %d, want %d", c.key, c.contexts, got, c.want)
		}
	}
}

func TestHintFitsAndKeepsTheWayOut(t *testing.T) {
	m := New()
	full := m.Hint(Main, 1000)
	if want := "space pause · ←→ turn · enter type · tab lane · t target · s sampler · 1-6 view · : command · ? help · q quit"; full != want {
		t.Errorf("hint = %q, want %q", full, want)
	}
	for w := range 200 {
		h := m.Hint(Main, w)
		if n := utf8.RuneCountInString(h); n > w {
			t.Fatalf("hint for %d columns has %d", w, n)
		}
		if w >= 15 && !strings.HasSuffix(h, "? help · q quit") {
			t.Errorf("hint for %d columns lacks help and quit: %q", w, h)
		}
	}
}

func TestLinesMerge(t *testing.T) {
	for _, l := range New().Lines() {
		if l.Help == "turn it" && l.Keys != "← →, - +" {
			t.Errorf("keys of a merged line: %q", l.Keys)
		}
	}
}

var update = flag.Bool("update", false, "write the README's list of keys anew")

// The README shows the table as it is.
func TestReadmeListsTheKeys(t *testing.T) {
	const file, from, to = "../../README.md", "<!-- keys -->\n", "<!-- /keys -->"
	b, err := os.ReadFile(file)
	if err != nil {
		t.Skip("no README.md")
	}
	before, rest, ok := strings.Cut(string(b), from)
	got, after, end := strings.Cut(rest, to)
	if !ok || !end {
		t.Fatalf("README.md has no list between %q and %q", from, to)
	}
	want := strings.TrimSpace(Markdown()) + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(before+from+want+to+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Error("README.md's list of keys differs from the table; go test ./tui/keymap -run Readme -update writes it anew")
	}
}
