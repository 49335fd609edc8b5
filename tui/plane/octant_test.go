package plane

import (
	"testing"

	"github.com/clipperhouse/displaywidth"
)

// The octants are those of Unicode 16's names, each one cell wide and of one pattern.
func TestOctants(t *testing.T) {
	seen := map[rune]int{}
	for pattern, r := range octants {
		if was, ok := seen[r]; ok {
			t.Errorf("%U is of %#x and %#x", r, was, pattern)
		}
		seen[r] = pattern
		if n := displaywidth.Rune(r); n != 1 {
			t.Errorf("%U is %d cells wide", r, n)
		}
	}
	// BLOCK OCTANT-3, -23, -14, -25, and -2345678, the last.
	for r, eighths := range map[rune][]int{0x1CD00: {3}, 0x1CD01: {2, 3}, 0x1CD04: {1, 4}, 0x1CD0B: {2, 5},
		0x1CDE5: {2, 3, 4, 5, 6, 7, 8}, '▛': {1, 2, 3, 4, 5, 7}} {
		pattern := 0
		for _, k := range eighths {
			pattern |= [...]int{0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80}[k-1]
		}
		if octants[pattern] != r {
			t.Errorf("eighths %v are %U, want %U", eighths, octants[pattern], r)
		}
	}
	p := NewPlane(3, 1)
	p.Octants = true
	p.Region().Text(0, 0, "⠁⣿a", Style{})
	if plain, got := p.RenderPlain(), p.Render(); plain != "\U0001CEA8█a" || got != plain {
		t.Errorf("%q, %q", plain, got)
	}
	if p.TextAt(0, 0) != "⠁" { // pictures draw dots themselves
		t.Errorf("%q", p.TextAt(0, 0))
	}
}
