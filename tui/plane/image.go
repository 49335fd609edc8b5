package plane

import "image"

// Images shows images in place of cells, on a terminal that can.
type Images interface {
	// Show asks for an image of w×h cells in the present frame. It returns the colour that names
	// the image on the terminal, unset while the terminal does not have it. Images with equal
	// keys, which must be comparable, and equal sizes are equal. Draw makes the image for so
	// many pixels. It may run at any time in another goroutine, so what it reads must not change.
	Show(key any, w, h int, draw func(w, h int) image.Image) Color
	// AppendPiece writes the characters that show the part of an image in one of its cells.
	AppendPiece(out []byte, x, y int) []byte
	// Framed says that a frame is complete. Images that were not asked for since the last one are not needed.
	Framed()
}

// Image is an image over the cells of a region. The zero value is none.
type Image struct {
	g     Region
	index uint8 // in Plane.shown, plus one
}

// shownImage is an image that the terminal has, and where it stands.
type shownImage struct {
	name Color
	x, y int
}

// Image asks for an image that fills the region. It shows in the cells that become pieces of it: until the terminal has
// the image, and wherever none can be shown, cells show what was drawn in them. See Images for key and draw.
func (g Region) Image(key any, draw func(w, h int) image.Image) Image {
	p := g.p
	if !g.HasImages() || g.Empty() || len(p.shown) == 255 {
		return Image{}
	}
	name := p.Images.Show(key, g.rect.W, g.rect.H, draw)
	if !name.IsSet() {
		return Image{}
	}
	p.shown = append(p.shown, shownImage{name, g.rect.X, g.rect.Y})
	return Image{g, uint8(len(p.shown))}
}

// IsShown reports whether the terminal has the image.
func (m Image) IsShown() bool { return m.index > 0 }

// Piece makes the cell at (x, y) of the image's region show its part of the image, until
// something else is drawn in it. What the cell holds stays for those who read the plane.
func (m Image) Piece(x, y int) {
	if m.index > 0 && x >= 0 && y >= 0 && x < m.g.rect.W && y < m.g.rect.H {
		m.g.p.cells[(m.g.rect.Y+y)*m.g.p.w+m.g.rect.X+x].image = m.index
	}
}

// HasImages reports whether the region's plane can show images.
func (g Region) HasImages() bool {
	return g.p != nil && g.p.Images != nil && !g.p.NoImages && !g.p.ASCII
}
