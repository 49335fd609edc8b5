package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// ContourSet is level curves of a function, rasterised for one canvas size and window. Building it evaluates the
// function over the canvas; drawing it is a copy. Build it when the size, window or target changes and keep it.
type ContourSet struct {
	cols, rows int
	ascii      bool
	win        Window
	cells      []contourCell
	levels     []float64 // those that are finite
	// The function's values at nx×ny points, step dots apart, and the highest one.
	grid   []float64
	nx, ny int
	step   float64
	top    float64
}

// contourCell is a cell's dots with their level, and its band: how many levels its
// middle is above. Inked tells that it or a neighbour has dots or a band.
type contourCell struct {
	bits, level, band uint8
	inked             bool
}

// contourStep is the grid's spacing in dots: fine enough for a curve that turns
// within a cell, coarse enough that interpolation makes it smooth.
const contourStep = 2

// NewContours traces f(x, y) = level for each level (at most 255) over a canvas of cols×rows cells and a window, by
// marching squares with linear interpolation on a grid of two dots' spacing; a saddle is resolved by the mean of its
// corners. A square with a corner that is NaN or infinite is left out. f is called once for each grid point.
func NewContours(th theme.Theme, cols, rows int, win Window, levels []float64,
	f func(x, y float64) float64) *ContourSet {
	var canvas Braille
	canvas.Reset(th, cols, rows, win)
	set := &ContourSet{cols: canvas.cols, rows: canvas.rows, ascii: canvas.ascii, win: win}
	w, h := canvas.Dots()
	if !win.Valid() || w == 0 || h == 0 {
		return set
	}
	set.cells = make([]contourCell, set.cols*set.rows)
	step := contourStep
	if set.ascii {
		step = 1
	}
	nx, ny := (w+step-1)/step+1, (h+step-1)/step+1
	grid := make([]float64, nx*ny)
	for j := range ny {
		for i := range nx {
			x := win.X.Lo + float64(i*step)/canvas.kx
			y := win.Y.Hi - float64(j*step)/canvas.ky
			grid[j*nx+i] = f(x, y)
		}
	}
	set.grid, set.nx, set.ny, set.step, set.top = grid, nx, ny, float64(step), math.Inf(-1)
	for _, v := range grid {
		if finite(v) {
			set.top = max(set.top, v)
		}
	}
	for n, level := range levels[:min(len(levels), 255)] {
		if !finite(level) {
			continue
		}
		set.levels = append(set.levels, level)
		clear(canvas.cells)
		march(&canvas, grid, nx, ny, float64(step), level)
		for i, c := range canvas.cells {
			if c.bits != 0 {
				set.cells[i].bits |= c.bits
				set.cells[i].level = uint8(n)
			}
		}
		for i := range set.cells {
			// The mean of the grid's points on both sides of the cell's middle.
			at := (i/set.cols*canvas.sy+canvas.sy/2)/step*nx + i%set.cols*canvas.sx/step
			if grid[at]/2+grid[at+1]/2 >= level {
				set.cells[i].band = max(set.cells[i].band, uint8(min(n+1, 255)))
			}
		}
	}
	for i, c := range set.cells {
		if c.bits == 0 && c.band == 0 {
			continue
		}
		for y := max(i/set.cols-1, 0); y <= min(i/set.cols+1, set.rows-1); y++ {
			for x := max(i%set.cols-1, 0); x <= min(i%set.cols+1, set.cols-1); x++ {
				set.cells[y*set.cols+x].inked = true
			}
		}
	}
	return set
}

// The corners of a square, clockwise from the upper left. Edges are numbered likewise from the top.
var cornerX, cornerY = [4]float64{0, 1, 1, 0}, [4]float64{0, 0, 1, 1}

// march draws one level.
func march(b *Braille, grid []float64, nx, ny int, step, level float64) {
	for j := range ny - 1 {
		for i := range nx - 1 {
			v := [4]float64{grid[j*nx+i], grid[j*nx+i+1], grid[(j+1)*nx+i+1], grid[(j+1)*nx+i]}
			if !finite(v[0]) || !finite(v[1]) || !finite(v[2]) || !finite(v[3]) {
				continue
			}
			above := [4]bool{v[0] >= level, v[1] >= level, v[2] >= level, v[3] >= level}
			if above[0] == above[1] && above[1] == above[2] && above[2] == above[3] {
				continue
			}
			var px, py [4]float64
			var crossed [4]int
			n := 0
			x, y := float64(i)*step, float64(j)*step
			for e := range 4 {
				a, z := e, (e+1)%4
				if above[a] == above[z] {
					continue
				}
				t := crossing(v[a], v[z], level)
				px[e], py[e] = x+step*(cornerX[a]+t*(cornerX[z]-cornerX[a])),
					y+step*(cornerY[a]+t*(cornerY[z]-cornerY[a]))
				crossed[n] = e
				n++
			}
			join := func(a, z int) { b.segment(px[a], py[a], px[z], py[z], &Pen{Layer: LayerContour}) }
			if n == 2 {
				join(crossed[0], crossed[1])
				continue
			}
			if centre := v[0]/4 + v[1]/4 + v[2]/4 + v[3]/4; (centre >= level) == above[0] {
				join(0, 1)
				join(2, 3)
			} else {
				join(3, 0)
				join(1, 2)
			}
		}
	}
}

// crossing is where between a and z, as a fraction, the level lies. Halving first keeps huge values finite.
func crossing(a, z, level float64) float64 {
	return min(max((level/2-a/2)/(z/2-a/2), 0), 1)
}

// Fits reports whether the set was built for a canvas of this size and window,
// that is, whether it can be drawn again or must be rebuilt.
func (s *ContourSet) Fits(th theme.Theme, cols, rows int, win Window) bool {
	return s != nil && s.cols == cols && s.rows == rows && s.win == win && s.ascii == !th.Glyphs.Braille
}

// Blank reports whether no curve of the set is in a block of cells, and no part of the ground between the levels.
func (s *ContourSet) Blank(r plane.Rect) bool {
	if s == nil || len(s.cells) == 0 || r.Intersect(plane.Rect{W: s.cols, H: s.rows}) != r {
		return false
	}
	for y := r.Y; y < r.Y+r.H; y++ {
		for _, c := range s.cells[y*s.cols+r.X:][:r.W] {
			if c.bits != 0 || c.band != 0 {
				return false
			}
		}
	}
	return true
}

// on reports whether the set fits a canvas.
func (s *ContourSet) on(b *Braille) bool {
	return s != nil && s.cols == b.cols && s.rows == b.rows && s.ascii == b.ascii && len(s.cells) == len(b.cells)
}

// Contours draws a set beneath everything else, level i in styles[i], and colours the ground between its levels, which
// rise: a cell whose middle is above n of them, n > 0, gets ground[n-1]. With fewer styles or colours than levels the
// last one serves the rest, and without a colour there is no ground. A set that does not fit the canvas is not drawn.
func (b *Braille) Contours(s *ContourSet, styles []plane.Style, ground []plane.Color) {
	if !s.on(b) {
		return
	}
	b.ground, b.lines, b.grounds = s, styles, ground
	for i, c := range s.cells {
		if c.band > 0 && len(ground) > 0 {
			b.cells[i].shade = ground[min(int(c.band), len(ground))-1]
		}
		if c.bits == 0 {
			continue
		}
		pen := Pen{Layer: LayerContour}
		if len(styles) > 0 {
			pen.Style = styles[min(int(c.level), len(styles)-1)]
		}
		if d := &b.cells[i]; b.take(d, &pen) {
			d.bits |= c.bits
		}
	}
}
