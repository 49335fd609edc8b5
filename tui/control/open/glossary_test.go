package open

import (
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Every word and every quantity means something, in a few lines of the glossary.
func TestGlossary(t *testing.T) {
	var all []plane.Term
	for w := range wording.NumWords {
		all = append(all, w)
	}
	for i := range quantity.All {
		all = append(all, wording.Of(&quantity.All[i]))
	}
	for i := range quantity.Coordinates {
		all = append(all, wording.Of(&quantity.Coordinates[i]))
	}
	for _, of := range all {
		word, meaning := of.Explain()
		_, named := of.(wording.Word)
		if word == "" || named && meaning == "" || plane.Width(meaning) > 3*meaningWidth {
			t.Errorf("%q: %q", word, meaning)
		}
		if plane.Width(word) > dialog.KeysWidth-1 {
			t.Errorf("%q is too long", word)
		}
	}
}
