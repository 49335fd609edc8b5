package chart

import (
	stdimage "image"
	"image/color"
	"image/draw"
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

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
