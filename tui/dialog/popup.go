package dialog

import (
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// dim takes the colour out of what is behind an overlay.
func dim(g plane.Region, th theme.Theme) {
	w, h := g.Size()
	for y := range h {
		for x := range w {
			g.Restyle(x, y, th.Faint)
		}
	}
}

// popupSize is the inside of a popup for w×h cells of content on gw×gh cells, and whether
// there is room for a box around it.
func popupSize(gw, gh, w, h int) (iw, ih int, boxed bool) {
	if gw < 16 || gh < 6 {
		return gw, gh, false
	}
	if w > gw-12 { // a stripe of what is behind is no more than clutter
		w = gw - 4
	}
	return w, min(h, gh-4), true
}

// popup dims g and draws an empty box for w×h cells of content in its middle. It
// returns the box's inside. Where there is no room for a box it is all of g.
func popup(g plane.Region, th theme.Theme, w, h int, b plane.Box) plane.Region {
	gw, gh := g.Size()
	w, h, boxed := popupSize(gw, gh, w, h)
	if !boxed {
		g.Fill(' ', theme.Style{})
		return g
	}
	dim(g, th)
	box := g.Sub(plane.Rect{X: (gw - w - 4) / 2, Y: (gh - h - 2) / 2, W: w + 4, H: h + 2})
	box.Fill(' ', theme.Style{})
	b.Focused = true
	in := box.Box(th, b)
	return in.Sub(plane.Rect{X: 1, W: w, H: h})
}
