package app

import (
	"strconv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// sizeHint is the size that a small screen should have: paneW×paneH.
const sizeHint = "a chart needs 28×11"

// leastNumbers is the width from which on a small screen has numbers and words.
const leastNumbers = 6

// compactLayout is what a small screen has room for: rows of the lanes, then of
// the rest, in the order in which they are given up.
type compactLayout struct {
	header, lanes, strip, footer, hint int // rows
	gap                                int // blank rows after the header and after the lanes
}

func compactRows(h, lanes int) (at compactLayout) {
	take := func(n int) int {
		n = min(n, h)
		h -= n
		return n
	}
	at.lanes = take(max(lanes, 0))
	at.header = take(1)
	at.strip = take(1)
	at.footer = take(1)
	at.hint = take(1)
	if h >= 2 {
		at.gap = 1
		h -= 2
	}
	if h > 0 {
		at.strip += take(2)
	}
	return at
}

// compact draws the screen that is too small for charts: each lane is a line with the numbers that matter most.
func compact(g plane.Region, f *frame) {
	th := &f.Theme
	if g.Empty() {
		return
	}
	lanes := f.Lanes()
	if g.W() < leastNumbers {
		// Too narrow for any number: the phase, and each lane's mark.
		if f.Snap != nil {
			glyph, style, _ := f.Phase()
			g.Set(0, 0, glyph, style)
		}
		for i, v := range f.EachLane() {
			look := f.LaneStyle(v)
			style := look.Style
			if v.Diverged != nil {
				style = th.Bad
			}
			g.Set(0, 1+i, look.Glyph, style)
		}
		return
	}
	at := compactRows(g.H(), len(lanes))
	y := 0
	if at.header > 0 {
		header(g.Row(0), f)
		y = 1 + at.gap
	}
	for i := range at.lanes {
		compactLane(g.Row(y), &f.Frame, &lanes[i], i == f.FocusAt() && len(lanes) > 1)
		g.Row(y).Zone(plane.Zone{ID: pane.LanePane(lanes[i].ID),
			Click: plane.Call("lane.focus", strconv.Itoa(lanes[i].ID))})
		y++
	}
	y += at.gap
	f.bottom(g.Sub(plane.Rect{Y: y, W: g.W(), H: at.strip}))
	if at.hint > 0 {
		row := g.Row(g.H() - 1 - at.footer)
		row.TextFit(1, 0, g.W()-1, f.Theme, sizeHint, th.Faint)
	}
	if at.footer > 0 {
		row := plane.Rect{Y: g.H() - 1, W: g.W(), H: 1}
		note, _ := plane.Rect{W: g.W(), H: g.H() - 1}.CutBottom(lifted(f, row, g.H()-1))
		foot(g, f, row, note)
	}
}

func compactLane(g plane.Region, f *pane.Frame, v *engine.LaneView, focused bool) {
	th, look := &f.Theme, f.LaneStyle(v)
	style := look.Style
	if focused {
		style = style.With(theme.Bold)
	}
	g.Set(0, 0, look.Glyph, style)
	x := 2
	if g.W() >= 24 {
		// Titles of one width, so that the numbers stand in columns.
		width := min(pane.Most(f, func(v *engine.LaneView) int { return plane.Width(f.LaneTitle(v)) }), g.W()/4)
		if title := f.LaneTitle(v); plane.Width(title) <= width {
			g.Text(x, 0, title, style)
		} else {
			g.TextFit(x, 0, width, f.Theme, v.Title, style)
		}
		x += width + 1
	}
	var l, stats pane.Line
	if v.Diverged == nil && !v.Burning {
		l.Add(1, "", th.Dim, th.Text, plane.Count(v.Step))
	}
	pane.Statistics(&stats, f, v)
	for _, p := range stats.Parts {
		p.Rank += 2
		l.Parts = append(l.Parts, p)
	}
	l.Draw(g.Sub(plane.Rect{X: x, W: g.W() - x, H: 1}), 1)
}
