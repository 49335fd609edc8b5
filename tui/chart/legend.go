package chart

import (
	"cmp"
	"strings"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Legend writes glyph and name of each named series on row 0, right-aligned. Where they do not all fit it writes them
// without their last clauses, then their first words, then the glyphs alone, and nothing if those do not fit either. It
// suits a row of its own or the top edge of a box.
func Legend(g plane.Region, th theme.Theme, series []Series) {
	apart := 0
	if th.Thick {
		apart = 2 // words that are seen from afar
	}
	cut, x := whole, 0
	for ; cut <= unnamed; cut++ {
		x = g.W()
		for _, s := range series {
			if s.Name == "" {
				continue
			}
			if x -= 2; cut < unnamed {
				x -= plane.Width(g.Spell(cut.of(s.Name))) + 2 + apart
			}
		}
		if cut == unnamed {
			x--
		}
		if x >= 0 {
			break
		}
	}
	if cut > unnamed {
		return
	}
	for _, s := range series {
		if s.Name == "" {
			continue
		}
		g.Set(x, 0, ' ', plane.Style{})
		g.Set(x+1, 0, cmp.Or(s.Glyph, th.Glyphs.Horizontal), s.Style.With(theme.Bold))
		g.Set(x+2, 0, ' ', plane.Style{})
		x += 2
		if cut < unnamed {
			x = g.Text(x+1, 0, g.Spell(cut.of(s.Name)), s.Style)
			g.HLine(x, 0, 1+apart, ' ', plane.Style{})
			x += 1 + apart
		}
	}
}

// nameCut is how much of a name a legend has room for.
type nameCut uint8

const (
	whole nameCut = iota
	firstClause
	firstWord
	unnamed
)

func (c nameCut) of(name string) string {
	switch c {
	case firstClause:
		name, _, _ = strings.Cut(name, ", ")
	case firstWord:
		name, _, _ = strings.Cut(name, " ")
		name = strings.TrimSuffix(name, ",")
	}
	return name
}
