package open

import (
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
