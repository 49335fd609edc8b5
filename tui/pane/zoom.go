package pane

import (
	"math"

	"github.com/psgld/psgld-tui/tui/chart"
)

// Names of panes that the screen knows.
const (
	// ImagePane is the prefix of the panes of images. Their place on the page, from 1,
	// follows.
	ImagePane  = "image "
	CardPane   = "before and after"
	FirstImage = ImagePane + "1"
)

// Under is the place under a cell of the plane: the middle of its column and
// row.
func (p *Plot) Under(x, y int) Cross {
	at := chart.Place{Plot: p.Rect, Lo: p.X.Lo, Hi: p.X.Hi, Log: p.LogX}
	c := Cross{AxisX: p.AxisX, AxisY: p.AxisY, X: at.At(x)}
	if p.AxisY != NoAxis {
		c.Y = p.Y.Hi - (float64(y-p.Rect.Y)+0.5)/float64(max(p.Rect.H, 1))*(p.Y.Hi-p.Y.Lo)
	}
	return c
}

// Middle is the place in the middle of the plot.
func (p *Plot) Middle() Cross {
	at := chart.Place{Plot: p.Rect, Lo: p.X.Lo, Hi: p.X.Hi, Log: p.LogX}
	return Cross{AxisX: p.AxisX, AxisY: p.AxisY, X: at.AtFrac(0.5), Y: p.Y.Lo/2 + p.Y.Hi/2}
}

// The factor of a notch, the least visible part of an axis, and how many times as large
// as the whole plane a window can be.
const (
	zoomStep  = 1.25
	leastPart = 1e-6
	mostPlane = 4
)

// Zoom zooms in about a place by notches, or out if notches is negative. It reports
// whether the zoom changed.
func (p *Plot) Zoom(z *Zoom, about Cross, notches float64) bool {
	k := math.Pow(zoomStep, -notches)
	if !(k > 0) || k == 1 || p.AxisX == NoAxis {
		return false
	}
	if p.AxisY == NoAxis {
		r, ok := p.X.scaled(about.X, k, p.LogX)
		return ok && z.set(p.AxisX, r, p.AllX, p.LogX)
	}
	x, okX := p.X.scaled(about.X, k, false)
	y, okY := p.Y.scaled(about.Y, k, false)
	if !okX || !okY {
		return false
	}
	return z.setPlane(p, x, y)
}

// Pan moves what is shown by a part of its length to the right and up. It
// reports whether that changed anything.
func (p *Plot) Pan(z *Zoom, dx, dy float64) bool {
	if p.AxisX == NoAxis {
		return false
	}
	x := p.X.moved(dx, p.LogX)
	if p.AxisY == NoAxis {
		// A part stays within all of it.
		if x.Lo < p.AllX.Lo {
			x = p.X.moved(p.X.fracOf(p.AllX.Lo, p.LogX), p.LogX)
		} else if x.Hi > p.AllX.Hi {
			x = p.X.moved(p.X.fracOf(p.AllX.Hi, p.LogX)-1, p.LogX)
		}
		return z.set(p.AxisX, x, p.AllX, p.LogX)
	}
	return z.setPlane(p, x, p.Y.moved(dy, false))
}

// set shows a part of an axis, within all of it; all of it if the part is that.
func (z *Zoom) set(a Axis, r, all Range, log bool) bool {
	if !all.Set() {
		return false
	}
	r = Range{max(r.Lo, all.Lo), min(r.Hi, all.Hi)}
	least := leastPart * (all.Hi - all.Lo)
	if !r.Set() || !log && r.Hi-r.Lo < least || log && !(r.Lo > 0 && r.Hi/r.Lo > 1+leastPart) || !r.wide() {
		return false
	}
	if r == all {
		r = Range{}
	}
	changed := z[a] != r
	z[a] = r
	return changed
}

// setPlane shows a part of a plane.
func (z *Zoom) setPlane(p *Plot, x, y Range) bool {
	if !x.Set() || !y.Set() || !p.AllX.Set() || !p.AllY.Set() || !x.wide() || !y.wide() {
		return false
	}
	part := max((x.Hi-x.Lo)/(p.AllX.Hi-p.AllX.Lo), (y.Hi-y.Lo)/(p.AllY.Hi-p.AllY.Lo))
	if !(part >= leastPart && part <= mostPlane) {
		return false
	}
	changed := z[p.AxisX] != x || z[p.AxisY] != y
	z[p.AxisX], z[p.AxisY] = x, y
	return changed
}

// wide reports whether float64 has room for a plot between the ends.
func (r Range) wide() bool {
	return r.Hi-r.Lo > 1e-12*max(math.Abs(r.Lo), math.Abs(r.Hi))
}

// scaled is r by a factor about a place in it.
func (r Range) scaled(about, k float64, log bool) (Range, bool) {
	if !(about >= r.Lo && about <= r.Hi) {
		about = r.Lo/2 + r.Hi/2
	}
	if log {
		if !(r.Lo > 0 && about > 0) {
			return r, false
		}
		return Range{about * math.Pow(r.Lo/about, k), about * math.Pow(r.Hi/about, k)}, true
	}
	return Range{about + k*(r.Lo-about), about + k*(r.Hi-about)}, true
}

// moved is r moved by a part of its length.
func (r Range) moved(by float64, log bool) Range {
	if log && r.Lo > 0 {
		f := math.Pow(r.Hi/r.Lo, by)
		return Range{r.Lo * f, r.Hi * f}
	}
	d := by * (r.Hi - r.Lo)
	return Range{r.Lo + d, r.Hi + d}
}

// fracOf is where x is on r: 0 and 1 at its ends.
func (r Range) fracOf(x float64, log bool) float64 {
	if log && r.Lo > 0 && x > 0 {
		return math.Log(x/r.Lo) / math.Log(r.Hi/r.Lo)
	}
	return (x - r.Lo) / (r.Hi - r.Lo)
}
