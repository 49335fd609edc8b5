package stage

import (
	"fmt"
	"strconv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// drawLegend says what dots, shades and bars are.
func (p *scene) drawLegend(g plane.Region, f *pane.Frame, v *engine.LaneView) {
	th, look := &f.Theme, f.LaneStyle(v)
	dots, swatch, bars := "draws", " ", "histogram"
	if g.W() >= 34 {
		swatch, bars = "  ", "histogram of draws"
	}
	if g.W() >= 46 {
		dots = "draws, newest brightest"
	}
	var first, second pane.Line
	first.Add(0, string(th.Rune('⠶', th.Glyphs.DotPoint[0])), look.Style, th.Dim, dots)
	second.Add(0, string(th.Glyphs.VBlock[8]), look.Soft, th.Dim, bars)
	if p.plane {
		ground := first.Add(1, "", th.Dim, plane.Style{BG: shades(th)[1]}, swatch)
		if th.NoColor || th.ASCII {
			ground.Text, ground.Style = string(th.Rune('⠔', th.Glyphs.DotContour)), th.Contour[len(th.Contour)-1]
		}
		first.Add(1, "", th.Dim, th.Dim, "target's density")
		second.Add(1, string(th.Rune('⠒', th.Glyphs.Curve)), th.Curve, th.Dim, "exact")
	}
	first.Draw(g.Row(0), 1)
	second.Draw(g.Row(1), 2)
}

// planeKey writes the key of arrows and ellipses on the lower edge of a pane, with the lengths of the arrows.
func (p *scene) planeKey(g plane.Region, f *pane.Frame, v *engine.LaneView) {
	th := &f.Theme
	narrow := g.W() < 38 || g.W() < 50 && v.Motion != nil
	truth, draws, noise := false, false, v.Local != [2]float64{}
	for _, o := range p.lanes {
		truth, draws = truth || p.knows(o), draws || estimates(o)
	}
	var l pane.Line
	ring := func(text string) {
		style := f.LaneStyle(v).Ring
		part := l.Add(2, "", style, style, string(th.Rune('○', asciiNext))+" "+text)
		part.Term = wording.NextStep
		if narrow || !p.hides(v) || v.Motion != nil && g.W() < 76 {
			return
		}
		if overlaid(f) && v.Motion == nil {
			part.Text += " of " + pane.Letter(v.ID)
		}
		part.Text += fmt.Sprintf(" ±%s, ±%s", plane.Number(v.Local[0], 4), plane.Number(v.Local[1], 4))
	}
	apart := func() { // a blank more before what is of something else
		last := l.Parts[len(l.Parts)-1]
		last.Least = last.Width() + 1
	}
	if v.Motion != nil {
		motionKey(&l, f, v, g.W() >= 76)
		if noise {
			ring("its sd")
		}
		apart()
	}
	// The key says of all or of none how many standard deviations it is. A narrow pane has
	// no room for that, and the names say the rest.
	sd := (truth || draws) && !narrow
	if sd {
		l.Add(4, "", th.Dim, th.Dim, "2 sd:").Term = wording.TwoSD
	}
	if truth {
		l.Add(2, "", th.Dim, th.Truth, string(th.Rune('─', asciiTruth))+" target")
	}
	if draws {
		l.Add(3, "", th.Dim, th.Text, string(th.Rune('╌', asciiDraws))+" draws")
	}
	switch long := g.W() >= 60 && len(v.Chains) < 2 && !p.hides(v); {
	case !noise || v.Motion != nil:
	case long:
		ring("noise of the next step, 1 sd")
	default:
		if sd {
			if g.W() >= 50 {
				apart()
			}
			l.Add(4, "", th.Dim, th.Dim, "1 sd:").Term = wording.NextStep
		}
		text := "noise"
		if !narrow && (g.W() >= 66 || !sd && g.W() >= 50) {
			text += " of a step"
		}
		ring(text)
	}
	chainKey(&l, f, v)
	if p.at.win.Valid() && !p.at.win.Equal {
		l.Add(1, "", th.Warn, th.Warn, "axes differ")
	}
	lowerEdge(g, &l)
}

// hides reports whether the mark of the present state covers the noise of the next step.
func (p *scene) hides(v *engine.LaneView) bool {
	w, h := p.at.plot.Size()
	return p.at.win.Valid() && v.Local[0]*float64(w) < 1.5*p.at.win.X.Len() &&
		v.Local[1]*float64(h) < 0.75*p.at.win.Y.Len()
}

// mostInKey is how many chains the key names one by one. Of more it has the first and the last.
const mostInKey = 4

// chainKey adds the numbers of a lane's chains in their shades.
func chainKey(l *pane.Line, f *pane.Frame, v *engine.LaneView) {
	n := len(v.Chains)
	if n < 2 || n > mostNumbered || overlaid(f) {
		return
	}
	for i := range n {
		switch {
		case n <= mostInKey || i == 0 || i == n-1:
			l.Add(5, "", f.Theme.Dim, f.Theme.Badge(f.ChainStyle(v, i)), strconv.Itoa(i+1))
		case i == 1:
			l.Add(5, "", f.Theme.Dim, f.Theme.Dim, string(f.Theme.Glyphs.Ellipsis))
		}
	}
	l.Add(5, "", f.Theme.Dim, f.Theme.Dim, "chains")
}
