package theme

import "slices"

// Look is what a theme is made of. Its parts are independent of each other.
type Look struct {
	Dark    bool // the terminal's background is dark
	NoColor bool // bold, faint, underline and reverse alone
	ASCII   bool // every glyph is printable ASCII
	Thick   bool // for a projector: heavy lines, dots of twice the size
	Octants bool // dots are block octants, where the terminal draws them
	Depth   Depth
	Palette Palette
	Cell    float64 // a character cell's height over its width; 0 counts as DefaultCell
}

// Depth is how many colours a terminal has; others are rounded to them.
type Depth uint8

// The depths.
const (
	TrueColor Depth = iota
	Indexed         // 256: a cube of 6×6×6 and 24 greys
	Basic           // 16, named by number: what they look like is the terminal's to say
)

// DefaultCell is the height of most terminals' cells over their width.
const DefaultCell = 2

// CellRatio is the height of a character cell over its width.
func (l Look) CellRatio() float64 {
	if !(l.Cell > 0) {
		return DefaultCell
	}
	return l.Cell
}

// Palette is a set of colours, each for a dark and for a light background. In
// all of them lanes keep apart under the common colour vision deficiencies.
type Palette uint8

// The palettes.
const (
	OkabeIto Palette = iota // Okabe and Ito, "Color Universal Design" (2008)
	Tol                     // Paul Tol, "Colour Schemes" (2021), vibrant
	Contrast                // Okabe and Ito's lanes with strong text and edges
	numPalettes
)

// Palettes are the names of the palettes in their order.
func Palettes() []string { return []string{OkabeIto: "okabe-ito", Tol: "tol", Contrast: "contrast"} }

// String is the palette's name.
func (p Palette) String() string { return Palettes()[p%numPalettes] }

// ParsePalette finds a palette by its name.
func ParsePalette(name string) (Palette, bool) {
	i := slices.Index(Palettes(), name)
	return Palette(max(i, 0)), i >= 0
}

// colors are the colours of a look.
func (l Look) colors() palette {
	p := lightPalette()
	if l.Dark {
		p = darkPalette()
	}
	switch l.Palette % numPalettes {
	case Tol:
		p.lane = tolLanes(l.Dark)
	case Contrast:
		p.text, p.title = p.bright, p.bright
		p.dim = p.dim.Blend(p.bright, 0.5)
		p.faint = p.faint.Blend(p.bright, 0.4)
		p.border = p.border.Blend(p.bright, 0.4)
		p.contourHigh = p.contourHigh.Blend(p.bright, 0.4)
	}
	if l.Depth != TrueColor {
		// A tinge of blue would be rounded to blue, which is darker than its neighbours among the greys.
		for _, c := range []*Color{&p.back, &p.text, &p.dim, &p.faint, &p.border, &p.contourLow, &p.contourHigh} {
			*c = c.grey()
		}
	}
	return p
}

// grey is the grey that is as bright.
func (c Color) grey() Color {
	r, g, b := c.Channels()
	y := uint8((2126*uint32(r) + 7152*uint32(g) + 722*uint32(b)) / 10000) // Rec. 709
	return RGB(y, y, y)
}

// tolLanes are cyan, orange, teal and magenta, moved in lightness only where a background needs it.
func tolLanes(dark bool) [4]Color {
	if dark {
		return [4]Color{RGB(0x33, 0xbb, 0xee), RGB(0xee, 0x77, 0x33), RGB(0x7f, 0xd6, 0xc4), RGB(0xf0, 0x6f, 0xa5)}
	}
	return [4]Color{RGB(0x00, 0x77, 0xbb), RGB(0xcc, 0x55, 0x11), RGB(0x00, 0x5f, 0x55), RGB(0xd0, 0x4f, 0x8c)}
}
