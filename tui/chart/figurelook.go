package chart

import (
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// lookStyle is a look's colour: the first hues are the lanes', so that a sampler
// looks as it does on the screen. Other shades of a hue go towards the ground and
// the text in turn.
func lookStyle(th theme.Theme, l figure.Look) plane.Style {
	if th.NoColor {
		return plane.Style{}
	}
	var s plane.Style
	switch {
	case l.Hue < theme.NumLanes:
		s = th.Lane[l.Hue].Style
	case th.Dark:
		s = plane.Style{FG: [...]plane.Color{theme.RGB(0xf0, 0xc6, 0x3e), theme.RGB(0xff, 0x7a, 0x45), theme.RGB(0xd7, 0xda, 0xe0), theme.RGB(0xb4, 0xa7, 0xf0)}[l.Hue-theme.NumLanes]}
	default:
		c := figure.Hues()[l.Hue]
		s = plane.Style{FG: theme.RGB(c[0], c[1], c[2])}
	}
	if l.Shade > 0 {
		to := th.Ground
		if l.Shade%2 == 0 {
			to = th.Text.FG
		}
		s.FG = s.FG.Blend(to, min(0.2+0.15*float64(l.Shade), 0.6))
	}
	return s
}

// markRune is a look's mark: the lanes' glyphs and four more, hollow for the
// paper's numbers.
func markRune(th theme.Theme, l figure.Look, paper bool) rune {
	marks := [2][figure.NumHues]rune{{'●', '▲', '■', '◆', '▼', '✚', '✖', '★'}, {'○', '△', '□', '◇', '▽', '┼', '╳', '☆'}}
	if th.ASCII {
		marks = [2][figure.NumHues]rune{{'o', '^', '#', '+', 'v', 'x', '*', '@'}, {'O', 'A', 'H', 'T', 'V', 'X', '%', '&'}}
	}
	which := 0
	if paper {
		which = 1
	}
	return marks[which][l.Mark()]
}

// lineGlyph is the index of a look's characters among the theme's line glyphs;
// dashed for the paper's.
func lineGlyph(l figure.Look, paper bool) int {
	const dashed = 2
	if paper {
		return dashed
	}
	return l.Mark() % theme.NumLanes
}

// lineRune stands for a look's line in the legend.
func lineRune(th theme.Theme, l figure.Look, paper bool) rune {
	for _, r := range th.Glyphs.Lines[lineGlyph(l, paper)].H {
		return r
	}
	return th.Glyphs.Horizontal
}
