package panel

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
)

// drawsIn counts a lane's newest draws in a cell of the plane.
func drawsIn(v *engine.LaneView, x0, x1, y0, y1 float64) (n uint64) {
	for k := range min(len(v.TrailX), len(v.TrailY)) {
		if x, y := v.TrailX[k], v.TrailY[k]; x >= x0 && x < x1 && y > y0 && y <= y1 {
			n++
		}
	}
	return n
}

// planeAt is where a plane was drawn, and the windows that are shown and that
// would be without a zoom.
type planeAt struct {
	plot     plane.Region
	win, all chart.Window
}

// zoomed is the window that is shown of all of the plane.
func (p *lanePlot) zoomed(f *Frame, all chart.Window, plot plane.Region) chart.Window {
	win := f.window(all)
	if p.plane && win != all {
		w, h := plot.Size()
		win = fit(win, w, h)
	}
	p.at = planeAt{plot, win, all}
	return win
}

// tellPlane tells what is known of a place in the plane: its coordinates, the
// density relative to its peak, and how many of a lane's draws are in that cell.
func (p *lanePlot) tellPlane(box plane.Region, f *Frame, i int) {
	v := &f.Snap.Lanes[i]
	plot, win, all := p.at.plot, p.at.win, p.at.all
	if !win.Valid() {
		return
	}
	name := laneName(v.ID)
	if f.overlaid() {
		name = overlayPane
	}
	f.plot(name, Plot{
		Rect: plot.Rect(), AxisX: CoordX, AxisY: CoordY,
		X: Range{win.X0, win.X1}, Y: Range{win.Y0, win.Y1}, AllX: Range{all.X0, all.X1}, AllY: Range{all.Y0, all.Y1},
	})
	at := f.cross(plot, win, CoordX, CoordY)
	th := &f.Theme
	var l line
	if at.onX {
		l.add(0, shortName(th, v.Names[0]), th.Dim, th.Accent, exact(at.x))
	}
	if at.onY {
		l.add(0, shortName(th, v.Names[1]), th.Dim, th.Accent, exact(at.y))
	}
	if at.both() {
		if p.plane {
			l.add(2, "density", th.Dim, th.Truth, percent(math.Exp(p.dens.logp(at.x, at.y)-p.dens.peak))+" of peak")
		}
		w, h := plot.Size()
		dx, dy := (win.X1-win.X0)/float64(w), (win.Y1-win.Y0)/float64(h)
		x0, y1 := win.X0+float64(at.col)*dx, win.Y1-float64(at.row)*dy
		for k := range f.lanes() {
			v := &f.Snap.Lanes[k]
			if k != i && !f.overlaid() {
				continue
			}
			look := f.look(v)
			l.add(1, "", look.Style, look.Style, string(look.Glyph)+" "+plane.Count(drawsIn(v, x0, x0+dx, y1-dy, y1))+" here")
		}
	}
	if len(l.parts) > 0 {
		tellValues(box, plot, f, &l, plot.Rect().X+at.col)
	}
}
