package chart

import (
	stdimage "image"
	"image/color"
	"image/draw"
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

// pictureKey is all that an image of Picture depends on.
type pictureKey struct {
	rows, cols, channels int
	pix                  string
	ground, ink          plane.Color
}

// inks are the shares of an ink in a palette.
const inks = 64

// draw draws the image. A pixel of the screen is the mean of the part that it covers.
func (k pictureKey) draw(th theme.Theme) func(w, h int) stdimage.Image {
	return func(w, h int) stdimage.Image {
		im := image{rows: k.rows, cols: k.cols, channels: k.channels, pix: []uint8(k.pix)}
		out := draw.Image(stdimage.NewRGBA(stdimage.Rect(0, 0, w, h)))
		if k.channels < 3 {
			shades := make(color.Palette, inks)
			for i := range shades {
				v := float64(i) / (inks - 1)
				shades[i] = opaque(colorOf(&th, 1, pixel{v, v, v}))
			}
			out = stdimage.NewPaletted(out.Bounds(), shades)
		}
		sx, sy := float64(k.cols)/float64(w), float64(k.rows)/float64(h)
		for y := range h {
			for x := range w {
				p := im.mean(float64(x)*sx, float64(x+1)*sx, float64(y)*sy, float64(y+1)*sy)
				if m, ok := out.(*stdimage.Paletted); ok {
					m.SetColorIndex(x, y, uint8(p[0]*(inks-1)+0.5))
				} else {
					out.Set(x, y, opaque(colorOf(&th, k.channels, p)))
				}
			}
		}
		return out
	}
}

func opaque(c plane.Color) color.RGBA {
	r, g, b := c.Channels()
	return color.RGBA{R: r, G: g, B: b, A: 255}
}

// groundKey is all that the image of a canvas's ground depends on.
type groundKey struct {
	set    *ContourSet
	ground plane.Color
	ink    plane.Color
}

// groundLook is how a ground is drawn in pixels: one ink, whose share between the levels rises
// from zero at the lowest, with lines.
type groundLook struct {
	ink   plane.Color
	shade []float64 // share of the ink at each level and at the peak
	line  []float64 // share of the ink in each level's line
}

// pixels asks for the image of the canvas's ground, if it has contours and shades.
func (b *Braille) pixels(g plane.Region, th *theme.Theme) (m plane.Image, l groundLook) {
	w, h := g.Size()
	s := b.ground
	if !g.HasImages() || s == nil || s.ascii || len(s.levels) == 0 || len(b.lines) == 0 || len(b.grounds) == 0 ||
		w != b.cols || h != b.rows || th.NoColor {
		return m, l
	}
	l = newGroundLook(th, len(s.levels), b.lines, b.grounds)
	return g.Image(groundKey{s, th.Ground, l.ink}, s.draw(l)), l
}

// shadeAt is the ground's colour in a cell: with an image its colour in the cell's middle.
func (b *Braille) shadeAt(x, y int, m plane.Image, l *groundLook, th *theme.Theme) plane.Color {
	c := &b.cells[y*b.cols+x]
	if !m.IsShown() || c.layer <= LayerContour && c.glyph == 0 {
		return c.shade
	}
	if t := b.ground.shareAt(b.ground.at(2*float64(x)+1, 4*float64(y)+2), l); t > 0 {
		return th.Ground.Blend(l.ink, math.Round(t*shades)/shades)
	}
	return 0
}

// shades are the steps of the shade behind characters. With fewer of them neighbours share a
// colour more often, and less is sent.
const shades = 32

// inkShare is how far a colour is from the ground to the ink.
func inkShare(ground, ink, c plane.Color) float64 {
	var dot, norm float64
	g0, g1, g2 := ground.Channels()
	i0, i1, i2 := ink.Channels()
	c0, c1, c2 := c.Channels()
	for _, v := range [...][3]uint8{{g0, i0, c0}, {g1, i1, c1}, {g2, i2, c2}} {
		d := float64(v[1]) - float64(v[0])
		dot += d * (float64(v[2]) - float64(v[0]))
		norm += d * d
	}
	if norm == 0 {
		return 0
	}
	return min(max(dot/norm, 0), 1)
}

// newGroundLook takes the ink from the styles of lines and the shades from the grounds of cells.
func newGroundLook(th *theme.Theme, levels int, styles []plane.Style, grounds []plane.Color) groundLook {
	l := groundLook{ink: styles[len(styles)-1].FG}
	last := 0.0
	for n := range levels {
		t := inkShare(th.Ground, l.ink, grounds[min(n, len(grounds)-1)])
		l.shade = append(l.shade, (last+t)/2)
		l.line = append(l.line, inkShare(th.Ground, l.ink, styles[min(n, len(styles)-1)].FG))
		last = t
	}
	l.shade = append(l.shade, last)
	return l
}

// at is the value of the set's function at a place in dots: by Catmull and Rom's cubics, for which a parabola is exact,
// and by lines where a value is missing. It is NaN where one of the four values around the place is.
func (s *ContourSet) at(x, y float64) float64 {
	x, y = x/s.step, y/s.step
	i, j := min(max(int(x), 0), s.nx-2), min(max(int(y), 0), s.ny-2)
	u, v := x-float64(i), y-float64(j)
	row := func(j int) float64 {
		g := s.grid[min(max(j, 0), s.ny-1)*s.nx:][:s.nx]
		return cubic(g[max(i-1, 0)], g[i], g[i+1], g[min(i+2, s.nx-1)], u, i > 0, i+2 < s.nx)
	}
	return cubic(row(j-1), row(j), row(j+1), row(j+2), v, j > 0, j+2 < s.ny)
}

// cubic is between b, at 0, and c, at 1. Neighbours that are not there, or not finite, continue the line.
func cubic(a, b, c, d, t float64, hasA, hasD bool) float64 {
	if !hasA || !finite(a) {
		a = 2*b - c
	}
	if !hasD || !finite(d) {
		d = 2*c - b
	}
	return b + t/2*(c-a+t*(2*a-5*b+4*c-d+t*(3*(b-c)+d-a)))
}

// shareAt is the share of the ink in the shade of a value.
func (s *ContourSet) shareAt(f float64, l *groundLook) float64 {
	n := len(s.levels)
	if !(f >= s.levels[0]) {
		return 0
	}
	for i := 1; i < n; i++ {
		if f < s.levels[i] {
			t := (f - s.levels[i-1]) / (s.levels[i] - s.levels[i-1])
			return l.shade[i-1] + t*(l.shade[i]-l.shade[i-1])
		}
	}
	t := min((f-s.levels[n-1])/max(s.top-s.levels[n-1], math.SmallestNonzeroFloat64), 1)
	return l.shade[n-1] + t*(l.shade[n]-l.shade[n-1])
}

// draw draws the set in pixels, clear where nothing is.
func (s *ContourSet) draw(l groundLook) func(w, h int) stdimage.Image {
	return func(w, h int) stdimage.Image {
		r, g, b := l.ink.Channels()
		palette := make(color.Palette, inks)
		for i := range palette {
			palette[i] = color.NRGBA{R: r, G: g, B: b, A: uint8(255 * i / (inks - 1))}
		}
		out := stdimage.NewPaletted(stdimage.Rect(0, 0, w, h), palette)
		dx, dy := float64(2*s.cols)/float64(w), float64(4*s.rows)/float64(h)
		f := make([]float64, (w+2)*(h+2)) // with an edge
		for y := range h + 2 {
			for x := range w + 2 {
				f[y*(w+2)+x] = s.at((float64(x)-0.5)*dx, (float64(y)-0.5)*dy)
			}
		}
		thick := lineWidth * float64(w) / float64(s.cols)
		for y := range h {
			for x := range w {
				k := (y+1)*(w+2) + x + 1
				t := s.shareAt(f[k], &l)
				slope := math.Hypot(f[k+1]-f[k-1], f[k+w+2]-f[k-w-2]) / 2 // a pixel
				for n, level := range s.levels {
					cover := min(max(thick/2+0.5-math.Abs(f[k]-level)/slope, 0), 1)
					if cover > 0 {
						t += cover * (l.line[n] - t)
					}
				}
				out.Pix[y*w+x] = uint8(t*(inks-1) + 0.5)
			}
		}
		return out
	}
}

// lineWidth is the width of a contour over that of a cell.
const lineWidth = 0.16
