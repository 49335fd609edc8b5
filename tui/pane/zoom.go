package pane

import (
	"math"

	"github.com/psgld/psgld-tui/tui/chart"
)

// Names of panes that the screen knows.
const (
	// ImagePane is the prefix of the panes of images. Their place on the page, from 1, follows.
	ImagePane  = "image "
	CardPane   = "before and after"
	FirstImage = ImagePane + "1"
)

// Under is the place under a cell of the plane: the middle of its column and row.
func (p *Plot) Under(x, y int) Cross {
	c := Cross{AxisX: p.AxisX, AxisY: p.AxisY}
	c.X = p.at(x - p.Rect.X)
	if p.AxisY != NoAxis {
		c.Y = p.Y.Hi - (float64(y-p.Rect.Y)+0.5)/float64(max(p.Rect.H, 1))*p.Y.Len()
	}
	return c
}

// at is the place in the middle of a column.
func (p *Plot) at(col int) float64 {
	for i := range p.Parts {
		if s := &p.Parts[i]; col >= s.From && col < s.From+s.Cols {
			return s.At((float64(col-s.From)+0.5)/float64(s.Cols), false)
		}
	}
	return p.X.At((float64(col)+0.5)/float64(max(p.Rect.W, 1)), p.LogX)
}

// Middle is the place in the middle of the plot.
func (p *Plot) Middle() Cross {
	return Cross{AxisX: p.AxisX, AxisY: p.AxisY, X: p.X.At(0.5, p.LogX), Y: p.Y.Mid()}
}

// The factor of a notch, the least visible part of an axis, and how many times as large
// as the whole plane a window can be.
const (
	zoomStep  = 1.25
	leastPart = 1e-6
	mostPlane = 4
)

// Zoom zooms in about a place by notches, or out if notches is negative. It reports whether the zoom changed.
func (p *Plot) Zoom(z *Zoom, about Cross, notches float64) bool {
	k := math.Pow(zoomStep, -notches)
	if !(k > 0) || k == 1 || p.AxisX == NoAxis {
		return false
	}
	if p.AxisY == NoAxis {
		// What is visible is scaled, as far as what was asked for, so that the place stays.
		seen, asked := p.X.Len(), p.Asked.Len()
		if p.LogX {
			seen, asked = math.Log(p.X.Hi/p.X.Lo), math.Log(p.Asked.Hi/p.Asked.Lo)
		}
		r, ok := scaled(p.X, about.X, k*asked/seen, p.LogX)
		return ok && z.set(p.AxisX, r, p.AllX, p.LogX)
	}
	kx, ky := k, k
	if p.Even {
		ky = chart.Notch(p.Y.Len(), p.Rect.H, zoomStep, notches)
		if kx = ky; !p.Equal {
			kx = chart.Notch(p.X.Len(), p.Rect.W, zoomStep, notches)
		}
	}
	x, okX := scaled(p.X, about.X, kx, false)
	y, okY := scaled(p.Y, about.Y, ky, false)
	if !okX || !okY {
		return false
	}
	return z.setPlane(p, x, y)
}

// Pan moves what is shown by a part of its length to the right and up. It reports whether that changed anything.
func (p *Plot) Pan(z *Zoom, dx, dy float64) bool {
	if p.AxisX == NoAxis {
		return false
	}
	x := moved(p.X, dx, p.LogX)
	if p.AxisY == NoAxis {
		x = moved(p.Asked, dx, p.LogX)
		// A part stays within all of it.
		if x.Lo < p.AllX.Lo {
			x = moved(p.Asked, p.Asked.Frac(p.AllX.Lo, p.LogX), p.LogX)
		} else if x.Hi > p.AllX.Hi {
			x = moved(p.Asked, p.Asked.Frac(p.AllX.Hi, p.LogX)-1, p.LogX)
		}
		return z.set(p.AxisX, x, p.AllX, p.LogX)
	}
	return z.setPlane(p, x, moved(p.Y, dy, false))
}

// set shows a part of an axis, within all of it; all of it if the part is that.
func (z *Zoom) set(a Axis, r, all Range, log bool) bool {
	if !all.Set() {
		return false
	}
	r = Range{Lo: max(r.Lo, all.Lo), Hi: min(r.Hi, all.Hi)}
	least := leastPart * all.Len()
	if !r.Set() || !log && r.Len() < least || log && !(r.Lo > 0 && r.Hi/r.Lo > 1+leastPart) || !wide(r) {
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
	if !x.Set() || !y.Set() || !p.AllX.Set() || !p.AllY.Set() || !wide(x) || !wide(y) {
		return false
	}
	part := max(x.Len()/p.AllX.Len(), y.Len()/p.AllY.Len())
	if !(part >= leastPart && part <= mostPlane) {
		return false
	}
	changed := z[p.AxisX] != x || z[p.AxisY] != y
	z[p.AxisX], z[p.AxisY] = x, y
	return changed
}

// wide reports whether float64 has room for a plot between the ends.
func wide(r Range) bool { return r.Len() > 1e-12*max(math.Abs(r.Lo), math.Abs(r.Hi)) }

// scaled is r by a factor about a place in it.
func scaled(r Range, about, k float64, log bool) (Range, bool) {
	if !r.Contains(about) {
		about = r.Mid()
	}
	if log {
		if !(r.Lo > 0 && about > 0) {
			return r, false
		}
		return Range{Lo: about * math.Pow(r.Lo/about, k), Hi: about * math.Pow(r.Hi/about, k)}, true
	}
	return Range{Lo: about + k*(r.Lo-about), Hi: about + k*(r.Hi-about)}, true
}

// moved is r moved by a part of its length.
func moved(r Range, by float64, log bool) Range {
	if log && r.Lo > 0 {
		f := math.Pow(r.Hi/r.Lo, by)
		return Range{Lo: r.Lo * f, Hi: r.Hi * f}
	}
	d := by * r.Len()
	return Range{Lo: r.Lo + d, Hi: r.Hi + d}
}
