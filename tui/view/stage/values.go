package stage

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
	"github.com/psgld/psgld-tui/tui/wording"
)

// drawsIn counts a lane's newest draws in a cell of the plane.
func drawsIn(v *engine.LaneView, at chart.Window) (n uint64) {
	for k := range min(len(v.TrailX), len(v.TrailY)) {
		if x, y := v.TrailX[k], v.TrailY[k]; x >= at.X.Lo && x < at.X.Hi && y > at.Y.Lo && y <= at.Y.Hi {
			n++
		}
	}
	return n
}

// planeAt is the plot of a plane, its visible window and its window without a zoom.
type planeAt struct {
	plot     plane.Region
	win, all chart.Window
}

// zoomed is the visible window of a plane.
func (p *scene) zoomed(f *pane.Frame, all chart.Window, plot plane.Region) chart.Window {
	win := f.Window(pane.CoordX, pane.CoordY, all)
	if p.plane && win != all {
		w, h := plot.Size()
		win = shared.Fit(win, w, h)
	}
	p.at = planeAt{plot, win, all}
	return win
}

// showPlace shows the values at the cross: its coordinates, the density relative to its
// peak, and the number of a lane's draws in that cell.
func (p *scene) showPlace(box plane.Region, f *pane.Frame, i int) {
	v := &f.Snap.Lanes[i]
	plot, win, all := p.at.plot, p.at.win, p.at.all
	if !win.Valid() {
		return
	}
	f.SetPlane(box, plot, pane.CoordX, pane.CoordY, win, all)
	at := f.DrawCross(plot, win, pane.CoordX, pane.CoordY)
	th := &f.Theme
	var l pane.Line
	if at.OnX {
		l.Add(0, pane.ShortName(th, v.Names[0]), th.Dim, th.Accent, pane.Exact(at.X))
	}
	if at.OnY {
		l.Add(0, pane.ShortName(th, v.Names[1]), th.Dim, th.Accent, pane.Exact(at.Y))
	}
	if at.Both() {
		if p.plane {
			l.Add(2, "density", th.Dim, th.Truth, wording.Number(quantity.Share, math.Exp(p.Density.LogP(at.X, at.Y)-p.Density.Peak), pane.NumberWidth)+" of peak")
		}
		w, h := plot.Size()
		dx, dy := win.X.Len()/float64(w), win.Y.Len()/float64(h)
		x0, y1 := win.X.Lo+float64(at.Col)*dx, win.Y.Hi-float64(at.Row)*dy
		cell := chart.Window{X: pane.Range{Lo: x0, Hi: x0 + dx}, Y: pane.Range{Lo: y1 - dy, Hi: y1}}
		for k, v := range f.EachLane() {
			if k != i && !overlaid(f) {
				continue
			}
			look := f.LaneStyle(v)
			l.Add(1, "", look.Style, look.Style, string(look.Glyph)+" "+plane.Count(drawsIn(v, cell))+" here")
		}
	}
	if len(l.Parts) > 0 {
		pane.ShowValues(box, plot, f, &l)
	}
}
