package record

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"github.com/go-fonts/dejavu/dejavusansmono"
	"github.com/go-fonts/dejavu/dejavusansmonobold"
	"github.com/psgld/psgld-tui/tui/theme"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

const (
	// scale is how many pixels a unit has, of which a cell has 9×18.
	scale = 2
	// maxSide bounds a picture's sides in pixels: 64 MB of memory for each 4,096².
	maxSide = 16_384
)

// PNG writes the grid as a picture of pixels. Its text is DejaVu Sans Mono, which the program carries with it and which
// has what mathematics the screen writes; italic is drawn upright. The bytes depend on the grid and the options alone.
func (g *Grid) PNG(w io.Writer, o Options) error {
	at := o.layout(g)
	if max(at.w, at.h)*scale > maxSide {
		return fmt.Errorf("a picture of %d×%d cells is too large", g.W, g.H)
	}
	c := newRaster(int(math.Ceil(at.w*scale)), int(math.Ceil(at.h*scale)))
	defer c.close()
	g.paint(c, o)
	return png.Encode(w, c.img)
}

// raster paints on pixels.
type raster struct {
	img   *image.RGBA
	faces [2]font.Face // regular and bold
	fill  vector.Rasterizer
}

func newRaster(w, h int) *raster {
	c := &raster{img: image.NewRGBA(image.Rect(0, 0, w, h))}
	for i, ttf := range [...][]byte{dejavusansmono.TTF, dejavusansmonobold.TTF} {
		f, err := opentype.Parse(ttf)
		if err == nil {
			c.faces[i], err = opentype.NewFace(f,
				&opentype.FaceOptions{Size: fontSize * scale, DPI: 72, Hinting: font.HintingNone})
		}
		if err != nil {
			panic("record: the program's own font: " + err.Error())
		}
	}
	return c
}

func (c *raster) close() {
	for _, f := range c.faces {
		_ = f.Close()
	}
}

func solid(c theme.Color, alpha float64) *image.Uniform {
	r, g, b := c.Channels()
	return image.NewUniform(color.NRGBA{r, g, b, uint8(alpha*255 + 0.5)})
}

func (c *raster) ground(p path, col theme.Color)           { c.path(p, col) }
func (c *raster) back(x, y, w, h float64, col theme.Color) { c.rect(x, y, w, h, col, 1) }

// rect has its edges on whole pixels, so that neighbours join.
func (c *raster) rect(x, y, w, h float64, col theme.Color, alpha float64) {
	at := func(v float64) int { return int(math.Round(v * scale)) }
	r := image.Rect(at(x), at(y), max(at(x+w), at(x)+1), max(at(y+h), at(y)+1))
	draw.Draw(c.img, r, solid(col, alpha), image.Point{}, draw.Over)
}

func (c *raster) dot(x, y, r float64, col theme.Color) { c.path(circle(x, y, r, 1), col) }

func (c *raster) path(p path, col theme.Color) {
	// The rasterizer works on a window of whole pixels around the path.
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, s := range p {
		for _, q := range [...][2]float64{{s.x, s.y}, {s.x1, s.y1}, {s.x2, s.y2}} {
			if s.kind != 'C' && q != [2]float64{s.x, s.y} {
				continue
			}
			for k := range q {
				lo[k], hi[k] = min(lo[k], q[k]*scale), max(hi[k], q[k]*scale)
			}
		}
	}
	window := image.Rect(int(math.Floor(lo[0])), int(math.Floor(lo[1])), int(math.Ceil(hi[0])), int(math.Ceil(hi[1])))
	at := func(x, y float64) (float32, float32) {
		return float32(x*scale - float64(window.Min.X)), float32(y*scale - float64(window.Min.Y))
	}
	z := &c.fill
	z.Reset(window.Dx(), window.Dy())
	for i, s := range p {
		x, y := at(s.x, s.y)
		switch s.kind {
		case 'M':
			if i > 0 {
				z.ClosePath()
			}
			z.MoveTo(x, y)
		case 'L':
			z.LineTo(x, y)
		case 'C':
			x1, y1 := at(s.x1, s.y1)
			x2, y2 := at(s.x2, s.y2)
			z.CubeTo(x1, y1, x2, y2, x, y)
		}
	}
	z.ClosePath()
	z.Draw(c.img, window, solid(col, 1), image.Point{})
}

func (c *raster) text(x, y float64, cells int, s string, a theme.Attr, col theme.Color) {
	face := c.faces[0]
	if a&theme.Bold != 0 {
		face = c.faces[1]
	}
	d := font.Drawer{Dst: c.img, Src: solid(col, 1), Face: face}
	d.Dot = fixed.Point26_6{X: toFixed(x * scale), Y: toFixed((y + baseline) * scale)}
	start, n := d.Dot.X, 0
	for _, r := range s {
		d.DrawString(string(r))
		if n++; n == cells { // the rest combines with the character before
			n--
		}
		d.Dot.X = start + toFixed(float64(n)*cellW*scale)
	}
}

func toFixed(v float64) fixed.Int26_6 { return fixed.Int26_6(math.Round(v * 64)) }
