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

// A click on a hint finds the keys that it names: what is written is read back.
func TestNamed(t *testing.T) {
	m := New()
	for c := Main; c <= Cells; c++ {
		for _, entry := range strings.Split(m.Hint(c, 1000), " · ") {
			word, _, _ := strings.Cut(entry, " ")
			for _, k := range Named(word) {
				if entry != "" && m.Action(k, c) == None {
					t.Errorf("context %d: %q names the key %q, which has no meaning there", c, entry, k)
				}
			}
		}
	}
	for word, want := range map[string]string{
		"←→": "left right", "+-": "+ -", "1-6": "1 2 3 4 5 6", "space": "space", "arrows": "left right", "shift+←": "shift+left",
		"ctrl+r": "ctrl+r", "?": "?", "": "", "·": "·", "+": "+",
	} {
		if got := strings.Join(Named(word), " "); got != want {
			t.Errorf("%q names %q, want %q", word, got, want)
		}
	}
}

// What the help says of the mouse and of what is typed has the width of the keys' part.
func TestGesturesFit(t *testing.T) {
	longest := 0
	for _, b := range Table() {
		longest = max(longest, utf8.RuneCountInString(b.Help))
	}
	for _, g := range append(Gestures(), Phrases()...) {
		if len(g.Do) > 16 || utf8.RuneCountInString(g.Help) > longest {
			t.Errorf("%q: %q is too long", g.Do, g.Help)
		}
	}
}
