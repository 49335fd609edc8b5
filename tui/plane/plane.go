package plane

import "github.com/psgld/psgld-tui/tui/theme"

// Style and Color are the theme's, so that a caller needs one name only.
type (
	Style = theme.Style
	Color = theme.Color
)

// cell is one character cell. r is the rune; 0 is a blank; trailing marks the right half of a wide character; a value
// below trailing is minus the index of a longer grapheme in Plane.long, minus two.
type cell struct {
	r     rune
	style Style
	image uint8 // the image that shows instead, its index in Plane.shown plus one
}

const trailing rune = -1

// Plane is a grid of W×H cells that charts draw into and Render writes out
// once. It is reused from frame to frame and is not safe for concurrent use.
type Plane struct {
	// ASCII makes Render write printable ASCII only. A character without a counterpart becomes '?'.
	ASCII bool
	// Octants makes Render write braille patterns as block octants, which few fonts have.
	Octants bool
	// Images shows images in place of cells; nil where there are none. NoImages leaves them out.
	Images   Images
	NoImages bool

	w, h  int
	cells []cell
	long  []string     // graphemes of more than one rune, since the last Clear
	boxes []boxed      // with a title, since the last Clear
	zones []Zone       // since the last Clear, the topmost last
	terms []termAt     // since the last Clear
	shown []shownImage // since the last Clear
	out   []byte
}

// NewPlane returns a blank plane. Negative sizes count as zero.
func NewPlane(w, h int) *Plane {
	p := &Plane{}
	p.Resize(w, h)
	return p
}

// Resize sets the size and blanks the plane. It keeps its storage.
func (p *Plane) Resize(w, h int) {
	p.w, p.h = max(w, 0), max(h, 0)
	n := p.w * p.h
	if cap(p.cells) < n {
		p.cells = make([]cell, n)
	}
	p.cells = p.cells[:n]
	p.Clear()
}

// Clear blanks every cell and forgets titles, zones and terms.
func (p *Plane) Clear() {
	clear(p.cells)
	clear(p.long)
	p.long = p.long[:0]
	clear(p.boxes)
	p.boxes = p.boxes[:0]
	clear(p.zones)
	p.zones = p.zones[:0]
	clear(p.terms)
	p.terms = p.terms[:0]
	p.shown = p.shown[:0]
}

// Size returns the width and height in cells.
func (p *Plane) Size() (w, h int) { return p.w, p.h }

// Bounds returns the whole plane as a Rect.
func (p *Plane) Bounds() Rect { return Rect{0, 0, p.w, p.h} }

// Region returns the whole plane as a Region.
func (p *Plane) Region() Region { return Region{p: p, rect: p.Bounds()} }

// Sub returns the part of the plane inside r, clipped to the plane.
func (p *Plane) Sub(r Rect) Region { return p.Region().Sub(r) }

// put writes code, one cell or two wide, at a place known to be inside. Half a
// wide character that it overwrites becomes a blank.
func (p *Plane) put(x, y int, code rune, width int, s Style) {
	row := p.cells[y*p.w : (y+1)*p.w]
	if row[x].r == trailing && x > 0 {
		row[x-1].r = 0
	}
	last := x + width - 1
	if last+1 < len(row) && row[last+1].r == trailing {
		row[last+1].r = 0
	}
	row[x] = cell{r: code, style: s}
	if width == 2 {
		row[x+1] = cell{r: trailing, style: s}
	}
}

// intern returns the code of a grapheme of several runes.
func (p *Plane) intern(g string) rune {
	for i, s := range p.long {
		if s == g {
			return trailing - 1 - rune(i)
		}
	}
	p.long = append(p.long, g)
	return trailing - rune(len(p.long))
}

// isCommon reports the characters that have one cell each, are drawn as they are and join no neighbour: those of ASCII,
// Latin-1 and Greek, subscripts, and the lines, blocks and braille of charts.
func isCommon(r rune) bool {
	switch {
	case r < 0x7f:
		return r >= ' '
	case r < 0x300:
		return r > 0xa0 && r != 0xad
	case r < 0x2500:
		return r >= 0x3a3 && r < 0x400 || r >= 0x2080 && r < 0x208f
	}
	return r < 0x25fd || r >= 0x2800 && r < 0x2900
}

// common is how many characters at the start of a text are clusters by themselves because they and their neighbours are
// common, and the rest of the text.
func common(text string) (n int, rest string) {
	last := 0 // where the newest one begins, to which a mark may belong
	for i, r := range text {
		if !isCommon(r) {
			return max(n-1, 0), text[last:]
		}
		n, last = n+1, i
	}
	return n, ""
}
