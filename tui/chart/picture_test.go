package chart

import (
	"fmt"
	"math"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/tui/internal/planetest"

	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// ring is a picture of a ring with soft edges, one byte a pixel.
func ring(rows, cols int) []uint8 {
	pix := make([]uint8, rows*cols)
	for y := range rows {
		for x := range cols {
			dx, dy := (float64(x)+0.5)/float64(cols)-0.5, (float64(y)+0.5)/float64(rows)-0.5
			d := math.Abs(math.Hypot(dx, dy)-0.32) / 0.12
			pix[y*cols+x] = uint8(255 * max(0, 1-d*d))
		}
	}
	return pix
}

func TestPictureGoldens(t *testing.T) {
	for _, size := range [][2]int{{28, 14}, {20, 10}, {60, 11}, {9, 40}, {3, 2}} {
		for _, th := range []theme.Theme{planetest.Plain(), planetest.ASCII()} {
			name := fmt.Sprintf("picture-%dx%d", size[0], size[1])
			if th.ASCII {
				name += "-ascii"
			}
			goldentest.Text(t, name,
				planetest.Picture(th, size[0], size[1], func(g plane.Region) {
					Picture(g, th, 28, 28, 1, ring(28, 28))
				}))
		}
	}
}

// At one pixel of the image for each of the screen, a cell's two colours are the
// two pixels; at half the size they are the means of four.
func TestPictureColours(t *testing.T) {
	th := planetest.Dark()
	pix := []uint8{
		10, 20, 30, 200, 100, 50,
		0, 0, 0, 255, 255, 255,
		1, 2, 3, 4, 5, 6,
		9, 9, 9, 90, 90, 90,
	}
	p := plane.NewPlane(2, 2)
	Picture(p.Region(), th, 4, 2, 3, pix)
	for y := range 2 {
		for x := range 2 {
			at := func(r int) plane.Color { i := (r*2 + x) * 3; return theme.RGB(pix[i], pix[i+1], pix[i+2]) }
			want := plane.Style{FG: at(2 * y), BG: at(2*y + 1)}
			if got := p.Region().StyleAt(x, y); got != want || p.Region().At(x, y) != '▀' {
				t.Errorf("cell (%d, %d) is %+v, want %+v", x, y, got, want)
			}
		}
	}
	p = plane.NewPlane(1, 1)
	Picture(p.Region(), th, 4, 2, 3, pix)
	if got, want := p.Region().StyleAt(0, 0), (plane.Style{FG: theme.RGB(116, 94, 84), BG: theme.RGB(26, 27, 27)}); got != want {
		t.Errorf("the mean is %x over %x, want %x over %x", got.FG, got.BG, want.FG, want.BG)
	}
	// One channel is ink on the theme's ground.
	for _, light := range []bool{false, true} {
		th := theme.New(!light, false, false)
		p := plane.NewPlane(1, 1)
		Picture(p.Region(), th, 2, 1, 1, []uint8{0, 255})
		if got, want := p.Region().StyleAt(0, 0), (plane.Style{FG: th.Ground, BG: th.Text.FG}); got != want {
			t.Errorf("paper over ink is %+v, want %+v", got, want)
		}
	}
}

func TestPictureSizeKeepsProportions(t *testing.T) {
	for w := range 60 {
		for h := range 30 {
			for _, im := range [][2]int{{28, 28}, {32, 32}, {10, 40}, {40, 10}, {1, 1}} {
				cw, ch := PictureSize(w, h, im[0], im[1])
				if cw > w || ch > h || cw < 0 || ch < 0 {
					t.Fatalf("%v in %d×%d takes %d×%d", im, w, h, cw, ch)
				}
				if w > 0 && h > 0 && (cw < 1 || ch < 1 || cw != w && ch != h) {
					t.Fatalf("%v in %d×%d takes %d×%d, and could be larger", im, w, h, cw, ch)
				}
				// Each side is rounded by half a cell at most, half a row being one pixel.
				if cw > 1 && ch > 1 {
					d := math.Abs(float64(cw)*float64(im[0]) - 2*float64(ch)*float64(im[1]))
					if d > 0.5*float64(im[0])+float64(im[1])+1e-9 {
						t.Fatalf("%v in %d×%d is drawn as %d×%d", im, w, h, cw, ch)
					}
				}
			}
		}
	}
}

func TestPictureStaysInside(t *testing.T) {
	for _, th := range planetest.Themes() {
		for _, size := range [][2]int{{0, 0}, {1, 1}, {7, 3}, {40, 12}} {
			for _, im := range []struct{ rows, cols, channels, bytes int }{
				{28, 28, 1, 784}, {32, 32, 3, 3072}, {28, 28, 1, 783}, {0, 5, 1, 0}, {5, 0, 1, 0}, {-1, 4, 3, 9},
				{4, 4, 0, 16}, {2, 2, 2, 8}, {1, 4096, 1, 4096}, {2, 2, 5, 20},
			} {
				planetest.Guarded(t, th, size[0], size[1], func(g plane.Region) {
					Picture(g, th, im.rows, im.cols, im.channels, make([]uint8, im.bytes))
				})
			}
		}
	}
}

func TestPictureDoesNotAllocate(t *testing.T) {
	th, pix := planetest.Dark(), ring(28, 28)
	p := plane.NewPlane(40, 20)
	if n := alloctest.PerRun(20, func() { Picture(p.Region(), th, 28, 28, 1, pix) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
