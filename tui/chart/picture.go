package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// PictureSize is the number of cells in which Picture draws an image of rows × cols pixels in a region of w×h cells: as
// large as fits, in the image's proportions. A cell is taken to be twice as high as it is wide.
func PictureSize(w, h, rows, cols int) (cw, ch int) {
	if w < 1 || h < 1 || rows < 1 || cols < 1 {
		return 0, 0
	}
	scale := min(float64(w)/float64(cols), 2*float64(h)/float64(rows))
	cw = min(max(int(math.Round(scale*float64(cols))), 1), w)
	ch = min(max(int(math.Round(scale*float64(rows)/2)), 1), h)
	return cw, ch
}

// Picture draws an image of rows × cols pixels in the upper left of g, in the cells of PictureSize, each of which shows
// two pixels as half blocks. pix holds rows × cols × channels bytes, row by row, a pixel's channels side by side; fewer
// draw nothing. An image of one channel is ink on paper: 0 is the theme's ground and 255 its text. Three channels are
// red, green and blue. A pixel of the screen is the mean of the part of the image that it covers. On a plane with
// images the cells are pieces of one.
//
// Without colour a cell is the block or shade that is nearest to its two
// pixels; in ASCII it is a character as dense as their mean.
func Picture(g plane.Region, th theme.Theme, rows, cols, channels int, pix []uint8) {
	w, h := PictureSize(g.W(), g.H(), rows, cols)
	if w < 1 || channels < 1 || len(pix)/channels/cols < rows {
		return
	}
	var shown plane.Image
	if g.HasImages() {
		key := pictureKey{rows, cols, channels, string(pix[:rows*cols*channels]), th.Ground, th.Text.FG}
		shown = g.Sub(plane.Rect{W: w, H: h}).Image(key, key.draw(th))
	}
	im := image{rows: rows, cols: cols, channels: channels, pix: pix}
	sx, sy := float64(cols)/float64(w), float64(rows)/float64(2*h)
	for y := range h {
		y0 := float64(2*y) * sy
		for x := range w {
			x0 := float64(x) * sx
			top := im.mean(x0, x0+sx, y0, y0+sy)
			bottom := im.mean(x0, x0+sx, y0+sy, y0+2*sy)
			r, s := half(&th, channels, top, bottom)
			g.Set(x, y, r, s)
			shown.Piece(x, y)
		}
	}
}

type image struct {
	rows, cols, channels int
	pix                  []uint8
}

// pixel is red, green and blue, each 0 to 1; of one channel all three.
type pixel [3]float64

// mean is the mean of the part x0 ≤ x < x1, y0 ≤ y < y1 of the image, pixels on
// the edge counting by the part that is inside.
func (m *image) mean(x0, x1, y0, y1 float64) pixel {
	var sum pixel
	area := 0.0
	used := 1
	if m.channels >= 3 {
		used = 3
	}
	for y := int(y0); y < m.rows && float64(y) < y1; y++ {
		hy := min(y1, float64(y+1)) - max(y0, float64(y))
		row := m.pix[y*m.cols*m.channels:][:m.cols*m.channels]
		for x := int(x0); x < m.cols && float64(x) < x1; x++ {
			part := hy * (min(x1, float64(x+1)) - max(x0, float64(x)))
			area += part
			for c := range used {
				sum[c] += part * float64(row[x*m.channels+c])
			}
		}
	}
	if !(area > 0) {
		return pixel{}
	}
	for c := range used {
		sum[c] /= 255 * area
	}
	if used == 1 {
		sum[1], sum[2] = sum[0], sum[0]
	}
	return sum
}

// half is the character and style of a cell with a pixel above another.
func half(th *theme.Theme, channels int, top, bottom pixel) (rune, plane.Style) {
	if !th.NoColor && !th.ASCII {
		a, b := colorOf(th, channels, top), colorOf(th, channels, bottom)
		if a == b {
			return ' ', plane.Style{BG: a}
		}
		return '▀', plane.Style{FG: a, BG: b}
	}
	a, b := ink(th, channels, top), ink(th, channels, bottom)
	if !th.ASCII {
		return blockFor(th, a, b), plane.Style{}
	}
	const ramp = " .:-=+*#%@"
	v := (a + b) / 2
	r := rune(ramp[min(int(v*float64(len(ramp))), len(ramp)-1)])
	if th.NoColor || channels < 3 {
		return r, th.Text
	}
	var both pixel
	for c := range both {
		both[c] = (top[c] + bottom[c]) / 2
	}
	return r, plane.Style{FG: colorOf(th, channels, both)}
}

// colorOf is a pixel's colour. A theme without colours of its own has white ink.
func colorOf(th *theme.Theme, channels int, p pixel) plane.Color {
	if channels < 3 && th.Ground.IsSet() && th.Text.FG.IsSet() {
		return th.Ground.Blend(th.Text.FG, p[0])
	}
	var c [3]uint8
	for i := range c {
		c[i] = uint8(min(max(p[i], 0), 1)*255 + 0.5)
	}
	return theme.RGB(c[0], c[1], c[2])
}

// ink is how much of a cell's half is drawn on: the brightness of a coloured
// pixel on a dark screen, the darkness of one on a light screen.
func ink(th *theme.Theme, channels int, p pixel) float64 {
	if channels < 3 {
		return p[0]
	}
	// Luma as of ITU-R BT.709.
	y := 0.2126*p[0] + 0.7152*p[1] + 0.0722*p[2]
	if !th.Dark {
		y = 1 - y
	}
	return y
}

// blockFor is the block or shade whose two halves are nearest to a above b.
func blockFor(th *theme.Theme, a, b float64) rune {
	best, at := ' ', math.Inf(1)
	try := func(r rune, top, bottom float64) {
		if d := (a-top)*(a-top) + (b-bottom)*(b-bottom); d < at {
			best, at = r, d
		}
	}
	for i, r := range th.Glyphs.Shade {
		v := float64(i) / float64(len(th.Glyphs.Shade)-1)
		try(r, v, v)
	}
	try('▀', 1, 0)
	try('▄', 0, 1)
	return best
}
