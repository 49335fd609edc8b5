package plane

import (
	"testing"
	"unicode"

	"github.com/clipperhouse/displaywidth"

	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// A common character is what the libraries say of it: one cell wide, shown as it is, and a cluster of its own beside
// others.
func TestCommonCharacters(t *testing.T) {
	for r := range unicode.MaxRune + 1 {
		if !isCommon(r) {
			continue
		}
		if displaywidth.Rune(r) != 1 || !printable.Is(r) || joins(r) {
			t.Errorf("%U: %d cells, printable %v, joins %v", r, displaywidth.Rune(r), printable.Is(r), joins(r))
		}
		for _, o := range "a·εΣ₁─⣿©" {
			it, n := displaywidth.StringGraphemes(string([]rune{r, o, r})), 0
			for it.Next() {
				n++
			}
			if n != 3 {
				t.Errorf("%U and %U are %d clusters, want 3", r, o, n)
			}
		}
	}
}
