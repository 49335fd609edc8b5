package open

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Every word and every quantity means something, in a few lines of the glossary.
func TestGlossary(t *testing.T) {
	all := words(t)
	for i := range quantity.All {
		all = append(all, wording.Of(&quantity.All[i]))
	}
	for i := range quantity.Coordinates {
		all = append(all, wording.Of(&quantity.Coordinates[i]))
	}
	for _, of := range all {
		name, meaning := of.Explain()
		_, named := of.(word)
		if name == "" || named && meaning == "" || plane.Width(meaning) > 3*meaningWidth {
			t.Errorf("%q: %q", name, meaning)
		}
		if plane.Width(name) > dialog.KeysWidth-1 {
			t.Errorf("%q is too long", name)
		}
	}
}

// A word is a wording.Word as it is declared.
type word [2]string

func (w word) Explain() (name, meaning string) { return w[0], w[1] }

// words are all that are declared with a meaning of their own.
func words(t *testing.T) (all []plane.Term) {
	source, err := os.ReadFile("../../wording/word.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`= Word\{(".*"), (".*")\}`).FindAllStringSubmatch(string(source), -1) {
		name, _ := strconv.Unquote(m[1])
		meaning, _ := strconv.Unquote(m[2])
		all = append(all, word{name, meaning})
	}
	if len(all) == 0 {
		t.Fatal("no words")
	}
	return all
}
