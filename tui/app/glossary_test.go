package app

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Every word of the glossary means something, in a few lines, and is found as a word
// of its own.
func TestGlossary(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range glossary() {
		if m := g.doc; m == "" || plane.Width(m) > 3*meaningWidth || seen[g.word] {
			t.Errorf("%q: %q", g.word, m)
		}
		seen[g.word] = true
		if plane.Width(g.word) > dialog.KeysWidth-1 {
			t.Errorf("%q is too long", g.word)
		}
	}
	ece := term{word: "ECE", forms: []string{"calibration error"}}
	for text, want := range map[string]bool{"ECE": true, "NLL ECE 0.1": true, "ECEX": false, "XECE": false, "ECEs ECE\n": true, "a calibration error": true, "": false} {
		if ece.in(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// A key explains the words that the focused pane shows, or without one those of the
// screen with its parameters; it closes them too.
func TestWordsOfAPane(t *testing.T) {
	m := sampled(t, "gaussian", 120, 36)
	_, lines := m.words()
	typed(m, "H")
	got := m.text()
	for _, want := range []string{"words of the screen", "autocorrelation", "½ + Σρ", "knows nothing of bias"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	listed := map[string]bool{}
	for _, l := range lines {
		listed[l.Keys] = true
	}
	for _, q := range m.Params() {
		if !listed[q.Symbol] {
			t.Errorf("the parameter %s is not explained", q.Symbol)
		}
	}
	for word, want := range map[string]int{"burn-in": 1, "≠": 0, "I": 0} {
		if n := strings.Count(got, "│ "+word+" "); n != want {
			t.Errorf("%q is listed %d times in\n%s", word, n, got)
		}
	}
	if typed(m, "H"); m.Layer != nil {
		t.Error("H does not close it")
	}
	lanesAt(m, "eps", 0.3, 0.1)
	if typed(m, "H"); !strings.Contains(m.text(), "│ ≠ ") {
		t.Errorf("≠ is not explained in\n%s", m.text())
	}
	typed(m, "H")
	m.setASCII(true)
	if typed(m, "H"); !strings.Contains(m.text(), "| ! ") {
		t.Errorf("! is not explained in\n%s", m.text())
	}
	typed(m, "H")
	m.setASCII(false)
	for _, p := range m.Panes.All() {
		if strings.HasPrefix(p.Name, "autocorrelation") {
			m.FocusPane(p)
		}
	}
	typed(m, "H")
	got = m.text()
	if !strings.Contains(got, "words of the pane") || strings.Contains(got, "ESS  ") {
		t.Errorf("of the autocorrelation:\n%s", got)
	}
}
