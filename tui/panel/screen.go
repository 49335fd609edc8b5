// Package panel composes the screen: the header, the tape, a view, the strip of
// parameters, the footer.
package panel

import (
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/control/steer"
	"github.com/psgld/psgld-tui/tui/control/tape"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Layout is where Screen draws its parts, in cells of the plane.
type Layout struct {
	Header, Tape, View, Strip, Footer plane.Rect
	// Below is what Frame.Below asks for, as far as there is room.
	Below plane.Rect
	// Compact says that the screen is too small for a pane; then View is all of it
	// but for the tape, and the other parts are empty.
	Compact bool
}

// Arrange lays out a screen of w×h cells.
func Arrange(w, h int, f pane.Frame) Layout { return arrange(w, h, &f) }

func arrange(w, h int, f *pane.Frame) Layout {
	all := plane.Rect{W: max(w, 0), H: max(h, 0)}
	if w < pane.PaneW || h < pane.PaneH {
		top, rest := all.CutTop(tape.Rows(all.W, all.H, f))
		return Layout{Tape: top, View: rest, Compact: true}
	}
	var at Layout
	at.Header, all = all.CutTop(1)
	at.Tape, all = all.CutTop(tape.Rows(w, all.H, f))
	at.Footer, all = all.CutBottom(1)
	at.Strip, at.View = all.CutBottom(steer.Rows(w, h, f))
	at.Below, at.View = at.View.CutBottom(f.Below)
	return at
}

// Screen draws a whole screen of the plane's size, which may be any. It clears
// the plane first.
func Screen(p *plane.Plane, v pane.View, f pane.Frame, hints []control.Hint) {
	p.Clear()
	w, h := p.Size()
	at := arrange(w, h, &f)
	if at.Compact {
		if f.Panes != nil {
			f.Panes.Reset()
		}
		tape.Draw(p.Sub(at.Tape), &f)
		compact(p.Sub(at.View), &f, hints)
		return
	}
	tape.Draw(p.Sub(at.Tape), &f)
	if v.Panes != nil {
		v.Draw(p.Sub(at.View), &f)
	}
	header(p.Sub(at.Header), &f) // after the view, which knows whether it is zoomed
	steer.Strip(p.Sub(at.Strip), &f)
	tell(p.Region(), &f, hints, at.Footer, at.View)
}
