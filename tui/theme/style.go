package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// Color is a packed colour, 0x01RRGGBB, or zero for the terminal's own colour. It is comparable and four bytes wide, so
// that a screen of cells stays small, and it is a color.Color, so that Lip Gloss and Bubbles take it where it is set.
type Color uint32

// RGB packs three channels, each 0 to 255.
func RGB(r, g, b uint8) Color {
	return 1<<24 | Color(r)<<16 | Color(g)<<8 | Color(b)
}

// FromColor packs any colour. A nil colour and lipgloss.NoColor give zero.
func FromColor(c color.Color) Color {
	switch v := c.(type) {
	case nil, lipgloss.NoColor:
		return 0
	case Color:
		return v
	}
	r, g, b, _ := c.RGBA()
	return RGB(uint8(r>>8), uint8(g>>8), uint8(b>>8))
}

// IsSet is false for the terminal's own colour.
func (c Color) IsSet() bool { return c != 0 }

// Channels returns the three channels; zeros for an unset colour.
func (c Color) Channels() (r, g, b uint8) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c)
}

// RGBA implements color.Color. An unset colour is opaque black, as lipgloss.NoColor is.
func (c Color) RGBA() (r, g, b, a uint32) {
	cr, cg, cb := c.Channels()
	return uint32(cr) * 0x101, uint32(cg) * 0x101, uint32(cb) * 0x101, 0xFFFF
}

// Blend mixes c towards to by t in [0, 1], channel by channel in sRGB. If either colour is unset the result is c.
func (c Color) Blend(to Color, t float64) Color {
	if !c.IsSet() || !to.IsSet() {
		return c
	}
	t = min(max(t, 0), 1)
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + t*(float64(b)-float64(a)) + 0.5) }
	r0, g0, b0 := c.Channels()
	r1, g1, b1 := to.Channels()
	return RGB(mix(r0, r1), mix(g0, g1), mix(b0, b1))
}

// Attr is a set of text attributes.
type Attr uint8

// The attributes a cell can have.
const (
	Bold Attr = 1 << iota
	Faint
	Italic
	Underline
	Reverse
)

// Style is how a cell looks. The zero value is the terminal's plain text.
type Style struct {
	FG, BG Color
	Attr   Attr
}

// With returns s with attributes added.
func (s Style) With(a Attr) Style { s.Attr |= a; return s }

// Without returns s with attributes removed.
func (s Style) Without(a Attr) Style { s.Attr &^= a; return s }

// On returns s over the background of under; the attributes of both.
func (s Style) On(under Style) Style {
	s.BG = under.BG
	s.Attr |= under.Attr
	return s
}

// SameBlank reports whether a blank looks the same in both styles: nothing but the
// background and what draws on empty cells matters.
func (s Style) SameBlank(t Style) bool {
	const drawn = Underline | Reverse
	return s.BG == t.BG && (s.Attr|t.Attr)&drawn == 0
}
