package chart

import (
	stdimage "image"
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// atOnce has every image at once.
type atOnce struct{ images []stdimage.Image }

// Show implements plane.Images.
func (a *atOnce) Show(_ any, w, h int, draw func(w, h int) stdimage.Image) plane.Color {
	a.images = append(a.images, draw(10*w, 20*h))
	return theme.RGB(0, 0, uint8(len(a.images)))
}

// AppendPiece implements plane.Images.
func (*atOnce) AppendPiece(out []byte, x, y int) []byte { return append(out, '@') }

// Framed implements plane.Images.
func (*atOnce) Framed() {}

// In pixels a normal density has circles at 1, 2 and 3 standard deviations, to a pixel, and
// is the darker the nearer to its mean; outside all is clear. Marks keep their cells.
func TestGroundInPixels(t *testing.T) {
	th := theme.New(true, false, false)
	p := plane.NewPlane(40, 20)
	images := new(atOnce)
	p.Images = images
	win := Window{X: Range{-4, 4}, Y: Range{-4, 4}}
	set := NewContours(th, 40, 20, win, []float64{-4.5, -2, -0.5},
		func(x, y float64) float64 { return -(x*x + y*y) / 2 })
	var b Braille
	draw := func() {
		p.Clear()
		b.Reset(th, 40, 20, win)
		b.Contours(set, th.Contour[3:],
			[]plane.Color{th.Ground.Blend(th.Contour[5].FG, 0.1), th.Ground.Blend(th.Contour[5].FG, 0.2),
				th.Ground.Blend(th.Contour[5].FG, 0.3)})
		b.Point(0, 0, Pen{Style: th.Text})
		b.Mark(1, 1, 'x', Pen{Style: th.Text})
		b.Draw(p.Region(), th)
	}
	draw()
	got := p.Render()
	m := images.images[0].(*stdimage.Paletted)
	if m.Bounds() != stdimage.Rect(0, 0, 400, 400) {
		t.Fatal(m.Bounds())
	}
	ink := func(angle, r float64) uint8 {
		return m.ColorIndexAt(int(200+50*r*math.Cos(angle)), int(200-50*r*math.Sin(angle)))
	}
	for i := range 100 {
		angle := float64(i) * 2 * math.Pi / 100
		for _, r := range []float64{1, 2, 3} {
			on, in, out := ink(angle, r), ink(angle, r-0.06), ink(angle, r+0.06)
			if on < in+5 || on < out+5 || in < out {
				t.Errorf("at %.2f and %v sd the line has %d of %d shares, %d inside and %d outside", angle, r, on,
					inks, in, out)
			}
		}
		if n := ink(angle, 3.1); n != 0 {
			t.Errorf("at %.2f and 3.1 sd there are %d shares", angle, n)
		}
	}
	lines := strings.Split(ansi.Strip(got), "\n")
	for y := range 20 {
		for x, r := range []rune(lines[y]) {
			clear := true
			for i := range 10 * 20 {
				clear = clear && m.ColorIndexAt(10*x+i%10, 20*y+i/10) == 0
			}
			mark := p.TextAt(x, y) == "x" || x == 20 && y == 10
			if mark == (r == '@') && (mark || !clear) || clear && r == '@' && !set.cells[y*40+x].inked {
				t.Errorf("cell (%d, %d) is %q", x, y, r)
			}
		}
	}
	p.NoImages = true
	if draw(); len(images.images) != 1 {
		t.Error("an image in spite of NoImages")
	}
}

// A parabola is met exactly between the points of the grid, and a line where a value is
// missing.
func TestBetweenPoints(t *testing.T) {
	f := func(x float64) float64 { return 3*x*x - x + 2 }
	for _, u := range []float64{0, 0.25, 0.5, 1} {
		if got := cubic(f(-1), f(0), f(1), f(2), u, true, true); math.Abs(got-f(u)) > 1e-12 {
			t.Errorf("at %v it is %v, want %v", u, got, f(u))
		}
		if got := cubic(math.NaN(), 2, 4, 0, u, true, false); math.Abs(got-(2+2*u)) > 1e-12 {
			t.Errorf("at %v of a line it is %v, want %v", u, got, 2+2*u)
		}
	}
}

// An image in pixels has its own pixels where there is room for them.
func TestPictureInPixels(t *testing.T) {
	for _, channels := range []int{1, 3} {
		th := theme.New(true, false, false)
		p := plane.NewPlane(4, 2)
		images := new(atOnce)
		p.Images = images
		pix := make([]uint8, 4*4*channels)
		for i := range pix {
			pix[i] = uint8(i * 255 / (len(pix) - 1))
		}
		Picture(p.Region(), th, 4, 4, channels, pix)
		if got := p.Render(); got != "\x1b[38;2;0;0;1m@@@@\x1b[m\n\x1b[38;2;0;0;1m@@@@\x1b[m" {
			t.Errorf("%q", got)
		}
		im := image{rows: 4, cols: 4, channels: channels, pix: pix}
		for y := range 4 {
			for x := range 4 {
				r, g, b, _ := images.images[0].At(10*x+5, 10*y+5).RGBA()
				want := colorOf(&th, channels, im.mean(float64(x), float64(x+1), float64(y), float64(y+1)))
				wr, wg, wb, _ := want.RGBA()
				for _, c := range [][2]uint32{{r, wr}, {g, wg}, {b, wb}} {
					if math.Abs(float64(c[0]>>8)-float64(c[1]>>8)) > 255/inks+1 {
						t.Errorf("%d channels: pixel (%d, %d) is %x %x %x, want %x %x %x", channels, x, y, r, g, b,
							wr, wg, wb)
						break
					}
				}
			}
		}
	}
}
